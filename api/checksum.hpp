// SPDX-License-Identifier: Apache-2.0
// The two checksums of Cloud Storage, taken while bytes pass by, and written as its API writes them.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace tpuctl::api {

/// CRC-32C (Castagnoli), which every object has.
class Crc32c {
 public:
  void update(std::string_view bytes);
  /// Of everything so far: base64 of the four bytes, big end first.
  std::string base64() const;

 private:
  std::uint32_t state_ = 0xFFFFFFFFU;
};

/// MD5, which composite objects lack. Throws Error{failure} where the machine's policy forbids MD5.
class Md5 {
 public:
  Md5();
  ~Md5();
  Md5(const Md5&) = delete;
  Md5& operator=(const Md5&) = delete;
  void update(std::string_view bytes);
  /// To be called once, at the end.
  std::string base64();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace tpuctl::api
