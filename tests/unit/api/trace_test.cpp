// SPDX-License-Identifier: Apache-2.0
#include "api/trace.hpp"

#include <gmock/gmock.h>

#include "base/secrets.hpp"
#include "base/text.hpp"
#include "tests/support/scripted_transport.hpp"

namespace tpuctl::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

class Trace : public ::testing::Test {
 protected:
  std::string told() const { return text::join(lines, "\n"); }
  ScriptedTransport wire;
  std::vector<std::string> lines;
  api::TraceTransport trace{wire, [this](const std::string& line) { lines.push_back(line); }};
};

TEST_F(Trace, TellsRequestAndAnswer) {
  api::Request request;
  request.method = "POST";
  request.url = "https://h/v2/x?alt=json";
  request.headers = {{"Content-Type", "application/json"}};
  request.body = R"({"acceleratorType":"v4-8"})";
  wire.expect("POST", request.url).reply(200, Json{{"name", "op"}}, {{"Date", "now"}});
  EXPECT_EQ(trace.send(request).status, 200);
  EXPECT_THAT(told(), AllOf(HasSubstr("uri: https://h/v2/x?alt=json"), HasSubstr("method: POST"), HasSubstr("Content-Type: application/json"),
                            HasSubstr("v4-8"), HasSubstr("status: 200"), HasSubstr("Date: now"), HasSubstr("op")));
}

TEST_F(Trace, TellsWhenThereIsNoAnswer) {
  wire.expect("GET", "https://h/").lose();
  api::Request request;
  request.url = "https://h/";
  EXPECT_TRUE(trace.send(request).failure);
  EXPECT_THAT(told(), HasSubstr("no answer: the connection was reset"));
}

constexpr const char* kSecret = "S3CR3T-value";

struct Leak {
  const char* what;
  const char* body;
};

TEST_F(Trace, NoSecretIsInTheBodies) {
  const Leak leaks[] = {
      {"access token", R"({"access_token":"S3CR3T-value","expires_in":3599})"},
      {"camel case", R"({"accessToken":"S3CR3T-value"})"},
      {"refresh token", R"({"refresh_token":"S3CR3T-value"})"},
      {"id token", R"({"id_token":"S3CR3T-value"})"},
      {"nested", R"({"a":[{"b":{"private_key":"S3CR3T-value"}}]})"},
      {"a list", R"([{"token":"S3CR3T-value"}])"},
      {"pretty", "{\n  \"access_token\": \"S3CR3T-value\"\n}\n"},
      {"blanks in front", "\n  {\"access_token\": \"S3CR3T-value\"}"},
      {"a mark in front", "\xEF\xBB\xBF{\"access_token\": \"S3CR3T-value\"}"},
      {"cut short", R"({"access_token":"S3CR3T-value","expires_in":35)"},
      {"spoiled", R"({"access_token" : "S3CR3T-value",,})"},
      {"signed", R"({"signedJwt":"S3CR3T-value"})"},
      {"form", "grant_type=refresh_token&client_id=x&client_secret=S3CR3T-value"},
      {"form in front", "refresh_token=S3CR3T-value&a=b"},
      {"assertion", "grant_type=jwt&assertion=S3CR3T-value"},
      {"subject token", "subject_token=S3CR3T-value"},
      {"code", "code=S3CR3T-value&code_verifier=S3CR3T-value"},
  };
  for (const Leak& leak : leaks) {
    lines.clear();
    wire.expect("POST", "https://h/").reply_text(200, leak.body);
    api::Request request;
    request.method = "POST";
    request.url = "https://h/";
    request.body = leak.body;
    trace.send(request);
    EXPECT_THAT(told(), Not(HasSubstr(kSecret))) << leak.what;
  }
}

TEST_F(Trace, NoSecretIsInUrlsAndHeaders) {
  api::Request request;
  request.url = "https://h/x?alt=json&access_token=S3CR3T-value&b=c";
  for (const char* name : {"Authorization", "authorization", "Proxy-Authorization", "Cookie", "X-Goog-IAM-Authorization-Token", "x-aws-ec2-metadata-token"}) {
    request.headers.emplace_back(name, "Bearer S3CR3T-value");
  }
  wire.expect("GET", request.url).reply_text(200, "ok", {{"Set-Cookie", "S3CR3T-value"}, {"Location", "https://h/y?code=S3CR3T-value&z=1"}});
  trace.send(request);
  EXPECT_THAT(told(), AllOf(Not(HasSubstr(kSecret)), HasSubstr("alt=json"), HasSubstr("b=c"), HasSubstr("z=1"), HasSubstr("Authorization: ---")));
}

TEST_F(Trace, TalkWithWhoGivesOutCredentialsIsToldByHarmlessFieldsOnly) {
  api::Request request;
  request.method = "POST";
  request.url = "https://h/whatever";
  request.authorize = false;
  request.headers = {{"X-Identity", "S3CR3T-value"}, {"Content-Type", "application/x-www-form-urlencoded"}};
  request.body = "grant_type=new&unheard_of=S3CR3T-value&scope=all";
  wire.expect("POST", request.url).reply(200, Json{{"value", "S3CR3T-value"}, {"token_type", "Bearer"}, {"expires_in", 3599}}, {{"X-Session", "S3CR3T-value"}});
  trace.send(request);
  wire.expect("POST", request.url).reply_text(200, "S3CR3T-value");
  trace.send(request);
  EXPECT_THAT(told(), AllOf(Not(HasSubstr(kSecret)), HasSubstr("grant_type=new"), HasSubstr("scope=all"), HasSubstr("Bearer"), HasSubstr("3599"),
                            HasSubstr("X-Identity: ---")));
}

TEST_F(Trace, ASecretThatIsKnownIsMaskedWhereverItStands) {
  secrets::remember("S3CR3T-value");
  api::Request request;
  request.url = "https://h/S3CR3T-value/x";
  wire.expect("GET", request.url).reply(200, Json{{"note", "it is S3CR3T-value"}}, {{"X-Echo", "S3CR3T-value"}});
  trace.send(request);
  EXPECT_THAT(told(), AllOf(Not(HasSubstr(kSecret)), HasSubstr("it is ---")));
}

TEST_F(Trace, WhatIsSentIsNotChanged) {
  api::Request request;
  request.url = "https://h/x?access_token=S3CR3T-value";
  request.headers = {{"Authorization", "Bearer S3CR3T-value"}};
  request.body = R"({"token":"S3CR3T-value"})";
  wire.expect("GET", request.url).with_header("Authorization", "Bearer S3CR3T-value").with_body(request.body).reply_text(200, R"({"access_token":"S3CR3T-value"})");
  EXPECT_EQ(trace.send(request).body, R"({"access_token":"S3CR3T-value"})");
}

TEST(Redact, LeavesTheRestReadable) {
  EXPECT_THAT(api::redact(R"({"error":{"code":404,"message":"no"}})"), HasSubstr("404")) << "an error's code is no secret";
  EXPECT_THAT(api::redact(R"({"metadata":{"ssh-keys":"u:ssh-rsa AAAA"},"name":"n"})"), HasSubstr("ssh-rsa AAAA"));
  EXPECT_THAT(api::redact("a=b&token=x&c=d"), AllOf(HasSubstr("a=b"), HasSubstr("c=d"), Not(HasSubstr("=x"))));
  EXPECT_EQ(api::redact(""), "");
  EXPECT_EQ(api::redact("plain text & more"), "plain text & more");
  EXPECT_TRUE(api::is_secret_header("AUTHORIZATION"));
  EXPECT_FALSE(api::is_secret_header("X-Goog-User-Project"));
}

TEST(Response, HeadersAreFoundInAnyCase) {
  api::Response response;
  response.headers = {{"Retry-After", "1"}, {"retry-after", "2"}};
  EXPECT_EQ(response.header("RETRY-AFTER"), "1");
  EXPECT_EQ(response.header("Date"), "");
}

}  // namespace
}  // namespace tpuctl::test
