// SPDX-License-Identifier: Apache-2.0
#include "cli/output/display.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

#include "base/text.hpp"

namespace tpuctl::cli::output {

namespace {

std::string python_quoted(std::string_view text) {
  const bool double_quotes = text.find('\'') != std::string_view::npos && text.find('"') == std::string_view::npos;
  const char quote = double_quotes ? '"' : '\'';
  std::string out(1, quote);
  for (const char c : text) {
    if (c == '\n') {
      out += "\\n";
    } else if (c == '\t') {
      out += "\\t";
    } else if (c == '\r') {
      out += "\\r";
    } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) {
      out += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    } else {
      if (c == quote || c == '\\') out += '\\';
      out += c;
    }
  }
  return out + quote;
}

std::string number_text(const Json& value) {
  const std::string& text = value.text();
  if (is_integer(value)) return text == "-0" ? "0" : text;
  return python_float(value.number());
}

}  // namespace

// The shortest digits that give the number back, with an exponent from 1e16 and below 1e-4.
std::string python_float(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
  const double size = std::fabs(value);
  char buffer[64];
  const bool plain = value == 0 || (size >= 1e-4 && size < 1e16);
  const auto form = plain ? std::chars_format::fixed : std::chars_format::scientific;
  const auto [end, ec] = std::to_chars(buffer, buffer + sizeof buffer, value, form);
  std::string out(buffer, ec == std::errc() ? end : buffer);
  if (plain && out.find('.') == std::string::npos) out += ".0";
  return out;
}

bool is_integer(const Json& value) {
  return value.is_number() && value.text().find_first_of(".eEnN") == std::string::npos;
}

std::string python_repr(const Json& value) {
  if (value.is_string()) return python_quoted(value.text());
  if (!value.is_array() && !value.is_object()) return python_text(value);
  std::string out(1, value.is_array() ? '[' : '{');
  for (const Json& item : value.items()) out += (out.size() == 1 ? "" : ", ") + python_repr(item);
  for (const Json::Member& one : value.members()) {
    out += (out.size() == 1 ? "" : ", ") + python_quoted(one.name) + ": " + python_repr(one.value);
  }
  return out + (value.is_array() ? ']' : '}');
}

std::string python_text(const Json& value) {
  if (value.is_null()) return "None";
  if (value.is_bool()) return value.boolean() ? "True" : "False";
  if (value.is_string()) return value.text();
  return value.is_number() ? number_text(value) : python_repr(value);
}

std::string display(const Json& value) { return value.is_null() ? std::string() : python_text(value); }

bool truthy(const Json& value) { return !value.empty() && !(value.is_number() && value.number() == 0); }

std::string rounded(double value) {
  if (!std::isfinite(value)) return python_float(value);
  std::string out = format_number(value, 6, "");
  const auto exponent = out.find("e+");
  if (exponent == std::string::npos) return out;
  const auto power = text::parse_int(out.substr(exponent + 2));
  return power && *power < 9 ? fmt::format("{:.1f}", value) : out;
}

std::string format_number(double value, int precision, std::string_view spec) {
  if (spec == "%") return fmt::format("{:.{}f}%", value * 100, precision);
  if (!std::isfinite(value)) return python_float(value);
  if (spec == "f" || spec == "F") return fmt::format("{:.{}f}", value, precision);
  if (spec == "e") return fmt::format("{:.{}e}", value, precision);
  if (spec == "E") return text::upper(fmt::format("{:.{}e}", value, precision));
  if (spec == "g" || spec == "G") {
    const std::string out = fmt::format("{:.{}g}", value, std::max(1, precision));
    return spec == "G" ? text::upper(out) : out;
  }
  // Without a letter: like g, but always with a digit behind the point, and the exponent comes one digit earlier.
  precision = std::max(1, precision);
  const std::string scientific = fmt::format("{:.{}e}", value, precision - 1);
  const auto at = scientific.find('e');
  const auto power = text::parse_int(scientific[at + 1] == '+' ? scientific.substr(at + 2) : scientific.substr(at + 1));
  if (power && (*power < -4 || *power >= precision - 1) && value != 0) {
    std::string digits = scientific.substr(0, at);
    if (digits.find('.') != std::string::npos) {
      digits.erase(digits.find_last_not_of('0') + 1);
      if (digits.back() == '.') digits.pop_back();
    }
    return digits + scientific.substr(at);
  }
  std::string out = fmt::format("{:.{}g}", value, precision);
  return out.find('.') == std::string::npos ? out + ".0" : out;
}

std::optional<double> to_number(const Json& value) {
  if (value.is_bool()) return value.boolean() ? 1 : 0;
  if (value.is_number()) return value.number();
  if (!value.is_string()) return {};
  std::string_view given = text::trim(value.text());
  const bool negative = given.starts_with('-');
  if (negative || given.starts_with('+')) given.remove_prefix(1);
  const std::string word = text::lower(given);
  double out = 0;
  if (word == "inf" || word == "infinity") {
    out = INFINITY;
  } else if (word == "nan") {
    out = NAN;
  } else {
    std::string digits;
    for (std::size_t i = 0; i < given.size(); ++i) {
      const bool between =
          given[i] == '_' && i > 0 && i + 1 < given.size() && std::isdigit(given[i - 1]) && std::isdigit(given[i + 1]);
      if (!between) digits += given[i];
    }
    if (digits.empty() || !(std::isdigit(static_cast<unsigned char>(digits[0])) || digits[0] == '.')) return {};
    const auto number = text::parse_number(digits);
    if (!number) return {};
    out = *number;
  }
  return negative ? -out : out;
}

std::optional<std::int64_t> to_integer(std::string_view given) {
  given = text::trim(given);
  if (given.starts_with('+') && given.size() > 1 && given[1] != '-') given.remove_prefix(1);
  return text::parse_int(given);
}

std::u32string code_points(std::string_view text) {
  std::u32string out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const auto first = static_cast<unsigned char>(text[at++]);
    const int more = first >= 0xF0 ? 3 : first >= 0xE0 ? 2 : first >= 0xC0 ? 1 : 0;
    char32_t value = more == 0 ? first : first & (0x3Fu >> more);
    for (int i = 0; i < more && at < text.size(); ++i) {
      const auto byte = static_cast<unsigned char>(text[at]);
      if ((byte & 0xC0u) != 0x80u) break;
      value = (value << 6) | (byte & 0x3Fu);
      ++at;
    }
    out += value;
  }
  return out;
}

std::string utf8(std::u32string_view points) {
  std::string out;
  for (const char32_t c : points) {
    if (c < 0x80) {
      out += static_cast<char>(c);
    } else if (c < 0x800) {
      out += {static_cast<char>(0xC0 | (c >> 6)), static_cast<char>(0x80 | (c & 0x3F))};
    } else if (c < 0x10000) {
      out += {static_cast<char>(0xE0 | (c >> 12)), static_cast<char>(0x80 | ((c >> 6) & 0x3F)),
              static_cast<char>(0x80 | (c & 0x3F))};
    } else {
      out += {static_cast<char>(0xF0 | (c >> 18)), static_cast<char>(0x80 | ((c >> 12) & 0x3F)),
              static_cast<char>(0x80 | ((c >> 6) & 0x3F)), static_cast<char>(0x80 | (c & 0x3F))};
    }
  }
  return out;
}

std::size_t length_of(std::string_view text) {
  std::size_t out = 0;
  for (const char c : text) out += (static_cast<unsigned char>(c) & 0xC0u) != 0x80u ? 1u : 0u;
  return out;
}

bool is_space(char32_t c) {
  return (c >= 0x09 && c <= 0x0D) || (c >= 0x1C && c <= 0x20) || c == 0x85 || c == 0xA0 || c == 0x1680 ||
         (c >= 0x2000 && c <= 0x200A) || c == 0x2028 || c == 0x2029 || c == 0x202F || c == 0x205F || c == 0x3000;
}

}  // namespace tpuctl::cli::output
