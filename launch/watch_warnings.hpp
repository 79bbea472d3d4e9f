// SPDX-License-Identifier: Apache-2.0
// What a watch warns of while the job goes on.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "launch/job.hpp"

namespace tpuctl::launch {

/// The command that shows what fills the disk of a worker, NODE/NUMBER.
std::string disk_command(const std::string& worker);

class WatchWarnings {
 public:
  explicit WatchWarnings(Say warn) : warn_(std::move(warn)) {}

  /// Of a program that holds the TPU and does not catch SIGTERM: it saves nothing when maintenance comes.
  void of_deaf_holders(const std::vector<WorkerReport>& reports);
  /// Of full disks, once a worker: a job may go on although it can no longer log or save. One that failed for it says so itself.
  void of_full_disks(const std::vector<WorkerReport>& reports);

 private:
  Say warn_;
  std::set<std::string> full_told_;  // workers
};

}  // namespace tpuctl::launch
