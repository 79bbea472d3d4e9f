// SPDX-License-Identifier: Apache-2.0
#include "auth/sources.hpp"

#include "api/errors.hpp"
#include "base/error.hpp"
#include "base/process.hpp"
#include "base/text.hpp"

namespace tpuctl::auth {

api::Token RefreshingToken::token(TimePoint now) {
  const bool fresh = !cached_.value.empty() && (!cached_.expires || *cached_.expires - margin_ > now);
  if (fresh) return cached_;
  try {
    cached_ = fetch(now);
  } catch (const Error& error) {
    const bool still_good = !cached_.value.empty() && cached_.expires && *cached_.expires > now;
    if (!still_good || error.kind != Kind::unavailable) throw;
  }
  return cached_;
}

bool RefreshingToken::refresh() {
  cached_ = {};
  return true;
}

namespace {

constexpr auto kMargin = std::chrono::seconds(300);
constexpr auto kMetadataMargin = std::chrono::seconds(225);  // the server itself hands out a new one below 300 s

// The body shared by OAuth token endpoints and the metadata server: {access_token, expires_in}.
api::Token read_token(const Json& answer, TimePoint now, const std::string& where) {
  if (answer["access_token"].text().empty()) {
    throw Error(Kind::denied, "No access token in the answer of " + where + ".");
  }
  return {answer["access_token"].text(), now + std::chrono::seconds(answer["expires_in"].integer(0))};
}

class AuthorizedUser : public RefreshingToken {
 public:
  AuthorizedUser(const Json& file, std::string url, std::string description, std::string hint, api::Transport& plain)
      : RefreshingToken(kMargin), url_(std::move(url)), description_(std::move(description)), hint_(std::move(hint)),
        plain_(plain), client_id_(file["client_id"].text()), client_secret_(file["client_secret"].text()),
        refresh_token_(file["refresh_token"].text()) {
    if (client_id_.empty() || client_secret_.empty() || refresh_token_.empty()) {
      throw Error(Kind::denied, "The credential lacks client_id, client_secret or refresh_token. " + description_, hint_);
    }
  }
  std::string describe() const override { return description_; }

 protected:
  api::Token fetch(TimePoint now) override {
    api::Request request;
    request.method = "POST";
    request.url = url_;
    request.authorize = false;
    request.headers = {{"Content-Type", "application/x-www-form-urlencoded"}};
    request.body = "grant_type=refresh_token&client_id=" + text::percent_encode(client_id_) +
                   "&client_secret=" + text::percent_encode(client_secret_) +
                   "&refresh_token=" + text::percent_encode(refresh_token_);
    const api::Response response = plain_.send(request);
    if (response.status == 200) {
      const Json answer = api::parse_answer(response, url_);
      if (!answer["refresh_token"].text().empty()) refresh_token_ = answer["refresh_token"].text();
      return read_token(answer, now, api::origin(url_));
    }
    const Error reason = api::to_error(response, url_);
    if (reason.kind == Kind::unavailable) throw reason;
    throw Error(Kind::denied, std::string("There was a problem refreshing your current auth tokens: ") + reason.what(), hint_);
  }

 private:
  std::string url_, description_, hint_;
  api::Transport& plain_;
  std::string client_id_, client_secret_, refresh_token_;
};

class GcloudAccount : public RefreshingToken {
 public:
  GcloudAccount(std::string gcloud, std::string account, Environment env)
      : RefreshingToken(kMargin), gcloud_(std::move(gcloud)), account_(std::move(account)), env_(std::move(env)) {
    env_.set("CLOUDSDK_CORE_DISABLE_PROMPTS", "1");
    env_.set("CLOUDSDK_CORE_ACCOUNT", account_);
  }
  std::string describe() const override {
    return "This command is authenticated as " + account_ + ", the active account of gcloud";
  }

 protected:
  api::Token fetch(TimePoint) override {
    process::Spec spec;
    spec.argv = {gcloud_, "config", "config-helper", "--format=json", "--min-expiry=5m"};
    spec.env = env_.pairs();
    const process::Result result = process::run(spec);
    const Json& credential = result.status == 0 ? parse(result.out) : none_;
    const std::string value = credential["access_token"].text();
    if (value.empty()) {
      const std::string first = std::string(text::trim(std::string_view(result.err).substr(0, result.err.find('\n'))));
      throw Error(Kind::denied,
                  "gcloud gave no access token for [" + account_ + "]" +
                      (result.timed_out ? ": no answer within a minute." : first.empty() ? "." : ": " + text::printable(first)),
                  "Sign in again: gcloud auth login");
    }
    return {value, parse_rfc3339(credential["token_expiry"].text())};
  }

 private:
  const Json& parse(const std::string& out) {
    Json::try_parse(out, answer_);
    return answer_["credential"];
  }
  std::string gcloud_, account_;
  Environment env_;
  Json answer_, none_;
};

api::Request metadata_request(const std::string& host, const std::string& path) {
  api::Request request;
  request.url = "http://" + host + path;
  request.headers = {{"Metadata-Flavor", "Google"}};
  request.authorize = false;
  return request;
}

class MetadataServer : public RefreshingToken {
 public:
  MetadataServer(std::string host, api::Transport& plain)
      : RefreshingToken(kMetadataMargin), host_(std::move(host)), plain_(plain) {}
  std::string describe() const override {
    return "This command is authenticated as the service account of this machine (metadata server " + host_ + ")";
  }

 protected:
  api::Token fetch(TimePoint now) override {
    const auto request =
        metadata_request(host_, "/computeMetadata/v1/instance/service-accounts/default/token");
    const api::Response response = plain_.send(request);
    if (response.status == 200) return read_token(api::parse_answer(response, request.url), now, "the metadata server");
    if (response.status == 404) {
      throw Error(Kind::denied, "This machine has no service account.", "Sign in (gcloud auth login), or make the VM with one.");
    }
    throw api::to_error(response, request.url);
  }

 private:
  std::string host_;
  api::Transport& plain_;
};

}  // namespace

std::unique_ptr<api::TokenSource> authorized_user(const Json& file, std::string token_url, std::string description,
                                                  std::string login_hint, api::Transport& plain) {
  return std::make_unique<AuthorizedUser>(file, std::move(token_url), std::move(description), std::move(login_hint), plain);
}

std::unique_ptr<api::TokenSource> gcloud_account(std::string gcloud, std::string account, const Environment& env) {
  return std::make_unique<GcloudAccount>(std::move(gcloud), std::move(account), env);
}

std::unique_ptr<api::TokenSource> metadata_server(std::string host, api::Transport& plain) {
  return std::make_unique<MetadataServer>(std::move(host), plain);
}

bool metadata_server_answers(const std::string& host, api::Transport& plain) {
  auto request = metadata_request(host, "/");
  request.repeat = api::Repeat::never;
  const api::Response response = plain.send(request);
  return response.status == 200 && response.header("Metadata-Flavor") == "Google";
}

}  // namespace tpuctl::auth
