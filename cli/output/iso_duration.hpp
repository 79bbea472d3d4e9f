// SPDX-License-Identifier: Apache-2.0
// ISO 8601 durations as gcloud reads and writes them: P1Y2M3DT4H5M6S, -P7D, and without the P also 90s, 1h30m, 5ms.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace tpuctl::cli::output {

class IsoDuration {
 public:
  /// With `calendar` hours are carried to days and days to years.
  static std::optional<IsoDuration> parse(std::string_view text, bool calendar = false);
  static IsoDuration of_seconds(double seconds, bool calendar);

  /// At most `parts` parts from the largest on (0: all), the seconds with `precision` digits.
  std::string format(int parts, int precision) const;

  // Whole numbers after reading, each of the duration's sign.
  long years = 0, months = 0, days = 0, hours = 0, minutes = 0, seconds = 0, microseconds = 0;

 private:
  struct Amounts {
    double years = 0, months = 0, days = 0, hours = 0, minutes = 0, seconds = 0;
  };
  static IsoDuration normalized(Amounts amounts, bool calendar);
  double total_ = 0;  ///< seconds
};

}  // namespace tpuctl::cli::output
