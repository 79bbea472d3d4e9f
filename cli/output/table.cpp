// SPDX-License-Identifier: Apache-2.0
// table(...): columns as wide as their widest cell. Only the cells of a row are kept until all rows are there.
#include <algorithm>
#include <limits>

#include "base/text.hpp"
#include "cli/output/display.hpp"
#include "cli/output/table_layout.hpp"

namespace tpuctl::cli::output {

namespace {

struct Row {
  std::vector<Json> values;
  std::vector<std::string> colours;  ///< empty when no column has colours
};

std::string text_of(const Json& value) {
  if (value.is_number() && !is_integer(value)) return rounded(value.number());
  return text::printable(display(value));
}

// Numbers before texts, and among the latter by the text.
int compare(const Json& a, const Json& b) {
  auto number = [](const Json& value) {
    return value.is_number() || value.is_bool() ? to_number(value).value_or(0)
                                                : std::numeric_limits<double>::infinity();
  };
  const double left = number(a), right = number(b);
  if (left != right) return left < right ? -1 : 1;
  return text_of(a).compare(text_of(b));
}

class TablePrinter : public Printer {
 public:
  explicit TablePrinter(Setting setting) : set_(std::move(setting)), columns_(set_.projection.columns) {
    aggregates_ = true;
    for (const Column& column : columns_) {
      const Attribute& about = *column.about;
      coloured_ = coloured_ || (about.chain && !about.chain->calls.empty() && about.chain->calls.back().colouring);
      if (about.subformat.empty() && !about.hidden) aggregates_ = false;
    }
    for (const Column& column : columns_) {
      const std::string& format = column.about->subformat;
      const std::shared_ptr<Sink> inner = aggregates_ ? set_.sink : std::static_pointer_cast<Sink>(nested_);
      nested_printers_.push_back(format.empty() ? nullptr : make_printer(format, inner, set_.screen));
      has_nested_ = has_nested_ || nested_printers_.back();
    }
  }

  void add(const Json& resource, bool) override {
    printed_ = true;
    Row row;
    row.values = set_.projection.row(resource, false, coloured_ ? &row.colours : nullptr);
    rows_.push_back(std::move(row));
  }

  bool printed() const override { return printed_ && !nothing_visible_; }

  void finish() override {
    if (rows_.empty()) return;
    if (aggregates_) return print_aggregates();
    sort_rows();
    visible_.clear();
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      const Attribute& about = *columns_[i].about;
      if (!about.hidden && !nested_printers_[i] && !is_empty_optional(i)) visible_.push_back(i);
    }
    nothing_visible_ = visible_.empty();
    if (!nothing_visible_) set_.screen.reader ? print_flat() : print_table();
    rows_.clear();
  }

 private:
  // A format for each key and no cells: each format goes over all rows.
  void print_aggregates() {
    nothing_visible_ = true;
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      if (!nested_printers_[i]) continue;
      for (const Row& row : rows_) nested_printers_[i]->print(row.values[i], true);
      nested_printers_[i]->finish();
      if (nested_printers_[i]->printed()) nothing_visible_ = false;
    }
    rows_.clear();
  }

  void sort_rows() {
    const auto order = set_.projection.order();
    if (order.empty()) return;
    std::stable_sort(rows_.begin(), rows_.end(), [&](const Row& a, const Row& b) {
      for (const auto& [column, reverse] : order) {
        const int by = compare(a.values[column], b.values[column]);
        if (by != 0) return reverse ? by > 0 : by < 0;
      }
      return false;
    });
  }

  bool is_empty_optional(std::size_t column) const {
    return columns_[column].about->optional.value_or(false) &&
           std::all_of(rows_.begin(), rows_.end(), [&](const Row& row) { return display(row.values[column]).empty(); });
  }

  std::vector<std::string> visible_labels() const {
    std::vector<std::string> out;
    const auto labels = set_.projection.labels();
    if (labels.empty() || set_.projection.has("no-heading")) return out;
    for (const std::size_t i : visible_) out.push_back(labels[i]);
    return out;
  }

  Cells cells(const Row& row) const {
    Cells out;
    for (const std::size_t i : visible_) {
      Cell cell{text_of(row.values[i]), false, {}};
      if (!row.colours.empty() && !row.colours[i].empty()) {
        cell.coloured = true;
        cell.colour = row.colours[i];
      }
      out.push_back(std::move(cell));
    }
    return out;
  }

  void print_table() {
    std::vector<Cells> all;
    for (Row& row : rows_) {
      all.push_back(cells(row));
      if (!has_nested_) row = Row{};
    }
    auto labels = visible_labels();
    TableLayout layout(set_.projection, set_.screen, *set_.sink);
    measure(layout, all, labels);
    const bool titled = set_.projection.has("title");
    if (titled) layout.title(set_.projection.get("title"));
    if (layout.boxed()) {
      layout.top_rule(titled);
      if (!labels.empty()) {
        layout.boxed_heading(labels);
        layout.middle_rule();
      }
    } else if (!labels.empty()) {
      Cells heading;
      for (const std::string& label : labels) heading.push_back({label, false, {}});
      layout.row(std::move(heading));
    }
    const bool nested_rules = layout.boxed() && has_nested_;
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (i != 0 && nested_rules) layout.top_rule(titled);
      if (i != 0 && !nested_rules && layout.boxed() && set_.projection.has("all-box")) layout.middle_rule();
      layout.row(std::move(all[i]));
      if (!has_nested_) continue;
      if (layout.boxed()) layout.bottom_rule();
      print_nested(rows_[i], "    ");
    }
    if (layout.boxed() && !nested_rules) layout.bottom_rule();
  }

  void measure(TableLayout& layout, const std::vector<Cells>& all, const std::vector<std::string>& labels) const {
    std::vector<int> widths, wraps;
    std::vector<Align> alignment;
    for (std::size_t i = 0; i < visible_.size(); ++i) {
      int width = labels.empty() ? 0 : text_width(labels[i]);
      for (const Cells& row : all) width = std::max(width, text_width(row[i].text));
      const Attribute& about = *columns_[visible_[i]].about;
      widths.push_back(std::max(width, about.width.value_or(0)));
      wraps.push_back(about.wrap.value_or(0));
      alignment.push_back(about.align);
    }
    layout.set_widths(std::move(widths), wraps);
    layout.set_alignment(std::move(alignment));
  }

  // What the formats inside cells print, each line behind `indent`; with `apart` with an empty line around it.
  void print_nested(const Row& row, const std::string& indent, bool apart = false) {
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      if (!nested_printers_[i]) continue;
      nested_printers_[i]->print(row.values[i]);
      std::string_view left = nested_->text;
      if (apart && !left.empty()) set_.sink->write("\n");
      for (auto end = left.find('\n'); end != std::string_view::npos; end = left.find('\n')) {
        set_.sink->write_raw(indent + std::string(left.substr(0, end + 1)));
        left.remove_prefix(end + 1);
      }
      nested_->text.clear();
      if (apart) set_.sink->write("\n");
    }
  }

  // "LABEL: value" lines, for a reader that goes line by line.
  void print_flat() {
    if (set_.projection.has("title")) set_.sink->write(set_.projection.get("title") + "\n\n");
    const auto labels = visible_labels();
    bool first = true;
    for (const Row& row : rows_) {
      std::string out = first ? "" : "\n";
      first = false;
      for (std::size_t i = 0; i < visible_.size(); ++i) {
        const std::string label = labels.empty() ? "" : labels[i];
        out += (label.empty() ? "" : label + ": ") + text_of(row.values[visible_[i]]) + "\n";
      }
      set_.sink->write(out);
      if (has_nested_) print_nested(row, "", true);
    }
  }

  Setting set_;
  const std::vector<Column> columns_;
  std::shared_ptr<TextSink> nested_ = std::make_shared<TextSink>();  ///< of the formats inside cells
  std::vector<std::unique_ptr<Printer>> nested_printers_;            ///< by column; null for a cell
  std::vector<std::size_t> visible_;
  std::vector<Row> rows_;
  bool aggregates_ = false;
  bool has_nested_ = false;
  bool coloured_ = false;
  bool nothing_visible_ = false;
};

}  // namespace

std::unique_ptr<Printer> make_table(Setting setting) { return std::make_unique<TablePrinter>(std::move(setting)); }

}  // namespace tpuctl::cli::output
