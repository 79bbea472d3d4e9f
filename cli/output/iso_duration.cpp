// SPDX-License-Identifier: Apache-2.0
#include "cli/output/iso_duration.hpp"

#include <fmt/format.h>

#include <cmath>

#include "base/text.hpp"

namespace tpuctl::cli::output {

namespace {

constexpr double kDaysPerYear = 365.2422;
constexpr long kLongestYear = 366;
constexpr long kSecondsPerDay = 86400;
constexpr double kSecondsPerYear = kSecondsPerDay * kDaysPerYear;
constexpr double kSecondsPerMonth = kSecondsPerYear / 12;

double round4(double value) { return std::nearbyint(value * 1e4) / 1e4; }

// The whole part of `value`; the rest, to four digits, is left in `fraction`.
long whole(double value, double& fraction) {
  const auto out = static_cast<long>(value);
  fraction = round4(round4(value) - static_cast<double>(out));
  return out;
}

long carry(long& value, long limit) {
  const long out = value / limit;
  value -= out * limit;
  return out;
}

// `number` with its unit; nothing for zero, and no zeros at the end of a fraction.
std::string part(double number, char unit, int precision) {
  std::string out = fmt::format("{:.{}f}", number, precision);
  if (precision > 0) {
    out.erase(out.find_last_not_of('0') + 1);
    if (out.ends_with('.')) out.pop_back();
  }
  return out.empty() || out == "0" ? "" : out + unit;
}

std::optional<double> amount(const std::string& digits) {
  const auto out = text::parse_number(digits, true);
  return out && std::fabs(*out) <= 1e12 ? out : std::nullopt;
}

}  // namespace

IsoDuration IsoDuration::normalized(Amounts given, bool calendar) {
  IsoDuration out;
  double fraction = 0;
  out.years = whole(given.years, fraction);
  given.days += kDaysPerYear * fraction;
  out.months = whole(given.months, fraction);
  given.days += std::trunc(kDaysPerYear * fraction / 12);  // months are irregular
  out.days = whole(given.days, fraction);
  given.hours += 24 * fraction;
  out.hours = whole(given.hours, fraction);
  given.minutes += 60 * fraction;
  out.minutes = whole(given.minutes, fraction);
  given.seconds += 60 * fraction;
  out.seconds = whole(given.seconds, fraction);
  out.microseconds = static_cast<long>(1e6 * fraction);

  out.seconds += carry(out.microseconds, 1000000);
  out.minutes += carry(out.seconds, 60);
  out.hours += carry(out.minutes, 60);
  double total = static_cast<double>(out.seconds + out.minutes * 60);
  if (calendar || out.days != 0 || out.months != 0 || out.years != 0) {
    out.days += carry(out.hours, 24);
    // The first year may have 366 days.
    if (out.days >= kLongestYear) {
      out.days -= kLongestYear;
      ++out.years;
    } else if (out.days <= -kLongestYear) {
      out.days += kLongestYear;
      --out.years;
    }
    const auto years_of_days = static_cast<long>(static_cast<double>(out.days) / kDaysPerYear);
    out.days -= static_cast<long>(static_cast<double>(years_of_days) * kDaysPerYear);
    out.years += years_of_days;
    total += static_cast<double>(out.hours * 3600 + out.days * kSecondsPerDay);
    out.years += carry(out.months, 12);
    total += static_cast<double>(out.months) * kSecondsPerMonth + static_cast<double>(out.years) * kSecondsPerYear;
    total = std::nearbyint(total);
  } else {
    total += static_cast<double>(out.hours * 3600);
  }
  out.total_ = total + static_cast<double>(out.microseconds) / 1e6;
  return out;
}

IsoDuration IsoDuration::of_seconds(double seconds, bool calendar) {
  Amounts amounts;
  amounts.seconds = seconds;
  return normalized(amounts, calendar);
}

std::optional<IsoDuration> IsoDuration::parse(std::string_view given, bool calendar) {
  const std::string text = text::upper(given);
  std::string_view rest = text;
  const std::string sign = rest.starts_with('-') ? "-" : "";
  if (rest.starts_with('-') || rest.starts_with('+')) rest.remove_prefix(1);
  bool after_t = !rest.starts_with('P'), seen_t = false;
  if (rest.starts_with('P')) rest.remove_prefix(1);
  Amounts out;
  std::string digits = sign;
  for (std::size_t i = 0; i < rest.size(); ++i) {
    const char c = rest[i];
    if ((c >= '0' && c <= '9') || c == '.' || c == ',') {
      digits += c == ',' ? '.' : c;
      continue;
    }
    if (c == 'T') {
      if (seen_t) return {};
      seen_t = after_t = true;
      continue;
    }
    const auto number = digits.size() > sign.size() ? amount(digits) : std::nullopt;
    if (!number) return {};
    digits = sign;
    const bool small = i + 2 == rest.size() && rest[i + 1] == 'S' && (c == 'M' || c == 'U' || c == 'N');
    if (small) {
      out.seconds += *number / (c == 'M' ? 1e3 : c == 'U' ? 1e6 : 1e9);
      return normalized(out, calendar);
    }
    if (c == 'Y') {
      out.years += *number;
    } else if (c == 'W') {
      out.days += *number * 7;
    } else if (c == 'D') {
      out.days += *number;
    } else if (c == 'M' && !after_t) {
      after_t = true;
      out.months += *number;
    } else {
      after_t = true;
      if (c != 'H' && c != 'M' && c != 'S') return {};
      (c == 'H' ? out.hours : c == 'M' ? out.minutes : out.seconds) += *number;
    }
  }
  const std::string_view bare = std::string_view(text).substr(std::min(text.find_first_not_of("+-"), text.size()));
  if (digits.size() > sign.size() && bare != "P0") return {};  // a number without a unit
  return normalized(out, calendar);
}

std::string IsoDuration::format(int parts, int precision) const {
  constexpr int kAll = 7;
  if (parts <= 0) parts = kAll;
  double left = std::fabs(total_);
  int count = 0;
  bool shown = false;
  std::string out = total_ < 0 ? "-P" : "P";
  auto add = [&](long value, double size, char unit) {
    if (count < parts && value != 0) {
      shown = true;
      auto number = static_cast<double>(std::labs(value));
      left -= number * size;
      if (count >= parts - 1) number += left / size;  // the last part takes what is left
      out += part(number, unit, 0);
    }
    count += shown ? 1 : 0;
  };
  add(years, kSecondsPerYear, 'Y');
  add(months, kSecondsPerMonth, 'M');
  add(days, kSecondsPerDay, 'D');
  out += 'T';
  add(hours, 3600, 'H');
  add(minutes, 60, 'M');
  if (count < parts && (seconds != 0 || microseconds != 0)) {
    out += part(static_cast<double>(std::labs(seconds)) + static_cast<double>(std::labs(microseconds)) / 1e6, 'S',
                precision);
  }
  if (out.ends_with('T')) out.pop_back();
  return out.ends_with('P') ? out + "0" : out;
}

}  // namespace tpuctl::cli::output
