// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <map>
#include <optional>
#include <set>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/signal.hpp"
#include "base/text.hpp"
#include "commands/session.hpp"

namespace tpuctl::commands {

namespace {

constexpr std::size_t kLastLines = 5;  // of the first worker that failed, in the summary
constexpr std::size_t kLastLineBytes = 300;
constexpr std::size_t kFewWorkers = 3;  // are named, more are counted
constexpr auto kStopLimit = std::chrono::seconds(10);

// Several workers at once, told apart by a prefix, or by their own log files.
class ManyWorkers {
 public:
  explicit ManyWorkers(Session& session)
      : session_(session),
        context_(session.context),
        directory_(context_.args.row("output-directory") ? context_.args.text("output-directory") : ""),
        last_lines_(session.workers.size()) {
    for (const auto& worker : session.workers) several_nodes_ = several_nodes_ || worker.node != session.workers[0].node;
    for (std::size_t i = 0; i < session.workers.size(); ++i) open_.insert(i);
  }

  int run() {
    auto options = fanout_options(context_);
    options.environment = session_.environment();
    options.hopeless = [this](std::size_t i, const launch::Ending& ending) { return contact(i, ending) != launch::Contact::none; };
    options.reached = [this](std::size_t i) { return launch::has_shared_connection(session_.tasks[i].argv); };
    options.on_retry = [this](std::size_t i, const std::string&) { note_retry(i); };
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
      for (const std::size_t i : fanout.running()) note_stray(i);
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

  launch::Contact contact(std::size_t i, const launch::Ending& ending) const {
    return launch::contact_of(session_.tasks[i].argv, ending.complaint, session_.settings.fresh_key, ending.reached);
  }
  void note_stray(std::size_t i) {
    if (launch::may_have_connected(session_.tasks[i].argv)) strays_.insert(i);
  }

  std::string names_of(const std::set<std::size_t>& some) const {
    std::vector<std::string> names;
    for (const std::size_t i : some) {
      if (names.size() == kFewWorkers) break;
      names.push_back(session_.workers[i].label());
    }
    return text::join(names, ", ") + (some.size() > kFewWorkers ? fmt::format(" and {} more", some.size() - kFewWorkers) : "");
  }

  void note_retry(std::size_t i) {
    retried_.insert(i);
    for (const std::string& line : last_lines_[i]) said_[i].insert(line);
    if (to_tell_.empty()) tell_at_ = context_.frame.clock.now() + std::chrono::milliseconds(500);
    if (told_.insert(i).second) to_tell_.insert(i);
  }

  // Those whose first connection failed, together: a pod that boots has many.
  void tell_retries() {
    if (to_tell_.empty() || context_.frame.clock.now() < tell_at_) return;
    context_.say(fmt::format("No connection to {} yet; trying again{}...", names_of(to_tell_),
                             session_.settings.fresh_key ? " (a new key takes a moment to arrive)" : ""));
    to_tell_.clear();
  }

  void show_line(std::size_t i, launch::Channel channel, std::string_view line) {
    if (channel == launch::Channel::out) retried_.erase(i);
    // What was said of the same trouble before.
    if (channel == launch::Channel::err && retried_.contains(i) && said_[i].contains(std::string(text::clip(line, kLastLineBytes)))) return;
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
    tell_retries();
    const std::size_t all = session_.workers.size();
    if (!io.err_tty || all == 1) return;
    std::string line = fmt::format("{} of {} workers done", all - open_.size(), all);
    if (failures_ > 0) line += fmt::format(", {} failed", failures_);
    if (!retried_.empty()) {
      line += "; no connection yet to " + names_of(retried_);
    } else if (!open_.empty() && open_.size() <= kFewWorkers) {
      line += "; waiting for " + names_of(open_);
    }
    if (line == shown_) return;
    shown_ = line;
    io.status(cli::elide(line, io.width - 1));
  }

  void note_end(std::size_t i, const launch::Ending& ending) {
    open_.erase(i);
    retried_.erase(i);
    if (ending.started && (ending.timed_out || ending.given_up)) note_stray(i);
    if (ending.code == 0) return;
    if (ending.given_up) {
      ++(ending.started ? given_up_ : unstarted_);
      return;
    }
    ++failures_;
    const std::string why = why_of(i, ending);
    const bool others = !open_.empty() && !session_.fail_fast();
    context_.say(fmt::format("##### Command execution on worker {} {}.{}", session_.workers[i].label(), why, others ? " Continuing." : ""));
    if (first_) return;
    first_ = i;
    why_ = why;
    code_ = ending.timed_out ? 6 : ending.code;
  }

  std::string why_of(std::size_t i, const launch::Ending& ending) {
    const std::string said = ending.complaint.substr(0, ending.complaint.find_last_not_of('.') + 1);
    const std::string words = said.empty() ? "" : " (" + said + ")";
    if (ending.timed_out) {
      if (strays_.contains(i)) return "did not end within its time limit";
      last_lines_[i].clear();  // ssh's own, and told here
      return "did not answer within its time limit" + words;
    }
    if (ending.code != 255) return fmt::format("failed with exit status {}", ending.code);
    const launch::Contact made = contact(i, ending);
    if (made == launch::Contact::made) return "failed with exit status 255 (its own, or a signal ended it)";
    if (made == launch::Contact::lost) return "lost its connection" + words;
    last_lines_[i].clear();
    return "could not be reached: no connection" + words;
  }

  void summarize() {
    const auto& last = last_lines_[*first_];
    std::string rest;
    if (given_up_ > 0) rest = fmt::format(" {} others were ended.", given_up_);
    if (unstarted_ > 0) rest += fmt::format(" {} others were not started.", unstarted_);
    context_.say(fmt::format("{} of {} workers failed; the first was [{}], which {}.{}{}", failures_, session_.workers.size(),
                             session_.workers[*first_].label(), why_, rest, last.empty() ? "" : " Its last lines:"));
    for (const std::string& line : last) context_.say("  " + text::printable(line));
  }

  Session& session_;
  Context& context_;
  std::string directory_;
  std::vector<std::deque<std::string>> last_lines_;
  bool several_nodes_ = false;
  std::optional<std::size_t> first_;
  std::set<std::size_t> strays_;  ///< ended here, and perhaps not on the worker
  std::set<std::size_t> open_;    ///< not ended
  std::set<std::size_t> retried_, told_, to_tell_;  ///< no connection yet; ever; and nothing was said of it yet
  std::map<std::size_t, std::set<std::string>> said_;  ///< what ssh said when it could not connect
  TimePoint tell_at_{};
  std::string why_, shown_;
  int code_ = 0;
  std::size_t failures_ = 0, given_up_ = 0, unstarted_ = 0;
};

}  // namespace

std::optional<std::vector<std::string>> Session::environment() const {
  if (!command) return {};
  return launch::session_environment(context.frame.env, mark);
}

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
  if (deaf > 0) context.warn(fmt::format("{} of them did not answer; the command may go on there.", deaf));
}

int run_on_many(Session& session) { return ManyWorkers(session).run(); }

}  // namespace tpuctl::commands
