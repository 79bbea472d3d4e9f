// SPDX-License-Identifier: Apache-2.0
// The table of formats, and those that need no more than a few lines.
#include "cli/output/printer.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"
#include "base/text.hpp"
#include "cli/output/display.hpp"
#include "cli/output/yaml.hpp"
#include "cli/suggest.hpp"

namespace tpuctl::cli::output {

namespace {

class YamlPrinter : public Printer {
 public:
  explicit YamlPrinter(Setting setting) : set_(std::move(setting)) {
    nulls_ = !set_.projection.has("no-undefined");
    null_text_ = set_.projection.get("null", "null");
    const std::string version = set_.projection.get("version");
    if (!version.empty() && version != "1.2") {
      throw Error(tpuctl::Kind::usage, fmt::format("argument --format: YAML {} is not supported, only 1.2.", version));
    }
    if (!version.empty()) directive_ = "%YAML 1.2\n";
  }

  void add(const Json& resource, bool of_list) override {
    printed_ = true;
    Json made;
    set_.sink->write(directive_ +
                     yaml(set_.projection.shape(resource, nulls_, made), of_list || !directive_.empty(), null_text_));
  }

 private:
  Setting set_;
  bool nulls_;
  std::string null_text_, directive_;
};

/// csv(), value() and get().
class SeparatedPrinter : public Printer {
 public:
  explicit SeparatedPrinter(Setting setting) : set_(std::move(setting)) {
    const Projection& format = set_.projection;
    const bool csv = format.format == "csv";
    quote_ = csv ? !format.has("no-quote") : format.has("quote");
    heading_ = csv && !format.has("no-heading");
    plain_ = format.format == "get";
    delimiter_ = format.get("delimiter", ";");
    separator_ = format.get("separator", csv ? "," : "\t");
    terminator_ = format.get("terminator", "\n");
  }

  void add(const Json& resource, bool) override {
    printed_ = true;
    line_.clear();
    if (heading_) heading();
    heading_ = false;
    const auto values = set_.projection.row(resource, plain_);
    bool first = true;
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (set_.projection.columns[i].about->hidden) continue;
      if (!first) line_ += separator_;
      first = false;
      add_cell(values[i]);
    }
    set_.sink->write(line_ += terminator_);
  }

 private:
  void heading() {
    const auto labels = set_.projection.labels();
    if (labels.empty()) return;
    bool first = true;
    for (std::size_t i = 0; i < labels.size(); ++i) {
      if (set_.projection.columns[i].about->hidden) continue;
      if (!first) line_ += separator_;
      first = false;
      add_field(text::lower(labels[i]));
    }
    line_ += terminator_;
  }

  void add_cell(const Json& value) {
    if (value.is_number()) return add_field(is_integer(value) ? display(value) : rounded(value.number()));
    if (!value.is_array() && !value.is_object()) return add_field(display(value));
    bool first = true;
    auto delimit = [&] {
      if (!first) line_ += delimiter_;
      first = false;
    };
    for (const Json& item : value.items()) {
      delimit();
      if (truthy(item)) add_field(display(item));
    }
    std::vector<const Json::Member*> order;
    for (const Json::Member& member : value.members()) order.push_back(&member);
    std::sort(order.begin(), order.end(), [](const auto* a, const auto* b) { return a->name < b->name; });
    for (const auto* member : order) {
      delimit();
      add_field(fmt::format("{}={}", member->name, python_text(member->value)));
    }
  }

  void add_field(const std::string& field) {
    auto holds = [&](const std::string& what) { return field.find(what) != std::string::npos; };
    const bool needed = quote_ && !field.empty() &&
                        (holds(delimiter_) || holds("\"") || holds(separator_) || holds(terminator_) ||
                         text::trim(field).size() != field.size());
    line_ += needed ? "\"" + text::replace_all(field, "\"", "\"\"") + "\"" : field;
  }

  Setting set_;
  bool quote_ = false;
  bool heading_ = false;
  bool plain_ = false;  ///< no transforms
  std::string delimiter_, separator_, terminator_;
  std::string line_;
};

/// A format for each key: multi(data:format=json, info:format='table(a, b)').
class MultiPrinter : public Printer {
 public:
  explicit MultiPrinter(Setting setting) : set_(std::move(setting)) {
    for (const Column& column : set_.projection.columns) {
      if (column.about->subformat.empty()) {
        throw Error(tpuctl::Kind::usage, "argument --format: " + key_text(column.key) + " requires format attribute.",
                    "Like this: multi(" + key_text(column.key) + ":format=json)");
      }
      printers_.push_back(make_printer(column.about->subformat, set_.sink, set_.screen));
    }
  }

  void add(const Json& resource, bool of_list) override {
    printed_ = true;
    Json made;
    const Json& record = set_.projection.shape(resource, false, made);
    const std::string separator = set_.projection.get("separator");
    for (std::size_t i = 0; i < printers_.size(); ++i) {
      if (i != 0 || of_list) set_.sink->write(separator);
      Json scratch;
      if (printers_[i]) printers_[i]->print(get(record, set_.projection.columns[i].key, scratch));
    }
    set_.sink->write(set_.projection.get("terminator"));
  }

 private:
  Setting set_;
  std::vector<std::unique_ptr<Printer>> printers_;
};

class NonePrinter : public Printer {
 public:
  void add(const Json&, bool) override { printed_ = true; }
};

// NOLINTNEXTLINE(performance-unnecessary-value-param): the rows below have one signature
std::unique_ptr<Printer> make_none(Setting) { return std::make_unique<NonePrinter>(); }

// gcloud's two formats that show Python's own view of an object; nothing of Cloud TPU uses them.
// NOLINTNEXTLINE(performance-unnecessary-value-param): the same
std::unique_ptr<Printer> refuse(Setting setting) {
  const std::string& name = setting.projection.format;
  throw Error(tpuctl::Kind::usage, fmt::format("argument --format: The format {} is not supported.", name),
              name == "diff" ? "Print two resources with --format=flattened and compare them with diff."
                             : "To see all of a resource, use --format=yaml or --format=json.");
}

struct Row {
  std::string_view name;
  bool needs_columns;
  MakePrinter make;
};
constexpr Row kRows[] = {
    {"config", false, make_config}, {"csv", true, make_separated}, {"default", false, make_yaml},
    {"diff", false, refuse},        {"disable", false, make_none}, {"flattened", false, make_flat},
    {"get", true, make_separated},  {"json", false, make_json},    {"list", false, make_list},
    {"multi", false, make_multi},   {"none", false, make_none},    {"object", false, refuse},
    {"table", true, make_table},    {"text", false, make_flat},    {"value", true, make_separated},
    {"yaml", false, make_yaml},
};

}  // namespace

void StreamSink::write(std::string_view text) { io_.out_tty ? io_.out(text::printable(text)) : io_.out(text); }

void Printer::print(const Json& value, bool goes_on) {
  if (value.is_array()) {
    for (const Json& item : value.items()) add(item, true);
  } else if (truthy(value)) {
    add(value, goes_on);
  }
  if (!goes_on) finish();
}

std::unique_ptr<Printer> make_yaml(Setting setting) { return std::make_unique<YamlPrinter>(std::move(setting)); }
std::unique_ptr<Printer> make_multi(Setting setting) { return std::make_unique<MultiPrinter>(std::move(setting)); }
std::unique_ptr<Printer> make_separated(Setting setting) {
  return std::make_unique<SeparatedPrinter>(std::move(setting));
}

const std::vector<std::string>& format_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> out;
    for (const Row& row : kRows) {
      if (row.make != refuse) out.emplace_back(row.name);
    }
    return out;
  }();
  return names;
}

std::unique_ptr<Printer> make_printer(Setting setting) {
  const std::string name = setting.projection.format;
  if (name.empty()) return nullptr;
  const auto row = std::find_if(std::begin(kRows), std::end(kRows), [&](const Row& one) { return one.name == name; });
  if (row == std::end(kRows)) {
    const std::string near = nearest(name, format_names());
    throw Error(
        tpuctl::Kind::usage,
        fmt::format("argument --format: Invalid choice: '{}'. Valid choices are [{}]{}", name,
                    text::join(format_names(), ", "), near.empty() ? "." : fmt::format(" (did you mean '{}'?)", near)),
        "`tpuctl help formats` explains them.");
  }
  if (setting.projection.has("disable")) return make_none(std::move(setting));
  if (row->needs_columns && setting.projection.columns.empty()) {
    throw Error(tpuctl::Kind::usage,
                fmt::format("argument --format: Format [{0}] requires a non-empty projection. Name the "
                            "fields to print: {0}(name, state).",
                            name));
  }
  return row->make(std::move(setting));
}

std::unique_ptr<Printer> make_printer(std::string_view format, std::shared_ptr<Sink> sink, const Screen& screen) {
  return make_printer({std::move(sink), screen, read_projection("", format)});
}

}  // namespace tpuctl::cli::output
