// SPDX-License-Identifier: Apache-2.0
// An emulated worker's door for ssh: who may come in, and what can be wrong with it. Linux only.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/time.hpp"
#include "emulator/worker_folder.hpp"

namespace tpuctl::emulator {

class Door {
 public:
  explicit Door(const WorkerConfig& config) : config_(config) {}
  ~Door() { shut(); }
  Door(const Door&) = delete;
  Door& operator=(const Door&) = delete;

  void open();  ///< listens. Throws Error when the port cannot be had
  void shut();  ///< connections are refused; trouble is forgotten
  /// Open, though connections may be refused for the moment.
  bool is_open() const { return listener_ >= 0 || refused_until_; }
  int fd() const { return listener_; }

  /// Starts an sshd, by `spawn`, for each connection that waits.
  using Spawn = std::function<void(const std::vector<std::string>& argv, int connection)>;
  void admit(const Spawn& spawn) const;

  /// The text of authorized_keys from now on, or from a little later.
  void set_keys(std::string keys);

  /// "refuse" (0: without end), "late" and "keys", as WorkerHost::hamper says; the door must be open.
  void hamper(const std::string& kind, Duration time);
  void heal();

  void tend();        ///< does what has become due
  int until() const;  ///< ms until something is due; -1: nothing is

 private:
  using Steady = std::chrono::steady_clock;
  void write_keys();
  const WorkerConfig& config_;
  int listener_ = -1;
  std::optional<Steady::time_point> refused_until_;  ///< time_point::max(): without end
  Duration login_delay_{0}, key_delay_{0};
  std::string keys_;
  std::optional<Steady::time_point> keys_due_;
};

}  // namespace tpuctl::emulator
