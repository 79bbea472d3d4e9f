// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "base/text.hpp"
#include "emulator/api_error.hpp"
#include "emulator/metadata.hpp"
#include "emulator/queue_life.hpp"
#include "emulator/tpu_service.hpp"
#include "emulator/views.hpp"

namespace tpuctl::emulator {

namespace {
const std::string& state_of(const Record& queued) { return queued.doc.at("/state/state").text(); }

bool one_of(const std::string& word, std::initializer_list<const char*> list) {
  return std::find(list.begin(), list.end(), word) != list.end();
}
}  // namespace

Json TpuService::queued_resources(const TpuCall& call) {
  if (call.name.id.empty()) {
    if (call.is("POST")) return create_queued(call);
    if (!call.is("GET")) throw no_method();
    return page_records(call, "queuedResources", store_.queued_resources,
                        [&](const Record& queued) { return queued_view(call.version, queued); });
  }
  Record* queued = store_.queued_resource(call.name.full());
  if (!queued) throw not_found(call.name.full());
  if (call.is("GET")) return queued_view(call.version, *queued);
  if (call.is("DELETE")) return delete_queued(call, *queued);
  if (call.is("POST", "reset")) return reset_queued(call, *queued);
  if (call.alpha() && call.is("POST", "performMaintenanceQueuedResource")) return maintain_queued(call, *queued);
  throw no_method();
}

namespace {
/// v2's name for the parameters becomes v2alpha1's, which the store keeps.
void unify(Json& body) {
  Json& tpu = body.member("tpu");
  if (tpu["nodeSpec"].is_null()) return;
  for (Json& spec : tpu.member("nodeSpec").mutable_items()) {
    const Json* params = spec.find("multisliceParams");
    if (!params) continue;
    Json renamed = *params;
    spec.erase("/multisliceParams");
    spec.member("multiNodeParams") = std::move(renamed);
  }
}

void check_tiers(const Json& body) {
  int tiers = 0;
  for (const char* tier : {"bestEffort", "spot", "guaranteed"}) {
    if (body[tier].is_object() && ++tiers > 1) {
      throw bad_field("queued_resource",
                      std::string("oneof field 'tier' is already set. Cannot set '") + tier + "'");
    }
  }
  if (body["queueingPolicy"].size() > 1) {
    throw bad_field("queued_resource.queueing_policy",
                    "oneof field 'start_timing_constraints' is already set. Cannot set '" +
                        body["queueingPolicy"].members()[1].name + "'");
  }
  if (body["runDuration"].size() > 1) {
    throw bad_field("queued_resource.run_duration", "oneof field 'run_duration' is already set.");
  }
}

std::optional<Duration> duration_of(const Json& value) {
  return value.is_null() ? std::nullopt : parse_duration(value.text());
}
}  // namespace

/// Every node that the request asks for: [{id, spec (index of its nodeSpec)}].
Json TpuService::plan_specs(const TpuCall& call, const Json& body) {
  const Json& specs = body.at("/tpu/nodeSpec");
  if (specs.size() == 0) throw bad_field("queued_resource.tpu.node_spec", "At least one node_spec is required.");
  Json out = Json::array();
  auto plan = [&](const std::string& id, std::size_t spec) {
    const Name name{call.name.project, call.name.location, "nodes", id};
    check_id(id, "node_id");
    if (store_.node(name.full())) throw already_exists(name.full());
    for (const Json& other : out.items()) {
      if (other["id"].text() == id) throw bad_field("queued_resource.tpu.node_spec", "Node id '" + id + "' is given twice.");
    }
    out.push(Json{{"id", id}, {"spec", spec}});
  };
  for (std::size_t i = 0; i < specs.size(); ++i) {
    const std::string where = "queued_resource.tpu.node_spec[" + std::to_string(i) + "]";
    const Json& spec = specs[i];
    const Json& multi = spec["multiNodeParams"];
    if (spec["nodeId"].empty() == !multi.is_object()) {
      throw bad_field(where, "Exactly one of node_id and " +
                                 std::string(call.alpha() ? "multi_node_params" : "multislice_params") + " must be set.");
    }
    const Name parent = Name::parse(spec["parent"].text());
    if (parent.location != call.name.location || store_.project(parent.project)["id"].text() != call.name.project) {
      throw bad_field(where + ".parent", "parent must be the queued resource's own location.");
    }
    if (!spec["node"].is_object()) throw bad_field(where + ".node", "Field node is required.");
    check_node(call, spec["node"], where + ".node");
    if (!multi.is_object()) {
      plan(spec["nodeId"].text(), i);
      continue;
    }
    const std::int64_t count = multi["nodeCount"].integer();
    if (count < 2 || count > 256) throw bad_field(where, "node_count must be greater than 1 and at most 256.");
    const std::string prefix = multi["nodeIdPrefix"].empty() ? call.param("queuedResourceId") : multi["nodeIdPrefix"].text();
    for (std::int64_t n = 0; n < count; ++n) plan(prefix + "-" + std::to_string(n), i);
  }
  return out;
}

namespace {
/// The request's times on the emulator's clock: distances from now run at its speed, absolute times too.
void keep_times(Lifecycle& life, const Json& body, Json& hidden) {
  const TimePoint now = life.now();
  auto scaled = [&](Duration distance) { return now + life.service(to_seconds(distance)); };
  auto keep = [&](const char* name, std::optional<TimePoint> when) {
    if (when) hidden.member(name) = static_cast<std::int64_t>(when->time_since_epoch().count());
  };
  const Json& policy = body["queueingPolicy"];
  auto at = [&](const Json& distance, const Json& absolute) -> std::optional<TimePoint> {
    if (const auto given = duration_of(distance)) return scaled(*given);
    if (const auto given = parse_rfc3339(absolute.text())) return scaled(*given - now);
    return {};
  };
  const Json& interval = policy["validInterval"];
  keep("valid_after", at(policy["validAfterDuration"], interval.is_object() ? interval["startTime"] : policy["validAfterTime"]));
  keep("valid_until", at(policy["validUntilDuration"], interval.is_object() ? interval["endTime"] : policy["validUntilTime"]));
  if (const auto limit = duration_of(body["runDuration"]["maxRunDuration"])) {
    hidden.member("run_limit") = static_cast<std::int64_t>(life.service(to_seconds(*limit)).count());
  } else if (const auto end = parse_rfc3339(body["runDuration"]["terminationTime"].text())) {
    hidden.member("run_limit") = static_cast<std::int64_t>(life.service(to_seconds(*end - now)).count());
  }
}
}  // namespace

Json TpuService::create_queued(const TpuCall& call) {
  Json body = call.schema().read("QueuedResource", call.call.json(), "queued_resource");
  unify(body);
  Name name = call.name;
  name.id = call.param("queuedResourceId");
  check_id(name.id, "queued_resource_id");
  check_tiers(body);
  if (store_.queued_resource(name.full())) throw already_exists(name.full());
  Record queued{body, Json::object()};
  queued.hidden.member("specs") = plan_specs(call, body);
  queued.hidden.member("nodes") = Json::array();
  keep_times(life_, body, queued.hidden);
  queued.doc.member("name") = name.full();
  queued.doc.member("createTime") = life_.stamp();
  enter_state(queued, "CREATING", "USER");
  const bool stockout = faults_.take_stockout();
  store_.queued_resources[name.full()] = std::move(queued);
  return start(call, "create", "queue", "accepted", name.full(), life_.service(kCreateQueued),
               Json{{"stockout", stockout}});
}

Json TpuService::delete_queued(const TpuCall& call, Record& queued) {
  const std::string& state = state_of(queued);
  const bool force = text::lower(call.param("force")) == "true";
  if (state == "DELETING") throw precondition("Queued resource '" + call.name.full() + "' is being deleted.");
  if (!force && one_of(state, {"PROVISIONING", "ACTIVE", "SUSPENDING"})) {
    throw precondition("Queued resource '" + call.name.full() + "' is in state " + state +
                       " and cannot be deleted; use force to also delete its nodes.");
  }
  enter_state(queued, "DELETING", "USER");
  for (const Json& name : queued.hidden["nodes"].items()) {
    if (Record* node = store_.node(name.text())) node->doc.member("state") = "DELETING";
  }
  return start(call, "delete", "delete-queued", "delete", call.name.full(), life_.service(kDeleteQueued));
}

Json TpuService::reset_queued(const TpuCall& call, Record& queued) {
  call.schema().read("Empty", call.call.json(), "reset_queued_resource_request");
  const std::string& state = state_of(queued);
  if (!one_of(state, {"ACTIVE", "FAILED", "SUSPENDED"}) || queued.hidden["resetting"].boolean()) {
    throw precondition("Queued resource '" + call.name.full() + "' is in state " + state + " and cannot be reset.");
  }
  queued.hidden.member("resetting") = true;
  return start(call, "reset", "reset-queued", "reset", call.name.full(), life_.service(kDeleteQueued));
}

Json TpuService::maintain_queued(const TpuCall& call, Record& queued) {
  const Json body = call.schema().read("PerformMaintenanceQueuedResourceRequest", call.call.json(),
                                       "perform_maintenance_queued_resource_request");
  if (state_of(queued) != "ACTIVE") {
    throw precondition("Queued resource '" + call.name.full() + "' is in state " + state_of(queued) +
                       "; it must be ACTIVE.");
  }
  std::vector<std::string> wanted;
  for (const Json& given : body["nodeNames"].items()) {
    const std::string id = given.text().substr(given.text().rfind('/') + 1);
    const std::string full = Name{call.name.project, call.name.location, "nodes", id}.full();
    const auto& own = queued.hidden["nodes"].items();
    if (std::none_of(own.begin(), own.end(), [&](const Json& name) { return name.text() == full; })) throw not_found(given.text());
    wanted.push_back(full);
  }
  if (wanted.empty()) {
    for (const Json& name : queued.hidden["nodes"].items()) wanted.push_back(name.text());
  }
  Json targets = Json::array();
  for (const std::string& name : wanted) {
    const Record* node = store_.node(name);
    if (!node || node->doc["state"].text() != "READY" || !node->hidden["notice"].empty()) {
      throw precondition("Node '" + name + "' is not READY.");
    }
    Json workers = Json::array();
    for (int i = 0; i < worker_count(*node); ++i) workers.push(i);
    targets.push(Json{{"node", name}, {"workers", workers}});
  }
  return start(call, "performMaintenance", "maintain", "notice", call.name.full(), Duration(0),
               Json{{"type", "SCHEDULED"}, {"targets", targets}});
}

}  // namespace tpuctl::emulator
