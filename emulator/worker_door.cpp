// SPDX-License-Identifier: Apache-2.0
#ifdef __linux__
#include "emulator/worker_door.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "base/error.hpp"
#include "base/file.hpp"

namespace tpuctl::emulator {

void Door::open() {
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(config_.ssh_port));
  inet_pton(AF_INET, config_.address.c_str(), &address.sin_addr);
  const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  const int on = 1;
  setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  if (bind(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 || listen(fd, 1024) != 0) {
    const int reason = errno;
    close(fd);
    throw Error(Kind::failure, "Worker " + config_.name + " cannot listen for ssh on " + config_.address + ":" +
                                   std::to_string(config_.ssh_port) + ": " + std::strerror(reason) + ".");
  }
  listener_ = fd;
}

void Door::shut() {
  if (listener_ >= 0) close(listener_);
  listener_ = -1;
  refused_until_.reset();
  login_delay_ = key_delay_ = Duration(0);
  if (keys_due_) write_keys();
}

void Door::admit(const Spawn& spawn) const {
  std::vector<std::string> sshd = {config_.sshd, "-i", "-f", file::join(config_.folder, "sshd_config"), "-E",
                                   file::join(config_.folder, "sshd.log")};
  if (login_delay_ > Duration(0)) {
    sshd.insert(sshd.begin(), {"/bin/sh", "-c", "sleep \"$0\"; exec \"$@\"", std::to_string(to_seconds(login_delay_))});
  }
  for (int connection; (connection = accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC)) >= 0; close(connection)) spawn(sshd, connection);
}

void Door::set_keys(std::string keys) {
  keys_ = std::move(keys);
  if (key_delay_ == Duration(0)) return write_keys();
  keys_due_ = Steady::now() + key_delay_;
}

void Door::write_keys() {
  keys_due_.reset();
  put_file(file::join(config_.folder, "authorized_keys"), keys_);
}

void Door::hamper(const std::string& kind, Duration time) {
  if (!is_open()) throw Error(Kind::failure, "Worker " + config_.name + " is not running.");
  if (kind == "late") login_delay_ = time;
  if (kind == "keys") key_delay_ = time;
  if (kind != "refuse") return;
  if (listener_ >= 0) close(listener_);
  listener_ = -1;
  refused_until_ = time > Duration(0) ? Steady::now() + time : Steady::time_point::max();
}

void Door::heal() {
  const bool reopen = refused_until_.has_value();
  refused_until_.reset();
  login_delay_ = key_delay_ = Duration(0);
  if (keys_due_) write_keys();
  if (reopen) open();
}

void Door::tend() {
  const auto now = Steady::now();
  if (keys_due_ && now >= *keys_due_) write_keys();
  if (!refused_until_ || now < *refused_until_) return;
  refused_until_.reset();
  open();
}

int Door::until() const {
  auto next = keys_due_.value_or(Steady::time_point::max());
  if (refused_until_) next = std::min(next, *refused_until_);
  if (next == Steady::time_point::max()) return -1;
  return static_cast<int>(std::max<std::int64_t>(0, std::chrono::ceil<std::chrono::milliseconds>(next - Steady::now()).count()));
}

}  // namespace tpuctl::emulator
#endif
