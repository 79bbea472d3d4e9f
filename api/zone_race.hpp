// SPDX-License-Identifier: Apache-2.0
// One queued resource wanted, asked for in several zones at once: the first that is ACTIVE stays, the others are deleted.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "api/operations.hpp"

namespace tpuctl::api {

/// The request of one zone.
struct Entry {
  Name name;
  Json body;
};

/// What people hear meanwhile.
struct RaceWords {
  std::function<void(const std::string& line)> say, warn;
  std::function<void(const std::string& states)> on_states;  ///< "ACCEPTED in 2 zones, PROVISIONING in 1", at every poll
};

/// Sends all the requests and polls until one is ACTIVE; deletes the others with whatever nodes they have, waits for that, and
/// returns the one that is there. A zone that refuses the request, or where it ends otherwise, is warned of and drops out.
///
/// Throws when all have dropped out: an Error of their kind when it is one (capacity, denied, ...), else Error{failure}; Error{wait} at
/// the time limit. Then, and when it is interrupted, what the service has stays in its queue, and the hint has the commands that
/// delete it.
///
/// There must be an entry.
Json race_zones(Client& client, const std::vector<Entry>& entries, const WaitLimits& limits, const RaceWords& words);

}  // namespace tpuctl::api
