// SPDX-License-Identifier: Apache-2.0
// SIGINT and SIGTERM as a value that waits can see. The first signal is noted and wakes every wait; a second
// SIGINT ends the process at once with 130. SIGPIPE is ignored, so that a closed pipe is an errno.
#pragma once

#include "base/time.hpp"

namespace tpuctl::signals {

/// Once, at start. Without it `pending()` stays 0.
void install();
/// 0, SIGINT or SIGTERM: what has arrived since install() or the last clear().
int pending();
void clear();
/// Becomes readable when a signal arrives; for poll(2). -1 before install().
int wake_fd();
/// Throws Error{interrupted} or Error{terminated} when a signal is pending.
void check();
/// Sleeps; ends early by check() when a signal arrives.
void sleep(Duration duration);

}  // namespace tpuctl::signals
