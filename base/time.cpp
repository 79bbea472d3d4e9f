// SPDX-License-Identifier: Apache-2.0
#include "base/time.hpp"

#include <date/date.h>
#include <fmt/format.h>

#include <cmath>
#include <sstream>

#include "base/signal.hpp"
#include "base/text.hpp"

namespace tpuctl {

Duration seconds(double value) { return Duration(std::llround(value * 1e6)); }
double to_seconds(Duration value) { return static_cast<double>(value.count()) / 1e6; }

TimePoint SystemClock::now() const {
  return std::chrono::time_point_cast<std::chrono::microseconds>(std::chrono::system_clock::now());
}

void SystemClock::sleep(Duration duration) { signals::sleep(duration); }

std::string rfc3339(TimePoint time, int digits) {
  const std::chrono::sys_time<std::chrono::seconds> whole = std::chrono::floor<std::chrono::seconds>(time);
  std::string out = date::format("%FT%T", whole);
  const auto micros = (time - whole).count();
  if (digits == 3) out += fmt::format(".{:03}", micros / 1000);
  if (digits == 6) out += fmt::format(".{:06}", micros);
  return out + "Z";
}

namespace {
std::optional<TimePoint> parse_as(const std::string& text, const char* form) {
  std::istringstream in(text);
  TimePoint out{};
  in >> date::parse(form, out);
  if (in.fail() || in.peek() != std::istringstream::traits_type::eof()) return {};
  return out;
}
}  // namespace

std::optional<TimePoint> parse_rfc3339(std::string_view text) {
  std::string form(text);
  if (form.size() < 20) return {};
  if (form[10] == 't' || form[10] == ' ') form[10] = 'T';
  if (form.back() == 'z') form.back() = 'Z';
  if (form[19] == '.') {  // services send nanoseconds, a TimePoint has microseconds
    const auto end = form.find_first_not_of("0123456789", 20);
    if (end == std::string::npos || end == 20) return {};
    if (end > 26) form.erase(26, end - 26);
  }
  return parse_as(form, form.back() == 'Z' ? "%FT%TZ" : "%FT%T%Ez");
}

std::optional<TimePoint> parse_http_date(std::string_view text) {
  return parse_as(std::string(text), "%a, %d %b %Y %T GMT");
}

namespace {
struct Unit {
  std::string_view name;
  double in_seconds;
};
constexpr Unit kUnits[] = {{"w", 604800}, {"d", 86400}, {"h", 3600}, {"m", 60}, {"s", 1}, {"ms", 1e-3}, {"us", 1e-6}};

// The parts of "1d2h3m" or, after the leading P, of "1DT2H".
std::optional<double> sum_of_parts(std::string_view text, bool iso) {
  double total = 0;
  bool any = false;
  bool after_t = !iso;
  while (!text.empty()) {
    if (iso && !after_t && (text[0] == 'T' || text[0] == 't')) {
      after_t = true;
      text.remove_prefix(1);
      continue;
    }
    const auto value = text::take_number(text, true);
    if (!value) return {};
    std::string unit;
    while (!text.empty() && std::isalpha(static_cast<unsigned char>(text[0])) &&
           !(iso && (text[0] == 'T' || text[0] == 't'))) {
      unit += static_cast<char>(std::tolower(static_cast<unsigned char>(text[0])));
      text.remove_prefix(1);
    }
    if (iso && unit == "m" && !after_t) return {};  // months: no fixed length
    const Unit* found = nullptr;
    for (const Unit& candidate : kUnits) {
      if (candidate.name == unit) found = &candidate;
    }
    if (!found || *value < 0) return {};
    total += *value * found->in_seconds;
    any = true;
  }
  return any ? std::optional(total) : std::nullopt;
}
}  // namespace

std::optional<Duration> parse_duration(std::string_view text) {
  const bool iso = !text.empty() && (text[0] == 'P' || text[0] == 'p');
  auto total = sum_of_parts(iso ? text.substr(1) : text, iso);
  if (!total || !(*total <= 1e11)) return {};  // a NaN too
  return seconds(*total);
}

std::string api_duration(Duration value) {
  const auto whole = value.count() / 1'000'000;
  const auto rest = value.count() % 1'000'000;
  if (rest == 0) return fmt::format("{}s", whole);
  std::string fraction = fmt::format("{:06}", rest);
  fraction.erase(fraction.find_last_not_of('0') + 1);
  return fmt::format("{}.{}s", whole, fraction);
}

std::string human_duration(Duration value) {
  const long total = std::lround(to_seconds(value));
  if (total < 60) return fmt::format("{}s", total);
  if (total < 3600) return fmt::format("{}m{:02}s", total / 60, total % 60);
  if (total < 86400) return fmt::format("{}h{:02}m", total / 3600, total / 60 % 60);
  return fmt::format("{}d{}h", total / 86400, total / 3600 % 24);
}

}  // namespace tpuctl
