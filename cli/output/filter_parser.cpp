// SPDX-License-Identifier: Apache-2.0
// The grammar of --filter.
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/error.hpp"
#include "cli/output/filter_terms.hpp"
#include "cli/output/transforms.hpp"

namespace tpuctl::cli::output {

namespace {

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
    NodePtr tree = chain();
    while (lexer_.skip_space() && lexer_.peek() != ')') tree = both(std::move(tree), chain());
    return tree;
  }

  // A chain of ANDs or of ORs; both in one group must be parenthesised, because people disagree about which is
  // stronger.
  NodePtr chain() {
    NodePtr tree = factor();
    bool any_and = false, any_or = false;
    for (;;) {
      const bool is_and = lexer_.take_word("AND");
      const bool is_or = !is_and && lexer_.take_word("OR");
      if (!is_and && !is_or) return tree;
      (is_and ? any_and : any_or) = true;
      if (any_and && any_or) lexer_.fail("Parenthesis grouping is required when AND and OR are combined");
      NodePtr next = factor();
      tree = is_and ? both(std::move(tree), std::move(next)) : either(std::move(tree), std::move(next));
    }
  }

  NodePtr factor() {
    bool inverted = false;
    while (lexer_.take_word("NOT")) inverted = !inverted;
    return inverted ? negated(single()) : single();
  }

  NodePtr single() {
    constexpr int kDeepest = 200;
    constexpr int kMost = 1000;  // the tree is walked recursively
    if (++terms_ > kMost) lexer_.fail("Too many terms");
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
    return inverted ? negated(std::move(tree)) : std::move(tree);
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
      return anywhere(key ? key_text(*key) : restriction);
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
    return term(std::move(key), std::move(calls), op, std::move(operands));
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
  int terms_ = 0;
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
