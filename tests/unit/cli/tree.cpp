// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/cli/tree.hpp"

namespace tpuctl::cli::test {
int handler_ok(Frame&, const Args&) { return 0; }
}  // namespace tpuctl::cli::test
