// SPDX-License-Identifier: Apache-2.0
// A user's refresh token: `gcloud auth application-default login`, and gcloud's copy of a signed-in account.
#include "auth/kinds.hpp"
#include "auth/token_endpoint.hpp"
#include "auth/tokens.hpp"
#include "auth/urls.hpp"
#include "base/error.hpp"

namespace tpuctl::auth {

namespace {

class AuthorizedUser : public RefreshingToken {
 public:
  explicit AuthorizedUser(const Material& material)
      : client_id_(material.required("client_id")),
        client_secret_(material.secret("client_secret")),
        refresh_token_(material.secret("refresh_token")),
        login_(material.login),
        ways_(material.ways),
        reauth_(material.reauth) {
    const std::string& own = material.optional("token_uri");
    if (!own.empty()) material.check_url(own, "token_uri", is_token_url(own, material.wishes.universe));
    url_ = !material.wishes.token_url.empty() ? material.wishes.token_url : own.empty() ? kTokenUrl : own;
  }

 protected:
  api::Token fetch(TimePoint now) override {
    try {
      return exchange_refresh_token(
          {.url = url_, .form = {{"client_id", client_id_}, {"client_secret", client_secret_}}}, refresh_token_, ways_,
          now);
    } catch (const Error& error) {
      const bool prove = error.status == "invalid_rapt" || error.status == "rapt_required";
      if (prove && reauth_) return reauth_->token(now);
      throw explained(error, prove);
    }
  }

 private:
  Error explained(const Error& error, bool prove) const {
    const std::string reason = error.what();
    if (error.kind == Kind::unavailable) {
      return {Kind::unavailable, "There was a problem refreshing your current auth tokens: " + reason, error.hint};
    }
    if (prove) {
      return {Kind::denied, "There was a problem reauthenticating while refreshing your current auth tokens: " + reason,
              login_};
    }
    if (error.status == "access_denied") {
      return {Kind::denied, "Access was blocked by Context Aware Access: " + reason,
              "Ask your organisation's administrator which machines and networks may sign in."};
    }
    const bool odd = error.status.empty() && !error.hint.empty();  // no OAuth error at all
    return {Kind::denied, "There was a problem refreshing your current auth tokens: " + reason,
            odd ? error.hint : login_};
  }

  std::string client_id_, client_secret_, refresh_token_, url_, login_;
  Ways ways_;
  std::shared_ptr<api::TokenSource> reauth_;
};

}  // namespace

Source authorized_user(const Material& material) { return std::make_unique<AuthorizedUser>(material); }

}  // namespace tpuctl::auth
