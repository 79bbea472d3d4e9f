// SPDX-License-Identifier: Apache-2.0
#include "commands/ssh.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <optional>

#include "api/operations.hpp"
#include "base/error.hpp"
#include "base/file.hpp"
#include "base/process.hpp"
#include "base/text.hpp"
#include "launch/keys.hpp"

namespace tpuctl::commands {

namespace {

launch::Warn warner(Context& context) {
  return [&io = context.frame.io](const std::string& line) { io.err("WARNING: " + text::printable(line) + "\n"); };
}
launch::Warn teller(Context& context) {
  return [&io = context.frame.io](const std::string& line) { io.err(text::printable(line) + "\n"); };
}

// "bob@name" -> {"bob", "name"}
std::pair<std::string, std::string> split_user(const std::string& text) {
  const auto at = text.find('@');
  if (at == std::string::npos) return {"", text};
  return {text.substr(0, at), text.substr(at + 1)};
}

// --ssh-flag is split at blanks, as gcloud does, after the placeholders are filled in.
std::vector<std::string> extra_flags(const Context& context, const launch::Worker& worker, const launch::SshSettings& settings) {
  std::vector<std::string> out;
  for (std::string flag : context.args.list("ssh-flag")) {
    flag = text::replace_all(std::move(flag), "%USER%", settings.user);
    flag = text::replace_all(std::move(flag), "%INSTANCE%", worker.address);
    flag = text::replace_all(std::move(flag), "%INTERNAL%", worker.internal_address);
    for (const auto& word : text::split(flag, ' ')) {
      if (!word.empty()) out.push_back(word);
    }
  }
  return out;
}

// The worker's host key is, or will be, in the known-hosts file.
bool is_checked(const launch::SshSettings& settings, const launch::Worker& worker, bool dry_run) {
  if (!dry_run && !worker.host_keys.empty()) return true;
  return launch::is_known_host(settings.known_hosts_file, worker.alias);
}

// Several workers at once, told apart by a prefix, or by their own log files too.
class ManyWorkers {
 public:
  ManyWorkers(Context& context, const std::vector<launch::Worker>& workers) : context_(context), workers_(workers) {
    directory_ = context.args.text("output-directory");
  }
  int run(std::vector<launch::Task> tasks) {
    auto options = fanout_options(context_);
    const std::string batch = context_.args.text("batch-size");
    if (batch != "all") options.parallel = static_cast<int>(text::parse_int(batch).value_or(0));
    if (options.parallel < 1) throw Error(tpuctl::Kind::usage, "Invalid value for [--batch-size]: [" + batch + "].", "Use a number of at least 1, or all.");
    options.parallel = launch::parallel_limit(options.parallel);
    options.on_end = [this](std::size_t i, const launch::Ending& ending) { note_end(i, ending); };
    launch::Fanout fanout(std::move(tasks), options, [this](std::size_t i, launch::Channel channel, std::string_view line) {
      const std::string text = workers_.size() == 1 ? std::string(line) + "\n" : "[" + workers_[i].label() + "] " + std::string(line) + "\n";
      if (channel == launch::Channel::err) {
        context_.frame.io.err(text);
      } else if (directory_.empty()) {
        context_.frame.io.out(text);
      }
      if (!directory_.empty()) file::append(log_path(i), std::string(line) + "\n", 0644);
    });
    fanout.run();
    context_.frame.io.flush();
    if (failures_ > 0 && workers_.size() > 1) {
      context_.frame.io.err(fmt::format("{} of {} workers failed; the first was [{}] with exit status {}.\n", failures_,
                                        workers_.size(), workers_[*first_].label(), code_));
    }
    return code_;
  }
  std::string log_path(std::size_t i) const { return file::join(directory_, std::to_string(workers_[i].index) + ".log"); }

 private:
  void note_end(std::size_t i, const launch::Ending& ending) {
    if (ending.code == 0) return;
    ++failures_;
    std::string why = fmt::format("failed with exit status {}", ending.code);
    if (ending.timed_out) why = "did not end within its time limit";
    if (!ending.connected) why = "could not be reached";
    context_.frame.io.err(fmt::format("##### Command execution on worker {} {}. Continuing.\n", workers_[i].label(), why));
    if (first_) return;
    first_ = i;
    code_ = ending.timed_out ? 6 : ending.code;
  }
  Context& context_;
  const std::vector<launch::Worker>& workers_;
  std::string directory_;
  std::optional<std::size_t> first_;
  int code_ = 0;
  int failures_ = 0;
};

// One worker in the foreground: the terminal is ssh's. Connections that fail are tried again as gcloud does.
int run_one(Context& context, const std::vector<std::string>& argv) {
  context.frame.io.flush();
  for (int attempt = 1;; ++attempt) {
    process::Spec spec;
    spec.argv = argv;
    spec.in = process::Stream::inherit;
    process::Child child(spec);
    const int code = child.wait();
    if (code != 255 || attempt >= 10) return code;
    context.frame.io.err("Retrying: SSH command error: [ssh] exited with return code [255].\n");
    context.frame.clock.sleep(seconds(5));
  }
}

}  // namespace

launch::FanoutOptions fanout_options(const Context& context) {
  launch::FanoutOptions options;
  options.limit = context.args.duration("worker-timeout");
  options.parallel = 1 << 20;
  return options;
}

launch::SshSettings ssh_settings(Context& context, const std::string& user) {
  const cli::Config& config = context.frame.config;
  const std::string ssh_folder = file::join(context.frame.env.home(), ".ssh");
  launch::SshSettings settings;
  const std::string path = context.frame.env.get("PATH").value_or("");
  settings.program = process::find_program("ssh", path);
  if (settings.program.empty()) throw Error(tpuctl::Kind::failure, "There is no ssh on PATH.", "Install the OpenSSH client.");
  settings.user = user.empty() ? context.frame.env.user() : user;
  settings.key_file = context.args.has("ssh-key-file") ? context.args.text("ssh-key-file")
                                                       : config.get_or("ssh/key_file", file::join(ssh_folder, "google_compute_engine"));
  if (settings.key_file.starts_with("~/")) settings.key_file = context.frame.env.home() + settings.key_file.substr(1);
  settings.known_hosts_file = config.get_or("ssh/known_hosts_file", file::join(ssh_folder, "google_compute_known_hosts"));
  settings.port = static_cast<int>(text::parse_int(config.get_or("ssh/port", "22")).value_or(22));
  settings.strict = context.args.text("strict-host-key-checking");
  settings.plain = context.args.row("plain") && context.args.on("plain");
  settings.control_dir = launch::control_directory(context.frame.env.get("XDG_RUNTIME_DIR").value_or(""));
  return settings;
}

void prepare_workers(Context& context, api::Client& client, std::vector<launch::Slice>& slices,
                     const launch::SshSettings& settings) {
  const bool dry_run = context.args.row("dry-run") && context.args.on("dry-run");
  const std::string key = settings.plain ? "" : launch::public_key(settings.key_file, !dry_run,
                                                                   context.frame.env.get("PATH").value_or(""), teller(context));
  api::Client compute = context.service("compute", "v1");
  api::Call call;
  call.path = "v1/projects/" + text::percent_encode(slices[0].name.project);
  const Json project = compute.send(call);
  for (launch::Slice& slice : slices) {
    std::string os_login = slice.node.at("/metadata/enable-oslogin").text();
    if (os_login.empty()) os_login = launch::metadata_item(project, "enable-oslogin");
    if (text::upper(os_login) == "TRUE" && !settings.plain) {
      throw Error(tpuctl::Kind::failure, "TPU VM [" + slice.name.id + "] uses OS Login, which this version does not handle.",
                  "Import your key with gcloud compute os-login ssh-keys add, and use --plain with USER@TPU.");
    }
    if (dry_run || settings.plain) continue;
    slice.node = launch::propagate_key(client, slice.name, slice.node, project, settings.user, key, teller(context));
  }
  if (!dry_run && !settings.plain) launch::pin_host_keys(settings.known_hosts_file, launch::all_workers(slices));
}

int run_tpu_vm_ssh(cli::Frame& frame, const cli::Args& args) {
  Context context(frame, args);
  return with_credential_words(context, [&] {
    const auto [user, tpu] = split_user(args.positional("[USER@]TPU"));
    const std::string command = args.text("command");
    const bool dry_run = args.on("dry-run");
    const std::string directory = args.text("output-directory");
    if (!directory.empty() && command.empty()) {
      throw Error(tpuctl::Kind::usage, "--output-directory needs --command.");
    }
    if (!directory.empty() && !file::is_dir(directory)) {
      throw Error(tpuctl::Kind::failure, "The output directory [" + directory + "] does not exist.");
    }
    launch::SshSettings settings = ssh_settings(context, user);
    if (dry_run) settings.control_dir.clear();
    api::Client& client = context.tpu();
    const api::Name name = context.name(tpu, "nodes", "tpu");
    std::vector<launch::Slice> slices = {{name, client.get(name), {}}};
    launch::check_reachable_state(slices[0].node, name.id, warner(context));
    const bool several = launch::parse_worker_list(args.text("worker"), launch::worker_count(slices[0].node)).size() > 1;
    if (several && command.empty()) {
      throw Error(tpuctl::Kind::usage, "More than one worker needs --command.", "Or choose one: --worker=0");
    }
    slices[0].workers = launch::read_workers(client, name, slices[0].node, args.text("worker"), args.on("internal-ip"));
    const auto& workers = slices[0].workers;
    prepare_workers(context, client, slices, settings);

    std::vector<launch::Task> tasks;
    for (const launch::Worker& worker : workers) {
      launch::SshSettings own = settings;
      own.extra = extra_flags(context, worker, settings);
      tasks.push_back({launch::ssh_argv(own, worker, command, args.rest(), is_checked(settings, worker, dry_run)), "", false});
    }
    if (dry_run) {
      for (const auto& task : tasks) frame.io.out(text::shell_join(task.argv) + "\n");
      return 0;
    }
    if (workers.size() == 1 && directory.empty()) {
      frame.io.err("SSH: Attempting to connect to worker " + std::to_string(workers[0].index) + "...\n");
      return run_one(context, tasks[0].argv);
    }
    frame.io.err(fmt::format("SSH: Attempting to connect to {} workers...\n", workers.size()));
    if (!frame.io.in_tty) {  // a stdin that is no terminal goes whole to every worker
      std::string input;
      while (auto line = frame.io.read_line()) input += *line + "\n";
      for (auto& task : tasks) task.input = input;
    }
    return ManyWorkers(context, workers).run(std::move(tasks));
  });
}

}  // namespace tpuctl::commands
