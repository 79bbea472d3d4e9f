// SPDX-License-Identifier: Apache-2.0
// What each kind of credential asks, word for word, and what it makes of the answers.
#include <gmock/gmock.h>

#include "base/secrets.hpp"
#include "tests/unit/auth/data.hpp"
#include "tests/unit/auth/world.hpp"

namespace tpuctl::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

const std::string kTokenUrl = "https://oauth2.googleapis.com/token";
const std::string kStsUrl = "https://sts.googleapis.com/v1/token";
const std::string kPool = "//iam.googleapis.com/projects/1/locations/global/workloadIdentityPools/pool/providers/provider";
const std::string kJwt = "urn:ietf:params:oauth:token-type:jwt";

class Kinds : public AuthTest {
 protected:
  /// The fields of the form in the last request.
  std::map<std::string, std::string> form() {
    std::map<std::string, std::string> out;
    for (const std::string& pair : text::split(plain.sent.back().body, '&')) {
      out[pair.substr(0, pair.find('='))] = text::percent_decode(pair.substr(pair.find('=') + 1));
    }
    return out;
  }
  std::string token_of(const Json& json) { return find(json).source->token(clock.now()).value; }
};

// ---- a user's refresh token --------------------------------------------------------------------------------------------

TEST_F(Kinds, AUsersRefreshTokenIsExchanged) {
  Json json = user_json("sec=ret");
  json.member("refresh_token") = "1//re fresh";
  plain.expect("POST", kTokenUrl)
      .with_header("Content-Type", "application/x-www-form-urlencoded")
      .with_body("grant_type=refresh_token&client_id=client-id&client_secret=sec%3Dret&refresh_token=1%2F%2Fre%20fresh")
      .reply(200, token_answer("a1", 3600));
  const auth::Credential found = find(json);
  const api::Token got = found.source->token(clock.now());
  EXPECT_EQ(got.value, "a1");
  EXPECT_EQ(got.expires, clock.now() + std::chrono::hours(1));
  EXPECT_FALSE(plain.sent[0].authorize) << "a token request is not signed itself";
}

TEST_F(Kinds, AnExpiryMayBeTextOrMissing) {
  plain.expect("POST", kTokenUrl).reply(200, Json{{"access_token", "a1"}, {"expires_in", "60"}});
  EXPECT_EQ(find(user_json()).source->token(clock.now()).expires, clock.now() + std::chrono::minutes(1));
  plain.expect("POST", kTokenUrl).reply(200, Json{{"access_token", "a2"}});
  EXPECT_FALSE(find(user_json()).source->token(clock.now()).expires);
}

TEST_F(Kinds, ANewRefreshTokenTakesTheOldOnesPlace) {
  Json answer = token_answer("a1", 1);
  answer.member("refresh_token") = "second-refresh";
  plain.expect("POST", kTokenUrl).reply(200, answer);
  const auth::Credential found = find(user_json());
  found.source->token(clock.now());
  clock.forward(10);
  plain.expect("POST", kTokenUrl).with_body(HasSubstr("refresh_token=second-refresh")).reply(200, token_answer("a2"));
  found.source->token(clock.now());
  EXPECT_EQ(secrets::redact("second-refresh"), secrets::kMask);
}

TEST_F(Kinds, APermanentRefusalIsNotRepeatedAndAPassingOneIs) {
  plain.expect("POST", kTokenUrl).reply(400, Json{{"error", "invalid_grant"}, {"error_description", "Bad Request"}});
  EXPECT_EQ(refused_token(user_json()).kind, Kind::denied);
  plain.expect("POST", kTokenUrl).reply(400, Json{{"error", "temporarily_unavailable"}});
  plain.expect("POST", kTokenUrl).reply(400, Json{{"error", "internal_failure"}});
  plain.expect("POST", kTokenUrl).reply(200, token_answer("a1"));
  EXPECT_EQ(token_of(user_json()), "a1");
  EXPECT_THAT(clock.slept, ::testing::ElementsAre(1, 2));
}

TEST_F(Kinds, NoMessageHoldsASecret) {
  Json echo{{"error", "invalid_grant"}, {"error_description", "bad: client-secret refresh-token"}};
  plain.expect("POST", kTokenUrl).reply(400, echo);
  EXPECT_THAT(refused_token(user_json()).what(), AllOf(Not(HasSubstr("client-secret")), Not(HasSubstr("refresh-token"))));
  plain.expect("POST", kTokenUrl).reply_text(200, R"({"access_token": "cut short)");
  EXPECT_THAT(refused_token(user_json()).what(), Not(HasSubstr("cut short")));
}

TEST_F(Kinds, FieldsOfAnotherTypeAreRefused) {
  for (const char* field : {"client_id", "client_secret", "refresh_token"}) {
    for (const Json& wrong : {Json(7), Json(""), Json(nullptr), Json::array()}) {
      Json json = user_json();
      json.member(field) = wrong;
      EXPECT_THAT(refusal(json).what(), HasSubstr(field));
    }
  }
}

// ---- a service account's key -------------------------------------------------------------------------------------------

Json key_json() { return auth_data("TEST_ONLY_service_account.json"); }

Json claims_in(const std::string& jwt) { return Json::parse(*text::from_base64url(text::split(jwt, '.')[1])); }

TEST_F(Kinds, AKeysSignatureIsExchanged) {
  clock = FakeClock("2023-11-14T22:13:30Z");  // ten seconds after the vectors': iat lies that far back
  const Json vector = auth_data("jwt.json")["vectors"][std::size_t{0}];
  plain.expect("POST", kTokenUrl).reply(200, token_answer("a1"));
  EXPECT_EQ(token_of(key_json()), "a1");
  EXPECT_EQ(form()["grant_type"], "urn:ietf:params:oauth:grant-type:jwt-bearer");
  EXPECT_EQ(form()["assertion"], vector["jwt"].text());
}

TEST_F(Kinds, EachExchangeIsSignedAnew) {
  const auth::Credential found = find(key_json());
  std::vector<std::int64_t> made;
  for (int round = 0; round < 2; ++round) {
    plain.expect("POST", kTokenUrl).reply(200, token_answer("a", 2));
    found.source->token(clock.now());
    const Json claims = claims_in(form()["assertion"]);
    EXPECT_EQ(claims["exp"].integer() - claims["iat"].integer(), 3600);
    made.push_back(claims["iat"].integer());
    clock.forward(3700);
  }
  EXPECT_EQ(made[1] - made[0], 3700);
}

TEST_F(Kinds, TheAudienceIsGooglesUnlessTheKeyIsForSomebodyElse) {
  Json key = key_json();
  key.member("token_uri") = "https://www.googleapis.com/oauth2/v4/token";
  plain.expect("POST", "https://www.googleapis.com/oauth2/v4/token").reply(200, token_answer("a1"));
  token_of(key);
  EXPECT_EQ(claims_in(form()["assertion"])["aud"].text(), kTokenUrl);
  key.member("token_uri") = "http://127.0.0.1:80/token";
  plain.expect("POST", "http://127.0.0.1:80/token").reply(200, token_answer("a1"));
  token_of(key);
  EXPECT_EQ(claims_in(form()["assertion"])["aud"].text(), "http://127.0.0.1:80/token");
}

TEST_F(Kinds, AKeySignsByItselfWhenAskedToAndInOtherUniverses) {
  plain.forbid();
  wishes.self_signed = true;
  clock = FakeClock("2023-11-14T22:13:30Z");
  const api::Token got = find(key_json()).source->token(clock.now());
  EXPECT_EQ(got.value, auth_data("jwt.json")["vectors"][std::size_t{4}]["jwt"].text());
  EXPECT_EQ(got.expires, parse_rfc3339("2023-11-14T23:13:20Z"));
  wishes.self_signed = false;
  wishes.universe = "example-universe.goog";
  Json key = key_json();
  key.member("universe_domain") = "example-universe.goog";
  EXPECT_EQ(claims_in(token_of(key))["sub"], key["client_email"]) << "there is no exchange elsewhere";
}

struct Skew {
  const char* date;
  const char* says;
};

TEST_F(Kinds, AClockThatIsOffIsToldWithHowMuch) {
  const Skew cases[] = {{"Thu, 01 Jan 2026 00:10:00 GMT", "about 600 seconds (10m00s) behind that of https://oauth2.googleapis.com: set it"},
                        {"Wed, 31 Dec 2025 23:58:30 GMT", "about 90 seconds ahead of that of"},
                        {"Thu, 01 Jan 2026 00:00:59 GMT", "was rejected"},
                        {"nonsense", "was rejected"}};
  for (const Skew& one : cases) {
    plain.expect("POST", kTokenUrl).reply_text(400, R"({"error":"invalid_grant","error_description":"Invalid JWT"})", {{"Date", one.date}});
    EXPECT_THAT(refused_token(key_json()).hint, HasSubstr(one.says)) << one.date;
  }
  plain.expect("POST", kTokenUrl).reply_text(400, R"({"error":"invalid_grant","error_description":"Bad Request"})", {{"Date", "Thu, 01 Jan 2026 00:10:00 GMT"}});
  EXPECT_THAT(refused_token(user_json()).hint, Not(HasSubstr("clock"))) << "a refresh token has no clock";
}

TEST_F(Kinds, BothEncodingsOfAKeyAreRead) {
  wishes.self_signed = true;
  EXPECT_EQ(token_of(key_json()), token_of(auth_data("TEST_ONLY_service_account_pkcs1.json")));
}

TEST_F(Kinds, ABadKeyIsNamedBeforeAnythingIsSent) {
  plain.forbid();
  const Json all = auth_data("bad_key_variants.json");
  for (const Json& variant : all["variants"].items()) {
    if (variant.find("expect") != nullptr || variant["name"].text() == "literal_backslash_n") continue;
    Json key = key_json();
    key.member("private_key") = variant["private_key"];
    const Error error = refusal(key);
    EXPECT_EQ(error.kind, Kind::denied) << variant["name"].text();
    EXPECT_THAT(error.what(), AllOf(HasSubstr("private_key"), HasSubstr(folder / "key.json"), Not(HasSubstr("MII")))) << variant["name"].text();
  }
}

// ---- impersonation -----------------------------------------------------------------------------------------------------

const std::string kIamUrl = "https://iamcredentials.googleapis.com/v1/projects/-/serviceAccounts/t@p.com:generateAccessToken";

TEST_F(Kinds, ImpersonationAsksWithTheOthersToken) {
  wishes.impersonate = {"a@p.com", "projects/-/serviceAccounts/b@p.com", "t@p.com"};
  plain.expect("POST", kTokenUrl).reply(200, token_answer("a1"));
  plain.expect("POST", kIamUrl)
      .with_header("Authorization", "Bearer a1")
      .with_header("Content-Type", "application/json")
      .with_json(Json{{"scope", Json::strings({"https://www.googleapis.com/auth/cloud-platform"})},
                      {"lifetime", "3600s"},
                      {"delegates", Json::strings({"projects/-/serviceAccounts/a@p.com", "projects/-/serviceAccounts/b@p.com"})}})
      .reply(200, Json{{"accessToken", "i1"}, {"expireTime", "2026-01-01T01:00:00.5Z"}});
  const api::Token got = find(user_json()).source->token(clock.now());
  EXPECT_EQ(got.value, "i1");
  EXPECT_EQ(got.expires, parse_rfc3339("2026-01-01T01:00:00.5Z"));
}

TEST_F(Kinds, AFileOfTheTypeDoesTheSame) {
  const Json json{{"type", "impersonated_service_account"},
                  {"service_account_impersonation_url", kIamUrl},
                  {"delegates", Json::strings({"d1"})},
                  {"source_credentials", user_json()}};
  plain.expect("POST", kTokenUrl).reply(200, token_answer("a1"));
  plain.expect("POST", kIamUrl)
      .with_header("Authorization", "Bearer a1")
      .with_body(HasSubstr(R"("delegates":["projects/-/serviceAccounts/d1"])"))
      .reply(200, Json{{"accessToken", "i1"}, {"expireTime", "2026-01-01T01:00:00Z"}});
  const auth::Credential found = find(json);
  EXPECT_EQ(found.source->token(clock.now()).value, "i1");
  EXPECT_EQ(found.identity.impersonated, "t@p.com");
}

TEST_F(Kinds, ItsSourceIsSignedInAnewOnceWhenItIsRefused) {
  wishes.impersonate = {"t@p.com"};
  plain.expect("POST", kTokenUrl).reply(200, token_answer("a1"));
  plain.expect("POST", kIamUrl).reply_error(401, "UNAUTHENTICATED", "expired");
  plain.expect("POST", kTokenUrl).reply(200, token_answer("a2"));
  plain.expect("POST", kIamUrl).with_header("Authorization", "Bearer a2").reply(200, Json{{"accessToken", "i1"}, {"expireTime", "2026-01-01T01:00:00Z"}});
  EXPECT_EQ(token_of(user_json()), "i1");
}

TEST_F(Kinds, ImpersonationFollowsUniverseAndEndpoint) {
  wishes.impersonate = {"t@p.com"};
  wishes.iam_endpoint = "http://127.0.0.1:80/";
  plain.expect("POST", kTokenUrl).reply(200, token_answer("a1"));
  plain.expect("POST", "http://127.0.0.1:80/v1/projects/-/serviceAccounts/t@p.com:generateAccessToken")
      .reply(200, Json{{"accessToken", "i1"}, {"expireTime", "2026-01-01T01:00:00Z"}});
  EXPECT_EQ(token_of(user_json()), "i1");
}

// ---- federation ----------------------------------------------------------------------------------------------------------

Json federated(const Json& source, const std::string& type = kJwt) {
  return Json{{"type", "external_account"}, {"audience", kPool}, {"subject_token_type", type}, {"token_url", kStsUrl}, {"credential_source", source}};
}

TEST_F(Kinds, ASubjectTokenIsExchanged) {
  plain.expect("POST", kStsUrl).without_header("Authorization").reply(200, token_answer("f1"));
  EXPECT_EQ(token_of(federated(Json{{"file", folder.put("subject", "subject-1\r\n")}})), "f1");
  EXPECT_EQ(form()["grant_type"], "urn:ietf:params:oauth:grant-type:token-exchange");
  EXPECT_EQ(form()["audience"], kPool);
  EXPECT_EQ(form()["scope"], "https://www.googleapis.com/auth/cloud-platform");
  EXPECT_EQ(form()["requested_token_type"], "urn:ietf:params:oauth:token-type:access_token");
  EXPECT_EQ(form()["subject_token"], "subject-1") << "without the line's end";
  EXPECT_EQ(form()["subject_token_type"], kJwt);
  EXPECT_EQ(form().count("options"), 0u);
  EXPECT_EQ(secrets::redact("subject-1"), secrets::kMask);
}

TEST_F(Kinds, TheSubjectTokenIsReadAnewForEachExchange) {
  const auth::Credential found = find(federated(Json{{"file", folder.put("subject", R"({"t":"subject-1"})")}, {"format", Json{{"type", "json"}, {"subject_token_field_name", "t"}}}}));
  for (const char* subject : {"subject-1", "subject-2"}) {
    folder.put("subject", Json{{"t", subject}}.dump());
    plain.expect("POST", kStsUrl).reply(200, token_answer("f", 4));
    found.source->token(clock.now());
    EXPECT_EQ(form()["subject_token"], subject);
    clock.forward(3);
  }
}

TEST_F(Kinds, FederationMayImpersonate) {
  Json json = federated(Json{{"file", folder.put("subject", "subject-1")}});
  json.member("service_account_impersonation_url") = kIamUrl;
  json.member("service_account_impersonation") = Json{{"token_lifetime_seconds", 1200}};
  plain.expect("POST", kStsUrl).with_body(HasSubstr("scope=https%3A%2F%2Fwww.googleapis.com%2Fauth%2Fiam&")).reply(200, token_answer("f1"));
  plain.expect("POST", kIamUrl)
      .with_header("Authorization", "Bearer f1")
      .with_body(HasSubstr(R"("lifetime":"1200s")"))
      .reply(200, Json{{"accessToken", "i1"}, {"expireTime", "2026-01-01T00:20:00Z"}});
  EXPECT_EQ(token_of(json), "i1");
  for (const Json& wrong : {Json(599), Json(43201), Json("x")}) {
    json.member("service_account_impersonation").member("token_lifetime_seconds") = wrong;
    EXPECT_THAT(refusal(json).what(), HasSubstr("between 600 and 43200"));
  }
}

TEST_F(Kinds, AClientOfThePoolProvesItself) {
  Json json = federated(Json{{"file", folder.put("subject", "subject-1")}});
  json.member("client_id") = "pool-client";
  json.member("client_secret") = "pool-secret";
  plain.expect("POST", kStsUrl).with_header("Authorization", "Basic " + text::base64("pool-client:pool-secret")).reply(200, token_answer("f1"));
  token_of(json);
  EXPECT_EQ(secrets::redact(text::base64("pool-client:pool-secret")), secrets::kMask);
}

TEST_F(Kinds, AWorkforcePoolBillsTheProjectThatIsNamed) {
  Json json = federated(Json{{"file", folder.put("subject", "subject-1")}});
  json.member("workforce_pool_user_project") = "123";
  EXPECT_THAT(refusal(json).what(), HasSubstr("workforce pools only"));
  json.member("audience") = "//iam.googleapis.com/locations/global/workforcePools/pool/providers/p";
  plain.expect("POST", kStsUrl).reply(200, token_answer("f1"));
  token_of(json);
  EXPECT_EQ(text::percent_decode(form()["options"]), R"({"userProject":"123"})");
}

TEST_F(Kinds, OnlyATokenToBearIsTaken) {
  Json answer = token_answer("f1");
  answer.member("token_type") = "N_A";
  plain.expect("POST", kStsUrl).reply(200, answer);
  EXPECT_THAT(refused_token(federated(Json{{"file", folder.put("subject", "subject-1")}})).what(), HasSubstr("[N_A], not Bearer"));
}

TEST_F(Kinds, ItsEndpointMayBeSetApart) {
  wishes.sts_endpoint = "http://127.0.0.1:80/";
  plain.expect("POST", "http://127.0.0.1:80/v1/token").reply(200, token_answer("f1"));
  EXPECT_EQ(token_of(federated(Json{{"file", folder.put("subject", "subject-1")}})), "f1");
}

TEST_F(Kinds, AUrlIsAskedWithItsHeaders) {
  const Json near{{"url", "http://127.0.0.1:80/s?x=y"}, {"headers", Json{{"Authorization", "Bearer request-secret"}, {"Metadata", "True"}}}};
  direct.expect("GET", "http://127.0.0.1:80/s?x=y").with_header("Authorization", "Bearer request-secret").with_header("Metadata", "True").reply_text(200, "subject-1");
  plain.expect("POST", kStsUrl).reply(200, token_answer("f1"));
  token_of(federated(near));
  EXPECT_THAT(secrets::redact("Bearer request-secret, request-secret"), Not(HasSubstr("request-secret")));
  plain.expect("GET", "https://example.com/s").reply_text(200, "subject-1");  // that way may lead through a proxy
  plain.expect("POST", kStsUrl).reply(200, token_answer("f1"));
  token_of(federated(Json{{"url", "https://example.com/s"}}));
}

TEST_F(Kinds, OneSourceAndNoMore) {
  EXPECT_THAT(refusal(federated(Json{{"file", "f"}, {"url", "https://example.com"}})).what(), HasSubstr("more than one"));
  EXPECT_THAT(refusal(federated(Json::object())).what(), HasSubstr("neither file, url, executable nor AWS"));
  EXPECT_THAT(refusal(federated(Json("x"))).what(), HasSubstr("credential_source is missing"));
  EXPECT_THAT(refusal(federated(Json{{"file", "f"}, {"environment_id", "aws1"}})).what(), HasSubstr("environment_id"));
  EXPECT_THAT(refusal(federated(Json{{"file", "f"}, {"format", Json{{"type", "xml"}}}})).what(), HasSubstr("neither text nor json"));
  EXPECT_THAT(refusal(federated(Json{{"file", "f"}, {"format", Json{{"type", "json"}}}})).what(), HasSubstr("subject_token_field_name"));
}

TEST_F(Kinds, AFileFromElsewhereSendsNothingToStrangers) {
  Json json = federated(Json{{"file", "f"}});
  json.member("token_url") = "https://sts.example.com/v1/token";
  EXPECT_THAT(refusal(json).hint, HasSubstr("TPUCTL_ALLOW_UNTRUSTED_CREDENTIAL_URLS=1"));
  json.member("token_url") = kStsUrl;
  json.member("service_account_impersonation_url") = "https://iam.example.com/v1/projects/-/serviceAccounts/t@p.com:generateAccessToken";
  EXPECT_THAT(refusal(json).what(), HasSubstr("service_account_impersonation_url [https://iam.example.com/"));
  env.set("TPUCTL_ALLOW_UNTRUSTED_CREDENTIAL_URLS", "1");
  EXPECT_NO_THROW(find(json));
}

// ---- the machine ---------------------------------------------------------------------------------------------------------

const std::string kMetadataUrl = "http://127.0.0.1:80/computeMetadata/v1/instance/service-accounts/default/token";
const api::Headers kFlavor = {{"Metadata-Flavor", "Google"}};

TEST_F(Kinds, TheMetadataServersTokensAreReplacedLateForItHasNoNewerOnes) {
  env.set("GCE_METADATA_HOST", "127.0.0.1:80");
  const auth::Credential found = find();
  direct.expect("GET", kMetadataUrl).with_header("Metadata-Flavor", "Google").reply(200, token_answer("m1", 600), kFlavor);
  EXPECT_EQ(found.source->token(clock.now()).value, "m1");
  clock.forward(374);
  EXPECT_EQ(found.source->token(clock.now()).value, "m1") << "226 s are left";
  clock.forward(1);
  direct.expect("GET", kMetadataUrl).reply(200, token_answer("m2", 600), kFlavor);
  EXPECT_EQ(found.source->token(clock.now()).value, "m2") << "225 s are left";
  for (const auto& request : direct.sent) EXPECT_FALSE(request.authorize);
  EXPECT_TRUE(plain.sent.empty()) << "never through a proxy";
}

TEST_F(Kinds, AMachineOfAnotherUniverseGivesNoToken) {
  const std::string kUniverseUrl = "http://127.0.0.1:80/computeMetadata/v1/universe/universe-domain";
  env.set("GCE_METADATA_HOST", "127.0.0.1:80");
  wishes.universe = "example.goog";
  direct.expect("GET", kUniverseUrl).reply_text(404, "", kFlavor);
  EXPECT_THAT(error_of([&] { token(); }).what(), HasSubstr("of the universe googleapis.com, but core/universe_domain is example.goog"));
  direct.expect("GET", kUniverseUrl).reply_text(200, "example.goog\n", kFlavor);
  direct.expect("GET", kMetadataUrl).reply(200, token_answer("m1"), kFlavor);
  EXPECT_EQ(token(), "m1");
}

}  // namespace
}  // namespace tpuctl::test
