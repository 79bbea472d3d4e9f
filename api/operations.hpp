// SPDX-License-Identifier: Apache-2.0
// Waiting: for long-running operations, and for the states of nodes and queued resources. Polls are polite (first after a
// second, growing to thirty, with jitter), a failed poll is tried again, and every wait has an end.
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>

#include "api/client.hpp"

namespace tpuctl::api {

struct WaitLimits {
  std::optional<Duration> timeout;             ///< absent: for ever; zero: look once
  Duration first = std::chrono::seconds(1);
  Duration longest = std::chrono::seconds(30);
};

/// Polls until the operation is done and returns it whole. Throws the operation's own error, Error{wait} at the time limit
/// (the operation goes on), and what a poll answers when that is not transient.
Json wait_for_operation(Client& client, Json operation, const WaitLimits& limits);

/// What a wait over a resource sees.
struct StateRules {
  std::set<std::string> wished;    ///< done when the state is one of these
  std::set<std::string> hopeless;  ///< Error{wait} at once: FAILED, SUSPENDED, ...
  bool wish_gone = false;          ///< done when the resource is not there (wait for deletion)
};

/// The state of a node ("READY") or a queued resource ("ACTIVE").
std::string state_of(const Json& resource);
/// Why it is in that state, as far as the service tells: failedData.error.message, healthDescription, or "".
std::string state_reason(const Json& resource);
/// When a queued resource gives up waiting for capacity, if it ever does.
std::optional<TimePoint> valid_until(const Json& resource);
StateRules node_rules(const std::string& wished);
StateRules queued_resource_rules(const std::string& wished);

/// Polls until a rule ends it; returns the resource (null when it is gone and that was the wish). `on_state` is called at
/// every poll. Throws Error{wait} for a hopeless state, for a resource that was there and is not any more, and at the time
/// limit; the message names state and reason. What never was there is Error{not_found}.
Json wait_for_state(Client& client, const Name& name, const StateRules& rules, const WaitLimits& limits,
                    const std::function<void(const std::string& state)>& on_state);

}  // namespace tpuctl::api
