// SPDX-License-Identifier: Apache-2.0
#include "api/checksum.hpp"

#include <isa-l/crc.h>
#include <openssl/evp.h>

#include <algorithm>
#include <array>

#include "base/error.hpp"
#include "base/text.hpp"

namespace tpuctl::api {

void Crc32c::update(std::string_view bytes) {
  constexpr std::size_t kMost = std::size_t{1} << 30;  // the library counts in int
  while (!bytes.empty()) {
    const std::string_view piece = bytes.substr(0, kMost);
    // It only reads, whatever its type says.
    auto* data = reinterpret_cast<unsigned char*>(const_cast<char*>(piece.data()));
    state_ = crc32_iscsi(data, static_cast<int>(piece.size()), state_);
    bytes.remove_prefix(piece.size());
  }
}

std::string Crc32c::base64() const {
  const std::uint32_t sum = state_ ^ 0xFFFFFFFFU;
  const std::array<unsigned char, 4> bytes = {static_cast<unsigned char>(sum >> 24), static_cast<unsigned char>(sum >> 16),
                                              static_cast<unsigned char>(sum >> 8), static_cast<unsigned char>(sum)};
  return text::base64({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

struct Md5::State {
  struct Deleter {
    void operator()(EVP_MD_CTX* one) const { EVP_MD_CTX_free(one); }
  };
  std::unique_ptr<EVP_MD_CTX, Deleter> context{EVP_MD_CTX_new()};
};

Md5::Md5() : state_(std::make_unique<State>()) {
  if (!state_->context || EVP_DigestInit_ex(state_->context.get(), EVP_md5(), nullptr) != 1) {
    throw Error(Kind::failure, "MD5 is not available on this machine.");
  }
}

Md5::~Md5() = default;

void Md5::update(std::string_view bytes) { EVP_DigestUpdate(state_->context.get(), bytes.data(), bytes.size()); }

std::string Md5::base64() {
  std::array<unsigned char, EVP_MAX_MD_SIZE> sum{};
  unsigned size = 0;
  EVP_DigestFinal_ex(state_->context.get(), sum.data(), &size);
  return text::base64({reinterpret_cast<const char*>(sum.data()), size});
}

}  // namespace tpuctl::api
