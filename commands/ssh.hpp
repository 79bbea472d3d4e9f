// SPDX-License-Identifier: Apache-2.0
// ssh to workers, for tpu-vm and for queued-resources: rows and handlers.
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
inline constexpr auto kSshFlags = cli::join(kSessionFlags, std::array{kBatchSize}, kOwnSshFlags, kVmConnectionFlags);
inline constexpr auto kQueuedSshFlags = cli::join(kSessionFlags, kNodeBatch, kOwnSshFlags, kConnectionFlags);

inline constexpr cli::Positional kSshName[] = {{.name = "[USER@]TPU", .help = "Name of the TPU VM.", .source = Source::node}};
inline constexpr cli::Positional kQueuedSshName[] = {
    {.name = "[USER@]QUEUED_RESOURCE", .help = "Name of the queued resource.", .source = Source::queued_resource}};
inline constexpr cli::Example kSshExamples[] = {
    {"Open a shell on worker 0:", "tpuctl tpu-vm ssh my-tpu"},
    {"Run a command on every worker of a slice:", "tpuctl tpu-vm ssh my-tpu --worker=all --command='pip install jax[tpu]'"}};
inline constexpr cli::Example kQueuedSshExamples[] = {
    {"Run a command on every worker of every slice:",
     "tpuctl queued-resources ssh my-pair --node=all --worker=all --command=hostname"}};
inline constexpr std::string_view kSshAbout =
    "Uses the system's OpenSSH. The public key is put into the TPU VM's metadata once, and host keys that the service tells are "
    "checked. With several workers each line of output carries its worker in front, and the exit code is that of the earliest "
    "failure, whichever worker it was. With --command a standard input that is no terminal goes whole to every worker: in a loop that "
    "reads lines, write </dev/null. A key that has a passphrase must be held by ssh-agent where several workers would ask for it.";

int run_tpu_vm_ssh(cli::Frame& frame, const cli::Args& args);
int run_queued_ssh(cli::Frame& frame, const cli::Args& args);

}  // namespace tpuctl::commands
