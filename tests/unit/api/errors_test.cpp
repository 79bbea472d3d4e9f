// SPDX-License-Identifier: Apache-2.0
#include "api/errors.hpp"

#include <gmock/gmock.h>

#include "tests/support/errors.hpp"

namespace tpuctl::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

const std::string kUrl = "https://tpu.googleapis.com/v2/projects/p/locations/z/nodes/n?alt=json&access_token=SECRET";

Error error_for(int status, const std::string& body, api::Headers headers = {}) {
  api::Response response;
  response.status = status;
  response.body = body;
  response.headers = std::move(headers);
  return api::to_error(response, kUrl);
}

std::string google(int code, const std::string& status, const std::string& message, const std::string& details = "[]") {
  return R"({"error":{"code":)" + std::to_string(code) + R"(,"status":")" + status + R"(","message":")" + message + R"(","details":)" + details + "}}";
}

struct KindCase {
  int http;
  const char* status;
  const char* message;
  Kind kind;
};

class Kinds : public ::testing::TestWithParam<KindCase> {};

TEST_P(Kinds, FollowTheStatus) {
  const auto& [http, status, message, kind] = GetParam();
  const Error error = error_for(http, google(http, status, message));
  EXPECT_EQ(error.kind, kind) << http << " " << message;
  EXPECT_STREQ(error.what(), message);
  EXPECT_EQ(error.status, status);
  EXPECT_EQ(error.http, http);
}

INSTANTIATE_TEST_SUITE_P(
    Errors, Kinds,
    ::testing::Values(
        KindCase{400, "INVALID_ARGUMENT", "bad", Kind::failure}, KindCase{400, "FAILED_PRECONDITION", "not now", Kind::failure},
        KindCase{401, "UNAUTHENTICATED", "who", Kind::denied}, KindCase{403, "PERMISSION_DENIED", "no", Kind::denied},
        KindCase{404, "NOT_FOUND", "none", Kind::not_found}, KindCase{408, "DEADLINE_EXCEEDED", "slow", Kind::unavailable},
        KindCase{409, "ALREADY_EXISTS", "there", Kind::conflict}, KindCase{409, "ABORTED", "again", Kind::conflict},
        KindCase{412, "FAILED_PRECONDITION", "etag", Kind::conflict}, KindCase{429, "RESOURCE_EXHAUSTED", "Too many requests", Kind::unavailable},
        KindCase{429, "RESOURCE_EXHAUSTED", "Quota limit 'TPUV4PodPerProjectPerZone' has been exceeded. Limit: 0 in zone z.", Kind::quota},
        KindCase{429, "RESOURCE_EXHAUSTED", "There is no more capacity in the zone z", Kind::capacity},
        KindCase{500, "INTERNAL", "oops", Kind::unavailable}, KindCase{503, "UNAVAILABLE", "busy", Kind::unavailable},
        KindCase{400, "FAILED_PRECONDITION", "ZONE_RESOURCE_POOL_EXHAUSTED (stockout)", Kind::capacity},
        KindCase{503, "UNAVAILABLE", "The zone z does not have enough resources available to fulfill the request", Kind::capacity},
        KindCase{403, "PERMISSION_DENIED", "Quota project not allowed", Kind::denied}));

TEST(Errors, AStockoutIsNoQuota) {
  const Error error = error_for(429, google(429, "RESOURCE_EXHAUSTED", "There is no more capacity in the zone. You can try again: quota is fine"));
  EXPECT_EQ(error.kind, Kind::capacity);
  EXPECT_THAT(error.hint, HasSubstr("queued-resources create"));
}

TEST(Errors, AQuotaIsSeenInTheDetails) {
  const Error error = error_for(429, google(429, "RESOURCE_EXHAUSTED", "words", R"([{"@type":"type.googleapis.com/google.rpc.QuotaFailure"}])"));
  EXPECT_EQ(error.kind, Kind::quota);
  EXPECT_THAT(error.hint, HasSubstr("iam-admin/quotas"));
  EXPECT_EQ(error.details.size(), 1u);
}

TEST(Errors, ADisabledServiceSaysHowToEnableIt) {
  const Error error = error_for(403, google(403, "PERMISSION_DENIED", "Cloud TPU API has not been used in project 42 before or it is disabled.",
                                            R"([{"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":"SERVICE_DISABLED","domain":"googleapis.com",
                                            "metadata":{"service":"tpu.googleapis.com","consumer":"projects/42","activationUrl":"https://console/x"}}])"));
  EXPECT_EQ(error.kind, Kind::denied);
  EXPECT_EQ(error.hint, "Enable it with: gcloud services enable tpu.googleapis.com --project=42\nor at https://console/x");
}

TEST(Errors, MachineReadableReasonsBecomeHints) {
  const auto hint = [](const std::string& reason, const std::string& metadata) {
    return error_for(403, google(403, "PERMISSION_DENIED", "no",
                                 R"([{"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":")" + reason + R"(","metadata":)" + metadata + "}]"))
        .hint;
  };
  EXPECT_THAT(hint("ACCESS_TOKEN_SCOPE_INSUFFICIENT", "{}"), HasSubstr("cloud-platform"));
  EXPECT_THAT(hint("IAM_PERMISSION_DENIED", R"({"permission":"tpu.nodes.create"})"), HasSubstr("tpu.nodes.create"));
  EXPECT_THAT(hint("LOCATION_ACCESS_DENIED", "{}"), HasSubstr("locations list"));
  EXPECT_EQ(hint("SOMETHING_NEW", "{}"), "");
}

TEST(Errors, A401SaysHowToSignIn) { EXPECT_THAT(error_for(401, google(401, "UNAUTHENTICATED", "x")).hint, HasSubstr("auth login")); }

struct BodyCase {
  const char* body;
  const char* message;
};

TEST(Errors, AnyBodyGivesASentence) {
  const BodyCase cases[] = {
      {"", "https://tpu.googleapis.com answered HTTP 404."},
      {"<!DOCTYPE html><html><head><title>Error 404 (Not Found)!!1</title>", "https://tpu.googleapis.com answered HTTP 404: Error 404 (Not Found)!!1"},
      {"<title>", "https://tpu.googleapis.com answered HTTP 404."},
      {"<title>unclosed", "https://tpu.googleapis.com answered HTTP 404: unclosed"},
      {"plain words\nsecond line", "https://tpu.googleapis.com answered HTTP 404: plain words"},
      {R"({"error":"invalid_grant","error_description":"Token has been expired or revoked."})", "invalid_grant: Token has been expired or revoked."},
      {R"({"error":"invalid_client"})", "invalid_client"},
      {R"([{"error":{"code":404,"message":"from a stream"}}])", "from a stream"},
      {R"({"error":{"errors":[{"message":"inner"}],"code":404,"message":"compute's shape"}})", "compute's shape"},
  };
  for (const BodyCase& one : cases) EXPECT_STREQ(error_for(404, one.body).what(), one.message);
  for (const char* odd : {"{}", "[]", "null", "{\"error\":null}", "{\"error\":[]}", "{\"error\":{\"message\":{}}}", "{\"error\":{\"details\":\"x\"}}", "\xff\xfe"}) {
    EXPECT_THAT(error_for(404, odd).what(), HasSubstr("answered HTTP 404")) << odd;
  }
}

TEST(Errors, ALongBodyIsNotPrintedWhole) {
  EXPECT_LT(std::string(error_for(502, std::string(100'000, 'x')).what()).size(), 400u);
}

TEST(Errors, NothingNamesTheQueryOfTheUrl) {
  api::Response lost;
  lost.failure = api::Failure{api::Failure::Phase::lost, true, false, "no byte for 60 s"};
  for (const Error& error : {error_for(500, ""), api::to_error(lost, kUrl)}) {
    EXPECT_THAT(std::string(error.what()) + error.hint, Not(HasSubstr("SECRET")));
  }
  EXPECT_EQ(api::origin("https://a.b:8443/x/y"), "https://a.b:8443");
  EXPECT_EQ(api::origin("https://a.b?x=/"), "https://a.b");
  EXPECT_EQ(api::origin("http://a.b"), "http://a.b");
}

TEST(Errors, NoAnswerAtAll) {
  api::Response response;
  response.failure = api::Failure{api::Failure::Phase::not_sent, false, false, "connection refused"};
  Error error = api::to_error(response, kUrl);
  EXPECT_EQ(error.kind, Kind::unavailable);
  EXPECT_STREQ(error.what(), "Cannot reach https://tpu.googleapis.com: connection refused.");
  EXPECT_THAT(error.hint, HasSubstr("nothing was changed"));
  response.failure->phase = api::Failure::Phase::lost;
  error = api::to_error(response, kUrl);
  EXPECT_THAT(error.hint, AllOf(HasSubstr("may have arrived"), Not(HasSubstr("nothing was changed"))));
  response.failure->permanent = true;
  error = api::to_error(response, kUrl);
  EXPECT_EQ(error.kind, Kind::failure);
  EXPECT_EQ(error.http, 0);
}

TEST(Errors, ALongWaitIsNamed) {
  EXPECT_THAT(error_for(503, google(503, "UNAVAILABLE", "x"), {{"Retry-After", "300"}}).hint, HasSubstr("5m00s"));
  EXPECT_EQ(error_for(503, google(503, "UNAVAILABLE", "x"), {{"Retry-After", "5"}}).hint, "");
  EXPECT_EQ(error_for(503, google(503, "UNAVAILABLE", "x"), {{"Retry-After", "Sun, 06 Nov 1994 08:49:37 GMT"}}).hint, "") << "a time that has passed";
  EXPECT_THAT(error_for(503, google(503, "UNAVAILABLE", "x"), {{"Retry-After", "Wed, 01 Jan 2200 00:00:00 GMT"}}).hint, HasSubstr("try again in"));
}

// ---- google.rpc.Status -------------------------------------------------------------------------------------------------

struct RpcCase {
  int code;
  Kind kind;
  const char* status;
};

TEST(Errors, OperationsCarryCanonicalCodes) {
  const RpcCase cases[] = {{1, Kind::failure, "CANCELLED"},       {3, Kind::failure, "INVALID_ARGUMENT"}, {5, Kind::not_found, "NOT_FOUND"},
                           {6, Kind::conflict, "ALREADY_EXISTS"}, {7, Kind::denied, "PERMISSION_DENIED"}, {8, Kind::unavailable, "RESOURCE_EXHAUSTED"},
                           {9, Kind::failure, "FAILED_PRECONDITION"}, {13, Kind::unavailable, "INTERNAL"}, {14, Kind::unavailable, "UNAVAILABLE"},
                           {16, Kind::denied, "UNAUTHENTICATED"}};
  for (const RpcCase& one : cases) {
    const Error error = api::to_error(Json{{"code", one.code}, {"message", "words"}});
    EXPECT_EQ(error.kind, one.kind) << one.code;
    EXPECT_EQ(error.status, one.status);
    EXPECT_STREQ(error.what(), "words");
  }
  EXPECT_EQ(api::to_error(Json{{"code", 8}, {"message", "There is no more capacity in the zone"}}).kind, Kind::capacity);
  EXPECT_EQ(api::to_error(Json{{"code", 8}, {"message", "Quota limit exceeded"}}).kind, Kind::quota);
  EXPECT_THAT(api::to_error(Json{{"code", 99}}).what(), HasSubstr("no reason"));
  EXPECT_EQ(api::to_error(Json::parse(R"({"code":99999999999,"message":"x"})")).kind, Kind::failure);
  EXPECT_THAT(api::to_error(Json()).what(), HasSubstr("no reason"));
}

// ---- successful answers ------------------------------------------------------------------------------------------------

TEST(Errors, AnswersMustBeJson) {
  api::Response response;
  response.status = 200;
  EXPECT_TRUE(api::parse_answer(response, kUrl).is_object()) << "nothing is {}";
  response.body = " \n";
  EXPECT_TRUE(api::parse_answer(response, kUrl).is_object());
  response.body = R"({"a":1})";
  EXPECT_EQ(api::parse_answer(response, kUrl)["a"].integer(), 1);
  response.body = "<html>\x1b]0;owned\x07" + std::string(10'000, 'x');
  const Error error = error_of([&] { api::parse_answer(response, kUrl); });
  EXPECT_THAT(error.what(), AllOf(HasSubstr("https://tpu.googleapis.com is not valid JSON"), Not(HasSubstr("\x1b")), HasSubstr("\\x1b")));
  EXPECT_LT(std::string(error.what()).size(), 300u);
  response.body = std::string(1000, '[');
  error_of([&] { api::parse_answer(response, kUrl); });
}

}  // namespace
}  // namespace tpuctl::test
