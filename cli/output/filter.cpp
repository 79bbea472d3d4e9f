// SPDX-License-Identifier: Apache-2.0
// Grammar, then evaluation. The one file that sees RE2: its time is linear, whatever pattern a user types and however
// long the text is; std::regex overflows the stack on a startup script.
#include "cli/output/filter.hpp"

#include <fmt/format.h>
#include <re2/re2.h>

#include <algorithm>

#include "base/error.hpp"
#include "base/text.hpp"
#include "base/time.hpp"
#include "cli/args.hpp"
#include "cli/output/transforms.hpp"

namespace tpuctl::cli::output {

namespace {

using NodePtr = std::unique_ptr<Filter::Node>;

struct And : Filter::Node {
  And(NodePtr one, NodePtr two) : left(std::move(one)), right(std::move(two)) {}
  bool matches(const Json& resource) const override { return left->matches(resource) && right->matches(resource); }
  NodePtr left, right;
};

struct Or : Filter::Node {
  Or(NodePtr one, NodePtr two) : left(std::move(one)), right(std::move(two)) {}
  bool matches(const Json& resource) const override { return left->matches(resource) || right->matches(resource); }
  NodePtr left, right;
};

struct Not : Filter::Node {
  explicit Not(NodePtr one) : inner(std::move(one)) {}
  bool matches(const Json& resource) const override { return !inner->matches(resource); }
  NodePtr inner;
};

/// A word without a key: some value of the resource holds it.
struct Anywhere : Filter::Node {
  explicit Anywhere(std::string text) : word(text::lower(text)) {}
  bool matches(const Json& value) const override {
    if (value.is_string() || value.is_number()) return text::lower(value.text()).find(word) != std::string::npos;
    const auto& items = value.items();
    const auto& members = value.members();
    return std::any_of(items.begin(), items.end(), [&](const Json& one) { return matches(one); }) ||
           std::any_of(members.begin(), members.end(), [&](const Json::Member& one) { return matches(one.value); });
  }
  std::string word;
};

std::optional<double> number_in(std::string_view text) {
  Json value;
  const std::string_view plain = text.starts_with('+') ? text.substr(1) : text;
  if (plain.empty() || !Json::try_parse(plain, value) || !value.is_number()) return {};
  return value.number();
}

// The numbers that an operand or a value may be compared as; true and false count as 1 and 0.
std::optional<double> number_of(const Json& value) {
  if (value.is_bool()) return value.boolean() ? 1 : 0;
  if (value.is_number()) return value.number();
  return value.is_string() ? number_in(value.text()) : std::nullopt;
}

// A single value as text that words are looked for in.
std::string searchable(const Json& value) {
  if (value.is_null()) return "null";
  if (!value.is_number()) return text::lower(display(value));
  std::string out = value.text();
  const auto dot = out.find('.');
  if (dot != std::string::npos && out.find_first_not_of('0', dot + 1) == std::string::npos) out.erase(dot);
  return text::lower(out);
}

bool has_line(const std::string& text, std::string_view line) {
  const auto lines = text::split(text, '\n');
  return text == line || std::find(lines.begin(), lines.end(), line) != lines.end();
}

class Term : public Filter::Node {
 public:
  Term(Key key, std::vector<Call> calls) : key_(std::move(key)), calls_(std::move(calls)) {}

 protected:
  template <class Test>
  bool with_value(const Json& resource, Test test) const {
    Json made;
    const Json& found = get(resource, key_, made);
    if (calls_.empty()) return test(found);
    return test(apply(calls_, found));
  }
  // A list stands for its items, also for != and !~: one that differs is enough.
  template <class Test>
  static bool any_item(const Json& value, Test test) {
    if (!value.is_array() || value.size() == 0) return test(value);
    return std::any_of(value.items().begin(), value.items().end(), test);
  }
  const Key& key() const { return key_; }

 private:
  Key key_;
  std::vector<Call> calls_;
};

/// KEY:VALUE, KEY=VALUE, KEY!=VALUE and lists of values.
class Words : public Term {
 public:
  Words(Key key, std::vector<Call> calls, std::vector<std::string> operands, const std::string& op)
      : Term(std::move(key), std::move(calls)), operands_(std::move(operands)), whole_(op != ":"), differs_(op == "!=") {
    const auto& its_key = this->key();
    place_ = its_key.size() == 1 && (its_key[0].text == "zone" || its_key[0].text == "region");
  }

  bool matches(const Json& resource) const override {
    return with_value(resource, [&](const Json& value) {
      return any_item(value, [&](const Json& item) { return holds(item) != differs_; });
    });
  }

 private:
  // An object stands for its names and values.
  bool holds(const Json& value) const {
    if (!value.is_object() && !value.is_array()) return any_operand(value);
    const auto& items = value.items();
    const auto& members = value.members();
    return std::any_of(items.begin(), items.end(), [&](const Json& item) { return any_operand(item); }) ||
           std::any_of(members.begin(), members.end(), [&](const Json::Member& member) {
             return any_operand(Json(member.name)) || any_operand(member.value);
           });
  }

  bool any_operand(const Json& value) const {
    return std::any_of(operands_.begin(), operands_.end(), [&](const std::string& operand) { return one(value, operand); });
  }

  bool one(const Json& value, const std::string& operand) const {
    if (value.is_bool() || value.is_number()) {
      const std::string word = text::lower(operand);
      const auto number = word == "true" ? std::optional(1.0) : word == "false" ? std::optional(0.0) : number_in(operand);
      if (number && number == number_of(value)) return true;
    }
    if (value.is_string() && value.text() == operand) return true;
    if (value.is_null() && operand.empty()) return true;
    if (!whole_ && operand == "*") return !value.is_null() && !(value.is_string() && value.text().empty());
    const std::string text = searchable(value);
    if (in_text(text, text::lower(operand))) return true;
    return place_ && in_text(text.substr(text.rfind('/') + 1), text::lower(operand));
  }

  bool in_text(const std::string& text, const std::string& word) const {
    if (whole_) return has_line(text, word);
    const auto star = word.find('*');
    if (star == std::string::npos) return text.find(word) != std::string::npos;
    const std::string head = word.substr(0, star), tail = word.substr(star + 1);
    for (const std::string& line : text.empty() ? std::vector<std::string>{""} : text::split(text, '\n')) {
      if (line.size() >= head.size() + tail.size() && line.starts_with(head) && line.ends_with(tail)) return true;
    }
    return false;
  }

  std::vector<std::string> operands_;
  bool whole_;    ///< = and !=: the whole value, not a part of it
  bool differs_;  ///< !=
  bool place_ = false;  ///< zone and region are also compared by their last part
};

/// KEY<VALUE and so on: as times when both are, as numbers when both are, else as texts.
class Order : public Term {
 public:
  Order(Key key, std::vector<Call> calls, std::string op, std::string operand)
      : Term(std::move(key), std::move(calls)), op_(std::move(op)), operand_(std::move(operand)) {
    const std::string word = text::lower(operand_);
    number_ = word == "true" ? std::optional(1.0) : word == "false" ? std::optional(0.0) : number_in(operand_);
    time_ = parse_time(operand_, SystemClock().now());
  }

  bool matches(const Json& resource) const override {
    return with_value(resource, [&](const Json& value) {
      return any_item(value, [&](const Json& item) { return holds(item); });
    });
  }

 private:
  bool holds(const Json& value) const {
    if (value.is_array() || value.is_object()) return false;
    if (number_) {
      if (const auto number = number_of(value)) return decide(*number < *number_, *number == *number_);
    }
    if (time_ && value.is_string()) {
      if (const auto time = parse_rfc3339(value.text())) return decide(*time < *time_, *time == *time_);
    }
    if (value.is_null() && number_) return false;
    const std::string text = display(value);
    return decide(text < operand_, text == operand_);
  }

  bool decide(bool less, bool equal) const {
    if (op_ == "<") return less;
    if (op_ == "<=") return less || equal;
    if (op_ == ">") return !less && !equal;
    return !less;
  }

  std::string op_;
  std::string operand_;
  std::optional<double> number_;
  std::optional<TimePoint> time_;
};

/// KEY~PATTERN and KEY!~PATTERN.
class Pattern : public Term {
 public:
  Pattern(Key key, std::vector<Call> calls, const std::string& pattern, bool differs)
      : Term(std::move(key), std::move(calls)), differs_(differs) {
    RE2::Options options;
    options.set_log_errors(false);
    regex_ = std::make_unique<RE2>(pattern, options);
    if (!regex_->ok()) {
      throw Error(tpuctl::Kind::usage,
                  fmt::format("argument --filter: Filter expression RE pattern [{}]: {}", pattern, regex_->error()));
    }
  }

  bool matches(const Json& resource) const override {
    return with_value(resource, [&](const Json& value) {
      return any_item(value, [&](const Json& item) {
        return !item.is_array() && !item.is_object() && RE2::PartialMatch(display(item), *regex_) != differs_;
      });
    });
  }

 private:
  std::unique_ptr<RE2> regex_;
  bool differs_;
};

class Parser {
 public:
  Parser(std::string_view text, const Aliases& aliases) : lexer_(text), aliases_(aliases) {}

  NodePtr run() {
    if (!lexer_.skip_space()) return nullptr;
    NodePtr tree = adjacent();
    if (!lexer_.at_end()) lexer_.fail("Unexpected tokens in filter");
    return tree;
  }

 private:
  // a b: both. Weaker than AND and OR.
  NodePtr adjacent() {
    NodePtr tree = either();
    while (lexer_.skip_space() && lexer_.peek() != ')') tree = std::make_unique<And>(std::move(tree), either());
    return tree;
  }

  // A chain of ANDs or of ORs; both in one group must be parenthesised, because people disagree about which is stronger.
  NodePtr either() {
    NodePtr tree = negated();
    bool any_and = false, any_or = false;
    for (;;) {
      const bool is_and = lexer_.take_word("AND");
      const bool is_or = !is_and && lexer_.take_word("OR");
      if (!is_and && !is_or) return tree;
      (is_and ? any_and : any_or) = true;
      if (any_and && any_or) lexer_.fail("Parenthesis grouping is required when AND and OR are combined");
      NodePtr next = negated();
      if (is_and) {
        tree = std::make_unique<And>(std::move(tree), std::move(next));
      } else {
        tree = std::make_unique<Or>(std::move(tree), std::move(next));
      }
    }
  }

  NodePtr negated() {
    if (lexer_.take_word("NOT")) return std::make_unique<Not>(term());
    return term();
  }

  NodePtr term() {
    constexpr int kDeepest = 200;
    if (!lexer_.skip_space() || lexer_.peek() == ')') lexer_.fail("Term expected");
    if (lexer_.take("(") != '\0') {
      if (++depth_ > kDeepest) lexer_.fail("Too many parentheses");
      NodePtr tree = adjacent();
      --depth_;
      lexer_.skip_space();
      if (lexer_.take(")") == '\0') lexer_.fail("Closing ) expected");
      return tree;
    }
    const bool inverted = lexer_.take("-") != '\0';
    NodePtr tree = comparison();
    if (inverted) return std::make_unique<Not>(std::move(tree));
    return tree;
  }

  NodePtr comparison() {
    const std::size_t start = lexer_.position();
    for (const std::string_view word : {"AND", "OR", "NOT"}) {
      if (lexer_.take_word(word)) lexer_.fail("Term expected", start);
    }
    std::vector<Call> calls;
    std::optional<Key> key;
    std::string restriction;
    std::optional<Error> broken;
    try {
      key = resolve_alias(lexer_.key(), aliases_);
      if (lexer_.peek() == '(') take_calls(*key, calls);
    } catch (const Error& error) {
      broken = error;
      key.reset();
      lexer_.seek(start);
      if (auto token = lexer_.token(":=<>!~()")) restriction = token->text;
    }
    const std::size_t here = lexer_.position();
    const std::string op = take_operator();
    if (op.empty()) {
      if (!calls.empty()) lexer_.fail("Operator expected", here);
      if (!key && restriction.empty()) throw *broken;
      return std::make_unique<Anywhere>(key ? key_text(*key) : restriction);
    }
    if (!key) throw *broken;
    return compare(std::move(*key), std::move(calls), op);
  }

  NodePtr compare(Key key, std::vector<Call> calls, const std::string& op) {
    if (!lexer_.skip_space()) lexer_.fail("Operand expected");
    const std::size_t here = lexer_.position();
    for (const std::string_view word : {"AND", "OR", "NOT"}) {
      if (lexer_.take_word(word)) lexer_.fail("Logical operator not expected", here);
    }
    std::vector<std::string> operands;
    if ((op == ":" || op == "=") && lexer_.take("(") != '\0') {
      for (const Lexer::Token& one : lexer_.arguments(" \t\n,")) {
        if (one.quoted || (one.text != "AND" && one.text != "OR" && one.text != "NOT")) operands.push_back(one.text);
      }
    } else {
      const auto one = lexer_.token("()");
      if (!one) lexer_.fail("Term operand expected", here);
      operands.push_back(one->text);
    }
    for (const std::string& one : operands) {
      if (op == ":" && std::count(one.begin(), one.end(), '*') > 1) {
        lexer_.fail(fmt::format("At most one * expected in : patterns, not {}", one), here);
      }
    }
    if (op == ":" || op == "=" || op == "!=") {
      return std::make_unique<Words>(std::move(key), std::move(calls), std::move(operands), op);
    }
    if (op == "~" || op == "!~") {
      return std::make_unique<Pattern>(std::move(key), std::move(calls), operands[0], op == "!~");
    }
    return std::make_unique<Order>(std::move(key), std::move(calls), op, std::move(operands[0]));
  }

  std::string take_operator() {
    if (!lexer_.skip_space()) return {};
    const std::size_t here = lexer_.position();
    const char first = lexer_.take(":=!<>~");
    if (first == '\0') return {};
    std::string op(1, first);
    if (const char second = lexer_.take(":=!<>~"); second != '\0') op += second;
    for (const std::string_view known : {":", "=", "!=", "<", "<=", ">", ">=", "~", "!~"}) {
      if (op == known) return op;
    }
    lexer_.fail("Malformed operator", here);
  }

  void take_calls(Key& key, std::vector<Call>& calls) {
    while (lexer_.take("(") != '\0') {
      const std::string name = key.empty() ? "" : key.back().text;
      if (!key.empty()) key.pop_back();
      const Transform* transform = find_transform(name);
      if (!transform) lexer_.fail(fmt::format("Unknown transform function {}", name));
      Call call{transform, {}, 0};
      for (const Lexer::Token& one : lexer_.arguments()) call.arguments.positional.push_back(one.text);
      calls.push_back(std::move(call));
      if (lexer_.take(".") == '\0') return;
      Key next = lexer_.key();
      if (lexer_.peek() != '(') lexer_.fail("Transform function expected");
      key.insert(key.end(), next.begin(), next.end());
    }
  }

  Lexer lexer_;
  const Aliases& aliases_;
  int depth_ = 0;
};

}  // namespace

Filter::Filter(std::string_view expression, const Aliases& aliases) {
  try {
    root_ = Parser(expression, aliases).run();
  } catch (const Error& error) {
    std::string message = error.what();
    if (!message.starts_with("argument ")) message = "argument --filter: " + message;
    throw Error(error.kind, message, "`tpuctl help filters` explains the language.");
  }
}

}  // namespace tpuctl::cli::output
