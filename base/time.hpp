// SPDX-License-Identifier: Apache-2.0
// Time as a parameter: who waits or stamps takes a Clock, so that a test moves a 16-hour queue by hand.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace tpuctl {

using TimePoint = std::chrono::sys_time<std::chrono::microseconds>;
using Duration = std::chrono::microseconds;

/// `seconds(1.5)` as a Duration.
Duration seconds(double value);
double to_seconds(Duration value);

class Clock {
 public:
  virtual ~Clock() = default;
  virtual TimePoint now() const = 0;
  /// Returns after `duration`, or throws Error{interrupted|terminated} as soon as a signal asks the program to end.
  virtual void sleep(Duration duration) = 0;
};

/// The machine's clock; sleeps end at SIGINT and SIGTERM (base/signal.hpp).
class SystemClock : public Clock {
 public:
  TimePoint now() const override;
  void sleep(Duration duration) override;
};

/// "2024-05-01T00:00:01Z"; `digits` of fraction (0, 3 or 6), as Google writes them.
std::string rfc3339(TimePoint time, int digits = 0);
/// Any RFC 3339 time with Z or an offset; empty when `text` is none.
std::optional<TimePoint> parse_rfc3339(std::string_view text);
/// "Sun, 06 Nov 1994 08:49:37 GMT", the one date of HTTP that is still sent.
std::optional<TimePoint> parse_http_date(std::string_view text);

/// gcloud's durations: "6h", "1d2h3m", "90s", "1.5h", ISO 8601 "PT6H" and "P1D"; units w d h m s ms (also in full:
/// "2 hours" is not one). Empty when `text` is none, and for a number without a unit.
std::optional<Duration> parse_duration(std::string_view text);
/// Like "21600s" or "1.5s": how the API writes a google.protobuf.Duration.
std::string api_duration(Duration value);
/// For people: "45s", "12m34s", "3h05m", "2d4h".
std::string human_duration(Duration value);

}  // namespace tpuctl
