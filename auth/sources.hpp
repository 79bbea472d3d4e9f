// SPDX-License-Identifier: Apache-2.0
// The kinds of credential. Each is a TokenSource over the plain (unauthorized) transport.
#pragma once

#include <memory>
#include <string>

#include "api/http.hpp"
#include "api/token_source.hpp"
#include "base/environment.hpp"
#include "base/json.hpp"
#include "base/time.hpp"

namespace tpuctl::auth {

/// A token that somebody else made: never refreshed, never expired. An empty one sends no header.
class StaticToken : public api::TokenSource {
 public:
  StaticToken(std::string token, std::string description)
      : token_(std::move(token)), description_(std::move(description)) {}
  api::Token token(TimePoint) override { return {token_, {}}; }
  std::string describe() const override { return description_; }

 private:
  std::string token_;
  std::string description_;
};

/// Keeps the token of `fetch` until shortly before it expires; an unexpired token survives a failed refresh.
class RefreshingToken : public api::TokenSource {
 public:
  explicit RefreshingToken(Duration margin) : margin_(margin) {}
  api::Token token(TimePoint now) final;
  bool refresh() final;

 protected:
  virtual api::Token fetch(TimePoint now) = 0;

 private:
  Duration margin_;  ///< how long before the expiry a new one is fetched
  api::Token cached_;
};

/// A user's refresh token in a file of type authorized_user (`gcloud auth application-default login`).
std::unique_ptr<api::TokenSource> authorized_user(const Json& file, std::string token_url, std::string description,
                                                  std::string login_hint, api::Transport& plain);

/// The token of gcloud's active account, asked of gcloud itself (`gcloud config config-helper`).
/// `gcloud` is its absolute path.
std::unique_ptr<api::TokenSource> gcloud_account(std::string gcloud, std::string account, const Environment& env);

/// The service account of the VM this runs on. `host` is "metadata.google.internal" or host:port.
std::unique_ptr<api::TokenSource> metadata_server(std::string host, api::Transport& plain);

/// Whether a metadata server answers there: one request, no retry. `plain` should give up within a second.
bool metadata_server_answers(const std::string& host, api::Transport& plain);

}  // namespace tpuctl::auth
