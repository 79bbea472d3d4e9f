// SPDX-License-Identifier: Apache-2.0
// Machines of a node: made, removed, stopped, started, changed, reclaimed.
#include <algorithm>
#include <csignal>

#include "base/error.hpp"
#include "emulator/lifecycle.hpp"
#include "emulator/metadata.hpp"
#include "emulator/node_life.hpp"
#include "emulator/views.hpp"

namespace tpuctl::emulator {

namespace {
std::vector<WorkerId> ids_of(const Record& node) {
  std::vector<WorkerId> out;
  for (int i = 0; i < worker_count(node); ++i) out.push_back(worker_id(node, i));
  return out;
}
}  // namespace

void start_workers(Lifecycle& life, Record& node) {
  std::vector<std::pair<WorkerSpec, Json>> machines;
  for (int i = 0; i < worker_count(node); ++i) {
    machines.emplace_back(worker_spec(node, i), worker_metadata(life.store(), node, i));
  }
  try {
    life.outside([&] {
      for (const auto& [spec, metadata] : machines) life.host().create(spec, metadata);
    });
  } catch (const Error&) {
    life.outside([&] {
      for (const auto& [spec, metadata] : machines) life.host().destroy(spec.id);
    });
    throw;
  }
  node.hidden.member("up") = true;
  remember_host_keys(life, node);
}

void end_workers(Lifecycle& life, Record& node) {
  const auto ids = ids_of(node);
  life.outside([&] {
    for (const WorkerId& id : ids) life.host().destroy(id);
  });
  node.hidden.member("up") = false;
}

void remove_node(Lifecycle& life, const std::string& name) {
  Record* node = life.store().node(name);
  if (!node) return;
  end_workers(life, *node);
  life.store().nodes.erase(name);
}

void make_ready(Record& node) {
  node.doc.member("state") = "READY";
  node.doc.member("health") = "HEALTHY";
  node.doc.erase("/healthDescription");
}

Next step_create_node(Lifecycle& life, Task& task) {
  const std::string name = task.text("subject");
  Record* node = life.store().node(name);
  if (!node || node->doc["state"].text() != "CREATING") {
    life.fail(task.text("op"), 10, "The node was deleted while it was created.");
    return {};
  }
  if (task.data["cancelled"].boolean()) {
    life.store().nodes.erase(name);
    life.fail(task.text("op"), 1, "The operation was cancelled.");
    return {};
  }
  if (task.data["stockout"].boolean()) {
    const std::string zone = Name::parse(name).location;
    life.store().nodes.erase(name);
    life.fail(task.text("op"), 8, stockout_text(zone));
    return {};
  }
  try {
    start_workers(life, *node);
  } catch (const Error& error) {
    life.log("Node " + name + " could not be made: " + error.what());
    life.store().nodes.erase(name);
    life.fail(task.text("op"), 13, error.what());
    return {};
  }
  if (node->doc["state"].text() == "CREATING") make_ready(*node);
  life.succeed(task.text("op"), "Node", node->doc);
  return {};
}

std::string stockout_text(const std::string& zone) {
  return "There is no more capacity in the zone \"" + zone +
         "\"; you can try in another zone where Cloud TPU Nodes are offered.";
}

Next step_delete_node(Lifecycle& life, Task& task) {
  remove_node(life, task.text("subject"));
  life.succeed(task.text("op"), {}, {});
  return {};
}

Next step_start_node(Lifecycle& life, Task& task) {
  Record* node = life.store().node(task.text("subject"));
  if (!node || node->doc["state"].text() != "STARTING") {
    life.fail(task.text("op"), 10, "The node is not there any more.");
    return {};
  }
  const auto ids = ids_of(*node);
  life.outside([&] {
    for (const WorkerId& id : ids) life.host().boot(id);
  });
  if (node->doc["state"].text() == "STARTING") make_ready(*node);
  life.succeed(task.text("op"), "Node", node->doc);
  return {};
}

Next step_stop_node(Lifecycle& life, Task& task) {
  Record* node = life.store().node(task.text("subject"));
  if (!node || node->doc["state"].text() != "STOPPING") {
    life.fail(task.text("op"), 10, "The node is not there any more.");
    return {};
  }
  const auto ids = ids_of(*node);
  life.outside([&] {
    for (const WorkerId& id : ids) life.host().halt(id);
  });
  if (node->doc["state"].text() == "STOPPING") node->doc.member("state") = "STOPPED";
  node->doc.erase("/health");
  life.succeed(task.text("op"), "Node", node->doc);
  return {};
}

Next step_update_node(Lifecycle& life, Task& task) {
  Record* node = life.store().node(task.text("subject"));
  if (!node) {
    life.fail(task.text("op"), 10, "The node is not there any more.");
    return {};
  }
  for (const Json& pointer : task.data["fields"].items()) {
    const Json& value = task.data["body"].at(pointer.text());
    if (value.is_null()) {
      node->doc.erase(pointer.text());
    } else {
      node->doc.set(pointer.text(), value);
    }
  }
  set_endpoints(*node);
  push_metadata(life, *node);
  life.succeed(task.text("op"), "Node", node->doc);
  return {};
}

namespace {
/// The notice of a reclaim: metadata says preempted, the guest's shutdown signals the processes.
Next preemption_notice(Lifecycle& life, Task& task, Record& node) {
  Json workers = Json::array();
  for (int i = 0; i < worker_count(node); ++i) workers.push(i);
  node.hidden.member("notice") = Json{{"preempted", true}, {"workers", workers}};
  push_metadata(life, node);
  int holders = 0;
  const auto ids = ids_of(node);
  life.outside([&] {
    for (const WorkerId& id : ids) holders += life.host().signal_holders(id, SIGTERM);
  });
  life.log("Node " + task.text("subject") + " is reclaimed; processes that held its device: " +
           std::to_string(holders) + ".");
  const Duration wait = std::max(life.service(kPreemptionNotice), seconds(kLeastPreemptionNotice));
  return then_at(task, "gone", life.now() + wait);
}
}  // namespace

Next step_preempt(Lifecycle& life, Task& task) {
  Record* node = life.store().node(task.text("subject"));
  if (!node || !node->hidden["up"].boolean()) return {};
  if (task.text("step") == "notice") return preemption_notice(life, task, *node);
  const auto ids = ids_of(*node);
  life.outside([&] {
    for (const WorkerId& id : ids) life.host().halt(id);
  });
  node->hidden.member("reclaimed") = true;
  if (task.data["unseen"].boolean()) {
    life.log("Node " + task.text("subject") + " has lost its machines; its state goes on saying " + node->doc["state"].text() + ".");
    return {};
  }
  node->doc.member("state") = "PREEMPTED";
  node->doc.erase("/health");
  const std::string owner = node->doc["queuedResource"].text();
  if (!owner.empty()) {
    life.plan(Duration(0), Json{{"kind", "suspend"}, {"step", "begin"}, {"subject", owner}, {"op", ""}});
  }
  return {};
}

Next step_push_metadata(Lifecycle& life, Task& task) {
  std::vector<std::string> names;
  for (const auto& [name, node] : life.store().nodes) {
    if (Name::parse(name).project == task.text("subject")) names.push_back(name);
  }
  for (const std::string& name : names) {
    if (Record* node = life.store().node(name)) push_metadata(life, *node);
  }
  return {};
}

}  // namespace tpuctl::emulator
