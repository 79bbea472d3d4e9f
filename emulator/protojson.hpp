// SPDX-License-Identifier: Apache-2.0
// JSON as Google's services read it: more than the standard allows. Names may stand without quotes, strings between
// single quotes, and a comma may precede a closing bracket.
#pragma once

#include <string>
#include <string_view>

#include "base/json.hpp"

namespace tpuctl::emulator {

/// Throws ApiError 400 when even so it is no JSON, or nested deeper than 100 levels.
Json read_proto_json(std::string_view text);

/// "node_id" -> "nodeId"; a name without underscores comes back as it is.
std::string camel_case(std::string_view name);
/// "nodeId" -> "node_id".
std::string snake_case(std::string_view name);

}  // namespace tpuctl::emulator
