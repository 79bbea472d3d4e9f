// SPDX-License-Identifier: Apache-2.0
// ssh and scp to workers, for tpu-vm and for queued-resources: rows and handlers.
#pragma once

#include "commands/remote.hpp"

namespace tpuctl::commands {

inline constexpr Flag kOwnSshFlags[] = {
    {.name = "command", .help = "Command to run instead of opening a shell; needed for more than one worker."},
    {.name = "ssh-flag", .help = "Further flag for ssh. %USER%, %INSTANCE% (address) and %INTERNAL% (internal address) are replaced.",
     .kind = Kind::repeated},
    {.name = "output-directory", .help = "Write each worker's output to DIRECTORY/WORKER.log, in a folder that exists; needs --command.",
     .value = "DIRECTORY", .source = Source::directory},
};
inline constexpr Flag kOwnScpFlags[] = {
    {.name = "recurse", .help = "Copy folders with what is in them.", .kind = Kind::toggle},
    {.name = "compress", .help = "Compress on the way.", .kind = Kind::toggle},
    {.name = "scp-flag", .help = "Further flag for scp.", .kind = Kind::repeated},
};
inline constexpr auto kSshFlags = cli::join(kSessionFlags, std::array{kBatchSize}, kOwnSshFlags, kConnectionFlags);
inline constexpr auto kScpFlags = cli::join(kSessionFlags, std::array{kBatchSize}, kOwnScpFlags, kConnectionFlags);
inline constexpr auto kNodeBatch = std::array{with_fallback(kBatchSize, "64"), kNodeChoice};
inline constexpr auto kQueuedSshFlags = cli::join(kSessionFlags, kNodeBatch, kOwnSshFlags, kConnectionFlags);
inline constexpr auto kQueuedScpFlags = cli::join(kSessionFlags, kNodeBatch, kOwnScpFlags, kConnectionFlags);

inline constexpr cli::Positional kSshName[] = {{.name = "[USER@]TPU", .help = "Name of the TPU VM.", .source = Source::node}};
inline constexpr cli::Positional kQueuedSshName[] = {
    {.name = "[USER@]QUEUED_RESOURCE", .help = "Name of the queued resource.", .source = Source::queued_resource}};
inline constexpr cli::Positional kScpPaths[] = {
    {.name = "[[USER@]NAME:]PATH", .help = "Sources, then the destination; one side is remote.", .source = Source::file, .many = true}};
inline constexpr cli::Example kSshExamples[] = {
    {"Open a shell on worker 0:", "tpuctl tpu-vm ssh my-tpu"},
    {"Run a command on every worker of a slice:", "tpuctl tpu-vm ssh my-tpu --worker=all --command='pip install jax[tpu]'"}};
inline constexpr cli::Example kQueuedSshExamples[] = {
    {"Run a command on every worker of every slice:",
     "tpuctl queued-resources ssh my-pair --node=all --worker=all --command=hostname"}};
inline constexpr cli::Example kScpExamples[] = {
    {"Copy a folder to every worker:", "tpuctl tpu-vm scp --recurse src my-tpu: --worker=all"},
    {"Fetch a file from worker 1:", "tpuctl tpu-vm scp my-tpu:~/log.txt . --worker=1"}};
inline constexpr std::string_view kSshAbout =
    "Uses the system's OpenSSH. The public key is put into the TPU VM's metadata once, and host keys that the service tells are "
    "checked. With several workers each line of output carries its worker in front, and the exit code is that of the earliest "
    "failure, whichever worker it was.";

int run_tpu_vm_ssh(cli::Frame& frame, const cli::Args& args);
int run_queued_ssh(cli::Frame& frame, const cli::Args& args);
int run_tpu_vm_scp(cli::Frame& frame, const cli::Args& args);
int run_queued_scp(cli::Frame& frame, const cli::Args& args);

}  // namespace tpuctl::commands
