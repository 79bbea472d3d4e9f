// SPDX-License-Identifier: Apache-2.0
#include "cli/output/moment.hpp"

#include <fmt/format.h>

#include <cctype>
#include <ctime>

#include "base/environment.hpp"
#include "base/file.hpp"
#include "base/text.hpp"
#include "cli/output/display.hpp"
#include "cli/output/iso_duration.hpp"
#include "cli/output/zones.hpp"

namespace tpuctl::cli::output {

namespace {

struct Shown {
  std::tm fields{};
  long offset = 0;
  std::string zone;
};

long floor_seconds(TimePoint time) { return std::chrono::floor<std::chrono::seconds>(time).time_since_epoch().count(); }

Shown shown_in(TimePoint time, const Zone& zone) {
  Shown out;
  std::time_t seconds = floor_seconds(time);
  if (zone.kind == Zone::fixed) {
    seconds += zone.offset;
    gmtime_r(&seconds, &out.fields);
    out.offset = zone.offset;
    out.zone = zone.name;
    return out;
  }
  const ZoneOfProcess there(zone);
  localtime_r(&seconds, &out.fields);
  out.offset = out.fields.tm_gmtoff;
  out.zone = out.fields.tm_zone ? out.fields.tm_zone : "";
  return out;
}

std::string standard(const Shown& when, std::string format, bool naive) {
  if (format.empty()) return {};
  // Python gives strftime these two itself.
  const std::string offset = fmt::format("{}{:02}{:02}", when.offset < 0 ? '-' : '+', std::labs(when.offset) / 3600,
                                         std::labs(when.offset) / 60 % 60);
  std::string prepared;
  for (std::size_t i = 0; i < format.size(); ++i) {
    if (format[i] == '%' && i + 1 < format.size()) {
      const char next = format[++i];
      if (next == 'z') {
        prepared += naive ? "" : offset;
      } else if (next == 'Z') {
        prepared += naive ? "" : text::replace_all(when.zone, "%", "%%");
      } else {
        prepared += {'%', next};
      }
    } else {
      prepared += format[i];
    }
  }
  if (prepared.empty()) return {};
  prepared += '.';  // so that an empty result can be told from one that does not fit
  std::string out(256, '\0');
  std::size_t size = 0;
  while ((size = std::strftime(out.data(), out.size(), prepared.c_str(), &when.fields)) == 0 &&
         out.size() < (1u << 20)) {
    out.resize(out.size() * 4);
  }
  out.resize(size == 0 ? 0 : size - 1);
  return out;
}

// `digits` of a fraction, rounded, except that nines are not carried into the seconds.
std::string fraction(long micros, int digits) {
  std::string whole = fmt::format("{:06}", micros);
  if (digits >= 6) return whole;
  const auto at = static_cast<std::size_t>(digits);
  const std::string head = whole.substr(0, at);
  if (whole[at] < '5') return head;
  const std::string up = fmt::format("{:0{}}", text::parse_int(head).value_or(0) + 1, digits);
  return up.size() > at ? head : up;
}

/// One of gcloud's extensions at `at` of a format: %[1-9]?[EO]?[fsz].
struct Extension {
  int digits = 6;
  char alternative = '\0';
  char what = '\0';
  std::size_t length = 0;
};

std::optional<Extension> extension(std::string_view format, std::size_t at) {
  Extension out;
  std::size_t i = at + 1;
  if (i < format.size() && format[i] >= '1' && format[i] <= '9') out.digits = format[i++] - '0';
  if (i < format.size() && (format[i] == 'E' || format[i] == 'O')) out.alternative = format[i++];
  if (i >= format.size() || (format[i] != 'f' && format[i] != 's' && format[i] != 'z')) return {};
  out.what = format[i];
  out.length = i + 1 - at;
  return out;
}

std::string extended(const Extension& one, const Moment& moment, const Shown& when) {
  const long micros = (moment.time - std::chrono::floor<std::chrono::seconds>(moment.time)).count();
  if (one.what == 'f') return fraction(micros, one.digits);
  if (one.what == 's') {  // gcloud shows nothing for 1970 itself
    const double since = to_seconds(moment.time.time_since_epoch());
    return since == 0 ? "" : python_float(since);
  }
  std::string offset = standard(when, "%z", moment.naive);
  if (one.alternative == 'E' && offset == "+0000") return "Z";
  if (one.alternative != '\0' && offset.size() == 5) offset.insert(3, ":");
  return offset;
}

bool digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

/// Reads a date and time from left to right.
class Reader {
 public:
  Reader(std::string_view text, const Zone& zone, TimePoint now) : rest_(text::trim(text)), zone_(zone), now_(now) {}

  std::optional<Moment> run() {
    Fields fields = to_fields(now_, zone_);
    fields.hour = fields.minute = fields.second = fields.microsecond = 0;
    const bool dated = date(fields);
    if (dated && (rest_.starts_with('T') || rest_.starts_with('t') || rest_.starts_with(' '))) rest_.remove_prefix(1);
    const bool timed = time(fields, dated);
    if (!dated && !timed) return {};
    Moment out{{}, zone_, false};
    if (!zone(out.zone) || !good(fields)) return {};
    out.time = from_fields(fields, out.zone);
    return out;
  }

 private:
  std::optional<long> number(std::size_t digits) {
    if (rest_.size() < digits) return {};
    for (std::size_t i = 0; i < digits; ++i) {
      if (!digit(rest_[i])) return {};
    }
    const auto value = text::parse_int(rest_.substr(0, digits));
    rest_.remove_prefix(digits);
    return value;
  }
  std::size_t digits_ahead() const {
    std::size_t out = 0;
    while (out < rest_.size() && digit(rest_[out])) ++out;
    return out;
  }
  bool take(char c) {
    if (!rest_.starts_with(c)) return false;
    rest_.remove_prefix(1);
    return true;
  }
  std::optional<long> short_number() { return number(digits_ahead() >= 2 ? 2 : 1); }

  bool date(Fields& out) {
    const std::size_t ahead = digits_ahead();
    if (ahead == 8 || ahead == 14) {
      out.year = *number(4);
      out.month = *number(2);
      out.day = *number(2);
      return true;
    }
    if (ahead != 4 || rest_.size() < 6 || (rest_[4] != '-' && rest_[4] != '/')) return false;
    const char separator = rest_[4];
    out.year = *number(4);
    rest_.remove_prefix(1);
    const auto month = short_number();
    if (!month) return false;
    out.month = *month;
    if (!take(separator)) return true;  // the day is today's
    const auto day = short_number();
    if (day) out.day = *day;
    return day.has_value();
  }

  bool time(Fields& out, bool dated) {
    const std::size_t ahead = digits_ahead();
    if (dated && (ahead == 4 || ahead == 6)) {
      out.hour = *number(2);
      out.minute = *number(2);
      if (ahead == 6) out.second = *number(2);
    } else if ((ahead == 1 || ahead == 2) && rest_.size() > ahead && rest_[ahead] == ':') {
      out.hour = *number(ahead);
      rest_.remove_prefix(1);
      const auto minute = number(2);
      if (!minute) return false;
      out.minute = *minute;
      if (take(':')) {
        const auto second = number(2);
        if (!second) return false;
        out.second = *second;
      }
    } else {
      return false;
    }
    if (take('.') || take(',')) {
      std::string micros(rest_.substr(0, std::min<std::size_t>(6, digits_ahead())));
      rest_.remove_prefix(digits_ahead());
      micros.resize(6, '0');
      out.microsecond = text::parse_int(micros).value_or(0);
    }
    return true;
  }

  bool zone(Zone& out) {
    rest_ = text::trim(rest_);
    if (rest_.empty()) return true;
    if (rest_[0] == '+' || rest_[0] == '-') {
      const int sign = rest_[0] == '-' ? -1 : 1;
      rest_.remove_prefix(1);
      const auto hours = short_number();
      take(':');
      const auto minutes = rest_.empty() ? std::optional<long>(0) : number(2);
      if (!hours || !minutes || !rest_.empty()) return false;
      const long offset = sign * (*hours * 3600 + *minutes * 60);
      out = offset == 0 ? Zone::utc() : Zone{Zone::fixed, static_cast<int>(offset), ""};
      return true;
    }
    const auto found = find_zone(rest_ == "z" ? "Z" : std::string(rest_));
    if (found) out = *found;
    return found.has_value();
  }

  static bool good(const Fields& f) {
    return f.month >= 1 && f.month <= 12 && f.day >= 1 && f.day <= 31 && f.hour < 24 && f.minute < 60 && f.second < 60;
  }

  std::string_view rest_;
  const Zone& zone_;
  TimePoint now_;
};

std::optional<Moment> relative(std::string_view text, const Zone& zone, TimePoint now) {
  const auto duration = IsoDuration::parse(text);
  if (!duration || text.empty()) return {};
  Fields at = to_fields(now, zone);
  at.microsecond += duration->microseconds;
  at.second += duration->seconds;
  at.minute += duration->minutes;
  at.hour += duration->hours;
  at.day += duration->days;
  at.month += duration->months;
  at.year += duration->years;
  return Moment{from_fields(at, zone), zone, false};
}

}  // namespace

TimePoint from_fields(const Fields& fields, const Zone& zone) {
  std::tm when{};
  when.tm_year = static_cast<int>(fields.year - 1900);
  when.tm_mon = static_cast<int>(fields.month - 1);
  when.tm_mday = static_cast<int>(fields.day);
  when.tm_hour = static_cast<int>(fields.hour);
  when.tm_min = static_cast<int>(fields.minute);
  when.tm_sec = static_cast<int>(fields.second);
  std::time_t seconds = 0;
  if (zone.kind == Zone::fixed) {
    seconds = timegm(&when) - zone.offset;
  } else {
    const ZoneOfProcess there(zone);
    when.tm_isdst = -1;
    seconds = std::mktime(&when);
  }
  return TimePoint(std::chrono::seconds(seconds)) + Duration(fields.microsecond);
}

Fields to_fields(TimePoint time, const Zone& zone) {
  const std::tm when = shown_in(time, zone).fields;
  return {when.tm_year + 1900L,
          when.tm_mon + 1L,
          when.tm_mday,
          when.tm_hour,
          when.tm_min,
          when.tm_sec,
          (time - std::chrono::floor<std::chrono::seconds>(time)).count()};
}

std::optional<Moment> parse_moment(std::string_view text, const Zone& zone, TimePoint now) {
  if (auto out = Reader(text, zone, now).run()) return out;
  return relative(text, zone, now);
}

std::string format_moment(const Moment& moment, std::string_view format) {
  const Shown when = shown_in(moment.time, moment.zone);
  std::string out, plain;
  for (std::size_t i = 0; i < format.size();) {
    const auto special = format[i] == '%' ? extension(format, i) : std::nullopt;
    if (special) {
      out += standard(when, std::move(plain), moment.naive) + extended(*special, moment, when);
      plain.clear();
      i += special->length;
    } else {
      const std::size_t length = format[i] == '%' && i + 1 < format.size() ? 2 : 1;
      plain += format.substr(i, length);
      i += length;
    }
  }
  return out + standard(when, std::move(plain), moment.naive);
}

}  // namespace tpuctl::cli::output
