// SPDX-License-Identifier: Apache-2.0
#include "emulator/slices.hpp"

#include <algorithm>

#include "emulator/metadata.hpp"
#include "emulator/node_life.hpp"
#include "emulator/views.hpp"

namespace tpuctl::emulator {

std::vector<Target> targets(Lifecycle& life, const Json& list) {
  std::vector<Target> out;
  for (const Json& item : list.items()) {
    Record* node = life.store().node(item["node"].text());
    const std::string state = node ? node->doc["state"].text() : "";
    if (!node || state == "DELETING" || state == "PREEMPTED" || node->hidden["reclaimed"].boolean()) continue;
    Target target{item["node"].text(), node, {}};
    for (const Json& index : item["workers"].items()) {
      target.workers.push_back(worker_id(*node, static_cast<int>(index.integer())));
    }
    out.push_back(std::move(target));
  }
  return out;
}

int ask_all(Lifecycle& life, const std::vector<Target>& list, const std::function<int(const WorkerId&)>& ask) {
  int sum = 0;
  life.outside([&] {
    for (const Target& target : list) {
      for (const WorkerId& id : target.workers) sum += ask(id);
    }
  });
  return sum;
}

Json other_slices(Lifecycle& life, const Json& list) {
  auto in = [](const Json& some, const std::string& name) {
    return std::any_of(some.items().begin(), some.items().end(), [&](const Json& item) { return item["node"].text() == name; });
  };
  Json out = Json::array();
  for (const Target& target : targets(life, list)) {
    if (!target.node->doc["multisliceNode"].boolean()) continue;
    const Record* owner = life.store().queued_resource(target.node->doc["queuedResource"].text());
    if (!owner) continue;
    for (const Json& name : owner->hidden["nodes"].items()) {
      const Record* node = life.store().node(name.text());
      if (!node || in(out, name.text()) || in(list, name.text()) || node->doc["state"].text() != "READY") continue;
      Json all = Json::array();
      for (int i = 0; i < worker_count(*node); ++i) all.push(i);
      out.push(Json{{"node", name}, {"workers", all}});
    }
  }
  return out;
}

void begin_restart(Lifecycle& life, const Json& list) {
  const auto others = targets(life, list);
  for (const Target& other : others) {
    other.node->doc.member("state") = "RESTARTING";
    life.log("Slice " + other.name + " is restarted because another slice of its multislice came back.");
    push_metadata(life, *other.node);
  }
  ask_all(life, others, [&](const WorkerId& id) { return life.host().halt(id), 0; });
  ask_all(life, others, [&](const WorkerId& id) { return life.host().boot(id), 0; });
}

void finish_restart(Lifecycle& life, const Json& list) {
  for (const Target& target : targets(life, list)) {
    if (target.node->doc["state"].text() == "RESTARTING") make_ready(*target.node);
  }
}

}  // namespace tpuctl::emulator
