// SPDX-License-Identifier: Apache-2.0
#include "base/json.hpp"

#include <gmock/gmock.h>

#include "tests/support/errors.hpp"

namespace tpuctl::test {
namespace {

using ::testing::HasSubstr;

// ---- in and out ------------------------------------------------------------------------------------------------------

TEST(Json, WhatComesInGoesOutUnchanged) {
  for (const char* text : {
           "null", "true", "false", "0", "-0", "12", "-7", "1e3", "1E+3", "1.50", "0.1", "9223372036854775807", "18446744073709551616",
           "123456789012345678901234567890", "3.14159265358979323846264338327950288", "-1e-400", R"("")", R"("a\"b\\c")", R"("\n\t\u0001")",
           R"("한글 é 😀")", "[]", "{}", R"([1,[2,[3]]])", R"({"b":1,"a":[{"c":null}]})"}) {
    EXPECT_EQ(Json::parse(text).dump(), text);
  }
}

TEST(Json, EscapesAreReadAndNormalised) {
  EXPECT_EQ(Json::parse(R"("\u0041\u00e9\ud83d\ude00\/")").text(), "Aé😀/");
  EXPECT_EQ(Json::parse(R"("\u0041\/")").dump(), R"("A/")");
  EXPECT_EQ(Json(std::string("a\0b", 3)).dump(), R"("a\u0000b")");
  EXPECT_EQ(Json::parse(R"("a\u0000b")").text(), std::string("a\0b", 3));
  Json half;
  for (const char* text : {R"("\ude00")", R"("\ud83d")", R"({"\ude00":1})"}) EXPECT_FALSE(Json::try_parse(text, half)) << text;
}

TEST(Json, BlanksAndAByteOrderMarkAroundAreFine) {
  EXPECT_EQ(Json::parse(" \r\n\t{ \"a\" : [ 1 , 2 ] } \n").dump(), R"({"a":[1,2]})");
  EXPECT_EQ(Json::parse("\xEF\xBB\xBF{}").dump(), "{}");
}

TEST(Json, WhatIsNoJsonIsRefusedWithItsPlace) {
  for (const std::string text : {"", " ", "{", "[1,", "{\"a\"}", "{\"a\":}", "{a:1}", "'a'", "[1,]", "{\"a\":1,}", "01", "1.", ".5", "+1",
                                 "tru", "nul", "NaN", "Infinity", "1 2", "{} x", "\"a", "\"\\x\"", "\"\\ud800\"", "\"\\ud800x\"", "\"a\nb\"",
                                 "\"\xff\"", "\"\xc3\"", "\"\xed\xa0\x80\"", "/* c */ 1", "<html></html>", "\x01"}) {
    const Error error = error_of([&] { Json::parse(text); });
    EXPECT_EQ(error.kind, Kind::failure);
    EXPECT_THAT(error.what(), HasSubstr("byte")) << text;
    Json out("before");
    EXPECT_FALSE(Json::try_parse(text, out)) << text;
    EXPECT_TRUE(out.is_null()) << "a failed try_parse leaves a null: " << text;
  }
}

TEST(Json, NothingMayFollowAfterANulByte) {
  Json out;
  EXPECT_FALSE(Json::try_parse(std::string("{}\0garbage", 10), out));
}

TEST(Json, DepthIsCapped) {
  const auto nested = [](std::size_t depth) { return std::string(depth, '[') + std::string(depth, ']'); };
  EXPECT_EQ(Json::parse(nested(200)).dump(), nested(200));
  EXPECT_THAT(error_of([&] { Json::parse(nested(201)); }).what(), HasSubstr("deeper than 200"));
  EXPECT_THAT(error_of([&] { Json::parse(nested(100'000)); }).what(), HasSubstr("deeper"));
  EXPECT_EQ(Json::parse("[[1]]", 2).dump(), "[[1]]");
  EXPECT_THAT(error_of([&] { Json::parse("[{\"a\":[]}]", 2); }).what(), HasSubstr("deeper than 2"));
  Json out;
  EXPECT_FALSE(Json::try_parse(nested(201), out));
  std::string objects;
  for (int i = 0; i < 1000; ++i) objects += "{\"a\":";
  EXPECT_FALSE(Json::try_parse(objects, out)) << "unclosed and too deep";
}

TEST(Json, PrettyIsGcloudsFace) {
  EXPECT_EQ(Json::parse(R"({"b":[],"a":{"z":1e3,"y":"é<>&"},"c":{}})").pretty(),
            "{\n  \"a\": {\n    \"y\": \"é<>&\",\n    \"z\": 1e3\n  },\n  \"b\": [],\n  \"c\": {}\n}");
  EXPECT_EQ(Json::parse("[1]").pretty(), "[\n  1\n]");
  EXPECT_EQ(Json("x").pretty(), "\"x\"");
}

// ---- reading ---------------------------------------------------------------------------------------------------------

struct NumberCase {
  const char* text;
  std::int64_t integer;
  double number;
};

class JsonNumber : public ::testing::TestWithParam<NumberCase> {};

TEST_P(JsonNumber, ReadsAsBoth) {
  const Json value = Json::parse(GetParam().text);
  EXPECT_EQ(value.integer(-99), GetParam().integer) << GetParam().text;
  EXPECT_DOUBLE_EQ(value.number(-99), GetParam().number) << GetParam().text;
}

INSTANTIATE_TEST_SUITE_P(Json, JsonNumber,
                         ::testing::Values(NumberCase{"0", 0, 0}, NumberCase{"-12", -12, -12}, NumberCase{"1e3", 1000, 1000},
                                           NumberCase{"2.9", 2, 2.9}, NumberCase{"\"42\"", 42, 42}, NumberCase{"\"4.5\"", -99, 4.5},
                                           NumberCase{"9223372036854775807", 9223372036854775807, 9223372036854775807.0},
                                           NumberCase{"-9223372036854775808", INT64_MIN, -9223372036854775808.0},
                                           // No 64-bit integer: the fallback, not a wild number.
                                           NumberCase{"1e300", -99, 1e300}, NumberCase{"-1e300", -99, -1e300},
                                           NumberCase{"9223372036854775808", -99, 9223372036854775808.0},
                                           NumberCase{"123456789012345678901234567890", -99, 123456789012345678901234567890.0},
                                           NumberCase{"\"12x\"", -99, -99}, NumberCase{"\"\"", -99, -99}, NumberCase{"\" 1\"", -99, -99},
                                           NumberCase{"true", -99, -99}, NumberCase{"null", -99, -99}, NumberCase{"[1]", -99, -99}));

TEST(Json, AWrongTypeReadsAsTheFallback) {
  const Json object = Json::parse(R"({"s":"text","n":5,"b":true,"a":[1,2],"z":null})");
  EXPECT_EQ(object["s"].text(), "text");
  EXPECT_EQ(object["n"].text(), "5");
  EXPECT_EQ(object["b"].text(), "");
  EXPECT_EQ(object["b"].scalar(), "true");
  EXPECT_EQ(object["a"].scalar(), "");
  EXPECT_TRUE(object["b"].boolean());
  EXPECT_TRUE(object["s"].boolean(true)) << "the string is no boolean";
  EXPECT_FALSE(object["n"].boolean());
  EXPECT_EQ(object["a"].size(), 2u);
  EXPECT_EQ(object["s"].size(), 0u);
  EXPECT_TRUE(object["s"].items().empty());
  EXPECT_TRUE(object["a"].members().empty());
  EXPECT_TRUE(object["none"].is_null());
  EXPECT_TRUE(object[std::size_t{0}].is_null()) << "an object has no items";
  EXPECT_TRUE(object["a"][std::size_t{2}].is_null());
  EXPECT_TRUE(object["a"]["x"].is_null());
  EXPECT_EQ(object.find("z")->is_null(), true);
  EXPECT_EQ(object.find("none"), nullptr);
}

TEST(Json, EmptyIsNothingToSay) {
  for (const char* text : {"null", "\"\"", "[]", "{}", "false"}) EXPECT_TRUE(Json::parse(text).empty()) << text;
  for (const char* text : {"0", "\" \"", "[null]", "{\"a\":null}", "true"}) EXPECT_FALSE(Json::parse(text).empty()) << text;
}

TEST(Json, EqualityIgnoresTheOrderOfMembersOnly) {
  EXPECT_TRUE(Json::parse(R"({"a":1,"b":[1,2]})") == Json::parse(R"({"b":[1,2],"a":1})"));
  EXPECT_FALSE(Json::parse("[1,2]") == Json::parse("[2,1]"));
  EXPECT_FALSE(Json::parse("1") == Json::parse("\"1\""));
  EXPECT_FALSE(Json::parse("{}") == Json::parse("[]"));
  EXPECT_FALSE(Json::parse(R"({"a":1})") == Json::parse(R"({"a":1,"b":2})"));
  EXPECT_FALSE(Json::parse(R"({"a":1,"b":2})") == Json::parse(R"({"a":1,"c":2})"));
  EXPECT_FALSE(Json(true) == Json(false));
}

TEST(Json, ValuesOfTheProgram) {
  EXPECT_EQ(Json(std::int64_t{9223372036854775807}).dump(), "9223372036854775807");
  EXPECT_EQ(Json(1.5).dump(), "1.5");
  EXPECT_EQ(Json(std::size_t{7}).dump(), "7");
  EXPECT_EQ(Json(nullptr).dump(), "null");
  EXPECT_EQ(Json("x").dump(), "\"x\"");
  EXPECT_EQ(Json::strings({"a", "b"}).dump(), R"(["a","b"])");
  EXPECT_EQ(Json::strings({}).dump(), "[]");
  EXPECT_EQ((Json{{"a", 1}, {"b", Json::array()}}).dump(), R"({"a":1,"b":[]})");
}

// ---- pointers --------------------------------------------------------------------------------------------------------

TEST(Json, PointersAreThoseOfRfc6901) {
  const Json document = Json::parse(R"({"foo":["bar","baz"],"":0,"a/b":1,"c%d":2,"m~n":8,"o":{"p":[{"q":9}]}})");
  EXPECT_TRUE(document.at("") == document);
  EXPECT_EQ(document.at("/foo/0").text(), "bar");
  EXPECT_EQ(document.at("/").integer(-1), 0);
  EXPECT_EQ(document.at("/a~1b").integer(), 1);
  EXPECT_EQ(document.at("/c%d").integer(), 2);
  EXPECT_EQ(document.at("/m~0n").integer(), 8);
  EXPECT_EQ(document.at("/o/p/0/q").integer(), 9);
  for (const char* nowhere : {"/foo/2", "/foo/x", "/foo/-1", "/foo/0/1", "/none", "/none/0", "/o/p/q", "/foo/99999999999999999999"}) {
    EXPECT_TRUE(document.at(nowhere).is_null()) << nowhere;
  }
}

struct SetCase {
  const char* before;
  const char* pointer;
  const char* after;
};

TEST(Json, SetMakesMissingParents) {
  const SetCase cases[] = {
      {"{}", "/a", R"({"a":1})"},
      {"null", "/a/b", R"({"a":{"b":1}})"},
      {"{}", "/tpu/nodeSpec/0/nodeId", R"({"tpu":{"nodeSpec":[{"nodeId":1}]}})"},
      {R"({"a":[5]})", "/a/0", R"({"a":[1]})"},
      {R"({"a":[5]})", "/a/2", R"({"a":[5,null,1]})"},
      {R"({"a":{"0":5}})", "/a/0", R"({"a":{"0":1}})"},
      {R"({"a":null})", "/a/b", R"({"a":{"b":1}})"},
      {R"({"a":1})", "", "1"},
      {"{}", "/a~1b/c~0d", R"({"a/b":{"c~d":1}})"},
  };
  for (const SetCase& one : cases) {
    Json value = Json::parse(one.before);
    value.set(one.pointer, 1);
    EXPECT_EQ(value.dump(), one.after) << one.before << " " << one.pointer;
  }
}

TEST(Json, SetDoesNotWriteIntoAScalar) {
  for (const char* pointer : {"/a/b", "/a/0", "/l/x"}) {
    Json value = Json::parse(R"({"a":"text","l":[1]})");
    EXPECT_EQ(error_of([&] { value.set(pointer, 1); }).kind, Kind::failure) << pointer;
  }
  Json text("x");
  error_of([&] { text.push(1); });
  error_of([&] { text.member("a"); });
}

TEST(Json, EraseTellsWhetherSomethingWasThere) {
  Json value = Json::parse(R"({"a":{"b":1},"l":[1,2,3]})");
  EXPECT_TRUE(value.erase("/a/b"));
  EXPECT_TRUE(value.erase("/l/1"));
  for (const char* nowhere : {"", "/a/b", "/x", "/l/9", "/l/x", "/l/0/y"}) EXPECT_FALSE(value.erase(nowhere)) << nowhere;
  EXPECT_EQ(value.dump(), R"({"a":{},"l":[1,3]})");
}

TEST(Json, CopiesAreDeepAndMembersKeepTheirOrder) {
  Json first{{"z", 1}, {"a", Json::array()}};
  Json second = first;
  second.member("a").push(2);
  EXPECT_EQ(first.dump(), R"({"z":1,"a":[]})");
  EXPECT_EQ(second.dump(), R"({"z":1,"a":[2]})");
  const Json third = std::move(second);
  EXPECT_EQ(third.dump(), R"({"z":1,"a":[2]})");
}

// The items of a long list are seen one by one; what stands before and behind the list is kept.
TEST(Json, ListsAreHandedOutAsTheyAreRead) {
  const std::string text = R"({"a":[1,[2]],"nodes":[{"x":[1,{"nodes":[5]}]},7,[8]],"o":{"nodes":[9]},"next":"t"})";
  std::vector<std::string> seen;
  Json rest;
  const auto all = [&](Json item) {
    seen.push_back(item.dump());
    return true;
  };
  EXPECT_TRUE(Json::try_parse(text, "nodes", all, rest));
  EXPECT_EQ(seen, (std::vector<std::string>{R"({"x":[1,{"nodes":[5]}]})", "7", "[8]"}));
  EXPECT_EQ(rest.dump(), R"({"a":[1,[2]],"nodes":[],"o":{"nodes":[9]},"next":"t"})");

  seen.clear();
  EXPECT_TRUE(Json::try_parse(text, "nodes", [&](Json item) { return seen.push_back(item.dump()), false; }, rest));
  EXPECT_EQ(seen.size(), 1u);

  seen.clear();
  EXPECT_FALSE(Json::try_parse(R"({"nodes":[1,2,)", "nodes", all, rest));
  EXPECT_EQ(seen.size(), 2u);
  EXPECT_TRUE(rest.is_null());
  EXPECT_TRUE(Json::try_parse("[1]", "nodes", all, rest));
  EXPECT_EQ(rest.dump(), "[1]");
}

}  // namespace
}  // namespace tpuctl::test
