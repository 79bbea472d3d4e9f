// SPDX-License-Identifier: Apache-2.0
#include "base/signal.hpp"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <atomic>
#include <csignal>

#include "base/error.hpp"

namespace tpuctl::signals {

namespace {
std::atomic<int> g_pending{0};
int g_pipe[2] = {-1, -1};

void note(int signal) {
  if (g_pending.load() == SIGINT && signal == SIGINT) _exit(130);
  g_pending.store(signal);
  const char byte = 1;
  [[maybe_unused]] auto written = write(g_pipe[1], &byte, 1);
}
}  // namespace

void install() {
  if (g_pipe[0] >= 0) return;
  if (pipe(g_pipe) != 0) throw Error(Kind::failure, "No pipe could be made (too many open files?).");
  for (int fd : g_pipe) {
    fcntl(fd, F_SETFD, FD_CLOEXEC);
    fcntl(fd, F_SETFL, O_NONBLOCK);
  }
  struct sigaction action = {};
  action.sa_handler = note;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  std::signal(SIGPIPE, SIG_IGN);
}

int pending() { return g_pending.load(); }

void clear() {
  g_pending.store(0);
  char bytes[64];
  while (g_pipe[0] >= 0 && read(g_pipe[0], bytes, sizeof bytes) > 0) {
  }
}

int wake_fd() { return g_pipe[0]; }

void check() {
  if (pending() == SIGINT) throw Error(Kind::interrupted, "Interrupted.");
  if (pending() == SIGTERM) throw Error(Kind::terminated, "Terminated.");
}

void sleep(Duration duration) {
  const auto end = std::chrono::steady_clock::now() + duration;
  for (;;) {
    check();
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(end - std::chrono::steady_clock::now());
    if (left.count() <= 0) return;
    pollfd fd{g_pipe[0], POLLIN, 0};
    poll(&fd, g_pipe[0] >= 0 ? 1 : 0, static_cast<int>(std::min<std::int64_t>(left.count(), 3'600'000)));
  }
}

}  // namespace tpuctl::signals
