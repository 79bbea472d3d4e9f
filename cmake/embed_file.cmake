# SPDX-License-Identifier: Apache-2.0
file(READ ${INPUT} bytes HEX)
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "'\\\\x\\1'," bytes "${bytes}")
file(WRITE ${OUTPUT} "#pragma once
#include <string_view>
namespace tpuctl {
inline constexpr char ${SYMBOL}Bytes[] = {${bytes}'\\0'};
inline constexpr std::string_view ${SYMBOL}{${SYMBOL}Bytes, sizeof(${SYMBOL}Bytes) - 1};
}
")
