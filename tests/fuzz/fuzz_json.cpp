// SPDX-License-Identifier: Apache-2.0
// What parses prints, and what was printed parses to the same.
#include "base/json.hpp"
#include "tests/fuzz/fuzz.hpp"

void fuzz(std::string_view bytes) {
  tpuctl::Json first;
  if (!tpuctl::Json::try_parse(bytes, first)) return;
  tpuctl::Json second;
  if (!tpuctl::Json::try_parse(first.dump(), second) || !(first == second)) __builtin_trap();
}
