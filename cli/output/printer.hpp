// SPDX-License-Identifier: Apache-2.0
// What turns resources into text. A format is a row: its name and the function that makes its printer.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "base/json.hpp"
#include "cli/output/format.hpp"
#include "cli/streams.hpp"

namespace tpuctl::cli::output {

class Printer {
 public:
  virtual ~Printer() = default;
  /// Prints one resource, at once where the format allows.
  virtual void add(const Json& resource) = 0;
  /// Prints what was held back and what closes a list.
  virtual void finish() {}
};

struct Setting {
  Streams& io;
  Format format;
  bool single = false;         ///< one resource, not a list
  bool presorted = false;      ///< --sort-by was given: a table keeps the order
  bool screen_reader = false;  ///< no tables
};

/// Throws Error{usage} when the format needs columns and has none.
std::unique_ptr<Printer> make_printer(Setting setting);

/// The values of the columns of one resource, transforms applied.
std::vector<Json> project(const std::vector<Column>& columns, const Json& resource, bool default_calls = true);
/// The part of a resource that the columns name, for json(...) and yaml(...).
Json project_tree(const std::vector<Column>& columns, const Json& resource);

/// `value` without members that are null, at any depth.
Json without_nulls(const Json& value);

/// `text` as it may be written to stdout: on a terminal control characters are made visible.
std::string shown(const Streams& io, std::string text);

using MakePrinter = std::unique_ptr<Printer> (*)(Setting);
std::unique_ptr<Printer> make_table(Setting setting);
std::unique_ptr<Printer> make_flat(Setting setting);
std::unique_ptr<Printer> make_list(Setting setting);
std::unique_ptr<Printer> make_config(Setting setting);

}  // namespace tpuctl::cli::output
