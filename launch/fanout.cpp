// SPDX-License-Identifier: Apache-2.0
#include "launch/fanout.hpp"

#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>

#include "base/process.hpp"
#include "base/signal.hpp"
#include "base/text.hpp"

namespace tpuctl::launch {

namespace {
using Steady = std::chrono::steady_clock;
constexpr std::size_t kLongestLine = 64 * 1024;
constexpr std::size_t kInputAhead = 1 << 20;  // of the common input: read and taken by nobody yet
constexpr auto kTick = std::chrono::milliseconds(50);
}  // namespace

struct Fanout::Conversation {
  std::size_t index = 0;
  Task task;
  process::Child child;
  std::string to_send;
  bool close_after_send = true;
  bool common_input = false;
  std::size_t taken = 0;  // of the common input
  std::string out, err;  // what came without a line end yet
  int tries = 0;
  bool heard = false;
  bool done = false;
  std::optional<Steady::time_point> first_start;
  Steady::time_point next_start{};
  Ending ending;
  bool waiting() const { return !done && child.pid() <= 0; }
};

Fanout::Fanout(std::vector<Task> tasks, FanoutOptions options, OnLine on_line)
    : options_(options), on_line_(std::move(on_line)) {
  for (auto& task : tasks) {
    auto conversation = std::make_unique<Conversation>();
    conversation->index = conversations_.size();
    conversation->task = std::move(task);
    conversations_.push_back(std::move(conversation));
  }
}

Fanout::~Fanout() = default;

void Fanout::say(std::size_t task, std::string_view text) { conversations_[task]->to_send += text; }
void Fanout::close_input(std::size_t task) { conversations_[task]->close_after_send = true; }

void Fanout::give_up(std::size_t task) {
  Conversation& conversation = *conversations_[task];
  if (conversation.done) return;
  conversation.ending.given_up = true;
  conversation.child.kill(SIGTERM);
  if (conversation.waiting()) finish(conversation, 143);
}

void Fanout::start(Conversation& conversation) {
  process::Spec spec;
  spec.argv = conversation.task.argv;
  spec.env = options_.environment;
  const bool own_input = !conversation.task.input.empty() || conversation.task.keep_open;
  conversation.common_input = !own_input && options_.input >= 0;
  conversation.taken = 0;
  spec.in = own_input || conversation.common_input ? process::Stream::pipe : process::Stream::null;
  spec.out = process::Stream::pipe;
  spec.err = process::Stream::pipe;
  spec.own_group = true;  // Ctrl-C is ours to handle, not each ssh's
  conversation.to_send = conversation.task.input;
  conversation.close_after_send = !conversation.task.keep_open;
  conversation.tries += 1;
  conversation.ending.complaint.clear();
  conversation.ending.started = true;
  conversation.ending.reached = false;
  if (!conversation.first_start) conversation.first_start = Steady::now();
  conversation.child = process::Child(spec);
}

// Hands over the whole lines in `buffer`; with `all`, what is left without a line end too.
void Fanout::emit(Conversation& conversation, Channel channel, std::string& buffer, bool all) {
  std::size_t from = 0;
  for (;;) {
    const auto end = buffer.find('\n', from);
    std::size_t length = end == std::string::npos ? buffer.size() - from : end - from;
    if (end == std::string::npos && !(all && length > 0) && length <= kLongestLine) break;
    length = std::min(length, kLongestLine);
    std::string_view line(buffer.data() + from, length);
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (channel == Channel::err && !text::trim(line).empty()) conversation.ending.complaint = text::printable(text::trim(line));
    on_line_(conversation.index, channel, line);
    from += length + (end != std::string::npos && from + length == end ? 1 : 0);
  }
  buffer.erase(0, from);
}

void Fanout::finish(Conversation& conversation, int code) {
  conversation.done = true;
  conversation.ending.code = code;
  conversation.ending.connected = conversation.ending.reached || conversation.heard || code != 255;
  conversation.child = {};
  if (options_.on_end) options_.on_end(conversation.index, conversation.ending);
  if (code == 0 || !options_.fail_fast) return;
  options_.fail_fast = false;  // once
  for (const auto& other : conversations_) give_up(other->index);
}

void Fanout::feed(Conversation& conversation) {
  process::Child& child = conversation.child;
  if (child.in() < 0) return;
  if (conversation.common_input) {
    conversation.taken += child.feed(std::string_view(input_).substr(conversation.taken));
    if (input_ended_ && conversation.taken == input_.size()) child.close_in();
    return;
  }
  conversation.to_send.erase(0, child.feed(conversation.to_send));
  if (conversation.to_send.empty() && conversation.close_after_send) child.close_in();
}

// Reads one stream: what is there now, or all that an ended program has left.
void Fanout::hear(Conversation& conversation, Channel channel, bool to_the_end) {
  process::Child& child = conversation.child;
  const int fd = channel == Channel::out ? child.out() : child.err();
  if (fd < 0) return;
  std::string& buffer = channel == Channel::out ? conversation.out : conversation.err;
  bool open = true;
  for (bool more = true; more;) {
    const auto before = buffer.size();
    open = process::Child::drain(fd, buffer);
    const std::string_view fresh = std::string_view(buffer).substr(before);
    if (channel == Channel::out) conversation.heard = conversation.heard || !fresh.empty();
    if (options_.on_bytes && !fresh.empty()) options_.on_bytes(conversation.index, channel, fresh);
    more = to_the_end && open && !fresh.empty();
  }
  emit(conversation, channel, buffer, to_the_end || !open);
  if (open) return;
  if (channel == Channel::out) {
    child.close_out();
  } else {
    child.close_err();
  }
}

void Fanout::step(Conversation& conversation, short out_events, short err_events) {
  process::Child& child = conversation.child;
  feed(conversation);
  Ending& ending = conversation.ending;
  if (!ending.reached && options_.reached) ending.reached = options_.reached(conversation.index);
  // Asked before the last reading: what an ended program wrote is then all there.
  const auto code = child.poll_exit();
  if (out_events || code) hear(conversation, Channel::out, code.has_value());
  if (err_events || code) hear(conversation, Channel::err, code.has_value());
  if (!code) {
    const bool late = options_.limit && Steady::now() - *conversation.first_start > *options_.limit;
    if (late) {
      ending.timed_out = true;
      child.kill(SIGKILL);
      child.wait();
      finish(conversation, 124);
    }
    return;
  }
  if (ending.given_up) return finish(conversation, 143);  // ssh itself says 255 then
  const bool hopeless = options_.hopeless && options_.hopeless(conversation.index, ending);
  const bool again = *code == 255 && !conversation.heard && !hopeless && conversation.tries < options_.tries;
  if (!again) return finish(conversation, *code);
  conversation.child = {};
  if (options_.on_retry) options_.on_retry(conversation.index, ending.complaint);
  conversation.next_start = Steady::now() + retry_pause(options_, conversation.tries);
}

void Fanout::start_those_due() {
  const auto now = Steady::now();
  auto running = static_cast<int>(this->running().size());
  for (auto& conversation : conversations_) {
    if (!conversation->waiting()) continue;
    const bool late = options_.limit && conversation->first_start && now - *conversation->first_start > *options_.limit;
    if (late) {
      conversation->ending.timed_out = true;
      finish(*conversation, 124);
    } else if (running < options_.parallel && now >= conversation->next_start) {
      start(*conversation);
      ++running;
    }
  }
}

std::vector<std::size_t> Fanout::running() const {
  std::vector<std::size_t> out;
  for (const auto& conversation : conversations_) {
    if (conversation->child.pid() > 0) out.push_back(conversation->index);
  }
  return out;
}

bool Fanout::wants_input() const {
  if (options_.input < 0 || input_ended_) return false;
  std::size_t taken = 0;
  for (const auto& conversation : conversations_) taken = std::max(taken, conversation->taken);
  return input_.size() - taken < kInputAhead;
}

void Fanout::read_input() {
  char buffer[65536];
  const ssize_t n = read(options_.input, buffer, sizeof buffer);
  if (n > 0) input_.append(buffer, static_cast<std::size_t>(n));
  if (n == 0 || (n < 0 && errno != EINTR && errno != EAGAIN)) input_ended_ = true;
}

std::vector<Ending> Fanout::run() {
  for (auto last_tick = Steady::now();;) {
    signals::check();
    start_those_due();
    std::vector<pollfd> fds = {{signals::wake_fd(), POLLIN, 0}, {wants_input() ? options_.input : -1, POLLIN, 0}};
    std::vector<Conversation*> active;
    bool open = false;
    for (auto& conversation : conversations_) {
      open = open || !conversation->done;
      if (conversation->child.pid() <= 0) continue;
      active.push_back(conversation.get());
      feed(*conversation);
      fds.push_back({conversation->child.out(), POLLIN, 0});
      fds.push_back({conversation->child.err(), POLLIN, 0});
      const bool writes = conversation->common_input ? conversation->taken < input_.size() : !conversation->to_send.empty();
      fds.push_back({writes ? conversation->child.in() : -1, POLLOUT, 0});
    }
    if (!open) break;
    poll(fds.data(), fds.size(), static_cast<int>(kTick.count()));
    // An end is told by the streams; those of a program that others outlive are looked at now and then.
    const bool tick = Steady::now() - last_tick >= kTick;
    if (tick) last_tick = Steady::now();
    if (fds[1].revents) read_input();
    for (std::size_t i = 0; i < active.size(); ++i) {
      const pollfd* mine = &fds[2 + 3 * i];
      if (tick || mine[0].revents || mine[1].revents || mine[2].revents) step(*active[i], mine[0].revents, mine[1].revents);
    }
    if (options_.on_turn) options_.on_turn();
  }
  std::vector<Ending> endings;
  for (auto& conversation : conversations_) endings.push_back(std::move(conversation->ending));
  return endings;
}

Duration retry_pause(const FanoutOptions& options, int tries) {
  const double pause = std::min(to_seconds(options.longest_pause), to_seconds(options.pause) * std::ldexp(1.0, tries - 1));
  return std::chrono::duration_cast<Duration>(std::chrono::duration<double>(pause * (0.5 + text::random_unit())));
}

int parallel_limit(int wished) {
  struct rlimit limit = {};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return std::min(wished, 64);
  limit.rlim_cur = std::min<rlim_t>(limit.rlim_max, 16384);
  setrlimit(RLIMIT_NOFILE, &limit);
  getrlimit(RLIMIT_NOFILE, &limit);
  const auto fits = static_cast<int>((limit.rlim_cur - 40) / 6);  // three pipes each, both ends while it starts
  return std::max(1, std::min(wished, fits));
}

}  // namespace tpuctl::launch
