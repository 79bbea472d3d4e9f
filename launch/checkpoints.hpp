// SPDX-License-Identifier: Apache-2.0
// What an interruption cost: steps, from the job's own log and its checkpoints.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "launch/report.hpp"

namespace tpuctl::launch {

/// A step the log tells, with the byte it stands at.
struct Mark {
  long at = 0;
  long step = 0;
};

/// A committed checkpoint.
struct Checkpoint {
  long step = 0;
  double time = 0;  ///< of its last change, seconds since the epoch
};

/// The progress of one worker, as verb_steps tells it.
struct Progress {
  std::vector<Mark> steps;    ///< may include lines that are also resume or saved lines; those do not count as steps
  std::vector<Mark> resumes;
  std::vector<Mark> saves;
  std::vector<Checkpoint> checkpoints;
};

void read_progress_line(Progress& progress, std::string_view line);

/// The last step that the worker's log tells of an attempt.
std::optional<long> last_step(const WorkerReport& report, const Progress& progress, int attempt);

/// One interruption of a job: the end of an attempt that was followed, or announced, by something other than the end of the
/// work. What could not be found out is absent; absent is not zero.
struct Interruption {
  int attempt = 0;
  std::string source;                    ///< "maintenance-event", "preempted", or "" without a notice
  std::optional<long> last_regular;      ///< newest checkpoint committed before the notice
  std::optional<long> step_at_notice;    ///< last step in the log when the notice came
  std::optional<long> last_step;         ///< last step of the attempt that every worker whose log tells steps had done
  std::optional<long> saved_at;          ///< newest checkpoint of the attempt committed, or told of by the log, after the notice
  std::optional<long> resumed_at;        ///< where the next attempt began
  std::optional<long> lost;              ///< last_step - resumed_at
  std::optional<double> seconds_to_exit; ///< from the notice to the end of the last worker that wrote its end down
  bool every_step = false;               ///< the attempt's log tells each step, so that `lost` misses none
};

/// `progress` belongs to `reports` by position. Attempts without a notice count when a later attempt exists.
std::vector<Interruption> interruptions(const std::vector<WorkerReport>& reports, const std::vector<Progress>& progress);

}  // namespace tpuctl::launch
