// SPDX-License-Identifier: Apache-2.0
// Which credential is used. All sources are there; they are taken away from the first on.
#include "auth/credentials.hpp"

#include <gmock/gmock.h>

#include "tests/unit/auth/world.hpp"

namespace tpuctl::test {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

std::string user_file(const std::string& secret) { return user_json(secret).dump(); }

class Credentials : public AuthTest {};

TEST_F(Credentials, TheFirstThatIsThereIsUsed) {
  wishes.disabled = true;
  wishes.access_token_file = folder.put("token", "from-file\n");
  wishes.access_token_file_by_flag = true;
  wishes.credential_file_override = folder.put("override.json", user_file("a"));
  wishes.account = "me@example.com";
  env.set("CLOUDSDK_AUTH_ACCESS_TOKEN", " from-env\n");
  env.set("GOOGLE_APPLICATION_CREDENTIALS", folder.put("google.json", user_file("b")));
  folder.put("gcloud/legacy_credentials/me@example.com/adc.json", user_file("c"));
  folder.put("gcloud/application_default_credentials.json", user_file("d"));
  env.set("GCE_METADATA_HOST", "127.0.0.1:1");

  env.set("GOOGLE_OAUTH_ACCESS_TOKEN", "from-terraform");
  EXPECT_THAT(sentence(), HasSubstr("disable_credentials"));
  EXPECT_EQ(token(), "");
  wishes.disabled = false;
  EXPECT_EQ(token(), "from-file") << "the flag beats everything else";
  wishes.access_token_file_by_flag = false;
  EXPECT_EQ(token(), "from-env");
  EXPECT_THAT(sentence(), HasSubstr("CLOUDSDK_AUTH_ACCESS_TOKEN"));
  env.unset("CLOUDSDK_AUTH_ACCESS_TOKEN");
  EXPECT_EQ(token(), "from-terraform");
  EXPECT_THAT(sentence(), HasSubstr("GOOGLE_OAUTH_ACCESS_TOKEN"));
  env.unset("GOOGLE_OAUTH_ACCESS_TOKEN");
  EXPECT_EQ(token(), "from-file");
  EXPECT_THAT(sentence(), HasSubstr("auth/access_token_file"));
  wishes.access_token_file = "";
  EXPECT_THAT(sentence(), HasSubstr("override.json"));
  wishes.credential_file_override = "";
  EXPECT_THAT(sentence(), HasSubstr("GOOGLE_APPLICATION_CREDENTIALS"));
  env.unset("GOOGLE_APPLICATION_CREDENTIALS");
  EXPECT_THAT(sentence(), HasSubstr("as me@example.com which is the active account"));
  wishes.account = "";
  EXPECT_THAT(sentence(), HasSubstr("application_default_credentials.json"));
  file::remove(folder / "gcloud/application_default_credentials.json");
  EXPECT_THAT(sentence(), HasSubstr("metadata server 127.0.0.1:1"));
  env.unset("GCE_METADATA_HOST");
  EXPECT_EQ(refusal().kind, Kind::denied);
}

TEST_F(Credentials, AnAccountByFlagSkipsFilesThatNameNone) {
  wishes.account = "me@example.com";
  wishes.account_by_flag = true;
  wishes.credential_file_override = folder.put("override.json", user_file("a"));
  env.set("GOOGLE_APPLICATION_CREDENTIALS", folder.put("google.json", user_file("b")));
  folder.put("gcloud/legacy_credentials/me@example.com/adc.json", user_file("c"));
  EXPECT_THAT(sentence(), HasSubstr("as me@example.com which is the active account"));
}

TEST_F(Credentials, EmptyIsAsGoodAsAbsent) {
  env.set("CLOUDSDK_AUTH_ACCESS_TOKEN", "");
  env.set("GOOGLE_APPLICATION_CREDENTIALS", "");
  env.set("GCE_METADATA_HOST", "");
  EXPECT_EQ(refusal().kind, Kind::denied);
}

TEST_F(Credentials, NothingAtAllSaysWhatToDo) {
  const Error error = refusal();
  EXPECT_EQ(error.kind, Kind::denied);
  EXPECT_THAT(error.what(), HasSubstr("active account"));
  EXPECT_THAT(error.hint, AllOf(HasSubstr("tpuctl auth login"), HasSubstr("GOOGLE_APPLICATION_CREDENTIALS"), HasSubstr("--access-token-file"), HasSubstr(folder / "gcloud/application_default_credentials.json"),
                                HasSubstr("emulator start")));
}

// ---- present but broken is an error, never the next source ------------------------------------------------------------

struct Broken {
  const char* what;
  const char* text;  ///< nullptr: no such file
};
const Broken kBroken[] = {{"absent", nullptr},     {"empty", ""},           {"no JSON", "hello"},
                          {"a list", "[]"},        {"typeless", "{}"},      {"unknown", R"({"type":"martian"})"},
                          {"half", R"({"type":"authorized_user","client_id":"i"})"}};

class BrokenCredentials : public AuthTest {
 protected:
  BrokenCredentials() {  // the next one, which would do
    folder.put("gcloud/application_default_credentials.json", user_file("d"));
    env.set("GCE_METADATA_HOST", "127.0.0.1:1");
  }
  std::string spoil(const Broken& broken) {
    const std::string path = folder / "broken.json";
    file::remove(path);
    if (broken.text) folder.put("broken.json", broken.text);
    return path;
  }
};

TEST_F(BrokenCredentials, ACredentialFile) {
  for (const Broken& broken : kBroken) {
    wishes.credential_file_override = spoil(broken);
    const Error error = refusal();
    EXPECT_EQ(error.kind, Kind::denied) << broken.what;
    EXPECT_THAT(std::string(error.what()), HasSubstr("broken.json")) << broken.what;
    wishes.credential_file_override = "";
    env.set("GOOGLE_APPLICATION_CREDENTIALS", spoil(broken));
    EXPECT_EQ(refusal().kind, Kind::denied) << broken.what;
    env.unset("GOOGLE_APPLICATION_CREDENTIALS");
  }
}

TEST_F(BrokenCredentials, ApplicationDefaultCredentials) {
  for (const Broken& broken : kBroken) {
    if (!broken.text) continue;  // absent is simply the next source
    folder.put("gcloud/application_default_credentials.json", broken.text);
    EXPECT_EQ(refusal().kind, Kind::denied) << broken.what;
  }
}

TEST_F(BrokenCredentials, ATokenFile) {
  for (const char* text : {"", " \n"}) {
    wishes.access_token_file = folder.put("token", text);
    EXPECT_EQ(refusal().kind, Kind::denied);
  }
  wishes.access_token_file = folder / "no-such-token";
  const Error error = refusal();
  EXPECT_EQ(error.kind, Kind::denied);
  EXPECT_THAT(error.what(), HasSubstr("no-such-token"));
}

TEST_F(BrokenCredentials, AnUnknownTypeSaysWhichAreKnown) {
  wishes.credential_file_override = folder.put("k.json", R"({"type":"martian"})");
  const Error error = refusal();
  EXPECT_THAT(error.what(), HasSubstr("martian"));
  EXPECT_THAT(error.hint, AllOf(HasSubstr("authorized_user, service_account, impersonated_service_account, external_account"), HasSubstr("external_account_authorized_user")));
}

struct Unsupported {
  const char* text;
  const char* says;
};

TEST_F(BrokenCredentials, WhatIsKnownButNotSupportedSaysWhy) {
  const Unsupported cases[] = {
      {R"({"type":"gdch_service_account","format_version":"1"})", "Google Distributed Cloud has no Cloud TPU"},
      {R"({"type":"service_account_p12"})", "PKCS#12"},
      {"\x30\x82\x09\x01 binary", "PKCS#12"},
      {R"({"type":"gce"})", "virtual machine's own service account"},
      {R"({"type":"external_account","audience":"a","subject_token_type":"urn:ietf:params:oauth:token-type:mtls","credential_source":{"certificate":{}}})", "X.509 certificates"}};
  for (const Unsupported& one : cases) {
    wishes.credential_file_override = folder.put("k.json", one.text);
    const Error error = refusal();
    EXPECT_EQ(error.kind, Kind::denied);
    EXPECT_THAT(error.what(), HasSubstr(one.says));
    EXPECT_NE(error.hint, "") << one.says << ": what to do instead";
  }
}

TEST_F(BrokenCredentials, NestingWithoutEndIsNoCrash) {
  wishes.credential_file_override = folder.put("k.json", std::string(200000, '['));
  EXPECT_THAT(refusal().what(), HasSubstr("not a valid JSON object"));
}

// ---- gcloud's own store ------------------------------------------------------------------------------------------------

TEST_F(Credentials, GcloudIsAskedWhenItsStoreHoldsNoCopy) {
  wishes.account = "me@example.com";
  folder.put_script("bin/gcloud", "PATH=/usr/bin:/bin; echo '{\"credential\":{\"access_token\":\"g1\",\"token_expiry\":\"2026-01-01T01:00:00Z\"}}'");
  EXPECT_EQ(token(), "g1");
  EXPECT_THAT(sentence(), HasSubstr("as me@example.com which is the active account"));
}

TEST_F(Credentials, AnAccountWithoutCredentialsIsNamed) {
  wishes.account = "me@example.com";
  folder.put("gcloud/application_default_credentials.json", user_file("d"));
  const Error error = refusal();
  EXPECT_EQ(error.kind, Kind::denied);
  EXPECT_THAT(error.what(), HasSubstr("[me@example.com] does not have any valid credentials"));
}

TEST_F(Credentials, SecretsAreNotSentInTheClearToAnybodyElse) {
  for (std::string auth::Wishes::*property : {&auth::Wishes::token_url, &auth::Wishes::sts_endpoint, &auth::Wishes::iam_endpoint}) {
    env.set("GOOGLE_APPLICATION_CREDENTIALS", folder.put("key.json", user_file("a")));
    for (const char* url : {"http://example.com/", "ftp://example.com/", "http://127.0.0.1@example.com/"}) {
      wishes.*property = url;
      EXPECT_THAT(refusal().what(), HasSubstr("must be an https address")) << url;
    }
    for (const char* url : {"https://example.com/", "http://127.0.0.1:80/", "http://localhost/", ""}) {
      wishes.*property = url;
      EXPECT_NO_THROW(find()) << url;
    }
  }
}

TEST_F(Credentials, AnotherTokenHostIsUsed) {
  wishes.token_url = "https://example.com/token";
  wishes.credential_file_override = folder.put("o.json", user_file("a"));
  plain.expect("POST", "https://example.com/token").reply(200, Json{{"access_token", "x"}, {"expires_in", 10}});
  EXPECT_EQ(token(), "x");
}

TEST_F(Credentials, AnAccountThatTpuctlWasGivenComesBeforeGcloudsCopy) {
  wishes.account = "me@example.com";
  folder.put("gcloud/legacy_credentials/me@example.com/adc.json", user_file("gclouds"));
  EXPECT_THAT(find().identity.file, HasSubstr("legacy_credentials/me@example.com/adc.json"));
  folder.put("gcloud/tpuctl/credentials/me@example.com.json", user_file("own"));
  EXPECT_THAT(find().identity.file, HasSubstr("tpuctl/credentials/me@example.com.json"));
}

TEST_F(Credentials, APrincipalsFolderHasNoColons) {
  wishes.account = "principal://iam/x";
  folder.put("gcloud/legacy_credentials/principal//iam/x/adc.json", user_file("p"));
  EXPECT_EQ(find().identity.account, "principal://iam/x");
}

TEST_F(Credentials, AMachinesOwnAccountMayBeNamed) {
  wishes.account = "sa@p.iam.gserviceaccount.com";
  env.set("GCE_METADATA_HOST", "127.0.0.1:80");
  direct.expect("GET", "http://127.0.0.1:80/computeMetadata/v1/instance/service-accounts/sa%40p.iam.gserviceaccount.com/token")
      .reply(200, token_answer("m1"), {{"Metadata-Flavor", "Google"}});
  EXPECT_EQ(token(), "m1");
}

// ---- what is told of it -------------------------------------------------------------------------------------------------

TEST_F(Credentials, ItIsToldWithoutAskingForAToken) {
  plain.forbid();
  direct.forbid();
  const Json json{{"type", "authorized_user"}, {"client_id", "i"}, {"client_secret", "s"}, {"refresh_token", "r"}, {"account", "me@example.com"}, {"quota_project_id", "q"}};
  const auth::Identity told = find(json).identity;
  EXPECT_EQ(told.kind, "authorized_user");
  EXPECT_EQ(told.file, folder / "key.json");
  EXPECT_EQ(told.account, "me@example.com");
  EXPECT_EQ(told.why, "GOOGLE_APPLICATION_CREDENTIALS");
  EXPECT_EQ(told.quota_project, "q");
  EXPECT_EQ(told.sentence, "This command is authenticated as me@example.com using the credentials in " + (folder / "key.json") +
                               ", specified by GOOGLE_APPLICATION_CREDENTIALS");
}

TEST_F(Credentials, EachSourceHasItsSentence) {
  const std::string file = folder.put("o.json", user_file("a"));
  const auto told = [&](const std::function<void()>& world) {
    wishes = auth::Wishes{};
    wishes.config_directory = folder / "gcloud";
    wishes.probe_metadata = false;
    env = Environment({{"PATH", folder / "bin"}});
    world();
    return sentence();
  };
  EXPECT_EQ(told([&] { wishes.disabled = true; }), "This command is unauthenticated because the [auth/disable_credentials] property is True");
  EXPECT_EQ(told([&] { env.set("CLOUDSDK_AUTH_ACCESS_TOKEN", "a-token"); }),
            "This command is authenticated with an access token from the CLOUDSDK_AUTH_ACCESS_TOKEN environment variable");
  EXPECT_EQ(told([&] { wishes.access_token_file = folder.put("token", "a-token"); }),
            "This command is authenticated with an access token from " + (folder / "token") + " specified by the [auth/access_token_file] property");
  EXPECT_EQ(told([&] { wishes.credential_file_override = file; }),
            "This command is authenticated using the credentials in " + file + ", specified by the [auth/credential_file_override] property");
  EXPECT_EQ(told([&] {
              wishes.account = "me@example.com";
              folder.put("gcloud/legacy_credentials/me@example.com/adc.json", user_file("c"));
            }),
            "This command is authenticated as me@example.com which is the active account specified by the [core/account] property");
  EXPECT_EQ(told([&] { env.set("GCE_METADATA_HOST", "127.0.0.1:1"); }),
            "This command is authenticated as the service account of this machine (metadata server 127.0.0.1:1)");
}

TEST_F(Credentials, ImpersonationIsToldWithItsChain) {
  wishes.impersonate = {" a@p.com", "b@p.com ", "t@p.com", ""};
  const auth::Identity told = find(user_json()).identity;
  EXPECT_EQ(told.impersonated, "t@p.com");
  EXPECT_THAT(told.delegates, ElementsAre("a@p.com", "b@p.com"));
  EXPECT_THAT(told.sentence, HasSubstr(". Impersonation is used to impersonate t@p.com via delegate chain: a@p.com, b@p.com"));
}

TEST_F(Credentials, WhoIsToSendNothingImpersonatesNobody) {
  wishes.disabled = true;
  wishes.impersonate = {"t@p.com"};
  EXPECT_EQ(token(), "");
}

// ---- universes -----------------------------------------------------------------------------------------------------------

TEST_F(Credentials, ACredentialOfAnotherUniverseIsRefusedBeforeAnythingIsSent) {
  Json key = user_json();
  key.member("universe_domain") = "example.goog";
  EXPECT_THAT(refusal(key).what(), HasSubstr("of the universe example.goog, but core/universe_domain is googleapis.com"));
  wishes.universe = "example.goog";
  EXPECT_THAT(refusal(user_json()).what(), HasSubstr("universe"));
  EXPECT_THAT(refusal(key).what(), HasSubstr("user credentials exist in the universe googleapis.com only"));
}

// ---- the machine's service account -----------------------------------------------------------------------------------

TEST_F(Credentials, TheMetadataServerIsAskedForOnce) {
  wishes.probe_metadata = true;
  const auto product = file::read_if_exists("/sys/class/dmi/id/product_name");
  if (product && product->starts_with("Google")) {
    EXPECT_THAT(sentence(), HasSubstr("metadata.google.internal"));  // no question is needed on such a machine
    return;
  }
  probe.expect("GET", "http://169.254.169.254/").reply_text(200, "", {{"Metadata-Flavor", "Google"}});
  EXPECT_THAT(sentence(), HasSubstr("metadata server metadata.google.internal"));
  probe.expect("GET", "http://169.254.169.254/").refuse();
  EXPECT_EQ(refusal().kind, Kind::denied);
}

TEST_F(Credentials, TheQuestionCanBeForbidden) {
  wishes.probe_metadata = true;
  env.set("NO_GCE_CHECK", "true");
  probe.forbid();
  EXPECT_EQ(refusal().kind, Kind::denied);
}

TEST_F(Credentials, WhatGcloudFoundOutALittleWhileAgoIsBelieved) {
  const auto product = file::read_if_exists("/sys/class/dmi/id/product_name");
  if (product && product->starts_with("Google")) GTEST_SKIP() << "the name plate answers first";
  wishes.probe_metadata = true;
  clock = FakeClock(rfc3339(SystemClock().now()));
  folder.put("gcloud/gce", "False");
  probe.forbid();
  EXPECT_EQ(refusal().kind, Kind::denied);
  folder.put("gcloud/gce", "True");
  EXPECT_THAT(sentence(), HasSubstr("metadata.google.internal"));
}

TEST_F(Credentials, WhatItFoundOutLongAgoIsAskedAgain) {
  const auto product = file::read_if_exists("/sys/class/dmi/id/product_name");
  if (product && product->starts_with("Google")) GTEST_SKIP() << "the name plate answers first";
  wishes.probe_metadata = true;
  clock = FakeClock(rfc3339(SystemClock().now() + std::chrono::seconds(700)));
  folder.put("gcloud/gce", "True");
  probe.expect("GET", "http://169.254.169.254/").refuse();
  EXPECT_EQ(refusal().kind, Kind::denied);
}

TEST_F(Credentials, AnyOtherSourceKeepsTheProbeAway) {
  wishes.probe_metadata = true;
  probe.forbid();
  direct.forbid();
  folder.put("gcloud/application_default_credentials.json", user_file("d"));
  EXPECT_THAT(sentence(), HasSubstr("the application default credentials"));
  wishes.account = "me@example.com";
  EXPECT_EQ(refusal().kind, Kind::denied) << "a named account without credentials is no reason to look further";
}

TEST_F(Credentials, AnAssertedHostNeedsNoQuestion) {
  probe.forbid();
  env.set("GCE_METADATA_IP", "127.0.0.3:80");
  EXPECT_THAT(sentence(), HasSubstr("127.0.0.3:80"));
  env.set("GCE_METADATA_ROOT", "127.0.0.2:80");
  EXPECT_THAT(sentence(), HasSubstr("127.0.0.2:80"));
  env.set("GCE_METADATA_HOST", "127.0.0.1:80");
  EXPECT_THAT(sentence(), HasSubstr("127.0.0.1:80"));
}

}  // namespace
}  // namespace tpuctl::test
