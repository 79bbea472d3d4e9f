// SPDX-License-Identifier: Apache-2.0
// The rows that several verbs of `jobs` share.
#pragma once

#include "commands/job_world.hpp"
#include "commands/remote.hpp"

namespace tpuctl::commands {

inline constexpr cli::Positional kJob[] = {{.name = "JOB", .help = "Name of the job.", .source = Source::job}};

/// What the job is: for `run` and `submit`.
inline constexpr Flag kJobFlags[] = {
    {.name = "workdir", .help = "Local folder to copy to every worker; the command starts in the copy.", .source = Source::directory},
    {.name = "env", .help = "Variables for the command, separated by commas.", .kind = Kind::map, .value = "NAME=VALUE"},
    {.name = "env-file", .help = "File with lines NAME=VALUE: variables for the command.", .source = Source::file},
    {.name = "max-failures", .help = "How often a failed job is started again.", .kind = Kind::integer, .fallback = "0", .least = 0},
    {.name = "max-preemptions", .help = "How often a preempted job is started again. Maintenance is not counted.",
     .kind = Kind::integer, .fallback = "100", .least = 0},
    {.name = "bucket", .help = "Where every worker copies its log and status to once a minute, as the VM's service account.",
     .value = "gs://BUCKET[/FOLDER]"},
    {.name = "delete-on", .help = "Delete the machines when the job has ended so; never after a preemption or maintenance.",
     .kind = Kind::choice, .choices = "success,failure,always,never", .fallback = "never"}};

inline constexpr Flag kGrace = {.name = "grace", .help = "Time from SIGTERM to SIGKILL for processes that do not end by themselves.",
                                .kind = Kind::duration, .fallback = "300s"};
inline constexpr Flag kStuckAfter = {.name = "stuck-after",
                                     .help = "Call the job stuck when no worker has logged anything for so long; it is only told of, unless --watch "
                                             "may start it again.",
                                     .kind = Kind::duration};
inline constexpr Flag kLostAfter = {.name = "lost-after",
                                    .help = "How long workers may be out of reach, with nothing to explain it, before the job counts as lost; ten times as "
                                            "long while Cloud TPU does not answer either.",
                                    .kind = Kind::duration, .fallback = "120s"};
inline constexpr Flag kWatch = {
    .name = "watch", .help = "Start the job again, on all slices, after maintenance and preemption; failures as often as --max-failures says. A "
                             "suspended queued resource is made anew.",
    .kind = Kind::toggle};
/// How a job is followed: for `run` and `attach`.
inline constexpr Flag kFollowFlags[] = {kWatch, kGrace, kStuckAfter, kLostAfter, kTimeout};
/// The two budgets without the rest of kJobFlags, for `attach`.
inline constexpr Flag kBudgetFlags[] = {kJobFlags[3], kJobFlags[4]};

inline constexpr cli::Rule kOneTarget[] = {{.alternatives = {"tpu", "queued-resource", "prefix"}}};

}  // namespace tpuctl::commands
