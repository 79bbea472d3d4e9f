// SPDX-License-Identifier: Apache-2.0
// The functions of a projection: name.basename(), zone.scope(), nodeSpec.len(), ... A table; a new one is a row.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/json.hpp"

namespace tpuctl::cli::output {

struct Arguments {
  std::vector<std::string> positional;
  std::vector<std::pair<std::string, std::string>> named;
  /// The named argument, else the positional one at `index`, else `fallback`.
  std::string get(std::size_t index, std::string_view name, std::string_view fallback) const;
};

struct Transform {
  std::string_view name;
  Json (*apply)(const Json& value, const Arguments& arguments);
  bool named;  ///< whether NAME=VALUE among its arguments names one
  std::string_view help;
};

const Transform* find_transform(std::string_view name);
std::vector<std::string> transform_names();

/// One call in a projection. `map` is how many levels of lists it goes down.
struct Call {
  const Transform* transform = nullptr;
  Arguments arguments;
  int map = 0;
};
Json apply(const std::vector<Call>& calls, const Json& value);

/// As Python's str(): what tables, value() and csv() print for any value.
std::string display(const Json& value);

}  // namespace tpuctl::cli::output
