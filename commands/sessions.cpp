// SPDX-License-Identifier: Apache-2.0
// Running ssh or scp on one worker or on many.
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <optional>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/process.hpp"
#include "base/signal.hpp"
#include "base/text.hpp"
#include "commands/remote.hpp"

namespace tpuctl::commands {

namespace {

// Several workers at once, told apart by a prefix, or by their own log files.
class ManyWorkers {
 public:
  ManyWorkers(Context& context, const std::vector<launch::Worker>& workers)
      : context_(context), workers_(workers), directory_(context.args.row("output-directory") ? context.args.text("output-directory") : "") {
    for (const auto& worker : workers) several_nodes_ = several_nodes_ || worker.node != workers[0].node;
  }

  int run(std::vector<launch::Task> tasks) {
    auto options = fanout_options(context_);
    options.on_end = [this](std::size_t i, const launch::Ending& ending) { note_end(i, ending); };
    launch::Fanout fanout(std::move(tasks), options, [this](std::size_t i, launch::Channel channel, std::string_view line) {
      const std::string prefix = workers_.size() == 1 ? "" : "[" + workers_[i].label() + "] ";
      const std::string whole = prefix + std::string(line) + "\n";
      if (channel == launch::Channel::err) {
        context_.frame.io.err(whole);
      } else if (directory_.empty()) {
        context_.frame.io.out(whole);
      }
      if (!directory_.empty()) file::append(log_path(i), std::string(line) + "\n", 0644);
    });
    fanout.run();
    context_.frame.io.flush();
    if (failures_ > 0 && workers_.size() > 1) {
      context_.say(fmt::format("{} of {} workers failed; the first was [{}], which {}.", failures_, workers_.size(),
                               workers_[*first_].label(), why_));
    }
    return code_;
  }

 private:
  std::string log_path(std::size_t i) const {
    const std::string node = several_nodes_ ? workers_[i].node + "-" : "";
    return file::join(directory_, node + std::to_string(workers_[i].index) + ".log");
  }
  void note_end(std::size_t i, const launch::Ending& ending) {
    if (ending.code == 0) return;
    ++failures_;
    std::string why = fmt::format("failed with exit status {}", ending.code);
    if (ending.timed_out) why = "did not end within its time limit";
    if (!ending.connected) why = "could not be reached";
    context_.say(fmt::format("##### Command execution on worker {} {}. Continuing.", workers_[i].label(), why));
    if (first_) return;
    first_ = i;
    why_ = why;
    code_ = ending.timed_out ? 6 : ending.code;
  }

  Context& context_;
  const std::vector<launch::Worker>& workers_;
  std::string directory_;
  bool several_nodes_ = false;
  std::optional<std::size_t> first_;
  std::string why_;
  int code_ = 0;
  int failures_ = 0;
};

// ssh says 255 when it cannot connect, and so may the remote command. The shared connection tells: it stays after a success.
bool connected_before(const std::vector<std::string>& argv) {
  constexpr std::string_view kOption = "ControlPath=";
  for (const std::string& word : argv) {
    if (word.starts_with(kOption)) return file::exists(word.substr(kOption.size()));
  }
  return false;
}

// One worker in the foreground: the terminal is the program's. Connections that fail are tried again as gcloud does.
int run_one(Context& context, const std::vector<std::string>& argv, const std::string& word) {
  context.frame.io.flush();
  for (int attempt = 1;; ++attempt) {
    process::Spec spec;
    spec.argv = argv;
    spec.in = process::Stream::inherit;
    process::Child child(spec);
    const int code = child.wait();
    if (code != 255 || connected_before(argv)) return code;
    if (attempt >= 10) {
      throw Error(tpuctl::Kind::no_connection, "No connection to the worker after ten tries.",
                  "Is the machine up (tpuctl tpu-vm describe), and port 22 open for you? --internal-ip takes the internal address.");
    }
    context.say("Retrying: " + word + " command error: [" + text::lower(word) + "] exited with return code [255].");
    context.frame.clock.sleep(seconds(5));
  }
}

}  // namespace

int run_sessions(Context& context, const std::vector<launch::Worker>& workers, std::vector<launch::Task> tasks, const std::string& word) {
  if (context.args.on("dry-run")) {
    for (const auto& task : tasks) context.frame.io.out(text::shell_join(task.argv) + "\n");
    return 0;
  }
  fanout_options(context);  // what is wrong with a flag is said before anybody is connected to
  const bool to_files = context.args.row("output-directory") && context.args.has("output-directory");
  const bool limited = context.args.has("worker-timeout") && context.args.row("command") && context.args.has("command");
  if (workers.size() == 1 && !to_files && !limited) {
    context.say(word + ": Attempting to connect to worker " + std::to_string(workers[0].index) + "...");
    return run_one(context, tasks[0].argv, word);
  }
  context.say(fmt::format("{}: Attempting to connect to {} workers...", word, workers.size()));
  if (!context.frame.io.in_tty && word == "SSH") {  // a stdin that is no terminal goes whole to every worker
    std::string input;
    char buffer[65536];
    for (ssize_t n = 1; n != 0;) {
      n = read(STDIN_FILENO, buffer, sizeof buffer);
      if (n < 0 && errno != EINTR) break;
      if (n < 0) signals::check();
      if (n > 0) input.append(buffer, static_cast<std::size_t>(n));
    }
    for (auto& task : tasks) task.input = input;
  }
  return ManyWorkers(context, workers).run(std::move(tasks));
}

}  // namespace tpuctl::commands
