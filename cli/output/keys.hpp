// SPDX-License-Identifier: Apache-2.0
// Reading a resource by key, as gcloud does: what is not there is null, camelCase and snake_case name the same member,
// and a name applied to a list of objects means that member of every item.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/json.hpp"
#include "cli/output/lexer.hpp"

namespace tpuctl::cli::output {

/// The value, or null. Refers into `resource` where it can and into `made` where something had to be put together.
const Json& get(const Json& resource, const Key& key, Json& made);

/// --flatten: a list at `key` gives the resource once for each item, with the item in the list's place; no items give
/// nothing, and anything else takes the place of the resource itself.
std::vector<Json> flatten(Json resource, const Key& key);

/// "acceleratorType" as "accelerator_type".
std::string snake_case(std::string_view camel);

/// Names that stand for keys: the labels of columns. The last one of a name counts.
using Aliases = std::vector<std::pair<std::string, Key>>;
Key resolve_alias(Key key, const Aliases& aliases);

}  // namespace tpuctl::cli::output
