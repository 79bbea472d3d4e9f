// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cctype>

#include "base/error.hpp"
#include "base/text.hpp"
#include "cli/output/chain.hpp"
#include "cli/output/display.hpp"
#include "cli/output/filter.hpp"
#include "cli/output/projection_builder.hpp"

namespace tpuctl::cli::output {

namespace {

constexpr int kLeastWrap = 10;

std::string unescape(std::string value) {
  return text::replace_all(text::replace_all(std::move(value), "\\n", "\n"), "\\t", "\t");
}

class Parser {
 public:
  explicit Parser(const Json& flags) : flags_(flags) {}
  Parser(const Projection& start, const Json& flags) : builder_(start), flags_(flags) {}

  // May be called again with the next expression, which then wins over the ones before.
  void read(std::string_view text) {
    lexer_ = Lexer(text);
    while (lexer_.skip_space()) {
      const std::size_t here = lexer_.position();
      if (lexer_.take("(") != '\0') {
        projection();
      } else if (lexer_.take("[") != '\0') {
        attributes();
      } else if (lexer_.take(":") != '\0') {
        only_attributes_ = true;
        builder_.begin_attributes();
      } else {
        const auto name = lexer_.token(":([");
        const bool good =
            name && !name->text.empty() &&
            std::all_of(name->text.begin(), name->text.end(), [](unsigned char c) { return std::isalpha(c) != 0; });
        if (!good) lexer_.fail("Name expected", here);
        if (!out_.format.empty()) out_.attributes.clear();
        out_.format = name->text;
        named_last_ = true;
      }
    }
  }

  Projection take() {
    if (named_last_) builder_.become_default();
    return std::move(out_);
  }

 private:
  void projection() {
    if (!only_attributes_) {
      named_last_ = false;
      builder_.become_default();
    }
    lexer_.skip_space();
    if (lexer_.take(")") == '\0') {
      for (;;) {
        column();
        lexer_.skip_space();
        if (lexer_.take(")") != '\0') break;
        if (lexer_.take(",") == '\0') lexer_.fail("Expected ) in projection expression");
        lexer_.skip_space();
      }
    }
    if (!only_attributes_) return;
    only_attributes_ = false;
    builder_.end_attributes();
  }

  void attributes() {
    for (;;) {
      const auto name = lexer_.token("=,])");
      if (name && !name->text.empty()) {
        std::string value = "1";
        if (lexer_.take("=") != '\0') value = unescape(lexer_.token(",])").value_or(Lexer::Token{}).text);
        auto& all = out_.attributes;
        const std::string opposite = name->text.starts_with("no-") ? name->text.substr(3) : "no-" + name->text;
        std::erase_if(all, [&](const auto& one) { return one.first == opposite || one.first == name->text; });
        all.emplace_back(name->text, value);
      }
      lexer_.skip_space();
      if (lexer_.take("]") != '\0') return;
      if (lexer_.take(",") == '\0') lexer_.fail("Expected ] in attribute list");
    }
  }

  void column() {
    Key key = lexer_.key();
    std::shared_ptr<Chain> added;
    std::string condition, function;
    const bool called = lexer_.take("(") != '\0';
    if (called) {
      if (key.empty() || key.back().what != Step::name) lexer_.fail("Transform function expected");
      function = key.back().text;
      key.pop_back();
    }
    // A label stands for its key, with all that was said about it.
    const Named* meant = key.empty() || key[0].what != Step::name ? nullptr : out_.named(key[0].text);
    auto about = std::make_shared<Attribute>();
    about->use = Attribute::wanted;
    if (meant) {
      Key whole = meant->key;
      whole.insert(whole.end(), key.begin() + 1, key.end());
      if (!only_attributes_ || whole.empty()) *about = *meant->about;
      key = std::move(whole);
    }
    if (called) added = chain(function, condition);
    if (!about->chain) {
      about->chain = added;
    } else if (added) {
      auto& calls = about->chain->calls;
      calls.insert(calls.end(), added->calls.begin(), added->calls.end());
    }
    lexer_.skip_space();
    while (lexer_.take(":") != '\0') key_attribute(key, about);
    if (!condition.empty() && !Filter(condition, {}, Filter::Bare::member).matches(flags_)) return;
    if (!about->label && key.empty() && about->chain && !about->chain->calls.empty()) {
      std::vector<std::string> names{about->chain->calls.back().name};
      const auto& first = about->chain->calls.front();
      names.insert(names.end(), first.written.begin(), first.written.end());
      about->label = builder_.headings.make(names);
    }
    builder_.add(std::move(key), about, only_attributes_);
  }

  std::shared_ptr<Chain> chain(const std::string& name, std::string& condition) {
    Surroundings surroundings;
    surroundings.columns = [this](const std::vector<std::string>& keys) { return columns_of(keys); };
    auto out = std::make_shared<Chain>(read_chain(lexer_, name, surroundings, condition));
    out->level = out_.level;
    return out;
  }

  // The columns that format() names are read as those of a further projection.
  std::function<std::vector<Json>(const Json&)> columns_of(const std::vector<std::string>& keys) const {
    Parser inner(out_, flags_);
    inner.read("(" + text::join(keys, ",") + ")");
    return [made = std::make_shared<const Projection>(inner.take())](const Json& value) { return made->row(value); };
  }

  void key_attribute(const Key& key, const AttributePtr& about) {
    const std::size_t here = lexer_.position();
    std::string name = lexer_.token("=:,)").value_or(Lexer::Token{}).text;
    std::optional<std::string> value;
    if (lexer_.take("=") != '\0') value = lexer_.token(":,)").value_or(Lexer::Token{}).text;
    const bool negative = name.starts_with("no-") && !value;
    if (negative) name.erase(0, 3);
    if (name == "optional" || name == "reverse") {
      if (value) lexer_.fail("value not expected", here);
      (name == "optional" ? about->optional : about->reverse) = !negative;
      return;
    }
    if (!value && name != "wrap") lexer_.fail("value expected", here);
    auto number = [&]() -> int {
      const auto read = to_integer(value.value_or(""));
      if (!read || *read < 0 || *read > 100000) lexer_.fail("number expected", here);
      return static_cast<int>(*read);
    };
    if (name == "label") {
      about->label = *value;
    } else if (name == "align") {
      if (value != "left" && value != "right" && value != "center") lexer_.fail("Unknown alignment", here);
      about->align = value == "left" ? Align::left : value == "right" ? Align::right : Align::center;
    } else if (name == "sort") {
      about->order = number();
    } else if (name == "width") {
      about->width = number();
    } else if (name == "wrap") {
      about->wrap = negative ? 0 : value ? number() : kLeastWrap;
    } else if (name == "format") {
      about->subformat = *value;
    } else if (name == "alias") {
      if (value->empty()) lexer_.fail("Cannot unset alias", here);
      out_.names.push_back({*value, key, about});
    } else {
      lexer_.fail("Unknown key attribute", here);
    }
  }

  Lexer lexer_{""};
  ProjectionBuilder builder_;
  Projection& out_ = builder_.made;
  const Json& flags_;
  bool named_last_ = false;       ///< a format's name without a projection behind it: the whole resource
  bool only_attributes_ = false;  ///< inside :(...), which says something of keys and adds none
};

}  // namespace

Projection read_projection(std::string_view default_format, std::string_view format, std::string_view sort_by,
                           const Json& flags) {
  Parser parser(flags);
  parser.read(default_format);
  parser.read(format);
  parser.read(sort_by);
  return parser.take();
}

}  // namespace tpuctl::cli::output
