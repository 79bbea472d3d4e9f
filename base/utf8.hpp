// SPDX-License-Identifier: Apache-2.0
// UTF-8, which JSON is made of: what comes from elsewhere need not be.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace tpuctl::utf8 {

bool is_valid(std::string_view text);

/// Bytes of the first character of `text`, which is not empty; 1 for a byte that begins none.
std::size_t first_length(std::string_view text);

/// JSON text with every byte that is no UTF-8 and every half of a surrogate pair ("\\ud83d") replaced by U+FFFD. Services send
/// such text when they were once sent such a label; it is no reason to show nothing.
std::string mended_json(std::string_view text);

}  // namespace tpuctl::utf8
