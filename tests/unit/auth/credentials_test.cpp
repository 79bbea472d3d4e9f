// SPDX-License-Identifier: Apache-2.0
// Which credential is used. All sources are there; they are taken away from the first on.
#include "auth/credentials.hpp"

#include <gmock/gmock.h>

#include "tests/support/errors.hpp"
#include "tests/support/fake_clock.hpp"
#include "tests/support/scripted_transport.hpp"
#include "tests/support/temporary_folder.hpp"

namespace tpuctl::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

std::string user_file(const std::string& secret) {
  return Json{{"type", "authorized_user"}, {"client_id", "i"}, {"client_secret", secret}, {"refresh_token", "r"}}.dump();
}

class Credentials : public ::testing::Test {
 protected:
  Credentials() {
    wishes.config_directory = folder / "gcloud";
    wishes.probe_metadata = false;
    env.set("PATH", folder / "bin");
  }
  std::string description() { return auth::find_credentials(wishes, env, plain, probe)->describe(); }
  std::string token() { return auth::find_credentials(wishes, env, plain, probe)->token(clock.now()).value; }
  Error refusal() {
    return error_of([this] { auth::find_credentials(wishes, env, plain, probe); });
  }
  TemporaryFolder folder;
  auth::Wishes wishes;
  Environment env;
  ScriptedTransport plain, probe;
  FakeClock clock;
};

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

  EXPECT_THAT(description(), HasSubstr("disable_credentials"));
  EXPECT_EQ(token(), "");
  wishes.disabled = false;
  EXPECT_EQ(token(), "from-file") << "the flag beats everything else";
  wishes.access_token_file_by_flag = false;
  EXPECT_EQ(token(), "from-env");
  EXPECT_THAT(description(), HasSubstr("CLOUDSDK_AUTH_ACCESS_TOKEN"));
  env.unset("CLOUDSDK_AUTH_ACCESS_TOKEN");
  EXPECT_EQ(token(), "from-file");
  EXPECT_THAT(description(), HasSubstr("auth/access_token_file"));
  wishes.access_token_file = "";
  EXPECT_THAT(description(), HasSubstr("override.json"));
  wishes.credential_file_override = "";
  EXPECT_THAT(description(), HasSubstr("GOOGLE_APPLICATION_CREDENTIALS"));
  env.unset("GOOGLE_APPLICATION_CREDENTIALS");
  EXPECT_THAT(description(), HasSubstr("the active account me@example.com"));
  wishes.account = "";
  EXPECT_THAT(description(), HasSubstr("application_default_credentials.json"));
  file::remove(folder / "gcloud/application_default_credentials.json");
  EXPECT_THAT(description(), HasSubstr("metadata server 127.0.0.1:1"));
  env.unset("GCE_METADATA_HOST");
  EXPECT_EQ(refusal().kind, Kind::denied);
}

TEST_F(Credentials, AnAccountByFlagSkipsFilesThatNameNone) {
  wishes.account = "me@example.com";
  wishes.account_by_flag = true;
  wishes.credential_file_override = folder.put("override.json", user_file("a"));
  env.set("GOOGLE_APPLICATION_CREDENTIALS", folder.put("google.json", user_file("b")));
  folder.put("gcloud/legacy_credentials/me@example.com/adc.json", user_file("c"));
  EXPECT_THAT(description(), HasSubstr("the active account me@example.com"));
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
  EXPECT_THAT(error.hint, AllOf(HasSubstr("gcloud auth login"), HasSubstr("--access-token-file"), HasSubstr("emulator start")));
}

// ---- present but broken is an error, never the next source ------------------------------------------------------------

struct Broken {
  const char* what;
  const char* text;  ///< nullptr: no such file
};
const Broken kBroken[] = {{"absent", nullptr},     {"empty", ""},           {"no JSON", "hello"},
                          {"a list", "[]"},        {"typeless", "{}"},      {"unknown", R"({"type":"martian"})"},
                          {"half", R"({"type":"authorized_user","client_id":"i"})"}};

class BrokenCredentials : public Credentials {
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

TEST_F(BrokenCredentials, AnUnknownTypeSaysHowToGoOn) {
  wishes.credential_file_override = folder.put("k.json", R"({"type":"martian"})");
  EXPECT_THAT(refusal().what(), HasSubstr("martian"));
}

// ---- gcloud's own store ------------------------------------------------------------------------------------------------

TEST_F(Credentials, GcloudIsAskedWhenItsStoreHoldsNoCopy) {
  wishes.account = "me@example.com";
  folder.put_script("bin/gcloud", "PATH=/usr/bin:/bin; echo '{\"credential\":{\"access_token\":\"g1\",\"token_expiry\":\"2026-01-01T01:00:00Z\"}}'");
  EXPECT_EQ(token(), "g1");
  EXPECT_THAT(description(), HasSubstr("me@example.com, the active account of gcloud"));
}

TEST_F(Credentials, AnAccountWithoutCredentialsIsNamed) {
  wishes.account = "me@example.com";
  folder.put("gcloud/application_default_credentials.json", user_file("d"));
  const Error error = refusal();
  EXPECT_EQ(error.kind, Kind::denied);
  EXPECT_THAT(error.what(), HasSubstr("[me@example.com] does not have any valid credentials"));
}

TEST_F(Credentials, AnotherTokenHostIsUsed) {
  wishes.token_url = "https://example.com/token";
  wishes.credential_file_override = folder.put("o.json", user_file("a"));
  plain.expect("POST", "https://example.com/token").reply(200, Json{{"access_token", "x"}, {"expires_in", 10}});
  EXPECT_EQ(token(), "x");
}

// ---- the machine's service account -----------------------------------------------------------------------------------

TEST_F(Credentials, TheMetadataServerIsAskedForOnce) {
  wishes.probe_metadata = true;
  const auto product = file::read_if_exists("/sys/class/dmi/id/product_name");
  if (product && product->starts_with("Google")) {
    EXPECT_THAT(description(), HasSubstr("metadata.google.internal"));  // no question is needed on such a machine
    return;
  }
  probe.expect("GET", "http://169.254.169.254/").reply_text(200, "", {{"Metadata-Flavor", "Google"}});
  EXPECT_THAT(description(), HasSubstr("metadata server metadata.google.internal"));
  probe.expect("GET", "http://169.254.169.254/").refuse();
  EXPECT_EQ(refusal().kind, Kind::denied);
}

TEST_F(Credentials, TheQuestionCanBeForbidden) {
  wishes.probe_metadata = true;
  env.set("NO_GCE_CHECK", "true");
  probe.forbid();
  EXPECT_EQ(refusal().kind, Kind::denied);
}

TEST_F(Credentials, AnAssertedHostNeedsNoQuestion) {
  probe.forbid();
  env.set("GCE_METADATA_IP", "127.0.0.3:80");
  EXPECT_THAT(description(), HasSubstr("127.0.0.3:80"));
  env.set("GCE_METADATA_ROOT", "127.0.0.2:80");
  EXPECT_THAT(description(), HasSubstr("127.0.0.2:80"));
  env.set("GCE_METADATA_HOST", "127.0.0.1:80");
  EXPECT_THAT(description(), HasSubstr("127.0.0.1:80"));
}

}  // namespace
}  // namespace tpuctl::test
