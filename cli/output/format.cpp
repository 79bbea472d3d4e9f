// SPDX-License-Identifier: Apache-2.0
#include "cli/output/format.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <deque>

#include "base/error.hpp"
#include "base/text.hpp"
#include "cli/suggest.hpp"

namespace tpuctl::cli::output {

namespace {

// camelCase member names as a heading: the last name of the key, more of it when that is taken.
class Headings {
 public:
  std::string make(const Key& key) {
    std::string label;
    for (auto step = key.rbegin(); step != key.rend(); ++step) {
      if (step->what != Step::name) continue;
      const std::string word = text::upper(snake_case(step->text));
      label = label.empty() ? word : word + "_" + label;
      if (std::find(taken_.begin(), taken_.end(), label) == taken_.end()) {
        taken_.push_back(label);
        break;
      }
    }
    return label;
  }

 private:
  std::vector<std::string> taken_;
};

std::string unescape(std::string value) {
  return text::replace_all(text::replace_all(std::move(value), "\\n", "\n"), "\\t", "\t");
}

class Parser {
 public:
  // May be called again with the next expression, which then wins over the ones before.
  void read(std::string_view text) {
    lexer_ = Lexer(text);
    while (lexer_.skip_space()) {
      const std::size_t here = lexer_.position();
      if (lexer_.take("(") != '\0') {
        out_.format.columns.clear();
        columns();
      } else if (lexer_.take("[") != '\0') {
        attributes();
      } else {
        const auto name = lexer_.token(":([");
        if (!name || !std::all_of(name->text.begin(), name->text.end(),
                                  [](char c) { return std::isalpha(static_cast<unsigned char>(c)); })) {
          lexer_.fail("Name expected", here);
        }
        if (!out_.format.name.empty()) out_.format.attributes.clear();
        out_.format.name = name->text;
        out_.format.columns.clear();
      }
    }
  }

  ParsedFormat take() { return std::move(out_); }

 private:
  void attributes() {
    for (;;) {
      const auto name = lexer_.token("=,])");
      if (name && !name->text.empty()) {
        std::string value = "1";
        if (lexer_.take("=") != '\0') value = unescape(lexer_.token(",])").value_or(Lexer::Token{}).text);
        auto& all = out_.format.attributes;
        const std::string opposite = name->text.starts_with("no-") ? name->text.substr(3) : "no-" + name->text;
        std::erase_if(all, [&](const auto& one) { return one.first == opposite || one.first == name->text; });
        all.emplace_back(name->text, value);
      }
      lexer_.skip_space();
      if (lexer_.take("]") != '\0') return;
      if (lexer_.take(",") == '\0') lexer_.fail("Expected ] in attribute list");
    }
  }

  void columns() {
    lexer_.skip_space();
    if (lexer_.take(")") != '\0') return;
    for (;;) {
      lexer_.skip_space();
      column();
      lexer_.skip_space();
      if (lexer_.take(")") != '\0') return;
      if (lexer_.take(",") == '\0') lexer_.fail("Expected ) in projection expression");
    }
  }

  void column() {
    Column one;
    one.key = lexer_.key();
    if (lexer_.take("(") != '\0') {
      if (one.key.empty()) lexer_.fail("Transform function expected");
      const std::string name = one.key.back().text;
      one.key.pop_back();
      calls(name, one);
    }
    const Column* meant = resolve(one.key);
    lexer_.skip_space();
    while (lexer_.take(":") != '\0') key_attribute(one);
    if (meant) inherit(one, *meant);
    add(std::move(one));
  }

  // A label of an earlier column stands for its key, with all that was said about it.
  const Column* resolve(Key& key) const {
    if (key.empty() || key[0].what != Step::name) return nullptr;
    const auto found = std::find_if(labelled_.rbegin(), labelled_.rend(),
                                    [&](const Column& one) { return *one.label == key[0].text; });
    if (found == labelled_.rend()) return nullptr;
    key = resolve_alias(std::move(key), out_.aliases);
    return &*found;
  }

  void calls(std::string name, Column& into) {
    int map = 0;
    for (;;) {
      const std::size_t here = lexer_.position();
      const Transform* transform = find_transform(name);
      if (!transform) {
        const std::string near = nearest(name, transform_names());
        lexer_.fail(fmt::format("Unknown transform function {}{}", name,
                                near.empty() ? "" : fmt::format(" (did you mean {}?)", near)),
                    here);
      }
      Call call{transform, {}, map};
      for (const Lexer::Token& token : lexer_.arguments()) {
        const auto equals = transform->named ? token.text.find('=') : std::string::npos;
        if (equals == std::string::npos) {
          call.arguments.positional.push_back(token.text);
        } else {
          call.arguments.named.emplace_back(token.text.substr(0, equals), token.text.substr(equals + 1));
        }
      }
      if (name == "map") {
        map = static_cast<int>(text::parse_int(call.arguments.get(0, "depth", "1")).value_or(1));
      } else {
        into.calls.push_back(std::move(call));
        map = 0;
      }
      if (lexer_.take(".") == '\0') return;
      const Key next = lexer_.key();
      if (next.size() != 1 || lexer_.take("(") == '\0') lexer_.fail("Transform function expected");
      name = next[0].text;
    }
  }

  void key_attribute(Column& one) {
    const std::size_t here = lexer_.position();
    std::string name = lexer_.token("=:,)").value_or(Lexer::Token{}).text;
    std::optional<std::string> value;
    if (lexer_.take("=") != '\0') value = lexer_.token(":,)").value_or(Lexer::Token{}).text;
    const bool negative = name.starts_with("no-") && !value;
    if (negative) name.erase(0, 3);
    if (name == "optional" || name == "reverse") {
      if (value) lexer_.fail("value not expected", here);
      (name == "optional" ? one.optional : one.reverse) = !negative;
      return;
    }
    if (!value && !negative && name != "wrap") lexer_.fail("value expected", here);
    const std::string given = value.value_or("");
    auto number = [&]() -> int {
      const auto read = text::parse_int(given);
      if (!read && !negative) lexer_.fail("number expected", here);
      return static_cast<int>(read.value_or(0));
    };
    if (name == "label") {
      one.label = given;
    } else if (name == "align") {
      if (given != "left" && given != "right" && given != "center") lexer_.fail("Unknown alignment", here);
      one.align = given == "left" ? Align::left : given == "right" ? Align::right : Align::center;
    } else if (name == "sort") {
      one.sort = number();
    } else if (name == "width") {
      one.width = number();
    } else if (name == "wrap") {
      one.wrap = negative ? 0 : value ? number() : 10;
    } else if (name == "alias") {
      out_.aliases.emplace_back(given, one.key);
    } else {
      lexer_.fail("Unknown key attribute", here);
    }
  }

  // What was said about a key first holds for it until it is said again. A column that repeats a key of its own
  // projection changes nothing for the others.
  void add(Column one) {
    auto known = std::find_if(known_.begin(), known_.end(), [&](const Column& other) { return other.key == one.key; });
    const bool repeated = std::any_of(out_.format.columns.begin(), out_.format.columns.end(),
                                      [&](const Column& other) { return other.key == one.key; });
    if (known != known_.end()) inherit(one, *known);
    if (!one.label) {
      one.label = one.key.empty() && !one.calls.empty() ? text::upper(one.calls.back().transform->name)
                                                        : headings_.make(one.key);
    }
    if (!one.label->empty()) {
      out_.aliases.emplace_back(*one.label, one.key);
      labelled_.push_back(one);
    }
    if (known == known_.end()) {
      known_.push_back(one);
    } else if (!repeated) {
      *known = one;
    }
    out_.format.columns.push_back(std::move(one));
  }

  static void inherit(Column& one, const Column& old) {
    if (one.calls.empty()) {
      one.calls = old.calls;
      one.from_default = true;
    }
    if (!one.label) one.label = old.label;
    if (!one.align) one.align = old.align;
    if (!one.optional) one.optional = old.optional;
    if (!one.width) one.width = old.width;
    if (!one.wrap) one.wrap = old.wrap;
    if (!one.sort) one.sort = old.sort;
    if (!one.reverse) one.reverse = old.reverse;
  }

  Lexer lexer_{""};
  ParsedFormat out_;
  Headings headings_;
  std::vector<Column> known_;    ///< one for each key
  std::deque<Column> labelled_;  ///< every column, by its label; addresses stay valid
};

}  // namespace

Key resolve_alias(Key key, const Aliases& aliases) {
  if (key.empty() || key[0].what != Step::name) return key;
  for (auto alias = aliases.rbegin(); alias != aliases.rend(); ++alias) {
    if (alias->first != key[0].text) continue;
    Key whole = alias->second;
    whole.insert(whole.end(), key.begin() + 1, key.end());
    return whole;
  }
  return key;
}

bool Format::has(std::string_view attribute) const {
  return std::any_of(attributes.begin(), attributes.end(), [&](const auto& one) { return one.first == attribute; });
}

std::string Format::get(std::string_view attribute, std::string_view fallback) const {
  for (const auto& [its_name, value] : attributes) {
    if (its_name == attribute) return value;
  }
  return std::string(fallback);
}

ParsedFormat parse_format(std::string_view default_format, std::string_view format) {
  Parser parser;
  parser.read(default_format);
  parser.read(format);
  ParsedFormat out = parser.take();
  const auto& names = format_names();
  if (out.format.name.empty() || std::find(names.begin(), names.end(), out.format.name) != names.end()) return out;
  const std::string near = nearest(out.format.name, names);
  throw Error(tpuctl::Kind::usage,
              fmt::format("argument --format: Invalid choice: '{}'. Valid choices are [{}]{}", out.format.name,
                          text::join(names, ", "), near.empty() ? "." : fmt::format(" (did you mean '{}'?)", near)),
              "`tpuctl help formats` explains them.");
}

}  // namespace tpuctl::cli::output
