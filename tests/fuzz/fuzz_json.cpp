// SPDX-License-Identifier: Apache-2.0
// What parses prints, and what was printed parses to what prints the same (names may come twice: equality looks at the first).
#include "base/json.hpp"
#include "tests/fuzz/fuzz.hpp"

void fuzz(std::string_view bytes) {
  tpuctl::Json first;
  if (!tpuctl::Json::try_parse(bytes, first)) return;
  tpuctl::Json second;
  if (!tpuctl::Json::try_parse(first.dump(), second) || second.dump() != first.dump()) __builtin_trap();
}
