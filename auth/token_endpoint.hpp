// SPDX-License-Identifier: Apache-2.0
// Talking to OAuth token endpoints (RFC 6749, RFC 8693): Google's for users and service accounts, and the Security
// Token Service.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "api/token_source.hpp"
#include "auth/credentials.hpp"
#include "base/error.hpp"
#include "base/json.hpp"

namespace tpuctl::auth {

struct TokenRequest {
  std::string url;
  std::vector<std::pair<std::string, std::string>> form;
  std::string client_id{};  ///< sent as Basic authorization, with the secret, unless empty
  std::string client_secret{};
};

/// The answer of the endpoint, which has an access_token. Trouble that passes is tried again.
/// Throws Error{unavailable} when the endpoint cannot be reached, and Error{denied} when it refuses: the message is
/// "invalid_grant: Token has been expired or revoked.", `status` the OAuth error or its subtype ("invalid_rapt"), and
/// `hint` tells of a clock that is off, else it is empty. No message holds what an endpoint answered with success.
Json ask_for_token(const TokenRequest& request, const Ways& ways);

/// A refresh token's exchange: `request` with what RFC 6749 section 6 adds to it. A new refresh token in the answer
/// takes the place of the old one. Throws as ask_for_token.
api::Token exchange_refresh_token(TokenRequest request, std::string& refresh_token, const Ways& ways, TimePoint now);

/// The token in {access_token, expires_in}; the expiry counts from `now`, and is absent when the answer has none.
api::Token read_token(const Json& answer, TimePoint now);

/// Why an answer of this service was no success, without its words when they are not of the expected shape: status and
/// content type only, for they may be anything.
Error refusal_of(const api::Response& response, const std::string& url);

/// The body of a success; throws Error{denied} that begins with `prefix` and shows nothing of the body when it is no
/// JSON object.
Json success_of(const api::Response& response, const std::string& url, const std::string& prefix = {});

}  // namespace tpuctl::auth
