// SPDX-License-Identifier: Apache-2.0
#include "auth/jwt.hpp"

#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rsa.h>

#include "base/error.hpp"
#include "base/secrets.hpp"
#include "base/text.hpp"

namespace tpuctl::auth {

namespace {

constexpr int kFewestBits = 2048;

template <auto Free>
struct Deleter {
  template <class T>
  void operator()(T* object) const {
    Free(object);
  }
};

// OpenSSL's own would ask on the terminal.
int no_password(char*, int, int, void*) { return -1; }

[[noreturn]] void refuse(const char* reason) {
  ERR_clear_error();  // what it says may hold key text
  throw Error(Kind::denied, reason);
}

}  // namespace

struct SigningKey::Key {
  std::unique_ptr<EVP_PKEY, Deleter<EVP_PKEY_free>> pkey;
};

SigningKey::SigningKey(const std::string& pem) : key_(std::make_unique<Key>()) {
  const bool escaped = pem.find('\n') == std::string::npos && pem.find("\\n") != std::string::npos;
  const std::string text = escaped ? text::replace_all(pem, "\\n", "\n") : pem;
  secrets::remember(text);
  if (text.find("-----BEGIN ") == std::string::npos) refuse("is not in PEM form");
  if (text.find("ENCRYPTED") != std::string::npos) refuse("is encrypted; the key must be in the clear");
  if (text.find("PUBLIC KEY-----") != std::string::npos) refuse("is a public key");
  const std::unique_ptr<BIO, Deleter<BIO_free>> bio(BIO_new_mem_buf(text.data(), static_cast<int>(text.size())));
  key_->pkey.reset(PEM_read_bio_PrivateKey(bio.get(), nullptr, no_password, nullptr));
  if (!key_->pkey) refuse("could not be read as an RSA private key (PEM); it may be cut short");
  if (EVP_PKEY_get_base_id(key_->pkey.get()) != EVP_PKEY_RSA) refuse("is not an RSA key");
  if (EVP_PKEY_get_bits(key_->pkey.get()) < kFewestBits) refuse("is an RSA key of fewer than 2048 bits");
}

SigningKey::~SigningKey() = default;
SigningKey::SigningKey(SigningKey&&) noexcept = default;

std::string SigningKey::sign(std::string_view bytes) const {
  const std::unique_ptr<EVP_MD_CTX, Deleter<EVP_MD_CTX_free>> context(EVP_MD_CTX_new());
  const auto* data = reinterpret_cast<const unsigned char*>(bytes.data());
  std::size_t size = 0;
  std::string out;
  if (!context || EVP_DigestSignInit(context.get(), nullptr, EVP_sha256(), nullptr, key_->pkey.get()) != 1 ||
      EVP_DigestSign(context.get(), nullptr, &size, data, bytes.size()) != 1) {
    refuse("cannot sign with SHA-256 on this machine");
  }
  out.resize(size);
  if (EVP_DigestSign(context.get(), reinterpret_cast<unsigned char*>(out.data()), &size, data, bytes.size()) != 1) {
    refuse("cannot sign");
  }
  out.resize(size);
  return out;
}

std::string signed_jwt(const SigningKey& key, const std::string& key_id, const Json& claims) {
  Json header{{"alg", "RS256"}, {"typ", "JWT"}};
  if (!key_id.empty()) header.member("kid") = key_id;
  const std::string input = text::base64url(header.dump()) + "." + text::base64url(claims.dump());
  std::string out = input + "." + text::base64url(key.sign(input));
  secrets::remember(out);
  return out;
}

std::optional<TimePoint> jwt_expiry(std::string_view jwt) {
  const auto parts = text::split(jwt, '.');
  if (parts.size() != 3) return {};
  const auto claims = text::from_base64url(parts[1]);
  Json parsed;
  if (!claims || !Json::try_parse(*claims, parsed) || !parsed["exp"].is_number()) return {};
  return TimePoint(std::chrono::seconds(parsed["exp"].integer()));
}

}  // namespace tpuctl::auth
