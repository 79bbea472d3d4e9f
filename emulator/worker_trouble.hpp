// SPDX-License-Identifier: Apache-2.0
// What can be wrong with a machine, done from inside the worker's process. Linux only.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>

#include "emulator/worker_folder.hpp"

namespace tpuctl::emulator {

/// Stops every process below the calling one, those too that are started meanwhile; and the reverse.
void freeze_descendants();
void thaw_descendants();

/// Leaves `bytes` of room on the worker's disk for whoever passes its door from now on. The pid of the process that keeps
/// it so, a child. Throws Error with the reason where this computer allows no such thing.
pid_t fill_disk(const WorkerConfig& config, std::int64_t bytes);
/// Newcomers find the disk as it was before; what was written in the room that was left is gone.
void empty_disk(const WorkerConfig& config, pid_t keeper);

/// A port that is as if a firewall dropped what goes there: nobody is let in, and nobody is refused.
class BlockedPort {
 public:
  BlockedPort(const std::string& address, int port);  ///< throws Error when the port is in use
  ~BlockedPort();
  BlockedPort(BlockedPort&& other) noexcept;
  BlockedPort& operator=(BlockedPort&&) = delete;

 private:
  int listener_ = -1, visitor_ = -1;
};

}  // namespace tpuctl::emulator
