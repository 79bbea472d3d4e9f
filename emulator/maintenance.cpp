// SPDX-License-Identifier: Apache-2.0
// The mechanism that tpuctl exists for. On a maintenance notice Cloud TPU with Autocheckpoint sends SIGTERM to the
// processes that hold the TPU device, waits until they are gone or the grace has passed, and only then takes the
// machine; without Autocheckpoint the processes die at once.
//
// Steps of a task: notice -> grace (polled) -> halt -> boot -> ready [-> others], the last for the other slices of a
// multislice, which the service restarts when one slice comes back.
#include <algorithm>
#include <csignal>

#include "base/error.hpp"
#include "emulator/lifecycle.hpp"
#include "emulator/metadata.hpp"
#include "emulator/node_life.hpp"
#include "emulator/slices.hpp"
#include "emulator/views.hpp"

namespace tpuctl::emulator {

namespace {
void set_status(Lifecycle& life, Record& node, const Json& workers, const Json& upcoming) {
  node.doc.member("upcomingMaintenance") = upcoming;
  node.hidden.member("notice") =
      Json{{"event", "TERMINATE_ON_HOST_MAINTENANCE"}, {"upcoming", upcoming}, {"workers", workers}};
  push_metadata(life, node);
}

const Json& workers_of(const Task& task, const std::string& name) {
  for (const Json& item : task.data["targets"].items()) {
    if (item["node"].text() == name) return item["workers"];
  }
  return task.data["none"];
}

Json window(Lifecycle& life, const Json& type, TimePoint start, bool can_reschedule) {
  return Json{{"type", type},
              {"maintenanceStatus", "PENDING"},
              {"canReschedule", can_reschedule},
              {"windowStartTime", rfc3339(start)},
              {"latestWindowStartTime", rfc3339(start)},
              {"windowEndTime", rfc3339(start + life.service(kGrace + kMaintenance + kReboot))}};
}

// What was announced may have been brought forward, or its machine may be gone.
bool is_due(Lifecycle& life, const Task& task) {
  const std::string announced = task.text("announced");
  const Record* node = life.store().node(task.text("subject"));
  return announced.empty() || (node && node->doc["state"].text() == "READY" && node->hidden["notice"].empty() &&
                               node->doc.at("/upcomingMaintenance/windowStartTime").text() == announced);
}

Next notice(Lifecycle& life, Task& task) {
  if (!is_due(life, task)) {
    Record* node = life.store().node(task.text("subject"));
    const bool announced = node && node->hidden["notice"].empty() && node->doc.at("/upcomingMaintenance/windowStartTime").text() == task.text("announced");
    if (announced) node->doc.erase("/upcomingMaintenance");  // its machine was away when it was due
    return {};
  }
  const Json upcoming = window(life, task.data["type"], life.now(), false);
  const auto list = targets(life, task.data["targets"]);
  int holders = 0;
  bool saving = false;
  for (const Target& target : list) {
    set_status(life, *target.node, workers_of(task, target.name), upcoming);
    const bool autocheckpoint = target.node->doc["autocheckpointEnabled"].boolean();
    saving = saving || autocheckpoint;
    const int signal = autocheckpoint ? SIGTERM : SIGKILL;
    holders += ask_all(life, {target}, [&](const WorkerId& id) { return life.host().signal_holders(id, signal); });
  }
  std::string said = saving ? "SIGTERM was sent to " + std::to_string(holders) +
                                  " process(es) that hold the TPU device."
                            : "Autocheckpoint is off: " + std::to_string(holders) +
                                  " process(es) that held the TPU device were killed.";
  if (holders == 0) said = "No process held the TPU device: the notice reached nobody, nothing was saved.";
  life.status_detail(task.text("op"), said);
  for (const Target& target : list) life.log("Maintenance notice for " + target.name + ". " + said);
  if (!saving || holders == 0) return then_at(task, "halt", life.now() + seconds(kPauseBeforeHalt));
  const Duration grace = std::max(life.service(kGrace), seconds(kLeastGrace));
  task.data.member("deadline") = static_cast<std::int64_t>((life.now() + grace).time_since_epoch().count());
  return then_at(task, "grace", life.now() + seconds(kPoll));
}

Next grace(Lifecycle& life, Task& task) {
  const auto list = targets(life, task.data["targets"]);
  const int holders = ask_all(life, list, [&](const WorkerId& id) { return life.host().signal_holders(id, 0); });
  const TimePoint deadline(Duration(task.data["deadline"].integer()));
  if (holders > 0 && life.now() < deadline) return then_at(task, "grace", life.now() + seconds(kPoll));
  std::string said = "All of them have ended.";
  if (holders > 0) said = std::to_string(holders) + " of them did not end within the grace and were killed.";
  life.status_detail(task.text("op"), said);
  life.log("Maintenance: " + said);
  // Supervisors get a moment to write down how their process ended.
  return then_at(task, "halt", life.now() + seconds(kPauseBeforeHalt));
}

Next halt(Lifecycle& life, Task& task) {
  const auto list = targets(life, task.data["targets"]);
  for (const Target& target : list) {
    Json upcoming = target.node->doc["upcomingMaintenance"];
    upcoming.member("maintenanceStatus") = "ONGOING";
    set_status(life, *target.node, workers_of(task, target.name), upcoming);
    target.node->doc.member("health") = "UNHEALTHY_MAINTENANCE";
    target.node->doc.member("healthDescription") = "The TPU is under maintenance.";
  }
  ask_all(life, list, [&](const WorkerId& id) { return life.host().halt(id), 0; });
  return then_at(task, "boot", life.now() + life.service(kMaintenance));
}

Next boot(Lifecycle& life, Task& task) {
  const auto list = targets(life, task.data["targets"]);
  for (const Target& target : list) {
    target.node->doc.member("state") = "RESTARTING";
    // Before the boot, so that nothing on the new machine takes the old notice for a new one.
    target.node->hidden.erase("/notice");
    push_metadata(life, *target.node);
  }
  ask_all(life, list, [&](const WorkerId& id) { return life.host().boot(id), 0; });
  return then_after(task, "ready", life.service(kReboot));
}

Next finish(Lifecycle& life, Task& task) {
  finish_restart(life, task.data["others"]);
  const Record* subject = life.store().node(task.text("subject"));
  const Record* owner = life.store().queued_resource(task.text("subject"));
  if (subject) {
    life.succeed(task.text("op"), "Node", subject->doc);
  } else if (owner) {
    life.succeed(task.text("op"), "QueuedResource", queued_view("v2alpha1", *owner));
  } else {
    life.fail(task.text("op"), 10, "The node was deleted during maintenance.");
  }
  return {};
}

Next ready(Lifecycle& life, Task& task) {
  for (const Target& target : targets(life, task.data["targets"])) {
    if (target.node->doc["state"].text() == "RESTARTING") make_ready(*target.node);
    target.node->doc.erase("/upcomingMaintenance");
  }
  task.data.member("others") = other_slices(life, task.data["targets"]);
  if (task.data["others"].empty()) return finish(life, task);
  begin_restart(life, task.data["others"]);
  return then_after(task, "others", life.service(kReboot));
}
}  // namespace

void announce_maintenance(Lifecycle& life, const std::string& node, int worker, Duration later) {
  Record& record = *life.store().node(node);
  if (record.doc["state"].text() != "READY" || !record.hidden["notice"].empty()) {
    throw Error(Kind::failure, "Node [" + node + "] is not READY, or under maintenance already.");
  }
  const Json upcoming = window(life, "SCHEDULED", life.now() + later, true);
  record.doc.member("upcomingMaintenance") = upcoming;
  Json workers = Json::array();
  for (int i = 0; i < worker_count(record); ++i) {
    if (worker < 0 || worker == i) workers.push(i);
  }
  Json targets = Json::array();
  targets.push(Json{{"node", node}, {"workers", workers}});
  life.plan(later, Json{{"kind", "maintain"}, {"step", "notice"}, {"subject", node}, {"op", ""}, {"type", "SCHEDULED"},
                        {"targets", targets}, {"announced", upcoming["windowStartTime"]}});
}

Next step_maintain(Lifecycle& life, Task& task) {
  const std::string step = task.text("step");
  if (step == "notice") return notice(life, task);
  if (step == "grace") return grace(life, task);
  if (step == "halt") return halt(life, task);
  if (step == "boot") return boot(life, task);
  if (step == "ready") return ready(life, task);
  return finish(life, task);
}

}  // namespace tpuctl::emulator
