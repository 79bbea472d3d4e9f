// SPDX-License-Identifier: Apache-2.0
// table(...): columns as wide as their widest cell, two blanks between them, no blanks at the end of a line.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "base/text.hpp"
#include "cli/output/printer.hpp"

namespace tpuctl::cli::output {

namespace {

constexpr int kPad = 2;

struct Row {
  std::vector<std::string> cells;
  std::vector<Json> sort_values;  ///< of the sorting columns, by rank
};

std::string justified(const std::string& text, int width, Align align) {
  const int room = std::max(0, width - display_width(text));
  const int middle = room / 2 + (room & width & 1);  // Python's str.center
  const int left = align == Align::right ? room : align == Align::center ? middle : 0;
  return std::string(static_cast<std::size_t>(left), ' ') + text +
         std::string(static_cast<std::size_t>(room - left), ' ');
}

// Takes the first line of a cell that is wider than its column or holds several lines.
std::string take_line(std::string& cell, int width) {
  std::string whole = std::move(cell);
  const auto newline = whole.find('\n');
  std::string line = whole.substr(0, newline);
  if (display_width(line) <= width) {
    cell = newline == std::string::npos ? "" : whole.substr(newline + 1);
    return line;
  }
  std::string head = elide(line, width, "");
  const auto blank = head.find_last_of(' ');
  if (whole[head.size()] != ' ' && blank != std::string::npos && blank > 0) head.erase(blank);
  cell = whole.substr(head.size());
  cell.erase(0, cell.find_first_not_of(" \n"));
  return head.substr(0, head.find_last_not_of(' ') + 1);
}

class TablePrinter : public Printer {
 public:
  explicit TablePrinter(Setting setting) : set_(std::move(setting)), columns_(set_.format.columns) {
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      if (columns_[i].sort.value_or(0) > 0 && !set_.presorted) order_.push_back(i);
    }
    std::stable_sort(order_.begin(), order_.end(),
                     [&](std::size_t a, std::size_t b) { return *columns_[a].sort < *columns_[b].sort; });
  }

  void add(const Json& resource) override {
    Row row;
    const auto values = project(columns_, resource, !set_.format.has("no-transforms"));
    for (const Json& value : values) row.cells.push_back(text::printable(display(value)));
    for (const std::size_t index : order_) row.sort_values.push_back(values[index]);
    rows_.push_back(std::move(row));
  }

  void finish() override {
    if (rows_.empty()) return;
    sort_rows();
    drop_empty_optional();
    if (set_.screen_reader) return print_flat();
    measure();
    const std::string title = set_.format.get("title", "");
    if (!title.empty()) print_title(title);
    const bool heading =
        !set_.format.has("no-heading") &&
        std::any_of(columns_.begin(), columns_.end(), [](const Column& one) { return !one.label->empty(); });
    if (boxed()) rule(title.empty() ? Edge::top : Edge::under_title);
    if (heading) print_row(labels(), boxed());
    if (boxed() && heading) rule(Edge::middle);
    bool first = true;
    for (Row& row : rows_) {
      if (!first && set_.format.has("all-box")) rule(Edge::middle);
      first = false;
      print_row(std::move(row.cells), false);
    }
    if (boxed()) rule(Edge::bottom);
  }

 private:
  bool boxed() const { return set_.format.has("box") || set_.format.has("all-box"); }

  std::vector<std::string> labels() const {
    std::vector<std::string> out;
    for (const Column& column : columns_) out.push_back(*column.label);
    return out;
  }

  // Numbers before texts, as gcloud sorts its columns.
  static int compare(const Json& a, const Json& b) {
    if (a.is_number() != b.is_number()) return a.is_number() ? -1 : 1;
    if (a.is_number() && a.number() != b.number()) return a.number() < b.number() ? -1 : 1;
    return display(a).compare(display(b));
  }

  void sort_rows() {
    if (order_.empty()) return;
    std::stable_sort(rows_.begin(), rows_.end(), [&](const Row& a, const Row& b) {
      for (std::size_t i = 0; i < order_.size(); ++i) {
        const int by = compare(a.sort_values[i], b.sort_values[i]);
        if (by != 0) return columns_[order_[i]].reverse.value_or(false) ? by > 0 : by < 0;
      }
      return false;
    });
  }

  void drop_empty_optional() {
    for (std::size_t i = columns_.size(); i-- > 0;) {
      if (!columns_[i].optional.value_or(false)) continue;
      if (std::any_of(rows_.begin(), rows_.end(), [&](const Row& row) { return !row.cells[i].empty(); })) continue;
      const auto at = static_cast<std::ptrdiff_t>(i);
      columns_.erase(columns_.begin() + at);
      for (Row& row : rows_) row.cells.erase(row.cells.begin() + at);
    }
  }

  void measure() {
    const bool heading = !set_.format.has("no-heading");
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      int width = heading ? display_width(*columns_[i].label) : 0;
      for (const Row& row : rows_) width = std::max(width, display_width(row.cells[i]));
      widths_.push_back(std::max(width, columns_[i].width.value_or(0)));
    }
    shrink();
  }

  // Columns with :wrap share what the others leave of the screen.
  void shrink() {
    const int pads =
        boxed() ? static_cast<int>(widths_.size()) * 3 + 1 : (static_cast<int>(widths_.size()) - 1) * pad();
    const int room = set_.io.width - pads;
    if (std::accumulate(widths_.begin(), widths_.end(), 0) <= room) return;
    int fixed = 0, wrapped = 0;
    for (std::size_t i = 0; i < widths_.size(); ++i) {
      const bool wraps = columns_[i].wrap.value_or(0) > 0;
      (wraps ? wrapped : fixed) += wraps ? 1 : widths_[i];
    }
    for (std::size_t i = 0; i < widths_.size() && wrapped > 0; ++i) {
      const int least = columns_[i].wrap.value_or(0);
      if (least > 0) widths_[i] = std::max((room - fixed) / wrapped, std::min(least, widths_[i]));
    }
  }

  int pad() const { return static_cast<int>(text::parse_int(set_.format.get("pad", "")).value_or(kPad)); }

  void print_title(const std::string& title) {
    const int columns = static_cast<int>(widths_.size());
    int width = std::accumulate(widths_.begin(), widths_.end(), 0);
    if (width < display_width(title)) {  // the columns make room
      const int more = (display_width(title) + columns - 1) / columns;
      for (int& one : widths_) one += more;
      width += columns * more;
    }
    if (boxed()) {
      width += 3 * columns - 1;
      const std::string flat = mark("─", "-");
      set_.io.out(line(mark("┌", "+"), flat, mark("┐", "+")) + mark("│", "|") + justified(title, width, Align::center) +
                  mark("│", "|") + "\n");
      return;
    }
    std::string text = justified(title, width + (columns - 1) * pad(), Align::center);
    set_.io.out(text.erase(text.find_last_not_of(' ') + 1) + "\n");
  }

  enum class Edge { top, under_title, middle, bottom };

  std::string mark(const char* drawn, const char* plain) const { return set_.io.utf8 ? drawn : plain; }

  void rule(Edge edge) {
    const bool last = edge == Edge::bottom;
    const std::string left = mark(edge == Edge::top ? "┌" : last ? "└" : "├", "+");
    const std::string cross = mark(edge == Edge::middle ? "┼" : last ? "┴" : "┬", "+");
    const std::string right = mark(edge == Edge::top ? "┐" : last ? "┘" : "┤", "+");
    set_.io.out(line(left, cross, right));
  }

  std::string line(const std::string& left, const std::string& cross, const std::string& right) const {
    std::string out = left;
    for (std::size_t i = 0; i < widths_.size(); ++i) {
      for (int j = 0; j < widths_[i] + 2; ++j) out += mark("─", "-");
      out += i + 1 < widths_.size() ? cross : right;
    }
    return out + "\n";
  }

  void print_row(std::vector<std::string> cells, bool centred) {
    const std::string bar = mark("│", "|");
    bool more = true;
    while (more) {
      more = false;
      std::string text_line = boxed() ? bar : "";
      for (std::size_t i = 0; i < cells.size(); ++i) {
        const std::string text = take_line(cells[i], widths_[i]);
        more = more || !cells[i].empty();
        const std::string cell =
            justified(text, widths_[i], centred ? Align::center : columns_[i].align.value_or(Align::left));
        text_line +=
            boxed() ? " " + cell + " " + bar : (i == 0 ? "" : std::string(static_cast<std::size_t>(pad()), ' ')) + cell;
      }
      if (!boxed()) text_line.erase(text_line.find_last_not_of(' ') + 1);
      set_.io.out(text_line + "\n");
    }
  }

  void print_flat() {
    bool first = true;
    for (const Row& row : rows_) {
      if (!first) set_.io.out("\n");
      first = false;
      for (std::size_t i = 0; i < columns_.size(); ++i) {
        const std::string& label = *columns_[i].label;
        const bool named = !label.empty() && !set_.format.has("no-heading");
        set_.io.out(named ? fmt::format("{}: {}\n", label, row.cells[i]) : row.cells[i] + "\n");
      }
    }
  }

  Setting set_;
  std::vector<Column> columns_;
  std::vector<std::size_t> order_;  ///< sorting columns by rank
  std::vector<Row> rows_;
  std::vector<int> widths_;
};

}  // namespace

std::unique_ptr<Printer> make_table(Setting setting) { return std::make_unique<TablePrinter>(std::move(setting)); }

}  // namespace tpuctl::cli::output
