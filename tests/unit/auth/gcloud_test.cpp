// SPDX-License-Identifier: Apache-2.0
// gcloud and other programs as sources.
#include <gmock/gmock.h>

#include <filesystem>

#include "base/process.hpp"
#include "base/secrets.hpp"
#include "tests/unit/auth/world.hpp"

namespace tpuctl::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

class Gcloud : public AuthTest {
 protected:
  std::unique_ptr<api::TokenSource> source(const std::string& script) {
    env.set("PATH", (folder / "bin") + ":/usr/bin:/bin");
    env.set("KEPT", "yes");
    wishes.account = "me@example.com";
    folder.put_script("bin/gcloud", script);
    return find().source;
  }
};

TEST_F(Gcloud, IsAskedForAToken) {
  const auto got = source("echo \"$*|$CLOUDSDK_CORE_DISABLE_PROMPTS|$CLOUDSDK_CORE_ACCOUNT|$KEPT\" >" + folder.path +
                          "/asked; echo '{\"credential\":{\"access_token\":\"g1\",\"token_expiry\":\"2026-01-01T01:00:00Z\"}}'")
                       ->token(clock.now());
  EXPECT_EQ(got.value, "g1");
  EXPECT_EQ(got.expires, parse_rfc3339("2026-01-01T01:00:00Z"));
  EXPECT_EQ(file::read(folder / "asked"), "config config-helper --format=json --min-expiry=5m|1|me@example.com|yes\n");
}

TEST_F(Gcloud, IsAskedForThatAccountsTokenAndNoOther) {
  wishes.impersonate = {"t@p.com"};
  wishes.account_by_flag = true;
  env.set("CLOUDSDK_AUTH_CREDENTIAL_FILE_OVERRIDE", "/of/somebody/else.json");
  const auto account = source("echo \"<$CLOUDSDK_AUTH_CREDENTIAL_FILE_OVERRIDE$CLOUDSDK_AUTH_IMPERSONATE_SERVICE_ACCOUNT$CLOUDSDK_AUTH_ACCESS_TOKEN>\" >" +
                              folder.path + "/asked; env | grep -c '^CLOUDSDK_AUTH_.*=$' >>" + folder.path +
                              "/asked; echo '{\"credential\":{\"access_token\":\"g1\"}}'");
  plain.expect("POST", "https://iamcredentials.googleapis.com/v1/projects/-/serviceAccounts/t@p.com:generateAccessToken")
      .with_header("Authorization", "Bearer g1")
      .reply(200, Json{{"accessToken", "i1"}, {"expireTime", "2026-01-01T01:00:00Z"}});
  EXPECT_EQ(account->token(clock.now()).value, "i1") << "impersonated once, by us";
  EXPECT_EQ(file::read(folder / "asked"), "<>\n4\n");
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
  EXPECT_THAT(error.hint, HasSubstr("tpuctl auth login"));
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

TEST_F(Gcloud, IsAskedWhenTheUserMustProveWhoTheyAre) {
  folder.put("gcloud/legacy_credentials/me@example.com/adc.json", user_json().dump());
  const auto account = source("echo '{\"credential\":{\"access_token\":\"g1\"}}'");
  plain.expect("POST", "https://oauth2.googleapis.com/token")
      .reply(400, Json{{"error", "invalid_grant"}, {"error_description", "reauth related error (invalid_rapt)"}, {"error_subtype", "invalid_rapt"}});
  EXPECT_EQ(account->token(clock.now()).value, "g1");
}

// ---- programs that give subject tokens -----------------------------------------------------------------------------------

class Program : public AuthTest {
 protected:
  Program() { env.set("GOOGLE_EXTERNAL_ACCOUNT_ALLOW_EXECUTABLES", "1"); }

  Json credential(const std::string& script, const Json& more = Json::object()) {
    Json executable{{"command", folder.put_script("subject", script) + " one 'two three'"}};
    for (const auto& [name, value] : more.members()) executable.member(name) = value;
    return Json{{"type", "external_account"}, {"audience", "//iam.googleapis.com/x"}, {"subject_token_type", "urn:ietf:params:oauth:token-type:id_token"},
                {"service_account_impersonation_url", "https://iamcredentials.googleapis.com/v1/projects/-/serviceAccounts/t@p.com:generateAccessToken"},
                {"credential_source", Json{{"executable", executable}}}};
  }
  static std::string answer(const std::string& token, std::int64_t expires = 0) {
    Json out{{"version", 1}, {"success", true}, {"token_type", "urn:ietf:params:oauth:token-type:id_token"}, {"id_token", token}};
    if (expires != 0) out.member("expiration_time") = expires;
    return out.dump();
  }
  /// The subject token that is sent to be exchanged.
  std::string subject(const Json& json) {
    plain.expect("POST", "https://sts.googleapis.com/v1/token").reply(403, Json{{"error", "enough"}});
    error_of([&] { find(json).source->token(clock.now()); });
    const std::string& body = plain.sent.back().body;
    const auto at = body.find("subject_token=") + 14;
    return text::percent_decode(body.substr(at, body.find('&', at) - at));
  }
  std::string complaint(const Json& json) {
    return refused_token(json).what();
  }
};

constexpr std::int64_t kLater = 4102444800;  // 2100

TEST_F(Program, IsRunWithoutAShellAndToldWhatIsWanted) {
  const std::string script = "printf '%s|' \"$@\" $GOOGLE_EXTERNAL_ACCOUNT_AUDIENCE $GOOGLE_EXTERNAL_ACCOUNT_TOKEN_TYPE \"$GOOGLE_EXTERNAL_ACCOUNT_ID\" "
                             "$GOOGLE_EXTERNAL_ACCOUNT_INTERACTIVE $GOOGLE_EXTERNAL_ACCOUNT_REVOKE $GOOGLE_EXTERNAL_ACCOUNT_IMPERSONATED_EMAIL >" + folder.path +
                             "/asked; echo noise >&2; echo '" + answer("subject-1") + "'";
  EXPECT_EQ(subject(credential(script)), "subject-1");
  EXPECT_EQ(file::read(folder / "asked"), "one|two three|//iam.googleapis.com/x|urn:ietf:params:oauth:token-type:id_token||0|0|t@p.com|");
}

TEST_F(Program, IsNotRunUnlessAllowed) {
  for (const char* gate : {"", "0", "true"}) {
    env.set("GOOGLE_EXTERNAL_ACCOUNT_ALLOW_EXECUTABLES", gate);
    EXPECT_THAT(complaint(credential("touch " + folder.path + "/ran")), HasSubstr("need to be allowed"));
  }
  EXPECT_FALSE(file::exists(folder / "ran"));
}

TEST_F(Program, ItsOutputFileSpares) {
  const Json more{{"output_file", folder / "out"}};
  const std::string run = "echo x >>" + folder.path + "/runs; echo '" + answer("subject-new", kLater) + "'";
  folder.put("out", answer("subject-kept", kLater));
  EXPECT_EQ(subject(credential(run, more)), "subject-kept");
  EXPECT_FALSE(file::exists(folder / "runs"));
  const std::string stale[] = {answer("subject-old", 1), answer("subject-of-no-age"), R"({"version":1,"success":false,"code":"1","message":"m"})", ""};
  for (const std::string& text : stale) {
    folder.put("out", text);
    EXPECT_EQ(subject(credential(run, more)), "subject-new") << text;
  }
  folder.put("out", answer("subject-of-anybody", kLater));
  std::filesystem::permissions(folder / "out", std::filesystem::perms::others_write, std::filesystem::perm_options::add);
  EXPECT_EQ(subject(credential(run, more)), "subject-new") << "others may have written it";
  file::remove(folder / "out");
  folder.put("elsewhere", answer("subject-behind-a-link", kLater));
  std::filesystem::create_symlink(folder / "elsewhere", folder / "out");
  EXPECT_EQ(subject(credential(run, more)), "subject-new");
}

TEST_F(Program, OddAnswersAreTold) {
  const std::pair<std::string, const char*> cases[] = {
      {"echo hello", "no JSON object"},
      {"true", "no JSON object"},
      {"echo '{\"success\":true}'", "named no version"},
      {"echo '{\"version\":2}'", "speaks version 2"},
      {"echo '{\"version\":1}'", "whether it succeeded"},
      {"echo '{\"version\":1,\"success\":true,\"token_type\":\"x\"}'", "unknown type [x]"},
      {"echo '{\"version\":1,\"success\":true,\"token_type\":\"urn:ietf:params:oauth:token-type:id_token\"}'", "gave no token"},
      {"echo '" + answer("subject-1", 5) + "'", "has expired"},
      {"head -c 1500000 /dev/zero", "more than 1 MiB"}};
  env.set("PATH", "/usr/bin:/bin");
  for (const auto& [script, says] : cases) EXPECT_THAT(complaint(credential(script)), HasSubstr(says)) << script;
  EXPECT_THAT(complaint(credential("echo '" + answer("subject-1") + "'", Json{{"output_file", folder / "none"}})), HasSubstr("expiration_time"));
}

TEST_F(Program, ItsTermsAreChecked) {
  for (const Json& wrong : {Json(4999), Json(120001)}) EXPECT_THAT(refusal(credential("true", Json{{"timeout_millis", wrong}})).what(), HasSubstr("timeout_millis"));
  EXPECT_THAT(refusal(credential("true", Json{{"command", ""}})).what(), HasSubstr("command is missing"));
  EXPECT_THAT(refusal(credential("true", Json{{"command", "/bin/x 'y"}})).what(), HasSubstr("quote"));
  EXPECT_THAT(refusal(credential("true", Json{{"command", "bin/x"}})).what(), HasSubstr("absolute path"));
}

}  // namespace
}  // namespace tpuctl::test
