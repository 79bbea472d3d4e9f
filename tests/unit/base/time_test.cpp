// SPDX-License-Identifier: Apache-2.0
#include "base/time.hpp"

#include <gmock/gmock.h>

#include "tests/support/fake_clock.hpp"

namespace tpuctl::test {
namespace {

TimePoint at(std::int64_t micros) { return TimePoint(Duration(micros)); }

struct Rfc3339Case {
  const char* text;
  std::optional<std::int64_t> micros;
};

class Rfc3339 : public ::testing::TestWithParam<Rfc3339Case> {};

TEST_P(Rfc3339, IsRead) {
  const auto found = parse_rfc3339(GetParam().text);
  ASSERT_EQ(found.has_value(), GetParam().micros.has_value()) << GetParam().text;
  if (found) {
    EXPECT_EQ(found->time_since_epoch().count(), *GetParam().micros) << GetParam().text;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Time, Rfc3339,
    ::testing::Values(Rfc3339Case{"1970-01-01T00:00:00Z", 0}, Rfc3339Case{"2024-05-01T00:00:01Z", 1714521601000000},
                      Rfc3339Case{"2024-05-01T00:00:01.5Z", 1714521601500000}, Rfc3339Case{"2024-05-01T00:00:01.123456Z", 1714521601123456},
                      // Google's services send nanoseconds.
                      Rfc3339Case{"2024-05-01T00:00:01.123456789Z", 1714521601123456},
                      Rfc3339Case{"2024-05-01T09:00:01+09:00", 1714521601000000}, Rfc3339Case{"2024-04-30T17:00:01.25-07:00", 1714521601250000},
                      Rfc3339Case{"2024-05-01T09:00:01.123456789+09:00", 1714521601123456},
                      Rfc3339Case{"2024-05-01t00:00:01z", 1714521601000000}, Rfc3339Case{"2024-05-01 00:00:01Z", 1714521601000000},
                      Rfc3339Case{"2024-02-29T00:00:00Z", 1709164800000000}, Rfc3339Case{"1969-12-31T23:59:59Z", -1000000},
                      Rfc3339Case{"", {}}, Rfc3339Case{"2024-05-01", {}}, Rfc3339Case{"2024-05-01T00:00:01", {}},
                      Rfc3339Case{"2024-02-30T00:00:00Z", {}}, Rfc3339Case{"2023-02-29T00:00:00Z", {}}, Rfc3339Case{"2024-13-01T00:00:00Z", {}},
                      Rfc3339Case{"2024-05-01T25:00:00Z", {}}, Rfc3339Case{"2024-05-01T00:00:01Zx", {}}, Rfc3339Case{"2024-05-01T00:00:01Z ", {}},
                      Rfc3339Case{"yesterday at half past", {}}, Rfc3339Case{"2024-05-01T00:00:01.Z", {}}));

TEST(Time, Rfc3339IsWrittenAsGoogleDoes) {
  EXPECT_EQ(rfc3339(at(1714521601000000)), "2024-05-01T00:00:01Z");
  EXPECT_EQ(rfc3339(at(1714521601123456)), "2024-05-01T00:00:01Z");
  EXPECT_EQ(rfc3339(at(1714521601123456), 3), "2024-05-01T00:00:01.123Z");
  EXPECT_EQ(rfc3339(at(1714521601000007), 6), "2024-05-01T00:00:01.000007Z");
  EXPECT_EQ(rfc3339(at(-1), 6), "1969-12-31T23:59:59.999999Z");
}

TEST(Time, HttpDates) {
  EXPECT_EQ(parse_http_date("Sun, 06 Nov 1994 08:49:37 GMT"), at(784111777000000));
  for (const char* text : {"", "120", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nov 1994 08:49:37 CET",
                           "Sun, 31 Feb 1994 08:49:37 GMT"}) {
    EXPECT_FALSE(parse_http_date(text)) << text;
  }
}

struct DurationCase {
  const char* text;
  std::optional<double> in_seconds;
};

class Durations : public ::testing::TestWithParam<DurationCase> {};

TEST_P(Durations, AreReadAsGcloudReadsThem) {
  const auto found = parse_duration(GetParam().text);
  ASSERT_EQ(found.has_value(), GetParam().in_seconds.has_value()) << GetParam().text;
  if (found) {
    EXPECT_DOUBLE_EQ(to_seconds(*found), *GetParam().in_seconds) << GetParam().text;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Time, Durations,
    ::testing::Values(DurationCase{"90s", 90}, DurationCase{"6h", 21600}, DurationCase{"1d2h3m", 93780}, DurationCase{"1.5h", 5400},
                      DurationCase{"1w", 604800}, DurationCase{"250ms", 0.25}, DurationCase{"5us", 5e-6}, DurationCase{"0s", 0},
                      DurationCase{"1H30M", 5400}, DurationCase{"PT6H", 21600}, DurationCase{"P1D", 86400}, DurationCase{"P1DT2H", 93600},
                      DurationCase{"pt1h30m", 5400}, DurationCase{"PT0.5S", 0.5}, DurationCase{"P2W", 1209600}, DurationCase{"3.5s", 3.5},
                      DurationCase{"", {}}, DurationCase{"30", {}}, DurationCase{"s", {}}, DurationCase{"1x", {}}, DurationCase{"2 hours", {}},
                      DurationCase{"1h ", {}}, DurationCase{"-5s", {}}, DurationCase{"P", {}}, DurationCase{"PT", {}}, DurationCase{"P1M", {}},
                      DurationCase{"P1Y", {}}, DurationCase{"infs", {}}, DurationCase{"nans", {}}, DurationCase{"1e3s", {}},
                      DurationCase{"99999999999999999999d", {}}, DurationCase{"1h-5m", {}}, DurationCase{"0x10s", {}}));

TEST(Time, DurationsForTheApi) {
  EXPECT_EQ(api_duration(seconds(21600)), "21600s");
  EXPECT_EQ(api_duration(seconds(1.5)), "1.5s");
  EXPECT_EQ(api_duration(seconds(0)), "0s");
  EXPECT_EQ(api_duration(seconds(0.000001)), "0.000001s");
}

TEST(Time, DurationsForPeople) {
  EXPECT_EQ(human_duration(seconds(0)), "0s");
  EXPECT_EQ(human_duration(seconds(45)), "45s");
  EXPECT_EQ(human_duration(seconds(59.6)), "1m00s");
  EXPECT_EQ(human_duration(seconds(754)), "12m34s");
  EXPECT_EQ(human_duration(seconds(11100)), "3h05m");
  EXPECT_EQ(human_duration(seconds(187200)), "2d4h");
}

TEST(Time, AFakeClockMovesByItsSleeps) {
  FakeClock clock("2026-01-01T00:00:00Z");
  clock.sleep(seconds(3600));
  EXPECT_EQ(rfc3339(clock.now()), "2026-01-01T01:00:00Z");
  EXPECT_THAT(clock.slept, ::testing::ElementsAre(3600));
}

}  // namespace
}  // namespace tpuctl::test
