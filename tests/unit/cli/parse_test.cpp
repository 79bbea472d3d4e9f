// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include "tests/unit/cli/tree.hpp"

namespace tpuctl::cli::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Pair;
using Words = std::vector<std::string>;

const Words kCreate{"tpu-vm", "create", "n1", "--version=v"};

Words with(Words words, const Words& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

Args args_of(const Words& words, std::string_view program = "tpuctl") { return parse_words(words, program).args; }

struct SpellingCase {
  Words words;
  const char* program;
  Spelling spelling;
  const char* dotted;
};

class SpellingTest : public ::testing::TestWithParam<SpellingCase> {};

TEST_P(SpellingTest, LeadingWordsChooseTheTrack) {
  const auto& [words, program, spelling, dotted] = GetParam();
  const Args args = args_of(words, program);
  EXPECT_EQ(args.spelling, spelling);
  EXPECT_EQ(args.dotted(), dotted);
}

INSTANTIATE_TEST_SUITE_P(
    Parse, SpellingTest,
    ::testing::Values(
        SpellingCase{{"tpu-vm", "list"}, "tpuctl", Spelling::own, "tpuctl.tpu-vm.list"},
        SpellingCase{{"compute", "tpus", "tpu-vm", "list"}, "tpuctl", Spelling::ga, "tpuctl.tpu-vm.list"},
        SpellingCase{{"alpha", "compute", "tpus", "tpu-vm", "list"}, "tpuctl", Spelling::alpha, "tpuctl.tpu-vm.list"},
        SpellingCase{{"beta", "compute", "tpus", "tpu-vm", "list"}, "tpuctl", Spelling::beta, "tpuctl.tpu-vm.list"},
        SpellingCase{{"compute", "tpus", "tpu-vm", "list"}, "gcloud", Spelling::ga, "gcloud.compute.tpus.tpu-vm.list"},
        SpellingCase{{"alpha", "compute", "tpus", "tpu-vm", "list"},
                     "gcloud",
                     Spelling::alpha,
                     "gcloud.alpha.compute.tpus.tpu-vm.list"},
        SpellingCase{{"config", "list"}, "gcloud", Spelling::ga, "gcloud.config.list"},
        SpellingCase{{"--project=p", "compute", "--quiet", "tpus", "tpu-vm", "--zone", "z", "list"},
                     "tpuctl",
                     Spelling::ga,
                     "tpuctl.tpu-vm.list"}));

TEST(Parse, FlagsMayStandAnywhere) {
  const Args args = args_of({"--project", "p", "tpu-vm", "--zone=z", "create", "--version", "v", "n1", "-q"});
  EXPECT_EQ(args.text("project"), "p");
  EXPECT_EQ(args.text("zone"), "z");
  EXPECT_EQ(args.text("version"), "v");
  EXPECT_TRUE(args.on("quiet"));
  EXPECT_EQ(args.positional("TPU"), "n1");
  EXPECT_THAT(args.path, ElementsAre("tpu-vm", "create"));
}

TEST(Parse, RightmostScalarWins) {
  const Args args = args_of(with(kCreate, {"--zone=a", "--zone", "b", "--spot", "--no-spot"}));
  EXPECT_EQ(args.text("zone"), "b");
  EXPECT_TRUE(args.has("spot"));
  EXPECT_FALSE(args.on("spot"));
}

TEST(Parse, RepeatedKeepsEveryValueAndListTheLast) {
  const Args args = args_of(with(kCreate, {"--ssh-flag=-p 1", "--ssh-flag", "-L 80", "--tags=a,b", "--tags=c,d"}));
  EXPECT_THAT(args.list("ssh-flag"), ElementsAre("-p 1", "-L 80"));
  EXPECT_THAT(args.list("tags"), ElementsAre("c", "d"));
}

TEST(Parse, ValuesAreTakenAsTheyAre) {
  const Args args = args_of(with(kCreate, {"--description=", "--zone=[a,b]", "--tags=[x]"}));
  EXPECT_TRUE(args.has("description"));
  EXPECT_EQ(args.text("description"), "");
  EXPECT_EQ(args.text("zone"), "[a,b]");
  EXPECT_THAT(args.list("tags"), ElementsAre("[x]"));
  EXPECT_EQ(args_of({"tpu-vm", "delete", "[a,b]"}).positional("TPU"), "[a,b]");
  EXPECT_EQ(args_of({"tpu-vm", "delete", ""}).positionals("TPU"), Words{""});
  EXPECT_EQ(args_of(with(kCreate, {"--description=a=b=c"})).text("description"), "a=b=c");
}

TEST(Parse, EveryKindIsReadInItsShape) {
  const Args args = args_of(with(kCreate, {"--accelerator-type=V4-8", "--count=3", "--labels=a=1,b=x=y",
                                           "--best-effort=true", "--data-disk=source=d1,mode=READ_ONLY",
                                           "--data-disk=source=d2", "--max-run=1h30m", "--no-internal-ips"}));
  EXPECT_EQ(args.text("accelerator-type"), "v4-8");
  EXPECT_EQ(args.integer("count"), 3);
  EXPECT_THAT(args.map("labels"), ElementsAre(Pair("a", "1"), Pair("b", "x=y")));
  EXPECT_TRUE(args.on("best-effort"));
  ASSERT_EQ(args.dicts("data-disk").size(), 2u);
  EXPECT_THAT(args.dicts("data-disk")[1], ElementsAre(Pair("source", "d2")));
  EXPECT_EQ(args.duration("max-run"), std::chrono::minutes(90));
  EXPECT_EQ(args.toggle("internal-ips"), false);
  EXPECT_EQ(args.toggle("spot"), std::nullopt);
}

TEST(Parse, ChoicesAreStoredAsListed) {
  EXPECT_EQ(args_of(with(kCreate, {"--topology=2x2", "--type=V4"})).text("type"), "v4");
  EXPECT_EQ(args_of(with(kCreate, {"--topology=2x2", "--type=V5LITEPOD"})).text("type"), "v5litepod");
}

TEST(Parse, FallbackIsAValueButNotGiven) {
  const Args args = args_of(kCreate);
  EXPECT_FALSE(args.has("accelerator-type"));
  EXPECT_TRUE(args.has_value("accelerator-type"));
  EXPECT_EQ(args.text("accelerator-type"), "v2-8");
}

TEST(Parse, DoubleDashEndsFlags) {
  const Args args = args_of({"tpu-vm", "ssh", "n1", "--quiet", "--", "-vvv", "--", "--zone=x"});
  EXPECT_THAT(args.rest(), ElementsAre("-vvv", "--", "--zone=x"));
  EXPECT_FALSE(args.has("zone"));
}

TEST(Parse, ManyPositionals) {
  const Args args = args_of({"tpu-vm", "scp", "a", "b", "c:"});
  EXPECT_EQ(args.positional("SOURCE"), "a");
  EXPECT_THAT(args.positionals("DST"), ElementsAre("b", "c:"));
  EXPECT_THAT(args_of({"config", "list"}).positionals("SECTION"), IsEmpty());
}

TEST(Parse, HelpAndVersionAreWishes) {
  EXPECT_EQ(parse_words({"--help"}).want, Want::help);
  EXPECT_EQ(parse_words({}).want, Want::short_help);
  const Parsed at_group = parse_words({"tpu-vm", "-h"});
  EXPECT_EQ(at_group.want, Want::short_help);
  EXPECT_EQ(at_group.at->name, "tpu-vm");
  EXPECT_EQ(parse_words({"tpu-vm", "create", "--help"}).at->name, "create");
  EXPECT_EQ(parse_words({"--version"}).want, Want::version);
  EXPECT_EQ(parse_words({"-v"}).want, Want::version);
  EXPECT_EQ(parse_words({"tpu-vm", "ssh", "n", "--", "--help"}).want, Want::command);
}

TEST(Parse, VersionBeforeTheVerbIsItsFlag) {
  EXPECT_EQ(args_of({"--version=v", "tpu-vm", "create", "n1"}).text("version"), "v");
}

struct ErrorCase {
  const char* name;
  Words words;
  const char* message;
};
void PrintTo(const ErrorCase& one, std::ostream* out) { *out << one.name; }

class UsageErrorTest : public ::testing::TestWithParam<ErrorCase> {};

TEST_P(UsageErrorTest, NamesWhatIsWrong) { EXPECT_EQ(usage_error(GetParam().words), GetParam().message); }

INSTANTIATE_TEST_SUITE_P(
    Parse, UsageErrorTest,
    ::testing::Values(
        ErrorCase{"mistyped flag", with(kCreate, {"--acelerator-type=v4-8"}),
                  "unrecognized arguments: --acelerator-type=v4-8 (did you mean '--accelerator-type'?)"},
        ErrorCase{"strange flag", with(kCreate, {"--qqqqqqqq"}), "unrecognized arguments: --qqqqqqqq"},
        ErrorCase{"flag with one dash", with(kCreate, {"-zone=x"}),
                  "unrecognized arguments: -zone=x (did you mean '--zone'?)"},
        ErrorCase{"mistyped negation", with(kCreate, {"--no-spott"}),
                  "unrecognized arguments: --no-spott (did you mean '--no-spot'?)"},
        ErrorCase{"no abbreviation", with(kCreate, {"--desc=x"}),
                  "unrecognized arguments: --desc=x (did you mean '--description'?)"},
        ErrorCase{"two strangers", with(kCreate, {"--zon=x", "n2"}),
                  "unrecognized arguments: --zon=x (did you mean '--zone'?) n2"},
        ErrorCase{"positional too many", {"tpu-vm", "delete", "a", "b"}, "unrecognized arguments: b"},
        ErrorCase{"hidden is not suggested", with(kCreate, {"--secret-switc"}),
                  "unrecognized arguments: --secret-switc"},
        ErrorCase{"mistyped command", {"tpu-vm", "creat", "n1"}, "Invalid choice: 'creat'. Did you mean 'create'?"},
        ErrorCase{"other tool's word", {"tpu-vm", "ls"}, "Invalid choice: 'ls'. Did you mean 'list'?"},
        ErrorCase{"other tool's word rm", {"tpu-vm", "rm", "x"}, "Invalid choice: 'rm'. Did you mean 'delete'?"},
        ErrorCase{"other tool's word get", {"tpu-vm", "get", "x"}, "Invalid choice: 'get'. Did you mean 'describe'?"},
        ErrorCase{"mistyped group", {"tpu-vms", "list"}, "Invalid choice: 'tpu-vms'. Did you mean 'tpu-vm'?"},
        ErrorCase{"unlike anything", {"xyzzy"}, "Invalid choice: 'xyzzy'."},
        ErrorCase{"unknown flag before the verb",
                  {"--verbose", "debug", "tpu-vm", "list"},
                  "unrecognized arguments: --verbose"},
        ErrorCase{"group alone",
                  {"tpu-vm"},
                  "Command name argument expected: one of create, delete, describe, list, ssh, scp, attach-disk."},
        ErrorCase{"compute tpus alone",
                  {"compute", "tpus"},
                  "Command name argument expected: one of tpu-vm, queued-resources, config."},
        ErrorCase{"required flag", {"tpu-vm", "create", "n1"}, "argument --version: Must be specified."},
        ErrorCase{"required positional", {"tpu-vm", "delete"}, "argument TPU: Must be specified."},
        ErrorCase{"no value", {"tpu-vm", "create", "n1", "--version"}, "argument --version: expected one argument"},
        ErrorCase{"flag as value", with(kCreate, {"--zone", "--spot"}), "argument --zone: expected one argument"},
        ErrorCase{"bad choice", with(kCreate, {"--topology=2x2", "--type=v5"}),
                  "argument --type: Invalid choice: 'v5'. Valid choices are [v2, v3, v4, v5litepod, v5p] (did you mean "
                  "'v5p'?)"},
        ErrorCase{"bad integer", with(kCreate, {"--count=x"}), "argument --count: 'x' is not a whole number."},
        ErrorCase{"too small", with(kCreate, {"--count=0"}),
                  "argument --count: Value must be greater than or equal to 1; received: 0"},
        ErrorCase{"toggle with a value", with(kCreate, {"--spot=maybe"}),
                  "argument --spot: 'maybe' is not true or false."},
        ErrorCase{"negation with a value", with(kCreate, {"--no-spot=true"}), "argument --no-spot: takes no value"},
        ErrorCase{"negation of a text", with(kCreate, {"--no-zone"}),
                  "unrecognized arguments: --no-zone (did you mean '--zone'?)"},
        ErrorCase{"duration without a unit", with(kCreate, {"--max-run=30"}),
                  "argument --max-run: Failed to parse duration: '30'. Write a number with a unit, such as 90s, 30m, "
                  "6h or 1d12h."},
        ErrorCase{"bad time", with(kCreate, {"--until=2029-13-01"}),
                  "argument --until: Failed to parse date/time: '2029-13-01'. Write it as 2029-01-02T03:04:05Z, or as "
                  "+6h from now."},
        ErrorCase{"no pair", with(kCreate, {"--labels=a"}),
                  "argument --labels: Bad syntax for dict arg: [a]. KEY=VALUE is expected; for values with commas "
                  "choose another separator, as "
                  "in ^:^a=1,2:b=3."},
        ErrorCase{
            "unknown key", with(kCreate, {"--data-disk=sorce=x"}),
            "argument --data-disk: valid keys are [source, mode, boot]; received: sorce (did you mean 'source'?)"},
        ErrorCase{"missing key", with(kCreate, {"--data-disk=mode=read-only"}),
                  "argument --data-disk: Key [source] required in dict arg but not provided"},
        ErrorCase{"bad choice in a key", with(kCreate, {"--data-disk=source=x,mode=write"}),
                  "argument --data-disk: Invalid choice for mode: 'write'. Valid choices are [read-write, read-only]."},
        ErrorCase{
            "both alternatives", with(kCreate, {"--accelerator-type=v4-8", "--topology=2x2x1", "--type=v4"}),
            "argument --accelerator-type: At most one of --accelerator-type | --topology --type can be specified."},
        ErrorCase{"half an alternative", with(kCreate, {"--topology=2x2x1"}), "argument --type: Must be specified."},
        ErrorCase{"none of a required group",
                  {"queued-resources", "create", "q"},
                  "Exactly one of (--node-id | --node-count : --node-prefix) must be specified."},
        ErrorCase{"two of a required group",
                  {"queued-resources", "create", "q", "--node-id=n", "--node-count=2"},
                  "argument --node-id: Exactly one of (--node-id | --node-count : --node-prefix) must be specified."},
        ErrorCase{"dependent without its head",
                  {"queued-resources", "create", "q", "--node-prefix=p"},
                  "argument --node-prefix: --node-count must be specified."},
        ErrorCase{"set against flag",
                  {"queued-resources", "create", "q", "--node-id=n", "--now", "--before=1h"},
                  "argument --now: At most one of --now | --after --before can be specified."},
        ErrorCase{"words after --", {"tpu-vm", "delete", "n", "--", "x"}, "unrecognized arguments: x"},
        ErrorCase{"nothing after --", {"config", "run"}, "argument -- COMMAND: Must be specified after `--`."},
        ErrorCase{"alpha flag in GA", with({"compute", "tpus"}, with(kCreate, {"--autocheckpoint-enabled"})),
                  "argument --autocheckpoint-enabled: This flag is v2alpha1 only: write `gcloud alpha compute tpus "
                  "tpu-vm create "
                  "--autocheckpoint-enabled` or `tpuctl tpu-vm create --autocheckpoint-enabled`."},
        ErrorCase{"alpha choice in GA", with({"compute", "tpus"}, with(kCreate, {"--topology=2x2", "--type=v5p"})),
                  "argument --type: Invalid choice: 'v5p'. Valid choices are [v2, v3, v4]. v2alpha1 has it: write "
                  "`gcloud alpha compute "
                  "tpus tpu-vm create` or `tpuctl tpu-vm create`."},
        ErrorCase{"alpha command in GA",
                  {"compute", "tpus", "tpu-vm", "attach-disk", "n"},
                  "This command is v2alpha1 only: write `gcloud alpha compute tpus tpu-vm attach-disk` or `tpuctl "
                  "tpu-vm attach-disk`."}));

TEST(Parse, RuleSetsWithoutInnerRuleTakeAnyOfThem) {
  EXPECT_EQ(usage_error({"queued-resources", "create", "q", "--node-id=n", "--before=1h"}), "");
  EXPECT_EQ(usage_error({"queued-resources", "create", "q", "--node-count=2", "--after=1h", "--before=2h"}), "");
  EXPECT_EQ(usage_error({"queued-resources", "create", "q", "--node-count=2", "--node-prefix=p"}), "");
}

TEST(Parse, AlphaRowsAreFineOutsideGa) {
  EXPECT_EQ(usage_error(with(kCreate, {"--autocheckpoint-enabled", "--topology=2x2", "--type=v5p"})), "");
  EXPECT_EQ(usage_error(with({"beta", "compute", "tpus"}, with(kCreate, {"--autocheckpoint-enabled"}))), "");
}

TEST(Parse, HintNamesTheHelpOfTheCommandReached) {
  auto hint = [](const Words& words, std::string_view program) -> std::string {
    try {
      parse_words(words, program);
    } catch (const Error& error) {
      return error.hint;
    }
    return "no error";
  };
  EXPECT_EQ(hint({"tpu-vm", "creat"}, "tpuctl"), "Run `tpuctl tpu-vm --help` for its commands.");
  EXPECT_EQ(hint({"tpu-vm", "create"}, "tpuctl"), "Run `tpuctl tpu-vm create --help` for its flags.");
  EXPECT_EQ(hint({"alpha", "compute", "tpus", "tpu-vm", "create"}, "gcloud"),
            "Run `gcloud alpha compute tpus tpu-vm create --help` for its flags.");
  EXPECT_EQ(hint({"tpu-vm", "create", "n", "--version", "-x"}, "tpuctl"),
            "A value that starts with a dash is joined with '=': --version=-x");
}

}  // namespace
}  // namespace tpuctl::cli::test
