// SPDX-License-Identifier: Apache-2.0
// --format expressions: NAME[attributes](key.transform():label=X, ...).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/output/keys.hpp"
#include "cli/output/transforms.hpp"

namespace tpuctl::cli::output {

enum class Align { left, center, right };

/// A key of a projection with what is said about it. An unset member takes what the default format says of the key.
struct Column {
  Key key;
  std::vector<Call> calls;
  std::optional<std::string> label;
  std::optional<Align> align;
  std::optional<int> sort;  ///< rank as sorting column of a table, 1 first
  std::optional<bool> reverse;
  std::optional<bool> optional;  ///< left out of a table when it is empty in all rows
  std::optional<int> width;
  std::optional<int> wrap;    ///< may be wrapped down to this many columns
  bool from_default = false;  ///< the calls come from the default format
};

struct Format {
  std::string name;  ///< "" when the expression is empty
  std::vector<std::pair<std::string, std::string>> attributes;
  std::vector<Column> columns;  ///< empty: the whole resource

  bool has(std::string_view attribute) const;
  std::string get(std::string_view attribute, std::string_view fallback) const;
};

/// Names that stand for keys: the labels of columns. The last one of a name counts.
using Aliases = std::vector<std::pair<std::string, Key>>;
Key resolve_alias(Key key, const Aliases& aliases);

/// Everything the parser learnt: the format to print and the names that --filter and --sort-by may use for keys.
struct ParsedFormat {
  Format format;
  Aliases aliases;
};

/// Reads the command's own format and then the user's, which wins; keys that occur in both keep the transforms and
/// labels of the first (value(name) prints the short name when the default table does). Throws Error{usage}.
ParsedFormat parse_format(std::string_view default_format, std::string_view format);

/// Names of the formats there are.
const std::vector<std::string>& format_names();

}  // namespace tpuctl::cli::output
