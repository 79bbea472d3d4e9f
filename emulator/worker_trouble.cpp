// SPDX-License-Identifier: Apache-2.0
#ifdef __linux__
#include "emulator/worker_trouble.hpp"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <thread>
#include <utility>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/process.hpp"
#include "base/text.hpp"
#include "emulator/worker_tree.hpp"

namespace tpuctl::emulator {

namespace {
constexpr std::chrono::seconds kMountLimit{10};
}

void freeze_descendants() {
  // A process that is being forked may slip through one look at /proc; after a second one nobody is left who forks.
  for (int look = 0; look < 2; ++look) {
    for (const pid_t pid : descendants(getpid())) kill(pid, SIGSTOP);
  }
}

void thaw_descendants() {
  for (const pid_t pid : descendants(getpid())) kill(pid, SIGCONT);
}

pid_t fill_disk(const WorkerConfig& config, std::int64_t bytes) {
  // Paths below the folder go relative to it: a mount's options cannot quote.
  const bool below = config.scratch.rfind(config.folder + "/", 0) == 0;
  const std::string scratch = below ? config.scratch.substr(config.folder.size() + 1) : config.scratch;
  const std::string disk = file::join(config.folder, "disk");
  const std::string words = file::join(config.folder, "full.err");
  file::remove(disk);
  file::remove(words);
  process::Spec spec;
  spec.argv = {"/bin/sh", file::join(config.tools, "full"), config.folder, scratch, std::to_string(bytes)};
  spec.out = process::Stream::null;
  spec.err_fd = open(words.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  spec.own_session = true;
  process::Child child(spec);
  close(spec.err_fd);
  const auto limit = std::chrono::steady_clock::now() + kMountLimit;
  while (!file::exists(disk)) {
    const bool ended = child.poll_exit().has_value();
    if (ended || std::chrono::steady_clock::now() > limit) {
      throw Error(Kind::failure, "The disk of worker " + config.name + " cannot be made full: " +
                                     std::string(text::trim(file::read_if_exists(words).value_or(""))) + ".",
                  "It takes a mount namespace, which needs root or user namespaces.");
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return child.release();
}

void empty_disk(const WorkerConfig& config, pid_t keeper) {
  file::remove(file::join(config.folder, "disk"));
  if (keeper > 0) kill(keeper, SIGKILL);
}

// A listener whose queue is full: Linux answers no further connection until somebody is taken out of it.
BlockedPort::BlockedPort(const std::string& address, int port) {
  sockaddr_in at = {};
  at.sin_family = AF_INET;
  at.sin_port = htons(static_cast<std::uint16_t>(port));
  inet_pton(AF_INET, address.c_str(), &at.sin_addr);
  const auto* name = reinterpret_cast<const sockaddr*>(&at);
  listener_ = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  visitor_ = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const int on = 1;
  setsockopt(listener_, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  if (bind(listener_, name, sizeof at) == 0 && listen(listener_, 0) == 0 && connect(visitor_, name, sizeof at) == 0) return;
  const int reason = errno;
  close(listener_);
  close(visitor_);
  throw Error(Kind::failure, "Port " + std::to_string(port) + " of " + address + " cannot be blocked: " + std::strerror(reason) + ".");
}

BlockedPort::~BlockedPort() {
  if (listener_ >= 0) close(listener_);
  if (visitor_ >= 0) close(visitor_);
}

BlockedPort::BlockedPort(BlockedPort&& other) noexcept
    : listener_(std::exchange(other.listener_, -1)), visitor_(std::exchange(other.visitor_, -1)) {}

}  // namespace tpuctl::emulator
#endif
