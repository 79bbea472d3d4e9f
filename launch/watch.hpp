// SPDX-License-Identifier: Apache-2.0
// Following a job to its end, and starting it again after what was not its fault.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "launch/job.hpp"
#include "launch/outcome.hpp"

namespace tpuctl::launch {

struct WatchOptions {
  bool restart = false;      ///< --watch
  int max_failures = 0;      ///< restarts after failures of the job itself
  int max_preemptions = 100;
  Duration grace = std::chrono::seconds(300);  ///< for the others after a notice, before they are killed
  std::optional<Duration> timeout;             ///< of the whole watch
  bool follow_log = false;                     ///< print the leader's log on the way
};

/// The cloud and the people, as a watch needs them.
struct WatchWorld {
  api::Client& client;
  Clock& clock;
  std::function<std::vector<Slice>()> find_slices;  ///< reads nodes and workers anew
  std::function<Crew(const std::vector<Slice>&)> crew_of;
  Say say;                                          ///< a line for people
  std::function<void(std::string_view)> log;        ///< bytes of the leader's log
};

/// Follows until the job has ended for good: finished, failed beyond its budget, stopped, preempted or lost; maintained only
/// when restart is off. The verdict is of the last attempt. Throws Error{wait} at the time limit (the job goes on).
Verdict watch_job(WatchWorld& world, const std::string& job, const WatchOptions& options);

/// What the control plane says about the slices now.
std::vector<SliceState> slice_states(api::Client& client, const std::vector<api::Name>& names);

}  // namespace tpuctl::launch
