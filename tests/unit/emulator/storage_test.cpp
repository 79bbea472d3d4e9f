// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "emulator/digest.hpp"
#include "tests/unit/emulator/world.hpp"

namespace tpuctl::emulator::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class Storage : public ::testing::Test {
 protected:
  Storage() : world(EmulatorOptions{.dir = folder.path, .speed = 1, .faults = {}}) {
    world.post("/storage/v1/b?project=p", "{\"name\":\"bucket\"}");
  }
  api::Response put(const std::string& name, const std::string& bytes, const std::string& more = {}) {
    return world.send("POST", "/upload/storage/v1/b/bucket/o?uploadType=media&name=" + text::percent_encode(name) + more,
                      bytes, {{"Content-Type", "text/plain"}});
  }
  api::Response media(const std::string& name, api::Headers headers = {}) {
    return world.send("GET", "/storage/v1/b/bucket/o/" + text::percent_encode(name) + "?alt=media", {}, std::move(headers));
  }
  std::vector<std::string> names(const std::string& query, const char* key = "items") {
    std::vector<std::string> out;
    const Json list = world.get("/storage/v1/b/bucket/o?" + query);
    for (const Json& item : list[key].items()) out.push_back(item.is_object() ? item["name"].text() : item.text());
    return out;
  }

  TemporaryFolder folder;
  World world;
};

TEST_F(Storage, AnObjectIsAFile) {
  const Json object = World::body_of(put("run/ckpt/1", "hello"));
  EXPECT_EQ(object["size"].text(), "5");
  EXPECT_EQ(object["crc32c"].text(), "mnG7TA==");
  EXPECT_EQ(object["md5Hash"].text(), "XUFAKrxLKna5cZ2REBfFkg==");
  EXPECT_EQ(object["contentType"].text(), "text/plain");
  EXPECT_EQ(file::read(folder.path + "/buckets/bucket/run/ckpt/1"), "hello");
  EXPECT_EQ(media("run/ckpt/1").body, "hello");
  EXPECT_EQ(world.get("/storage/v1/b/bucket/o/run%2Fckpt%2F1")["name"].text(), "run/ckpt/1");
  EXPECT_EQ(world.send("DELETE", "/storage/v1/b/bucket/o/run%2Fckpt%2F1").status, 204);
  EXPECT_EQ(media("run/ckpt/1").status, 404);
  EXPECT_FALSE(file::exists(folder.path + "/buckets/bucket/run")) << "empty folders are no objects";
}

TEST_F(Storage, NoNameLeavesTheBucket) {
  for (const std::string name : {"../../escape", "/etc/escape", "a/../../../escape", "a//b", "..", ".", "a/", "x%2Fy",
                                 "line\nbreak", "%"}) {
    EXPECT_EQ(put(name, name).status, 200) << name;
    EXPECT_EQ(media(name).body, name);
  }
  EXPECT_FALSE(file::exists(folder.path + "/escape"));
  EXPECT_FALSE(file::exists(folder.path + "/buckets/escape"));
  EXPECT_EQ(names("").size(), 10u);
  EXPECT_THAT(names("prefix=a%2F"), ElementsAre("a/", "a/../../../escape", "a//b"));
  EXPECT_EQ(world.send("GET", "/storage/v1/b/..%2F..%2Fbuckets/o").status, 404);
}

TEST_F(Storage, ANameMayBeAFileAndAFolder) {
  put("a", "file");
  put("a/b", "inside");
  put("c/d", "inside");
  put("c", "file");
  EXPECT_EQ(media("a").body, "file");
  EXPECT_EQ(media("a/b").body, "inside");
  EXPECT_EQ(media("c").body, "file");
  EXPECT_THAT(names(""), ElementsAre("a", "a/b", "c", "c/d"));
}

TEST_F(Storage, ListsByPrefixDelimiterAndPage) {
  for (const char* name : {"x/1/a", "x/1/b", "x/2/a", "x/top", "y"}) put(name, "1");
  EXPECT_THAT(names("prefix=x%2F&delimiter=%2F"), ElementsAre("x/top"));
  EXPECT_THAT(names("prefix=x%2F&delimiter=%2F", "prefixes"), ElementsAre("x/1/", "x/2/"));
  EXPECT_THAT(names("startOffset=x%2F2&endOffset=y"), ElementsAre("x/2/a", "x/top"));
  std::vector<std::string> all;
  std::string token;
  do {
    const Json page = world.get("/storage/v1/b/bucket/o?maxResults=2&pageToken=" + text::percent_encode(token));
    EXPECT_LE(page["items"].size(), 2u);
    for (const Json& item : page["items"].items()) all.push_back(item["name"].text());
    token = page["nextPageToken"].text();
  } while (!token.empty());
  EXPECT_THAT(all, ElementsAre("x/1/a", "x/1/b", "x/2/a", "x/top", "y"));
}

TEST_F(Storage, MultipartKeepsBytesAndAttributes) {
  const std::string bytes = "a\r\n--other\r\n\0b" + std::string(1, '\0') + "\r\n";
  const auto answer = world.send(
      "POST", "/upload/storage/v1/b/bucket/o?uploadType=multipart",
      "--sep\r\nContent-Type: application/json\r\n\r\n{\"name\":\"m\",\"metadata\":{\"k\":\"v\"}}\r\n--sep\r\n"
      "Content-Type: image/png\r\n\r\n" + bytes + "\r\n--sep--\r\n",
      {{"Content-Type", "multipart/related; boundary=\"sep\""}});
  EXPECT_EQ(answer.status, 200) << answer.body;
  EXPECT_EQ(media("m").body, bytes);
  EXPECT_EQ(media("m").header("Content-Type"), "image/png");
  EXPECT_EQ(world.get("/storage/v1/b/bucket/o/m").at("/metadata/k").text(), "v");
}

TEST_F(Storage, ResumableSurvivesALostChunk) {
  const auto begun = world.send("POST", "/upload/storage/v1/b/bucket/o?uploadType=resumable&name=r", "{}");
  std::string path(begun.header("Location"));
  path = path.substr(path.find("/upload"));
  auto chunk = [&](const std::string& bytes, const std::string& range) {
    return world.send("PUT", path, bytes, {{"Content-Range", range}});
  };
  const auto first = chunk("abcd", "bytes 0-3/*");
  EXPECT_EQ(first.status, 308);
  EXPECT_EQ(first.header("Range"), "bytes=0-3");
  EXPECT_EQ(chunk("", "bytes */*").header("Range"), "bytes=0-3");
  EXPECT_EQ(chunk("xx", "bytes 6-7/8").status, 308) << "a gap is not taken";
  EXPECT_EQ(chunk("cdef", "bytes 2-5/*").header("Range"), "bytes=0-5") << "an overlap is";
  EXPECT_EQ(chunk("gh", "bytes 6-7/8").status, 200);
  EXPECT_EQ(media("r").body, "abcdefgh");
  EXPECT_EQ(chunk("gh", "bytes 6-7/8").status, 404) << "the upload has ended";
}

TEST_F(Storage, RangesAreCut) {
  put("o", "0123456789");
  EXPECT_EQ(media("o", {{"Range", "bytes=2-4"}}).body, "234");
  EXPECT_EQ(media("o", {{"Range", "bytes=7-"}}).body, "789");
  EXPECT_EQ(media("o", {{"Range", "bytes=-3"}}).body, "789");
  const auto part = media("o", {{"Range", "bytes=8-99"}});
  EXPECT_EQ(part.status, 206);
  EXPECT_EQ(part.header("Content-Range"), "bytes 8-9/10");
  EXPECT_EQ(media("o", {{"Range", "bytes=10-"}}).status, 416);
}

TEST_F(Storage, PreconditionsHold) {
  const std::string generation = World::body_of(put("o", "1", "&ifGenerationMatch=0"))["generation"].text();
  EXPECT_EQ(put("o", "2", "&ifGenerationMatch=0").status, 412);
  EXPECT_EQ(media("o").body, "1");
  EXPECT_EQ(put("o", "2", "&ifGenerationMatch=" + generation).status, 200);
}

TEST_F(Storage, CopyRewriteAndCompose) {
  put("a", "one", "");
  put("b", "two");
  EXPECT_EQ(world.post("/storage/v1/b/bucket/o/a/rewriteTo/b/bucket/o/x%2Fa", "{}").at("/resource/name").text(), "x/a");
  EXPECT_EQ(world.post("/storage/v1/b/bucket/o/a/copyTo/b/bucket/o/c", "")["contentType"].text(), "text/plain");
  world.post("/storage/v1/b/bucket/o/all/compose", "{\"sourceObjects\":[{\"name\":\"a\"},{\"name\":\"b\"}]}");
  EXPECT_EQ(media("x/a").body, "one");
  EXPECT_EQ(media("all").body, "onetwo");
  EXPECT_EQ(world.send("POST", "/storage/v1/b/bucket/o/none/rewriteTo/b/bucket/o/y", "{}").status, 404);
}

TEST_F(Storage, BucketsAreNamedAndMade) {
  EXPECT_EQ(world.send("GET", "/storage/v1/b/none").status, 404);
  EXPECT_EQ(world.send("GET", "/storage/v1/b/none/o").status, 404);
  EXPECT_EQ(world.send("POST", "/storage/v1/b?project=p", "{\"name\":\"../x\"}").status, 400);
  EXPECT_EQ(world.send("POST", "/storage/v1/b?project=p", "{\"name\":\"bucket\"}").status, 409);
  EXPECT_EQ(world.get("/storage/v1/b").at("/items/0/name").text(), "bucket");
  put("o", "1");
  EXPECT_EQ(world.send("DELETE", "/storage/v1/b/bucket").status, 409);
}

TEST(Digest, KnownValues) {
  EXPECT_EQ(crc32c_base64("123456789"), "4waSgw==");
  EXPECT_EQ(crc32c_base64(""), "AAAAAA==");
  EXPECT_EQ(md5_base64(""), "1B2M2Y8AsgTpgAmY7PhCfg==");
}

}  // namespace
}  // namespace tpuctl::emulator::testing
