// SPDX-License-Identifier: Apache-2.0
// A clock that a sleep moves: a test of a 16-hour wait takes no time.
#pragma once

#include <functional>
#include <string_view>
#include <vector>

#include "base/time.hpp"

namespace tpuctl::test {

class FakeClock : public Clock {
 public:
  explicit FakeClock(std::string_view start = "2026-01-01T00:00:00Z") : now_(*parse_rfc3339(start)) {}

  TimePoint now() const override { return now_; }
  void sleep(Duration duration) override {
    slept.push_back(to_seconds(duration));
    now_ += duration;
    if (on_sleep) on_sleep();
  }
  void forward(double by_seconds) { now_ += seconds(by_seconds); }

  std::vector<double> slept;         ///< every sleep, in seconds
  std::function<void()> on_sleep{};  ///< what the world does meanwhile

 private:
  TimePoint now_;
};

}  // namespace tpuctl::test
