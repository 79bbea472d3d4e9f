// SPDX-License-Identifier: Apache-2.0
// The check sums of Cloud Storage objects, base64 as its API writes them.
#pragma once

#include <string>
#include <string_view>

namespace tpuctl::emulator {

std::string crc32c_base64(std::string_view bytes);  ///< Castagnoli, big-endian
std::string md5_base64(std::string_view bytes);

}  // namespace tpuctl::emulator
