// SPDX-License-Identifier: Apache-2.0
// Bytes out of Cloud Storage and into it, through every kind of trouble.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "api/checksum.hpp"
#include "api/retry.hpp"
#include "api/storage.hpp"
#include "base/text.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/fake_clock.hpp"
#include "tests/support/scripted_transport.hpp"

namespace tpuctl::api {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* kDownload = "https://s/download/storage/v1/b/b/o/d%2Fo?alt=media&generation=7";
constexpr const char* kObject = "https://s/storage/v1/b/b/o/d%2Fo";

std::string crc(std::string_view bytes) {
  Crc32c sum;
  sum.update(bytes);
  return sum.base64();
}
std::string md5(std::string_view bytes) {
  Md5 sum;
  sum.update(bytes);
  return sum.base64();
}

Json resource(std::string_view bytes) {
  return Json{{"bucket", "b"}, {"name", "d/o"}, {"generation", "7"}, {"size", std::to_string(bytes.size())},
              {"crc32c", crc(bytes)}, {"md5Hash", md5(bytes)}};
}

class StorageTest : public ::testing::Test {
 protected:
  /// What a sink got; the answer's body as the script has it, in one piece.
  std::string fetch(const StoredObject& object, Storage::Range range = {}) {
    got.clear();
    checked = storage.download(object, [this](std::string_view bytes) { got += bytes; }, range);
    return got;
  }
  /// A part comes, then the connection breaks.
  std::function<void()> part(std::string bytes, int status = 200) {
    return [this, bytes, status] {
      Response head;
      head.status = status;
      wire.sent.back().sink(head, bytes);
    };
  }
  Storage::Upload upload_of(const std::string& bytes) {
    Storage::Upload out;
    out.bucket = "b";
    out.name = "d/o";
    out.read = [bytes](std::int64_t offset, char* to, std::size_t most) {
      return bytes.copy(to, std::min<std::size_t>(most, 100000), static_cast<std::size_t>(offset));  // never all at once
    };
    return out;
  }

  test::ScriptedTransport wire;
  test::FakeClock clock;
  RetryTransport retry{wire, clock};
  Storage storage{retry, clock, "https://s/"};
  std::string got;
  bool checked = false;
};

TEST(Checksum, KnownValues) {
  EXPECT_EQ(crc("123456789"), "4waSgw==");
  EXPECT_EQ(crc(""), "AAAAAA==");
  EXPECT_EQ(md5(""), "1B2M2Y8AsgTpgAmY7PhCfg==");
  Crc32c pieces;
  for (const char c : std::string("123456789")) pieces.update({&c, 1});
  EXPECT_EQ(pieces.base64(), "4waSgw==");
}

TEST_F(StorageTest, AWholeObjectIsCompared) {
  wire.expect("GET", kDownload).with_header("Range", "").reply_text(200, "hello");
  EXPECT_EQ(fetch(stored_object(resource("hello"))), "hello");
  EXPECT_TRUE(checked);
  wire.expect("GET", kDownload).reply_text(200, "hellO");
  const Error error = test::error_of([&] { fetch(stored_object(resource("hello"))); });
  EXPECT_THAT(error.what(), HasSubstr("CRC32C"));
  Json md5_only = resource("hello");
  md5_only.erase("/crc32c");
  wire.expect("GET", kDownload).reply_text(200, "hellO");
  EXPECT_THAT(test::complaint_of([&] { fetch(stored_object(md5_only)); }), HasSubstr("MD5"));
  Json bare = resource("hello");
  bare.erase("/crc32c");
  bare.erase("/md5Hash");
  wire.expect("GET", kDownload).reply_text(200, "hellO", {{"X-Goog-Hash", "crc32c=" + crc("hello")}, {"X-Goog-Hash", "md5=x"}});
  EXPECT_THAT(test::complaint_of([&] { fetch(stored_object(bare)); }), HasSubstr("CRC32C"));
}

TEST_F(StorageTest, ABrokenDownloadGoesOnWhereItBroke) {
  wire.expect("GET", kDownload).doing(part("hel")).lose();
  wire.expect("GET", kDownload).with_header("Range", "bytes=3-").reply(503);
  wire.expect("GET", kDownload).with_header("Range", "bytes=3-").doing(part("l", 206)).lose();
  wire.expect("GET", kDownload).with_header("Range", "bytes=4-").reply_text(206, "o");
  EXPECT_EQ(fetch(stored_object(resource("hello"))), "hello");
  EXPECT_EQ(clock.slept.size(), 3u);
}

TEST_F(StorageTest, AWholeAnswerToAPartIsCut) {
  wire.expect("GET", kDownload).doing(part("hel")).lose();
  wire.expect("GET", kDownload).with_header("Range", "bytes=3-").reply_text(200, "hello");
  EXPECT_EQ(fetch(stored_object(resource("hello"))), "hello");
}

TEST_F(StorageTest, AShortAnswerIsNotTheEnd) {
  wire.expect("GET", kDownload).reply_text(200, "hel");
  wire.expect("GET", kDownload).with_header("Range", "bytes=3-").reply_text(206, "lo");
  EXPECT_EQ(fetch(stored_object(resource("hello"))), "hello");
}

TEST_F(StorageTest, DownloadsGiveUpInTheEnd) {
  for (int i = 0; i < 5; ++i) wire.expect("GET", kDownload).lose();
  EXPECT_EQ(test::error_of([&] { fetch(stored_object(resource("hello"))); }).kind, Kind::unavailable);
  wire.expect("GET", kDownload).reply_error(403, "PERMISSION_DENIED", "no");
  EXPECT_EQ(test::error_of([&] { fetch(stored_object(resource("hello"))); }).kind, Kind::denied);
  EXPECT_EQ(got, "") << "what an error says is not the object";
}

TEST_F(StorageTest, Ranges) {
  const StoredObject object = stored_object(resource("0123456789"));
  wire.expect("GET", kDownload).with_header("Range", "bytes=2-4").reply_text(206, "234");
  EXPECT_EQ(fetch(object, {2, 4}), "234");
  wire.expect("GET", kDownload).with_header("Range", "bytes=7-").reply_text(206, "789");
  EXPECT_EQ(fetch(object, {7, -1}), "789");
  wire.expect("GET", kDownload).with_header("Range", "bytes=8-99").reply_text(206, "89");
  EXPECT_EQ(fetch(object, {8, 99}), "89");
  EXPECT_EQ(fetch(object, {10, -1}), "") << "nothing is asked for";
}

TEST_F(StorageTest, UnpackedObjectsAreNotCompared) {
  Json packed = resource("short");
  packed.member("contentEncoding") = "gzip";
  wire.expect("GET", kDownload).reply_text(200, "the long text", {{"Warning", "214 UploadServer gunzipped"}});
  EXPECT_EQ(fetch(stored_object(packed)), "the long text");
  EXPECT_FALSE(checked);
}

TEST_F(StorageTest, WhatASinkThrowsEndsIt) {
  struct Full {};
  wire.expect("GET", kDownload).reply_text(200, "hello");
  EXPECT_THROW(storage.download(stored_object(resource("hello")), [](std::string_view) { throw Full{}; }), Full);
}

TEST_F(StorageTest, ASmallUploadIsOneRequest) {
  wire.expect("POST", AllOf(HasSubstr("/upload/storage/v1/b/b/o?"), HasSubstr("uploadType=multipart"), Not(HasSubstr("ifGenerationMatch"))))
      .with_body(AllOf(HasSubstr("\"crc32c\":\"" + crc("hello") + "\""), HasSubstr("\"name\":\"d/o\""), HasSubstr("\r\n\r\nhello\r\n--")))
      .reply(200, resource("hello"));
  EXPECT_EQ(storage.upload(upload_of("hello"))->generation, "7");
}

TEST_F(StorageTest, ASmallUploadIsSentAgain) {
  wire.expect("POST", HasSubstr("multipart")).lose();
  wire.expect("POST", HasSubstr("multipart")).reply(503);
  wire.expect("POST", HasSubstr("multipart")).reply(200, resource("hello"));
  EXPECT_TRUE(storage.upload(upload_of("hello")).has_value());
}

TEST_F(StorageTest, OnlyIfAbsentKnowsItsOwn) {
  Storage::Upload upload = upload_of("hello");
  upload.keeping.only_if_absent = true;
  // The first answer was lost: is it ours that is there?
  wire.expect("POST", HasSubstr("ifGenerationMatch=0")).lose();
  wire.expect("POST", HasSubstr("ifGenerationMatch=0")).reply(412);
  wire.expect("GET", HasSubstr(kObject)).reply(200, resource("hello"));
  EXPECT_TRUE(storage.upload(upload).has_value());
  wire.expect("POST", HasSubstr("ifGenerationMatch=0")).lose();
  wire.expect("POST", HasSubstr("ifGenerationMatch=0")).reply(412);
  wire.expect("GET", HasSubstr(kObject)).reply(200, resource("of somebody else"));
  EXPECT_FALSE(storage.upload(upload).has_value());
}

TEST_F(StorageTest, ASpoiledUploadIsRemoved) {
  wire.expect("POST", HasSubstr("multipart")).reply(200, resource("hellO"));
  wire.expect("DELETE", std::string(kObject) + "?generation=7").reply(204);
  EXPECT_THAT(test::complaint_of([&] { storage.upload(upload_of("hello")); }), HasSubstr("spoiled"));
}

// Two pieces and a bit.
class Pieces : public StorageTest {
 protected:
  Pieces() {
    bytes.resize(2 * Storage::kPiece + 5);
    for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<char>('a' + i * i % 23);
  }
  void begin(const std::string& id = "1") {
    wire.expect("POST", HasSubstr("uploadType=resumable&name=d%2Fo")).reply_text(200, "", {{"Location", "https://s/up?upload_id=" + id}});
  }
  test::ScriptedTransport::Step& piece(std::size_t from, std::size_t to, const std::string& total, const std::string& id = "1") {
    return wire.expect("PUT", "https://s/up?upload_id=" + id)
        .with_header("Content-Range", "bytes " + std::to_string(from) + "-" + std::to_string(to - 1) + "/" + total)
        .with_body(bytes.substr(from, to - from));
  }
  test::ScriptedTransport::Step& question(const std::string& total, const std::string& id = "1") {
    return wire.expect("PUT", "https://s/up?upload_id=" + id).with_header("Content-Range", "bytes */" + total).with_body("");
  }
  static api::Headers held(std::size_t bytes) {
    return bytes == 0 ? api::Headers{} : api::Headers{{"Range", "bytes=0-" + std::to_string(bytes - 1)}};
  }
  std::string bytes;
  static constexpr std::size_t kOne = Storage::kPiece;
  const std::string all = std::to_string(2 * kOne + 5);
};

TEST_F(Pieces, GoUpOneByOne) {
  begin();
  piece(0, kOne, "*").reply_text(308, "", held(kOne));
  piece(kOne, 2 * kOne, "*").reply_text(308, "", held(2 * kOne));
  piece(2 * kOne, 2 * kOne + 5, all).reply(200, resource(bytes));
  std::vector<std::int64_t> seen;
  Storage::Upload upload = upload_of(bytes);
  upload.moved = [&](std::int64_t now) { seen.push_back(now); };
  EXPECT_TRUE(storage.upload(upload).has_value());
  EXPECT_THAT(seen, ElementsAre(kOne, 2 * kOne, 2 * kOne + 5));
}

TEST_F(Pieces, AnExactPieceIsOneRequest) {
  wire.expect("POST", HasSubstr("multipart")).reply(200, resource(bytes.substr(0, kOne)));
  EXPECT_TRUE(storage.upload(upload_of(bytes.substr(0, kOne))).has_value());
}

TEST_F(Pieces, TroubleIsAskedAbout) {
  begin();
  piece(0, kOne, "*").lose();
  question("*").reply_text(308, "", held(262144));
  piece(262144, kOne, "*").reply_text(308, "", held(kOne));
  piece(kOne, 2 * kOne, "*").reply(503);
  question("*").lose();
  question("*").reply_text(308, "", held(2 * kOne));
  piece(2 * kOne, 2 * kOne + 5, all).lose();
  question(all).reply(200, resource(bytes));
  EXPECT_TRUE(storage.upload(upload_of(bytes)).has_value());
}

TEST_F(Pieces, APartlyTakenPieceIsFinished) {
  begin();
  piece(0, kOne, "*").reply_text(308, "", held(524288));
  piece(524288, kOne, "*").reply_text(308, "", held(kOne));
  piece(kOne, 2 * kOne, "*").reply_text(308, "", held(2 * kOne));
  piece(2 * kOne, 2 * kOne + 5, all).reply(200, resource(bytes));
  EXPECT_TRUE(storage.upload(upload_of(bytes)).has_value());
}

TEST_F(Pieces, AForgottenUploadBeginsAnew) {
  begin();
  piece(0, kOne, "*").reply_text(308, "", held(kOne));
  piece(kOne, 2 * kOne, "*").reply(410);
  begin("2");
  piece(0, kOne, "*", "2").reply_text(308, "", held(kOne));
  piece(kOne, 2 * kOne, "*", "2").reply_text(308, "", held(2 * kOne));
  piece(2 * kOne, 2 * kOne + 5, all, "2").reply(200, resource(bytes));
  EXPECT_TRUE(storage.upload(upload_of(bytes)).has_value());
}

TEST_F(Pieces, AStreamCannotBeginAnew) {
  begin();
  piece(0, kOne, "*").reply(404);
  Storage::Upload upload = upload_of(bytes);
  upload.rereadable = false;
  EXPECT_EQ(test::error_of([&] { storage.upload(upload); }).kind, Kind::not_found);
}

TEST_F(Pieces, AnUploadThatEndedUnseenIsFound) {
  begin();
  piece(0, kOne, "*").reply_text(308, "", held(kOne));
  piece(kOne, 2 * kOne, "*").reply_text(308, "", held(2 * kOne));
  piece(2 * kOne, 2 * kOne + 5, all).lose();
  question(all).reply(404);
  wire.expect("GET", HasSubstr(kObject)).reply(200, resource(bytes));
  EXPECT_TRUE(storage.upload(upload_of(bytes)).has_value());
}

TEST_F(Pieces, AnUploadThatStandsStillEnds) {
  begin();
  for (int i = 0; i < 5; ++i) {
    piece(0, kOne, "*").reply_text(308, "");
    if (i < 4) question("*").reply_text(308, "");
  }
  EXPECT_EQ(test::error_of([&] { storage.upload(upload_of(bytes)); }).kind, Kind::unavailable);
}

TEST_F(Pieces, NoTokenForAnotherHost) {
  wire.expect("POST", HasSubstr("resumable")).reply_text(200, "", {{"Location", "https://elsewhere/up"}});
  wire.expect("PUT", "https://elsewhere/up").reply(403);
  EXPECT_EQ(test::error_of([&] { storage.upload(upload_of(bytes)); }).kind, Kind::denied);
  EXPECT_FALSE(wire.sent.back().authorize);
}

TEST_F(StorageTest, RewriteGoesOnUntilItIsDone) {
  const std::string url = std::string(kObject) + "/rewriteTo/b/c/o/n%20m?alt=json&projection=noAcl&sourceGeneration=7";
  wire.expect("POST", url).reply(200, Json{{"done", false}, {"totalBytesRewritten", "3"}, {"rewriteToken", "t"}});
  wire.expect("POST", url + "&rewriteToken=t").lose();
  wire.expect("POST", url + "&rewriteToken=t").reply(200, Json{{"done", true}, {"totalBytesRewritten", "5"}, {"resource", resource("hello")}});
  std::vector<std::int64_t> seen;
  EXPECT_TRUE(storage.rewrite(stored_object(resource("hello")), "c", "n m", {}, [&](std::int64_t now) { seen.push_back(now); }));
  EXPECT_THAT(seen, ElementsAre(3, 5));
}

TEST_F(StorageTest, AnEndlessRewriteEnds) {
  wire.expect("POST", HasSubstr("rewriteTo")).reply(200, Json{{"done", false}, {"rewriteToken", "t"}});
  wire.expect("POST", HasSubstr("rewriteToken=t")).reply(200, Json{{"done", false}, {"rewriteToken", "t"}});
  EXPECT_EQ(test::error_of([&] { storage.rewrite(stored_object(resource("hello")), "c", "n", {}, {}); }).kind, Kind::failure);
}

TEST_F(StorageTest, RemoveWantsItGone) {
  const std::string url = std::string(kObject) + "?ifGenerationMatch=7";
  wire.expect("DELETE", url).lose();
  wire.expect("DELETE", url).reply(404);
  storage.remove("b", "d/o", "", "7");
  wire.expect("DELETE", url).reply(412);
  EXPECT_EQ(test::error_of([&] { storage.remove("b", "d/o", "", "7"); }).kind, Kind::conflict);
  wire.expect("DELETE", url).reply_error(403, "PERMISSION_DENIED", "no");
  EXPECT_EQ(test::error_of([&] { storage.remove("b", "d/o", "", "7"); }).kind, Kind::denied);
}

TEST_F(StorageTest, ListsAllPages) {
  const std::string url = "https://s/storage/v1/b/b/o?alt=json&projection=noAcl&maxResults=1000&prefix=x%2F&delimiter=%2F";
  wire.expect("GET", testing::StartsWith(url)).reply(200, Json{{"items", Json(Json::Array{Json{{"name", "x/1"}, {"size", "3"}}})},
                                                               {"prefixes", Json::strings({"x/a/"})},
                                                               {"nextPageToken", "n="}});
  wire.expect("GET", EndsWith("&pageToken=n%3D")).reply(200, Json{{"prefixes", Json::strings({"x/b/"})}});
  std::vector<std::string> seen;
  storage.list({.bucket = "b", .prefix = "x/", .one_level = true},
               [&](StoredObject object) { seen.push_back(object.name + "=" + std::to_string(object.size)); return true; },
               [&](const std::string& prefix) { seen.push_back(prefix); return true; });
  EXPECT_THAT(seen, ElementsAre("x/1=3", "x/a/", "x/b/"));
  wire.expect("GET", HasSubstr("/b/none/o?")).reply_error(404, "NOT_FOUND", "The specified bucket does not exist.");
  const Error error = test::error_of([&] { storage.list({.bucket = "none"}, [](StoredObject) { return true; }, [](const std::string&) { return true; }); });
  EXPECT_EQ(error.kind, Kind::not_found);
  EXPECT_THAT(error.what(), HasSubstr("gs://none"));
}

TEST(ContentType, OfNames) {
  EXPECT_EQ(content_type_of("a.json"), "application/json");
  EXPECT_EQ(content_type_of("A.TXT"), "text/plain");
  EXPECT_EQ(content_type_of("x.tar.gz"), "application/x-tar");
  EXPECT_EQ(content_type_of("checkpoint"), "application/octet-stream");
  EXPECT_EQ(content_type_of(".json"), "application/octet-stream") << "a hidden file, no ending";
}

}  // namespace
}  // namespace tpuctl::api
