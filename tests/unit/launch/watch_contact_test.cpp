// SPDX-License-Identifier: Apache-2.0
#include "launch/watch_contact.hpp"

#include <gmock/gmock.h>

#include "base/error.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/fake_clock.hpp"

namespace tpuctl::test {
namespace {

using namespace launch;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

struct World {
  FakeClock clock;
  std::vector<std::string> said;
  WatchContact contact{clock, "j", [this](const std::string& line) { said.push_back(line); },
                       [this](const std::string& line) { said.push_back("WARNING: " + line); }, std::chrono::seconds(120)};

  // A look: which workers answer, and what the service's trouble is.
  void look(const std::vector<bool>& reached, const std::string& service = "", bool explained = false) {
    std::vector<WorkerReport> reports(reached.size());
    for (std::size_t i = 0; i < reached.size(); ++i) {
      reports[i].worker.node = "n";
      reports[i].worker.index = static_cast<int>(i);
      reports[i].reached = reached[i];
      if (!reached[i]) reports[i].trouble = "no route";
    }
    contact.note(reports, service);
    contact.tell(explained);
  }
};

TEST(WatchContact, SaysOnceThatWorkersAreSilentAndOnceThatTheyAreBack) {
  World world;
  world.look({true, true, true});
  world.clock.forward(2);
  for (int i = 0; i < 3; ++i) {
    world.look({true, false, false});
    world.clock.forward(5);
  }
  EXPECT_NEAR(world.contact.silence(), 15, 0.01);
  EXPECT_FALSE(world.contact.nobody_answers()) << "the service does";
  world.look({true, true, true});
  world.look({true, true, true});
  EXPECT_THAT(world.said, ElementsAre("WARNING: no contact with n/1 and 1 more (no route). The job needs none; trying again.", "contact again, after 15s."));
  EXPECT_DOUBLE_EQ(world.contact.silence(), 0);
}

TEST(WatchContact, SilenceWithAReasonIsToldByWhoKnowsIt) {
  World world;
  world.look({false}, "", true);
  world.look({true});
  EXPECT_THAT(world.said, IsEmpty());
}

TEST(WatchContact, EndsOnlyWhenNobodyAnswersForLong) {
  World world;
  world.look({true});
  world.clock.forward(5000);  // a long look
  world.look({false}, "no network");
  EXPECT_TRUE(world.contact.nobody_answers());
  EXPECT_NO_THROW(world.contact.check());
  world.clock.forward(1201);
  const Error error = error_of([&] { world.contact.check(); });
  EXPECT_EQ(error.kind, Kind::no_connection);
  EXPECT_THAT(error.what(), HasSubstr("neither Cloud TPU nor any worker answers (no network)"));
  world.look({false});
  EXPECT_NO_THROW(world.contact.check()) << "the service answers again";
  EXPECT_THAT(world.said, ElementsAre("WARNING: no contact with Cloud TPU, n/0 (no route). The job needs none; trying again."));
}

TEST(WatchContact, OutagesOfTheServiceAreWaitedOut) {
  World world;
  int left = 3;
  const bool out = world.contact.patiently(
      [&] {
        if (--left > 0) throw Error(Kind::unavailable, "no network");
        return true;
      },
      {});
  EXPECT_TRUE(out);
  EXPECT_THAT(world.said, ElementsAre("WARNING: no contact with Cloud TPU (no network). The job needs none; trying again.", "contact again, after 10s."));
  const auto down = []() -> bool { throw Error(Kind::unavailable, "no network"); };
  EXPECT_EQ(error_of([&] { world.contact.patiently(down, {}); }).kind, Kind::no_connection) << "not for ever";
  world.contact.begin_anew();
  const TimePoint before = world.clock.now();
  EXPECT_EQ(error_of([&] { world.contact.patiently(down, before + std::chrono::seconds(20)); }).kind, Kind::wait);
  EXPECT_LE(world.clock.now() - before, std::chrono::seconds(25));
  EXPECT_EQ(error_of([&] { world.contact.patiently([]() -> bool { throw Error(Kind::denied, "no"); }, {}); }).kind, Kind::denied);
}

}  // namespace
}  // namespace tpuctl::test
