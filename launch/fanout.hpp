// SPDX-License-Identifier: Apache-2.0
// One conversation with each of many workers at the same time: bounded parallelism, lines told apart, connections that
// failed tried again, nobody blocked by a silent one.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/time.hpp"

namespace tpuctl::launch {

struct Task {
  std::vector<std::string> argv;
  std::string input;       ///< fed to stdin; sent again from the start when the connection is tried again
  bool keep_open = false;  ///< stdin stays open after `input`, for say()
};

struct Ending {
  int code = 0;            ///< the program's exit code, 128+N after signal N, 124 after the time limit
  bool timed_out = false;
  bool started = false;
  bool given_up = false;   ///< by give_up(), or because another failed and `fail_fast` is set
  bool reached = false;    ///< FanoutOptions::reached said so
  bool connected = false;  ///< it was reached, something was heard, or the program ended with another code than 255
  std::string complaint;   ///< the last line of stderr
};

enum class Channel { out, err };

struct FanoutOptions {
  int parallel = 64;
  std::optional<Duration> limit;  ///< per worker, from its first start
  int tries = 10;                 ///< for exit 255 before anything was heard (ssh could not connect)
  Duration pause = std::chrono::seconds(1);  ///< after the first try; doubled with each, with jitter
  Duration longest_pause = std::chrono::seconds(8);
  bool fail_fast = false;         ///< the first failure gives all others up
  /// A descriptor whose bytes go whole to the stdin of every task that has no input of its own. It is read no faster than the
  /// quickest task takes them.
  int input = -1;
  std::optional<std::vector<std::string>> environment{};  ///< "NAME=VALUE" of the programs; this program's when absent
  /// Whether the task has its connection, which is then not made again: asked now and then until it says so.
  std::function<bool(std::size_t task)> reached{};
  /// Whether a connection that failed this way is not worth another try.
  std::function<bool(std::size_t task, const Ending& so_far)> hopeless{};
  std::function<void(std::size_t task, const std::string& complaint)> on_retry{};  ///< it will be tried again after a pause
  std::function<void(std::size_t task, const Ending&)> on_end{};  ///< called once for each
  std::function<void(std::size_t task, Channel, std::string_view bytes)> on_bytes{};  ///< what came, as it came
  std::function<void()> on_turn{};  ///< after what came at one time was handed over, and several times a second
};

class Fanout {
 public:
  /// `on_line` gets whole lines without their end (a longer one than 64 KiB in pieces), in the order they came per worker.
  using OnLine = std::function<void(std::size_t task, Channel channel, std::string_view line)>;
  Fanout(std::vector<Task> tasks, FanoutOptions options, OnLine on_line);
  ~Fanout();
  Fanout(const Fanout&) = delete;
  Fanout& operator=(const Fanout&) = delete;

  /// Adds to the stdin of a task that keeps it open; may be called from `on_line`.
  void say(std::size_t task, std::string_view text);
  void close_input(std::size_t task);
  /// Ends one conversation now (SIGTERM to ssh); its Ending has code 143.
  void give_up(std::size_t task);

  /// Runs all to their end. Throws Error{interrupted|terminated} when a signal arrives; what runs then is killed when this object
  /// goes.
  std::vector<Ending> run();
  std::vector<std::size_t> running() const;  ///< the tasks that have begun and not ended

 private:
  struct Conversation;
  void start(Conversation& conversation);
  void step(Conversation& conversation, short out_events, short err_events);
  void finish(Conversation& conversation, int code);
  void emit(Conversation& conversation, Channel channel, std::string& buffer, bool all);
  void feed(Conversation& conversation);
  void hear(Conversation& conversation, Channel channel, bool to_the_end);
  void start_those_due();
  bool wants_input() const;
  void read_input();
  std::vector<std::unique_ptr<Conversation>> conversations_;
  std::string input_;  ///< of options_.input, as far as it was read; a task that is tried again needs it from the start
  bool input_ended_ = false;
  FanoutOptions options_;
  OnLine on_line_;
};

/// How long to wait after so many tries: apart from each other, so that those whom a busy machine turned away do not come back
/// together.
Duration retry_pause(const FanoutOptions& options, int tries);

/// How many conversations `tasks` workers may have at once within the limit of open files, which is raised as far as allowed.
int parallel_limit(int wished);

}  // namespace tpuctl::launch
