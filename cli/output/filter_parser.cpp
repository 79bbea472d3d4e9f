// SPDX-License-Identifier: Apache-2.0
// The grammar of --filter.
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/error.hpp"
#include "cli/output/chain.hpp"
#include "cli/output/filter_terms.hpp"

namespace tpuctl::cli::output {

namespace {

class Parser {
 public:
  Parser(std::string_view text, const Aliases& aliases, Filter::Bare bare)
      : lexer_(text), aliases_(aliases), bare_(bare) {}

  NodePtr run() {
    if (!lexer_.skip_space()) return nullptr;
    NodePtr tree = adjacent();
    if (!lexer_.at_end()) lexer_.fail("Unexpected tokens in filter");
    return tree;
  }

  std::vector<Key> take_keys() { return std::move(keys_); }

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
    std::optional<Chain> chain;
    std::optional<Key> key;
    std::string restriction;
    std::optional<Error> broken;
    try {
      key = read_key(chain);
    } catch (const UnknownTransform&) {
      throw;
    } catch (const Error& error) {
      broken = error;
      lexer_.seek(start);
      if (auto token = lexer_.token(":=<>!~()")) restriction = token->text;
    }
    const std::size_t here = lexer_.position();
    const std::string op = take_operator();
    if (!op.empty()) {
      if (!key) throw *broken;
      keys_.push_back(*key);
      return compare(std::move(*key), chain.value_or(Chain{}), op);
    }
    if (chain) {
      if (!key->empty()) lexer_.fail("Operator expected", here);
      return truth({}, std::move(*chain));
    }
    if (!key && restriction.empty()) throw *broken;
    if (bare_ == Filter::Bare::member && key) return truth(std::move(*key), {});
    return anywhere(key ? key_text(*key) : restriction);
  }

  // An alias is none when it is followed by a parenthesis: then it is a function's name.
  Key read_key(std::optional<Chain>& chain) {
    Key key = lexer_.key();
    const bool called = lexer_.take("(") != '\0';
    if (!called) return resolve_alias(std::move(key), aliases_);
    if (key.empty() || key.back().what != Step::name) lexer_.fail("Transform function expected");
    const std::string name = key.back().text;
    key.pop_back();
    std::string condition;
    chain = read_chain(lexer_, name, {}, condition);
    return resolve_alias(std::move(key), aliases_);
  }

  NodePtr compare(Key key, Chain chain, const std::string& op) {
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
    return term(std::move(key), std::move(chain), op, std::move(operands));
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

  Lexer lexer_;
  const Aliases& aliases_;
  Filter::Bare bare_;
  std::vector<Key> keys_;
  int depth_ = 0;
  int terms_ = 0;
};

}  // namespace

Filter::Filter(std::string_view expression, const Aliases& aliases, Bare bare) {
  try {
    Parser parser(expression, aliases, bare);
    root_ = parser.run();
    keys_ = parser.take_keys();
  } catch (const Error& error) {
    std::string message = error.what();
    if (!message.starts_with("argument ")) message = "argument --filter: " + message;
    throw Error(error.kind, message, error.hint.empty() ? "`tpuctl help filters` explains the language." : error.hint);
  }
}

}  // namespace tpuctl::cli::output
