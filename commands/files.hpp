// SPDX-License-Identifier: Apache-2.0
// Files to many workers, for scp and for jobs: which carriers this command line has, and what is said meanwhile.
#pragma once

#include <string>

#include "cli/command.hpp"
#include "commands/context.hpp"
#include "commands/node_flags.hpp"
#include "launch/transfer.hpp"

namespace tpuctl::commands {

/// The property jobs/bucket reads it.
inline constexpr Flag kBucket = {
    .name = "bucket", .help = "Cloud Storage bucket, or folder in one, through which files go to many workers; default: the property jobs/bucket.",
    .value = "BUCKET"};

/// Packs a folder without what its ignore files name, and makes `place` on every worker its copy. Throws Error{failure} naming
/// what could not be read, Error{failure|no_connection} naming every worker that failed and why.
void send_workdir(Context& context, const launch::Crew& crew, const std::string& folder, const std::string& place);

/// scp's upload to several workers. Says which workers failed; returns 0, 255 when one could not be reached, else 1.
int send_sources(Context& context, const launch::Crew& crew, const std::vector<std::string>& sources, const std::string& place);

}  // namespace tpuctl::commands
