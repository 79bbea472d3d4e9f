// SPDX-License-Identifier: Apache-2.0
// The life of an access token.
#pragma once

#include <string>

#include "api/token_source.hpp"
#include "base/time.hpp"

namespace tpuctl::auth {

/// A token that somebody else made: never refreshed, never expired. An empty one sends no header.
class StaticToken : public api::TokenSource {
 public:
  explicit StaticToken(std::string token);
  api::Token token(TimePoint) override { return {token_, {}}; }

 private:
  std::string token_;
};

/// A token in a file that somebody else keeps fresh: read at once, and again when a service refuses it, so that a wait of many
/// hours outlives it.
class TokenFile : public api::TokenSource {
 public:
  /// Throws Error{denied} when the file cannot be read or holds no token.
  explicit TokenFile(std::string path);
  api::Token token(TimePoint) override { return {token_, {}}; }
  /// True when the file holds another token by now.
  bool refresh() override;

 private:
  std::string path_;
  std::string token_;
};

/// Keeps the token of `fetch` until shortly before it expires; one without an expiry is kept until it is refused. While
/// it has not expired, a token survives a refresh that fails, which is tried again half a minute later.
class RefreshingToken : public api::TokenSource {
 public:
  static constexpr Duration kMargin = std::chrono::seconds(300);
  /// `margin`: how long before its expiry a token is replaced.
  explicit RefreshingToken(Duration margin = kMargin) : margin_(margin) {}
  api::Token token(TimePoint now) final;
  bool refresh() override;

 protected:
  /// A new token. Throws Error{denied|unavailable} that names the credential.
  virtual api::Token fetch(TimePoint now) = 0;

 private:
  Duration margin_;
  api::Token cached_;
  TimePoint next_try_{};
};

}  // namespace tpuctl::auth
