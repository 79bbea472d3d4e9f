// SPDX-License-Identifier: Apache-2.0
// text (also named flattened), list and config.
#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "base/text.hpp"
#include "cli/output/printer.hpp"

namespace tpuctl::cli::output {

namespace {

std::vector<const Json::Member*> sorted(const Json& object) {
  std::vector<const Json::Member*> out;
  for (const Json::Member& one : object.members()) out.push_back(&one);
  std::sort(out.begin(), out.end(), [](const auto* a, const auto* b) { return a->name < b->name; });
  return out;
}

std::string python_text(const Json& value) { return value.is_null() ? "None" : display(value); }

Json record_of(const Format& format, const Json& resource) {
  return without_nulls(format.columns.empty() ? resource : project_tree(format.columns, resource));
}

/// "a.b[0].c: value", the values below each other.
class FlatPrinter : public Printer {
 public:
  explicit FlatPrinter(Setting setting) : set_(std::move(setting)) {
    for (const Column& column : set_.format.columns)
      labels_.emplace_back(key_text(column.key), text::lower(*column.label));
  }

  void add(const Json& resource) override {
    lines_.clear();
    walk(record_of(set_.format, resource), "");
    if (!set_.single) set_.io.out("---\n");
    int widest = 0;
    for (const auto& [name, value] : lines_) widest = std::max(widest, display_width(name));
    const std::string separator = set_.format.get("separator", ": ");
    for (const auto& [name, value] : lines_) {
      const int pad = set_.format.has("no-pad") ? 0 : widest - display_width(name);
      set_.io.out(shown(set_.io, name + separator + std::string(static_cast<std::size_t>(pad), ' ') + value + "\n"));
    }
  }

 private:
  void walk(const Json& value, const std::string& name) {
    if (value.is_array() && value.size() != 0) {
      for (std::size_t i = 0; i < value.size(); ++i) walk(value[i], fmt::format("{}[{}]", name, i));
    } else if (value.is_object() && value.size() != 0) {
      for (const auto* one : sorted(value)) walk(one->value, name.empty() ? one->name : name + "." + one->name);
    } else {
      lines_.emplace_back(label(name), quoted(python_text(value)));
    }
  }

  std::string label(const std::string& name) const {
    for (const auto& [key, its_label] : labels_) {
      if (key == name && !its_label.empty()) return its_label;
    }
    return name;
  }

  static std::string quoted(const std::string& text) {
    if (text.find('\n') == std::string::npos && text::trim(text).size() == text.size()) return text;
    std::string out = "\"";
    for (const char c : text) {
      constexpr std::string_view kPlain = "\f\n\r\t", kLetters = "fnrt";
      const auto at = kPlain.find(c);
      if (at != std::string_view::npos) {
        out += {'\\', kLetters[at]};
      } else {
        if (c == '"' || c == '\\') out += '\\';
        out += c;
      }
    }
    return out + "\"";
  }

  Setting set_;
  std::vector<std::pair<std::string, std::string>> labels_;
  std::vector<std::pair<std::string, std::string>> lines_;
};

/// " - value", the further values of a record below.
class ListPrinter : public Printer {
 public:
  explicit ListPrinter(Setting setting) : set_(std::move(setting)) {}

  void add(const Json& resource) override {
    const std::string title = set_.format.get("title", "");
    if (!titled_ && !title.empty()) set_.io.out(title + "\n");
    titled_ = true;
    std::vector<std::string> parts;
    if (!set_.format.columns.empty()) {
      for (const Json& value : project(set_.format.columns, resource)) {
        if (!value.is_null()) parts.push_back(display(value));
      }
    } else if (resource.is_object()) {
      for (const auto* one : sorted(resource)) {
        if (!one->value.is_null()) parts.push_back(one->name + ": " + display(one->value));
      }
    } else {
      parts.push_back(display(resource));
    }
    const bool compact = set_.format.has("compact");
    set_.io.out(shown(set_.io, " - " + text::join(parts, compact ? " " : "\n   ") + "\n"));
  }

 private:
  Setting set_;
  bool titled_ = false;
};

/// INI: "name = value" under "[section]"; with [export] or [unset] lines for a shell.
class ConfigPrinter : public Printer {
 public:
  explicit ConfigPrinter(Setting setting) : set_(std::move(setting)) {
    if (set_.format.has("title")) set_.io.out(set_.format.get("title", "") + "\n");
  }

  void add(const Json& resource) override {
    const Json record = set_.format.columns.empty() ? resource : project_tree(set_.format.columns, resource);
    if (!record.is_object()) return;
    const bool shell = set_.format.has("export") || set_.format.has("unset");
    set_.io.out(shown(set_.io, shell ? lines(record, "") : category(record, "")));
  }

 private:
  static Json as_object(const Json& value) {
    if (value.is_object()) return value;
    Json out = Json::object();
    for (std::size_t i = 0; i < value.size(); ++i) out.member(std::to_string(i)) = value[i];
    return out;
  }

  static std::string category(const Json& items, const std::string& label) {
    std::string top, below;
    for (const auto* one : sorted(items)) {
      if (one->value.is_object() || one->value.is_array()) {
        below += category(as_object(one->value), label.empty() ? one->name : label + "." + one->name);
      } else if (one->value.is_null()) {
        top += one->name + " (unset)\n";
      } else {
        top += one->name + " = " + display(one->value) + "\n";
      }
    }
    const bool headed = !label.empty() && (!top.empty() || (!below.empty() && !below.starts_with('[')));
    return (headed ? "[" + label + "]\n" : "") + top + below;
  }

  std::string lines(const Json& items, const std::string& prefix) const {
    std::string out;
    const bool unset = set_.format.has("unset");
    for (const auto* one : sorted(items)) {
      const std::string name = prefix + one->name;
      if (one->value.is_object()) {
        out += lines(one->value, name + "_");
      } else if (one->value.is_array()) {
        for (std::size_t i = 0; i < one->value.size(); ++i) {
          const Json& item = one->value[i];
          out += lines(item.is_object() ? item : Json{{fmt::format("I{}", i), item}}, name + "_");
        }
      } else if (unset) {
        out += "unset " + name + "\n";
      } else if (one->value.is_null()) {
        out += name + " (unset)\n";
      } else {
        out += "export " + name + "=" + text::shell_quote(display(one->value)) + "\n";
      }
    }
    return out;
  }

  Setting set_;
};

}  // namespace

Json without_nulls(const Json& value) {
  if (value.is_object()) {
    Json out = Json::object();
    for (const Json::Member& one : value.members()) {
      if (!one.value.is_null()) out.member(one.name) = without_nulls(one.value);
    }
    return out;
  }
  if (!value.is_array()) return value;
  Json out = Json::array();
  for (const Json& item : value.items()) out.push(without_nulls(item));
  return out;
}

std::unique_ptr<Printer> make_flat(Setting setting) { return std::make_unique<FlatPrinter>(std::move(setting)); }
std::unique_ptr<Printer> make_list(Setting setting) { return std::make_unique<ListPrinter>(std::move(setting)); }
std::unique_ptr<Printer> make_config(Setting setting) { return std::make_unique<ConfigPrinter>(std::move(setting)); }

}  // namespace tpuctl::cli::output
