// SPDX-License-Identifier: Apache-2.0
#include "auth/tokens.hpp"

#include "base/error.hpp"
#include "base/secrets.hpp"

namespace tpuctl::auth {

namespace {
constexpr Duration kPause = std::chrono::seconds(30);
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
