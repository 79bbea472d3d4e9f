// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

#include "api/operations.hpp"
#include "base/text.hpp"

namespace tpuctl::api {

/// Delays between polls: the first, then 1.5 times as long each, up to the longest; 10 % jitter so that many clients started
/// together do not poll together.
class Pace {
 public:
  Pace(Clock& clock, const WaitLimits& limits) : clock_(clock), limits_(limits), next_(limits.first), start_(clock.now()) {}

  /// Sleeps; false when the time limit is reached.
  bool next() {
    Duration wait = seconds(to_seconds(next_) * (0.9 + 0.2 * text::random_unit()));
    next_ = std::min(limits_.longest, seconds(to_seconds(next_) * 1.5));
    if (limits_.timeout) {
      const Duration left = *limits_.timeout - (clock_.now() - start_);
      if (left <= Duration{}) return false;
      wait = std::min(wait, left);
    }
    clock_.sleep(wait);
    return true;
  }

 private:
  Clock& clock_;
  WaitLimits limits_;
  Duration next_;
  TimePoint start_;
};

}  // namespace tpuctl::api
