// SPDX-License-Identifier: Apache-2.0
#include "base/secrets.hpp"

#include <gmock/gmock.h>
#include <sys/resource.h>

#include <thread>

#include "base/json.hpp"
#include "base/text.hpp"

namespace tpuctl::test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

const std::string kMask(secrets::kMask);

TEST(Secrets, WhatIsRememberedIsMaskedWhereverItStands) {
  secrets::remember("s3cret/with+signs\"and quotes");
  EXPECT_EQ(secrets::redact("a s3cret/with+signs\"and quotes b"), "a " + kMask + " b");
  EXPECT_EQ(secrets::redact("client_secret=" + text::percent_encode("s3cret/with+signs\"and quotes") + "&x=1"), "client_secret=" + kMask + "&x=1");
  EXPECT_EQ(secrets::redact(Json{{"x", "s3cret/with+signs\"and quotes"}}.dump()), "{\"x\":\"" + kMask + "\"}");
}

TEST(Secrets, TheLongestOfTwoIsMaskedWhole) {
  secrets::remember("begin-ning");
  secrets::remember("begin-ning-and-more");
  EXPECT_EQ(secrets::redact("begin-ning-and-more"), kMask);
  EXPECT_EQ(secrets::redact("begin-ning, begin-ning"), kMask + ", " + kMask);
}

TEST(Secrets, EachLineOfAKeyIsASecret) {
  const std::string line = "MIIEvQIBADANBgkqhkiG9w0BAQEFAASC";
  secrets::remember("-----BEGIN PRIVATE KEY-----\n" + line + "\r\nQUJD\n-----END PRIVATE KEY-----\n");
  EXPECT_EQ(secrets::redact("bad line: " + line), "bad line: " + kMask);
  EXPECT_EQ(secrets::redact("-----BEGIN PRIVATE KEY----- QUJD"), "-----BEGIN PRIVATE KEY----- QUJD") << "no secret by itself";
}

TEST(Secrets, BlanksAroundThemDoNotCount) {
  secrets::remember("  token-from-a-file\n");
  EXPECT_EQ(secrets::redact("<token-from-a-file>"), "<" + kMask + ">");
}

TEST(Secrets, TooShortToBeOneIsLeftAlone) {
  for (const char* text : {"", "a", "short"}) secrets::remember(text);
  EXPECT_EQ(secrets::redact("a short text"), "a short text");
}

struct Shape {
  const char* text;
  bool token;
};

TEST(Secrets, WhatLooksLikeATokenIsMaskedThoughNobodyNamedIt) {
  const Shape shapes[] = {{"ya29.a0AfH6SMBexampleexample-_x", true},
                          {"eyJhbGciOiJSUzI1NiJ9.eyJpc3MiOiJ4In0.c2lnbmF0dXJl-_", true},
                          {"ya29.", false},
                          {"eyJhbGciOiJSUzI1NiJ9", false},
                          {"keyJournal.of.everything.that.was", false},
                          {"projects/p/locations/z/nodes/n", false}};
  for (const Shape& shape : shapes) {
    const std::string seen = secrets::redact(std::string("Bearer ") + shape.text + " end");
    EXPECT_EQ(seen, "Bearer " + (shape.token ? kMask : shape.text) + " end");
  }
}

TEST(Secrets, SeveralThreadsMayUseThem) {
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 4; ++thread) {
    threads.emplace_back([thread] {
      for (int i = 0; i < 50; ++i) {
        const std::string secret = "thread-" + std::to_string(thread) + "-" + std::to_string(i);
        secrets::remember(secret);
        EXPECT_THAT(secrets::redact("x " + secret), Not(HasSubstr("thread-")));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

TEST(Secrets, WhoHoldsOneLeavesNoCoreFile) {
  secrets::remember("any-secret-will-do");
  rlimit limit = {};
  ASSERT_EQ(getrlimit(RLIMIT_CORE, &limit), 0);
  EXPECT_EQ(limit.rlim_cur, 0u);
}

}  // namespace
}  // namespace tpuctl::test
