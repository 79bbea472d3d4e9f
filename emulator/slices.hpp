// SPDX-License-Identifier: Apache-2.0
// Nodes and workers that something happens to together. Lists are Json, so that a task can keep them:
// [{"node": full name, "workers": [index]}].
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "emulator/lifecycle.hpp"

namespace tpuctl::emulator {

struct Target {
  std::string name;
  Record* node = nullptr;
  std::vector<WorkerId> workers;
};

/// Those of the list that are still there and not on their way out.
std::vector<Target> targets(Lifecycle& life, const Json& list);

/// Asks every worker, outside the lock; the sum of the answers.
int ask_all(Lifecycle& life, const std::vector<Target>& list, const std::function<int(const WorkerId&)>& ask);

/// The other READY slices of the multislices that the listed nodes belong to, with all their workers.
Json other_slices(Lifecycle& life, const Json& list);

/// The service restarts the other slices of a multislice when one of them came back: they learn the new addresses first.
/// Their next step is finish_restart(), a kReboot later.
void begin_restart(Lifecycle& life, const Json& list);
void finish_restart(Lifecycle& life, const Json& list);

}  // namespace tpuctl::emulator
