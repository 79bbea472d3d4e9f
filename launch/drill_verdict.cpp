// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "base/text.hpp"
#include "launch/drill.hpp"

namespace tpuctl::launch {

namespace {

Check holder_check(const Drilled& drilled) {
  const Evidence& seen = drilled.evidence;
  const std::string who = fmt::format("{}/{}", drilled.node, drilled.worker);
  if (!seen.holders_known) return {"signal", {}, who + " could not be asked who holds its TPU device"};
  if (seen.holders == 0) return {"signal", false, "no process on " + who + " held the TPU device: the notice reached nobody"};
  if (!seen.catches_sigterm) return {"signal", false, "the process on " + who + " that held the TPU device does not catch SIGTERM"};
  return {"signal", true, "the process on " + who + " that held the TPU device catches SIGTERM"};
}

Check notice_check(const Evidence& seen) {
  if (!seen.cost || seen.cost->source.empty()) return {"notice", false, "no worker has seen a notice in its metadata"};
  const auto& step = seen.cost->step_at_notice;
  return {"notice", true, seen.cost->source + (step ? fmt::format(" at step {}", *step) : "")};
}

Check save_check(const Evidence& seen) {
  if (seen.cost && seen.cost->saved_at) return {"checkpoint", true, fmt::format("step {} was saved after the notice", *seen.cost->saved_at)};
  return {"checkpoint", {}, "no checkpoint after the notice is known"};
}

Check exit_check(const Evidence& seen) {
  if (!seen.killed.empty()) return {"exit", false, "killed on " + text::join(seen.killed, ", ")};
  if (!seen.unended.empty()) return {"exit", false, "not ended before the machine was taken: " + text::join(seen.unended, ", ")};
  if (!seen.cost || !seen.cost->seconds_to_exit) return {"exit", {}, "when the programs ended is not known"};
  const double took = *seen.cost->seconds_to_exit;
  return {"exit", took <= kGraceSeconds, fmt::format("{:.1f} s after the notice", took)};
}

Check health_check(const Evidence& seen) {
  if (!seen.maintained) return {"healthy", {}, "the service showed no maintenance"};
  return {"healthy", seen.healthy, seen.healthy ? "all slices are READY and healthy again" : "the slices are not healthy again"};
}

Check resume_check(const Drilled& drilled) {
  const Evidence& seen = drilled.evidence;
  if (!seen.running) return {"resumed", false, "the job does not run again"};
  if (!seen.cost || !seen.cost->resumed_at) return {"resumed", {}, "the log does not tell at which step"};
  const Interruption& cost = *seen.cost;
  std::string words = fmt::format("at step {}, started by {}", *cost.resumed_at, drilled.started_by);
  if (!cost.saved_at) return {"resumed", true, words};
  const bool at_saved = *cost.resumed_at >= *cost.saved_at;
  if (!at_saved) words += fmt::format("; step {} had been saved", *cost.saved_at);
  return {"resumed", at_saved, words};
}

std::string failures(const std::vector<Check>& checks) {
  std::vector<std::string> words;
  for (const Check& check : checks) {
    if (check.passed && !*check.passed) words.push_back(check.words);
  }
  return text::join(words, "; ");
}

}  // namespace

std::string_view proof_name(Proof proof) {
  switch (proof) {
    case Proof::nothing_lost: return "NOTHING_LOST";
    case Proof::steps_lost: return "STEPS_LOST";
    case Proof::not_proven: break;
  }
  return "NOT_PROVEN";
}

void weigh(Drilled& drilled) {
  const Evidence& seen = drilled.evidence;
  drilled.checks = {holder_check(drilled), notice_check(seen), save_check(seen), exit_check(seen), health_check(seen), resume_check(drilled)};
  const std::string failed = failures(drilled.checks);
  const auto lost = seen.cost ? seen.cost->lost : std::nullopt;
  drilled.proof = Proof::not_proven;
  if (lost && *lost > 0) {
    drilled.proof = Proof::steps_lost;
    drilled.reason = fmt::format("{} step{} lost: step {} was reached, training resumed at step {}{}", *lost, *lost == 1 ? " was" : "s were",
                                 *seen.cost->last_step, *seen.cost->resumed_at, failed.empty() ? "" : "; " + failed);
  } else if (!failed.empty()) {
    drilled.reason = failed;
  } else if (!lost) {
    drilled.reason = "the log does not tell which step was reached and where training resumed (--step-regex, --resume-regex, --checkpoint-dir)";
  } else if (!seen.cost->every_step && !seen.cost->saved_at) {
    drilled.reason = "the log does not tell each step, and no checkpoint after the notice is known (--checkpoint-dir)";
  } else if (!seen.maintained) {
    drilled.reason = "the service showed no maintenance";
  } else {
    drilled.proof = Proof::nothing_lost;
    drilled.reason = fmt::format("step {} was reached, training resumed at step {}", *seen.cost->last_step, *seen.cost->resumed_at);
  }
}

}  // namespace tpuctl::launch
