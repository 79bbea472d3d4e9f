// SPDX-License-Identifier: Apache-2.0
#include "launch/drill.hpp"

#include <gmock/gmock.h>

namespace tpuctl::test {
namespace {

using namespace launch;
using ::testing::HasSubstr;

/// A drill in which everything went well.
Drilled good() {
  Drilled out;
  out.node = "s-0";
  out.worker = 1;
  out.attempt = 1;
  out.started_by = "the drill";
  Evidence& seen = out.evidence;
  seen.holders_known = true;
  seen.holders = 1;
  seen.catches_sigterm = true;
  seen.maintained = seen.healthy = seen.running = true;
  Interruption cost;
  cost.attempt = 1;
  cost.source = "maintenance-event";
  cost.last_regular = 10;
  cost.step_at_notice = 16;
  cost.last_step = 17;
  cost.saved_at = 17;
  cost.resumed_at = 17;
  cost.lost = 0;
  cost.seconds_to_exit = 1.2;
  cost.every_step = true;
  seen.cost = cost;
  return out;
}

struct Case {
  const char* what;
  void (*change)(Evidence&);
  Proof proof;
  const char* words;
};

class DrillVerdict : public ::testing::TestWithParam<Case> {};

TEST_P(DrillVerdict, RestsOnWhatWasMeasured) {
  Drilled drilled = good();
  GetParam().change(drilled.evidence);
  weigh(drilled);
  EXPECT_EQ(drilled.proof, GetParam().proof) << GetParam().what << ": " << drilled.reason;
  EXPECT_THAT(drilled.reason, HasSubstr(GetParam().words)) << GetParam().what;
}

INSTANTIATE_TEST_SUITE_P(
    All, DrillVerdict,
    ::testing::Values(
        Case{"all well", [](Evidence&) {}, Proof::nothing_lost, "step 17 was reached, training resumed at step 17"},
        Case{"steps lost", [](Evidence& e) { e.cost->resumed_at = 10, e.cost->lost = 7; }, Proof::steps_lost, "7 steps were lost"},
        Case{"one step lost", [](Evidence& e) { e.cost->resumed_at = 16, e.cost->lost = 1; }, Proof::steps_lost, "1 step was lost"},
        Case{"steps lost and killed", [](Evidence& e) { e.cost->resumed_at = 10, e.cost->lost = 7, e.killed = {"s-0/1"}; },
             Proof::steps_lost, "killed on s-0/1"},
        Case{"nobody held the device", [](Evidence& e) { e.holders = 0; }, Proof::not_proven, "the notice reached nobody"},
        Case{"SIGTERM is not caught", [](Evidence& e) { e.catches_sigterm = false; }, Proof::not_proven, "does not catch SIGTERM"},
        Case{"no notice was seen", [](Evidence& e) { e.cost->source.clear(); }, Proof::not_proven, "no worker has seen a notice"},
        Case{"never interrupted", [](Evidence& e) { e.cost.reset(); }, Proof::not_proven, "no worker has seen a notice"},
        Case{"killed at the end of the grace", [](Evidence& e) { e.killed = {"s-0/1"}; }, Proof::not_proven, "killed on s-0/1"},
        Case{"still there when the machine went", [](Evidence& e) { e.unended = {"s-0/1"}; }, Proof::not_proven, "not ended before"},
        Case{"took six minutes", [](Evidence& e) { e.cost->seconds_to_exit = 360; }, Proof::not_proven, "360.0 s after the notice"},
        Case{"slices stay ill", [](Evidence& e) { e.healthy = false; }, Proof::not_proven, "not healthy again"},
        Case{"no maintenance was shown", [](Evidence& e) { e.maintained = false; }, Proof::not_proven, "showed no maintenance"},
        Case{"nobody started it again", [](Evidence& e) { e.running = false, e.cost->resumed_at.reset(), e.cost->lost.reset(); },
             Proof::not_proven, "does not run again"},
        Case{"no step in the log", [](Evidence& e) { e.cost->last_step.reset(), e.cost->lost.reset(); }, Proof::not_proven, "--step-regex"},
        Case{"resumed before what was saved", [](Evidence& e) { e.cost->saved_at = 18; }, Proof::not_proven, "step 18 had been saved"},
        Case{"a step here and there, and a new checkpoint", [](Evidence& e) { e.cost->every_step = false; }, Proof::nothing_lost, "17"},
        Case{"a step here and there, and none", [](Evidence& e) { e.cost->every_step = false, e.cost->saved_at.reset(); },
             Proof::not_proven, "does not tell each step"},
        Case{"each step, and no checkpoint known", [](Evidence& e) { e.cost->saved_at.reset(); }, Proof::nothing_lost, "17"}));

TEST(DrillVerdict, EachCheckIsThereAndWhatIsNotKnownIsNoFailure) {
  Drilled drilled = good();
  weigh(drilled);
  std::string names;
  for (const Check& check : drilled.checks) names += check.name + (check.passed ? (*check.passed ? "+ " : "- ") : "? ");
  EXPECT_EQ(names, "signal+ notice+ checkpoint+ exit+ healthy+ resumed+ ");
  drilled.evidence.holders_known = false;
  drilled.evidence.cost->saved_at.reset();
  drilled.evidence.cost->seconds_to_exit.reset();
  weigh(drilled);
  names.clear();
  for (const Check& check : drilled.checks) names += check.name + (check.passed ? (*check.passed ? "+ " : "- ") : "? ");
  EXPECT_EQ(names, "signal? notice+ checkpoint? exit? healthy+ resumed+ ");
}

}  // namespace
}  // namespace tpuctl::test
