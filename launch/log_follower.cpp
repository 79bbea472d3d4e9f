// SPDX-License-Identifier: Apache-2.0
#include "launch/log_follower.hpp"

#include <poll.h>
#include <signal.h>

#include <algorithm>

#include "base/signal.hpp"

namespace tpuctl::launch {

void LogFollower::read_from(const Crew& crew) {
  if (child_.running() || crew.workers.empty()) return;
  start(crew, "follow");
}

void LogFollower::pass(Duration limit) {
  const auto end = std::chrono::steady_clock::now() + limit;
  for (;;) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - std::chrono::steady_clock::now()).count();
    signals::check();
    if (left <= 0) return;
    pollfd fds[2] = {{signals::wake_fd(), POLLIN, 0}, {child_.out(), POLLIN, 0}};
    poll(fds, 2, static_cast<int>(std::min<long>(left, 500)));
    feed();
    if (fds[1].revents && !drain()) close();
  }
}

void LogFollower::finish(const Crew& crew) {
  close();
  start(crew, "once");
  while (drain()) {
    pollfd fds[2] = {{signals::wake_fd(), POLLIN, 0}, {child_.out(), POLLIN, 0}};
    poll(fds, 2, 100);
    signals::check();
    feed();
  }
  close();
}

void LogFollower::begin_anew() {
  close();
  seen_ = 0;
}

void LogFollower::start(const Crew& crew, const std::string& mode) {
  const Task task = supervisor_task(crew, crew.workers[0], {"log", job_, std::to_string(seen_), mode});
  process::Spec spec;
  spec.argv = task.argv;
  spec.in = process::Stream::pipe;
  spec.out = process::Stream::pipe;
  spec.err = process::Stream::null;
  spec.own_group = true;
  child_ = process::Child(spec);
  to_send_ = task.input;
  stays_open_ = mode == "follow";
  feed();
}

void LogFollower::feed() {
  if (child_.in() < 0 || to_send_.empty()) return;
  to_send_.erase(0, child_.feed(to_send_));
  if (to_send_.empty() && !stays_open_) child_.close_in();
}

bool LogFollower::drain() {
  if (child_.out() < 0) return false;
  std::string bytes;
  const bool open = process::Child::drain(child_.out(), bytes);
  seen_ += static_cast<long>(bytes.size());
  if (!bytes.empty()) log_(bytes);
  return open;
}

void LogFollower::close() {
  child_.kill(SIGTERM);
  child_ = {};
}

}  // namespace tpuctl::launch
