// SPDX-License-Identifier: Apache-2.0
// Workload and workforce identity federation: a subject token of somebody else's provider is exchanged at Google's
// Security Token Service (RFC 8693), and its token, if the file says so, for one of a service account.
#include "auth/jwt.hpp"
#include "auth/kinds.hpp"
#include "auth/subject.hpp"
#include "auth/token_endpoint.hpp"
#include "auth/tokens.hpp"
#include "auth/urls.hpp"
#include "base/error.hpp"
#include "base/secrets.hpp"
#include "base/text.hpp"

namespace tpuctl::auth {

namespace {

constexpr std::int64_t kShortestLife = 600, kLongestLife = 43'200;

std::string service_url(const Material& material, const char* name, const std::string& fallback) {
  const std::string& own = material.optional(name);
  const std::string url = own.empty() ? fallback : own;
  material.check_url(url, name, is_service_url(url, "sts", material.wishes.universe));
  return redirected(url, material.wishes.sts_endpoint);
}

class Exchanged : public RefreshingToken {
 public:
  explicit Exchanged(const Material& material)
      : subject_(subject_source(material)),
        audience_(material.required("audience")),
        type_(material.required("subject_token_type")),
        scope_(material.scope),
        client_id_(material.optional("client_id")),
        client_secret_(material.optional("client_secret")),
        url_(service_url(material, "token_url", "https://sts." + material.wishes.universe + "/v1/token")),
        ways_(material.ways) {
    secrets::remember(client_secret_);
    const std::string& project = material.optional("workforce_pool_user_project");
    if (!project.empty() && audience_.find("/workforcePools/") == std::string::npos) {
      material.refuse("workforce_pool_user_project is for workforce pools only.");
    }
    if (!project.empty() && client_id_.empty()) options_ = text::percent_encode(Json{{"userProject", project}}.dump());
  }

 protected:
  api::Token fetch(TimePoint now) override {
    const std::string subject = subject_->token(now);
    TokenRequest request{.url = url_,
                         .form = {{"grant_type", "urn:ietf:params:oauth:grant-type:token-exchange"},
                                  {"audience", audience_},
                                  {"scope", scope_},
                                  {"requested_token_type", "urn:ietf:params:oauth:token-type:access_token"},
                                  {"subject_token", subject},
                                  {"subject_token_type", type_}},
                         .client_id = client_id_,
                         .client_secret = client_secret_};
    if (!options_.empty()) request.form.emplace_back("options", options_);
    try {
      const Json answer = ask_for_token(request, ways_);
      if (const std::string type = answer["token_type"].text(); !type.empty() && text::lower(type) != "bearer") {
        throw Error(Kind::denied, "the answer is a token of type [" + type + "], not Bearer.");
      }
      return read_token(answer, now);
    } catch (const Error& error) {
      throw Error(error.kind,
                  "The Security Token Service gave no token for the subject token from " + subject_->name() + ": " +
                      error.what(),
                  error.hint.empty() ? advice(error, subject, now) : error.hint);
    }
  }

 private:
  std::string advice(const Error& error, const std::string& subject, TimePoint now) const {
    if (error.status == "invalid_target") {
      return "The workload identity pool or provider is missing or disabled: check the audience [" + audience_ + "].";
    }
    if (error.status != "invalid_grant") return {};
    if (const auto end = jwt_expiry(subject); end && *end <= now) {
      return "The subject token expired at " + rfc3339(*end) + ": what fills " + subject_->name() + " must renew it.";
    }
    return "The subject token may have expired, be for another audience than [" + audience_ +
           "], or not meet the provider's attribute condition.";
  }

  std::unique_ptr<SubjectSource> subject_;
  std::string audience_, type_, scope_, client_id_, client_secret_, url_, options_;
  Ways ways_;
};

class ExternalUser : public RefreshingToken {
 public:
  explicit ExternalUser(const Material& material)
      : client_id_(material.required("client_id")),
        client_secret_(material.secret("client_secret")),
        refresh_token_(material.secret("refresh_token")),
        url_(service_url(material, "token_url", "https://sts." + material.wishes.universe + "/v1/oauthtoken")),
        login_(material.login),
        ways_(material.ways) {}

 protected:
  api::Token fetch(TimePoint now) override {
    try {
      return exchange_refresh_token({.url = url_, .form = {}, .client_id = client_id_, .client_secret = client_secret_},
                                    refresh_token_, ways_, now);
    } catch (const Error& error) {
      throw Error(error.kind, std::string("There was a problem refreshing your current auth tokens: ") + error.what(),
                  error.kind == Kind::denied && !error.status.empty() ? login_ : error.hint);
    }
  }

 private:
  std::string client_id_, client_secret_, refresh_token_, url_, login_;
  Ways ways_;
};

}  // namespace

Source external_account(const Material& material) {
  const std::string& url = material.optional("service_account_impersonation_url");
  if (url.empty()) return std::make_unique<Exchanged>(material);
  material.check_url(url, "service_account_impersonation_url",
                     is_service_url(url, "iamcredentials", material.wishes.universe));
  Impersonation how{.url = redirected(url, material.wishes.iam_endpoint), .target = impersonation_target(url)};
  if (how.target.empty()) material.refuse("no service account can be read from service_account_impersonation_url.");
  if (const Json* life = material.json["service_account_impersonation"].find("token_lifetime_seconds")) {
    how.lifetime_seconds = life->integer(0);
    if (how.lifetime_seconds < kShortestLife || how.lifetime_seconds > kLongestLife) {
      material.refuse("service_account_impersonation.token_lifetime_seconds must be between 600 and 43200.");
    }
  }
  Material source = material;
  source.scope = kIamScope;
  return impersonated(std::make_unique<Exchanged>(source), std::move(how), material.ways);
}

Source external_account_authorized_user(const Material& material) { return std::make_unique<ExternalUser>(material); }

}  // namespace tpuctl::auth
