// SPDX-License-Identifier: Apache-2.0
// Hardware that fails: the processes die without a word, and the node gets other machines (another id, other addresses, an
// empty disk) as soon as there is capacity. A multislice's other slices are restarted then.
//
// Steps: fail -> machines (again while there is a shortage) -> ready [-> others].
#include "base/error.hpp"
#include "emulator/lifecycle.hpp"
#include "emulator/metadata.hpp"
#include "emulator/node_life.hpp"
#include "emulator/slices.hpp"
#include "emulator/views.hpp"

namespace tpuctl::emulator {

namespace {
Next fail(Lifecycle& life, Task& task, Record& node) {
  life.log("Node " + task.text("subject") + " has lost its hardware.");
  node.doc.member("state") = "REPAIRING";
  node.doc.erase("/health");
  end_workers(life, node);
  return then_after(task, "machines", life.service(kCreateNode));
}

Next machines(Lifecycle& life, Task& task, Record& node) {
  if (life.shortage(Name::parse(task.text("subject")).location)) return then_at(task, "machines", life.now() + life.service(kLookForCapacity));
  Record fresh = make_node(life, Name::parse(task.text("subject")), node.doc);
  fresh.doc.member("state") = "REPAIRING";
  node = std::move(fresh);
  try {
    start_workers(life, node);
  } catch (const Error& error) {
    node.doc.member("state") = "UNKNOWN";
    node.doc.member("healthDescription") = error.what();
    throw;
  }
  if (node.doc["state"].text() != "REPAIRING") return {};
  make_ready(node);
  Json all = Json::array();
  for (int i = 0; i < worker_count(node); ++i) all.push(i);
  Json list = Json::array();
  list.push(Json{{"node", task.text("subject")}, {"workers", all}});
  task.data.member("others") = other_slices(life, list);
  begin_restart(life, task.data["others"]);
  return then_at(task, "others", life.now() + life.service(kReboot));
}
}  // namespace

Next step_replace(Lifecycle& life, Task& task) {
  const std::string step = task.text("step");
  if (step == "others") {
    finish_restart(life, task.data["others"]);
    return {};
  }
  Record* node = life.store().node(task.text("subject"));
  if (!node || node->doc["state"].text() == "DELETING") return {};
  return step == "fail" ? fail(life, task, *node) : machines(life, task, *node);
}

}  // namespace tpuctl::emulator
