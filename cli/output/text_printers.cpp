// SPDX-License-Identifier: Apache-2.0
// text (also named flattened), list and config.
#include <fmt/format.h>

#include <algorithm>

#include "base/text.hpp"
#include "cli/output/display.hpp"
#include "cli/output/fold.hpp"
#include "cli/output/printer.hpp"

namespace tpuctl::cli::output {

namespace {

std::vector<const Json::Member*> sorted(const Json& object) {
  std::vector<const Json::Member*> out;
  for (const Json::Member& one : object.members()) out.push_back(&one);
  std::sort(out.begin(), out.end(), [](const auto* a, const auto* b) { return a->name < b->name; });
  return out;
}

/// "a.b[0].c: value", the values below each other.
class FlatPrinter : public Printer {
 public:
  explicit FlatPrinter(Setting setting) : set_(std::move(setting)) {
    for (const Column& column : set_.projection.columns)
      labels_.emplace_back(key_text(column.key), *column.about->label);
    separator_ = set_.projection.get("separator", ": ");
    pads_ = !set_.projection.has("no-pad");
  }

  void add(const Json& resource, bool of_list) override {
    printed_ = true;
    lines_.clear();
    Json made;
    walk(set_.projection.shape(resource, false, made), "");
    std::string out = of_list ? "---\n" : "";
    std::size_t widest = 0;
    for (const auto& [name, value] : lines_) widest = std::max(widest, length_of(name));
    for (const auto& [name, value] : lines_) {
      out += name + separator_;
      if (pads_) out.append(widest - length_of(name), ' ');
      out += value + "\n";
    }
    set_.sink->write(out);
  }

 private:
  void walk(const Json& value, const std::string& name) {
    if (value.is_array() && value.size() != 0) {
      for (std::size_t i = 0; i < value.size(); ++i) walk(value[i], fmt::format("{}[{}]", name, i));
    } else if (value.is_object() && value.size() != 0) {
      for (const auto* one : sorted(value)) walk(one->value, name.empty() ? one->name : name + "." + one->name);
    } else {
      const bool fraction = value.is_number() && !is_integer(value);
      lines_.emplace_back(label(name), quoted(fraction ? rounded(value.number()) : python_text(value)));
    }
  }

  // The last label of a key counts.
  std::string label(const std::string& name) const {
    const auto found =
        std::find_if(labels_.rbegin(), labels_.rend(), [&](const auto& one) { return one.first == name; });
    return found == labels_.rend() ? name : lower_case(found->second);
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
  std::string separator_;
  bool pads_ = true;
};

/// " - value", the further values of a record below.
class ListPrinter : public Printer {
 public:
  explicit ListPrinter(Setting setting) : set_(std::move(setting)), title_(set_.projection.get("title")) {
    if (set_.projection.has("always-display-title")) write_title();
  }

  void add(const Json& resource, bool) override {
    printed_ = true;
    write_title();
    const std::string separator = set_.projection.has("compact") ? " " : "\n   ";
    set_.sink->write(" - " + text::join(parts(resource), separator) + "\n");
  }

 private:
  void write_title() {
    if (!title_.empty()) set_.sink->write(title_ + "\n");
    title_.clear();
  }

  std::vector<std::string> parts(const Json& resource) const {
    std::vector<std::string> out;
    if (!resource.is_object() && !resource.is_array()) {
      out.push_back(truthy(resource) ? display(resource) : "");
    } else if (!set_.projection.columns.empty()) {
      const auto values = set_.projection.row(resource);
      for (std::size_t i = 0; i < values.size(); ++i) {
        if (!values[i].is_null() && !set_.projection.columns[i].about->hidden) out.push_back(python_text(values[i]));
      }
    } else {
      Json made;
      const Json& record = set_.projection.shape(resource, false, made);
      for (const auto* one : sorted(record)) out.push_back(one->name + ": " + python_text(one->value));
      for (const Json& item : record.items()) {
        if (!item.is_null()) out.push_back(python_text(item));
      }
      if (!record.is_object() && !record.is_array()) out.push_back(display(record));
    }
    return out;
  }

  Setting set_;
  std::string title_;
};

/// INI: "name = value" under "[section]"; with [export] or [unset] lines for a shell.
class ConfigPrinter : public Printer {
 public:
  explicit ConfigPrinter(Setting setting) : set_(std::move(setting)) {
    if (set_.projection.has("title")) set_.sink->write(set_.projection.get("title") + "\n");
    exports_ = set_.projection.has("export");
    unsets_ = set_.projection.has("unset") && !exports_;
  }

  void add(const Json& resource, bool) override {
    printed_ = true;
    Json made;
    const Json& record = set_.projection.shape(resource, true, made);
    if (!record.is_object()) return;
    set_.sink->write(exports_ || unsets_ ? lines(record, "") : category(entries(record), ""));
  }

 private:
  using Entries = std::vector<std::pair<std::string, const Json*>>;

  // The members by name, or the items by number.
  static Entries entries(const Json& value) {
    Entries out;
    for (const auto* one : sorted(value)) out.emplace_back(one->name, &one->value);
    for (std::size_t i = 0; i < value.size() && value.is_array(); ++i)
      out.emplace_back(std::to_string(i), &value.items()[i]);
    return out;
  }

  static std::string category(const Entries& items, const std::string& label) {
    std::string top, below;
    for (const auto& [name, value] : items) {
      if (value->is_object() || value->is_array()) {
        below += category(entries(*value), label.empty() ? name : label + "." + name);
      } else if (value->is_null()) {
        top += name + " (unset)\n";
      } else {
        top += name + " = " + display(*value) + "\n";
      }
    }
    const bool headed = !label.empty() && (!top.empty() || (!below.empty() && !below.starts_with('[')));
    return (headed ? "[" + label + "]\n" : "") + top + below;
  }

  std::string lines(const Json& items, const std::string& prefix) const {
    std::string out;
    for (const auto* one : sorted(items)) {
      const std::string name = prefix + one->name;
      if (one->value.is_object()) {
        out += lines(one->value, name + "_");
      } else if (one->value.is_array()) {
        for (std::size_t i = 0; i < one->value.size(); ++i) {
          const Json& item = one->value[i];
          out += lines(item.is_object() ? item : Json{{fmt::format("I{}", i), item}}, name + "_");
        }
      } else if (unsets_) {
        out += "unset " + name + "\n";
      } else if (one->value.is_null()) {
        out += name + " (unset)\n";
      } else {
        out += "export " + name + "=" + quoted(display(one->value)) + "\n";
      }
    }
    return out;
  }

  // As Python's shlex writes a quote inside of quotes.
  static std::string quoted(const std::string& text) {
    return text::replace_all(text::shell_quote(text), R"('\'')", R"('"'"')");
  }

  Setting set_;
  bool exports_ = false, unsets_ = false;
};

}  // namespace

std::unique_ptr<Printer> make_flat(Setting setting) { return std::make_unique<FlatPrinter>(std::move(setting)); }
std::unique_ptr<Printer> make_list(Setting setting) { return std::make_unique<ListPrinter>(std::move(setting)); }
std::unique_ptr<Printer> make_config(Setting setting) { return std::make_unique<ConfigPrinter>(std::move(setting)); }

}  // namespace tpuctl::cli::output
