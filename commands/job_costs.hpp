// SPDX-License-Identifier: Apache-2.0
// What interruptions cost a job, as `jobs describe`, `jobs list` and `jobs drill` print it.
#pragma once

#include <vector>

#include "commands/job_world.hpp"
#include "launch/checkpoints.hpp"

namespace tpuctl::commands {

/// What is not known has no member.
Json interruption_view(const launch::Interruption& row);

/// Whether the job's checkpoints lie in Cloud Storage, where its workers cannot list them.
inline bool is_in_bucket(const JobRecord& record) { return record.checkpoint_dir.starts_with("gs://"); }
/// Those that are committed. Trouble with the bucket is warned of, and then there are none.
std::vector<launch::Checkpoint> bucket_checkpoints(Context& context, const JobRecord& record);

}  // namespace tpuctl::commands
