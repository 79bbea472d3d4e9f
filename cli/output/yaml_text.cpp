// SPDX-License-Identifier: Apache-2.0
#include "cli/output/yaml_text.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cli/output/display.hpp"

namespace tpuctl::cli::output {

namespace {

constexpr std::size_t kWidth = 80;  // gcloud folds here

bool digit(char c) { return c >= '0' && c <= '9'; }
bool digit_(char c) { return digit(c) || c == '_'; }

template <class Test>
std::size_t run(std::string_view text, std::size_t at, Test test) {
  while (at < text.size() && test(text[at])) ++at;
  return at;
}

template <class Test>
bool all(std::string_view text, Test test) {
  return !text.empty() && run(text, 0, test) == text.size();
}

std::string_view unsigned_part(std::string_view text) {
  if (!text.empty() && (text[0] == '-' || text[0] == '+')) text.remove_prefix(1);
  return text;
}

bool like_int(std::string_view text) {
  const std::string_view body = unsigned_part(text);
  if (text.starts_with('_')) return false;
  if (all(body, digit_)) return true;
  if (body.size() < 3 || body[0] != '0') return false;
  const std::string_view rest = body.substr(2);
  switch (body[1]) {
    case 'b':
      return all(rest, [](char c) { return c == '0' || c == '1' || c == '_'; });
    case 'o':
      return all(rest, [](char c) { return (c >= '0' && c <= '7') || c == '_'; });
    case 'x':
      return all(rest, [](char c) { return digit_(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); });
    default:
      return false;
  }
}

// [eE][-+]?digits up to the end; the sign is required after ".5" in ruamel's pattern.
bool exponent(std::string_view text, bool sign_required) {
  if (text.size() < 2 || (text[0] != 'e' && text[0] != 'E')) return false;
  text.remove_prefix(1);
  const bool sign = text[0] == '-' || text[0] == '+';
  if (sign) text.remove_prefix(1);
  return (sign || !sign_required) && all(text, digit);
}

bool like_float(std::string_view text) {
  const std::string_view body = unsigned_part(text);
  if (body == ".inf" || body == ".Inf" || body == ".INF") return true;
  if (text == ".nan" || text == ".NaN" || text == ".NAN") return true;
  if (body.empty()) return false;
  if (body[0] == '.') {
    const std::size_t end = run(body, 1, digit_);
    return end > 1 && (end == body.size() || exponent(body.substr(end), true));
  }
  if (!digit(body[0])) return false;
  std::size_t end = run(body, 0, digit_);
  if (end < body.size() && body[end] == '.') {
    end = run(body, end + 1, digit_);
    return end == body.size() || exponent(body.substr(end), false);
  }
  return exponent(body.substr(end), false);
}

bool like_timestamp(std::string_view text) {
  auto number = [&](std::size_t& at, std::size_t least, std::size_t most) {
    const std::size_t end = run(text.substr(0, std::min(text.size(), at + most)), at, digit);
    const bool enough = end - at >= least;
    at = end;
    return enough;
  };
  auto is = [&](std::size_t& at, std::string_view any) {
    if (at >= text.size() || any.find(text[at]) == std::string_view::npos) return false;
    ++at;
    return true;
  };
  std::size_t at = 0;
  if (!number(at, 4, 4) || !is(at, "-") || !number(at, 1, 2) || !is(at, "-") || !number(at, 1, 2)) return false;
  if (at == text.size()) return text.size() == 10;
  if (!is(at, "Tt \t")) return false;
  at = run(text, at, [](char c) { return c == ' ' || c == '\t'; });
  if (!number(at, 1, 2) || !is(at, ":") || !number(at, 2, 2) || !is(at, ":") || !number(at, 2, 2)) return false;
  if (is(at, ".")) at = run(text, at, digit);
  at = run(text, at, [](char c) { return c == ' ' || c == '\t'; });
  if (at == text.size() || (is(at, "Z") && at == text.size())) return true;
  if (!is(at, "-+") || !number(at, 1, 2)) return false;
  return at == text.size() || (is(at, ":") && number(at, 2, 2) && at == text.size());
}

}  // namespace

bool reads_as_other_type(std::string_view text) {
  constexpr std::string_view kWords[] = {"",      "~",     "null",  "Null", "NULL", "true", "True", "TRUE",
                                         "false", "False", "FALSE", "<<",   "=",    "!",    "&",    "*"};
  if (std::find(std::begin(kWords), std::end(kWords), text) != std::end(kWords)) return true;
  return like_int(text) || like_float(text) || like_timestamp(text);
}

bool has_controls(std::string_view text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    const auto next = i + 1 < text.size() ? static_cast<unsigned char>(text[i + 1]) : 0;
    if ((c < 0x20 && c != '\t' && c != '\n') || c == 0x7F || (c == 0xC2 && next < 0xA0)) return true;
    if (c == 0xEF && text.substr(i, 3) == "\xEF\xBB\xBF") return true;  // a byte order mark
  }
  return false;
}

bool has_separators(std::string_view text) {
  return text.find("\xE2\x80\xA8") != std::string_view::npos || text.find("\xE2\x80\xA9") != std::string_view::npos;
}

namespace {

std::string escaped(char32_t c) {
  constexpr std::u32string_view kPlain = U"\0\a\b\t\n\v\f\r\x1b\"\\\x85\u2028\u2029";
  constexpr std::string_view kLetters = "0abtnvfre\"\\NLP";
  const auto at = std::u32string_view(kPlain.data(), kLetters.size()).find(c);
  if (at != std::u32string_view::npos) return {'\\', kLetters[at]};
  return c <= 0xFF     ? fmt::format("\\x{:02X}", static_cast<unsigned>(c))
         : c <= 0xFFFF ? fmt::format("\\u{:04X}", static_cast<unsigned>(c))
                       : fmt::format("\\U{:08X}", static_cast<unsigned>(c));
}

bool written_as_it_is(char32_t c) {
  if (c == U'"' || c == U'\\' || c == 0x2028 || c == 0x2029 || c == 0xFEFF) return false;
  return (c >= 0x20 && c <= 0x7E) || (c >= 0xA0 && c <= 0xD7FF) || (c >= 0xE000 && c <= 0xFFFD);
}

}  // namespace

std::string double_quoted(std::string_view given, std::size_t column, std::size_t indent) {
  const std::u32string text = code_points(given);
  std::string out = "\"";
  ++column;
  std::size_t start = 0;  // what stands before is written
  auto write = [&](const std::string& more) {
    out += more;
    column += length_of(more);
  };
  for (std::size_t end = 0; end <= text.size(); ++end) {
    const bool plain = end < text.size() && written_as_it_is(text[end]);
    if (!plain) {
      write(utf8(std::u32string_view(text).substr(start, end - start)));
      start = end;
      if (end < text.size()) {
        write(escaped(text[end]));
        start = end + 1;
      }
    }
    const bool may_fold = end > 0 && end + 1 < text.size() && (text[end] == U' ' || start >= end);
    // An escape that was just written counts from behind it.
    if (!may_fold || column + end <= kWidth + start) continue;
    if (start < end) write(utf8(std::u32string_view(text).substr(start, end - start)));
    out += '\\';
    start = std::max(start, end);
    out += "\n" + std::string(indent, ' ');
    column = indent;
    if (text[start] == U' ') write("\\");
  }
  return out + "\"";
}

bool StandIns::fits(std::string_view text) {
  for (auto at = text.find('\xEE'); at != std::string_view::npos; at = text.find('\xEE', at + 1)) {
    if (index_of(text.substr(at, 3)) < kMost) return false;
  }
  return true;
}

std::string StandIns::hide_all(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\t' || (text[i] == ' ' && i != 0)) {  // the first blank makes libyaml write "|2"
      out += stand_in(text.substr(i, 1));
    } else {
      out += text[i];
    }
  }
  return hide(out);
}

std::string StandIns::hide(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    const bool far = static_cast<unsigned char>(text[i]) >= 0xF0;
    const std::size_t length = far ? std::min<std::size_t>(4, text.size() - i) : 1;
    out += far ? stand_in(text.substr(i, length)) : std::string(text.substr(i, length));
    i += length;
  }
  return out;
}

std::string StandIns::hide_quoted(std::string_view text) { return stand_in(text, true); }

// A text in quotes ends its line. Before it stand blanks, a dash for each list that begins here, and perhaps a key; its
// further lines are indented two more than the key, or than the last dash.
std::string StandIns::show(std::string text) const {
  if (hidden_.empty()) return text;
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t index = index_of(std::string_view(text).substr(i, 3));
    if (index >= hidden_.size()) {
      out += text[i++];
      continue;
    }
    i += 3;
    const Hidden& one = hidden_[index];
    if (!one.quoted) {
      out += one.text;
      continue;
    }
    const auto newline = out.rfind('\n');
    const std::string_view line = std::string_view(out).substr(newline == std::string::npos ? 0 : newline + 1);
    std::size_t indent = 0, dash = 0;
    while (indent < line.size() && (line[indent] == ' ' || line.substr(indent, 2) == "- ")) {
      if (line[indent] == '-') dash = indent;
      ++indent;
    }
    out += double_quoted(one.text, length_of(line), (indent == line.size() ? dash : indent) + 2);
  }
  return out;
}

std::size_t StandIns::index_of(std::string_view bytes) {
  if (bytes.size() < 3 || bytes[0] != '\xEE') return kMost;
  const auto second = static_cast<unsigned char>(bytes[1]), third = static_cast<unsigned char>(bytes[2]);
  return static_cast<std::size_t>(second & 0x3Fu) * 64 + (third & 0x3Fu);
}

std::string StandIns::stand_in(std::string_view original, bool quoted) {
  const Hidden wanted{std::string(original), quoted};
  const auto found = std::find(hidden_.begin(), hidden_.end(), wanted);
  const auto index = static_cast<std::size_t>(found - hidden_.begin());
  if (index >= kMost) return wanted.text;
  if (found == hidden_.end()) hidden_.push_back(wanted);
  return {'\xEE', static_cast<char>(0x80 | (index / 64)), static_cast<char>(0x80 | (index % 64))};
}

}  // namespace tpuctl::cli::output
