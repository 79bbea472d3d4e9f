// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include "base/error.hpp"
#include "base/file.hpp"
#include "cli/output/filter.hpp"
#include "cli/output/pipeline.hpp"
#include "cli/output/projection.hpp"
#include "cli/output/yaml.hpp"

namespace tpuctl::cli::output {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

const Json& recorded() {
  static const Json all = Json::parse(file::read(file::join(file::dir_name(__FILE__), "data/output.json")));
  return all;
}

struct Printed {
  std::string out;
  std::string err;
};

Printed print(const Json::Array& resources, Options options, const std::string& default_format, bool single = false) {
  StringStreams io;
  io.utf8 = true;
  Pipeline pipeline(io, std::move(options), default_format, single);
  for (const Json& one : resources) pipeline.push(one);
  pipeline.finish();
  return {io.out_text, io.err_text};
}

Options with_format(std::string format) {
  Options options;
  options.format = std::move(format);
  return options;
}

std::string failure(Options options, const std::string& default_format = "yaml") {
  StringStreams io;
  try {
    Pipeline pipeline(io, std::move(options), default_format);
    return "";
  } catch (const Error& error) {
    return error.kind == tpuctl::Kind::usage ? error.what() : "wrong kind";
  }
}

TEST(Formats, PrintWhatGcloudPrints) {
  int cases = 0;
  const Json::Array& all = recorded()["resources"].items();
  for (const Json& one : recorded()["formats"].items()) {
    SCOPED_TRACE(one["format"].text() + (one["with_table"].boolean() ? " over the table" : ""));
    const bool single = one["single"].boolean();
    const Json::Array some = single ? Json::Array{all[0]} : all;
    const std::string table = one["with_table"].boolean() ? recorded()["table"].text() : "";
    EXPECT_EQ(print(some, with_format(one["format"].text()), table, single).out, one["out"].text());
    ++cases;
  }
  EXPECT_GT(cases, 400);
}

TEST(Filters, MatchWhatGcloudMatches) {
  int cases = 0;
  const Json::Array& all = recorded()["resources"].items();
  for (const Json& one : recorded()["filters"].items()) {
    SCOPED_TRACE(one["filter"].text() + (one["with_table"].boolean() ? " over the table" : ""));
    ++cases;
    const std::string table = one["with_table"].boolean() ? recorded()["table"].text() : "";
    const auto aliases = read_projection(table, "").aliases();
    if (one["error"].boolean()) {
      EXPECT_THROW(Filter(one["filter"].text(), aliases), Error);
      continue;
    }
    const Filter filter(one["filter"].text(), aliases);
    Json matches = Json::array();
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (filter.matches(all[i])) matches.push(i);
    }
    EXPECT_EQ(matches.dump(), one["matches"].dump());
  }
  EXPECT_GT(cases, 300);
}

TEST(Yaml, IsWhatGcloudWrites) {
  int cases = 0;
  for (const Json& one : recorded()["yaml"].items()) {
    EXPECT_EQ(yaml(one["value"]), one["text"].text()) << one["value"].dump();
    ++cases;
  }
  EXPECT_GT(cases, 350);
}

TEST(Yaml, ControlCharactersNeverComeOutRaw) {
  for (const std::string text : {"\x1b[31mred", "a\r\nb", "\x7f",
                                 "\xC2\x9B"
                                 "31m",
                                 "line\nwith \x1b]0;title\x07\n", "\xEF\xBB\xBFx"}) {
    const std::string out = yaml(Json{{"k", Json(text)}, {text, Json("v")}});
    for (const char c : out) EXPECT_TRUE(c == '\n' || (c >= 0x20 && c < 0x7F)) << out;
  }
}

TEST(Yaml, PrivateUseCharactersSurvive) {
  const std::string text = "\xEE\x80\x80\tx\n y \n\xF0\x9F\x98\x80";
  EXPECT_THAT(yaml(Json{{"k", Json(text)}}), HasSubstr("\xEE\x80\x80"));
}

const Json::Array kNodes{Json{{"name", "p/nodes/b"}, {"n", 2}, {"e", Json(Json::Array{1, 2})}},
                         Json{{"name", "p/nodes/a"}, {"n", 10}, {"e", Json::array()}},
                         Json{{"name", "p/nodes/c"}, {"e", Json(Json::Array{3})}}};

TEST(Pipeline, FiltersThenSortsThenLimitsThenFlattens) {
  Options options = with_format("value(name.basename(),e)");
  options.filter = "name~[bc]$";
  options.sort_by = "~name";
  options.limit = 1;
  EXPECT_EQ(print(kNodes, options, "yaml").out, "c\t3\n");
  options.limit = 2;
  options.flatten = "e[]";
  EXPECT_EQ(print(kNodes, options, "yaml").out, "c\t3\nb\t1\nb\t2\n");
}

// As gcloud: what is missing sorts as "None", and only a table, which sorts once more by what it shows, knows numbers.
TEST(Pipeline, SortsBySeveralKeysAsTexts) {
  Options options = with_format("value(name.basename())");
  options.sort_by = "n";
  EXPECT_EQ(print(kNodes, options, "yaml").out, "a\nb\nc\n");
  options.sort_by = "~n,name";
  EXPECT_EQ(print(kNodes, options, "yaml").out, "c\nb\na\n");
  options.sort_by = "nosuch,~name";
  EXPECT_EQ(print(kNodes, options, "yaml").out, "c\nb\na\n");
  options.format = "table[no-heading](name.basename())";
  options.sort_by = "n";
  EXPECT_EQ(print(kNodes, options, "yaml").out, "b\na\nc\n");
}

TEST(Pipeline, SortByOverridesTheTablesOwnOrder) {
  const std::string table = "table(name.basename():sort=1,n)";
  EXPECT_EQ(print(kNodes, {}, table).out, "NAME  N\na     10\nb     2\nc\n");
  Options options;
  options.sort_by = "~NAME";
  EXPECT_EQ(print(kNodes, options, table).out, "NAME  N\nc\nb     2\na     10\n");
}

TEST(Pipeline, FullOnceTheLimitIsReachedUnlessSorting) {
  StringStreams io;
  Options options = with_format("value(n)");
  options.limit = 1;
  Pipeline streaming(io, options, "yaml");
  EXPECT_FALSE(streaming.full());
  streaming.push(kNodes[0]);
  EXPECT_EQ(io.out_text, "2\n");  // streamed
  EXPECT_TRUE(streaming.full());
  streaming.push(kNodes[1]);
  streaming.finish();
  EXPECT_EQ(io.out_text, "2\n");
  options.sort_by = "n";
  Pipeline sorting(io, options, "yaml");
  sorting.push(kNodes[0]);
  EXPECT_FALSE(sorting.full());
}

TEST(Pipeline, LimitCountsWhatPassedTheFilter) {
  Options options = with_format("value(name.basename())");
  options.filter = "name:nodes/c";
  options.limit = 1;
  EXPECT_EQ(print(kNodes, options, "yaml").out, "c\n");
}

TEST(Pipeline, EmptyListIsSaidInTheDefaultFormatOnly) {
  EXPECT_EQ(print({}, {}, "table(name)").err, "Listed 0 items.\n");
  EXPECT_EQ(print({}, {}, "table(name)").out, "");
  EXPECT_EQ(print({}, with_format("json"), "table(name)").out, "[]\n");
  EXPECT_EQ(print({}, with_format("json"), "table(name)").err, "");
  EXPECT_EQ(print({}, {}, "").err, "");
}

TEST(Pipeline, UriPrintsAddresses) {
  Options options;
  options.uri = true;
  options.address = [](const Json& one) { return "https://x/" + one["name"].text(); };
  EXPECT_EQ(print(kNodes, options, "table(name)").out,
            "https://x/p/nodes/b\nhttps://x/p/nodes/a\nhttps://x/p/nodes/c\n");
}

TEST(Pipeline, NothingIsPrintedWithoutAFormat) {
  StringStreams io;
  Pipeline silent(io, {}, "");
  EXPECT_FALSE(silent.prints());
  silent.push(kNodes[0]);
  silent.finish();
  EXPECT_EQ(io.out_text, "");
  EXPECT_FALSE(Pipeline(io, with_format("none"), "yaml").prints());
  EXPECT_TRUE(Pipeline(io, with_format("json"), "").prints());
}

TEST(Pipeline, ListLeftByAnExceptionIsClosed) {
  StringStreams io;
  {
    Pipeline pipeline(io, with_format("json"), "");
    pipeline.push(Json{{"a", 1}});
  }
  EXPECT_EQ(Json::parse(io.out_text).size(), 1u);
  io.out_text.clear();
  { Pipeline pipeline(io, with_format("json"), ""); }
  EXPECT_EQ(io.out_text, "");
}

TEST(Pipeline, UsageErrorsComeBeforeAnythingIsAsked) {
  EXPECT_THAT(failure(with_format("jsn")), HasSubstr("argument --format: Invalid choice: 'jsn'."));
  EXPECT_THAT(failure(with_format("jsn")), HasSubstr("(did you mean 'json'?)"));
  EXPECT_THAT(failure(with_format("table")), HasSubstr("requires a non-empty projection"));
  EXPECT_THAT(failure(with_format("value(name.basenam())")),
              HasSubstr("Unknown transform function basenam (did you mean basename?)"));
  EXPECT_EQ(failure(with_format("value(name")),
            "argument --format: Expected ) in projection expression [value(name *HERE*].");
  EXPECT_THAT(failure(with_format("value(name:colour=red)")), HasSubstr("Unknown key attribute"));
  Options filter;
  filter.filter = "a=1 OR b=2 AND c=3";
  EXPECT_THAT(failure(filter), HasSubstr("argument --filter: Parenthesis grouping is required"));
  filter.filter = "a~\"(\"";
  EXPECT_THAT(failure(filter), HasSubstr("argument --filter: RE pattern [(]: missing ):"));
  Options order;
  order.sort_by = "a..b";
  EXPECT_THAT(failure(order), HasSubstr("argument --sort-by: Non-empty key name expected"));
  Options flat;
  flat.flatten = "a[";
  EXPECT_THAT(failure(flat), HasSubstr("argument --flatten: "));
}

TEST(Table, ControlCharactersAreMadeVisible) {
  const Json::Array nasty{Json{{"name", "a\x1b[2Jb\xC2\x9B"}}};
  EXPECT_EQ(print(nasty, {}, "table(name)").out, "NAME\na\\x1b[2Jb\\x9b\n");
}

TEST(Value, IsRawInAPipeAndVisibleOnATerminal) {
  const Json::Array nasty{Json{{"name", "a\x1b[2Jb"}}};
  EXPECT_EQ(print(nasty, with_format("value(name)"), "").out, "a\x1b[2Jb\n");
  StringStreams io;
  io.out_tty = true;
  Pipeline pipeline(io, with_format("value(name)"), "");
  pipeline.push(nasty[0]);
  EXPECT_EQ(io.out_text, "a\\x1b[2Jb\n");
}

TEST(JsonFormat, ControlCharactersAreEscapedAndStillJson) {
  const Json::Array nasty{Json{{"name", "a\x1b\x7f\xC2\x9B"}}};
  const std::string out = print(nasty, with_format("json"), "").out;
  EXPECT_THAT(out, HasSubstr("\\u007f\\u009b"));
  EXPECT_TRUE(Json::parse(out)[std::size_t{0}] == nasty[0]);
}

TEST(Table, ScreenReaderGetsLines) {
  Options options;
  options.screen_reader = true;
  EXPECT_EQ(print({kNodes[0], kNodes[1]}, options, "table(name.basename(),n)").out,
            "NAME: b\nN: 2\n\nNAME: a\nN: 10\n");
}

TEST(Filter, LongTextsAndHostilePatternsEnd) {
  const Json resource{{"metadata", Json{{"startup-script", Json(std::string(1 << 20, 'a'))}}}};
  EXPECT_FALSE(Filter("metadata.startup-script~'(a|b)*c'").matches(resource));
  EXPECT_THROW(Filter(std::string(100000, '(') + "a=1"), Error);
  std::string many;
  for (int i = 0; i < 60000; ++i) many += "a ";
  EXPECT_THROW(Filter{many}, Error);
  EXPECT_TRUE(Filter("").matches(resource));
}

TEST(Keys, FlattenPutsItemsInTheListsPlaceAndOthersInTheResources) {
  const auto items = flatten(Json{{"a", Json(Json::Array{1, 2})}, {"b", 3}}, parse_key("a"));
  ASSERT_EQ(items.size(), 2u);
  EXPECT_EQ(items[1].dump(), R"({"a":2,"b":3})");
  EXPECT_EQ(flatten(Json{{"a", Json::array()}}, parse_key("a")).size(), 0u);
  EXPECT_EQ(flatten(Json{{"a", Json{{"x", 1}}}}, parse_key("a")).at(0).dump(), R"({"x":1})");
  EXPECT_EQ(flatten(Json{{"a", "x"}}, parse_key("a")).at(0).dump(), R"("x")");
  EXPECT_EQ(flatten(Json{{"b", "x"}}, parse_key("a")).at(0).dump(), "null");
  EXPECT_EQ(key_text(parse_key("a.b[0].c[].d")), "a.b[0].c[].d");
  EXPECT_EQ(key_text(parse_key(".")), ".");
}

}  // namespace
}  // namespace tpuctl::cli::output
