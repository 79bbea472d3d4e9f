// SPDX-License-Identifier: Apache-2.0
#include "auth/urls.hpp"

#include <gmock/gmock.h>

#include "base/file.hpp"
#include "tests/unit/auth/data.hpp"

namespace tpuctl::test {
namespace {

const Json& hosts() {
  static const Json all = auth_data("credential_urls.json");
  return all;
}

void each_of(const char* list, const std::function<bool(const std::string&)>& accepts) {
  ASSERT_GT(hosts()[list].size(), 0u);
  for (const Json& one : hosts()[list].items()) {
    EXPECT_EQ(accepts(one["url"].text()), one["accept"].boolean()) << list << ": [" << one["url"].text() << "]";
  }
}

TEST(CredentialUrls, OnlyTheSecurityTokenServiceGetsSubjectTokens) {
  each_of("token_url", [](const std::string& url) { return auth::is_service_url(url, "sts", "googleapis.com"); });
}

TEST(CredentialUrls, OnlyIamCredentialsGetsTokensToImpersonateWith) {
  each_of("service_account_impersonation_url", [](const std::string& url) { return auth::is_service_url(url, "iamcredentials", "googleapis.com"); });
}

TEST(CredentialUrls, OnlyTheMetadataAddressOfAwsIsAskedForItsKeys) { each_of("aws_metadata_url", auth::is_aws_metadata_url); }

TEST(CredentialUrls, AnotherUniverseHasHostsOfItsOwn) {
  EXPECT_TRUE(auth::is_service_url("https://sts.example.goog/v1/token", "sts", "example.goog"));
  EXPECT_FALSE(auth::is_service_url("https://sts.googleapis.com/v1/token", "sts", "example.goog"));
  EXPECT_FALSE(auth::is_service_url("https://sts.example.goog/v1/token", "sts", "googleapis.com"));
}

struct Verdict {
  const char* url;
  bool fine;
};

TEST(CredentialUrls, TokenEndpointsAreGooglesAndEncrypted) {
  const Verdict cases[] = {{"https://oauth2.googleapis.com/token", true},   {"https://www.googleapis.com/oauth2/v4/token", true},
                           {"https://accounts.google.com/o/oauth2/token", true}, {"https://oauth2.mtls.googleapis.com/token", true},
                           {"http://oauth2.googleapis.com/token", false},   {"https://oauth2.googleapis.com.example.com/token", false},
                           {"https://googleapis.com.example/token", false}, {"https://evilgoogleapis.com/token", false},
                           {"https://x@oauth2.googleapis.com/token", false}, {"https://example.com/?oauth2.googleapis.com", false},
                           {"", false}};
  for (const Verdict& one : cases) EXPECT_EQ(auth::is_token_url(one.url, "googleapis.com"), one.fine) << one.url;
}

TEST(CredentialUrls, SubjectTokensComeEncryptedOrFromNearby) {
  const Verdict cases[] = {{"https://pipelines.actions.example.com/token?a=b", true}, {"http://169.254.169.254/metadata/identity", true},
                           {"http://127.0.0.1:80/x", true},  {"http://[fd00:ec2::254]/x", true},   {"http://localhost:1/x", true},
                           {"http://example.com/x", false},  {"http://127.0.0.1@example.com/", false}, {"https://u:p@example.com/", false},
                           {"file:///etc/passwd", false},    {"http://10.0.0.1/x", false}};
  for (const Verdict& one : cases) EXPECT_EQ(auth::is_subject_url(one.url), one.fine) << one.url;
}

TEST(CredentialUrls, AnEndpointTakesTheHostsPlace) {
  EXPECT_EQ(auth::redirected("https://sts.googleapis.com/v1/token", "http://127.0.0.1:80/"), "http://127.0.0.1:80/v1/token");
  EXPECT_EQ(auth::redirected("https://sts.googleapis.com/v1/token", "http://127.0.0.1:80/below/"), "http://127.0.0.1:80/below/v1/token");
  EXPECT_EQ(auth::redirected("https://sts.googleapis.com/v1/token", ""), "https://sts.googleapis.com/v1/token");
}

}  // namespace
}  // namespace tpuctl::test
