// SPDX-License-Identifier: Apache-2.0
// The script itself must be able to fail.
#include "tests/support/scripted_transport.hpp"

#include <gtest/gtest-spi.h>

namespace tpuctl::test {
namespace {

api::Request request(const std::string& method, const std::string& url, const std::string& body = {}) {
  api::Request out;
  out.method = method;
  out.url = url;
  out.body = body;
  return out;
}

TEST(ScriptedTransport, AnswersInOrder) {
  ScriptedTransport wire;
  wire.expect("GET", "http://a/1").reply(200, Json{{"n", 1}});
  wire.expect("POST", ::testing::HasSubstr("/2")).with_json(Json{{"a", 1}, {"b", 2}}).reply_error(404, "NOT_FOUND", "no");
  EXPECT_EQ(wire.send(request("GET", "http://a/1")).body, "{\"n\":1}");
  EXPECT_EQ(wire.send(request("POST", "http://a/2?x", R"({"b":2,"a":1})")).status, 404);
  EXPECT_EQ(wire.sent.size(), 2u);
}

TEST(ScriptedTransport, ARequestNotInTheScriptFails) {
  EXPECT_NONFATAL_FAILURE(
      {
        ScriptedTransport wire;
        EXPECT_TRUE(wire.send(request("GET", "http://a/1")).failure->permanent);
      },
      "not expected: GET http://a/1");
}

TEST(ScriptedTransport, AWrongRequestFails) {
  EXPECT_NONFATAL_FAILURE(
      {
        ScriptedTransport wire;
        wire.expect("GET", "http://a/1");
        wire.send(request("DELETE", "http://a/1"));
      },
      "DELETE");
  EXPECT_NONFATAL_FAILURE(
      {
        ScriptedTransport wire;
        wire.expect("GET", "http://a/1");
        wire.send(request("GET", "http://a/2"));
      },
      "http://a/1");
  EXPECT_NONFATAL_FAILURE(
      {
        ScriptedTransport wire;
        wire.expect("POST", "u").with_json(Json{{"a", 1}});
        wire.send(request("POST", "u", R"({"a":2})"));
      },
      "wanted");
  EXPECT_NONFATAL_FAILURE(
      {
        ScriptedTransport wire;
        wire.expect("GET", "u").with_header("Authorization", "Bearer t");
        wire.send(request("GET", "u"));
      },
      "Authorization");
  EXPECT_NONFATAL_FAILURE(
      {
        ScriptedTransport wire;
        wire.expect("GET", "u").without_header("authorization");
        auto with = request("GET", "u");
        with.headers.emplace_back("Authorization", "Bearer t");
        wire.send(with);
      },
      "Bearer t");
}

TEST(ScriptedTransport, ARequestNeverMadeFailsAtTheEnd) {
  EXPECT_NONFATAL_FAILURE(
      {
        ScriptedTransport wire;
        wire.expect("GET", "http://a/1");
      },
      "never sent: GET");
}

TEST(ScriptedTransport, NothingMayBeSentOnceForbidden) {
  EXPECT_NONFATAL_FAILURE(
      {
        ScriptedTransport wire;
        wire.forbid();
        wire.send(request("GET", "http://a/1"));
      },
      "forbidden: GET http://a/1");
}

}  // namespace
}  // namespace tpuctl::test
