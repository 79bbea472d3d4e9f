// SPDX-License-Identifier: Apache-2.0
#include "api/retry.hpp"

#include <gmock/gmock.h>

#include <set>

#include "base/json.hpp"
#include "tests/support/fake_clock.hpp"

namespace tpuctl::test {
namespace {

using api::Repeat;
using api::Response;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::Ge;
using ::testing::IsEmpty;
using ::testing::Le;

const Json kQuotaDetails = Json::parse(R"([{"@type":"type.googleapis.com/google.rpc.QuotaFailure","violations":[]}])");

Response status(int code, const std::string& body = {}, api::Headers headers = {}) {
  Response out;
  out.status = code;
  out.body = body;
  out.headers = std::move(headers);
  return out;
}

Response error_answer(int code, const std::string& message = "words", const Json& details = Json::array()) {
  return status(code, Json{{"error", Json{{"code", code}, {"message", message}, {"details", details}}}}.dump());
}

Response failure(api::Failure::Phase phase, bool permanent = false) {
  Response out;
  out.failure = api::Failure{phase, false, permanent, "trouble"};
  return out;
}

class Retry : public ::testing::Test {
 protected:
  Response send(Repeat repeat, const std::string& method = "GET") {
    api::Request request;
    request.method = method;
    request.url = "https://h/x";
    request.repeat = repeat;
    return transport.send(request);
  }
  /// The answers in turn, whatever is asked.
  class Wire : public api::Transport {
   public:
    Response send(const api::Request&) override {
      ++calls;
      if (answers.empty()) {
        ADD_FAILURE() << "one request too many";
        return failure(api::Failure::Phase::not_sent, true);
      }
      Response out = answers.front();
      answers.erase(answers.begin());
      return out;
    }
    std::vector<Response> answers;
    int calls = 0;
  };
  Wire wire;
  FakeClock clock;
  api::RetryTransport transport{wire, clock};
};

struct Row {
  const char* what;
  Response answer;
  int reads;    ///< times a read is sent in all
  int creates;  ///< times a create without a requestId is sent
};

TEST_F(Retry, WhatIsSentAgain) {
  using Phase = api::Failure::Phase;
  const Row rows[] = {
      {"200", status(200, "{}"), 1, 1},
      {"204", status(204), 1, 1},
      {"400", error_answer(400), 1, 1},
      {"401", error_answer(401), 1, 1},
      {"403", error_answer(403), 1, 1},
      {"404", error_answer(404), 1, 1},
      {"409", error_answer(409), 1, 1},
      {"412", error_answer(412), 1, 1},
      {"400 with Retry-After", status(400, "", {{"Retry-After", "1"}}), 1, 1},
      {"408", error_answer(408), 5, 1},
      {"429 with an error body", error_answer(429), 5, 5},
      {"429 of a front end", status(429, "<html>"), 5, 1},
      {"500", error_answer(500), 5, 1},
      {"502", status(502, "<html>Bad Gateway"), 5, 1},
      {"503 with an error body", error_answer(503), 5, 5},
      {"503 without", status(503), 5, 1},
      {"503 whose error is no object", status(503, R"({"error":"unavailable"})"), 5, 1},
      {"504", error_answer(504), 5, 1},
      {"a refused connection", failure(Phase::not_sent), 5, 5},
      {"a lost answer", failure(Phase::lost), 5, 1},
      {"a bad certificate", failure(Phase::not_sent, true), 1, 1},
      {"an answer too large", failure(Phase::lost, true), 1, 1},
      {"a quota", error_answer(429, "Quota exceeded", kQuotaDetails), 1, 1},
      {"a quota of nothing", error_answer(429, "Quota 'TPUV4' exceeded. Limit: 0.0 in region x"), 1, 1},
  };
  for (const Row& row : rows) {
    for (const auto& [repeat, wanted] : {std::pair(Repeat::always, row.reads), std::pair(Repeat::unless_carried_out, row.creates),
                                         std::pair(Repeat::never, 1)}) {
      wire.answers.assign(static_cast<std::size_t>(wanted), row.answer);
      wire.calls = 0;
      const Response last = send(repeat);
      EXPECT_EQ(wire.calls, wanted) << row.what << ", repeat " << static_cast<int>(repeat);
      EXPECT_EQ(last.status, row.answer.status) << row.what << ": the last answer is handed on";
      EXPECT_EQ(last.failure.has_value(), row.answer.failure.has_value()) << row.what;
    }
  }
}

TEST_F(Retry, StopsAtTheFirstSuccess) {
  wire.answers = {error_answer(503), failure(api::Failure::Phase::lost), status(200, "fine")};
  EXPECT_EQ(send(Repeat::always).body, "fine");
  EXPECT_EQ(wire.calls, 3);
}

TEST_F(Retry, WaitsLongerEachTimeWithJitter) {
  wire.answers.assign(5, error_answer(503));
  send(Repeat::always);
  EXPECT_THAT(clock.slept, ElementsAre(AllOf(Ge(1.5), Le(2.5)), AllOf(Ge(3), Le(5)), AllOf(Ge(6), Le(10)), AllOf(Ge(12), Le(20))));
  std::set<double> first;
  for (int i = 0; i < 20; ++i) first.insert(to_seconds(api::backoff({}, 1)));
  EXPECT_GT(first.size(), 1u) << "many clients must not come back together";
}

TEST_F(Retry, ObeysRetryAfterUpToAMinute) {
  for (const auto& [value, slept] : std::vector<std::pair<std::string, double>>{
           {"0", 0}, {"7", 7}, {" 7 ", 7}, {"60", 60}, {"Thu, 01 Jan 2026 00:00:30 GMT", 30}, {"Thu, 01 Jan 2015 00:00:00 GMT", 0}}) {
    FakeClock fresh;
    api::RetryTransport retry(wire, fresh);
    wire.answers = {status(429, "", {{"retry-after", value}}), status(200)};
    EXPECT_EQ(retry.send({}).status, 200) << value;
    EXPECT_THAT(fresh.slept, ElementsAre(slept)) << value;
  }
}

TEST_F(Retry, HandsALongRetryAfterOn) {
  for (const char* value : {"61", "3600", "Thu, 01 Jan 2026 00:01:01 GMT", "99999999999"}) {
    wire.answers = {status(503, "", {{"Retry-After", value}})};
    EXPECT_EQ(send(Repeat::always).status, 503) << value;
  }
  EXPECT_THAT(clock.slept, IsEmpty());
}

TEST_F(Retry, ObeysRetryInfoInTheBody) {
  const Json info = Json::parse(R"([{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"3.5s"}])");
  wire.answers = {error_answer(429, "slow down", info), status(200)};
  EXPECT_EQ(send(Repeat::always).status, 200);
  EXPECT_THAT(clock.slept, ElementsAre(3.5));
  Json both = kQuotaDetails;
  both.push(info[std::size_t{0}]);
  wire.answers = {error_answer(429, "a quota per minute", both), status(200)};
  EXPECT_EQ(send(Repeat::always).status, 200) << "a rate that heals: the service says when";
}

TEST_F(Retry, TakesNoNonsenseForAWait) {
  for (const char* value : {"", "soon", "-5", "1.5", "1e9", "Thu, 99 Jan 2026"}) {
    EXPECT_FALSE(api::retry_after(status(503, "", {{"Retry-After", value}}), clock.now())) << value;
  }
  const Json info = Json::parse(R"([{"@type":"x/google.rpc.RetryInfo","retryDelay":"tomorrow"}])");
  EXPECT_FALSE(api::retry_after(error_answer(429, "", info), clock.now()));
}

TEST_F(Retry, TellsOfEachRepetition) {
  std::vector<std::string> told;
  api::RetryTransport retry(wire, clock, {}, [&told](const api::Request& request, const Response& response, Duration wait) {
    told.push_back(request.method + " " + std::to_string(response.status) + " " + std::to_string(static_cast<int>(to_seconds(wait))));
  });
  wire.answers = {status(429, "", {{"Retry-After", "4"}}), status(200)};
  retry.send({});
  EXPECT_THAT(told, ElementsAre("GET 429 4"));
}

TEST_F(Retry, QuotaOrRate) {
  EXPECT_TRUE(api::is_quota(error_answer(429, "x", kQuotaDetails)));
  EXPECT_TRUE(api::is_quota(error_answer(429, "Limit: 0 in zone")));
  EXPECT_FALSE(api::is_quota(error_answer(429, "Rate limit")));
  EXPECT_FALSE(api::is_quota(error_answer(403, "x", kQuotaDetails)));
  EXPECT_FALSE(api::is_quota(status(429, "not json QuotaFailure")));
}

}  // namespace
}  // namespace tpuctl::test
