// SPDX-License-Identifier: Apache-2.0
// The processes below one process, as /proc shows them. Linux only. The process that asks must be a child subreaper
// (prctl PR_SET_CHILD_SUBREAPER): then a daemon that has cut itself loose is still found below it.
#pragma once

#include <sys/types.h>

#include <string>
#include <utility>
#include <vector>

namespace tpuctl::emulator {

/// All processes below `root` (without it).
std::vector<pid_t> descendants(pid_t root, bool zombies = false);

/// Those of descendants(root) that hold the file `path` open, under whatever name (same device and inode).
std::vector<pid_t> holders(pid_t root, const std::string& path);

/// Kills everything below the calling process, again and again until nothing is left, and reaps it. Processes that the
/// caller may not kill are left out. False when something still lives after ten seconds (stuck in the kernel).
bool kill_descendants();

/// Reaps children that have ended, without blocking: pid and wait status of each.
std::vector<std::pair<pid_t, int>> reap();

}  // namespace tpuctl::emulator
