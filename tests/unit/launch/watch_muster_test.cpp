// SPDX-License-Identifier: Apache-2.0
#include "launch/watch_muster.hpp"

#include <gmock/gmock.h>

#include "base/file.hpp"
#include "base/signal.hpp"
#include "tests/support/fake_clock.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/unit/launch/crew.hpp"

namespace tpuctl::test {
namespace {

using namespace launch;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class Muster : public ::testing::Test {
 protected:
  Muster() {
    signals::install();
    // Its last word ends in the supervisor's call; the one before names the worker.
    ssh = folder.put_script("ssh", "for last; do :; done\necho \"${last##* tpuctl }\" >>" + std::string(folder.path) + "/calls\n" +
                                       "echo 'tpuctl: ready'; cat >/dev/null; cat " + folder.path + "/answer");
    folder.put("answer", "tpuctl: started\n");
    crew = crew_of(ssh, {"w0", "w1", "w2"});
    reports.resize(3);
    for (std::size_t i = 0; i < 3; ++i) {
      reports[i].worker = crew.workers[i];
      reports[i].reached = true;
      reports[i].attempt = 1;
    }
  }
  bool complete(int number) { return muster.complete(crew, reports, number); }
  std::string calls() const { return file::read_if_exists(folder / "calls").value_or(""); }

  TemporaryFolder folder;
  FakeClock clock;
  std::string ssh;
  Crew crew;
  std::vector<WorkerReport> reports;
  std::vector<std::string> said;
  WatchMuster muster{clock, "j", [this](const std::string& line) { said.push_back(line); }};
};

TEST_F(Muster, AllTogetherNeedNobody) {
  EXPECT_TRUE(complete(1));
  EXPECT_FALSE(complete(2)) << "nobody has begun it: that is the machines' own affair";
  clock.forward(600);
  EXPECT_FALSE(complete(2));
  EXPECT_THAT(said, IsEmpty());
}

TEST_F(Muster, WhoStaysBehindIsStartedAfterAWhile) {
  reports[2].attempt = 2;
  EXPECT_FALSE(complete(2));
  clock.forward(15);
  EXPECT_FALSE(complete(2));
  EXPECT_EQ(calls(), "");
  clock.forward(10);
  EXPECT_FALSE(complete(2));
  EXPECT_EQ(calls(), "start j\nstart j\n");
  EXPECT_THAT(said, ElementsAre("starting attempt 2 on " + crew.workers[0].label() + " and 1 more too, which did not begin it by themselves."));
  reports[0].attempt = reports[1].attempt = 2;
  EXPECT_TRUE(complete(2));
}

TEST_F(Muster, WhoIsAwayOrKnowsNothingOrRefusesIsLeftAlone) {
  reports[0].attempt = 2;
  reports[1].reached = false;
  reports[2].attempt = 0;
  EXPECT_FALSE(complete(2));
  clock.forward(60);
  EXPECT_FALSE(complete(2));
  reports[2].attempt = 1;
  reports[2].refusal = "the job's secrets are gone";
  EXPECT_FALSE(complete(2));
  EXPECT_EQ(calls(), "");
  EXPECT_THAT(said, IsEmpty());
}

TEST_F(Muster, ARefusalIsToldAndTriedAgainLater) {
  folder.put("answer", "tpuctl: refused a job of this name is running already\n");
  reports[0].attempt = reports[1].attempt = 2;
  complete(2);
  clock.forward(30);
  EXPECT_FALSE(complete(2));
  ASSERT_EQ(said.size(), 2u);
  EXPECT_THAT(said[1], HasSubstr("running already"));
  EXPECT_FALSE(complete(2));
  EXPECT_EQ(said.size(), 2u) << "not at once";
}

}  // namespace
}  // namespace tpuctl::test
