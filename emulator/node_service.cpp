// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "base/text.hpp"
#include "emulator/api_error.hpp"
#include "emulator/catalog.hpp"
#include "emulator/metadata.hpp"
#include "emulator/protojson.hpp"
#include "emulator/tpu_service.hpp"
#include "emulator/views.hpp"

namespace tpuctl::emulator {

Json TpuService::nodes(const TpuCall& call) {
  if (call.name.id.empty()) {
    if (call.is("POST")) return create_node(call);
    if (!call.is("GET")) throw no_method();
    return page_records(call, "nodes", store_.nodes,
                        [&](const Record& node) { return node_view(call.version, node.doc); });
  }
  Record* node = store_.node(call.name.full());
  if (!node) throw not_found(call.name.full());
  if (call.is("GET")) return node_view(call.version, node->doc);
  if (call.is("DELETE")) return delete_node(call, *node);
  if (call.is("PATCH")) return patch_node(call, *node);
  if (call.is("POST", "start") || call.is("POST", "stop")) return start_or_stop(call, *node);
  if (call.is("POST", "getGuestAttributes")) return guest_attributes(call, *node);
  if (call.alpha() && (call.is("POST", "simulateMaintenanceEvent") || call.is("POST", "performMaintenance"))) {
    return maintain_node(call, *node);
  }
  throw no_method();
}

void TpuService::check_node(const TpuCall& call, const Json& node, const std::string& where) {
  const std::string& runtime = node["runtimeVersion"].text();
  if (runtime.empty()) throw bad_field(where + ".runtime_version", "Field runtime_version is required.");
  const Json& config = node["acceleratorConfig"];
  const std::string& type = node["acceleratorType"].text();
  if (!type.empty() && config.is_object()) {
    throw bad_field(where + ".accelerator_config", "Only one of accelerator_type and accelerator_config may be set.");
  }
  if (!type.empty() && !find_accelerator(type)) throw not_found(call.name.parent() + "/acceleratorTypes/" + type);
  if (config.is_object() && !find_accelerator(config["type"].text(), config["topology"].text())) {
    throw bad_field(where + ".accelerator_config.topology",
                    "Topology " + config["topology"].text() + " is not valid for type " + config["type"].text() + ".");
  }
  if (!is_runtime_version(runtime)) {
    throw bad_field(where + ".runtime_version", "Runtime version '" + runtime + "' is not available in zone '" +
                                                    call.name.location + "'.");
  }
  if (node["bootDiskConfig"]["enableConfidentialCompute"].boolean() &&
      node["bootDiskConfig"]["customerEncryptionKey"]["kmsKeyName"].empty()) {
    throw bad_field(where + ".boot_disk_config", "Confidential compute needs a customer encryption key.");
  }
}

Json TpuService::create_node(const TpuCall& call) {
  const Json body = call.schema().read("Node", call.call.json(), "node");
  check_node(call, body, "node");
  Name name = call.name;
  name.id = call.param("nodeId");
  check_id(name.id, "node_id");
  if (store_.node(name.full())) throw already_exists(name.full());
  const bool stockout = life_.shortage(name.location) || faults_.take_stockout();
  store_.nodes[name.full()] = make_node(life_, name, body);
  return start(call, "create", "create-node", "create", name.full(), life_.service(kCreateNode),
               Json{{"stockout", stockout}});
}

Json TpuService::delete_node(const TpuCall& call, Record& node) {
  const std::string& owner = node.doc["queuedResource"].text();
  if (!owner.empty()) {
    throw precondition("Node '" + call.name.full() + "' was created by a queued resource, and cannot be deleted " +
                       "individually; delete '" + owner + "' instead.");
  }
  if (node.doc["state"].text() == "DELETING") throw precondition("Node '" + call.name.full() + "' is being deleted.");
  node.doc.member("state") = "DELETING";
  return start(call, "delete", "delete-node", "delete", call.name.full(), life_.service(kDeleteNode));
}

namespace {
/// JSON Pointer of a field that PATCH may change, or empty. Masks come in snake_case and camelCase.
std::string patchable(const std::string& mask) {
  static const std::pair<const char*, const char*> kFields[] = {
      {"description", "/description"},
      {"labels", "/labels"},
      {"tags", "/tags"},
      {"metadata", "/metadata"},
      {"data_disks", "/dataDisks"},
      {"dataDisks", "/dataDisks"},
      {"network_config.enable_external_ips", "/networkConfig/enableExternalIps"},
      {"networkConfig.enableExternalIps", "/networkConfig/enableExternalIps"}};
  for (const auto& [name, pointer] : kFields) {
    if (mask == name) return pointer;
  }
  return {};
}
}  // namespace

Json TpuService::patch_node(const TpuCall& call, Record& node) {
  const Json body = call.schema().read("Node", call.call.json(), "node");
  Json fields = Json::array();
  for (const std::string& mask : text::split(call.param("updateMask"), ',')) {
    const std::string pointer = patchable(std::string(text::trim(mask)));
    if (pointer.empty()) throw bad_field("update_mask", "Field '" + mask + "' may not be updated.");
    fields.push(pointer);
  }
  if (fields.empty()) throw bad_field("update_mask", "Field update_mask is required.");
  const std::string& state = node.doc["state"].text();
  if (state == "DELETING") throw precondition("Node '" + call.name.full() + "' is being deleted.");
  return start(call, "update", "update-node", "update", call.name.full(), life_.service(kUpdateNode),
               Json{{"body", body}, {"fields", fields}});
}

Json TpuService::start_or_stop(const TpuCall& call, Record& node) {
  call.schema().read("Empty", call.call.json(), call.verb + "_node_request");
  const bool starting = call.verb == "start";
  const std::string wanted = starting ? "STOPPED" : "READY";
  if (worker_count(node) > 1) {
    throw precondition("Node '" + call.name.full() + "' has several workers; only a single-host node can be " +
                       (starting ? "started" : "stopped") + ".");
  }
  if (node.doc["state"].text() != wanted) {
    throw precondition("Cannot " + call.verb + " node '" + call.name.full() + "' in state " +
                       node.doc["state"].text() + "; it must be " + wanted + ".");
  }
  node.doc.member("state") = starting ? "STARTING" : "STOPPING";
  return start(call, call.verb, call.verb + "-node", "go", call.name.full(),
               life_.service(starting ? kReboot : kStopNode));
}

namespace {
/// The workers that a request names; "" and none at all mean `otherwise`.
std::vector<int> chosen_workers(const Json& ids, const Record& node, const std::vector<int>& otherwise) {
  std::vector<int> out;
  for (const Json& id : ids.items()) {
    if (id.text().empty()) continue;
    const auto index = text::parse_int(id.text());
    if (!index || *index < 0 || *index >= worker_count(node)) {
      throw bad_field("worker_ids", "Invalid worker id \"" + id.text() + "\": the node has " +
                                        std::to_string(worker_count(node)) + " worker(s).");
    }
    if (std::find(out.begin(), out.end(), *index) == out.end()) out.push_back(static_cast<int>(*index));
  }
  return out.empty() ? otherwise : out;
}

std::vector<int> all_workers(const Record& node) {
  std::vector<int> out;
  for (int i = 0; i < worker_count(node); ++i) out.push_back(i);
  return out;
}

Json json_of(const std::vector<int>& numbers) {
  Json out = Json::array();
  for (const int number : numbers) out.push(number);
  return out;
}
}  // namespace

Json TpuService::guest_attributes(const TpuCall& call, const Record& node) {
  const Json body = call.schema().read("GetGuestAttributesRequest", call.call.json(), "get_guest_attributes_request");
  if (faults_.mute(call.name.id)) throw ApiError(403, "Guest attributes endpoint access is disabled.");
  const std::string path = body["queryPath"].text();
  const auto slash = path.find('/');
  const std::string space = path.substr(0, slash);
  const std::string key = slash == std::string::npos ? "" : path.substr(slash + 1);
  Json out = Json::array();
  for (const int index : chosen_workers(body["workerIds"], node, all_workers(node))) {
    Json items = Json::array();
    auto add = [&](const std::string& of_space, const std::string& of_key, const std::string& value) {
      if ((space.empty() || space == of_space) && (key.empty() || key == of_key)) {
        items.push(Json{{"namespace", of_space}, {"key", of_key}, {"value", value}});
      }
    };
    for (const Json& host_key : node.hidden["host_keys"][static_cast<std::size_t>(index)].items()) {
      add("hostkeys", host_key["type"].text(), host_key["data"].text());
    }
    add("tpu", "hostname", worker_hostname(node, index));
    out.push(Json{{"queryPath", path}, {"queryValue", Json{{"items", items}}}});
  }
  return Json{{"guestAttributes", out}};
}

Json TpuService::maintain_node(const TpuCall& call, Record& node) {
  const bool simulated = call.verb == "simulateMaintenanceEvent";
  const Json body = call.schema().read(simulated ? "SimulateMaintenanceEventRequest" : "Empty", call.call.json(),
                                       snake_case(call.verb) + "_request");
  const bool quiet = node.hidden["notice"].empty();  // maintenance that is only announced may be brought forward
  if (node.doc["state"].text() != "READY" || !quiet) {
    throw precondition("Node '" + call.name.full() + "' is in state " + node.doc["state"].text() +
                       (quiet ? "" : " and under maintenance already") +
                       "; it must be READY.");
  }
  const auto workers = simulated ? chosen_workers(body["workerIds"], node, {0}) : all_workers(node);
  Json targets = Json::array();
  targets.push(Json{{"node", call.name.full()}, {"workers", json_of(workers)}});
  return start(call, simulated ? "simulateMaintenanceEvent" : "performMaintenance", "maintain", "notice",
               call.name.full(), Duration(0),
               Json{{"type", simulated ? "UNSCHEDULED" : "SCHEDULED"}, {"targets", targets}});
}

}  // namespace tpuctl::emulator
