// SPDX-License-Identifier: Apache-2.0
// Words of the expression language that --format, --filter, --sort-by and --flatten share (gcloud's).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tpuctl::cli::output {

/// One step of a key: a member's name, [N], or [] for all items.
struct Step {
  enum What { name, index, slice };
  What what = name;
  std::string text;
  std::int64_t number = 0;
  bool operator==(const Step&) const = default;
};
using Key = std::vector<Step>;  ///< empty: the whole resource, written "."

/// Reads an expression from left to right. Every failure is Error{usage} that shows the expression with *HERE* where
/// reading stopped.
class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text) {}

  bool at_end() const { return at_ >= text_.size(); }
  std::size_t position() const { return at_; }
  void seek(std::size_t position) { at_ = position; }
  /// False at the end.
  bool skip_space();
  char peek() const { return at_end() ? '\0' : text_[at_]; }
  /// Takes the next character when it is one of `any`; '\0' otherwise.
  char take(std::string_view any);
  /// Takes a whole word (AND, OR, NOT) that is followed by a blank, a parenthesis or the end.
  bool take_word(std::string_view word);

  struct Token {
    std::string text;
    bool quoted = false;
  };
  /// A token up to an unquoted blank or one of `stops`; quotes ' and " may stand anywhere in it. Nothing when there is
  /// none. With `balanced` parentheses inside belong to it, blanks too.
  std::optional<Token> token(std::string_view stops, bool balanced = false);
  /// The arguments of a call; the opening parenthesis has been taken, the closing one is.
  std::vector<Token> arguments(std::string_view separators = ",");
  Key key();

  /// `what` with the expression and where reading stopped.
  std::string annotated(std::string_view what, std::size_t where) const;
  [[noreturn]] void fail(std::string_view what, std::size_t where) const;
  [[noreturn]] void fail(std::string_view what) const { fail(what, at_); }

 private:
  void expand_map_stars();
  std::string text_;
  std::size_t at_ = 0;
};

/// A whole expression that must be one key. Throws Error{usage}.
Key parse_key(std::string_view text);
std::string key_text(const Key& key);

}  // namespace tpuctl::cli::output
