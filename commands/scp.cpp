// SPDX-License-Identifier: Apache-2.0
#include "commands/scp.hpp"

#include <cstdint>
#include <filesystem>

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

bool looks_remote(const std::string& text) {
  const auto colon = text.find(':');
  return colon != std::string::npos && colon != 0 && text.find('/') > colon;
}

// A source that is there as it is spelled is a local file, whatever colons it has.
ScpPath parse_scp_path(const std::string& text, bool source) {
  if (!looks_remote(text) || (source && file::exists(text))) return {"", "", text};
  const auto colon = text.find(':');
  const auto [user, name] = split_user(text.substr(0, colon));
  return {user, name, text.substr(colon + 1)};
}

void check_source(const ScpPath& source, bool recurse) {
  if (!file::exists(source.path)) throw Error(tpuctl::Kind::failure, "There is no file or folder [" + source.path + "].");
  if (!recurse && file::is_dir(source.path)) {
    throw Error(tpuctl::Kind::usage, "[" + source.path + "] is a folder.", "To copy it with what is in it: --recurse");
  }
}

// Sources and destination; exactly one side is remote, and local sources can be copied: told before anything is sent.
std::vector<ScpPath> scp_paths(const Args& args) {
  const auto& texts = args.positionals("[[USER@]NAME:]PATH");
  std::vector<ScpPath> paths;
  for (const auto& text : texts) paths.push_back(parse_scp_path(text, paths.size() + 1 < texts.size()));
  if (paths.size() < 2) throw Error(tpuctl::Kind::usage, "argument DESTINATION: Must be specified.", "Name the sources, then the destination.");
  const bool upload = paths.back().remote();
  for (std::size_t i = 0; i + 1 < paths.size(); ++i) {
    if (paths[i].remote() == upload) {
      throw Error(tpuctl::Kind::usage, upload ? "Sources must be local when the destination is remote."
                                              : "One side must be remote: NAME:PATH.");
    }
    if (!upload && (paths[i].name != paths[0].name || paths[i].user != paths[0].user)) {
      throw Error(tpuctl::Kind::usage, "All sources must be on the same TPU VM, and of the same user.");
    }
    if (upload && !args.on("dry-run")) check_source(paths[i], args.on("recurse"));
  }
  return paths;
}

// scp's own words: remote paths marked by a colon in front, local ones so that scp cannot take them for anything else.
std::string scp_word(const ScpPath& path) {
  if (path.remote()) return ":" + path.path;
  return looks_remote(path.path) || path.path.starts_with('-') ? "./" + path.path : path.path;
}

// What a worker's files go into when several are asked: a folder of its own, named as its log file would be.
std::string own_folder(const std::string& destination, const launch::Worker& worker, bool several_nodes) {
  return file::join(destination, (several_nodes ? worker.node + "-" : "") + std::to_string(worker.index));
}

int run_scp(Context& context, const std::vector<ScpPath>& paths, const std::vector<launch::Worker>& workers,
            const launch::SshSettings& settings) {
  const Args& args = context.args;
  const bool dry_run = args.on("dry-run");
  std::vector<std::string> modes, words;
  if (args.on("recurse")) modes.emplace_back("-r");
  if (args.on("compress")) modes.emplace_back("-C");
  for (const ScpPath& path : paths) words.push_back(scp_word(path));
  const bool apart = !paths.back().remote() && workers.size() > 1;
  bool several_nodes = false;
  for (const launch::Worker& worker : workers) several_nodes = several_nodes || worker.node != workers[0].node;
  std::vector<launch::Task> tasks;
  for (const launch::Worker& worker : workers) {
    launch::SshSettings own = settings;
    own.extra = extra_flags(args.list("scp-flag"), worker, settings);
    if (apart) {
      words.back() = own_folder(scp_word(paths.back()), worker, several_nodes) + "/";
      if (!dry_run) file::make_dirs(words.back(), 0777);
    }
    tasks.push_back({launch::scp_argv(own, worker, modes, words, is_checked(settings, worker, dry_run)), "", false});
  }
  return run_sessions(context, settings, workers, std::move(tasks), "SCP");
}

// A few small files, as scripts copy them. No links, for scp follows them.
bool is_little(const std::vector<ScpPath>& paths) {
  namespace fs = std::filesystem;
  constexpr int kFewFiles = 64;  // scp asks for each by itself
  std::uintmax_t bytes = 0;
  int files = 0;
  const auto fits = [&](const fs::path& path) {
    std::error_code ec;
    if (fs::is_symlink(path, ec)) return false;
    if (fs::is_regular_file(path, ec)) bytes += fs::file_size(path, ec);
    return ++files <= kFewFiles && bytes <= static_cast<std::uintmax_t>(launch::kWorthSharing);
  };
  for (std::size_t i = 0; i + 1 < paths.size(); ++i) {
    if (!fits(paths[i].path)) return false;
    std::error_code ec;
    for (fs::recursive_directory_iterator at(paths[i].path, ec), end; !ec && at != end; at.increment(ec)) {
      if (!fits(at->path())) return false;
    }
  }
  return true;
}

int scp(Frame& frame, const Args& args, bool queued_resource) {
  Context context(frame, args);
  return with_credential_words(context, [&] {
    const auto paths = scp_paths(args);
    const bool upload = paths.back().remote();
    const ScpPath& remote = upload ? paths.back() : paths.front();
    launch::SshSettings settings = ssh_settings(context, remote.user, "scp");
    auto slices = session_slices(context, remote.name, queued_resource, "");
    prepare_workers(context, context.tpu(), slices, settings);
    const auto workers = launch::all_workers(slices);
    if (!args.on("dry-run")) settle_questions(context, settings, workers.size());
    const bool as_asked = args.on("dry-run") || args.on("plain") || args.has("scp-flag");
    if (!upload || workers.size() == 1 || as_asked || is_little(paths)) return run_scp(context, paths, workers, settings);
    std::vector<std::string> sources;
    for (std::size_t i = 0; i + 1 < paths.size(); ++i) sources.push_back(paths[i].path);
    settings.program = ssh_settings(context, remote.user).program;
    return send_sources(context, {workers, settings, fanout_options(context)}, sources, remote.path);
  });
}

}  // namespace

int run_tpu_vm_scp(Frame& frame, const Args& args) { return scp(frame, args, false); }
int run_queued_scp(Frame& frame, const Args& args) { return scp(frame, args, true); }

}  // namespace tpuctl::commands
