// SPDX-License-Identifier: Apache-2.0
// A projection while it is being read: which keys share what is said about them. Private to projection_parser.cpp.
#pragma once

#include "cli/output/headings.hpp"
#include "cli/output/projection.hpp"

namespace tpuctl::cli::output {

class ProjectionBuilder {
 public:
  ProjectionBuilder();
  /// Goes on from `start`, whose tree is copied and becomes the default.
  explicit ProjectionBuilder(Projection start);

  /// What was read so far only says something about keys; the columns are still to come.
  void become_default();
  void begin_attributes() { new_orders_ = 0; }
  /// The orders that were there before come after those given since begin_attributes().
  void end_attributes();
  /// Adds a column, or with `only_attributes` says something about a key (which becomes a hidden column when it is
  /// sorted by and not there).
  void add(Key key, const AttributePtr& given, bool only_attributes);

  Projection made;
  Headings headings;

 private:
  void make_room(Tree& tree);
  void inherit(Attribute& about, const Attribute& given, const Key& key, bool only_attributes);
  int new_orders_ = 0;
};

}  // namespace tpuctl::cli::output
