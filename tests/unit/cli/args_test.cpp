// SPDX-License-Identifier: Apache-2.0
#include "cli/args.hpp"

#include <gmock/gmock.h>

#include <cstdlib>
#include <ctime>

#include "base/error.hpp"
#include "cli/suggest.hpp"

namespace tpuctl::cli {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;

TEST(SplitList, CommasAndOtherDelimiters) {
  EXPECT_THAT(split_list("a,b"), ElementsAre("a", "b"));
  EXPECT_THAT(split_list("a"), ElementsAre("a"));
  EXPECT_THAT(split_list(""), IsEmpty());
  EXPECT_THAT(split_list("a,,b,"), ElementsAre("a", "", "b"));
  EXPECT_THAT(split_list("^:^a,1:b"), ElementsAre("a,1", "b"));
  EXPECT_THAT(split_list("^--^a--b-c"), ElementsAre("a", "b-c"));
  EXPECT_THAT(split_list("^a"), ElementsAre("^a"));
  EXPECT_THROW(split_list("^^a"), Error);
}

TEST(SplitMap, PairsInOrder) {
  EXPECT_THAT(split_map("k=v,k2=v=2"), ElementsAre(Pair("k", "v"), Pair("k2", "v=2")));
  EXPECT_THAT(split_map("^:^a=1,2:b="), ElementsAre(Pair("a", "1,2"), Pair("b", "")));
  EXPECT_THAT(split_map("a=1,a=2"), ElementsAre(Pair("a", "2")));
  EXPECT_THROW(split_map("a=1,b"), Error);
  EXPECT_THROW(split_map("=1"), Error);
}

TEST(Choices, AnyCaseAndUnderscores) {
  constexpr std::string_view kChoices = "read-write,read-only,v5litepod=V5LITE_POD";
  EXPECT_EQ(find_choice(kChoices, "READ_ONLY"), "read-only");
  EXPECT_EQ(find_choice(kChoices, "readonly"), std::nullopt);
  EXPECT_EQ(wire_choice(kChoices, "read-only"), "READ_ONLY");
  EXPECT_EQ(wire_choice(kChoices, "v5litepod"), "V5LITE_POD");
  EXPECT_THAT(choice_names(kChoices), ElementsAre("read-write", "read-only", "v5litepod"));
}

class ParseTime : public ::testing::Test {
 protected:
  void SetUp() override {
    setenv("TZ", "UTC-2", 1);  // two hours east
    tzset();
  }
  void TearDown() override {
    unsetenv("TZ");
    tzset();
  }
  static std::string read(std::string_view text) {
    const auto time = parse_time(text, *parse_rfc3339("2029-01-01T00:00:00Z"));
    return time ? rfc3339(*time, 3) : "none";
  }
};

TEST_F(ParseTime, AbsoluteRelativeAndLocal) {
  EXPECT_EQ(read("2029-01-02T03:04:05Z"), "2029-01-02T03:04:05.000Z");
  EXPECT_EQ(read("2029-01-02T03:04:05.5+01:00"), "2029-01-02T02:04:05.500Z");
  EXPECT_EQ(read("2029-01-02T03:04Z"), "2029-01-02T03:04:00.000Z");
  EXPECT_EQ(read("2029-01-02T03:04"), "2029-01-02T01:04:00.000Z");
  EXPECT_EQ(read("2029-01-02 03:04:05"), "2029-01-02T01:04:05.000Z");
  EXPECT_EQ(read("2029-01-02"), "2029-01-01T22:00:00.000Z");
  EXPECT_EQ(read("+P1D"), "2029-01-02T00:00:00.000Z");
  EXPECT_EQ(read("-1h"), "2028-12-31T23:00:00.000Z");
  EXPECT_EQ(read("PT5M"), "2029-01-01T00:05:00.000Z");
}

TEST_F(ParseTime, RefusesWhatIsNoTime) {
  for (const char* text :
       {"", "2029", "2029-13-01", "2029-02-30", "2029-01-02T25:00", "2029-01-02T03:60", "2029-01-02x", "+5", "soon"}) {
    EXPECT_EQ(read(text), "none") << text;
  }
}

TEST(Suggest, NearWords) {
  const std::vector<std::string> words{"create", "delete", "describe", "list", "accelerator-type", "zone"};
  EXPECT_EQ(nearest("creat", words), "create");
  EXPECT_EQ(nearest("lsit", words), "list");
  EXPECT_EQ(nearest("acelerator_typ", words), "accelerator-type");
  EXPECT_EQ(nearest("desc", words), "describe");
  EXPECT_EQ(nearest("ZONE", words), "zone");
  EXPECT_EQ(nearest("xyzzy", words), "");
  EXPECT_EQ(nearest("", words), "");
  EXPECT_EQ(nearest("z", words), "");
  EXPECT_EQ(nearest(std::string(1 << 20, 'a'), words), "");
  EXPECT_EQ(edit_distance("ab", "ba"), 1u);
}

TEST(Suggest, OtherToolsWords) {
  const std::vector<std::string> words{"create", "delete", "describe", "list"};
  EXPECT_EQ(nearest_command("ls", words), "list");
  EXPECT_EQ(nearest_command("ps", words), "list");
  EXPECT_EQ(nearest_command("rm", words), "delete");
  EXPECT_EQ(nearest_command("show", words), "describe");
  EXPECT_EQ(nearest_command("ssh", words), "");
}

}  // namespace
}  // namespace tpuctl::cli
