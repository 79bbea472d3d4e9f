// SPDX-License-Identifier: Apache-2.0
// How long a token is used, and how it is kept.
#include <gmock/gmock.h>
#include <sys/stat.h>

#include <filesystem>
#include <thread>

#include "api/operations.hpp"
#include "auth/bearer.hpp"
#include "auth/tokens.hpp"
#include "tests/unit/auth/world.hpp"

namespace tpuctl::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// A source whose tokens last `life` seconds, or that fails.
class Made : public auth::RefreshingToken {
 public:
  explicit Made(int seconds_long = 3600) : life(seconds_long) {}
  int life, made = 0;
  std::optional<Error> trouble{};

 protected:
  api::Token fetch(TimePoint now) override {
    ++made;
    if (trouble) throw *trouble;
    return {"made-" + std::to_string(made), now + std::chrono::seconds(life)};
  }
};

class TokenLife : public ::testing::Test {
 protected:
  std::string value() { return source.token(clock.now()).value; }
  FakeClock clock;
  Made source;
};

TEST_F(TokenLife, ATokenIsReplacedFiveMinutesBeforeItsEnd) {
  EXPECT_EQ(value(), "made-1");
  clock.forward(3299);
  EXPECT_EQ(value(), "made-1") << "301 s are left";
  clock.forward(1);
  EXPECT_EQ(value(), "made-2") << "300 s are left";
}

TEST_F(TokenLife, AnUnexpiredTokenSurvivesAFailedRefresh) {
  for (const Kind kind : {Kind::unavailable, Kind::denied}) {
    value();
    source.trouble = Error(kind, "trouble");
    const std::string good = value();
    clock.forward(3400);
    EXPECT_EQ(value(), good);
    clock.forward(200);
    EXPECT_EQ(error_of([&] { value(); }).kind, kind) << "now it has expired";
    source.trouble.reset();
    EXPECT_NE(value(), good);
  }
}

TEST_F(TokenLife, AFailedRefreshIsNotTriedForEachRequest) {
  value();
  source.trouble = Error(Kind::unavailable, "trouble");
  clock.forward(3400);
  for (int request = 0; request < 5; ++request) value();
  EXPECT_EQ(source.made, 2);
  clock.forward(30);
  source.trouble.reset();
  EXPECT_EQ(value(), "made-3");
}

TEST_F(TokenLife, CtrlCEndsARefreshAtOnce) {
  value();
  clock.forward(3400);
  source.trouble = Error(Kind::interrupted, "");
  EXPECT_EQ(error_of([&] { value(); }).kind, Kind::interrupted);
}

TEST_F(TokenLife, ARefusedTokenIsForgotten) {
  value();
  EXPECT_TRUE(source.refresh());
  EXPECT_EQ(value(), "made-2");
  auth::StaticToken fixed("a-fixed-token");
  EXPECT_FALSE(fixed.refresh()) << "another would not come";
}

TEST_F(TokenLife, ATokenFileIsReadAgainWhenItsTokenIsRefused) {
  const TemporaryFolder folder;
  auth::TokenFile tokens(folder.put("token", " first-token\n"));
  EXPECT_EQ(tokens.token(clock.now()).value, "first-token");
  EXPECT_FALSE(tokens.refresh()) << "it holds the same";
  folder.put("token", "second-token\n");
  EXPECT_EQ(tokens.token(clock.now()).value, "first-token") << "while it is good";
  EXPECT_TRUE(tokens.refresh());
  EXPECT_EQ(tokens.token(clock.now()).value, "second-token");
  file::remove(folder / "token");
  EXPECT_THAT(error_of([&] { tokens.refresh(); }).what(), HasSubstr("was not found"));
}

// ---- waits of many hours -------------------------------------------------------------------------------------------------

/// Token endpoint and API in one, on the test's clock: tokens live five minutes, the operation six hours.
class World : public api::Transport {
 public:
  explicit World(FakeClock& clock) : clock_(clock), end_(clock.now() + std::chrono::hours(6)) {}
  api::Response send(const api::Request& request) override {
    api::Response out;
    out.status = 200;
    if (request.url == "https://oauth2.googleapis.com/token") {
      const std::string token = "token-" + std::to_string(++tokens);
      good_until_[token] = clock_.now() + std::chrono::seconds(300);
      out.body = token_answer(token, 300).dump();
      return out;
    }
    const std::string token = ScriptedTransport::header(request, "Authorization").substr(7);
    const auto known = good_until_.find(token);
    if (known == good_until_.end() || known->second <= clock_.now()) {
      ++refused;
      out.status = 401;
      return out;
    }
    ++polls;
    out.body = Json{{"name", "projects/p/locations/z/operations/o"}, {"done", clock_.now() >= end_}}.dump();
    return out;
  }
  int tokens = 0, polls = 0, refused = 0;

 private:
  FakeClock& clock_;
  TimePoint end_;
  std::map<std::string, TimePoint> good_until_{};
};

TEST(LongWaits, SixHoursPassWithTokensOfFiveMinutes) {
  FakeClock clock;
  World world(clock);
  Machine machine;
  machine.env.set("GOOGLE_APPLICATION_CREDENTIALS", machine.put("key.json", user_json()));
  const auth::Credential found = auth::find_credentials(machine.wishes, machine.env, {world, world, world, clock});
  auth::BearerTransport bearer(world, *found.source, clock, {});
  api::Client client(bearer, clock, "https://tpu.googleapis.com/", "v2");
  const TimePoint start = clock.now();
  const Json done = api::wait_for_operation(client, Json{{"name", "projects/p/locations/z/operations/o"}}, {});
  EXPECT_TRUE(done["done"].boolean());
  EXPECT_GE(clock.now() - start, std::chrono::hours(6));
  EXPECT_EQ(world.refused, 0) << "no request carried an expired token";
  EXPECT_GT(world.tokens, 72) << "more than one in five minutes";
  EXPECT_GT(world.polls, 700);
}

// ---- between commands ----------------------------------------------------------------------------------------------------

class TokenCache : public AuthTest {
 protected:
  TokenCache() {
    wishes.cache_directory = folder / "cache/tokens";
    env.set("GOOGLE_APPLICATION_CREDENTIALS", put("key.json", user_json()));
  }
  void expect_asked(const std::string& value, int life = 3600) { plain.expect("POST", "https://oauth2.googleapis.com/token").reply(200, token_answer(value, life)); }
  std::string kept_file() {
    for (const auto& entry : std::filesystem::directory_iterator(wishes.cache_directory)) {
      if (entry.path().extension() == ".json") return entry.path().string();
    }
    return {};
  }
};

TEST_F(TokenCache, TheNextCommandFindsTheToken) {
  expect_asked("first-token");
  EXPECT_EQ(token(), "first-token");
  EXPECT_EQ(token(), "first-token");
  clock.forward(3300);
  expect_asked("second-token");
  EXPECT_EQ(token(), "second-token");
}

TEST_F(TokenCache, AnUnexpiredTokenOfAnotherCommandSurvivesAFailedRefresh) {
  expect_asked("first-token");
  token();
  clock.forward(3400);
  plain.expect("POST", "https://oauth2.googleapis.com/token").refuse();
  EXPECT_EQ(token(), "first-token");
  clock.forward(200);
  plain.expect("POST", "https://oauth2.googleapis.com/token").refuse();
  EXPECT_EQ(error_of([&] { token(); }).kind, Kind::unavailable) << "now it has expired";
}

TEST_F(TokenCache, OnlyTheUserCanReadIt) {
  const mode_t before = umask(0);
  expect_asked("first-token");
  token();
  umask(before);
  EXPECT_EQ(mode_of(kept_file()), 0600u);
  EXPECT_EQ(mode_of(wishes.cache_directory), 0700u);
  EXPECT_EQ(file::read(kept_file()).find("refresh-token"), std::string::npos);
}

TEST_F(TokenCache, ItIsOffUnlessAskedFor) {
  wishes.cache_directory.clear();
  expect_asked("first-token");
  token();
  expect_asked("second-token");
  EXPECT_EQ(token(), "second-token");
}

TEST_F(TokenCache, AnotherCredentialHasAnotherToken) {
  expect_asked("first-token");
  token();
  put("key.json", user_json("another-secret"));
  expect_asked("second-token");
  EXPECT_EQ(token(), "second-token");
}

TEST_F(TokenCache, ARefusedTokenIsNotTakenFromIt) {
  expect_asked("first-token");
  const auth::Credential found = find();
  found.source->token(clock.now());
  EXPECT_TRUE(found.source->refresh());
  expect_asked("second-token");
  EXPECT_EQ(found.source->token(clock.now()).value, "second-token");
  EXPECT_EQ(token(), "second-token") << "which took its place there";
}

TEST_F(TokenCache, WhatOthersCouldHaveWrittenIsNotBelieved) {
  expect_asked("first-token");
  token();
  const std::string path = kept_file();
  const std::string spoiled = Json{{"access_token", "planted-token"}, {"expires", "2099-01-01T00:00:00Z"}}.dump();
  const std::function<void()> cases[] = {[&] { file::write_atomic(path, spoiled, 0644); },
                                         [&] {
                                           file::write_atomic(path, spoiled);
                                           std::filesystem::permissions(path, std::filesystem::perms::group_write, std::filesystem::perm_options::add);
                                         },
                                         [&] {
                                           file::remove(path);
                                           std::filesystem::create_symlink(folder.put("elsewhere", spoiled), path);
                                         },
                                         [&] { file::write_atomic(path, "{", 0600); },
                                         [&] { file::write_atomic(path, "[]", 0600); },
                                         [&] { file::write_atomic(path, R"({"access_token":"x","expires":"never"})", 0600); }};
  int number = 1;
  for (const auto& spoil : cases) {
    spoil();
    const std::string next = "token-number-" + std::to_string(++number);
    expect_asked(next);
    EXPECT_EQ(token(), next);
  }
}

TEST_F(TokenCache, AFolderThatCannotBeWrittenOnlyCostsARequest) {
  wishes.cache_directory = folder.put("a-file", "") + "/tokens";
  expect_asked("first-token");
  EXPECT_EQ(token(), "first-token");
}

TEST_F(TokenCache, WhoeverHoldsTheLockTooLongIsNotWaitedFor) {
  expect_asked("first-token");
  token();
  const std::string path = kept_file();
  file::remove(path);
  const file::Lock held(path + ".lock");
  expect_asked("second-token");
  EXPECT_EQ(token(), "second-token");
  EXPECT_EQ(clock.slept.size(), 100u) << "ten seconds";
}

TEST_F(TokenCache, TheTokenThatAnotherProcessFetchedMeanwhileIsTaken) {
  expect_asked("first-token");
  token();
  const std::string path = kept_file();
  const std::string text = file::read(path);
  file::remove(path);
  auto held = std::make_unique<file::Lock>(path + ".lock");
  clock.on_sleep = [&] {
    file::write_atomic(path, text);
    held.reset();
  };
  EXPECT_EQ(token(), "first-token") << "without asking";
}

TEST_F(TokenCache, ManyWritersLeaveAWholeFile) {
  expect_asked("first-token");
  token();
  const std::string path = kept_file();
  std::vector<std::thread> writers;
  for (int writer = 0; writer < 4; ++writer) {
    writers.emplace_back([path, writer] {
      for (int round = 0; round < 25; ++round) {
        file::write_atomic(path, Json{{"access_token", "token-of-writer-" + std::to_string(writer)}, {"expires", "2099-01-01T00:00:00Z"}}.dump());
      }
    });
  }
  for (int round = 0; round < 50; ++round) EXPECT_THAT(token(), ::testing::AnyOf(HasSubstr("token-of-writer-"), "first-token"));
  for (std::thread& writer : writers) writer.join();
}

}  // namespace
}  // namespace tpuctl::test
