// SPDX-License-Identifier: Apache-2.0
#include "commands/context.hpp"

#include <gmock/gmock.h>

#include "tests/support/errors.hpp"
#include "tests/unit/commands/program.hpp"

namespace tpuctl::test {
namespace {

using commands::Context;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using Words = std::vector<std::string>;

class ContextTest : public Below {
 protected:
  Context& context(const Words& words = {"tpu-vm", "list"}) {
    parse(words);
    made = std::make_unique<Context>(*frame, parsed.args);
    return *made;
  }
  std::unique_ptr<Context> made;
};

// ---- API versions ----------------------------------------------------------------------------------------------------

TEST_F(ContextTest, TheSpellingChoosesTheVersion) {
  EXPECT_EQ(context({"tpu-vm", "list"}).api_version(), "v2alpha1");
  EXPECT_EQ(context({"compute", "tpus", "tpu-vm", "list"}).api_version(), "v2");
  EXPECT_EQ(context({"alpha", "compute", "tpus", "tpu-vm", "list"}).api_version(), "v2alpha1");
  EXPECT_EQ(context({"beta", "compute", "tpus", "tpu-vm", "list"}).api_version(), "v2alpha1");
}

TEST_F(ContextTest, ThePropertyOverrides) {
  env.set("CLOUDSDK_TPU_API_VERSION", "v2");
  EXPECT_EQ(context({"tpu-vm", "list"}).api_version(), "v2");
  env.set("CLOUDSDK_TPU_API_VERSION", "v2alpha1");
  EXPECT_EQ(context({"compute", "tpus", "tpu-vm", "list"}).api_version(), "v2alpha1");
  env.set("CLOUDSDK_TPU_API_VERSION", "v3");
  EXPECT_THAT(error_of([&] { context().api_version(); }).what(), HasSubstr("[v3]"));
}

// ---- endpoints -----------------------------------------------------------------------------------------------------------

TEST_F(ContextTest, EndpointsAreGooglesUntilOverridden) {
  env.unset("CLOUDSDK_API_ENDPOINT_OVERRIDES_TPU");
  EXPECT_EQ(context().endpoint("tpu"), "https://tpu.googleapis.com/");
  EXPECT_EQ(context().endpoint("compute"), "https://compute.googleapis.com/compute/");
  EXPECT_EQ(context().endpoint("cloudresourcemanager"), "https://cloudresourcemanager.googleapis.com/");
  EXPECT_EQ(context().endpoint("oslogin"), "https://oslogin.googleapis.com/");
  EXPECT_EQ(context().endpoint("storage"), "https://storage.googleapis.com/");
}

struct EndpointCase {
  const char* service;
  const char* override_url;
  const char* base;  ///< nullptr: refused
};

TEST_F(ContextTest, OverridesAreReadAsGcloudReadsThem) {
  const EndpointCase cases[] = {
      {"tpu", "http://127.0.0.1:8080/", "http://127.0.0.1:8080/"},
      {"tpu", "https://x.example/path/", "https://x.example/path/"},
      {"tpu", "https://x.example", nullptr},
      {"tpu", "x.example/", nullptr},
      {"tpu", "ftp://x.example/", nullptr},
      {"compute", "http://h/compute/v1/", "http://h/compute/"},
      {"compute", "http://h/compute/beta/", "http://h/compute/"},
      {"compute", "http://h/compute/", "http://h/compute/"},
      {"compute", "http://h:1/", "http://h:1/compute/"},
      {"storage", "http://h/storage/v1/", "http://h/"},
      {"storage", "http://h/", "http://h/"},
  };
  for (const EndpointCase& one : cases) {
    const std::string name = "CLOUDSDK_API_ENDPOINT_OVERRIDES_" + text::upper(one.service);
    env.set(name, one.override_url);
    std::string got;
    const std::string complaint = complaint_of([&] { got = context().endpoint(one.service); });
    if (one.base) {
      EXPECT_EQ(got, one.base) << one.override_url << complaint;
    } else {
      EXPECT_THAT(complaint, HasSubstr(one.override_url));
    }
    env.unset(name);
  }
}

// ---- project and zone -------------------------------------------------------------------------------------------------------

TEST_F(ContextTest, FlagsBeatTheEnvironmentBeatsTheFile) {
  folder.put("gcloud/configurations/config_default", "[core]\nproject = from-file\n[compute]\nzone = zone-file\n");
  EXPECT_EQ(context({"tpu-vm", "list", "--project=flag", "--zone=zone-flag"}).project(), "flag");
  EXPECT_EQ(made->zone(), "zone-flag");
  EXPECT_EQ(context().project(), "test-project");
  EXPECT_EQ(made->zone(), "us-central2-b");
  env.unset("CLOUDSDK_CORE_PROJECT");
  env.unset("CLOUDSDK_COMPUTE_ZONE");
  EXPECT_EQ(context().project(), "from-file");
  EXPECT_EQ(made->zone(), "zone-file");
}

TEST_F(ContextTest, AMissingProjectOrZoneIsAFailureWithTheRemedy) {
  env.unset("CLOUDSDK_CORE_PROJECT");
  env.unset("CLOUDSDK_COMPUTE_ZONE");
  for (const auto& [what, call] : std::vector<std::pair<std::string, std::function<void()>>>{{"project", [&] { context().project(); }}, {"zone", [&] { context().zone(); }}}) {
    const Error error = error_of(call);
    EXPECT_EQ(error.kind, Kind::failure) << "exit code 1, as in gcloud";
    EXPECT_THAT(std::string(error.what()) + error.hint, AllOf(HasSubstr(what), HasSubstr("--" + what)));
  }
  EXPECT_EQ(run({"tpu-vm", "create", "n", "--version=r", "--dry-run"}), 1);
  EXPECT_EQ(io->out_text, "");
}

TEST_F(ContextTest, FullNamesBeatFlags) {
  EXPECT_EQ(context({"tpu-vm", "list", "--zone=z1"}).name("n", "nodes", "tpu").full(), "projects/test-project/locations/z1/nodes/n");
  EXPECT_EQ(context({"tpu-vm", "list", "--zone=z1"}).name("projects/o/locations/z2/nodes/n", "nodes", "tpu").full(), "projects/o/locations/z2/nodes/n");
  EXPECT_EQ(context().name("https://tpu.googleapis.com/v2/projects/o/locations/z2/nodes/n", "nodes", "tpu").full(), "projects/o/locations/z2/nodes/n");
  env.unset("CLOUDSDK_CORE_PROJECT");
  env.unset("CLOUDSDK_COMPUTE_ZONE");
  EXPECT_EQ(context().name("projects/o/locations/z2/nodes/n", "nodes", "tpu").id, "n") << "needs no configuration at all";
}

TEST_F(ContextTest, NamesOfAnotherKindAreRefused) {
  EXPECT_NE(complaint_of([&] { context().name("projects/o/locations/z/queuedResources/q", "nodes", "tpu"); }), "");
  EXPECT_NE(complaint_of([&] { context().name("a/b", "nodes", "tpu"); }), "");
  EXPECT_NE(complaint_of([&] { context().name("", "nodes", "tpu"); }), "");
}

// ---- output ----------------------------------------------------------------------------------------------------------------------

TEST_F(ContextTest, TheOutputKnowsWhatWasTypedAndWhatIsConfigured) {
  env.set("CLOUDSDK_CORE_DEFAULT_FORMAT", "json");
  env.set("CLOUDSDK_ACCESSIBILITY_SCREEN_READER", "1");
  const auto options = context({"tpu-vm", "list", "--zone=-", "--all-zones", "--limit=3", "--format=table(name.if(zone:-), zone)"}).output();
  EXPECT_EQ(options.format, "table(name.if(zone:-), zone)");
  EXPECT_EQ(options.flags, (Json{{"zone", "-"}, {"all_zones", true}, {"limit", "3"}, {"format", options.format}}));
  EXPECT_EQ(options.default_name, "json");
  EXPECT_EQ(options.limit, 3);
  EXPECT_TRUE(options.screen_reader);
}

// ---- calls -----------------------------------------------------------------------------------------------------------------------

TEST_F(ContextTest, ADryRunPrintsTheCall) {
  Context& with = context();
  api::Client client = with.tpu("v2");
  api::Call call = client.verb_call({"p", "z", "nodes", "n"}, "start");
  with.print_call(client, call);
  EXPECT_EQ(io->out_text, "POST http://127.0.0.1:1/v2/projects/p/locations/z/nodes/n:start?alt=json\n{}\n");
}

TEST_F(ContextTest, ACommandThatNeedsNoCredentialLooksForNone) {
  env.unset("CLOUDSDK_AUTH_ACCESS_TOKEN");
  env.set("GOOGLE_APPLICATION_CREDENTIALS", "/no/such/file");
  EXPECT_EQ(run({"version"}), 0);
  EXPECT_EQ(run({"config", "list"}), 0);
  EXPECT_EQ(run({"tpu-vm", "create", "--help"}), 0);
}

TEST_F(ContextTest, RefusalsNameTheCredential) {
  const auto told = [this](int http, const char* message, const char* hint = "a hint") {
    Context& with = context();
    return error_of([&] {
      commands::with_credential_words(with, [&]() -> int {
        Error error(Kind::denied, message, hint);
        error.http = http;
        error.status = "S";
        throw error;
      });
    });
  };
  for (const int http : {401, 403, 404}) {
    const Error error = told(http, "No");
    EXPECT_THAT(error.what(), HasSubstr("No. This command is authenticated with an access token from the CLOUDSDK_AUTH_ACCESS_TOKEN")) << http;
    EXPECT_EQ(error.hint, "a hint") << "what the answer tells goes first";
    EXPECT_EQ(error.status, "S");
    EXPECT_EQ(error.http, http);
  }
  EXPECT_EQ(told(401, "No", "Sign in again: ...").hint, "The token may have expired: hand over a new one.") << "the credential knows better";
  EXPECT_STREQ(told(500, "No").what(), "No");
  EXPECT_STREQ(told(0, "No").what(), "No");
}

// ---- what reaches the screen ------------------------------------------------------------------------------------------------------

TEST(Screen, NothingFromTheServiceMovesTheCursor) {
  Error error(Kind::failure, "message \x1b[31m\r\x07", "hint \x1b]0;x\x07");
  error.status = "STATUS\x1b";
  error.details = Json::parse(R"([{"@type":"x","text":"\u001b[2J","list":["\u009b31m","\u0007"]}])");
  for (const std::string& text : {cli::error_text(error, "tpuctl.x", false), cli::error_json(error, 1), cli::warning_text("w \x1b[31m", false)}) {
    for (const char c : text) EXPECT_TRUE(static_cast<unsigned char>(c) >= 0x20 || c == '\n') << static_cast<int>(c) << " in " << text;
    EXPECT_EQ(text.find("\xC2\x9B"), std::string::npos) << text;
  }
  Json parsed;
  EXPECT_TRUE(Json::try_parse(cli::error_json(error, 1), parsed)) << "JSON stays JSON";
}

}  // namespace
}  // namespace tpuctl::test
