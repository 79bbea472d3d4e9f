// SPDX-License-Identifier: Apache-2.0
// A job that its machines start themselves: who is in the attempt, and who was left behind.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "launch/job.hpp"
#include "launch/report.hpp"

namespace tpuctl::launch {

/// Maintenance of one slice ends the attempt on all, and reboots its own machines only. The others look around for that, and may
/// miss it.
class WatchMuster {
 public:
  WatchMuster(Clock& clock, std::string job, Say say) : clock_(clock), job_(std::move(job)), say_(std::move(say)) {}

  /// True when every worker is in attempt `number`, or in a newer one that has begun. Workers that know the job, answer, and stay
  /// behind the others for a while are started from here.
  bool complete(const Crew& crew, const std::vector<WorkerReport>& reports, int number);

 private:
  Clock& clock_;
  std::string job_;
  Say say_;
  std::optional<TimePoint> waiting_since_;  // since when some are in the attempt and others are not
};

}  // namespace tpuctl::launch
