// SPDX-License-Identifier: Apache-2.0
#include "emulator/digest.hpp"

#include <openssl/evp.h>

#include <array>
#include <cstdint>

#include "base/error.hpp"
#include "base/text.hpp"

namespace tpuctl::emulator {

std::string crc32c_base64(std::string_view bytes) {
  static const auto table = [] {
    std::array<std::uint32_t, 256> out{};
    for (std::uint32_t i = 0; i < 256; ++i) {
      std::uint32_t value = i;
      for (int bit = 0; bit < 8; ++bit) value = (value >> 1) ^ ((value & 1U) != 0 ? 0x82F63B78U : 0U);
      out[i] = value;
    }
    return out;
  }();
  std::uint32_t sum = 0xFFFFFFFFU;
  for (const char c : bytes) sum = table[(sum ^ static_cast<unsigned char>(c)) & 0xFFU] ^ (sum >> 8);
  sum ^= 0xFFFFFFFFU;
  const unsigned char big_endian[] = {static_cast<unsigned char>(sum >> 24), static_cast<unsigned char>(sum >> 16),
                                      static_cast<unsigned char>(sum >> 8), static_cast<unsigned char>(sum)};
  return text::base64({reinterpret_cast<const char*>(big_endian), sizeof big_endian});
}

std::string md5_base64(std::string_view bytes) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> sum{};
  unsigned size = 0;
  if (EVP_Digest(bytes.data(), bytes.size(), sum.data(), &size, EVP_md5(), nullptr) != 1) {
    throw Error(Kind::failure, "MD5 is not available on this machine.");
  }
  return text::base64({reinterpret_cast<const char*>(sum.data()), size});
}

}  // namespace tpuctl::emulator
