// SPDX-License-Identifier: Apache-2.0
// The one way from resources to the screen: filter, sort, limit, flatten, project, print. Without --sort-by rows
// stream: what is pushed is printed as soon as the format allows.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "base/json.hpp"
#include "cli/streams.hpp"

namespace tpuctl::cli::output {

struct Options {
  std::string format;  ///< --format, or empty for the default
  std::string filter;
  std::string sort_by;
  std::string flatten;
  std::int64_t limit = 0;  ///< 0: none
  bool uri = false;
  std::function<std::string(const Json&)> address;  ///< of a resource, for --uri; its selfLink or name when not set
  Json flags;                                       ///< what was typed, for if(): {"zone": "-", "async": true}
  std::string default_name;                         ///< core/default_format: what --format=default stands for
  bool screen_reader = false;                       ///< accessibility/screen_reader: no tables
};

/// Prints a list of resources (or, with `single`, one). Throws Error{usage} at construction for a format, filter or
/// sort expression that is not understood, before anything was asked of the service.
class Pipeline {
 public:
  /// `default_format` is a --format expression ("yaml", "table(name, ...)"); empty prints nothing unless --format is
  /// given.
  Pipeline(Streams& io, Options options, const std::string& default_format, bool single = false);
  ~Pipeline();
  Pipeline(const Pipeline&) = delete;
  Pipeline& operator=(const Pipeline&) = delete;

  void push(Json resource);
  /// True once --limit is reached and nothing more would be printed: the caller may stop paging.
  bool full() const;
  /// Flushes tables and closing brackets. An empty list in its default format says "Listed 0 items." on stderr. A list
  /// that ends by an exception is closed by the destructor, so that what was printed can still be parsed.
  void finish();
  /// Whether anything is printed at all.
  bool prints() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace tpuctl::cli::output
