// SPDX-License-Identifier: Apache-2.0
#include "launch/relay_key.hpp"

#include <openssl/evp.h>

#include <array>
#include <cstdint>
#include <memory>
#include <string_view>

#include "base/error.hpp"

namespace tpuctl::launch {

namespace {

constexpr std::size_t kHalf = 32;  // bytes of an ed25519 public key, and of a private one
constexpr std::string_view kType = "ssh-ed25519";

std::string number(std::uint32_t value) {
  return {static_cast<char>(value >> 24), static_cast<char>(value >> 16), static_cast<char>(value >> 8), static_cast<char>(value)};
}
std::string text_field(std::string_view value) { return number(static_cast<std::uint32_t>(value.size())) + std::string(value); }

std::string base64(std::string_view bytes) {
  std::string out(4 * ((bytes.size() + 2) / 3) + 1, '\0');
  const int length = EVP_EncodeBlock(reinterpret_cast<unsigned char*>(out.data()), reinterpret_cast<const unsigned char*>(bytes.data()),
                                     static_cast<int>(bytes.size()));
  out.resize(static_cast<std::size_t>(length));
  return out;
}

}  // namespace

// The private half in the format of OpenSSH's PROTOCOL.key; ssh-add reads no other for ed25519 before OpenSSH 9.6.
RelayKey make_relay_key() {
  const std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)> pair(EVP_PKEY_Q_keygen(nullptr, nullptr, "ED25519"), EVP_PKEY_free);
  std::array<unsigned char, kHalf> open = {}, secret = {};
  std::size_t open_size = kHalf, secret_size = kHalf;
  if (!pair || EVP_PKEY_get_raw_public_key(pair.get(), open.data(), &open_size) != 1 ||
      EVP_PKEY_get_raw_private_key(pair.get(), secret.data(), &secret_size) != 1) {
    throw Error(Kind::failure, "No ssh key could be made for the transfer.");
  }
  const std::string open_half(reinterpret_cast<const char*>(open.data()), kHalf);
  const std::string secret_half(reinterpret_cast<const char*>(secret.data()), kHalf);
  const std::string blob = text_field(kType) + text_field(open_half);
  const std::string check = open_half.substr(0, 4);  // stands twice, so that a wrong passphrase is seen; there is none here
  std::string inner = check + check + blob + text_field(secret_half + open_half) + text_field("tpuctl");
  for (char pad = 1; inner.size() % 8 != 0; ++pad) inner += pad;
  const std::string whole = std::string("openssh-key-v1") + '\0' + text_field("none") + text_field("none") + text_field("") + number(1) +
                            text_field(blob) + text_field(inner);
  const std::string coded = base64(whole);
  RelayKey out;
  out.private_text = "-----BEGIN OPENSSH PRIVATE KEY-----\n";
  for (std::size_t at = 0; at < coded.size(); at += 70) out.private_text += coded.substr(at, 70) + "\n";
  out.private_text += "-----END OPENSSH PRIVATE KEY-----\n";
  out.public_line = std::string(kType) + " " + base64(blob);
  return out;
}

}  // namespace tpuctl::launch
