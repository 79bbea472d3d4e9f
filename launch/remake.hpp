// SPDX-License-Identifier: Apache-2.0
// A queued resource or a TPU VM made again from what the service says of it: a suspended one is not eligible again, a preempted
// one does not come back, but their names may be used once more.
#pragma once

#include "base/json.hpp"
#include "base/time.hpp"

namespace tpuctl::launch {

/// The body of a create that asks for the same TPU VM again, without what only the service writes, and with one word where it
/// tells the same thing in two ways.
Json remade_node(Json node);

/// The same for a queued resource. What only the service writes is gone; one entry per node is folded back
/// into the multi-node message it came from; the time that the request was valid for begins anew at `now`.
Json remade_request(const Json& queued, TimePoint now);

}  // namespace tpuctl::launch
