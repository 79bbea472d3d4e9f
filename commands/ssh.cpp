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

// "[[USER@]NAME:]PATH"
struct ScpPath {
  std::string user, name, path;
  bool remote() const { return !name.empty(); }
};

ScpPath parse_scp_path(const std::string& text) {
  const auto colon = text.find(':');
  const auto slash = text.find('/');
  if (colon == std::string::npos || colon == 0 || slash < colon) return {"", "", text};  // ./a:b is a local file
  const auto [user, name] = split_user(text.substr(0, colon));
  return {user, name, text.substr(colon + 1)};
}

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
    std::vector<launch::Task> tasks;
    for (const launch::Worker& worker : workers) {
      launch::SshSettings own = settings;
      own.extra = extra_flags(args.list("ssh-flag"), worker, settings);
      tasks.push_back({launch::ssh_argv(own, worker, command, args.rest(), is_checked(settings, worker, dry_run)), "", false});
    }
    return run_sessions(context, workers, std::move(tasks), "SSH");
  });
}

// Sources and destination; exactly one side is remote, and local sources exist: told before anything is sent.
std::vector<ScpPath> scp_paths(const Args& args) {
  std::vector<ScpPath> paths;
  for (const auto& text : args.positionals("[[USER@]NAME:]PATH")) paths.push_back(parse_scp_path(text));
  if (paths.size() < 2) throw Error(tpuctl::Kind::usage, "argument DESTINATION: Must be specified.", "Name the sources, then the destination.");
  const bool upload = paths.back().remote();
  const std::string name = upload ? paths.back().name : paths.front().name;
  for (std::size_t i = 0; i + 1 < paths.size(); ++i) {
    if (paths[i].remote() == upload) {
      throw Error(tpuctl::Kind::usage, upload ? "Sources must be local when the destination is remote."
                                              : "One side must be remote: NAME:PATH.");
    }
    if (!upload && paths[i].name != name) throw Error(tpuctl::Kind::usage, "All sources must be on the same TPU VM.");
    if (upload && !args.on("dry-run") && !file::exists(paths[i].path)) {
      throw Error(tpuctl::Kind::failure, "There is no file or folder [" + paths[i].path + "].");
    }
  }
  return paths;
}

int scp(Frame& frame, const Args& args, bool queued_resource) {
  Context context(frame, args);
  return with_credential_words(context, [&] {
    const auto paths = scp_paths(args);
    const bool upload = paths.back().remote();
    const ScpPath& remote = upload ? paths.back() : paths.front();
    const bool dry_run = args.on("dry-run");
    launch::SshSettings settings = ssh_settings(context, remote.user, "scp");
    auto slices = session_slices(context, remote.name, queued_resource,
                                 upload ? "" : "Files can be fetched from one worker at a time.");
    prepare_workers(context, context.tpu(), slices, settings);
    const auto workers = launch::all_workers(slices);
    std::vector<std::string> modes;
    if (args.on("recurse")) modes.emplace_back("-r");
    if (args.on("compress")) modes.emplace_back("-C");
    std::vector<std::string> words;
    for (const ScpPath& path : paths) words.push_back(path.remote() ? ":" + path.path : path.path);
    std::vector<launch::Task> tasks;
    for (const launch::Worker& worker : workers) {
      launch::SshSettings own = settings;
      own.extra = extra_flags(args.list("scp-flag"), worker, settings);
      tasks.push_back({launch::scp_argv(own, worker, modes, words, is_checked(settings, worker, dry_run)), "", false});
    }
    return run_sessions(context, workers, std::move(tasks), "SCP");
  });
}

}  // namespace

int run_tpu_vm_ssh(Frame& frame, const Args& args) { return ssh(frame, args, "[USER@]TPU", false); }
int run_queued_ssh(Frame& frame, const Args& args) { return ssh(frame, args, "[USER@]QUEUED_RESOURCE", true); }
int run_tpu_vm_scp(Frame& frame, const Args& args) { return scp(frame, args, false); }
int run_queued_scp(Frame& frame, const Args& args) { return scp(frame, args, true); }

}  // namespace tpuctl::commands
