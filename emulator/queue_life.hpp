// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "emulator/store.hpp"

namespace tpuctl::emulator {

/// Sets QueuedResource.state with the data member that belongs to the state.
void enter_state(Record& queued, const std::string& state, const std::string& initiator = "SERVICE");

}  // namespace tpuctl::emulator
