// SPDX-License-Identifier: Apache-2.0
// A name that is understood is understood again from what it writes; indices of workers are within their count.
#include "api/names.hpp"
#include "launch/workers.hpp"
#include "tests/fuzz/fuzz.hpp"

void fuzz(std::string_view bytes) {
  if (const auto name = tpuctl::api::parse_name(bytes)) {
    const auto again = tpuctl::api::parse_name(name->full());
    if (!again || again->full() != name->full()) __builtin_trap();
  }
  for (const int index : tpuctl::launch::parse_worker_list(bytes, 5)) {
    if (index < 0 || index >= 5) __builtin_trap();
  }
}
