// SPDX-License-Identifier: Apache-2.0
// jobs drill: rehearsed maintenance, and the proof that nothing was lost.
#pragma once

#include <array>

#include "commands/job_world.hpp"

namespace tpuctl::commands {

int run_jobs_drill(cli::Frame& frame, const cli::Args& args);

inline constexpr Flag kDrillOnlyFlags[] = {
    {.name = "slice", .help = "TPU VM that is maintained; default: the job's first.", .source = Source::node},
    {.name = "worker", .help = "Its worker whose host is maintained.", .kind = Kind::integer, .fallback = "0", .least = 0},
    {.name = "timeout", .help = "Time for the whole drill; then what is known is judged.", .kind = Kind::duration, .fallback = "30m"},
    kDryRun};
inline constexpr auto kDrillFlags = cli::join(kTargetFlags, kDrillOnlyFlags, kProgressFlags, kConnectionFlags);
inline constexpr cli::Example kDrillExamples[] = {
    {"In CI, on the emulator or on the cloud; exit code 0 only when nothing was lost:",
     "tpuctl jobs drill my-run --slice=my-slice-1 --checkpoint-dir=gs://my-bucket/run --quiet --format=json"}};

}  // namespace tpuctl::commands
