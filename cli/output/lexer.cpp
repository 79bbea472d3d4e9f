// SPDX-License-Identifier: Apache-2.0
#include "cli/output/lexer.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"
#include "base/text.hpp"

namespace tpuctl::cli::output {

namespace {
constexpr std::string_view kOperators = ":=!<>~()[].{},+*/%&|^#;?";
constexpr std::string_view kQuotes = "'\"";

bool blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
bool in(char c, std::string_view any) { return any.find(c) != std::string_view::npos; }
}  // namespace

std::string Lexer::annotated(std::string_view what, std::size_t where) const {
  where = std::min(where, text_.size());
  std::string mark = "*HERE*";
  if (where > 0 && !blank(text_[where - 1])) mark = " " + mark;
  if (where < text_.size() && !blank(text_[where])) mark += " ";
  return fmt::format("{} [{}{}{}].", what, text_.substr(0, where), mark, text_.substr(where));
}

void Lexer::fail(std::string_view what, std::size_t where) const {
  throw Error(tpuctl::Kind::usage, annotated(what, where));
}

bool Lexer::skip_space() {
  while (!at_end() && blank(text_[at_])) ++at_;
  return !at_end();
}

char Lexer::take(std::string_view any) {
  if (at_end() || !in(text_[at_], any)) return '\0';
  return text_[at_++];
}

bool Lexer::take_word(std::string_view word) {
  if (!skip_space() || text_.compare(at_, word.size(), word) != 0) return false;
  const std::size_t end = at_ + word.size();
  if (end < text_.size() && !blank(text_[end]) && text_[end] != '(') return false;
  at_ = end;
  return true;
}

std::optional<Lexer::Token> Lexer::token(std::string_view stops, bool balanced) {
  Token out;
  bool any = false;
  char quote = '\0';
  int depth = 0;
  std::size_t i = at_;
  for (; i < text_.size(); ++i) {
    const char c = text_[i];
    if (c == '\\' && i + 1 < text_.size()) {
      const char next = text_[i + 1];
      const bool escaped = next == '\\' || next == quote || (quote == '\0' && in(next, kQuotes));
      if (!escaped) out.text += '\\';
      out.text += next;
      any = true;
      ++i;
    } else if (quote != '\0' && c == quote) {
      quote = '\0';
    } else if (quote == '\0' && in(c, kQuotes)) {
      quote = c;
      any = out.quoted = true;
    } else if (quote != '\0') {
      out.text += c;
    } else if (blank(c) && !any) {
      continue;
    } else if (balanced && (c == '(' || c == ')')) {
      if (c == ')' && depth == 0 && in(c, stops)) break;
      depth += c == '(' ? 1 : -1;
      out.text += c;
      any = true;
    } else if (depth == 0 && in(c, stops)) {
      break;
    } else if (!blank(c) || balanced) {
      out.text += c;
      any = true;
    } else {
      break;
    }
  }
  if (quote != '\0') fail(fmt::format("Unterminated [{}] quote", quote));
  at_ = i;
  if (!any) return std::nullopt;
  return out;
}

std::vector<Lexer::Token> Lexer::arguments(std::string_view separators) {
  std::vector<Token> out;
  bool required = false;
  const std::string stops = std::string(separators) + ")";
  const bool by_blank = in(' ', separators);
  for (;;) {
    const std::size_t here = at_;
    auto one = token(stops, !by_blank);
    const bool blank_after = by_blank && blank(peek());
    if (by_blank) skip_space();
    if (one && !one->quoted && !by_blank) one->text = std::string(text::trim(one->text));
    const bool end = take(")") != '\0';
    const bool more = !end && (take(separators) != '\0' || (by_blank && one && !at_end()));
    if (!end && !more) fail("Closing ) expected in argument list");
    if (one) {
      if (!blank_after || !one->text.empty()) out.push_back(std::move(*one));
    } else if (required || !end) {
      fail("Argument expected", here);
    }
    if (end) return out;
    required = !by_blank;
  }
}

// "*name" is short for "map().name".
void Lexer::expand_map_stars() {
  std::size_t stars = 0;
  while (at_ + stars < text_.size() && text_[at_ + stars] == '*') ++stars;
  if (stars != 0) text_ = fmt::format("{}map({}).{}", text_.substr(0, at_), stars, text_.substr(at_ + stars));
}

Key Lexer::key() {
  Key out;
  while (!at_end()) {
    expand_map_stars();
    const std::size_t here = at_;
    if (auto name = token(kOperators); name && !name->text.empty()) {
      out.push_back({Step::name, std::move(name->text), 0});
    } else if (peek() != '[') {
      if (out.empty() && take(".") != '\0' && peek() != '.' && (at_end() || blank(peek()) || in(peek(), kOperators))) {
        return out;
      }
      fail("Non-empty key name expected", here);
    }
    if (peek() == ']') fail("Unmatched ] in key", here);
    while (take("[") != '\0') {
      const auto index = token("]");
      if (take("]") == '\0') fail("Closing ] expected in key");
      if (!index || index->text.empty()) {
        out.push_back({Step::slice, {}, 0});
      } else if (const auto number = text::parse_int(index->text)) {
        out.push_back({Step::index, {}, *number});
      } else {
        out.push_back({Step::name, index->text, 0});
      }
    }
    if (take(".") == '\0') return out;
    if (at_end()) fail("Non-empty key name expected");
  }
  return out;
}

Key parse_key(std::string_view text) {
  Lexer lexer(text);
  lexer.skip_space();
  Key out = lexer.key();
  if (lexer.skip_space()) lexer.fail("Unexpected tokens in key");
  return out;
}

std::string key_text(const Key& key) {
  std::string out;
  for (const Step& step : key) {
    if (step.what == Step::slice) {
      out += "[]";
    } else if (step.what == Step::index) {
      out += fmt::format("[{}]", step.number);
    } else {
      out += (out.empty() ? "" : ".") + step.text;
    }
  }
  return out.empty() ? "." : out;
}

}  // namespace tpuctl::cli::output
