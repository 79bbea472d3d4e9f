// SPDX-License-Identifier: Apache-2.0
// Conversations with children of /bin/sh in the place of ssh.
#include "launch/fanout.hpp"

#include <gmock/gmock.h>
#include <signal.h>
#include <unistd.h>

#include <map>

#include "base/signal.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/temporary_folder.hpp"

namespace tpuctl::test {
namespace {

using namespace launch;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Lt;

class FanoutTest : public ::testing::Test {
 protected:
  FanoutTest() {
    signals::install();
    options.pause = std::chrono::milliseconds(1);
    options.limit = std::chrono::seconds(120);  // a broken test ends too
    options.on_end = [this](std::size_t i, const Ending& ending) {
      ends[i] += 1;
      if (ending.code == -1) ADD_FAILURE();
    };
  }
  static Task task(const std::string& script, const std::string& input = {}) { return {{"/bin/sh", "-c", script}, input, false}; }
  std::vector<Ending> run(std::vector<Task> tasks) {
    const std::size_t count = tasks.size();
    Fanout round(std::move(tasks), options, [this](std::size_t i, Channel channel, std::string_view line) {
      (channel == Channel::out ? out : err)[i].emplace_back(line);
      if (on_line) on_line(i, line);
    });
    fanout = &round;
    auto endings = round.run();
    EXPECT_EQ(endings.size(), count);
    for (std::size_t i = 0; i < count; ++i) EXPECT_EQ(ends[i], 1) << "on_end is called once for each";
    return endings;
  }
  TemporaryFolder folder;
  FanoutOptions options;
  Fanout* fanout = nullptr;
  std::function<void(std::size_t, std::string_view)> on_line{};
  std::map<std::size_t, std::vector<std::string>> out, err;
  std::map<std::size_t, int> ends;
};

TEST_F(FanoutTest, LinesAndCodesAreToldApart) {
  const auto endings = run({task("echo a; echo b >&2; exit 3"), task("printf 'no end'"), task("kill -TERM $$"), task("cat", "fed\n")});
  EXPECT_THAT(out[0], ElementsAre("a"));
  EXPECT_THAT(err[0], ElementsAre("b"));
  EXPECT_THAT(out[1], ElementsAre("no end")) << "the last line needs no end";
  EXPECT_THAT(out[3], ElementsAre("fed"));
  EXPECT_EQ(endings[0].code, 3);
  EXPECT_EQ(endings[0].complaint, "b");
  EXPECT_EQ(endings[1].code, 0);
  EXPECT_EQ(endings[2].code, 143);
  for (const Ending& one : endings) EXPECT_TRUE(one.connected);
}

TEST_F(FanoutTest, LinesAreCleanAndInOrder) {
  run({task("printf 'one\\r\\n\\ntwo\\n'; i=0; while [ $i -lt 2000 ]; do echo $i; i=$((i+1)); done")});
  ASSERT_EQ(out[0].size(), 2003u);
  EXPECT_EQ(out[0][0], "one") << "without the carriage return of a terminal";
  EXPECT_EQ(out[0][1], "");
  for (std::size_t i = 0; i < 2000; ++i) ASSERT_EQ(out[0][3 + i], std::to_string(i));
}

TEST_F(FanoutTest, AVeryLongLineComesInPieces) {
  run({task("head -c 200000 /dev/zero | tr '\\0' x; echo; echo end"), task("head -c 65536 /dev/zero | tr '\\0' y; echo; echo end")});
  std::size_t total = 0;
  ASSERT_EQ(out[0].size(), 5u);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_LE(out[0][i].size(), 65536u);
    total += out[0][i].size();
  }
  EXPECT_EQ(total, 200000u);
  EXPECT_EQ(out[0][4], "end");
  ASSERT_EQ(out[1].size(), 2u) << "a line of just that length is one line";
  EXPECT_EQ(out[1][0].size(), 65536u);
}

TEST_F(FanoutTest, TheComplaintIsTheLastWordOnStderrAndHarmless) {
  const auto endings = run({task("echo first >&2; printf 'last \\033[31m\\n\\n  \\n' >&2; exit 1")});
  EXPECT_EQ(endings[0].complaint, "last \\x1b[31m");
}

// ---- connections -------------------------------------------------------------------------------------------------------

std::string counted(const TemporaryFolder& folder, const std::string& then) {
  return "echo x >>" + folder.path + "/tries; n=$(wc -l <" + folder.path + "/tries); " + then;
}

TEST_F(FanoutTest, AConnectionThatFailedIsTriedAgain) {
  const auto endings = run({task(counted(folder, "[ $n -lt 3 ] && { echo refused >&2; exit 255; }; cat"), "from the start\n")});
  EXPECT_EQ(file::read(folder / "tries"), "x\nx\nx\n");
  EXPECT_EQ(endings[0].code, 0);
  EXPECT_TRUE(endings[0].connected);
  EXPECT_THAT(out[0], ElementsAre("from the start")) << "the input is sent again whole";
}

TEST_F(FanoutTest, NotForEver) {
  options.tries = 4;
  const auto endings = run({task(counted(folder, "echo 'no route' >&2; exit 255"))});
  EXPECT_EQ(file::read(folder / "tries"), "x\nx\nx\nx\n");
  EXPECT_EQ(endings[0].code, 255);
  EXPECT_FALSE(endings[0].connected);
  EXPECT_EQ(endings[0].complaint, "no route");
}

TEST_F(FanoutTest, WhoWasHeardIsNotTriedAgain) {
  const auto endings = run({task(counted(folder, "echo running; exit 255"))});
  EXPECT_EQ(file::read(folder / "tries"), "x\n") << "the command would run twice";
  EXPECT_EQ(endings[0].code, 255);
  EXPECT_TRUE(endings[0].connected);
}

TEST_F(FanoutTest, OtherCodesAreNotTriedAgain) {
  const auto endings = run({task(counted(folder, "exit 254"))});
  EXPECT_EQ(file::read(folder / "tries"), "x\n");
  EXPECT_EQ(endings[0].code, 254);
  EXPECT_TRUE(endings[0].connected);
}

TEST_F(FanoutTest, WhatIsHopelessIsNotTriedAgain) {
  options.hopeless = [](std::size_t i, const Ending& so_far) { return i == 0 && so_far.complaint == "wrong key"; };
  const auto endings = run({task(counted(folder, "echo 'wrong key' >&2; exit 255")), task("[ -e " + folder.path + "/again ] || { touch " + folder.path + "/again; echo 'wrong key' >&2; exit 255; }")});
  EXPECT_EQ(file::read(folder / "tries"), "x\n");
  EXPECT_EQ(endings[0].code, 255);
  EXPECT_EQ(endings[1].code, 0) << "asked of each by itself";
}

TEST_F(FanoutTest, WhoWasReachedIsKnownToTheJudge) {
  options.reached = [this](std::size_t i) { return i == 0 && file::exists(folder / "socket"); };
  options.hopeless = [](std::size_t, const Ending& so_far) { return so_far.reached; };
  const auto endings = run({task(counted(folder, "[ $n -gt 1 ] || exit 255; touch " + folder.path + "/socket; sleep 0.5; exit 255"))});
  EXPECT_EQ(file::read(folder / "tries"), "x\nx\n");
  EXPECT_TRUE(endings[0].reached);
  EXPECT_TRUE(endings[0].connected);
}

TEST_F(FanoutTest, PausesGrowToALimitAndEachIsTold) {
  options.pause = std::chrono::milliseconds(40);
  options.longest_pause = std::chrono::milliseconds(80);
  options.tries = 4;
  std::vector<std::string> told;
  options.on_retry = [&](std::size_t i, const std::string& complaint) { told.push_back(std::to_string(i) + " " + complaint); };
  const auto begin = std::chrono::steady_clock::now();
  run({task(counted(folder, "echo \"refused $n\" >&2; exit 255"))});
  EXPECT_GE(std::chrono::steady_clock::now() - begin, std::chrono::milliseconds((40 + 80 + 80) / 2)) << "half of each at least";
  EXPECT_THAT(told, ElementsAre("0 refused 1", "0 refused 2", "0 refused 3"));
}

TEST_F(FanoutTest, TheComplaintIsThatOfTheLastTry) {
  const auto endings = run({task(counted(folder, "[ $n -gt 1 ] || { echo refused >&2; exit 255; }; exit 7"))});
  EXPECT_EQ(endings[0].code, 7);
  EXPECT_EQ(endings[0].complaint, "");
}

// ---- limits ------------------------------------------------------------------------------------------------------------

TEST_F(FanoutTest, ATimeLimitEndsEachByItself) {
  options.limit = std::chrono::seconds(4);  // ample for the quick one, also on a busy machine
  const auto endings = run({task("echo $$ >" + folder.path + "/pid; trap '' TERM; while :; do sleep 1; done"), task("echo quick")});
  EXPECT_EQ(endings[0].code, 124);
  EXPECT_TRUE(endings[0].timed_out);
  EXPECT_EQ(endings[1].code, 0);
  EXPECT_FALSE(endings[1].timed_out);
  EXPECT_NE(::kill(static_cast<pid_t>(std::stol(file::read(folder / "pid"))), 0), 0) << "it is really gone";
}

TEST_F(FanoutTest, TheTimeLimitCountsFromTheFirstTry) {
  options.limit = std::chrono::milliseconds(300);
  options.tries = 1'000'000;
  const auto endings = run({task("exit 255")});
  EXPECT_EQ(endings[0].code, 124);
  EXPECT_TRUE(endings[0].timed_out);
}

TEST_F(FanoutTest, NoMoreAtOnceThanAllowed) {
  options.parallel = 1;
  std::vector<Task> tasks(5, task("echo begin >>" + folder.path + "/log; sleep 0.02; echo end >>" + folder.path + "/log"));
  run(std::move(tasks));
  EXPECT_EQ(file::read(folder / "log"), "begin\nend\nbegin\nend\nbegin\nend\nbegin\nend\nbegin\nend\n");
}

TEST_F(FanoutTest, ButAsManyAsAllowed) {
  options.parallel = 3;  // each waits until all three are there
  std::vector<Task> tasks(3, task("echo x >>" + folder.path + "/here; while [ $(wc -l <" + folder.path + "/here) -lt 3 ]; do sleep 0.01; done"));
  for (const Ending& one : run(std::move(tasks))) EXPECT_EQ(one.code, 0);
}

TEST_F(FanoutTest, ASilentWorkerBlocksNobody) {
  on_line = [this](std::size_t, std::string_view line) {
    if (line == "done") fanout->give_up(0);
  };
  const auto endings = run({task("exec sleep 1000"), task("echo one; echo two; echo done")});
  EXPECT_THAT(out[1], ElementsAre("one", "two", "done")) << "heard while the other said nothing";
  EXPECT_EQ(endings[0].code, 143);
  EXPECT_EQ(endings[1].code, 0);
}

TEST_F(FanoutTest, AFloodDrownsNobody) {
  on_line = [this](std::size_t i, std::string_view) {
    if (i == 1) fanout->give_up(0);
    out[0].clear();  // endless
  };
  const auto endings = run({task("exec yes 'a flood of words that never ends'"), task("sleep 0.1; echo small")});
  EXPECT_THAT(out[1], ElementsAre("small"));
  EXPECT_EQ(endings[0].code, 143);
}

TEST_F(FanoutTest, NothingOfAFloodIsLost) {
  std::size_t lines = 0;
  on_line = [&](std::size_t i, std::string_view line) {
    ++lines;
    EXPECT_EQ(line, "0123456789abcdef");
    out[i].clear();
  };
  run({task("yes 0123456789abcdef | head -n 300000"), task("yes 0123456789abcdef | head -n 300000")});
  EXPECT_EQ(lines, 600'000u);
}

// ---- conversations -----------------------------------------------------------------------------------------------------

TEST_F(FanoutTest, ATalkGoesBackAndForth) {
  Task talk = task("echo ready; read word; echo \"got $word\"; cat; echo closed");
  talk.keep_open = true;
  on_line = [this](std::size_t i, std::string_view line) {
    if (line == "ready") fanout->say(i, "go\n");
    if (line == "got go") {
      fanout->say(i, "more\n");
      fanout->close_input(i);
    }
  };
  run({talk, talk});
  for (const std::size_t i : {0u, 1u}) EXPECT_THAT(out[i], ElementsAre("ready", "got go", "more", "closed"));
}

TEST_F(FanoutTest, MuchInputGoesToASlowReader) {
  const auto endings = run({task("sleep 0.1; wc -c", std::string(3'000'000, 'x'))});
  EXPECT_THAT(out[0], ElementsAre("3000000"));
  EXPECT_EQ(endings[0].code, 0);
}

TEST_F(FanoutTest, AReaderThatLeavesIsNoTrouble) {
  const auto endings = run({task("exec <&-; echo bye; exit 4", std::string(3'000'000, 'x'))});
  EXPECT_THAT(out[0], ElementsAre("bye"));
  EXPECT_EQ(endings[0].code, 4);
}

TEST_F(FanoutTest, GivingUpReachesThoseWhoHaveNotStarted) {
  options.parallel = 1;
  on_line = [this](std::size_t i, std::string_view) {
    if (i == 0) fanout->give_up(1);
  };
  const auto endings = run({task("echo first"), task("touch " + folder.path + "/started"), task("echo third")});
  EXPECT_EQ(endings[1].code, 143);
  EXPECT_FALSE(file::exists(folder / "started"));
  EXPECT_FALSE(endings[1].started);
  EXPECT_TRUE(endings[2].started);
  EXPECT_THAT(out[2], ElementsAre("third"));
}

TEST_F(FanoutTest, TheFirstFailureEndsTheOthersWhenAsked) {
  options.fail_fast = true;
  options.parallel = 3;
  const std::string wait = "while [ ! -e " + folder.path + "/there ]; do sleep 0.01; done; ";
  const auto endings = run({task("touch " + folder.path + "/there; exec sleep 1000"), task(wait + "exit 3"), task("echo whole"), task("touch " + folder.path + "/started")});
  EXPECT_EQ(endings[1].code, 3);
  EXPECT_FALSE(endings[1].given_up);
  EXPECT_EQ(endings[0].code, 143);
  EXPECT_TRUE(endings[0].given_up);
  for (const Ending& one : endings) EXPECT_TRUE(one.given_up || one.code == 3 || one.code == 0);
}

TEST_F(FanoutTest, OneThatIsTriedAgainIsEndedWithTheOthers) {
  options.fail_fast = true;
  options.pause = options.longest_pause = std::chrono::seconds(1000);
  options.on_retry = [&](std::size_t, const std::string&) { file::write_atomic(folder / "retry", ""); };
  const auto endings = run({task("exit 255"), task("while [ ! -e " + folder.path + "/retry ]; do sleep 0.01; done; exit 3")});
  EXPECT_TRUE(endings[0].given_up) << "though it waits for a long time";
  EXPECT_EQ(endings[1].code, 3);
}

TEST_F(FanoutTest, WithoutTheWishOthersGoOn) {
  const auto endings = run({task("exit 3"), task("sleep 0.2; echo whole")});
  EXPECT_THAT(out[1], ElementsAre("whole"));
  EXPECT_FALSE(endings[1].given_up);
}

TEST_F(FanoutTest, GivingUpIsTheEndAlsoForWhatEndsAsSshDoes) {
  // ssh catches SIGTERM and exits with 255, which is no reason to connect again.
  on_line = [this](std::size_t i, std::string_view) {
    if (i == 1) fanout->give_up(0);
  };
  const auto endings = run({task(counted(folder, "trap 'exit 255' TERM; touch " + folder.path + "/there; while :; do sleep 0.02; done")),
                            task("while [ ! -e " + folder.path + "/there ]; do sleep 0.01; done; echo now")});
  EXPECT_EQ(endings[0].code, 143);
  EXPECT_EQ(file::read(folder / "tries"), "x\n");
}

TEST_F(FanoutTest, ASignalEndsAll) {
  on_line = [](std::size_t, std::string_view) { ::raise(SIGINT); };
  Fanout round({task("echo $$ >" + folder.path + "/pid; echo up; exec sleep 1000")}, options, [this](std::size_t i, Channel, std::string_view line) { on_line(i, line); });
  EXPECT_EQ(error_of([&] { round.run(); }).kind, Kind::interrupted);
  signals::clear();
}

TEST_F(FanoutTest, AnInterruptedRoundLeavesNobodyBehind) {
  {
    Fanout round({task("echo $$ >" + folder.path + "/pid; echo up; exec sleep 1000")}, options, [](std::size_t, Channel, std::string_view) { ::raise(SIGTERM); });
    EXPECT_EQ(error_of([&] { round.run(); }).kind, Kind::terminated);
    signals::clear();
  }
  EXPECT_NE(::kill(static_cast<pid_t>(std::stol(file::read(folder / "pid"))), 0), 0);
}

TEST_F(FanoutTest, AProgramThatIsNotThereIsAnError) {
  Fanout round({{{"/no/such/ssh"}, "", false}}, options, [](std::size_t, Channel, std::string_view) {});
  EXPECT_THAT(error_of([&] { round.run(); }).what(), HasSubstr("/no/such/ssh"));
}

TEST_F(FanoutTest, NobodyIsARoundToo) { EXPECT_THAT(run({}), IsEmpty()); }

TEST(ParallelLimit, IsWithinWhatWasWished) {
  EXPECT_EQ(parallel_limit(1), 1);
  EXPECT_EQ(parallel_limit(0), 1) << "at least one";
  EXPECT_LE(parallel_limit(1'000'000), 16384 / 6);
  EXPECT_GE(parallel_limit(1'000'000), 1);
}

}  // namespace
}  // namespace tpuctl::test
