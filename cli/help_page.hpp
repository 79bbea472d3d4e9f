// SPDX-License-Identifier: Apache-2.0
// Layout of help: headings, paragraphs, terms with their meaning. No line is wider than the page.
#pragma once

#include <string>
#include <string_view>

#include "cli/help.hpp"

namespace tpuctl::cli {

constexpr int kIndent = 4;

/// Paragraphs wrapped to `width`, each line after `indent` blanks. A line that begins with two blanks keeps its shape
/// as long as it fits.
std::string wrap(std::string_view text, int width, int indent);

/// `line` broken at blanks, continued after `indent` of them; a word that is longer than the page is cut.
std::string hanging(std::string_view line, int width, int indent);

/// A page under construction.
class PageWriter {
 public:
  explicit PageWriter(Page page);

  void heading(std::string_view text);
  void text(std::string_view text, int indent = kIndent);
  void usage(std::string_view line);
  /// A command line for the shell: where it is broken it says so, so that what is pasted runs.
  void example(std::string_view line);
  void blank() { out_ += "\n"; }
  /// A term and what it means: beside each other where there is room before `column`, else below.
  void item(std::string_view term, std::string_view meaning, int column);
  /// The column for meanings when the longest term has `longest` columns.
  int column_for(int longest) const;
  bool brief() const { return page_.brief; }
  std::string take() { return std::move(out_); }

 private:
  Page page_;
  std::string out_;
};

}  // namespace tpuctl::cli
