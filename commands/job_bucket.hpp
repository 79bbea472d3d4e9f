// SPDX-License-Identifier: Apache-2.0
// What a job's supervisors have left in its bucket: the log in pieces named after the byte they begin at, and the last status.
#pragma once

#include <string>
#include <vector>

#include "api/storage.hpp"
#include "commands/job_world.hpp"

namespace tpuctl::commands {

struct KeptWorker {
  launch::WorkerReport report;             ///< as of report.now
  std::vector<api::StoredObject> pieces;   ///< of the log, in order
  std::string label() const { return report.worker.label(); }
};

/// By slice and worker. Throws Error{not_found} when the bucket has nothing of the job.
std::vector<KeptWorker> kept_workers(Context& context, const JobRecord& record);

/// The log of a worker, whole or from the pieces that were written since.
std::string kept_log(Context& context, const KeptWorker& worker, std::optional<TimePoint> since);

}  // namespace tpuctl::commands
