// SPDX-License-Identifier: Apache-2.0
// The verbs of `jobs`, and what they share.
#pragma once

#include <string>
#include <vector>

#include "commands/job_world.hpp"
#include "launch/startup.hpp"

namespace tpuctl::commands {

int run_jobs_run(cli::Frame& frame, const cli::Args& args);
int run_jobs_submit(cli::Frame& frame, const cli::Args& args);
int run_jobs_logs(cli::Frame& frame, const cli::Args& args);

/// "4 workers", "1 worker".
std::string counted(std::size_t count, std::string_view noun);

/// Follows the job to its end, says how it ended and returns its exit code. Waits for its machines first, when they are not
/// there yet. Throws Error of the kinds that the outcomes have.
int follow(Context& context, JobWorld& world, bool with_log);

// ---- what `run` and `submit` read from the command line (job_spec.cpp) ----

/// `-- ONE` is shell text, `-- A B` an argv.
std::string command_text(const std::vector<std::string>& rest);

/// Fills the record with command, framework and times, and warns of what the framework needs and the command does not say.
JobRecord new_job(Context& context, const std::string& name);

/// The job for its supervisors. `autocheckpoint` becomes ENABLE_AUTOCHECKPOINT of its processes; `workers`: how many there are, 0 when that is not known yet.
/// Throws Error{usage|failure} for variables and files that are not well-formed.
launch::JobSpec job_spec(const Context& context, const JobRecord& record, bool autocheckpoint, std::size_t workers);

/// The names of the variables that --secret-file sets.
std::vector<std::string> secret_names(const Context& context);

/// Throws Error{usage} unless it is gs://BUCKET[/FOLDER] in letters that need no quoting.
void check_bucket(const std::string& bucket);

}  // namespace tpuctl::commands
