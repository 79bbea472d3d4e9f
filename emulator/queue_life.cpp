// SPDX-License-Identifier: Apache-2.0
// Machines of a queued resource: the way through the queue, suspension, reset, removal.
#include <algorithm>

#include "base/error.hpp"
#include "emulator/lifecycle.hpp"
#include "emulator/node_life.hpp"
#include "emulator/queue_life.hpp"
#include "emulator/views.hpp"

namespace tpuctl::emulator {

void enter_state(Record& queued, const std::string& state, const std::string& initiator) {
  static const std::pair<const char*, const char*> kData[] = {
      {"CREATING", "creatingData"},         {"ACCEPTED", "acceptedData"},     {"PROVISIONING", "provisioningData"},
      {"ACTIVE", "activeData"},             {"SUSPENDING", "suspendingData"}, {"SUSPENDED", "suspendedData"},
      {"DELETING", "deletingData"}};
  Json out{{"state", state}, {"stateInitiator", initiator}};
  for (const auto& [name, field] : kData) {
    if (state == name) out.member(field) = Json::object();
  }
  queued.doc.member("state") = out;
}

namespace {
void enter_failed(Record& queued, int code, const std::string& message) {
  queued.doc.member("state") = Json{{"state", "FAILED"},
                                    {"stateInitiator", "SERVICE"},
                                    {"failedData", Json{{"error", Json{{"code", code}, {"message", message}}}}}};
}

const std::string& state_of(const Record& queued) { return queued.doc.at("/state/state").text(); }

/// Nodes in CREATING, so that describe shows them while they are provisioned.
void add_nodes(Lifecycle& life, const Name& name, Record& queued) {
  Json names = Json::array();
  for (const Json& planned : queued.hidden["specs"].items()) {
    const auto index = static_cast<std::size_t>(planned["spec"].integer());
    const Json spec = queued.doc.at("/tpu/nodeSpec")[index];
    const Name node_name{name.project, name.location, "nodes", planned["id"].text()};
    Json body = spec["node"];
    if (queued.doc["spot"].is_object()) body.member("schedulingConfig").member("spot") = true;
    Record node = make_node(life, node_name, body);
    node.doc.member("queuedResource") = name.full();
    if (spec["multiNodeParams"].is_object()) node.doc.member("multisliceNode") = true;
    life.store().nodes[node_name.full()] = std::move(node);
    names.push(node_name.full());
  }
  queued.hidden.member("nodes") = names;
}

void remove_nodes(Lifecycle& life, Record& queued) {
  const Json names = queued.hidden["nodes"];
  for (const Json& name : names.items()) {
    if (Record* node = life.store().node(name.text())) node->doc.member("state") = "DELETING";
  }
  for (const Json& name : names.items()) remove_node(life, name.text());
  queued.hidden.member("nodes") = Json::array();
}

Next activate(Lifecycle& life, Task& task, Record& queued) {
  const Json names = queued.hidden["nodes"];
  try {
    for (const Json& name : names.items()) {
      if (Record* node = life.store().node(name.text())) start_workers(life, *node);
    }
  } catch (const Error& error) {
    life.log("Queued resource " + task.text("subject") + " failed: " + error.what());
    remove_nodes(life, queued);
    enter_failed(queued, 13, error.what());
    return {};
  }
  if (state_of(queued) != "PROVISIONING") return {};
  for (const Json& name : names.items()) {
    if (Record* node = life.store().node(name.text())) make_ready(*node);
  }
  enter_state(queued, "ACTIVE");
  const Json& run = queued.hidden["run_limit"];
  if (!run.is_null()) {
    life.store().add_task(task.due + Duration(run.integer()),
                          Json{{"kind", "suspend"}, {"step", "begin"}, {"subject", task.text("subject")}, {"op", ""}});
  }
  return {};
}

/// The moment kept in `hidden` under that name, if any.
std::optional<TimePoint> moment(const Record& queued, const char* name) {
  const Json& value = queued.hidden[name];
  if (value.is_null()) return {};
  return TimePoint(Duration(value.integer()));
}
}  // namespace

Next step_queue(Lifecycle& life, Task& task) {
  const std::string name = task.text("subject");
  Record* queued = life.store().queued_resource(name);
  if (!queued || state_of(*queued) == "DELETING") {
    life.fail(task.text("op"), 10, "The queued resource was deleted.");
    return {};
  }
  const std::string step = task.text("step");
  if (task.data["cancelled"].boolean() && step == "accepted") {
    life.store().queued_resources.erase(name);
    life.fail(task.text("op"), 1, "The operation was cancelled.");
    return {};
  }
  if (const auto end = moment(*queued, "valid_until"); end && task.due > *end && step != "active") {
    enter_failed(*queued, 4, "The request could not be fulfilled before its valid-until time.");
    return {};
  }
  if (step == "accepted") {
    enter_state(*queued, "ACCEPTED");
    life.succeed(task.text("op"), "QueuedResource", queued_view(task.text("version"), *queued));
    TimePoint due = task.due + life.service(kAccepted);
    if (const auto start = moment(*queued, "valid_after")) due = std::max(due, *start);
    return then_at(task, "waiting", due);
  }
  if (step == "waiting") {
    enter_state(*queued, "WAITING_FOR_RESOURCES");
    return then_after(task, "provisioning", life.service(kWaiting));
  }
  if (step == "provisioning") {
    if (task.data["stockout"].boolean()) {
      enter_failed(*queued, 8, stockout_text(Name::parse(name).location));
      return {};
    }
    if (life.shortage(Name::parse(name).location)) return then_at(task, "provisioning", life.now() + life.service(kLookForCapacity));
    enter_state(*queued, "PROVISIONING");
    add_nodes(life, Name::parse(name), *queued);
    return then_after(task, "active", life.service(kProvisioning));
  }
  return activate(life, task, *queued);
}

Next step_delete_queued(Lifecycle& life, Task& task) {
  Record* queued = life.store().queued_resource(task.text("subject"));
  if (queued) {
    remove_nodes(life, *queued);
    life.store().queued_resources.erase(task.text("subject"));
  }
  life.succeed(task.text("op"), {}, {});
  return {};
}

Next step_reset_queued(Lifecycle& life, Task& task) {
  Record* queued = life.store().queued_resource(task.text("subject"));
  if (!queued || state_of(*queued) == "DELETING") {
    life.fail(task.text("op"), 10, "The queued resource was deleted.");
    return {};
  }
  remove_nodes(life, *queued);
  queued->hidden.erase("/resetting");
  enter_state(*queued, "WAITING_FOR_RESOURCES", "USER");
  life.store().add_task(task.due + life.service(kWaiting), Json{{"kind", "queue"},
                                                                {"step", "provisioning"},
                                                                {"subject", task.text("subject")},
                                                                {"op", ""},
                                                                {"version", task.data["version"]}});
  life.succeed(task.text("op"), "QueuedResource", queued_view(task.text("version"), *queued));
  return {};
}

Next step_suspend(Lifecycle& life, Task& task) {
  Record* queued = life.store().queued_resource(task.text("subject"));
  if (!queued) return {};
  if (task.text("step") == "begin") {
    if (state_of(*queued) != "ACTIVE") return {};
    enter_state(*queued, "SUSPENDING");
    return then_after(task, "suspended", life.service(kDeleteQueued));
  }
  if (state_of(*queued) != "SUSPENDING") return {};
  remove_nodes(life, *queued);
  enter_state(*queued, "SUSPENDED");
  return {};
}

}  // namespace tpuctl::emulator
