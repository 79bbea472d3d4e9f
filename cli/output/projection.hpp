// SPDX-License-Identifier: Apache-2.0
// --format expressions: NAME[attributes](key.transform():label=X, ...), and what they make of a resource.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/output/keys.hpp"
#include "cli/output/transforms.hpp"

namespace tpuctl::cli::output {

enum class Align { left, center, right };

/// What is said about a key. Shared by the tree, the columns and the names of a projection: what is said of a key first
/// holds for it until it is said again.
struct Attribute {
  enum Use { unused, on_the_way, wanted };  ///< a member below is wanted: on_the_way
  Use use = unused;
  bool hidden = false;  ///< only there to sort by
  std::optional<std::string> label;
  Align align = Align::left;
  std::optional<bool> optional;  ///< left out of a table when it is empty in all rows
  std::optional<bool> reverse;
  std::optional<int> order;  ///< rank as sorting column of a table, 1 first
  std::optional<int> width;
  std::optional<int> wrap;  ///< may be wrapped down to this many columns; 0: may not
  std::string subformat;
  std::shared_ptr<Chain> chain;
  bool keeps_order = false;  ///< its order was given last, by --sort-by
};
using AttributePtr = std::shared_ptr<Attribute>;

struct Column {
  Key key;
  AttributePtr about;
};

/// The keys of a projection by their steps.
struct Branch;
struct Tree {
  AttributePtr about;
  std::vector<Branch> children;
  const Tree* find(const Step& step) const;
};
struct Branch {
  Step step;
  Tree tree;
};

/// A name that stands for a key, with what is said about the key.
struct Named {
  std::string name;
  Key key;
  AttributePtr about;
};

class Projection {
 public:
  std::string format;  ///< "json"; "" when the expression is empty
  std::vector<std::pair<std::string, std::string>> attributes;
  std::vector<Column> columns;  ///< empty: the whole resource
  std::vector<Named> names;     ///< the last one of a name counts
  Tree tree;
  int level = 0;  ///< one more for each projection that was read

  bool has(std::string_view attribute) const;
  std::string get(std::string_view attribute, std::string_view fallback = {}) const;
  std::int64_t number(std::string_view attribute, std::int64_t fallback) const;
  Aliases aliases() const;
  const Named* named(std::string_view name) const;
  /// The labels of the columns; nothing when all are empty.
  std::vector<std::string> labels() const;
  /// The columns to sort by, most important first, with whether in reverse.
  std::vector<std::pair<std::size_t, bool>> order() const;

  /// The values of the columns, transforms applied unless `plain`. `colours`, when given, gets the colour of each.
  std::vector<Json> row(const Json& resource, bool plain = false, std::vector<std::string>* colours = nullptr) const;
  /// What of the resource is printed by formats that keep its shape. With `nulls` null members are kept when the whole
  /// resource is printed. Refers to `resource` where nothing changes.
  const Json& shape(const Json& resource, bool nulls, Json& made) const;
};

/// `value` without null members, at any depth; what is empty then is null.
Json without_nulls(const Json& value);

/// Reads the command's own format and then the user's, which wins; then the keys of --sort-by, most important first.
/// `flags` are what if() asks about: {"zone": "-", "async": true}. Throws Error{usage}.
Projection read_projection(std::string_view default_format, std::string_view format, std::string_view sort_by = {},
                           const Json& flags = {});

}  // namespace tpuctl::cli::output
