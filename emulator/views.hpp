// SPDX-License-Identifier: Apache-2.0
// Resources as they are made and as an API version shows them.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "base/json.hpp"
#include "emulator/lifecycle.hpp"
#include "emulator/store.hpp"

namespace tpuctl::emulator {

/// A node in state CREATING with addresses for its workers, not yet in the store. `body` has passed the schema and
/// names a known accelerator (or none: v2-8).
Record make_node(Lifecycle& life, const Name& name, const Json& body);

/// The node as `version` shows it.
Json node_view(const std::string& version, const Json& doc);

/// The queued resource as `version` shows it: v2 says multisliceParams where v2alpha1 says multiNodeParams, and once it
/// is ACTIVE there is one nodeSpec per node.
Json queued_view(const std::string& version, const Record& record);

/// Sets networkEndpoints from the addresses and networkConfig.enableExternalIps.
void set_endpoints(Record& node);

/// Asks the workers for their host keys and keeps the answer in the record.
void remember_host_keys(Lifecycle& life, Record& node);

/// Gives every worker of the node its metadata anew. Called inside a step; the lock is given up meanwhile.
void push_metadata(Lifecycle& life, Record& node);

}  // namespace tpuctl::emulator
