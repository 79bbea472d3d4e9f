// SPDX-License-Identifier: Apache-2.0
// --filter: gcloud's language. Terms KEY OPERATOR VALUE with : = != < <= > >= ~ !~, lists KEY:(a b), words without a
// key, AND, OR, NOT, -TERM and parentheses; terms that stand side by side are joined by AND, weaker than OR.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "cli/output/format.hpp"

namespace tpuctl::cli::output {

class Filter {
 public:
  /// One condition of the tree that an expression becomes.
  class Node {
   public:
    virtual ~Node() = default;
    virtual bool matches(const Json& resource) const = 0;
  };

  /// An empty expression matches everything. `aliases` are names that stand for keys. Throws Error{usage}.
  explicit Filter(std::string_view expression, const Aliases& aliases = {});
  bool matches(const Json& resource) const { return !root_ || root_->matches(resource); }

 private:
  std::unique_ptr<Node> root_;
};

}  // namespace tpuctl::cli::output
