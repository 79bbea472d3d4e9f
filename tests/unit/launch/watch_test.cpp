// SPDX-License-Identifier: Apache-2.0
// The watch, with workers that say what a test wants: a script in the place of ssh prints the report of a file, and the clock
// moves when it is slept on. What a start leads to is the next file.
#include "launch/watch.hpp"

#include <gmock/gmock.h>

#include "base/file.hpp"
#include "base/signal.hpp"
#include "base/text.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/fake_clock.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/unit/launch/crew.hpp"

namespace tpuctl::test {
namespace {

using namespace launch;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

/// One TPU VM, in the state that a test gives it.
class OneNode : public api::Transport {
 public:
  api::Response send(const api::Request& request) override {
    methods.push_back(request.method);
    api::Response out;
    out.status = 200;
    out.body = request.method == "GET" ? node.dump() : R"({"name": "projects/p/locations/z/operations/o", "done": true, "response": {}})";
    if (request.method == "POST") node.member("state") = "READY";
    return out;
  }
  Json node = Json::parse(R"({"name": "projects/p/locations/z/nodes/n", "state": "READY", "health": "HEALTHY"})");
  std::vector<std::string> methods;
};

class Watched : public ::testing::Test {
 protected:
  Watched() {
    signals::install();
    const std::string here = folder.path;
    // Its last word ends in the supervisor's call.
    ssh = folder.put_script("ssh", "for last; do :; done\nset -- ${last##* tpuctl }\nverb=$1\necho \"$*\" >>" + here + "/calls\n[ ! -e " + here +
                                       "/down ] || { echo 'ssh: connect to host w0 port 22: Connection refused' >&2; exit 255; }\ncase $verb in\n" +
                                       "  start) echo 'tpuctl: ready'; cat >" + here + "/stdin; n=$(cat " + here + "/attempt); echo $((n + 1)) >" + here +
                                       "/attempt; echo 'tpuctl: started' ;;\n" +
                                       "  stop) cat >/dev/null; echo 'tpuctl: stopped ended' ;;\n" +
                                       "  *) cat >/dev/null; cat " + here + "/report.$(cat " + here + "/attempt) ;;\nesac");
    folder.put("attempt", "1\n");
  }

  /// What the worker reports in that attempt, at 2000 by its clock.
  void report(int attempt, const std::string& lines) const {
    std::string out = "tpuctl: now 2000\n";
    for (const auto& line : text::split(lines, '\n')) out += "tpuctl: " + line + "\n";
    folder.put("report." + std::to_string(attempt), out);
  }
  static std::string ended(int attempt, int code) { return "state dead ended " + std::to_string(attempt) + " 1000 1900 " + std::to_string(code) + " 0 10"; }
  static std::string running(int attempt) { return "state alive running " + std::to_string(attempt) + " 1000"; }
  /// What happens at the Nth sleep.
  void at_sleep(std::size_t number, std::function<void()> what) {
    clock.on_sleep = [this, number, what = std::move(what)] {
      if (clock.slept.size() == number) what();
    };
  }

  Verdict watch(WatchOptions options = {}) {
    api::Client client(wire, clock, "http://x/", "v2alpha1");
    WatchWorld world{client,
                     clock,
                     [this] { return std::vector<Slice>{{{"p", "z", "nodes", "n"}, wire.node, {}}}; },
                     [this](const std::vector<Slice>&) { return crew_of(ssh, {"w0"}); },
                     [this](const std::string& line) { said.push_back(line); },
                     [this](const std::string& line) { said.push_back("WARNING: " + line); },
                     [](std::string_view) {}};
    world.spec = spec;
    return watch_job(world, "j", options);
  }
  static WatchOptions again(int failures = 0) {
    WatchOptions options;
    options.restart = true;
    options.max_failures = failures;
    return options;
  }
  std::string calls() const { return file::read_if_exists(folder / "calls").value_or(""); }

  TemporaryFolder folder;
  FakeClock clock;
  OneNode wire;
  std::optional<JobSpec> spec;
  std::vector<std::string> said;
  std::string ssh;
};

TEST_F(Watched, HowItEndedIsLeftToWhoAsked) {
  report(1, ended(1, 0));
  EXPECT_EQ(watch().outcome, Outcome::finished);
  report(1, ended(1, 7));
  const Verdict verdict = watch();
  EXPECT_EQ(verdict.outcome, Outcome::failed);
  EXPECT_EQ(verdict.exit_code, 7);
  EXPECT_EQ(verdict.worker, "n/0");
  EXPECT_THAT(said, IsEmpty());
}

TEST_F(Watched, ATimeLimitEndsTheWatchAndNotTheJob) {
  report(1, running(1));
  WatchOptions options;
  options.timeout = seconds(60);
  EXPECT_EQ(error_of([&] { watch(options); }).kind, Kind::wait);
  EXPECT_THAT(said, ElementsAre("Job [j] attempt 1: RUNNING"));
  EXPECT_THAT(calls(), Not(HasSubstr("stop")));
}

TEST_F(Watched, MaintenanceIsNotChargedAndTheNextAttemptBegins) {
  const std::string notice = "\nnotice 1800 1 5 maintenance-event TERMINATE_ON_HOST_MAINTENANCE";
  report(1, ended(1, 0) + notice);
  report(2, ended(2, 0) + notice);
  EXPECT_EQ(watch().outcome, Outcome::maintained) << "without --watch";
  const Verdict verdict = watch(again());
  EXPECT_EQ(verdict.outcome, Outcome::finished);
  EXPECT_EQ(verdict.attempt, 2);
  EXPECT_THAT(said, Contains("Job [j]: starting attempt 2 on 1 workers."));
}

TEST_F(Watched, FailuresHaveABudget) {
  for (int i = 1; i <= 3; ++i) report(i, ended(i, 3));
  EXPECT_EQ(watch(again(2)).attempt, 3);
  EXPECT_EQ(watch(again(0)).outcome, Outcome::failed);
  EXPECT_EQ(file::read(folder / "attempt"), "3\n") << "no other one was started";
}

TEST_F(Watched, AFailureOnSpotMachinesSettlesFirst) {
  report(1, ended(1, 139));
  EXPECT_EQ(watch().outcome, Outcome::failed);
  EXPECT_THAT(clock.slept, IsEmpty());
  wire.node.set("/schedulingConfig/spot", true);
  at_sleep(3, [this] { wire.node.member("state") = "PREEMPTED"; });
  EXPECT_EQ(watch().outcome, Outcome::preempted) << "the service's word came late";
}

TEST_F(Watched, ASilentJobIsEndedBeforeItIsStartedAgain) {
  report(1, running(1) + "\nlog 5 1500");
  report(2, ended(2, 0));
  WatchOptions options = again(1);
  options.stuck_after = seconds(400);
  EXPECT_EQ(watch(options).attempt, 2);
  EXPECT_THAT(calls(), HasSubstr("stop j 300 clearing\nstart j\n"));
}

TEST_F(Watched, AFullDiskIsToldOnce) {
  report(1, running(1) + "\nfull /var/lib/tpuctl/jobs/j");
  at_sleep(4, [this] { report(1, ended(1, 0) + " full /var/lib/tpuctl/jobs/j"); });
  EXPECT_EQ(watch().outcome, Outcome::finished);
  EXPECT_THAT(said, ElementsAre("Job [j] attempt 1: RUNNING", HasSubstr("WARNING: Job [j]: the disk of n/0 is full")));
}

TEST_F(Watched, ATakenMachineIsMadeAnewWithTheJob) {
  report(1, running(1));
  report(2, ended(2, 0));
  spec = JobSpec{.name = "j", .command = "true"};
  at_sleep(2, [this] {
    wire.node.member("state") = "PREEMPTED";
    report(1, ended(1, 143));
  });
  EXPECT_EQ(watch(again()).outcome, Outcome::finished);
  EXPECT_THAT(wire.methods, Contains("DELETE"));
  EXPECT_THAT(said, Contains("Job [j]: Deleting the TPU VM [n] and making it anew."));
}

TEST_F(Watched, AMachineMadeAnewIsToldTheJobAlsoAtTheSecondTry) {
  report(1, running(1));
  report(2, ended(2, 0));
  spec = JobSpec{.name = "j", .command = "echo the job"};
  std::size_t made_at = 0;
  clock.on_sleep = [&] {
    if (clock.slept.size() == 2) {
      wire.node.member("state") = "PREEMPTED";
      report(1, ended(1, 143));
      folder.put("down", "");
    }
    const bool made = std::count(wire.methods.begin(), wire.methods.end(), "POST") > 0;
    if (made && made_at == 0) made_at = clock.slept.size();
    if (made && clock.slept.size() == made_at + 2) file::remove(folder / "down");
  };
  EXPECT_EQ(watch(again()).outcome, Outcome::finished);
  EXPECT_EQ(std::count(wire.methods.begin(), wire.methods.end(), "POST"), 1) << "its boot takes a while: that is no reason to make it again";
  EXPECT_THAT(file::read(folder / "stdin"), HasSubstr("echo the job"));
}

TEST_F(Watched, WhatWasLostAndIsMadeAnewIsStartedThere) {
  report(1, running(1));
  report(2, ended(2, 0));
  spec = JobSpec{.name = "j", .command = "echo the job"};
  double silent_for = 0;
  clock.on_sleep = [&] {
    if (clock.slept.size() == 2) folder.put("down", "");
    if (clock.slept.size() >= 2) silent_for += clock.slept.back();
    if (silent_for > 140 && wire.node["state"].text() == "READY" && file::exists(folder / "down")) {
      wire.node.member("state") = "PREEMPTED";  // the service finds out late
      file::remove(folder / "down");
      report(1, "state none");
    }
  };
  EXPECT_EQ(watch(again(1)).outcome, Outcome::finished);
  EXPECT_THAT(said, Contains("Job [j]: Deleting the TPU VM [n] and making it anew."));
  EXPECT_THAT(file::read(folder / "stdin"), HasSubstr("echo the job"));
}

TEST_F(Watched, ALookThatFailsAfterANoticeIsNoEnd) {
  report(1, running(1) + "\nnotice 1800 1 5 preempted TRUE");
  clock.on_sleep = [this] {
    if (clock.slept.size() == 2) folder.put("down", "");
    if (clock.slept.size() == 4) file::remove(folder / "down");
    if (clock.slept.size() == 8) report(1, ended(1, 0) + "\nnotice 1800 1 5 preempted TRUE");
  };
  EXPECT_EQ(watch().outcome, Outcome::preempted);
  EXPECT_GE(clock.slept.size(), 8u);
}

TEST_F(Watched, ATimeLimitHoldsWhileMachinesComeBack) {
  report(1, running(1));
  spec = JobSpec{.name = "j", .command = "true"};
  at_sleep(2, [this] {
    wire.node.member("state") = "PREEMPTED";
    report(1, ended(1, 143));
    folder.put("down", "");
  });
  WatchOptions options = again();
  options.timeout = seconds(90);
  EXPECT_EQ(error_of([&] { watch(options); }).kind, Kind::wait);
}

TEST_F(Watched, NothingIsDeletedForAJobThatNewMachinesWouldNotKnow) {
  report(1, running(1));
  at_sleep(2, [this] {
    wire.node.member("state") = "PREEMPTED";
    report(1, ended(1, 143));
  });
  EXPECT_EQ(error_of([&] { watch(again()); }).kind, Kind::preempted);
  EXPECT_THAT(wire.methods, Not(Contains("DELETE")));
}

}  // namespace
}  // namespace tpuctl::test
