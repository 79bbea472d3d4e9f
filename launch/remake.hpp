// SPDX-License-Identifier: Apache-2.0
// A queued resource made again from what the service says of it: a suspended one is not eligible again, but its name may be
// used once more.
#pragma once

#include "base/json.hpp"
#include "base/time.hpp"

namespace tpuctl::launch {

/// The body of a create that asks for the same again. What only the service writes is gone; one entry per node is folded back
/// into the multi-node message it came from; the time that the request was valid for begins anew at `now`.
Json remade_request(const Json& queued, TimePoint now);

}  // namespace tpuctl::launch
