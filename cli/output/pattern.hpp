// SPDX-License-Identifier: Apache-2.0
// Regular expressions of users, by RE2: its time is linear, whatever pattern is typed and however long the text is.
#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace tpuctl::cli::output {

class Pattern {
 public:
  /// With `lenient` as Python's re.IGNORECASE | re.MULTILINE | re.DOTALL. Throws Error{usage} when `expression` is
  /// none.
  explicit Pattern(std::string_view expression, bool ignore_case = false, bool lenient = false);
  ~Pattern();
  Pattern(Pattern&&) noexcept;
  Pattern& operator=(Pattern&&) noexcept;

  bool found_in(std::string_view text) const;
  bool matches_beginning(std::string_view text) const;
  /// `text` with the first `count` finds (0: all) replaced; \1 and \g<1> in `replacement` stand for groups. Throws
  /// Error{usage} at a group that is not there.
  std::string replaced(std::string_view text, std::string_view replacement, std::int64_t count) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace tpuctl::cli::output
