// SPDX-License-Identifier: Apache-2.0
// How the cells of a table become lines. Private to table*.cpp.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/output/printer.hpp"

namespace tpuctl::cli::output {

struct Cell {
  std::string text;
  bool coloured = false;  ///< color() was applied, and a pattern was found
  std::string colour;     ///< of the text on a screen that has colours
};
using Cells = std::vector<Cell>;

/// Columns of the widest of the lines.
int text_width(std::string_view text);

/// The drawn lines of a box, or what stands for them.
struct Box {
  explicit Box(bool drawn);
  std::string top_left, top_right, bottom_left, bottom_right, flat, upright, down, up, left, right, cross;
};

class TableLayout {
 public:
  TableLayout(const Projection& format, const Screen& screen, Sink& sink);

  bool boxed() const { return boxed_; }
  /// `widths`: of the widest cell of each column; `wraps`: down to which width a column may be wrapped, 0 for not.
  void set_widths(std::vector<int> widths, const std::vector<int>& wraps);
  void set_alignment(std::vector<Align> alignment) { alignment_ = std::move(alignment); }
  void title(const std::string& text);
  void top_rule(bool titled);
  void middle_rule();
  void bottom_rule();
  void boxed_heading(const std::vector<std::string>& labels);
  void row(Cells cells);

 private:
  void shrink(const std::vector<int>& wraps);
  void rule(const std::string& left, const std::string& cross, const std::string& right);
  void plain_line(const Cells& line);
  void boxed_line(const Cells& line);
  std::string fitted(std::string_view text, std::size_t column) const;
  std::string painted(const Cell& cell, std::size_t column) const;

  Screen screen_;
  Sink& sink_;
  bool boxed_;
  bool ascii_;
  int pad_;
  int margin_;
  int screen_width_;
  Box box_;
  std::vector<int> widths_;
  std::vector<Align> alignment_;
  bool wraps_ = false;
};

}  // namespace tpuctl::cli::output
