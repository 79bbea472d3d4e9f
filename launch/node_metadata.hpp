// SPDX-License-Identifier: Apache-2.0
// Changes to a TPU VM's metadata, which the API replaces as a whole: read, change, write, and again when somebody else wrote.
#pragma once

#include <functional>

#include "api/client.hpp"

namespace tpuctl::launch {

/// `change` gets the metadata object and returns whether it changed anything; it is called anew after a conflict. Returns the node
/// as it is then. `node` is what is known of it.
Json change_metadata(api::Client& client, const api::Name& name, const Json& node, const std::function<bool(Json& metadata)>& change);

}  // namespace tpuctl::launch
