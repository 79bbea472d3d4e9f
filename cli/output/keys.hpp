// SPDX-License-Identifier: Apache-2.0
// Reading a resource by key, as gcloud does: what is not there is null, camelCase and snake_case name the same member,
// and a name applied to a list of objects means that member of every item.
#pragma once

#include <string>
#include <string_view>

#include "base/json.hpp"
#include "cli/output/lexer.hpp"

namespace tpuctl::cli::output {

/// The value, or null. Refers into `resource` where it can and into `made` where a list had to be put together.
const Json& get(const Json& resource, const Key& key, Json& made);

/// Resources with the list (or object) at `key` replaced by each of its items in turn: --flatten. One without items
/// gives nothing.
std::vector<Json> flatten(const Json& resource, const Key& key);

/// "acceleratorType" and "ACCELERATOR_TYPE".
std::string snake_case(std::string_view camel);

}  // namespace tpuctl::cli::output
