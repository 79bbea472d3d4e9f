// SPDX-License-Identifier: Apache-2.0
// Following a job to its end, and starting it again after what was not its fault.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "launch/job.hpp"
#include "launch/machines.hpp"
#include "launch/outcome.hpp"

namespace tpuctl::launch {

struct WatchOptions {
  bool restart = false;      ///< --watch
  int max_failures = 0;      ///< restarts after failures of the job itself, also when it was lost or stuck
  int max_preemptions = 100;
  Duration grace = std::chrono::seconds(300);  ///< for the others after a notice, before they are killed
  std::optional<Duration> timeout;             ///< of the whole watch
  std::optional<Duration> stuck_after;         ///< silence of all logs that counts as stuck; absent: none does
  Duration lost_after = std::chrono::seconds(120);  ///< silence of workers that nothing explains; kOutagePatience times as long when Cloud TPU is silent, too
  bool follow_log = false;                     ///< print the leader's log on the way
  bool expected = false;                       ///< a boot has still to start it: it may be unknown for a while
};

/// The cloud and the people, as a watch needs them.
struct WatchWorld {
  api::Client& client;
  Clock& clock;
  std::function<std::vector<Slice>()> find_slices;  ///< reads nodes and workers anew
  std::function<Crew(const std::vector<Slice>&)> crew_of;
  Say say;                                          ///< a line for people
  Say warn;                                         ///< the same, of what should be put right
  std::function<void(std::string_view)> log;        ///< bytes of the leader's log
  std::optional<api::Name> queued_resource{};       ///< what the nodes belong to; made anew when it was suspended
  std::optional<JobSpec> spec{};                    ///< the job, for machines that do not know it
  std::function<void(const Crew&)> deliver{};       ///< brings the job's folder to machines that do not have it
};

/// Follows until the job has ended for good: finished, failed beyond its budget, stopped, stuck, preempted or lost; maintained
/// only when restart is off and no boot starts it again. The verdict is of the last attempt. Throws Error{wait} at the time
/// limit and Error{no_connection} when neither the service nor a worker has answered for too long (the job goes on).
Verdict watch_job(WatchWorld& world, const std::string& job, const WatchOptions& options);

}  // namespace tpuctl::launch
