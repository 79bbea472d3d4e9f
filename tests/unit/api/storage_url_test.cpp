// SPDX-License-Identifier: Apache-2.0
// gs:// addresses and their wildcards.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "api/storage_url.hpp"
#include "tests/support/errors.hpp"

namespace tpuctl::api {
namespace {

TEST(StorageUrl, Parts) {
  struct Row {
    const char* text;
    bool cloud;
    const char* bucket;
    const char* name;
    const char* generation;
    const char* shown;
  };
  const Row rows[] = {
      {"gs://b/o", true, "b", "o", "", "gs://b/o"},
      {"gs://b", true, "b", "", "", "gs://b/"},
      {"gs://b/", true, "b", "", "", "gs://b/"},
      {"gs://", true, "", "", "", "gs://"},
      {"gs://b/d/", true, "b", "d/", "", "gs://b/d/"},
      {"gs://b//x", true, "b", "/x", "", "gs://b//x"},
      {"gs://b/o#123", true, "b", "o", "123", "gs://b/o"},
      {"gs://b/o#1a", true, "b", "o#1a", "", "gs://b/o#1a"},
      {"gs://b/#12", true, "b", "#12", "", "gs://b/#12"},
      {"gs://b/a://x", true, "b", "a://x", "", "gs://b/a://x"},
      {"dir/file#12", false, "", "dir/file#12", "", "dir/file#12"},
      {"file:///tmp/x", false, "", "/tmp/x", "", "/tmp/x"},
      {"-", false, "", "-", "", "-"},
      {"./a b://c", false, "", "./a b://c", "", "./a b://c"},
  };
  for (const Row& row : rows) {
    const StorageUrl url = parse_storage_url(row.text);
    EXPECT_EQ(url.cloud, row.cloud) << row.text;
    EXPECT_EQ(url.bucket, row.bucket) << row.text;
    EXPECT_EQ(url.name, row.name) << row.text;
    EXPECT_EQ(url.generation, row.generation) << row.text;
    EXPECT_EQ(url.text(), row.shown) << row.text;
  }
  for (const char* bad : {"s3://b/o", "http://x/y", "gs:///x", ""}) {
    EXPECT_EQ(test::error_of([&] { parse_storage_url(bad); }).kind, Kind::usage) << bad;
  }
}

TEST(StorageUrl, Globs) {
  struct Row {
    const char* pattern;
    const char* text;
    bool matches;
  };
  const Row rows[] = {
      {"a*c", "abbc", true},    {"a*c", "ac", true},      {"a*c", "a/b/c", true},  {"a*c", "acd", false},
      {"*", "", true},          {"", "", true},           {"", "a", false},        {"?", "a", true},
      {"?", "", false},         {"?", "\xc3\xa4", true},  {"??", "\xc3\xa4", false}, {"[a-c]x", "bx", true},
      {"[!a-c]x", "bx", false}, {"[!a-c]x", "dx", true},  {"[]]", "]", true},      {"[a", "[a", true},
      {"[a", "a", false},       {"a\\*", "a\\b", true},   {"a\\*", "a*", false},   {"*.txt", "x.txt", true},
      {"*.txt", "x.txt2", false}, {"*a*b*", "xxaxxbxx", true}, {"*a*b*", "xxbxxaxx", false}, {"[\xc3\xa4-\xc3\xbc]", "\xc3\xb6", true},
      {"***", "anything", true}, {"a-[-z]", "a--", true},
  };
  for (const Row& row : rows) EXPECT_EQ(glob_matches(row.pattern, row.text), row.matches) << row.pattern << " on " << row.text;
}

TEST(StorageUrl, AManyStarredPatternEnds) {
  std::string pattern;
  for (int i = 0; i < 40; ++i) pattern += "a*";
  EXPECT_FALSE(glob_matches(pattern + "b", std::string(2000, 'a')));
  EXPECT_TRUE(glob_matches(pattern, std::string(2000, 'a')));
}

TEST(StorageUrl, Steps) {
  struct Row {
    const char* name;
    const char* prefix;
    const char* pattern;
    const char* suffix;
    bool one_level;
  };
  const Row rows[] = {
      {"a/b*c/d/e*f", "a/b", "a/b*c", "d/e*f", true}, {"plain/name", "plain/name", "plain/name", "", true},
      {"a/**/b", "a/", "a/**/b", "", false},          {"*", "", "*", "", true},
      {"d*/**", "d", "d*", "**", true},               {"x?/y", "x", "x?", "y", true},
  };
  for (const Row& row : rows) {
    const GlobStep step = first_glob_step(row.name);
    EXPECT_EQ(step.prefix, row.prefix) << row.name;
    EXPECT_EQ(step.pattern, row.pattern) << row.name;
    EXPECT_EQ(step.suffix, row.suffix) << row.name;
    EXPECT_EQ(step.one_level, row.one_level) << row.name;
  }
  EXPECT_TRUE(step_keeps("model", "model/")) << "a folder too";
  EXPECT_FALSE(step_keeps("model", "models/"));
  EXPECT_TRUE(step_keeps("a/**/x.txt", "a/x.txt")) << "no folder at all";
  EXPECT_TRUE(step_keeps("**/x.txt", "x.txt"));
  EXPECT_TRUE(step_keeps("**/a/**/x", "a/x"));
  EXPECT_FALSE(step_keeps("a/**/x.txt", "b/x.txt"));
}

}  // namespace
}  // namespace tpuctl::api
