// SPDX-License-Identifier: Apache-2.0
// A pool of real workers for one test: a folder under /tmp, addresses and a port of its own, a key, and ssh.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/process.hpp"
#include "emulator/worker_pool.hpp"

namespace tpuctl::emulator {

class WorkerTest : public testing::Test {
 protected:
  WorkerTest();
  ~WorkerTest() override;

  WorkerSpec spec(int index) const;
  /// Metadata of worker `index` of `count`: the key, and what the service puts there.
  Json metadata(int index, int count = 1) const;
  PoolOptions options() const;
  void start(int count);

  /// The command line of ssh to a worker; `more` are further words before the command.
  std::vector<std::string> ssh_words(int index, const std::vector<std::string>& more = {}) const;
  process::Result ssh(int index, const std::string& command, const std::string& input = {}) const;
  /// As ssh, but leaves it running.
  process::Child ssh_started(int index, const std::string& command) const;

  std::string home(int index) const { return file_of(index, "home"); }
  std::string file_of(int index, const std::string& name) const;

  std::string dir_;
  std::string key_;
  std::string user_;
  std::string network_;  ///< "127.x.y."
  int port_ = 0;
  std::unique_ptr<WorkerHost> pool_;
};

/// Asks again and again, for a minute at most; what the last answer was.
bool eventually(const std::function<bool()>& question);

/// Processes whose command line has `text` in it (this one and zombies not counted).
int processes_with(const std::string& text);

/// For the test's own main: `self pool DIR NETWORK PORT KEY` keeps a pool of one worker until it is killed.
int hold_pool(const std::vector<std::string>& words);

}  // namespace tpuctl::emulator
