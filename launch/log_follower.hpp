// SPDX-License-Identifier: Apache-2.0
// The log of a job's first worker as it grows, across broken connections and rebooted machines: each byte once, in order.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "base/process.hpp"
#include "launch/job.hpp"

namespace tpuctl::launch {

class LogFollower {
 public:
  LogFollower(std::string job, std::function<void(std::string_view)> log) : job_(std::move(job)), log_(std::move(log)) {}

  /// Takes up the connection to the crew's first worker unless it stands.
  void read_from(const Crew& crew);
  /// Passes on what has come, waiting at most `limit`. Throws Error{interrupted|terminated} at a signal.
  void pass(Duration limit);
  /// What is left of the log once the job has ended.
  void finish(const Crew& crew);
  /// Other machines stand in the place of the old ones: their logs begin at 0.
  void begin_anew();

 private:
  void start(const Crew& crew, const std::string& mode);
  void feed();
  bool drain();
  void close();

  std::string job_;
  std::function<void(std::string_view)> log_;
  process::Child child_;
  std::string to_send_;
  bool stays_open_ = false;  ///< so that the far end sees when we are gone, however that happens
  long seen_ = 0;
};

}  // namespace tpuctl::launch
