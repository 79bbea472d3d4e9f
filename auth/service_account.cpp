// SPDX-License-Identifier: Apache-2.0
// A service account's key. Its signature is exchanged for a token, or is the token itself (AIP-4111).
#include "auth/jwt.hpp"
#include "auth/kinds.hpp"
#include "auth/token_endpoint.hpp"
#include "auth/tokens.hpp"
#include "auth/urls.hpp"
#include "base/error.hpp"

namespace tpuctl::auth {

namespace {

constexpr std::int64_t kLifetime = 3600;  // exactly: no other is taken
// Clocks differ a little, and a signature from the future is refused.
constexpr Duration kBackdated = std::chrono::seconds(10);

std::int64_t unix_seconds(TimePoint time) {
  return std::chrono::floor<std::chrono::seconds>(time).time_since_epoch().count();
}

struct Key {
  std::string email, id;
  SigningKey signing;
  std::string scope;
};

SigningKey signing_key(const Material& material, const std::string& email) {
  const std::string& pem = material.required("private_key");
  try {
    return SigningKey(pem);
  } catch (const Error& error) {
    material.refuse("the private_key of " + email + " " + error.what() + ".",
                    "Make a new key: gcloud iam service-accounts keys create FILE --iam-account=" + email);
  }
}

Key key_of(const Material& material) {
  const std::string& email = material.required("client_email");
  return {email, material.optional("private_key_id"), signing_key(material, email), material.scope};
}

class SelfSigned : public RefreshingToken {
 public:
  explicit SelfSigned(Key key) : key_(std::move(key)) {}

 protected:
  api::Token fetch(TimePoint now) override {
    const std::int64_t from = unix_seconds(now - kBackdated);
    const Json claims{
        {"iss", key_.email}, {"sub", key_.email}, {"iat", from}, {"exp", from + kLifetime}, {"scope", key_.scope}};
    return {signed_jwt(key_.signing, key_.id, claims), TimePoint(std::chrono::seconds(from + kLifetime))};
  }

 private:
  Key key_;
};

class Exchanged : public RefreshingToken {
 public:
  Exchanged(Key key, const Material& material) : key_(std::move(key)), path_(material.path), ways_(material.ways) {
    std::string own = material.optional("token_uri");
    if (own.empty()) own = kTokenUrl;
    const bool google = is_token_url(own, material.wishes.universe);
    material.check_url(own, "token_uri", google);
    audience_ = google ? kTokenUrl : own;
    url_ = material.wishes.token_url.empty() ? own : material.wishes.token_url;
  }

 protected:
  api::Token fetch(TimePoint now) override {
    const std::int64_t from = unix_seconds(now - kBackdated);
    const Json claims{
        {"iss", key_.email}, {"scope", key_.scope}, {"aud", audience_}, {"iat", from}, {"exp", from + kLifetime}};
    try {
      return read_token(ask_for_token({.url = url_,
                                       .form = {{"grant_type", "urn:ietf:params:oauth:grant-type:jwt-bearer"},
                                                {"assertion", signed_jwt(key_.signing, key_.id, claims)}}},
                                      ways_),
                        now);
    } catch (const Error& error) {
      throw Error(error.kind,
                  "There was a problem refreshing auth tokens for account " + key_.email + ": " + error.what(),
                  error.hint.empty() ? advice(error) : error.hint);
    }
  }

 private:
  std::string advice(const Error& error) const {
    const std::string reason = error.what();
    if (reason.find("account not found") != std::string::npos) {
      return "The service account of the key in [" + path_ + "] does not exist any more.";
    }
    if (error.kind != Kind::denied) return {};
    return "The key in [" + path_ +
           "] was rejected. Make a new one: gcloud iam service-accounts keys create FILE --iam-account=" + key_.email;
  }

  Key key_;
  std::string path_, url_, audience_;
  Ways ways_;
};

}  // namespace

Source service_account(const Material& material) {
  Key key = key_of(material);
  // Outside the default universe there is no exchange.
  const bool self = material.wishes.self_signed || material.wishes.universe != kDefaultUniverse;
  if (self) return std::make_unique<SelfSigned>(std::move(key));
  return std::make_unique<Exchanged>(std::move(key), material);
}

}  // namespace tpuctl::auth
