// SPDX-License-Identifier: Apache-2.0
#include "cli/help.hpp"

#include <gmock/gmock.h>

#include "base/text.hpp"
#include "cli/complete.hpp"
#include "cli/config.hpp"
#include "cli/help_page.hpp"
#include "tests/unit/cli/tree.hpp"

namespace tpuctl::cli::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

const Command& at(std::vector<std::string> path) {
  const Command* command = &kRoot;
  for (const std::string& name : path) {
    for (const Command& one : command->commands) {
      if (one.name == name) command = &one;
    }
  }
  return *command;
}

std::string help(std::vector<std::string> path, Page page = {}) {
  Args args;
  args.path = path;
  return help_text(kRoot, at(path), args, kGlobalFlags, page);
}

TEST(Help, RootNamesGroupsExamplesAndTopics) {
  const std::string text = help({}, {80, false, true});
  EXPECT_THAT(text, HasSubstr("    tpu-vm            TPU VMs\n"));
  EXPECT_THAT(text, HasSubstr("$ tpuctl tpu-vm list\n"));
  EXPECT_THAT(text, HasSubstr("exit-codes"));
  EXPECT_THAT(text, Not(HasSubstr("secret")));
}

TEST(Help, CommandTellsExamplesThenRequiredThenOptions) {
  const std::string text = help({"tpu-vm", "create"});
  const auto usage = text.find("tpuctl tpu-vm create TPU --version=VERSION"), examples = text.find("EXAMPLES"),
             required = text.find("REQUIRED"), options = text.find("OPTIONS"), global = text.find("GLOBAL");
  EXPECT_LT(usage, examples);
  EXPECT_LT(examples, required);
  EXPECT_LT(required, options);
  EXPECT_LT(options, global);
  EXPECT_NE(global, std::string::npos);
  EXPECT_THAT(text, HasSubstr("(v2alpha1) Save before maintenance."));
  EXPECT_THAT(text, HasSubstr("The type of TPU. Default: v2-8."));
  EXPECT_THAT(text, HasSubstr("One of: v2, v3, v4; in v2alpha1 also: v5litepod, v5p."));
  EXPECT_THAT(text, HasSubstr("Keys: source (required), mode, boot."));
  EXPECT_THAT(
      text,
      HasSubstr(
          "At most one of these:\n        --accelerator-type=ACCELERATOR_TYPE | --topology=TOPOLOGY --type=TYPE\n"));
  EXPECT_THAT(text, Not(HasSubstr("secret-switch")));
}

TEST(Help, BriefHasALinePerFlagAndNoGlobals) {
  const std::string text = help({"tpu-vm", "create"}, {80, false, true});
  EXPECT_THAT(text, HasSubstr("    --zone=ZONE                 The zone.\n"));
  EXPECT_THAT(text, Not(HasSubstr("GLOBAL")));
  EXPECT_THAT(text, Not(HasSubstr("EXAMPLES")));
  EXPECT_THAT(text, HasSubstr("`tpuctl tpu-vm create --help` tells more."));
}

TEST(Help, WhatMayFollowTheDashesIsInTheUsage) {
  EXPECT_EQ(usage_line(at({"tpu-vm", "ssh"}), "tpuctl tpu-vm ssh"), "tpuctl tpu-vm ssh TPU [-- ARGS]");
  EXPECT_EQ(usage_line(at({"config", "run"}), "t"), "t -- COMMAND");
  EXPECT_EQ(usage_line(at({"tpu-vm", "scp"}), "t"), "t SOURCE DST [DST ...]");
  EXPECT_EQ(usage_line(at({"config", "list"}), "t"), "t [SECTION]");
  EXPECT_EQ(usage_line(at({"queued-resources", "create"}), "t"),
            "t TPU (--node-id=NODE_ID | --node-count=NODE_COUNT : --node-prefix=NODE_PREFIX) [--now | --after=AFTER "
            "--before=BEFORE]");
}

TEST(Help, NoLineIsWiderThanThePage) {
  std::vector<std::string> texts;
  for (const int width : {10, 40, 57, 80, 100, 300}) {
    const int most = std::clamp(width, 40, 100);
    for (const bool brief : {false, true}) {
      const Page page{width, false, brief};
      texts = {help({}, page), help({"tpu-vm"}, page), help({"tpu-vm", "create"}, page),
               help({"queued-resources", "create"}, page)};
      for (const Topic& topic : topics()) texts.push_back(topic_text(topic, page));
      for (const std::string& text : texts) {
        for (const std::string& line : text::split(text, '\n')) {
          // An example's word is never cut.
          if (line.starts_with("            --")) continue;
          EXPECT_LE(display_width(line), most) << line;
        }
      }
    }
  }
}

TEST(Help, HeadingsAreBoldOnlyInColour) {
  EXPECT_THAT(help({"tpu-vm"}, {80, true, false}), HasSubstr("\x1b[1mCOMMANDS\x1b[0m\n"));
  EXPECT_THAT(help({"tpu-vm"}), Not(HasSubstr("\x1b")));
}

TEST(Help, TextsEndWithOneNewline) {
  for (const std::string& text :
       {help({}), help({"tpu-vm"}), help({"tpu-vm", "create"}), topic_text(topics()[0], {})}) {
    EXPECT_TRUE(text.ends_with("\n") && !text.ends_with("\n\n"));
  }
}

TEST(Help, CommandPrintsTopicsAndCommands) {
  StringStreams io;
  Environment env;
  SystemClock clock;
  Config config(env);
  Frame frame{io, env, clock, kRoot, config};
  print_help(frame, {"filters"});
  EXPECT_THAT(io.out_text, HasSubstr("KEY~REGEX"));
  print_help(frame, {"tpu-vm", "delete"});
  EXPECT_THAT(io.out_text, HasSubstr("tpuctl tpu-vm delete TPU"));
  EXPECT_THROW(print_help(frame, {"filter"}), Error);
}

TEST(Wrap, BreaksAtBlanksAndKeepsShapes) {
  EXPECT_EQ(wrap("aaa bbb ccc", 9, 2), "  aaa bbb\n  ccc\n");
  EXPECT_EQ(wrap("a\nb\n\nc", 20, 1), " a b\n\n c\n");
  EXPECT_EQ(wrap("  x  y z", 20, 1), "   x  y z\n");
  EXPECT_EQ(wrap("abcdefghij", 6, 1), " abcde\n fghij\n");
}

TEST(Wrap, AnExampleCanBePasted) {
  PageWriter page(Page{.width = 40});
  page.example("tpuctl ssh my-tpu --worker=all --command='echo one two' --zone=us-central2-b");
  EXPECT_EQ(page.take(),
            "        $ tpuctl ssh my-tpu \\\n"
            "            --worker=all \\\n"
            "            --command='echo one two' \\\n"
            "            --zone=us-central2-b\n");
}

std::vector<std::string> words(const std::vector<std::string>& typed, int* directive = nullptr) {
  const auto live = [](Source source, const Typed& so_far, std::string_view) -> std::vector<std::string> {
    if (source == Source::zone) return {"us-central2-b", "us-east1-d"};
    if (source == Source::node) return {"n-" + so_far.get("project"), "evil\x1b[2J", "two\nlines"};
    throw Error(tpuctl::Kind::unavailable, "no network");
  };
  const Completion found = complete(kRoot, kGlobalFlags, typed, live);
  if (directive) *directive = found.directive;
  std::vector<std::string> out;
  for (const auto& [word, help_line] : found.words) out.push_back(word);
  return out;
}

TEST(Complete, CommandsAtEveryLevel) {
  EXPECT_THAT(words({""}), ElementsAre("tpu-vm", "queued-resources", "config"));
  EXPECT_THAT(words({"tpu-vm", "de"}), ElementsAre("delete", "describe"));
  EXPECT_THAT(words({"alpha", "compute", "tpus", "q"}), ElementsAre("queued-resources"));
  EXPECT_THAT(words({"--project", "p", "tpu-vm", "sc"}), ElementsAre("scp"));
  for (const char* word : {"", "x", "-", "tpu"}) EXPECT_THAT(words({"nosuch", word}), IsEmpty()) << word;
  EXPECT_THAT(words({"tpu-vm", "nosuch", ""}), IsEmpty());
}

TEST(Complete, FlagsOnceAndNegationsOnRequest) {
  EXPECT_THAT(words({"tpu-vm", "create", "--to"}), ElementsAre("--topology="));
  EXPECT_THAT(words({"tpu-vm", "create", "--topology=2x2", "--to"}), IsEmpty());
  EXPECT_THAT(words({"tpu-vm", "create", "--ssh-flag=x", "--ssh"}), ElementsAre("--ssh-flag="));
  EXPECT_THAT(words({"tpu-vm", "create", "--no-sp"}), ElementsAre("--no-spot"));
  EXPECT_THAT(words({"tpu-vm", "create", "--sp"}), ElementsAre("--spot"));
  EXPECT_THAT(words({"tpu-vm", "create", "--secret"}), IsEmpty());
  EXPECT_THAT(words({"tpu-vm", "create", "--proj"}), ElementsAre("--project="));
}

TEST(Complete, Values) {
  EXPECT_THAT(words({"tpu-vm", "create", "--type", "v"}), ElementsAre("v2", "v3", "v4", "v5litepod", "v5p"));
  EXPECT_THAT(words({"tpu-vm", "create", "--type=v5"}), ElementsAre("--type=v5litepod", "--type=v5p"));
  EXPECT_THAT(words({"tpu-vm", "create", "--zone=us-e"}), ElementsAre("--zone=us-east1-d"));
  EXPECT_THAT(words({"tpu-vm", "create", "--data-disk=source=d,"}),
              ElementsAre("--data-disk=source=d,mode=", "--data-disk=source=d,boot="));
  EXPECT_THAT(words({"tpu-vm", "create", "--data-disk", "mode=read-o"}), ElementsAre("mode=read-only"));
  EXPECT_THAT(words({"tpu-vm", "create", "--spot="}), ElementsAre("--spot=true", "--spot=false"));
  EXPECT_THAT(words({"config", "list", "compute/z"}), ElementsAre("compute/zone"));
  EXPECT_THAT(words({"--verbosity=d"}), ElementsAre("--verbosity=debug"));
}

TEST(Complete, LiveNamesKnowTheFlagsAndHostileOnesAreDropped) {
  EXPECT_THAT(words({"tpu-vm", "delete", "--project=z", ""}), ElementsAre("n-z"));
  EXPECT_THAT(words({"tpu-vm", "delete", "--project", "z", "n"}), ElementsAre("n-z"));
  EXPECT_THAT(words({"tpu-vm", "delete", "n1", ""}), IsEmpty());
  EXPECT_THAT(words({"tpu-vm", "create", "--version="}), IsEmpty());  // the source throws
}

TEST(Complete, DirectivesTellAboutFilesAndBlanks) {
  int directive = 0;
  words({"tpu-vm", "create", "--zo"}, &directive);
  EXPECT_EQ(directive, kNoFiles | kNoSpace);
  words({"tpu-vm", "delete", "--access-token-file", ""}, &directive);
  EXPECT_EQ(directive, 0);
  words({"tpu-vm", "ssh", "n", "--", ""}, &directive);
  EXPECT_EQ(directive, 0);
}

TEST(Complete, AnswersEveryBeginningOfALine) {
  const std::vector<std::string> line{"alpha",  "compute", "tpus",      "tpu-vm", "create", "n1",
                                      "--zone", "z",       "--type=v4", "-q",     "--",     "x"};
  for (std::size_t length = 0; length <= line.size(); ++length) {
    const std::vector<std::string> typed(line.begin(), line.begin() + static_cast<std::ptrdiff_t>(length));
    const std::string text = print(complete(kRoot, kGlobalFlags, typed, nullptr));
    EXPECT_EQ(text.rfind(':'), text.rfind("\n:") == std::string::npos ? 0 : text.rfind("\n:") + 1) << text;
  }
}

}  // namespace
}  // namespace tpuctl::cli::test
