// SPDX-License-Identifier: Apache-2.0
// Signed JSON web tokens (RFC 7515) as Google takes them from service accounts: RS256 only.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/json.hpp"
#include "base/time.hpp"

namespace tpuctl::auth {

/// An RSA private key.
class SigningKey {
 public:
  /// `pem` is PKCS#8 or PKCS#1. A key whose line ends were escaped twice on its way ("\n" as two characters) is read
  /// too. Throws Error{denied} whose message is the rest of a sentence about the key ("is encrypted"); it never holds
  /// key text, and nothing is ever asked on the terminal.
  explicit SigningKey(const std::string& pem);
  ~SigningKey();
  SigningKey(SigningKey&&) noexcept;
  /// RSASSA-PKCS1-v1_5 with SHA-256.
  std::string sign(std::string_view bytes) const;

 private:
  struct Key;
  std::unique_ptr<Key> key_;
};

/// header.claims.signature; without a key id the header names none. Claims stand in the order given.
std::string signed_jwt(const SigningKey& key, const std::string& key_id, const Json& claims);

/// The claim "exp" of a JWT, unverified; nothing when the text is none.
std::optional<TimePoint> jwt_expiry(std::string_view jwt);

}  // namespace tpuctl::auth
