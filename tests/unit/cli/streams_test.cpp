// SPDX-License-Identifier: Apache-2.0
#include "cli/streams.hpp"

#include <gmock/gmock.h>

#include "base/error.hpp"
#include "cli/config.hpp"
#include "cli/progress.hpp"
#include "cli/prompt.hpp"

namespace tpuctl::cli {
namespace {

using ::testing::HasSubstr;

class FakeClock : public Clock {
 public:
  TimePoint now() const override { return now_; }
  void sleep(Duration duration) override { now_ += duration; }

 private:
  TimePoint now_{};
};

struct ColourCase {
  std::map<std::string, std::string> env;
  const char* when;
  bool tty;
  bool colour;
};
class ColourTest : public ::testing::TestWithParam<ColourCase> {};

TEST_P(ColourTest, FirstOfFlagNoColorForceAndTerminalDecides) {
  const auto& [env, when, tty, colour] = GetParam();
  StringStreams io;
  io.out_tty = tty;
  io.choose_colour(Environment(env), when);
  EXPECT_EQ(io.out_colour, colour);
  EXPECT_EQ(io.err_colour,
            std::string(when) == "always" || (env.contains("CLICOLOR_FORCE") && !env.contains("NO_COLOR")));
}

INSTANTIATE_TEST_SUITE_P(
    Streams, ColourTest,
    ::testing::Values(ColourCase{{}, "auto", true, true}, ColourCase{{}, "auto", false, false},
                      ColourCase{{{"NO_COLOR", "1"}}, "auto", true, false},
                      ColourCase{{{"NO_COLOR", ""}}, "auto", true, true},
                      ColourCase{{{"NO_COLOR", "1"}}, "always", false, true}, ColourCase{{}, "never", true, false},
                      ColourCase{{{"CLICOLOR_FORCE", "1"}}, "auto", false, true},
                      ColourCase{{{"CLICOLOR_FORCE", "1"}, {"NO_COLOR", "1"}}, "auto", false, false},
                      ColourCase{{{"CLICOLOR", "0"}}, "auto", true, false},
                      ColourCase{{{"TERM", "dumb"}}, "auto", true, false}));

TEST(Width, CountsColumns) {
  EXPECT_EQ(display_width("abc"), 3);
  EXPECT_EQ(display_width("한글"), 4);
  EXPECT_EQ(display_width("e\xCC\x81"), 1);
  EXPECT_EQ(display_width("\xFF\xFE"), 2);
  EXPECT_EQ(elide("abcdef", 6), "abcdef");
  EXPECT_EQ(elide("abcdefg", 6), "abcd..");
  EXPECT_EQ(elide("한글한글", 6), "한글..");
  EXPECT_EQ(elide("한글한글", 7), "한글..");
}

class PromptTest : public ::testing::Test {
 protected:
  Environment env_{{{"HOME", "/nonexistent"}, {"CLOUDSDK_CONFIG", "/nonexistent"}}};
  StringStreams io_;
};

TEST_F(PromptTest, AnswersAreRead) {
  for (const auto& [text, answer] : std::map<std::string, bool>{
           {"\n", true}, {"y\n", true}, {"YES\n", true}, {"n\n", false}, {" no \n", false}, {"y", true}}) {
    StringStreams io;
    io.in_text = text;
    EXPECT_EQ(confirm(io, Config(env_), "You are about to delete tpu [n1]"), answer) << text;
    EXPECT_EQ(io.err_text, "You are about to delete tpu [n1]\n\nDo you want to continue (Y/n)?  \n");
    EXPECT_EQ(io.out_text, "");
  }
}

TEST_F(PromptTest, StrangeAnswerIsAskedAgain) {
  io_.in_text = "maybe\nn\n";
  EXPECT_FALSE(confirm(io_, Config(env_), ""));
  EXPECT_EQ(io_.err_text, "Do you want to continue (Y/n)?  Please enter 'y' or 'n':  \n");
}

TEST_F(PromptTest, EndOfInputRefusesNamingQuiet) {
  try {
    confirm(io_, Config(env_), "x");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind, tpuctl::Kind::failure);
    EXPECT_THAT(error.hint, HasSubstr("--quiet"));
  }
}

TEST_F(PromptTest, DisabledPromptsTakeTheDefaultInSilence) {
  env_.set("CLOUDSDK_CORE_DISABLE_PROMPTS", "1");
  EXPECT_TRUE(confirm(io_, Config(env_), "x"));
  EXPECT_EQ(io_.err_text, "");
}

TEST_F(PromptTest, NoIsAborted) {
  io_.in_text = "n\n";
  EXPECT_THROW(require_confirmation(io_, Config(env_), "x"), Error);
}

TEST(Progress, PipeGetsALinePerChangeAndAHeartbeat) {
  StringStreams io;
  FakeClock clock;
  Progress progress(io, clock, "Waiting for operation [op] to complete");
  for (int i = 0; i < 13; ++i) {
    clock.sleep(std::chrono::minutes(1));
    progress.update(i < 2 ? "CREATING" : "");
  }
  progress.done();
  progress.done();
  EXPECT_EQ(io.err_text,
            "Waiting for operation [op] to complete...\nCREATING after 1m00s.\nCREATING after 6m00s.\nCREATING after "
            "11m00s.\n...done.\n");
}

TEST(Progress, TerminalGetsOneLineThatIsClearedAtTheEnd) {
  StringStreams io;
  io.err_tty = true;
  io.width = 40;
  FakeClock clock;
  {
    Progress progress(io, clock, "Waiting for operation [a-long-name-of-an-operation] to complete");
    clock.sleep(std::chrono::seconds(75));
    progress.update("WAITING\x1b[31m");
    for (std::size_t at = 0; (at = io.err_text.find('\r', at)) != std::string::npos; ++at) {
      EXPECT_LT(io.err_text.find("\x1b[K", at) - at - 1, 40u);
    }
    EXPECT_THAT(io.err_text, HasSubstr("WAITING\\x1b[31m 1m15s\x1b[K"));
    io.err("a warning\n");
    EXPECT_THAT(io.err_text, HasSubstr("\r\x1b[Ka warning\n"));
    progress.update("");
    progress.failed();
  }
  EXPECT_THAT(io.err_text,
              HasSubstr("\r\x1b[KWaiting for operation [a-long-name-of-an-operation] to complete...failed.\n"));
}

TEST(Progress, LeavingByAnExceptionClearsTheLine) {
  StringStreams io;
  io.err_tty = true;
  FakeClock clock;
  { Progress progress(io, clock, "Waiting"); }
  EXPECT_TRUE(io.err_text.ends_with("\r\x1b[K"));
}

TEST(StringStreams, ReadsLines) {
  StringStreams io;
  io.in_text = "a\n\nb";
  EXPECT_EQ(io.read_line(), "a");
  EXPECT_EQ(io.read_line(), "");
  EXPECT_EQ(io.read_line(), "b");
  EXPECT_EQ(io.read_line(), std::nullopt);
}

}  // namespace
}  // namespace tpuctl::cli
