// SPDX-License-Identifier: Apache-2.0
#include "launch/fanout.hpp"

#include <poll.h>
#include <signal.h>
#include <sys/resource.h>

#include <algorithm>

#include "base/process.hpp"
#include "base/signal.hpp"
#include "base/text.hpp"

namespace tpuctl::launch {

namespace {
using Steady = std::chrono::steady_clock;
constexpr std::size_t kLongestLine = 64 * 1024;
}  // namespace

struct Fanout::Conversation {
  std::size_t index = 0;
  Task task;
  process::Child child;
  std::string to_send;
  bool close_after_send = true;
  std::string out, err;  // what came without a line end yet
  int tries = 0;
  bool heard = false;
  bool done = false;
  bool given_up = false;
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
  conversation.given_up = true;
  conversation.child.kill(SIGTERM);
  if (conversation.waiting()) finish(conversation, 143);
}

void Fanout::start(Conversation& conversation) {
  process::Spec spec;
  spec.argv = conversation.task.argv;
  const bool has_input = !conversation.task.input.empty() || conversation.task.keep_open;
  spec.in = has_input ? process::Stream::pipe : process::Stream::null;
  spec.out = process::Stream::pipe;
  spec.err = process::Stream::pipe;
  spec.own_group = true;  // Ctrl-C is ours to handle, not each ssh's
  conversation.to_send = conversation.task.input;
  conversation.close_after_send = !conversation.task.keep_open;
  conversation.tries += 1;
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
  conversation.ending.connected = conversation.heard || code != 255;
  conversation.child = {};
  if (options_.on_end) options_.on_end(conversation.index, conversation.ending);
}

void Fanout::step(Conversation& conversation, short out_events, short err_events) {
  process::Child& child = conversation.child;
  if (child.in() >= 0) {
    conversation.to_send.erase(0, child.feed(conversation.to_send));
    if (conversation.to_send.empty() && conversation.close_after_send) child.close_in();
  }
  // Asked before the last reading: what an ended program wrote is then all there.
  const auto code = child.poll_exit();
  if ((out_events || code) && child.out() >= 0) {
    const auto before = conversation.out.size();
    bool open = true;
    do {
      const auto size = conversation.out.size();
      open = process::Child::drain(child.out(), conversation.out);
      if (!code || conversation.out.size() == size) break;
    } while (open);
    conversation.heard = conversation.heard || conversation.out.size() > before;
    emit(conversation, Channel::out, conversation.out, code.has_value() || !open);
    if (!open) child.close_out();
  }
  if ((err_events || code) && child.err() >= 0) {
    const bool open = process::Child::drain(child.err(), conversation.err);
    emit(conversation, Channel::err, conversation.err, code.has_value() || !open);
    if (!open) child.close_err();
  }
  if (!code) {
    const bool late = options_.limit && Steady::now() - *conversation.first_start > *options_.limit;
    if (late) {
      conversation.ending.timed_out = true;
      child.kill(SIGKILL);
      child.wait();
      finish(conversation, 124);
    }
    return;
  }
  if (conversation.given_up) return finish(conversation, 143);  // ssh itself says 255 then
  const bool again = *code == 255 && !conversation.heard && conversation.tries < options_.tries;
  if (!again) return finish(conversation, *code);
  conversation.child = {};
  const double jitter = 0.5 + text::random_unit();
  conversation.next_start =
      Steady::now() + std::chrono::duration_cast<Steady::duration>(std::chrono::duration<double>(to_seconds(options_.pause) * jitter));
}

std::vector<Ending> Fanout::run() {
  for (;;) {
    signals::check();
    int running = 0;
    bool open = false;
    const auto now = Steady::now();
    for (auto& conversation : conversations_) running += conversation->child.pid() > 0 ? 1 : 0;
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
    std::vector<pollfd> fds = {{signals::wake_fd(), POLLIN, 0}};
    std::vector<Conversation*> active;
    for (auto& conversation : conversations_) {
      open = open || !conversation->done;
      if (conversation->child.pid() <= 0) continue;
      active.push_back(conversation.get());
      fds.push_back({conversation->child.out(), POLLIN, 0});
      fds.push_back({conversation->child.err(), POLLIN, 0});
      const bool writes = conversation->child.in() >= 0 && !conversation->to_send.empty();
      fds.push_back({writes ? conversation->child.in() : -1, POLLOUT, 0});
    }
    if (!open) break;
    poll(fds.data(), fds.size(), 50);
    for (std::size_t i = 0; i < active.size(); ++i) {
      step(*active[i], fds[1 + 3 * i].revents, fds[2 + 3 * i].revents);
    }
  }
  std::vector<Ending> endings;
  for (auto& conversation : conversations_) endings.push_back(std::move(conversation->ending));
  return endings;
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
