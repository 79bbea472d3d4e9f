// SPDX-License-Identifier: Apache-2.0
#include "launch/remake.hpp"

#include <string>

#include "base/text.hpp"

namespace tpuctl::launch {

namespace {

// Written by the service alone (descriptions in the API's discovery document).
constexpr const char* kOfTheRequest[] = {"/name", "/createTime", "/state", "/tpu/nodeSpec", "/runDuration/terminationTime"};
constexpr const char* kOfTheNode[] = {"/name",       "/state",        "/health",         "/healthDescription", "/ipAddress",
                                      "/port",       "/createTime",   "/networkEndpoints", "/apiVersion",      "/symptoms",
                                      "/id",         "/queuedResource", "/multisliceNode", "/upcomingMaintenance",
                                      "/schedulingConfig/terminationTimestamp"};

Json clean_node(Json node) {
  for (const char* field : kOfTheNode) node.erase(field);
  // The key that was spread to the old machines is spread again by whoever comes.
  node.erase("/metadata/ssh-keys");
  return node;
}

// "p-0", "p-1", ... of one node each and alike: the prefix; else empty.
std::string common_prefix(const Json& specs) {
  const std::string first = specs[0]["nodeId"].text();
  if (specs.size() < 2 || !first.ends_with("-0")) return {};
  const std::string prefix = first.substr(0, first.size() - 2);
  const Json node = clean_node(specs[0]["node"]);
  for (std::size_t i = 0; i < specs.size(); ++i) {
    if (specs[i]["nodeId"].text() != prefix + "-" + std::to_string(i) || !(clean_node(specs[i]["node"]) == node)) return {};
  }
  return prefix;
}

// A point in time that the old request had, as far after `now` as it was after the old request's beginning.
void renew(Json& body, const char* field, std::optional<TimePoint> created, TimePoint now) {
  const auto old = parse_rfc3339(body.at(field).text());
  if (old && created && *old > *created) {
    body.set(field, rfc3339(now + (*old - *created), 3));
  } else {
    body.erase(field);
  }
}

}  // namespace

Json remade_node(Json node) {
  node = clean_node(std::move(node));
  if (node["schedulingConfig"].empty()) node.erase("/schedulingConfig");
  // Mutually exclusive in a request; an answer has both.
  if (!node["acceleratorType"].text().empty()) node.erase("/acceleratorConfig");
  node.erase(node["networkConfigs"].size() > 1 ? "/networkConfig" : "/networkConfigs");
  return node;
}

Json remade_request(const Json& queued, TimePoint now) {
  Json body = queued;
  const Json& specs = queued.at("/tpu/nodeSpec");
  for (const char* field : kOfTheRequest) body.erase(field);
  if (body.at("/runDuration").empty()) body.erase("/runDuration");

  Json made = Json::array();
  if (const std::string prefix = common_prefix(specs); !prefix.empty()) {
    Json spec{{"parent", specs[0]["parent"]}, {"node", clean_node(specs[0]["node"])}};
    spec.member("multiNodeParams") = Json{{"nodeCount", static_cast<std::int64_t>(specs.size())}, {"nodeIdPrefix", prefix}};
    made.push(std::move(spec));
  } else {
    for (const Json& old : specs.items()) {
      Json spec = old;
      spec.member("node") = clean_node(old["node"]);
      made.push(std::move(spec));
    }
  }
  body.set("/tpu/nodeSpec", std::move(made));

  const auto created = parse_rfc3339(queued["createTime"].text());
  renew(body, "/queueingPolicy/validUntilTime", created, now);
  renew(body, "/queueingPolicy/validInterval/endTime", created, now);
  body.erase("/queueingPolicy/validAfterTime");
  body.erase("/queueingPolicy/validAfterDuration");
  if (!body.at("/queueingPolicy/validInterval/endTime").is_null()) {
    body.set("/queueingPolicy/validUntilTime", body.at("/queueingPolicy/validInterval/endTime"));
  }
  body.erase("/queueingPolicy/validInterval");
  if (body.at("/queueingPolicy").empty()) body.erase("/queueingPolicy");
  return body;
}

}  // namespace tpuctl::launch
