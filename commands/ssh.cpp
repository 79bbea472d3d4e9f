// SPDX-License-Identifier: Apache-2.0
#include "commands/ssh.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/text.hpp"

namespace tpuctl::commands {

namespace {

using cli::Args;
using cli::Frame;

int ssh(Frame& frame, const Args& args, const std::string& positional, bool queued_resource) {
  Context context(frame, args);
  return with_credential_words(context, [&] {
    const auto [user, name] = split_user(args.positional(positional));
    const std::string command = args.text("command");
    const std::string directory = args.text("output-directory");
    if (!directory.empty() && command.empty()) throw Error(tpuctl::Kind::usage, "--output-directory needs --command.");
    if (!directory.empty() && !file::is_dir(directory)) {
      throw Error(tpuctl::Kind::failure, "The output directory [" + directory + "] does not exist.");
    }
    const bool dry_run = args.on("dry-run");
    launch::SshSettings settings = ssh_settings(context, user);
    auto slices = session_slices(context, name, queued_resource,
                                 command.empty() ? "More than one worker needs --command." : "");
    prepare_workers(context, context.tpu(), slices, settings);
    const auto workers = launch::all_workers(slices);
    if (!dry_run) settle_questions(context, settings, workers.size());
    std::vector<launch::Task> tasks;
    for (const launch::Worker& worker : workers) {
      launch::SshSettings own = settings;
      own.extra = extra_flags(args.list("ssh-flag"), worker, settings);
      tasks.push_back({launch::ssh_argv(own, worker, command, args.rest(), is_checked(settings, worker, dry_run)), "", false});
    }
    return run_sessions(context, settings, workers, std::move(tasks), "SSH");
  });
}

}  // namespace

int run_tpu_vm_ssh(Frame& frame, const Args& args) { return ssh(frame, args, "[USER@]TPU", false); }
int run_queued_ssh(Frame& frame, const Args& args) { return ssh(frame, args, "[USER@]QUEUED_RESOURCE", true); }

}  // namespace tpuctl::commands
