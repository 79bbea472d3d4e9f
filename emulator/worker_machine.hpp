// SPDX-License-Identifier: Apache-2.0
// The pool's end of one worker: its process and the control socket to it (worker_process.hpp). Linux only.
#pragma once

#include <string>

#include "base/process.hpp"
#include "emulator/worker_folder.hpp"

namespace tpuctl::emulator {

/// Not safe for use by two threads at once; the pool has a lock for each.
class Machine {
 public:
  Machine() = default;
  ~Machine() { end(); }
  Machine(const Machine&) = delete;
  Machine& operator=(const Machine&) = delete;

  const WorkerConfig& config() const { return config_; }

  /// Starts the process, which finds metadata.json in the folder; the worker is made when it returns, but not booted. Throws Error with
  /// the process's own words when it cannot be.
  void start(WorkerConfig config, const std::string& program);
  bool running();

  /// Sends a command and waits for its answer: the number in it, or 0. Throws Error when the worker says no, has ended,
  /// or is silent for a minute (a loaded machine that starts many workers at once is slow, not dead).
  int ask(const std::string& command);

  void hang_up();  ///< the process begins to end itself and everything on the worker
  void end();      ///< hang_up(), and waits until the process has gone

 private:
  std::string receive();

  WorkerConfig config_;
  process::Child process_;
  int control_ = -1;
};

}  // namespace tpuctl::emulator
