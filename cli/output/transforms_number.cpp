// SPDX-License-Identifier: Apache-2.0
// Transforms of numbers and times.
#include <fmt/format.h>

#include <cmath>

#include "base/error.hpp"
#include "base/text.hpp"
#include "cli/output/display.hpp"
#include "cli/output/iso_duration.hpp"
#include "cli/output/keys.hpp"
#include "cli/output/moment.hpp"
#include "cli/output/transforms.hpp"

namespace tpuctl::cli::output {

namespace {

/// A unit of size: by its first letter, or a number of bytes.
struct SizeUnit {
  explicit SizeUnit(const std::string& text) {
    if (text.empty()) return;
    if (const auto number = to_number(Json(text))) {
      bytes = *number == 0 ? 1 : *number;
      return;
    }
    const std::string_view letters = "KMGTP";
    const auto at = letters.find(text::upper(text)[0]);
    if (at == std::string_view::npos) return;
    named = true;
    bytes = std::ldexp(1.0, 10 * (static_cast<int>(at) + 1));
  }
  double bytes = 1;
  bool named = false;
};

std::string human_size(double size, const std::string& prefix, int precision) {
  const char* unit = "PiB";
  for (const char* one : {"bytes", "KiB", "MiB", "GiB", "TiB", "PiB"}) {
    if (size < 1024) {
      unit = one;
      break;
    }
    size /= 1024;
  }
  if (size == std::trunc(size)) return fmt::format("{}{:.0f} {}", prefix, size, unit);
  return fmt::format("{}{:.{}f} {}", prefix, size, precision, unit);
}

// The member whose name holds `part`, in any case.
const Json* dimension(const Json& value, std::string_view part) {
  for (const Json::Member& one : value.members()) {
    if (text::lower(one.name).find(part) != std::string::npos) return one.value.is_null() ? nullptr : &one.value;
  }
  return nullptr;
}

struct Dating {
  explicit Dating(const Arguments& arguments)
      : format(arguments.text("format", "%Y-%m-%dT%H:%M:%S")),
        undefined(arguments.text("undefined")),
        unit(to_number(Json(arguments.text("unit", "1")))) {
    if (const std::string name = arguments.text("tz"); !name.empty()) shown_in = find_zone(name);
    if (const std::string name = arguments.text("tz_default"); !name.empty()) given_in = find_zone(name);
  }

  Json of(const Json& value) const {
    if (const auto number = to_number(value); number && unit && *unit != 0) {
      const double seconds_since = *number / *unit;
      constexpr double kYear10000 = 253402300800.0, kYear1 = -62135596800.0;
      if (seconds_since < kYear10000 && seconds_since >= kYear1) {
        return format_moment({TimePoint(seconds(seconds_since)), given_in.value_or(Zone{}), !given_in}, format);
      }
    }
    const Json& inner = value["datetime"];
    const Json& written = inner.is_string() ? inner : value;
    auto moment = written.is_string() && !written.empty()
                      ? parse_moment(written.text(), given_in.value_or(Zone{}), SystemClock().now())
                      : std::nullopt;
    if (!moment && value.is_object()) moment = from_parts(value);
    if (!moment) return undefined;
    if (shown_in) *moment = {moment->time, *shown_in, false};
    return format_moment(*moment, format);
  }

 private:
  // {"year": 2024, "month": 5, ...}: three parts are enough, the others are those of now.
  std::optional<Moment> from_parts(const Json& value) const {
    const Zone zone = given_in.value_or(Zone{});
    Fields fields = to_fields(SystemClock().now(), zone);
    fields.microsecond = 0;
    int known = 0;
    auto read = [&](std::string_view name, long& into) {
      const Json& part = value[name];
      if (part.is_null()) return true;
      const auto number = part.is_number() ? std::optional(part.integer()) : to_integer(part.text());
      if (number) into = *number;
      ++known;
      return number.has_value();
    };
    const bool good = read("year", fields.year) && read("month", fields.month) && read("day", fields.day) &&
                      read("hour", fields.hour) && read("minute", fields.minute) && read("second", fields.second);
    if (!good || known < 3 || fields.month < 1 || fields.month > 12 || fields.day < 1 || fields.day > 31) return {};
    fields.microsecond =
        value["nanosecond"].integer() / 1000 + value["microsecond"].integer() + value["millisecond"].integer() * 1000;
    return Moment{from_fields(fields, zone), zone, !given_in};
  }

  std::string format, undefined;
  std::optional<double> unit;
  std::optional<Zone> shown_in, given_in;
};

std::optional<TimePoint> time_of(const Json& value) {
  if (!value.is_string() || value.empty()) return {};
  const auto moment = parse_moment(value.text(), Zone{}, SystemClock().now());
  return moment ? std::optional(moment->time) : std::nullopt;
}

struct Lasting {
  explicit Lasting(const Arguments& arguments)
      : start(arguments.text("start")),
        end(arguments.text("end")),
        undefined(arguments.text("undefined")),
        parts(static_cast<int>(arguments.integer("parts", 3))),
        precision(static_cast<int>(arguments.integer("precision", 3))),
        calendar(arguments.on("calendar", true)),
        unit(to_number(Json(arguments.text("unit", "1")))) {}

  Json of(const Json& value) const {
    if (!start.empty()) return between(value);
    if (const auto number = to_number(value); number && unit && *unit != 0) {
      const double length = *number / *unit;
      // Neither negative nor so long or short that it would be written with an exponent.
      if (length == 0 || (length >= 1e-4 && length < 1e15))
        return IsoDuration::of_seconds(length, calendar).format(parts, precision);
    }
    if (value.is_string()) {
      if (const auto duration = IsoDuration::parse(value.text())) return duration->format(parts, precision);
    }
    const auto since = time_of(value);
    return since ? shown(SystemClock().now() - *since) : Json(undefined);
  }

 private:
  Json between(const Json& value) const {
    Json made, made_too;
    const auto from = time_of(get(value, parse_key(start), made));
    if (!from) return undefined;
    const Json none;
    const Json& last = end.empty() ? none : get(value, parse_key(end), made_too);
    const auto until = truthy(last) ? time_of(last) : SystemClock().now();
    return until ? shown(*until - *from) : Json(undefined);
  }
  Json shown(Duration duration) const {
    return IsoDuration::of_seconds(to_seconds(duration), calendar).format(parts, precision);
  }

  std::string start, end, undefined;
  int parts, precision;
  bool calendar;
  std::optional<double> unit;
};

}  // namespace

Function make_float(const Arguments& arguments, const Surroundings&) {
  const auto precision = static_cast<int>(arguments.integer("precision", 6));
  const auto spec = arguments.given("spec");
  if (precision < 0 || precision > 100 || (spec && std::string_view("eEfFgG%").find(*spec) == std::string_view::npos)) {
    throw Error(tpuctl::Kind::usage, "float(): the precision is 0 to 100, the spec e, f or g");
  }
  return [=, undefined = arguments.text("undefined")](const Json& value) -> Json {
    const auto number = to_number(value);
    if (!number) return undefined;
    if (spec) return format_number(*number, precision, *spec);
    const std::string out = format_number(*number, precision, "");
    const auto exponent = out.find("e+");
    const auto power = exponent == std::string::npos ? std::nullopt : to_integer(out.substr(exponent + 2));
    return power && *power < 9 ? fmt::format("{:.1f}", *number) : out;
  };
}

Function make_size(const Arguments& arguments, const Surroundings&) {
  const std::string zero = arguments.text("zero", "0");
  const auto precision = static_cast<int>(arguments.integer("precision", 1));
  const SizeUnit in(arguments.text("units_in")), out(arguments.text("units_out"));
  const auto least = to_number(Json(arguments.text("min", "0")));
  if (!least || precision < 0 || precision > 100) {
    throw Error(tpuctl::Kind::usage, "size(): min and precision must be numbers");
  }
  return [=](const Json& value) -> Json {
    if (!truthy(value)) return zero;
    double size = to_number(value).value_or(0);
    const bool small = size < *least;
    size = (small ? *least : size) * in.bytes;
    if (out.named) return fmt::format("{:.{}f}", size / out.bytes, precision);
    return human_size(size, small ? "< " : "", precision);
  };
}

Function make_resolution(const Arguments& arguments, const Surroundings&) {
  return [undefined = arguments.text("undefined"),
          transpose = arguments.on("transpose", false)](const Json& value) -> Json {
    constexpr std::pair<std::string_view, std::string_view> kNames[] = {
        {"width", "height"}, {"screenx", "screeny"}, {"col", "row"}, {"col", "line"}, {"x", "y"}};
    for (const auto& [name_x, name_y] : kNames) {
      const Json* x = dimension(value, name_x);
      const Json* y = x ? dimension(value, name_y) : nullptr;
      if (!y) continue;
      return python_text(transpose ? *y : *x) + " x " + python_text(transpose ? *x : *y);
    }
    return undefined;
  };
}

Function make_date(const Arguments& arguments, const Surroundings&) {
  return [dating = Dating(arguments)](const Json& value) { return dating.of(value); };
}

Function make_iso(const Arguments& arguments, const Surroundings&) {
  const Arguments as_date("iso", "|format undefined unit tz tz_default",
                          {"%Y-%m-%dT%H:%M:%S.%3f%Oz", arguments.text("undefined", "T")});
  return [dating = Dating(as_date)](const Json& value) { return dating.of(value); };
}

Function make_duration(const Arguments& arguments, const Surroundings&) {
  return [lasting = Lasting(arguments)](const Json& value) { return lasting.of(value); };
}

}  // namespace tpuctl::cli::output
