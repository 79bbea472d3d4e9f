// SPDX-License-Identifier: Apache-2.0
#include "auth/tokens.hpp"

#include "auth/kinds.hpp"
#include "base/error.hpp"
#include "base/secrets.hpp"
#include "base/text.hpp"

namespace tpuctl::auth {

namespace {
constexpr Duration kPause = std::chrono::seconds(30);

std::string token_in(const std::string& path) {
  const std::string token(text::trim(readable(path, "The access token file [" + path + "] ")));
  if (token.empty()) throw Error(Kind::denied, "The access token file [" + path + "] is empty.");
  secrets::remember(token);
  return token;
}
}  // namespace

TokenFile::TokenFile(std::string path) : path_(std::move(path)), token_(token_in(path_)) {}

bool TokenFile::refresh() {
  std::string now = token_in(path_);
  if (now == token_) return false;
  token_ = std::move(now);
  return true;
}

StaticToken::StaticToken(std::string token) : token_(std::move(token)) { secrets::remember(token_); }

api::Token RefreshingToken::token(TimePoint now) {
  const bool known = !cached_.value.empty();
  if (known && (!cached_.expires || *cached_.expires - margin_ > now)) return cached_;
  const bool good = known && *cached_.expires > now;
  if (good && now < next_try_) return cached_;
  try {
    cached_ = fetch(now);
    secrets::remember(cached_.value);
  } catch (const Error& error) {
    if (!good || error.kind == Kind::interrupted || error.kind == Kind::terminated) throw;
    next_try_ = now + kPause;
  }
  return cached_;
}

bool RefreshingToken::refresh() {
  cached_ = {};
  return true;
}

}  // namespace tpuctl::auth
