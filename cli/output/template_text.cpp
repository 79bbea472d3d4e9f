// SPDX-License-Identifier: Apache-2.0
// Python's str.format(), for the transform format().
#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"
#include "base/text.hpp"
#include "cli/output/display.hpp"

namespace tpuctl::cli::output {

namespace {

[[noreturn]] void broken(std::string_view why) {
  throw Error(tpuctl::Kind::failure, fmt::format("format(): {}", why), "`tpuctl help formats` explains transforms.");
}

/// [[fill]align][sign][#][0][width][,][.precision][type]
struct Specification {
  std::string fill = " ";
  char align = '\0';
  char sign = '-';
  bool alternate = false;
  bool zero = false;
  int width = 0;
  char group = '\0';
  int precision = -1;
  char type = '\0';
};

class SpecificationReader {
 public:
  explicit SpecificationReader(std::string_view text) : points_(code_points(text)) {}

  Specification read() {
    Specification out;
    if (points_.size() > 1 && is_align(points_[1])) {
      out.fill = utf8(points_.substr(0, 1));
      out.align = static_cast<char>(points_[1]);
      at_ = 2;
    } else if (is_align(peek())) {
      out.align = static_cast<char>(points_[at_++]);
    }
    if (peek() == '+' || peek() == '-' || peek() == ' ') out.sign = static_cast<char>(points_[at_++]);
    if (take('#')) out.alternate = true;
    if (take('0')) out.zero = true;
    out.width = number().value_or(0);
    if (peek() == ',' || peek() == '_') out.group = static_cast<char>(points_[at_++]);
    if (take('.')) {
      const auto precision = number();
      if (!precision) broken("Format specifier missing precision");
      out.precision = *precision;
    }
    if (at_ < points_.size()) out.type = static_cast<char>(points_[at_++]);
    if (at_ < points_.size()) broken(fmt::format("Invalid format specifier '{}'", utf8(points_)));
    return out;
  }

 private:
  static bool is_align(char32_t c) { return c == '<' || c == '>' || c == '=' || c == '^'; }
  char32_t peek() const { return at_ < points_.size() ? points_[at_] : U'\0'; }
  bool take(char32_t c) {
    if (peek() != c) return false;
    ++at_;
    return true;
  }
  std::optional<int> number() {
    const std::size_t start = at_;
    int out = 0;
    constexpr int kMost = 10000;
    while (peek() >= '0' && peek() <= '9') {
      out = out * 10 + static_cast<int>(points_[at_++] - '0');
      if (out > kMost) broken("Too many decimal digits in format string");
    }
    return at_ == start ? std::nullopt : std::optional(out);
  }

  std::u32string points_;
  std::size_t at_ = 0;
};

std::string grouped(const std::string& digits, char separator, std::size_t every) {
  const auto point = digits.find_first_of(".e%");
  std::string whole = digits.substr(0, point);
  for (std::size_t i = every; i < whole.size(); i += every + 1) whole.insert(whole.size() - i, 1, separator);
  return whole + (point == std::string::npos ? "" : digits.substr(point));
}

std::string padded(const std::string& sign, const std::string& body, Specification spec, char natural) {
  if (spec.zero && spec.align == '\0') {
    spec.fill = "0";
    spec.align = natural == '>' ? '=' : '<';
  }
  const char align = spec.align == '\0' ? natural : spec.align;
  const int used = static_cast<int>(length_of(sign) + length_of(body));
  const int room = std::max(0, spec.width - used);
  const int left = align == '<' ? 0 : align == '^' ? room / 2 : room;
  std::string before, after;
  for (int i = 0; i < left; ++i) before += spec.fill;
  for (int i = left; i < room; ++i) after += spec.fill;
  return align == '=' ? sign + before + body + after : before + sign + body + after;
}

std::string integer_digits(const std::string& digits, const Specification& spec) {
  if (spec.type == '\0' || spec.type == 'd' || spec.type == 'n') return digits;
  const auto value = text::parse_int(digits);
  if (!value) broken("The number is too large for this format");
  switch (spec.type) {
    case 'x':
      return fmt::format("{}{:x}", spec.alternate ? "0x" : "", *value);
    case 'X':
      return fmt::format("{}{:X}", spec.alternate ? "0X" : "", *value);
    case 'o':
      return fmt::format("{}{:o}", spec.alternate ? "0o" : "", *value);
    case 'b':
      return fmt::format("{}{:b}", spec.alternate ? "0b" : "", *value);
    case 'c':
      return utf8(std::u32string(1, static_cast<char32_t>(*value)));
    default:
      broken(fmt::format("Unknown format code '{}' for object of type 'int'", spec.type));
  }
}

std::string number_field(const Json& value, const Specification& spec) {
  const bool fraction = std::string_view("eEfFgG%").find(spec.type) != std::string_view::npos && spec.type != '\0';
  const bool whole = (value.is_bool() || is_integer(value)) && !fraction;
  std::string digits;
  if (whole) {
    if (spec.precision >= 0) broken("Precision not allowed in integer format specifier");
    digits = value.is_bool() ? (value.boolean() ? "1" : "0") : python_text(value);
    const bool negative = digits.starts_with('-');
    digits = (negative ? "-" : "") + integer_digits(negative ? digits.substr(1) : digits, spec);
  } else {
    if (!fraction && spec.type != '\0' && spec.type != 'n') {
      broken(fmt::format("Unknown format code '{}' for object of type 'float'", spec.type));
    }
    const double number = to_number(value).value_or(0);
    if (spec.type == '\0' && spec.precision < 0) {
      digits = python_text(value);
    } else {
      digits = format_number(number, spec.precision < 0 ? 6 : spec.precision,
                             spec.type == '\0' ? std::string_view() : std::string_view(&spec.type, 1));
    }
  }
  std::string sign;
  if (digits.starts_with('-')) {
    sign = "-";
    digits.erase(0, 1);
  } else if (spec.sign != '-') {
    sign = std::string(1, spec.sign);
  }
  if (spec.group != '\0') digits = grouped(digits, spec.group, 3);
  return padded(sign, digits, spec, '>');
}

std::string field(const Json& value, std::string_view text) {
  if (text.empty()) return python_text(value);
  const Specification spec = SpecificationReader(text).read();
  if (value.is_number() || (value.is_bool() && spec.type != 's' && spec.type != '\0')) return number_field(value, spec);
  if (!value.is_string() && !value.is_bool()) {
    broken(fmt::format("unsupported format string '{}' for {}", text, python_text(value)));
  }
  if (spec.type != '\0' && spec.type != 's') {
    broken(fmt::format("Unknown format code '{}' for object of type 'str'", spec.type));
  }
  std::string shown = python_text(value);
  if (spec.precision >= 0) shown = utf8(code_points(shown).substr(0, static_cast<std::size_t>(spec.precision)));
  return padded("", shown, spec, '<');
}

class Filler {
 public:
  Filler(std::string_view text, const std::vector<Json>& values) : text_(text), values_(values) {}

  std::string run() {
    while (at_ < text_.size()) {
      const char c = text_[at_++];
      const bool doubled = at_ < text_.size() && text_[at_] == c;
      if ((c == '{' || c == '}') && doubled) {
        out_ += c;
        ++at_;
      } else if (c == '}') {
        broken("Single '}' encountered in format string");
      } else if (c == '{') {
        replace();
      } else {
        out_ += c;
      }
    }
    return std::move(out_);
  }

 private:
  void replace() {
    const auto end = text_.find('}', at_);
    if (end == std::string_view::npos) broken("expected '}' before end of string");
    std::string_view inside = text_.substr(at_, end - at_);
    at_ = end + 1;
    std::string_view specification;
    if (const auto colon = inside.find(':'); colon != std::string_view::npos) {
      specification = inside.substr(colon + 1);
      inside = inside.substr(0, colon);
    }
    char conversion = 's';
    bool converted = false;
    if (const auto mark = inside.find('!'); mark != std::string_view::npos) {
      converted =
          mark + 2 == inside.size() && (inside[mark + 1] == 'r' || inside[mark + 1] == 's' || inside[mark + 1] == 'a');
      if (!converted) broken("expected ':' after conversion specifier");
      conversion = inside[mark + 1];
      inside = inside.substr(0, mark);
    }
    const Json value = pick(inside);
    if (!converted) {
      out_ += field(value, specification);
    } else {
      out_ += field(Json(conversion == 's' ? python_text(value) : python_repr(value)), specification);
    }
  }

  // "", "0" or "0[key][1]"
  Json pick(std::string_view name) {
    const auto bracket = name.find('[');
    const std::string_view head = name.substr(0, bracket);
    const auto index = head.empty() ? std::optional<std::int64_t>(next_++) : text::parse_int(head);
    if (!index || *index < 0) broken(fmt::format("'{}' names no argument; count them from 0", head));
    if (*index >= static_cast<std::int64_t>(values_.size())) {
      broken(fmt::format("Replacement index {} out of range for positional args tuple", *index));
    }
    Json value = values_[static_cast<std::size_t>(*index)];
    std::string_view rest = bracket == std::string_view::npos ? std::string_view() : name.substr(bracket);
    while (!rest.empty()) {
      const auto close = rest.find(']');
      if (rest[0] != '[' || close == std::string_view::npos) broken("Missing ']' in format string");
      const std::string_view key = rest.substr(1, close - 1);
      const auto at = text::parse_int(key);
      const Json* found = value.is_object() ? value.find(key) : nullptr;
      if (value.is_array() && at && *at >= 0 && static_cast<std::size_t>(*at) < value.size()) {
        found = &value.items()[static_cast<std::size_t>(*at)];
      }
      if (!found) broken(fmt::format("there is no [{}]", key));
      value = Json(*found);
      rest.remove_prefix(close + 1);
    }
    return value;
  }

  std::string_view text_;
  const std::vector<Json>& values_;
  std::size_t at_ = 0;
  std::int64_t next_ = 0;
  std::string out_;
};

}  // namespace

std::string fill_template(std::string_view text, const std::vector<Json>& values) { return Filler(text, values).run(); }

}  // namespace tpuctl::cli::output
