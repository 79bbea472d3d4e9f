// SPDX-License-Identifier: Apache-2.0
// What a worker's metadata server answers: the tree under computeMetadata/v1, from the node and its project.
#pragma once

#include <string>

#include "base/json.hpp"
#include "emulator/store.hpp"
#include "emulator/worker_host.hpp"

namespace tpuctl::emulator {

/// The token that the emulator's metadata servers and its token endpoint hand out.
inline constexpr const char* kAccessToken = "emulator-access-token";

int worker_count(const Record& node);
WorkerId worker_id(const Record& node, int index);
std::string worker_hostname(const Record& node, int index);
WorkerSpec worker_spec(const Record& node, int index);

/// instance/upcoming-maintenance is an object with the API's field names, and absent when no maintenance is near.
/// instance/attributes holds the node's metadata and what JAX reads: tpu-env, agent-worker-number,
/// worker-network-endpoints. Numbers are text, as the server prints them. With OS Login there is oslogin/ssh-keys, in the form of the
/// metadata of that name, which then does not count.
Json worker_metadata(Store& store, const Record& node, int index);

}  // namespace tpuctl::emulator
