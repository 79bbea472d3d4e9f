// SPDX-License-Identifier: Apache-2.0
// How a job ended, never from the exit code alone: MaxText exits 0 and Pax exits 1 after the same successful save.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "launch/report.hpp"

namespace tpuctl::launch {

enum class Outcome {
  running,
  ending,      ///< a worker has ended or a notice has come; the others have not ended yet
  finished,    ///< every worker ended with 0 and nothing had been announced
  failed,      ///< a worker ended otherwise, and nothing had been announced before
  maintained,  ///< the first cause was a maintenance notice
  preempted,   ///< the first cause was a preemption
  stopped,     ///< somebody asked for it
  stuck,       ///< it runs, but no worker has logged anything for too long
  lost,        ///< a worker was gone or rebooted without any word
  unknown,     ///< no worker has a job of this name
};

std::string_view outcome_name(Outcome outcome);

struct Verdict {
  Outcome outcome = Outcome::unknown;
  Outcome cause = Outcome::unknown;  ///< the first cause in time, also while it is `ending`
  bool out_of_reach = false;         ///< it rests on nothing but a worker that did not answer
  int attempt = 0;
  int exit_code = 0;       ///< of the earliest failure, when `failed`
  std::string worker;      ///< label of the worker that decided
  std::string no_room;     ///< when it failed for want of room on a disk: the folder, or "-" when only its log says so
  std::string evidence;    ///< what the verdict rests on, for people
  double notice_time = 0;  ///< of the first notice of this attempt; 0: none
  double end_time = 0;     ///< of the last worker that ended; 0: none
};

/// What the control plane says about a slice while its job is judged.
struct SliceState {
  std::string node;
  std::string state;   ///< READY, PREEMPTED, ...; empty: the node is gone
  std::string health;  ///< UNHEALTHY_MAINTENANCE, ...
  bool maintenance_pending = false;  ///< it has begun, or is about to: not that of a window days away

  /// READY, healthy, and nothing announced: it explains no silence.
  bool quiet() const { return state == "READY" && (health.empty() || health == "HEALTHY") && !maintenance_pending; }
};

/// Seconds after a notice, a preemption or a lost worker within which the failures of others are its consequence.
inline constexpr double kCollateralSeconds = 300;
/// Seconds of silence after a preemption's notice that are taken for its end: it comes 30 s after the notice, and a look may just have failed.
inline constexpr double kTakenSilence = 15;

/// The verdict `stuck` in the place of `running` when every worker runs and none has written to its log for `limit` seconds.
Verdict judge_silence(const std::vector<WorkerReport>& reports, Verdict verdict, double limit);

/// Judges the newest attempt. The first cause in time decides; one worker's mark counts for the whole job. Reports of
/// workers that were not reached say nothing by themselves: with a slice under maintenance they are expected, else the job
/// is running until `lost_after` seconds of `silence` have passed.
Verdict judge(const std::vector<WorkerReport>& reports, const std::vector<SliceState>& slices, double silence = 0,
              double lost_after = 120);

}  // namespace tpuctl::launch
