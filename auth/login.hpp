// SPDX-License-Identifier: Apache-2.0
// Signing in as a person: OAuth 2.0 for programs on one's own machine (RFC 8252) with PKCE (RFC 7636), for a client id that the
// user brings along. The browser's half is the caller's.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "auth/credentials.hpp"
#include "base/json.hpp"

namespace tpuctl::auth {

struct ClientId {
  std::string id{};
  std::string secret{};
  std::string auth_uri{};
  std::string token_uri{};
};

/// The file that Google's console gives for an OAuth client of the type "Desktop app". Throws Error{denied} that names the
/// file and what is wrong with it.
ClientId read_client_id_file(const std::string& path);

/// PKCE's S256 challenge. Throws Error{failure} for a verifier that RFC 7636 does not allow.
std::string challenge_of(std::string_view verifier);

/// One attempt to sign in. Its state and verifier are random and leave this object only where the protocol says so.
class Authorization {
 public:
  /// `redirect_uri` is where the browser is sent at the end, on this machine.
  Authorization(ClientId client, std::vector<std::string> scopes, std::string redirect_uri);

  /// Where the user says yes.
  std::string url() const;
  /// The code in what came back: the whole address the browser was sent to, its query, or the bare code. Throws Error{denied}
  /// when the user or Google said no, and when the answer is to another attempt.
  std::string code_in(std::string_view answer) const;
  /// {access_token, refresh_token, id_token, ...} for the code. Throws as ask_for_token does, and Error{denied} when the user
  /// did not grant cloud-platform or no refresh token came.
  Json exchange(const std::string& code, const std::string& token_url, const Ways& ways) const;

 private:
  ClientId client_;
  std::vector<std::string> scopes_;
  std::string redirect_uri_;
  std::string state_;
  std::string verifier_;
};

/// The e-mail in the id token of an answer, or empty. The token came from the token endpoint itself, over TLS, so its signature is not
/// checked.
std::string email_in(const Json& answer);

/// The credentials file for what came out of it: type authorized_user.
Json authorized_user_file(const ClientId& client, const Json& answer, const std::string& account);

/// Tells the service that a token is not to be used any more (RFC 7009). False when it knew none; throws Error{unavailable} when it
/// cannot be reached.
bool revoke_token(const std::string& token, const std::string& token_url, const Ways& ways);

}  // namespace tpuctl::auth
