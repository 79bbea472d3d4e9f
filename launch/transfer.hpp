// SPDX-License-Identifier: Apache-2.0
// Files to the workers.
#pragma once

#include <string>

#include "launch/job.hpp"

namespace tpuctl::launch {

/// Packs `local_dir` (without .git) and unpacks it on every worker in `remote_dir` below its home; skipped on workers that
/// have exactly this content already. Throws Error{failure} naming every worker that failed and why.
void upload_workdir(const Crew& crew, const std::string& local_dir, const std::string& remote_dir, const Say& say);

}  // namespace tpuctl::launch
