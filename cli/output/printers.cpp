// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "base/error.hpp"
#include "base/text.hpp"
#include "cli/output/printer.hpp"
#include "cli/output/yaml.hpp"

namespace tpuctl::cli::output {

std::string shown(const Streams& io, std::string text) { return io.out_tty ? text::printable(text) : std::move(text); }

std::vector<Json> project(const std::vector<Column>& columns, const Json& resource, bool default_calls) {
  std::vector<Json> out;
  for (const Column& column : columns) {
    Json made;
    const Json& found = get(resource, column.key, made);
    const bool transformed = !column.calls.empty() && (default_calls || !column.from_default);
    out.push_back(transformed ? apply(column.calls, found) : found);
  }
  return out;
}

namespace {

// Puts `value` where `key` says, under the member names of the resource.
void put(Json& into, const Json& resource, std::span<const Step> key, const Column& column) {
  if (key.empty()) {
    into = column.calls.empty() || column.from_default ? resource : apply(column.calls, resource);
    return;
  }
  const Step& step = key.front();
  const auto rest = key.subspan(1);
  if (step.what == Step::name && resource.is_object()) {
    const Json* found = resource.find(step.text);
    if (!found) return;
    Json inner = into[step.text];
    put(inner, *found, rest, column);
    if (inner.is_null() && !rest.empty()) return;
    into.member(step.text) = std::move(inner);
  } else if (resource.is_array() && resource.size() == 0) {
    into = Json::array();
  } else if (resource.is_array() && step.what == Step::slice) {
    Json::Array& items = into.mutable_items();
    items.resize(std::max(items.size(), resource.size()));
    for (std::size_t i = 0; i < resource.size(); ++i) put(items[i], resource[i], rest, column);
  } else if (resource.is_array() && step.what == Step::index) {
    const std::int64_t at = step.number < 0 ? step.number + static_cast<std::int64_t>(resource.size()) : step.number;
    if (at < 0 || at >= static_cast<std::int64_t>(resource.size())) return;
    Json::Array& items = into.mutable_items();
    const auto index = static_cast<std::size_t>(at);
    items.resize(std::max(items.size(), index + 1));
    put(items[index], resource[index], rest, column);
  }
}

// JSON allows these as they are; a terminal would obey them.
std::string without_controls(std::string json) {
  std::string out;
  for (std::size_t i = 0; i < json.size(); ++i) {
    const auto c = static_cast<unsigned char>(json[i]);
    const auto next = i + 1 < json.size() ? static_cast<unsigned char>(json[i + 1]) : 0;
    if (c == 0x7F) {
      out += "\\u007f";
    } else if (c == 0xC2 && next >= 0x80 && next < 0xA0) {
      out += fmt::format("\\u{:04x}", next);
      ++i;
    } else {
      out += json[i];
    }
  }
  return out;
}

class JsonPrinter : public Printer {
 public:
  explicit JsonPrinter(Setting setting) : set_(std::move(setting)) {}

  void add(const Json& resource) override {
    Json record = set_.format.columns.empty() ? resource : project_tree(set_.format.columns, resource);
    if (set_.format.has("no-undefined")) record = without_nulls(record);
    std::string text = without_controls(record.pretty());
    if (set_.single) {
      set_.io.out(text + "\n");
      any_ = true;
      return;
    }
    set_.io.out((any_ ? ",\n  " : "[\n  ") + text::replace_all(std::move(text), "\n", "\n  "));
    any_ = true;
  }

  void finish() override {
    if (!any_) {
      set_.io.out("[]\n");
    } else if (!set_.single) {
      set_.io.out("\n]\n");
    }
  }

 private:
  Setting set_;
  bool any_ = false;
};

class YamlPrinter : public Printer {
 public:
  explicit YamlPrinter(Setting setting) : set_(std::move(setting)) {}
  void add(const Json& resource) override {
    Json record = set_.format.columns.empty() ? resource : project_tree(set_.format.columns, resource);
    if (set_.format.has("no-undefined")) record = without_nulls(record);
    set_.io.out(yaml(record, !set_.single, set_.format.get("null", "null")));
  }

 private:
  Setting set_;
};

/// csv(), value() and get().
class SeparatedPrinter : public Printer {
 public:
  explicit SeparatedPrinter(Setting setting) : set_(std::move(setting)) {
    const bool csv = set_.format.name == "csv";
    quote_ = csv ? !set_.format.has("no-quote") : set_.format.has("quote");
    heading_ = csv && !set_.format.has("no-heading");
    default_calls_ = set_.format.name != "get" && !set_.format.has("no-transforms");
    delimiter_ = set_.format.get("delimiter", ";");
    separator_ = set_.format.get("separator", csv ? "," : "\t");
    terminator_ = set_.format.get("terminator", "\n");
  }

  void add(const Json& resource) override {
    print_heading();
    std::vector<std::string> cells;
    for (const Json& value : project(set_.format.columns, resource, default_calls_)) cells.push_back(cell(value));
    set_.io.out(shown(set_.io, text::join(cells, separator_) + terminator_));
  }

 private:
  void print_heading() {
    if (!heading_) return;
    heading_ = false;
    std::vector<std::string> labels;
    bool any = false;
    for (const Column& column : set_.format.columns) {
      labels.push_back(quoted(text::lower(column.label.value_or(""))));
      any = any || !labels.back().empty();
    }
    if (any) set_.io.out(text::join(labels, separator_) + terminator_);
  }

  std::string cell(const Json& value) const {
    if (!value.is_array() && !value.is_object()) return quoted(display(value));
    std::vector<std::string> parts;
    for (const Json& item : value.items()) parts.push_back(item.empty() ? "" : quoted(display(item)));
    std::vector<const Json::Member*> order;
    for (const Json::Member& member : value.members()) order.push_back(&member);
    std::sort(order.begin(), order.end(), [](const auto* a, const auto* b) { return a->name < b->name; });
    for (const auto* member : order) {
      const std::string shown_value = member->value.is_null() ? "None" : display(member->value);
      parts.push_back(quoted(fmt::format("{}={}", member->name, shown_value)));
    }
    return text::join(parts, delimiter_);
  }

  std::string quoted(const std::string& field) const {
    auto holds = [&](const std::string& what) { return !what.empty() && field.find(what) != std::string::npos; };
    if (!quote_ || field.empty()) return field;
    const bool needed = holds(delimiter_) || holds("\"") || holds(separator_) || holds(terminator_) ||
                        text::trim(field).size() != field.size();
    return needed ? "\"" + text::replace_all(field, "\"", "\"\"") + "\"" : field;
  }

  Setting set_;
  bool quote_ = false;
  bool heading_ = false;
  bool default_calls_ = true;
  std::string delimiter_, separator_, terminator_;
};

class NonePrinter : public Printer {
 public:
  void add(const Json&) override {}
};

template <class Made>
std::unique_ptr<Printer> make(Setting setting) {
  return std::make_unique<Made>(std::move(setting));
}
std::unique_ptr<Printer> make_none(Setting) { return std::make_unique<NonePrinter>(); }

struct Row {
  std::string_view name;
  bool needs_columns;
  MakePrinter make;
};
constexpr Row kRows[] = {
    {"config", false, make_config},
    {"csv", true, make<SeparatedPrinter>},
    {"default", false, make<YamlPrinter>},
    {"disable", false, make_none},
    {"flattened", false, make_flat},
    {"get", true, make<SeparatedPrinter>},
    {"json", false, make<JsonPrinter>},
    {"list", false, make_list},
    {"none", false, make_none},
    {"table", true, make_table},
    {"text", false, make_flat},
    {"value", true, make<SeparatedPrinter>},
    {"yaml", false, make<YamlPrinter>},
};

}  // namespace

Json project_tree(const std::vector<Column>& columns, const Json& resource) {
  Json out;
  for (const Column& column : columns) put(out, resource, column.key, column);
  return out;
}

const std::vector<std::string>& format_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> out;
    for (const Row& row : kRows) out.emplace_back(row.name);
    return out;
  }();
  return names;
}

std::unique_ptr<Printer> make_printer(Setting setting) {
  const std::string name = setting.format.name.empty() ? "none" : setting.format.name;
  const auto row = std::find_if(std::begin(kRows), std::end(kRows), [&](const Row& one) { return one.name == name; });
  if (row->needs_columns && setting.format.columns.empty()) {
    throw Error(tpuctl::Kind::usage,
                fmt::format("argument --format: Format [{0}] requires a non-empty projection. Name the "
                            "fields to print: {0}(name, state).",
                            name));
  }
  return row->make(std::move(setting));
}

}  // namespace tpuctl::cli::output
