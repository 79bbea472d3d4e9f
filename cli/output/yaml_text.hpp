// SPDX-License-Identifier: Apache-2.0
// What YAML has to say about single texts: which need quotes, and how a text in double quotes is written. Private to
// yaml*.cpp.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace tpuctl::cli::output {

/// Whether the core types of YAML 1.2, as ruamel.yaml (gcloud's printer) reads them, take the text for something else.
bool reads_as_other_type(std::string_view text);
/// Control characters other than tab and newline: such a text is written in double quotes, everything escaped.
bool has_controls(std::string_view text);
/// Unicode's separators of lines and paragraphs.
bool has_separators(std::string_view text);
/// The text in double quotes, the first of which stands at `column`; lines after the first begin with `indent` blanks.
std::string double_quoted(std::string_view text, std::size_t column, std::size_t indent);

/// libyaml refuses literal blocks with tabs or with blanks at the end of a line, escapes what lies beyond U+FFFF, and
/// folds double quotes otherwise than gcloud does. Stand-ins from the private use area carry texts through it.
class StandIns {
 public:
  /// False when `text` itself uses the area: then nothing may be hidden in the document.
  static bool fits(std::string_view text);

  /// A text that is written as a literal block.
  std::string hide_all(std::string_view text);
  /// A text that is written in any other way.
  std::string hide(std::string_view text);
  /// A text that will stand in double quotes.
  std::string hide_quoted(std::string_view text);
  /// The document with everything in its place again.
  std::string show(std::string text) const;

 private:
  struct Hidden {
    std::string text;
    bool quoted;
    bool operator==(const Hidden&) const = default;
  };
  static constexpr std::size_t kMost = std::size_t{64} * 64;  ///< U+E000 and after: EE 80 80 ...
  static std::size_t index_of(std::string_view bytes);
  std::string stand_in(std::string_view original, bool quoted = false);
  std::vector<Hidden> hidden_;
};

}  // namespace tpuctl::cli::output
