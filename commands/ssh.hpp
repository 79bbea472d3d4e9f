// SPDX-License-Identifier: Apache-2.0
// ssh to workers: the flags, and what every command that talks to workers prepares first.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/command.hpp"
#include "commands/context.hpp"
#include "commands/node_flags.hpp"
#include "launch/job.hpp"

namespace tpuctl::commands {

/// Flags that decide how workers are reached; shared by ssh and jobs.
inline constexpr Flag kConnectionFlags[] = {
    {.name = "internal-ip", .help = "Connect to the internal IP addresses.", .kind = Kind::toggle},
    {.name = "ssh-key-file", .help = "Private key; default: the property ssh/key_file, else ~/.ssh/google_compute_engine.",
     .source = Source::file},
    {.name = "strict-host-key-checking",
     .help = "Override how host keys are checked; default: yes when the service tells the key, else as gcloud does.",
     .kind = Kind::choice, .choices = "yes,no,ask"},
    {.name = "ssh-flag", .help = "Further flag for ssh. %USER%, %INSTANCE% (address) and %INTERNAL% (internal address) are replaced.",
     .kind = Kind::repeated},
    {.name = "worker-timeout", .help = "Time limit for each worker.", .kind = Kind::duration},
};
inline constexpr Flag kOwnSshFlags[] = {
    kZone,
    {.name = "worker", .help = "Workers to connect to: a number, a list like 0,2-5, or all.", .fallback = "0"},
    {.name = "command", .help = "Command to run instead of opening a shell; needed for more than one worker."},
    {.name = "plain", .help = "Plain ssh: no key handling, no options of ours.", .kind = Kind::toggle},
    {.name = "dry-run", .help = "Print the ssh command, to be pasted into a shell, and run nothing.", .kind = Kind::toggle},
    {.name = "batch-size", .help = "How many workers are connected to at once.", .value = "N|all", .fallback = "all"},
    {.name = "output-directory", .help = "Write each worker's output to DIRECTORY/WORKER.log as well; needs --command.",
     .value = "DIRECTORY", .source = Source::directory},
};
inline constexpr auto kSshFlags = cli::join(kOwnSshFlags, kConnectionFlags);
inline constexpr cli::Positional kSshName[] = {{.name = "[USER@]TPU", .help = "Name of the TPU VM.", .source = Source::node}};
inline constexpr cli::Example kSshExamples[] = {
    {"Open a shell on worker 0:", "tpuctl tpu-vm ssh my-tpu"},
    {"Run a command on every worker of a slice:", "tpuctl tpu-vm ssh my-tpu --worker=all --command='pip install jax[tpu]'"}};
inline constexpr std::string_view kSshAbout =
    "Uses the system's OpenSSH. The public key is put into the TPU VM's metadata once, and host keys that the service tells are "
    "checked. With several workers each line of output carries its worker in front, and the exit code is that of the earliest "
    "failure, whichever worker it was.";

int run_tpu_vm_ssh(cli::Frame& frame, const cli::Args& args);

/// How this command line reaches workers: user, key, known hosts, port, shared connections.
/// `user` is what stood before an @, or empty.
launch::SshSettings ssh_settings(Context& context, const std::string& user);

/// Spreads the key and pins the host keys, so that ssh to the workers works. Throws Error{failure} when ssh is missing or the
/// TPU VM uses OS Login, which is not handled yet.
void prepare_workers(Context& context, api::Client& client, std::vector<launch::Slice>& slices,
                     const launch::SshSettings& settings);

launch::FanoutOptions fanout_options(const Context& context);

}  // namespace tpuctl::commands
