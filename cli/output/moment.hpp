// SPDX-License-Identifier: Apache-2.0
// Points in time with the zone they are shown in, as date(), duration() and filters use them.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/time.hpp"

namespace tpuctl::cli::output {

struct Zone {
  enum Kind { local, fixed, named };
  Kind kind = local;
  int offset = 0;    ///< seconds east of UTC, of a fixed one
  std::string name;  ///< as it is shown, of a fixed one ("" for none); of the zone data base, of a named one

  static Zone utc() { return {fixed, 0, "UTC"}; }
};

/// "UTC", "Z", "LOCAL", names of the zone data base ("Asia/Seoul", "EST5EDT"), usual abbreviations, "UTC+5".
std::optional<Zone> find_zone(const std::string& name);

struct Moment {
  TimePoint time;
  Zone zone;
  bool naive = false;  ///< without a zone: %z and %Z are empty
};

/// Dates and times in ISO 8601 notation, more or less complete ("2024-05-01", "20240501T101112", "2024/05/01 10:11
/// +02:00", "10:11" of today), then durations relative to `now` ("-P7D"). Those without a zone are in `zone`.
std::optional<Moment> parse_moment(std::string_view text, const Zone& zone, TimePoint now);

/// strftime's notation, and %3f (a fraction of 3 digits), %Ez (Z or +01:00), %Oz (+01:00), %s (seconds since 1970).
std::string format_moment(const Moment& moment, std::string_view format);

/// The time that calendar and clock show `year`-`month`-`day` and so on in `zone`. Parts may overflow.
struct Fields {
  long year = 1970, month = 1, day = 1, hour = 0, minute = 0, second = 0, microsecond = 0;
};
TimePoint from_fields(const Fields& fields, const Zone& zone);
Fields to_fields(TimePoint time, const Zone& zone);

}  // namespace tpuctl::cli::output
