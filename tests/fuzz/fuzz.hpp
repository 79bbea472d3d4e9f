// SPDX-License-Identifier: Apache-2.0
// A fuzz target is a function of bytes that must return, or throw Error, whatever the bytes are. Under the preset `fuzz` libFuzzer
// drives it for as long as it is let; in every other build tests/fuzz/driver.cpp does, with the same inputs each time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/error.hpp"

/// Defined once per target.
void fuzz(std::string_view bytes);

// This header is included by one file a program: the function is defined here.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    fuzz({reinterpret_cast<const char*>(data), size});
  } catch (const tpuctl::Error&) {  // a refusal in words is an answer
  }
  return 0;
}
