// SPDX-License-Identifier: Apache-2.0
// --filter: gcloud's language. Terms KEY OPERATOR VALUE with : = != < <= > >= ~ !~, lists KEY:(a b), words without a
// key, AND, OR, NOT, -TERM and parentheses; terms that stand side by side are joined by AND, weaker than OR.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "cli/output/keys.hpp"

namespace tpuctl::cli::output {

class Filter {
 public:
  /// One condition of the tree that an expression becomes.
  class Node {
   public:
    virtual ~Node() = default;
    virtual bool matches(const Json& resource) const = 0;
  };

  /// What a word without a key asks: whether it occurs anywhere, or whether the member of that name is set.
  enum class Bare { anywhere, member };

  /// An empty expression matches everything. `aliases` are names that stand for keys. Throws Error{usage}.
  explicit Filter(std::string_view expression, const Aliases& aliases = {}, Bare bare = Bare::anywhere);
  bool matches(const Json& resource) const { return !root_ || root_->matches(resource); }
  /// The keys that its terms read.
  const std::vector<Key>& keys() const { return keys_; }

 private:
  std::shared_ptr<const Node> root_;
  std::vector<Key> keys_;
};

}  // namespace tpuctl::cli::output
