// SPDX-License-Identifier: Apache-2.0
#include "auth/bearer.hpp"

#include <gmock/gmock.h>

#include "auth/tokens.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/fake_clock.hpp"
#include "tests/support/scripted_transport.hpp"

namespace tpuctl::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

/// Hands out t1, t2, ...; a refresh moves on.
class Counting : public api::TokenSource {
 public:
  api::Token token(TimePoint) override { return {"t" + std::to_string(number), {}}; }
  bool refresh() override {
    ++number;
    return true;
  }
  int number = 1;
};

class Bearer : public ::testing::Test {
 protected:
  api::Response send(api::TokenSource& tokens, const std::string& url = "https://h/x", bool authorize = true, const api::Headers& further = {}) {
    auth::BearerTransport bearer(wire, tokens, clock, further);
    api::Request request;
    request.url = url;
    request.authorize = authorize;
    return bearer.send(request);
  }
  ScriptedTransport wire;
  FakeClock clock;
  Counting source;
};

TEST_F(Bearer, SignsRequests) {
  wire.expect("GET", "https://h/x").with_header("Authorization", "Bearer t1").without_header("X-Goog-User-Project");
  send(source);
  wire.expect("GET", "https://h/x").with_header("Authorization", "Bearer t1").with_header("X-Goog-User-Project", "q").with_header("X-Goog-Request-Reason", "why");
  send(source, "https://h/x", true, {{"X-Goog-User-Project", "q"}, {"X-Goog-Request-Reason", "why"}});
}

TEST_F(Bearer, LeavesRequestsAloneThatMustNotBeSigned) {
  wire.expect("GET", "http://metadata/x").without_header("Authorization").without_header("X-Goog-User-Project").reply(401);
  EXPECT_EQ(send(source, "http://metadata/x", false, {{"X-Goog-User-Project", "q"}}).status, 401);
}

TEST_F(Bearer, AnEmptyTokenSendsNoHeader) {
  auth::StaticToken none("");
  wire.expect("GET", "http://example.com/x").without_header("Authorization");
  send(none, "http://example.com/x");
}

TEST_F(Bearer, RefreshesOnceAfterA401) {
  wire.expect("GET", "https://h/x").with_header("Authorization", "Bearer t1").reply(401);
  wire.expect("GET", "https://h/x").with_header("Authorization", "Bearer t2").reply(200);
  EXPECT_EQ(send(source).status, 200);
  wire.expect("GET", "https://h/x").with_header("Authorization", "Bearer t2").reply(401);
  wire.expect("GET", "https://h/x").with_header("Authorization", "Bearer t3").reply(401);
  EXPECT_EQ(send(source).status, 401) << "and no more";
}

TEST_F(Bearer, OtherAnswersDoNotRefresh) {
  for (const int status : {200, 403, 404, 500}) {
    wire.expect("GET", "https://h/x").with_header("Authorization", "Bearer t1").reply(status);
    EXPECT_EQ(send(source).status, status);
  }
  wire.expect("GET", "https://h/x").lose();
  EXPECT_TRUE(send(source).failure);
}

TEST_F(Bearer, AStaticTokenIsNotTriedTwice) {
  auth::StaticToken fixed("abc");
  wire.expect("GET", "https://h/x").with_header("Authorization", "Bearer abc").reply(401);
  EXPECT_EQ(send(fixed).status, 401);
}

TEST_F(Bearer, NoTokenGoesOutInTheClear) {
  for (const char* url : {"http://example.com/x", "http://10.0.0.1/x", "HTTP://example.com/", "ftp://example.com/", "http://127.0.0.1.example.com/",
                          "http://localhost.example.com/", "http://localhost@example.com/", "http://[::1].example.com/", "http://127.0.0.1#.example.com/",
                          "http://user:127.0.0.1@example.com/"}) {
    const Error error = error_of([&] { send(source, url); });
    EXPECT_EQ(error.kind, Kind::denied) << url;
    EXPECT_THAT(error.what(), AllOf(HasSubstr("plain http"), Not(HasSubstr("t1")))) << url;
  }
  EXPECT_TRUE(wire.sent.empty());
}

TEST_F(Bearer, ThisMachineIsTrusted) {
  for (const char* url : {"http://localhost/x", "http://localhost:8080/x", "http://127.0.0.1:80/x", "http://127.8.9.10/x", "http://[::1]:80/x", "http://[::1]/x",
                          "http://127.0.0.1:80?x"}) {
    wire.expect("GET", url).with_header("Authorization", "Bearer t1");
    send(source, url);
  }
}

}  // namespace
}  // namespace tpuctl::test
