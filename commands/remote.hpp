// SPDX-License-Identifier: Apache-2.0
// What every command that talks to workers shares: flags, preparation, running on one or many.
#pragma once

#include <string>
#include <vector>

#include "cli/command.hpp"
#include "commands/context.hpp"
#include "commands/node_flags.hpp"
#include "launch/fanout.hpp"
#include "launch/ssh.hpp"
#include "launch/workers.hpp"

namespace tpuctl::commands {

/// Flags that decide how workers are reached; shared by ssh, scp and jobs.
inline constexpr Flag kConnectionFlags[] = {
    {.name = "internal-ip", .help = "Connect to the internal IP addresses.", .kind = Kind::toggle},
    {.name = "tunnel-through-iap",
     .help = "Connect through Identity-Aware Proxy, which needs no external address on the worker. A firewall rule must let "
             "35.235.240.0/20 in.",
     .kind = Kind::toggle},
    {.name = "ssh-key-file", .help = "Private key; default: the property ssh/key_file, else ~/.ssh/google_compute_engine.",
     .source = Source::file},
    {.name = "strict-host-key-checking",
     .help = "Override how host keys are checked; default: yes when the service tells the key, else as gcloud does.",
     .kind = Kind::choice, .choices = "yes,no,ask"},
    {.name = "force-key-file-overwrite", .help = "Make a new key pair when only half of one is there.", .kind = Kind::toggle},
    {.name = "ssh-key-expiration", .help = "With OS Login: when the key ends to be good.", .kind = Kind::timestamp},
    {.name = "ssh-key-expire-after", .help = "With OS Login: how long the key stays good.", .kind = Kind::duration},
    {.name = "worker-timeout", .help = "Time limit for each worker.", .kind = Kind::duration},
};
inline constexpr cli::Rule kRouteRules[] = {{.alternatives = {"internal-ip", "tunnel-through-iap"}}};
/// Flags of ssh and scp alone.
inline constexpr Flag kSessionFlags[] = {
    kZone,
    {.name = "worker", .help = "Workers to connect to: a number, a list like 0,2-5, or all.", .fallback = "0"},
    {.name = "plain", .help = "Plain ssh: no key handling, no options of ours.", .kind = Kind::toggle},
    {.name = "dry-run", .help = "Print the commands, to be pasted into a shell, and run nothing.", .kind = Kind::toggle},
    {.name = "fail-fast", .help = "End the others as soon as one worker fails.", .kind = Kind::toggle},
};
inline constexpr Flag kBatchSize = {.name = "batch-size", .help = "How many workers are connected to at once.", .value = "N|all",
                                    .fallback = "all"};
inline constexpr Flag kNodeChoice = {.name = "node", .help = "Nodes of the queued resource: a number, a list like 0,2-5, or all.",
                                     .fallback = "0"};
/// Of the commands over a queued resource: some of its nodes, 64 workers at a time.
inline constexpr auto kNodeBatch = std::array{with_fallback(kBatchSize, "64"), kNodeChoice};
// gcloud has it for queued resources in both tracks.
inline constexpr auto kVmConnectionFlags = alpha_only(kConnectionFlags, "tunnel-through-iap");

launch::Warn warner(const Context& context);  ///< "WARNING: ..." on stderr
launch::Warn teller(const Context& context);  ///< the line on stderr

/// "bob@name" -> {"bob", "name"}; without an @ the user is empty.
std::pair<std::string, std::string> split_user(const std::string& text);

/// How this command line reaches workers: user, key, known hosts, port, shared connections. `user` may be empty; `program` is
/// "ssh" or "scp". Throws Error{failure} when it is not on PATH.
launch::SshSettings ssh_settings(const Context& context, const std::string& user, const std::string& program = "ssh");

/// Spreads the key and pins the host keys, so that ssh to the workers works; with --tunnel-through-iap each worker gets its way
/// through the relay. With OS Login the key goes to the account, and
/// `settings.user` becomes the account's user name.
void prepare_workers(Context& context, api::Client& client, std::vector<launch::Slice>& slices, launch::SshSettings& settings);

/// The node, or the chosen nodes of the queued resource, with the chosen workers, for ssh and scp. `single` says that one
/// worker only may be meant (a shell, a download): Error{usage} before anything is sent otherwise.
std::vector<launch::Slice> session_slices(Context& context, const std::string& name, bool queued_resource, const std::string& single);

/// The worker's host key is, or will be, in the known-hosts file.
bool is_checked(const launch::SshSettings& settings, const launch::Worker& worker, bool dry_run);

/// --ssh-flag or --scp-flag: placeholders filled in, then split at blanks as gcloud does.
std::vector<std::string> extra_flags(const std::vector<std::string>& flags, const launch::Worker& worker, const launch::SshSettings& settings);

/// Time limit and parallelism of this command line.
launch::FanoutOptions fanout_options(const Context& context);

/// Throws Error{failure} before anybody is connected to, when ssh would have to ask for the key's passphrase and nobody can answer,
/// or many would ask at once. Decides whether ssh may ask at all (`settings.asks`).
void settle_questions(const Context& context, launch::SshSettings& settings, std::size_t workers);

/// Runs a task per worker: one worker without an output directory in the foreground, with the terminal; several in parallel with
/// prefixed lines, log files in --output-directory, stdin (no terminal) given whole to each. With --dry-run the command lines are
/// printed instead. Returns the exit code of the earliest failure. A signal, a time limit and --fail-fast end a command on the
/// workers too.
int run_sessions(Context& context, const launch::SshSettings& settings, const std::vector<launch::Worker>& workers,
                 std::vector<launch::Task> tasks, const std::string& word);

}  // namespace tpuctl::commands
