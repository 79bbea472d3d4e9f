// SPDX-License-Identifier: Apache-2.0
// Running ssh or scp on one worker or on many.
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>

#include <algorithm>
#include <deque>
#include <optional>
#include <set>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/process.hpp"
#include "base/signal.hpp"
#include "base/text.hpp"
#include "commands/remote.hpp"

namespace tpuctl::commands {

namespace {

constexpr std::size_t kLastLines = 5;  // of the first worker that failed, in the summary
constexpr std::size_t kLastLineBytes = 300;
constexpr auto kStopLimit = std::chrono::seconds(10);

// What the sessions of one command line have in common.
struct Session {
  Context& context;
  const launch::SshSettings& settings;
  const std::vector<launch::Worker>& workers;
  std::vector<launch::Task> tasks;
  bool command;  ///< ssh runs one, as against a shell or scp: it can be ended on the worker
  std::string mark = text::uuid4();

  std::optional<std::vector<std::string>> environment() const {
    if (!command) return {};
    return launch::session_environment(context.frame.env, mark);
  }
  void stop_on_workers(const std::set<std::size_t>& strays) const;
};

// What ssh itself was told to do ends with it; what it started on the worker does not, without a terminal there.
void Session::stop_on_workers(const std::set<std::size_t>& strays) const {
  if (!command || strays.empty()) return;
  std::vector<launch::Task> stops;
  for (const std::size_t i : strays) {
    stops.push_back({tasks[i].argv, "", false});
    stops.back().argv.back() = launch::stop_command(mark);
  }
  launch::FanoutOptions options;
  options.parallel = launch::parallel_limit(static_cast<int>(stops.size()));
  options.limit = kStopLimit;
  options.tries = 1;
  std::size_t deaf = 0;
  options.on_end = [&](std::size_t, const launch::Ending& ending) { deaf += ending.code == 0 ? 0 : 1; };
  context.say(fmt::format("Ending the command on {} worker{}...", strays.size(), strays.size() == 1 ? "" : "s"));
  launch::Fanout(std::move(stops), options, [](std::size_t, launch::Channel, std::string_view) {}).run();
  if (deaf > 0) context.say(fmt::format("WARNING: {} of them did not answer; the command may go on there.", deaf));
}

// Several workers at once, told apart by a prefix, or by their own log files.
class ManyWorkers {
 public:
  explicit ManyWorkers(Session& session)
      : session_(session),
        context_(session.context),
        directory_(context_.args.row("output-directory") ? context_.args.text("output-directory") : ""),
        last_lines_(session.workers.size()) {
    for (const auto& worker : session.workers) several_nodes_ = several_nodes_ || worker.node != session.workers[0].node;
  }

  int run() {
    auto options = fanout_options(context_);
    options.environment = session_.environment();
    options.hopeless = [this](const std::string& complaint) { return launch::is_final_refusal(complaint, session_.settings.fresh_key); };
    if (session_.command && !context_.frame.io.in_tty) options.input = context_.frame.io.input();
    options.on_end = [this](std::size_t i, const launch::Ending& ending) { note_end(i, ending); };
    options.on_turn = [this] { show_progress(); };
    if (!directory_.empty()) {
      options.on_bytes = [this](std::size_t i, launch::Channel, std::string_view bytes) { file::append(log_path(i), bytes, 0644); };
      for (std::size_t i = 0; i < session_.workers.size(); ++i) file::append(log_path(i), "", 0644);
    }
    launch::Fanout fanout(session_.tasks, options,
                          [this](std::size_t i, launch::Channel channel, std::string_view line) { show_line(i, channel, line); });
    try {
      fanout.run();
    } catch (const Error& error) {
      if (error.kind != tpuctl::Kind::interrupted && error.kind != tpuctl::Kind::terminated) throw;
      for (const std::size_t i : fanout.running()) strays_.insert(i);
      context_.frame.io.status("");
      signals::clear();  // the next one ends this at once
      session_.stop_on_workers(strays_);
      throw;
    }
    context_.frame.io.status("");
    context_.frame.io.flush();
    session_.stop_on_workers(strays_);
    if (failures_ > 0 && session_.workers.size() > 1) summarize();
    return code_;
  }

 private:
  std::string log_path(std::size_t i) const {
    const std::string node = several_nodes_ ? session_.workers[i].node + "-" : "";
    return file::join(directory_, node + std::to_string(session_.workers[i].index) + ".log");
  }

  void show_line(std::size_t i, launch::Channel channel, std::string_view line) {
    auto& last = last_lines_[i];
    last.emplace_back(text::clip(line, kLastLineBytes));
    if (last.size() > kLastLines) last.pop_front();
    if (channel == launch::Channel::out && !directory_.empty()) return;
    cli::Streams& io = context_.frame.io;
    // A progress bar writes over itself; its prefix must not be written over.
    const bool terminal = channel == launch::Channel::out ? io.out_tty : io.err_tty;
    if (terminal && line.find('\r') != std::string_view::npos) line.remove_prefix(line.rfind('\r') + 1);
    const std::string prefix = session_.workers.size() == 1 ? "" : "[" + session_.workers[i].label() + "] ";
    const std::string whole = prefix + std::string(line) + "\n";
    if (channel == launch::Channel::err) {
      io.err(whole);
    } else {
      io.out(whole);
    }
  }

  void show_progress() {
    cli::Streams& io = context_.frame.io;
    io.flush();  // who reads a pipe sees each line when it comes
    const std::size_t all = session_.workers.size();
    if (!io.err_tty || all == 1 || (shown_ == ended_ && shown_ != 0)) return;
    shown_ = ended_;
    std::string line = fmt::format("{} of {} workers done", ended_, all);
    if (failures_ > 0) line += fmt::format(", {} failed", failures_);
    io.status(cli::elide(line, io.width - 1));
  }

  void note_end(std::size_t i, const launch::Ending& ending) {
    ++ended_;
    const bool cut_off = ending.timed_out || ending.given_up;
    if (cut_off && ending.connected) strays_.insert(i);
    if (ending.code == 0) return;
    ++failures_;
    std::string why = fmt::format("failed with exit status {}", ending.code);
    if (ending.timed_out) why = "did not end within its time limit";
    if (ending.given_up) why = "was ended, for another failed";
    if (!ending.connected && !cut_off) why = "could not be reached: no connection" + (ending.complaint.empty() ? "" : " (" + ending.complaint + ")");
    if (!ending.given_up) context_.say(fmt::format("##### Command execution on worker {} {}. Continuing.", session_.workers[i].label(), why));
    if (first_) return;
    first_ = i;
    why_ = why;
    code_ = ending.timed_out ? 6 : ending.code;
  }

  void summarize() {
    const auto& last = last_lines_[*first_];
    context_.say(fmt::format("{} of {} workers failed; the first was [{}], which {}{}", failures_, session_.workers.size(),
                             session_.workers[*first_].label(), why_, last.empty() ? "." : ". Its last lines:"));
    for (const std::string& line : last) context_.say("  " + text::printable(line));
  }

  Session& session_;
  Context& context_;
  std::string directory_;
  std::vector<std::deque<std::string>> last_lines_;
  bool several_nodes_ = false;
  std::optional<std::size_t> first_;
  std::set<std::size_t> strays_;  ///< ended here, and perhaps not on the worker
  std::string why_;
  int code_ = 0;
  std::size_t ended_ = 0, shown_ = 0, failures_ = 0;
};

// ssh says 255 when it cannot connect, and so may the remote command. The shared connection tells: it stays after a success.
bool connected_before(const std::vector<std::string>& argv) {
  constexpr std::string_view kOption = "ControlPath=";
  for (const std::string& word : argv) {
    if (word.starts_with(kOption)) return file::exists(word.substr(kOption.size()));
  }
  return false;
}

// Runs ssh with the terminal, its complaints handed through; its exit code. The last complaint is in `complaint`.
int run_in_foreground(const Session& session, std::string& complaint) {
  process::Spec spec;
  spec.argv = session.tasks[0].argv;
  spec.env = session.environment();
  spec.in = process::Stream::inherit;
  spec.err = session.command ? process::Stream::pipe : process::Stream::inherit;  // with a shell ssh's own talk needs the terminal
  process::Child child(spec);
  std::string text;
  while (child.err() >= 0) {
    pollfd fds[] = {{child.err(), POLLIN, 0}};
    poll(fds, 1, 100);
    if (signals::pending() != 0) child.kill(SIGTERM);  // from a terminal it has the signal already
    const auto code = child.poll_exit();
    const bool open = process::Child::drain(child.err(), text);
    session.context.frame.io.err(text);
    for (const std::string& line : text::split(text, '\n')) {
      if (!text::trim(line).empty()) complaint = text::printable(text::trim(line));
    }
    text.clear();
    if (!open || code) child.close_err();  // a shared connection may hold the other end
  }
  return child.wait();
}

// One worker in the foreground. Connections that fail are tried again as gcloud does.
int run_one(const Session& session, const std::string& word) {
  Context& context = session.context;
  context.frame.io.flush();
  for (int attempt = 1;; ++attempt) {
    std::string complaint;
    const int code = run_in_foreground(session, complaint);
    if (signals::pending() != 0 && session.command) {
      const int signal = signals::pending();
      signals::clear();
      session.stop_on_workers({0});
      throw Error(signal == SIGINT ? tpuctl::Kind::interrupted : tpuctl::Kind::terminated, signal == SIGINT ? "Interrupted." : "Terminated.");
    }
    signals::check();
    if (code != 255 || connected_before(session.tasks[0].argv)) return code;
    if (attempt >= 10 || launch::is_final_refusal(complaint, session.settings.fresh_key)) {
      throw Error(tpuctl::Kind::no_connection,
                  attempt == 1 ? "No connection to worker " + session.workers[0].label() + "." : "No connection to the worker after ten tries.",
                  "Is the machine up (tpuctl tpu-vm describe), and port 22 open for you? --internal-ip takes the internal address, "
                  "--tunnel-through-iap needs no address.");
    }
    context.say("Retrying: " + word + " command error: [" + text::lower(word) + "] exited with return code [255].");
    context.frame.clock.sleep(seconds(5));
  }
}

}  // namespace

int run_sessions(Context& context, const launch::SshSettings& settings, const std::vector<launch::Worker>& workers,
                 std::vector<launch::Task> tasks, const std::string& word) {
  if (context.args.on("dry-run")) {
    for (const auto& task : tasks) context.frame.io.out(text::shell_join(task.argv) + "\n");
    return 0;
  }
  fanout_options(context);  // what is wrong with a flag is said before anybody is connected to
  const bool command = context.args.row("command") && context.args.has("command");
  Session session{context, settings, workers, std::move(tasks), command};
  const bool to_files = context.args.row("output-directory") && context.args.has("output-directory");
  const bool limited = context.args.has("worker-timeout") && command;
  if (workers.size() == 1 && !to_files && !limited) {
    context.say(word + ": Attempting to connect to worker " + std::to_string(workers[0].index) + "...");
    return run_one(session, word);
  }
  context.say(fmt::format("{}: Attempting to connect to {} workers...", word, workers.size()));
  return ManyWorkers(session).run();
}

}  // namespace tpuctl::commands
