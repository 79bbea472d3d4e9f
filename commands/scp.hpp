// SPDX-License-Identifier: Apache-2.0
// scp to and from workers, for tpu-vm and for queued-resources: rows and handlers.
#pragma once

#include "commands/files.hpp"
#include "commands/remote.hpp"

namespace tpuctl::commands {

inline constexpr Flag kOwnScpFlags[] = {
    {.name = "recurse", .help = "Copy folders with what is in them.", .kind = Kind::toggle},
    {.name = "compress", .help = "Compress on the way. To several workers files are always compressed.", .kind = Kind::toggle},
    {.name = "scp-flag", .help = "Further flag for scp; each worker then gets a copy of its own. %USER%, %INSTANCE% (address) and "
                                 "%INTERNAL% (internal address) are replaced.",
     .kind = Kind::repeated},
    kBucket,
};
inline constexpr auto kScpFlags = cli::join(kSessionFlags, std::array{kBatchSize}, kOwnScpFlags, kVmConnectionFlags);
inline constexpr auto kQueuedScpFlags = cli::join(kSessionFlags, kNodeBatch, kOwnScpFlags, kConnectionFlags);

inline constexpr cli::Positional kScpPaths[] = {
    {.name = "[[USER@]NAME:]PATH", .help = "Sources, then the destination; one side is remote.", .source = Source::file, .many = true}};
inline constexpr cli::Example kScpExamples[] = {
    {"Copy a folder to every worker:", "tpuctl tpu-vm scp --recurse src my-tpu: --worker=all"},
    {"Fetch a file from worker 1:", "tpuctl tpu-vm scp my-tpu:~/log.txt . --worker=1"},
    {"Fetch it from all workers, into logs/0, logs/1, and so on:", "tpuctl tpu-vm scp my-tpu:~/log.txt logs --worker=all"}};
inline constexpr std::string_view kScpAbout =
    "Uses the system's scp for one worker, and for downloads. To several workers the files leave this machine once: through the "
    "bucket when one is set, else to one worker, and on from worker to worker over their internal addresses. Workers that have the "
    "same files already are left alone, and a transfer that was cut goes on where it stopped.";

int run_tpu_vm_scp(cli::Frame& frame, const cli::Args& args);
int run_queued_scp(cli::Frame& frame, const cli::Args& args);

}  // namespace tpuctl::commands
