// SPDX-License-Identifier: Apache-2.0
// How the values of a filter's terms are read.
#include <cctype>

#include "base/text.hpp"
#include "cli/output/display.hpp"
#include "cli/output/filter_terms.hpp"

namespace tpuctl::cli::output {

namespace {

// The digits of an integer as Python's int() reads them: blanks around, a sign, underscores between digits.
std::optional<std::string> integer_digits(std::string_view given) {
  given = text::trim(given);
  const bool negative = given.starts_with('-');
  if (negative || given.starts_with('+')) given.remove_prefix(1);
  std::string out;
  for (std::size_t i = 0; i < given.size(); ++i) {
    const bool digit = std::isdigit(static_cast<unsigned char>(given[i])) != 0;
    const bool between = given[i] == '_' && i > 0 && i + 1 < given.size() && given[i - 1] != '_';
    if (!digit && !between) return {};
    if (digit) out += given[i];
  }
  if (out.empty()) return {};
  out.erase(0, std::min(out.find_first_not_of('0'), out.size() - 1));
  return negative && out != "0" ? "-" + out : out;
}

}  // namespace

std::optional<Number> Number::of(const Json& value) {
  const auto number = to_number(value);
  if (!number) return {};
  Number out;
  out.value_ = *number;
  if (value.is_bool()) out.digits_ = value.boolean() ? "1" : "0";
  if (value.is_string() || is_integer(value)) out.digits_ = integer_digits(value.text()).value_or("");
  return out;
}

int Number::compare(const Number& other) const {
  if (digits_.empty() || other.digits_.empty()) {
    return value_ < other.value_ ? -1 : value_ > other.value_ ? 1 : value_ == other.value_ ? 0 : 2;
  }
  const bool negative = digits_[0] == '-', theirs = other.digits_[0] == '-';
  if (negative != theirs) return negative ? -1 : 1;
  const std::size_t size = digits_.size(), their_size = other.digits_.size();
  const int by = size != their_size ? (size < their_size ? -1 : 1) : digits_.compare(other.digits_);
  return by == 0 ? 0 : (by < 0) == negative ? 1 : -1;
}

std::string Number::text() const {
  std::string out = digits_.empty() ? python_float(value_) : digits_;
  const auto point = out.find('.');
  if (point != std::string::npos && out.find_first_not_of('0', point + 1) == std::string::npos) out.erase(point);
  return out;
}

Operand::Operand(std::string given) : text(std::move(given)) {
  const std::string word = text::lower(text);
  constant = word == "true" || word == "false";
  number = Number::of(constant ? Json(word == "true") : Json(text));
  if (text.empty()) return;
  const auto moment = parse_moment(text, Zone{}, SystemClock().now());
  if (!moment) return;
  time = moment->time;
  timely = !number && text.find_first_of("-:/Pp") != std::string::npos &&
           text.find_first_of("0123456789") != std::string::npos;
}

std::optional<TimePoint> time_in(const Json& value) {
  constexpr std::string_view kShape = "0000-00-00T00:00:00";
  const std::string& text = value.text();
  if (!value.is_string() || text.size() < kShape.size()) return {};
  for (std::size_t i = 0; i < kShape.size(); ++i) {
    const bool fits = kShape[i] == '0' ? std::isdigit(static_cast<unsigned char>(text[i])) != 0
                                       : text[i] == kShape[i] || (kShape[i] == 'T' && text[i] == ' ');
    if (!fits) return {};
  }
  const auto moment = parse_moment(text, Zone{}, TimePoint());
  return moment ? std::optional(moment->time) : std::nullopt;
}

}  // namespace tpuctl::cli::output
