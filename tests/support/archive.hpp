// SPDX-License-Identifier: Apache-2.0
// What an archive of launch/ holds, for tests.
#pragma once

#include <string>

#include "launch/archive.hpp"

namespace tpuctl::test {

inline std::string bytes_of(const launch::Archive& archive) {
  std::string out(static_cast<std::size_t>(archive.size()) + 1, '\0');
  out.resize(archive.read(0, out.data(), out.size()));
  return out;
}

}  // namespace tpuctl::test
