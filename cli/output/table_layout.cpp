// SPDX-License-Identifier: Apache-2.0
#include "cli/output/table_layout.hpp"

#include <algorithm>
#include <numeric>

#include "cli/output/display.hpp"

namespace tpuctl::cli::output {

namespace {

std::string blanks(int count) { return std::string(static_cast<std::size_t>(std::max(0, count)), ' '); }

// `width` counts columns of the screen, or with `by_points` code points.
std::string justified(std::string_view text, int width, Align align, bool by_points = false) {
  const int points = static_cast<int>(length_of(text));
  const int columns = by_points ? points : text_width(text);
  const int adjusted = width - (columns - points);  // Python counts code points
  const int room = std::max(0, adjusted - points);
  const int left = align == Align::right ? room : align == Align::center ? room / 2 + (room & adjusted & 1) : 0;
  return blanks(left) + std::string(text) + blanks(room - left);
}

std::u32string_view right_trimmed(std::u32string_view text) {
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  return text;
}

int width_of(char32_t c) { return display_width(utf8(std::u32string_view(&c, 1))); }

// Takes the part of a cell that fits into `width`, up to the end of a line or of a word where there is one. In a
// coloured cell no blank gets lost.
std::string take_line(std::string& cell, int width, bool coloured) {
  const std::u32string text = code_points(cell);
  std::size_t split = 0;
  for (int used = 0; split < text.size(); ++split) {
    used += width_of(text[split]);
    if (used > width) break;
  }
  while (!coloured && split < text.size() && is_space(text[split])) ++split;
  if (split == 0 && !text.empty()) split = 1;
  const auto newline = text.find(U'\n');
  if (newline != std::u32string::npos && newline + 1 <= split) {
    split = newline + 1;
  } else {
    std::size_t at_blank = 0;
    for (std::size_t i = 0; i < text.size();) {
      if (!is_space(text[i])) {
        ++i;
        continue;
      }
      const std::size_t start = i;
      while (i < text.size() && is_space(text[i])) ++i;
      if (i > split) {
        if (coloured && start <= split) at_blank = split;
        break;
      }
      at_blank = i;
    }
    if (at_blank != 0) split = at_blank;
  }
  const std::u32string_view line = std::u32string_view(text).substr(0, split);
  cell = utf8(std::u32string_view(text).substr(split));
  return utf8(coloured ? line : right_trimmed(line));
}

std::string in_ascii(std::string_view text) {
  std::string out;
  for (const char32_t c : code_points(text)) out += c < 0x80 ? static_cast<char>(c) : '?';
  return out;
}

}  // namespace

int text_width(std::string_view text) {
  int widest = 0;
  for (;;) {
    const auto end = text.find('\n');
    widest = std::max(widest, display_width(text.substr(0, end)));
    if (end == std::string_view::npos) return widest;
    text.remove_prefix(end + 1);
  }
}

Box::Box(bool drawn)
    : top_left(drawn ? "┌" : "+"),
      top_right(drawn ? "┐" : "+"),
      bottom_left(drawn ? "└" : "+"),
      bottom_right(drawn ? "┘" : "+"),
      flat(drawn ? "─" : "-"),
      upright(drawn ? "│" : "|"),
      down(drawn ? "┬" : "+"),
      up(drawn ? "┴" : "+"),
      left(drawn ? "├" : "+"),
      right(drawn ? "┤" : "+"),
      cross(drawn ? "┼" : "+") {}

TableLayout::TableLayout(const Projection& format, const Screen& screen, Sink& sink)
    : screen_(screen),
      sink_(sink),
      boxed_(format.has("box") || format.has("all-box")),
      ascii_(format.has("ascii")),
      pad_(boxed_ ? 1 : static_cast<int>(format.number("pad", 2))),
      margin_(static_cast<int>(format.number("margin", 0))),
      screen_width_(static_cast<int>(format.number("width", screen.width))),
      box_((screen.utf8 || format.has("utf-8") || format.has("win")) && !ascii_) {}

void TableLayout::set_widths(std::vector<int> widths, const std::vector<int>& wraps) {
  widths_ = std::move(widths);
  wraps_ = std::any_of(wraps.begin(), wraps.end(), [](int one) { return one > 0; });
  if (wraps_) shrink(wraps);
}

// Columns that may be wrapped share what the others leave of the screen.
void TableLayout::shrink(const std::vector<int>& wraps) {
  const int columns = static_cast<int>(widths_.size());
  const int padding = boxed_ ? columns + 1 + columns * pad_ * 2 : (columns - 1) * pad_;
  const int room = screen_width_ - padding - margin_;
  if (std::accumulate(widths_.begin(), widths_.end(), 0) <= room) return;
  int fixed = 0, wrapped = 0;
  for (std::size_t i = 0; i < widths_.size(); ++i) (wraps[i] > 0 ? wrapped : fixed) += wraps[i] > 0 ? 1 : widths_[i];
  if (wrapped == 0) return;
  // Floors, also when the others leave less than nothing.
  const int left = room - fixed;
  const int share = left >= 0 ? left / wrapped : -((-left + wrapped - 1) / wrapped);
  for (std::size_t i = 0; i < widths_.size(); ++i) {
    if (wraps[i] > 0) widths_[i] = std::max(share, std::min(wraps[i], widths_[i]));
  }
}

void TableLayout::title(const std::string& text) {
  const int columns = static_cast<int>(widths_.size());
  int width = std::accumulate(widths_.begin(), widths_.end(), 0);
  if (width < text_width(text) && !wraps_) {  // the columns make room
    const int more = (text_width(text) + columns - 1) / columns;
    for (int& one : widths_) one += more;
    width += columns * more;
  }
  if (boxed_) {
    width += 3 * columns - 1;
    rule(box_.top_left, box_.flat, box_.top_right);
    sink_.write(box_.upright + justified(text, width, Align::center) + box_.upright + "\n");
    return;
  }
  const std::u32string centred = code_points(justified(text, width + pad_ * (columns - 1), Align::center));
  sink_.write(utf8(right_trimmed(centred)) + "\n");
}

void TableLayout::top_rule(bool titled) {
  rule(titled ? box_.left : box_.top_left, box_.down, titled ? box_.right : box_.top_right);
}
void TableLayout::middle_rule() { rule(box_.left, box_.cross, box_.right); }
void TableLayout::bottom_rule() { rule(box_.bottom_left, box_.up, box_.bottom_right); }

void TableLayout::rule(const std::string& left, const std::string& cross, const std::string& right) {
  std::string out = left;
  for (std::size_t i = 0; i < widths_.size(); ++i) {
    for (int j = 0; j < widths_[i] + 2; ++j) out += box_.flat;
    out += i + 1 < widths_.size() ? cross : right;
  }
  sink_.write(out + "\n");
}

void TableLayout::boxed_heading(const std::vector<std::string>& labels) {
  std::string line;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    line += box_.upright + " " + justified(labels[i], widths_[i], Align::center, true) + " ";
  }
  sink_.write(line + box_.upright + "\n");
}

std::string TableLayout::fitted(std::string_view text, std::size_t column) const {
  return justified(ascii_ ? in_ascii(text) : std::string(text), widths_[column], alignment_[column]);
}

std::string TableLayout::painted(const Cell& cell, std::size_t column) const {
  const std::string text = justified(cell.text, widths_[column], alignment_[column], true);
  if (!screen_.colour || cell.colour.empty()) return text;
  const char* code = cell.colour == "red"      ? "31;1m"
                     : cell.colour == "yellow" ? "33;1m"
                     : cell.colour == "green"  ? "32m"
                                               : "34;1m";
  return "\x1b[" + std::string(code) + text + "\x1b[39;0m";
}

void TableLayout::row(Cells cells) {
  for (bool more = true; more;) {
    more = false;
    Cells line = cells;
    for (std::size_t i = 0; i < cells.size(); ++i) {
      std::string& left = cells[i].text;
      if (text_width(left) > widths_[i] || left.find('\n') != std::string::npos) {
        line[i].text = take_line(left, widths_[i], cells[i].coloured);
        more = more || !left.empty();
      } else {
        left = " ";
        cells[i].coloured = false;
      }
    }
    boxed_ ? boxed_line(line) : plain_line(line);
  }
}

void TableLayout::boxed_line(const Cells& line) {
  for (std::size_t i = 0; i < line.size(); ++i) {
    sink_.write(box_.upright + " ");
    line[i].coloured ? sink_.write_raw(painted(line[i], i)) : sink_.write(fitted(line[i].text, i));
    sink_.write(blanks(pad_));
  }
  sink_.write(box_.upright + "\n");
}

// Blanks at the end of a line are left out, but those of a coloured cell.
void TableLayout::plain_line(const Cells& line) {
  std::string out;
  int owed = 0;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i].coloured) {
      sink_.write(out + blanks(owed));
      out.clear();
      sink_.write_raw(painted(line[i], i));
      owed = pad_;
      continue;
    }
    const std::string value = fitted(line[i].text, i);
    const std::u32string points = code_points(value);
    const std::string stripped = utf8(right_trimmed(points));
    if (stripped.empty()) {
      owed += pad_ + text_width(value);
      continue;
    }
    out += blanks(owed) + stripped;
    owed = pad_ + text_width(value) - text_width(stripped);
  }
  sink_.write(out + "\n");
}

}  // namespace tpuctl::cli::output
