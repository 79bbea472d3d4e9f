// SPDX-License-Identifier: Apache-2.0
#include "cli/values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <ctime>

#include "base/error.hpp"
#include "base/text.hpp"
#include "cli/suggest.hpp"

namespace tpuctl::cli {

namespace {

[[noreturn]] void refuse(std::string_view reason) { throw Error(tpuctl::Kind::usage, std::string(reason)); }

// Years to seconds, from "YYYY-MM-DD[(T| )HH:MM[:SS]]" without an offset, in the user's time zone.
std::optional<TimePoint> parse_local(std::string_view text) {
  std::tm parts{};
  auto number = [&](std::size_t at, std::size_t digits) -> int {
    if (text.size() < at + digits) return -1;
    for (std::size_t i = at; i < at + digits; ++i) {
      if (text[i] < '0' || text[i] > '9') return -1;
    }
    return static_cast<int>(text::parse_int(text.substr(at, digits)).value_or(-1));
  };
  auto is = [&](std::size_t at, std::string_view any) {
    return at < text.size() && any.find(text[at]) != std::string_view::npos;
  };
  const int year = number(0, 4), month = number(5, 2), day = number(8, 2);
  if (year < 0 || !is(4, "-") || !is(7, "-")) return {};
  if (!std::chrono::year_month_day(std::chrono::year(year),
                                   std::chrono::month(static_cast<unsigned>(std::max(month, 0))),
                                   std::chrono::day(static_cast<unsigned>(std::max(day, 0))))
           .ok()) {
    return {};
  }
  int hour = 0, minute = 0, second = 0;
  if (text.size() > 10) {
    hour = number(11, 2);
    minute = number(14, 2);
    if (!is(10, "T t") || !is(13, ":")) return {};
    if (text.size() > 16) second = is(16, ":") && text.size() == 19 ? number(17, 2) : -1;
  }
  if (hour < 0 || hour > 23 || minute < 0 || minute > 59 || second < 0 || second > 60) return {};
  parts.tm_year = year - 1900;
  parts.tm_mon = month - 1;
  parts.tm_mday = day;
  parts.tm_hour = hour;
  parts.tm_min = minute;
  parts.tm_sec = second;
  parts.tm_isdst = -1;
  return TimePoint(std::chrono::seconds(std::mktime(&parts)));
}

// "2029-01-02T03:04+02:00" has no seconds: RFC 3339 wants them.
std::string with_seconds(std::string_view text) {
  if (text.size() > 16 && text[13] == ':' && text[16] != ':') {
    return std::string(text.substr(0, 16)) + ":00" + std::string(text.substr(16));
  }
  return std::string(text);
}

std::string checked_choice(const Flag& flag, std::string_view raw) {
  if (auto found = find_choice(flag.choices, raw)) return std::string(*found);
  if (auto found = find_choice(flag.alpha_choices, raw)) return std::string(*found);
  std::string all(flag.choices);
  if (!flag.alpha_choices.empty()) all += "," + std::string(flag.alpha_choices);
  refuse(fmt::format("Invalid choice: '{}'. Valid choices are {}", raw, valid_choices(all, raw)));
}

std::string checked_toggle(std::string_view raw) {
  const std::string value = text::lower(raw);
  if (value == "true" || value == "false") return value;
  refuse(fmt::format("'{}' is not true or false.", raw));
}

std::string checked_integer(const Flag& flag, std::string_view raw) {
  if (auto word = find_choice(flag.choices, raw)) return std::string(*word);
  const auto number = text::parse_int(raw);
  if (!number) refuse(fmt::format("'{}' is not a whole number.", raw));
  if (*number < flag.least)
    refuse(fmt::format("Value must be greater than or equal to {}; received: {}", flag.least, raw));
  return std::string(raw);
}

const Key* find_key(const Flag& flag, std::string_view name) {
  for (const Key& key : flag.keys) {
    if (key.name == name) return &key;
  }
  return nullptr;
}

void check_key_value(const Key& key, std::string_view value) {
  if (key.kind == Kind::toggle || key.kind == Kind::inverse) checked_toggle(value);
  if (key.kind == Kind::choice && !find_choice(key.choices, value)) {
    refuse(fmt::format("Invalid choice for {}: '{}'. Valid choices are {}", key.name, value,
                       valid_choices(key.choices, value)));
  }
}

void check_dict(const Flag& flag, std::string_view raw) {
  const Pairs pairs = split_map(raw);
  for (const auto& [name, value] : pairs) {
    const Key* key = find_key(flag, name);
    if (!key) {
      std::vector<std::string> names;
      for (const Key& one : flag.keys) names.emplace_back(one.name);
      const std::string near = nearest(name, names);
      refuse(fmt::format("valid keys are [{}]; received: {}{}", text::join(names, ", "), name,
                         near.empty() ? "" : fmt::format(" (did you mean '{}'?)", near)));
    }
    check_key_value(*key, value);
  }
  for (const Key& key : flag.keys) {
    const bool there =
        std::any_of(pairs.begin(), pairs.end(), [&](const auto& pair) { return pair.first == key.name; });
    if (key.required && !there) refuse(fmt::format("Key [{}] required in dict arg but not provided", key.name));
  }
}

std::string checked(const Flag& flag, std::string_view raw) {
  switch (flag.kind) {
    case Kind::toggle:
    case Kind::inverse:
    case Kind::marker:
      return checked_toggle(raw);
    case Kind::lowered:
      return text::lower(raw);
    case Kind::integer:
      return checked_integer(flag, raw);
    case Kind::choice:
      return checked_choice(flag, raw);
    case Kind::list:
      split_list(raw);
      break;
    case Kind::map:
      split_map(raw);
      break;
    case Kind::dict:
    case Kind::dicts:
      check_dict(flag, raw);
      break;
    case Kind::duration:
      if (!parse_duration(raw)) {
        refuse(fmt::format("Failed to parse duration: '{}'. Write a number with a unit, such as 90s, 30m, 6h or 1d12h.",
                           raw));
      }
      break;
    case Kind::timestamp:
      if (!parse_time(raw, TimePoint())) {
        refuse(
            fmt::format("Failed to parse date/time: '{}'. Write it as 2029-01-02T03:04:05Z, or as +6h from now.", raw));
      }
      break;
    case Kind::text:
    case Kind::repeated:
      break;
  }
  return std::string(raw);
}

}  // namespace

std::string valid_choices(std::string_view choices, std::string_view wrong) {
  std::vector<std::string> names;
  for (const std::string_view one : choice_names(choices)) names.emplace_back(one);
  const std::string near = nearest(wrong, names);
  return fmt::format("[{}]{}", text::join(names, ", "),
                     near.empty() ? "." : fmt::format(" (did you mean '{}'?)", near));
}

std::string checked_value(const Flag& flag, std::string_view raw) {
  try {
    return checked(flag, raw);
  } catch (const Error& error) {
    throw Error(error.kind, fmt::format("argument --{}: {}", flag.name, error.what()));
  }
}

std::vector<std::string> split_list(std::string_view text) {
  std::string delimiter = ",";
  if (text.size() > 1 && text[0] == '^') {
    const auto end = text.find('^', 1);
    if (end == 1)
      refuse("Invalid delimiter. Write ^D^ with the characters that separate the values between the two carets.");
    if (end != std::string_view::npos) {
      delimiter = text.substr(1, end - 1);
      text.remove_prefix(end + 1);
    }
  }
  std::vector<std::string> out;
  while (!text.empty()) {
    const auto at = text.find(delimiter);
    out.emplace_back(text.substr(0, at));
    text.remove_prefix(at == std::string_view::npos ? text.size() : at + delimiter.size());
  }
  return out;
}

Pairs split_map(std::string_view text) {
  Pairs out;
  for (const std::string& piece : split_list(text)) {
    const auto equals = piece.find('=');
    if (equals == std::string::npos || equals == 0) {
      refuse(
          fmt::format("Bad syntax for dict arg: [{}]. KEY=VALUE is expected; for values with commas choose another "
                      "separator, as in ^:^a=1,2:b=3.",
                      piece));
    }
    std::string key = piece.substr(0, equals);
    auto same = std::find_if(out.begin(), out.end(), [&](const auto& pair) { return pair.first == key; });
    if (same != out.end()) {
      same->second = piece.substr(equals + 1);
    } else {
      out.emplace_back(std::move(key), piece.substr(equals + 1));
    }
  }
  return out;
}

std::optional<TimePoint> parse_time(std::string_view text, TimePoint now) {
  if (text.empty()) return {};
  const bool minus = text[0] == '-';
  if (minus || text[0] == '+' || text[0] == 'P' || text[0] == 'p') {
    const auto length = parse_duration(text[0] == '-' || text[0] == '+' ? text.substr(1) : text);
    if (!length) return {};
    return minus ? now - *length : now + *length;
  }
  if (auto local = parse_local(text)) return local;
  return parse_rfc3339(with_seconds(text));
}

}  // namespace tpuctl::cli
