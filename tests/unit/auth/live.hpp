// SPDX-License-Identifier: Apache-2.0
// A machine with real wires to identity.py, and the credentials of every kind that work there. Only the waits between tries
// are skipped.
#pragma once

#include <gmock/gmock.h>

#include <regex>

#include "auth/bearer.hpp"
#include "base/secrets.hpp"
#include "tests/support/identity_server.hpp"
#include "tests/unit/auth/data.hpp"
#include "tests/unit/auth/world.hpp"

namespace tpuctl::test {

inline const char* const kDead = "http://127.0.0.1:1";  // nothing listens there
inline const std::string kTarget = "target@p.iam.gserviceaccount.com";

/// A machine with real wires to the identity services.
struct Live : Machine {
  explicit Live(IdentityServer& identity) : server(identity), base(identity.url) {
    wishes.token_url = base + "/token";
    server.reset();
  }
  void use(const Json& json) { env.set("GOOGLE_APPLICATION_CREDENTIALS", put("key.json", json)); }
  /// The services are at that address from now on.
  void at(const std::string& url) {
    base = url;
    wishes.token_url = base + "/token";
  }
  /// What the user sees: the token's kind, or the message and the next step, with the names of this run taken out.
  std::string outcome() {
    api::CurlOptions options;
    options.proxy = "none";
    api::CurlTransport curl(options);
    api::RetryTransport wire(curl, clock);
    std::string out;
    try {
      const auth::Credential found = auth::find_credentials(wishes, env, {wire, wire, curl, clock});
      auth::BearerTransport bearer(wire, *found.source, clock, {});
      api::Request request;
      request.url = server.url + "/v2/projects/p/locations/-/nodes";
      const api::Response response = bearer.send(request);
      if (response.status != 200) return text::replace_all("refused: " + found.identity.remedy, folder.path, "DIR");
      const std::string token = found.source->token(clock.now()).value;
      return token.starts_with("eyJ") ? "signs with a JWT" : "signs with " + token.substr(0, token.find('-'));
    } catch (const Error& error) {
      EXPECT_TRUE(error.kind == Kind::denied || error.kind == Kind::unavailable) << error.what();
      out = std::string(error.what()) + (error.hint.empty() ? "" : " / " + error.hint);
      EXPECT_EQ(secrets::redact(out), out) << "a secret in a message";
    }
    static const std::regex after(" after [0-9]+ ms"), about("about [0-9]+ seconds \\([^)]*\\)");
    out = std::regex_replace(std::regex_replace(out, after, ""), about, "about N seconds");
    return text::replace_all(text::replace_all(out, server.host, "HOST"), folder.path, "DIR");
  }

  IdentityServer& server;
  std::string base;
  FakeClock clock{rfc3339(SystemClock().now())};
};

inline Json oauth(const std::string& error, const std::string& description) { return Json{{"error", error}, {"error_description", description}}; }
inline const Json kRevoked = oauth("invalid_grant", "Token has been expired or revoked.");
inline Json rapt() {
  Json out = oauth("invalid_grant", "reauth related error (invalid_rapt)");
  out.member("error_subtype") = "invalid_rapt";
  return out;
}
inline const Json kForbidden{{"error", Json{{"code", 403}, {"status", "PERMISSION_DENIED"}, {"message", "Permission 'iam.serviceAccounts.getAccessToken' denied."}}}};

inline Json service_account(const Live& live) {
  Json out = auth_data("TEST_ONLY_service_account.json");
  out.member("token_uri") = live.base + "/token";
  return out;
}

inline Json impersonated(const Live& live) {
  return Json{{"type", "impersonated_service_account"},
              {"service_account_impersonation_url", live.base + "/v1/projects/-/serviceAccounts/" + kTarget + ":generateAccessToken"},
              {"delegates", Json::strings({"d1@p.com"})},
              {"source_credentials", user_json()}};
}

inline Json federated(const Live& live, const Json& source, const std::string& type = "urn:ietf:params:oauth:token-type:jwt") {
  return Json{{"type", "external_account"}, {"audience", "//iam.googleapis.com/projects/1/locations/global/workloadIdentityPools/pool/providers/provider"},
              {"subject_token_type", type}, {"token_url", live.base + "/v1/token"}, {"credential_source", source}};
}

inline Json by_url(const Live& live, const std::string& request_token = "request-token-of-the-workflow") {
  return Json{{"url", live.base + "/subject?audience=x"},
              {"headers", Json{{"Authorization", "Bearer " + request_token}}},
              {"format", Json{{"type", "json"}, {"subject_token_field_name", "value"}}}};
}

inline Json by_program(Live& live, const std::string& script) {
  live.env.set("GOOGLE_EXTERNAL_ACCOUNT_ALLOW_EXECUTABLES", "1");
  return Json{{"executable", Json{{"command", live.folder.put_script("bin/subject", script) + " --for 'tpuctl test'"}}}};
}
inline std::string says(const Json& answer) { return "echo '" + answer.dump() + "'"; }
inline Json program_answer() {
  return Json{{"version", 1}, {"success", true}, {"token_type", "urn:ietf:params:oauth:token-type:jwt"}, {"id_token", "subject-of-the-program"}};
}

inline Json by_aws(const Live& live) {
  return Json{{"environment_id", "aws1"},
              {"region_url", live.base + "/latest/meta-data/placement/availability-zone"},
              {"url", live.base + "/latest/meta-data/iam/security-credentials"},
              {"imdsv2_session_token_url", live.base + "/latest/api/token"},
              {"regional_cred_verification_url", "https://sts.{region}.amazonaws.com?Action=GetCallerIdentity&Version=2011-06-15"}};
}
inline constexpr const char* kAwsType = "urn:ietf:params:aws:token-type:aws4_request";

inline Json workforce(const Live& live) {
  return Json{{"type", "external_account_authorized_user"}, {"audience", "//iam.googleapis.com/locations/global/workforcePools/pool/providers/p"},
              {"client_id", "pool-client"}, {"client_secret", "pool-client-secret"}, {"refresh_token", "refresh-token"}, {"token_url", live.base + "/v1/oauthtoken"}};
}

inline void sign_in_with_gcloud(Live& live, const Json& json) {
  live.wishes.account = "me@example.com";
  live.put("gcloud/legacy_credentials/me@example.com/adc.json", json);
}
inline void only_gcloud(Live& live, const std::string& script) {
  live.wishes.account = "me@example.com";
  live.folder.put_script("bin/gcloud", script);
}

inline Json without(Json json, const std::string& pointer) {
  json.erase(pointer);
  return json;
}

}  // namespace tpuctl::test
