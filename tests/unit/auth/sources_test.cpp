// SPDX-License-Identifier: Apache-2.0
#include "auth/sources.hpp"

#include <gmock/gmock.h>

#include "tests/support/errors.hpp"
#include "tests/support/fake_clock.hpp"
#include "tests/support/scripted_transport.hpp"
#include "tests/support/temporary_folder.hpp"

namespace tpuctl::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

const std::string kTokenUrl = "https://oauth2.googleapis.com/token";
const Json kUser{{"type", "authorized_user"}, {"client_id", "id&1"}, {"client_secret", "sec=ret"}, {"refresh_token", "1//re fresh"}};

Json token(const std::string& value, int seconds) { return Json{{"access_token", value}, {"expires_in", seconds}, {"token_type", "Bearer"}}; }

// ---- a user's refresh token --------------------------------------------------------------------------------------------

class User : public ::testing::Test {
 protected:
  ScriptedTransport wire;
  FakeClock clock;
  std::unique_ptr<api::TokenSource> source = auth::authorized_user(kUser, kTokenUrl, "as somebody", "Sign in again.", wire);
  std::string value() { return source->token(clock.now()).value; }
};

TEST_F(User, AsksTheTokenEndpoint) {
  wire.expect("POST", kTokenUrl)
      .with_header("Content-Type", "application/x-www-form-urlencoded")
      .with_body("grant_type=refresh_token&client_id=id%261&client_secret=sec%3Dret&refresh_token=1%2F%2Fre%20fresh")
      .reply(200, token("a1", 3600));
  const auto got = source->token(clock.now());
  EXPECT_EQ(got.value, "a1");
  EXPECT_EQ(got.expires, clock.now() + std::chrono::hours(1));
  EXPECT_FALSE(wire.sent[0].authorize) << "a token request is not signed itself";
  EXPECT_EQ(source->describe(), "as somebody");
}

TEST_F(User, KeepsATokenUntilFiveMinutesBeforeItsEnd) {
  wire.expect("POST", kTokenUrl).reply(200, token("a1", 3600));
  EXPECT_EQ(value(), "a1");
  clock.forward(3299);
  EXPECT_EQ(value(), "a1") << "301 s are left";
  clock.forward(1);
  wire.expect("POST", kTokenUrl).reply(200, token("a2", 3600));
  EXPECT_EQ(value(), "a2") << "300 s are left";
}

TEST_F(User, AnUnexpiredTokenSurvivesAFailedRefresh) {
  wire.expect("POST", kTokenUrl).reply(200, token("a1", 3600));
  value();
  clock.forward(3400);
  wire.expect("POST", kTokenUrl).reply_error(503, "UNAVAILABLE", "busy");
  EXPECT_EQ(value(), "a1");
  wire.expect("POST", kTokenUrl).refuse();
  EXPECT_EQ(value(), "a1");
  clock.forward(200);
  wire.expect("POST", kTokenUrl).refuse();
  EXPECT_EQ(error_of([&] { value(); }).kind, Kind::unavailable) << "now it has expired";
}

TEST_F(User, ARevokedTokenIsToldAtOnce) {
  wire.expect("POST", kTokenUrl).reply(200, token("a1", 3600));
  value();
  clock.forward(3400);
  wire.expect("POST", kTokenUrl).reply(400, Json{{"error", "invalid_grant"}, {"error_description", "Token has been expired or revoked."}});
  const Error error = error_of([&] { value(); });
  EXPECT_EQ(error.kind, Kind::denied);
  EXPECT_THAT(error.what(), HasSubstr("invalid_grant: Token has been expired or revoked."));
  EXPECT_EQ(error.hint, "Sign in again.");
}

TEST_F(User, RefreshForgetsTheToken) {
  wire.expect("POST", kTokenUrl).reply(200, token("a1", 3600));
  value();
  EXPECT_TRUE(source->refresh());
  wire.expect("POST", kTokenUrl).reply(200, token("a2", 3600));
  EXPECT_EQ(value(), "a2");
}

TEST_F(User, ANewRefreshTokenTakesTheOldOnesPlace) {
  Json answer = token("a1", 1);
  answer.member("refresh_token") = "second";
  wire.expect("POST", kTokenUrl).reply(200, answer);
  value();
  clock.forward(10);
  wire.expect("POST", kTokenUrl).with_body(HasSubstr("refresh_token=second")).reply(200, token("a2", 1));
  value();
}

TEST_F(User, OddAnswersAreErrors) {
  wire.expect("POST", kTokenUrl).reply_text(200, "<html>");
  EXPECT_EQ(error_of([&] { value(); }).kind, Kind::failure);
  wire.expect("POST", kTokenUrl).reply_text(200, "{}");
  EXPECT_THAT(error_of([&] { value(); }).what(), AllOf(HasSubstr("No access token"), Not(HasSubstr("sec=ret"))));
}

TEST(Credential, LacksNothing) {
  for (const char* field : {"client_id", "client_secret", "refresh_token"}) {
    ScriptedTransport wire;
    Json less = kUser;
    less.erase(std::string("/") + field);
    EXPECT_EQ(error_of([&] { auth::authorized_user(less, kTokenUrl, "d", "h", wire); }).kind, Kind::denied) << field;
  }
}

TEST(Credential, AStaticTokenStaysWhatItIs) {
  auth::StaticToken fixed("abc", "given");
  EXPECT_EQ(fixed.token(TimePoint{}).value, "abc");
  EXPECT_FALSE(fixed.token(TimePoint{}).expires);
  EXPECT_FALSE(fixed.refresh()) << "another would not come";
}

// ---- the metadata server -----------------------------------------------------------------------------------------------

const std::string kMetadataUrl = "http://metadata.google.internal/computeMetadata/v1/instance/service-accounts/default/token";

TEST(Metadata, HandsOutTokens) {
  ScriptedTransport wire;
  FakeClock clock;
  const auto source = auth::metadata_server("metadata.google.internal", wire);
  wire.expect("GET", kMetadataUrl).with_header("Metadata-Flavor", "Google").reply(200, token("m1", 600));
  EXPECT_EQ(source->token(clock.now()).value, "m1");
  clock.forward(370);
  EXPECT_EQ(source->token(clock.now()).value, "m1") << "230 s are left; the server has no newer one before 300 s";
  clock.forward(10);
  wire.expect("GET", kMetadataUrl).reply(200, token("m2", 600));
  EXPECT_EQ(source->token(clock.now()).value, "m2");
  for (const auto& request : wire.sent) EXPECT_FALSE(request.authorize);
}

TEST(Metadata, AMachineWithoutAServiceAccountIsToldSo) {
  ScriptedTransport wire;
  const auto source = auth::metadata_server("metadata.google.internal", wire);
  wire.expect("GET", kMetadataUrl).reply_text(404, "");
  const Error error = error_of([&] { source->token(TimePoint{}); });
  EXPECT_EQ(error.kind, Kind::denied);
  EXPECT_THAT(error.what(), HasSubstr("no service account"));
  wire.expect("GET", kMetadataUrl).reply_text(500, "");
  EXPECT_EQ(error_of([&] { source->token(TimePoint{}); }).kind, Kind::unavailable);
}

TEST(Metadata, IsKnownByItsFlavor) {
  ScriptedTransport wire;
  const auto answers = [&wire] { return auth::metadata_server_answers("169.254.169.254", wire); };
  wire.expect("GET", "http://169.254.169.254/").with_header("Metadata-Flavor", "Google").reply_text(200, "", {{"metadata-flavor", "Google"}});
  EXPECT_TRUE(answers());
  EXPECT_EQ(wire.sent[0].repeat, api::Repeat::never) << "one question, one answer";
  EXPECT_FALSE(wire.sent[0].authorize);
  wire.expect("GET", "http://169.254.169.254/").reply_text(200, "a captive portal");
  EXPECT_FALSE(answers());
  wire.expect("GET", "http://169.254.169.254/").reply_text(200, "", {{"Metadata-Flavor", "Azure"}});
  EXPECT_FALSE(answers());
  wire.expect("GET", "http://169.254.169.254/").reply_text(403, "", {{"Metadata-Flavor", "Google"}});
  EXPECT_FALSE(answers());
  wire.expect("GET", "http://169.254.169.254/").refuse();
  EXPECT_FALSE(answers());
}

// ---- gcloud itself -----------------------------------------------------------------------------------------------------

class Gcloud : public ::testing::Test {
 protected:
  std::unique_ptr<api::TokenSource> source(const std::string& script) {
    const Environment env({{"PATH", "/usr/bin:/bin"}, {"KEPT", "yes"}});
    return auth::gcloud_account(folder.put_script("gcloud", script), "me@example.com", env);
  }
  TemporaryFolder folder;
  FakeClock clock;
};

TEST_F(Gcloud, IsAskedForAToken) {
  const auto got = source("echo \"$*|$CLOUDSDK_CORE_DISABLE_PROMPTS|$CLOUDSDK_CORE_ACCOUNT|$KEPT\" >" + folder.path +
                          "/asked; echo '{\"credential\":{\"access_token\":\"g1\",\"token_expiry\":\"2026-01-01T01:00:00Z\"}}'")
                       ->token(clock.now());
  EXPECT_EQ(got.value, "g1");
  EXPECT_EQ(got.expires, parse_rfc3339("2026-01-01T01:00:00Z"));
  EXPECT_EQ(file::read(folder / "asked"), "config config-helper --format=json --min-expiry=5m|1|me@example.com|yes\n");
}

TEST_F(Gcloud, IsAskedAgainBeforeTheTokenEnds) {
  const auto account = source("echo x >>" + folder.path + "/calls; echo '{\"credential\":{\"access_token\":\"g1\",\"token_expiry\":\"2026-01-01T01:00:00Z\"}}'");
  account->token(clock.now());
  account->token(clock.now());
  EXPECT_EQ(file::read(folder / "calls"), "x\n");
  clock.forward(3500);
  account->token(clock.now());
  EXPECT_EQ(file::read(folder / "calls"), "x\nx\n");
}

TEST_F(Gcloud, ItsComplaintIsHandedOn) {
  const Error error = error_of([&] { source("echo 'ERROR: (gcloud.config) no account \x1b[31m' >&2; echo more >&2; exit 1")->token(clock.now()); });
  EXPECT_EQ(error.kind, Kind::denied);
  EXPECT_THAT(error.what(), AllOf(HasSubstr("[me@example.com]: ERROR: (gcloud.config) no account \\x1b[31m"), Not(HasSubstr("more")), Not(HasSubstr("\x1b"))));
  EXPECT_THAT(error.hint, HasSubstr("gcloud auth login"));
}

TEST_F(Gcloud, OddOutputIsNoToken) {
  for (const char* script : {"echo '{}'", "echo nonsense", "true", "echo '{\"credential\":\"x\"}'", "exit 3",
                             "echo '{\"credential\":{\"access_token\":\"g1\"}}'; exit 1"}) {
    EXPECT_EQ(error_of([&] { source(script)->token(clock.now()); }).kind, Kind::denied) << script;
  }
}

TEST_F(Gcloud, AnOldAnswerIsNotTakenForANewOne) {
  const auto account = source("[ -f " + folder.path + "/asked ] && exec echo nonsense; touch " + folder.path +
                              "/asked; echo '{\"credential\":{\"access_token\":\"old\",\"token_expiry\":\"2026-01-01T01:00:00Z\"}}'");
  EXPECT_EQ(account->token(clock.now()).value, "old");
  clock.forward(7200);
  EXPECT_EQ(error_of([&] { account->token(clock.now()); }).kind, Kind::denied);
}

}  // namespace
}  // namespace tpuctl::test
