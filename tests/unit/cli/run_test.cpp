// SPDX-License-Identifier: Apache-2.0
#include "cli/run.hpp"

#include <gmock/gmock.h>

#include "cli/frame.hpp"
#include "cli/globals.hpp"
#include "cli/help.hpp"

namespace tpuctl::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

int finish(Frame& frame, const Args& args) {
  frame.io.out("project " + frame.config.get_or("core/project", "none") + "\n");
  return static_cast<int>(args.integer("code").value_or(0));
}

[[noreturn]] int fail(Frame&, const Args& args) {
  Error error(tpuctl::Kind::not_found, "Resource 'projects/p/locations/z/nodes/n1' was not found\x1b[2J",
              "Look at `tpuctl tpu-vm list`.");
  error.status = "NOT_FOUND";
  error.http = 404;
  error.details = Json::parse(R"([{"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":"X"}])");
  if (args.has("kind")) error.kind = static_cast<tpuctl::Kind>(*args.integer("kind"));
  throw error;
}

[[noreturn]] int crash(Frame&, const Args&) { throw std::out_of_range("vector::at"); }

constexpr Flag kFlags[] = {{.name = "code", .help = "x", .kind = Kind::integer},
                           {.name = "kind", .help = "x", .kind = Kind::integer}};
constexpr Flag kAlpha[] = {{.name = "new", .help = "x", .kind = Kind::toggle, .track = Track::alpha}};
constexpr Command kCommands[] = {
    {.name = "finish", .help = "x", .flags = kFlags, .run = finish},
    {.name = "fail", .help = "x", .flags = kFlags, .run = fail},
    {.name = "far", .help = "x", .flags = kFlags, .run = fail, .remote_codes = true},
    {.name = "crash", .help = "x", .run = crash},
    {.name = "alpha-flag", .help = "x", .flags = kAlpha, .run = finish},
};
constexpr Command kRoot{.name = "tpuctl", .help = "A tool", .commands = kCommands};

class RunTest : public ::testing::Test {
 protected:
  int go(std::vector<std::string> words, const std::string& program = "/usr/bin/tpuctl") {
    words.insert(words.begin(), program);
    io_.out_text.clear();
    io_.err_text.clear();
    SystemClock clock;
    return run(kRoot, words, io_, env_, clock);
  }
  StringStreams io_;
  Environment env_{{{"HOME", "/nonexistent"}, {"CLOUDSDK_CONFIG", "/nonexistent"}}};
};

TEST_F(RunTest, HandlersCodeIsTheExitCode) {
  EXPECT_EQ(go({"finish", "--code=7", "--project=p"}), 7);
  EXPECT_EQ(io_.out_text, "project p\n");
  EXPECT_EQ(io_.err_text, "");
}

TEST_F(RunTest, ErrorIsWordsDetailsAndHint) {
  EXPECT_EQ(go({"fail"}), 3);
  EXPECT_EQ(io_.out_text, "");
  EXPECT_EQ(io_.err_text,
            "ERROR: (tpuctl.fail) NOT_FOUND: Resource 'projects/p/locations/z/nodes/n1' was not found\\x1b[2J\n"
            "- '@type': type.googleapis.com/google.rpc.ErrorInfo\n  reason: X\nLook at `tpuctl tpu-vm list`.\n");
  EXPECT_EQ(go({"alpha", "compute", "tpus", "fail"}, "gcloud"), 3);
  EXPECT_THAT(io_.err_text, StartsWith("ERROR: (gcloud.alpha.compute.tpus.fail) "));
}

TEST_F(RunTest, EveryKindHasItsCode) {
  const int codes[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 75, 143, 255, 130, 143};
  const int remote[] = {125, 2, 125, 125, 125, 6, 125, 125, 125, 75, 143, 255, 130, 143};
  for (int kind = 0; kind < 14; ++kind) {
    EXPECT_EQ(go({"fail", "--kind=" + std::to_string(kind)}), codes[kind]) << kind;
    EXPECT_EQ(go({"far", "--kind=" + std::to_string(kind)}), remote[kind]) << kind;
  }
  EXPECT_EQ(go({"far", "--nosuch"}), 2);
}

TEST_F(RunTest, ErrorAsJson) {
  EXPECT_EQ(go({"fail", "--format=json"}), 3);
  const Json error = Json::parse(io_.err_text)["error"];
  EXPECT_EQ(error["code"].integer(), 3);
  EXPECT_EQ(error["status"].text(), "NOT_FOUND");
  EXPECT_EQ(error["http"].integer(), 404);
  EXPECT_EQ(error["hint"].text(), "Look at `tpuctl tpu-vm list`.");
  EXPECT_EQ(error["details"].size(), 1u);
  EXPECT_EQ(io_.err_text.find('\n'), io_.err_text.size() - 1);

  EXPECT_EQ(go({"fail", "--nosuch", "--format", "json"}), 2);
  EXPECT_EQ(Json::parse(io_.err_text)["error"]["kind"].text(), "USAGE");
  EXPECT_EQ(go({"fail", "--format=yaml", "--nosuch"}), 2);
  EXPECT_THAT(io_.err_text, StartsWith("ERROR: "));
}

TEST_F(RunTest, SilentVerbosityKeepsTheCode) {
  EXPECT_EQ(go({"fail", "--verbosity=none"}), 3);
  EXPECT_EQ(io_.err_text, "");
}

TEST_F(RunTest, InterruptIsNoErrorLine) {
  EXPECT_EQ(go({"fail", "--kind=12"}), 130);
  EXPECT_THAT(io_.err_text, StartsWith("Resource"));
}

TEST_F(RunTest, StrangeExceptionIsCalledABug) {
  EXPECT_EQ(go({"crash"}), 1);
  EXPECT_THAT(io_.err_text, HasSubstr("This is a bug in tpuctl: vector::at"));
}

TEST_F(RunTest, ApiVersionPropertyOverridesTheSpelling) {
  EXPECT_EQ(go({"alpha-flag", "--new"}), 0);
  EXPECT_EQ(go({"compute", "tpus", "alpha-flag", "--new"}), 2);
  env_.set("CLOUDSDK_TPU_API_VERSION", "v2alpha1");
  EXPECT_EQ(go({"compute", "tpus", "alpha-flag", "--new"}), 0);
  env_.set("CLOUDSDK_TPU_API_VERSION", "v2");
  EXPECT_EQ(go({"alpha-flag", "--new"}), 2);
  EXPECT_THAT(io_.err_text, HasSubstr("The property tpu/api_version is set to v2."));
}

TEST_F(RunTest, HelpAndVersionGoToStdout) {
  EXPECT_EQ(go({}), 0);
  EXPECT_THAT(io_.out_text, StartsWith("A tool\n"));
  EXPECT_EQ(go({"--version"}), 0);
  EXPECT_THAT(io_.out_text, StartsWith("tpuctl "));
  EXPECT_EQ(go({"fail", "--help", "--kind"}), 0);
  EXPECT_THAT(io_.out_text, HasSubstr("tpuctl fail"));
  EXPECT_EQ(io_.err_text, "");
}

TEST_F(RunTest, ErrorIsColouredOnlyWhenAsked) {
  EXPECT_EQ(go({"fail", "--color=always"}), 3);
  EXPECT_THAT(io_.err_text, StartsWith("\x1b[1;31mERROR:\x1b[0m (tpuctl.fail) "));
}

}  // namespace
}  // namespace tpuctl::cli
