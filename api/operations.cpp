// SPDX-License-Identifier: Apache-2.0
#include "api/operations.hpp"

#include <algorithm>

#include "api/errors.hpp"
#include "api/pace.hpp"
#include "base/error.hpp"
#include "base/text.hpp"

namespace tpuctl::api {

namespace {

std::string limit_text(const WaitLimits& limits) { return limits.timeout ? human_duration(*limits.timeout) : "ever"; }

}  // namespace

Json wait_for_operation(Client& client, Json operation, const WaitLimits& limits) {
  operation = operation_answer(std::move(operation));
  const std::string name = operation["name"].text();
  Pace pace(client.clock(), limits);
  while (!operation["done"].boolean()) {
    if (!pace.next()) {
      throw Error(Kind::wait, "Operation [" + name + "] has not finished in " + limit_text(limits) + ".",
                  "It goes on without tpuctl. Look at it with: tpuctl operations describe " + name);
    }
    try {
      operation = operation_answer(client.get_operation(name));
    } catch (const Error& error) {
      if (error.kind != Kind::unavailable) throw;  // the transport has tried again already; the wait goes on
    }
  }
  if (!operation["error"].is_null()) throw to_error(operation["error"]);
  return operation;
}

std::string state_of(const Json& resource) {
  const Json& state = resource["state"];
  return state.is_object() ? state["state"].text() : state.text();
}

std::string state_reason(const Json& resource) {
  const std::string& failure = resource.at("/state/failedData/error/message").text();
  return failure.empty() ? resource["healthDescription"].text() : failure;
}

std::optional<TimePoint> valid_until(const Json& resource) {
  const Json& policy = resource["queueingPolicy"];
  if (const auto end = parse_rfc3339(policy.at("/validInterval/endTime").text())) return end;
  if (const auto end = parse_rfc3339(policy["validUntilTime"].text())) return end;
  const auto created = parse_rfc3339(resource["createTime"].text());
  const auto duration = parse_duration(policy["validUntilDuration"].text());
  return created && duration ? std::optional(*created + *duration) : std::nullopt;
}

StateRules node_rules(const std::string& wished) {
  StateRules rules;
  if (wished == "deleted") {
    rules.wish_gone = true;
    return rules;
  }
  rules.wished = {wished};
  rules.hopeless = {"PREEMPTED", "TERMINATED", "DELETING", "HIDDEN"};
  if (wished == "READY") rules.hopeless.insert("STOPPED");
  rules.hopeless.erase(wished);
  return rules;
}

StateRules queued_resource_rules(const std::string& wished) {
  StateRules rules;
  if (wished == "deleted") {
    rules.wish_gone = true;
    return rules;
  }
  rules.wished = {wished};
  rules.hopeless = {"FAILED", "SUSPENDED", "DELETING"};
  if (wished == "ACTIVE") rules.hopeless.insert("SUSPENDING");
  rules.hopeless.erase(wished);
  return rules;
}

namespace {
Error hopeless(const Name& name, const Json& resource, TimePoint now) {
  const std::string state = state_of(resource), reason = state_reason(resource);
  Error error(Kind::wait, "[" + name.id + "] is " + state + (reason.empty() ? "." : ": " + reason));
  if (const auto end = valid_until(resource); state == "FAILED" && end && *end <= now) {
    error.hint = "The request has expired: it was valid until " + rfc3339(*end) + ". It stays in the list: tpuctl queued-resources delete " +
                 name.full();
  }
  return error;
}
}  // namespace

Json wait_for_state(Client& client, const Name& name, const StateRules& rules, const WaitLimits& limits,
                    const std::function<void(const std::string& state)>& on_state) {
  Pace pace(client.clock(), limits);
  std::string state;
  for (;;) {
    try {
      Json resource = client.get(name);
      state = state_of(resource);
      if (on_state) on_state(state);
      if (rules.wished.contains(state)) return resource;
      if (rules.hopeless.contains(state)) throw hopeless(name, resource, client.clock().now());
    } catch (const Error& error) {
      if (error.kind == Kind::not_found && rules.wish_gone) return {};
      if (error.kind == Kind::not_found && !state.empty()) {
        throw Error(Kind::wait, "[" + name.id + "] was deleted while it was waited for; it had been " + state + ".",
                    "There is nothing left to wait for: create it again.");
      }
      if (error.kind != Kind::unavailable) throw;
    }
    if (!pace.next()) {
      throw Error(Kind::wait, "[" + name.id + "] is still " + (state.empty() ? "unknown" : state) + " after " + limit_text(limits) + ".");
    }
  }
}

}  // namespace tpuctl::api
