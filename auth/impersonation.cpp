// SPDX-License-Identifier: Apache-2.0
// Tokens of a service account, asked of the IAM Credentials API by somebody who may.
#include "api/errors.hpp"
#include "auth/kinds.hpp"
#include "auth/token_endpoint.hpp"
#include "auth/tokens.hpp"
#include "auth/urls.hpp"
#include "base/error.hpp"
#include "base/secrets.hpp"

namespace tpuctl::auth {

namespace {

constexpr std::string_view kVerb = ":generateAccessToken";

std::string full_name(const std::string& delegate) {
  return delegate.starts_with("projects/") ? delegate : "projects/-/serviceAccounts/" + delegate;
}

class Impersonated : public RefreshingToken {
 public:
  Impersonated(Source source, Impersonation how, const Ways& ways)
      : source_(std::move(source)), how_(std::move(how)), ways_(ways) {}
  bool refresh() override {
    source_->refresh();
    return RefreshingToken::refresh();
  }

 protected:
  api::Token fetch(TimePoint now) override {
    const api::Response response = ask(now);
    if (response.status != 200) throw refused(response);
    const Json answer = success_of(response, how_.url, "Failed to impersonate [" + how_.target + "]: ");
    const auto expires = parse_rfc3339(answer["expireTime"].text());
    if (answer["accessToken"].text().empty() || !expires) {
      throw Error(Kind::denied,
                  "No access token of [" + how_.target + "] in the answer of " + api::origin(how_.url) + ".");
    }
    return {answer["accessToken"].text(), expires};
  }

 private:
  api::Response ask(TimePoint now) {
    Json body{{"scope", Json::strings({kCloudScope})}, {"lifetime", std::to_string(how_.lifetime_seconds) + "s"}};
    for (const std::string& delegate : how_.delegates) body.member("delegates").push(full_name(delegate));
    for (bool again = false;; again = true) {
      api::Request request;
      request.method = "POST";
      request.url = how_.url;
      request.authorize = false;
      request.headers = {{"Content-Type", "application/json"},
                         {"Authorization", "Bearer " + source_->token(now).value}};
      request.body = body.dump();
      const api::Response response = ways_.plain.send(request);
      if (response.status != 401 || again || !source_->refresh()) return response;
    }
  }

  Error refused(const api::Response& response) const {
    const Error error = refusal_of(response, how_.url);
    const std::string status = error.status.empty() ? "" : error.status + ": ";
    if (response.status == 403) {
      return {Kind::denied,
              status + "Failed to impersonate [" + how_.target +
                  "]. Make sure the account that's trying to impersonate it has access to " +
                  "the service account itself and the \"roles/iam.serviceAccountTokenCreator\" role. " + error.what(),
              error.hint};
    }
    return {error.kind == Kind::unavailable ? Kind::unavailable : Kind::denied,
            status + "Failed to impersonate [" + how_.target + "]: " + error.what(), error.hint};
  }

  Source source_;
  Impersonation how_;
  Ways ways_;
};

}  // namespace

Source impersonated(Source source, Impersonation how, const Ways& ways) {
  return std::make_unique<Impersonated>(std::move(source), std::move(how), ways);
}

std::string impersonation_url(const Wishes& wishes, const std::string& target) {
  return redirected(
      "https://iamcredentials." + wishes.universe + "/v1/projects/-/serviceAccounts/" + target + std::string(kVerb),
      wishes.iam_endpoint);
}

std::string impersonation_target(const std::string& url) {
  if (!url.ends_with(kVerb)) return {};
  const std::string name = url.substr(0, url.size() - kVerb.size());
  const auto slash = name.rfind('/');
  return slash == std::string::npos ? "" : name.substr(slash + 1);
}

Source impersonated_service_account(const Material& material) {
  const std::string& url = material.required("service_account_impersonation_url");
  const std::string target = impersonation_target(url);
  if (target.empty()) material.refuse("no service account can be read from service_account_impersonation_url.");
  material.check_url(url, "service_account_impersonation_url",
                     is_service_url(url, "iamcredentials", material.wishes.universe));
  const Json& inner = material.json["source_credentials"];
  if (!inner.is_object()) material.refuse("source_credentials is missing.");
  Impersonation how{.url = redirected(url, material.wishes.iam_endpoint), .target = target};
  for (const Json& delegate : material.json["delegates"].items()) how.delegates.push_back(delegate.text());
  Material source{.json = inner,
                  .path = material.path,
                  .why = material.why + ", source_credentials",
                  .login = material.login,
                  .wishes = material.wishes,
                  .env = material.env,
                  .ways = material.ways,
                  .scope = kIamScope,
                  .reauth = material.reauth};
  return impersonated(make_source(source), std::move(how), material.ways);
}

}  // namespace tpuctl::auth
