// SPDX-License-Identifier: Apache-2.0
// The emulator as a process: server, ticker, files that others find it by.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/json.hpp"

namespace tpuctl::emulator {

struct ServeOptions {
  std::string dir;               ///< made when absent
  std::string address = "127.0.0.1";
  int port = 0;                  ///< 0: any free one
  int ssh_port = 0;              ///< of every worker's sshd; 0: any free one, kept over restarts
  double speed = 1;
  std::vector<std::string> faults;
  std::vector<std::string> buckets;  ///< made when absent
  std::string program;           ///< path of tpuctl, for the workers
  /// Called once with what DIR/emulator.json says, when requests are answered.
  std::function<void(const Json&)> ready = [](const Json&) {};
};

/// Runs until SIGTERM, SIGINT or POST /emulator/v1/shutdown, then ends all workers; 0. While it runs,
/// DIR/emulator.json says {"pid", "port", "url", "ssh_port", "started", "speed"} and DIR/emulator.log grows. Throws
/// Error when it cannot start: a port is taken, another emulator holds DIR (kind conflict).
int serve(const ServeOptions& options);

/// What DIR/emulator.json says if that emulator is alive, else empty.
std::optional<Json> find_running(const std::string& dir);

}  // namespace tpuctl::emulator
