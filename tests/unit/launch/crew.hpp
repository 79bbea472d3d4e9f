// SPDX-License-Identifier: Apache-2.0
// Workers that a script in the place of ssh answers for.
#pragma once

#include <string>
#include <vector>

#include "launch/job.hpp"

namespace tpuctl::test {

/// A worker n/0, n/1, ... for each address, reached with the program `ssh`; two tries without a pause between them.
inline launch::Crew crew_of(const std::string& ssh, const std::vector<std::string>& addresses) {
  launch::Crew out;
  for (std::size_t i = 0; i < addresses.size(); ++i) {
    launch::Worker worker;
    worker.node = "n";
    worker.index = static_cast<int>(i);
    worker.address = worker.internal_address = addresses[i];
    worker.alias = "alias-" + addresses[i];
    out.workers.push_back(worker);
  }
  out.ssh.program = ssh;
  out.ssh.user = "me";
  out.fanout.tries = 2;
  out.fanout.pause = std::chrono::milliseconds(1);
  out.fanout.limit = std::chrono::seconds(120);
  return out;
}

}  // namespace tpuctl::test
