// SPDX-License-Identifier: Apache-2.0
// Pieces that the machines of nodes and of queued resources share. All are called inside a step and give up the lock
// while workers are asked.
#pragma once

#include <string>

#include "emulator/lifecycle.hpp"

namespace tpuctl::emulator {

/// Makes and boots the node's workers, all or none. Throws what WorkerHost::create throws.
void start_workers(Lifecycle& life, Record& node);
void end_workers(Lifecycle& life, Record& node);
/// Ends its workers and takes it from the store; a name that is not there is fine.
void remove_node(Lifecycle& life, const std::string& name);
void make_ready(Record& node);
std::string stockout_text(const std::string& zone);

}  // namespace tpuctl::emulator
