// SPDX-License-Identifier: Apache-2.0
#include "emulator/metadata.hpp"

#include "base/text.hpp"
#include "emulator/catalog.hpp"

namespace tpuctl::emulator {

namespace {
/// The slices of the node's multislice: full names in order, empty for a single slice.
const Json& slices(Store& store, const Record& node) {
  static const Json none;
  if (!node.doc["multisliceNode"].boolean()) return none;
  const Record* owner = store.queued_resource(node.doc["queuedResource"].text());
  return owner ? owner->hidden["nodes"] : none;
}

/// Lines KEY: 'value', as the runtime of a TPU VM finds them.
std::string tpu_env(Store& store, const Record& node, int index) {
  const Name name = Name::parse(node.doc["name"].text());
  const Accelerator* accelerator = find_accelerator(node.doc["acceleratorType"].text());
  std::string out;
  auto line = [&](const char* key, const std::string& value) { out += std::string(key) + ": '" + value + "'\n"; };
  line("ACCELERATOR_TYPE", node.doc["acceleratorType"].text());
  line("CONSUMER_PROJECT_ID", name.project);
  line("CONSUMER_PROJECT_NUMBER", store.project(name.project)["number"].text());
  line("MAINTENANCE_ACTION_FLAG", "unhealthy-maintenance");
  line("NODE_ID", name.id);
  line("PREEMPTIBLE", node.doc["schedulingConfig"]["preemptible"].boolean() ? "true" : "false");
  line("RUNTIME_VERSION", node.doc["runtimeVersion"].text());
  if (accelerator) line("TOPOLOGY", accelerator->topology);
  if (accelerator) line("TYPE", accelerator->kind);
  line("UID", node.doc["id"].text());
  line("WORKER_ID", std::to_string(index));
  line("ZONE", name.location);
  const Json& all = slices(store, node);
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i].text() != node.doc["name"].text()) continue;
    const Record* first = store.node(all[0].text());
    if (first) line("MEGASCALE_COORDINATOR_ADDRESS", first->hidden["addresses"][0].text() + ":8080");
    line("MEGASCALE_NUM_SLICES", std::to_string(all.size()));
    line("MEGASCALE_SLICE_ID", std::to_string(i));
  }
  return out;
}

Json attributes(Store& store, const Record& node, int index) {
  Json out = Json::object();
  out.member("accelerator-type") = node.doc["acceleratorType"];
  out.member("agent-worker-number") = std::to_string(index);
  out.member("instance-id") = node.doc["name"].text().substr(node.doc["name"].text().rfind('/') + 1);
  std::vector<std::string> endpoints;
  for (const Json& address : node.hidden["addresses"].items()) {
    endpoints.push_back("unknown:unknown:" + address.text());
  }
  out.member("worker-network-endpoints") = text::join(endpoints, ",");
  out.member("tpu-env") = tpu_env(store, node, index);
  for (const auto& [key, value] : node.doc["metadata"].members()) out.member(key) = value;
  return out;
}

Json service_account(const Record& node) {
  std::vector<std::string> scopes;
  for (const Json& scope : node.doc["serviceAccount"]["scope"].items()) scopes.push_back(scope.text());
  return Json{{"aliases", Json::strings({"default"})},
              {"email", node.doc["serviceAccount"]["email"]},
              {"scopes", Json::strings(scopes)},
              {"token", Json{{"access_token", kAccessToken}, {"expires_in", 3599}, {"token_type", "Bearer"}}}};
}

/// Whether the node, or else its project, asks for OS Login.
bool uses_os_login(const Record& node, const Json& project) {
  const Json& own = node.doc["metadata"]["enable-oslogin"];
  return text::upper((own.is_null() ? project["metadata"]["enable-oslogin"] : own).scalar()) == "TRUE";
}

/// The keys of all accounts: who asks is not known by the emulator's token, and there is one user only.
std::string os_login_keys(const Store& store) {
  std::string out;
  for (const auto& [account, keys] : store.users) {
    for (const auto& [print, entry] : keys.members()) {
      if (!entry.is_object()) continue;
      const auto words = text::split(text::trim(entry["key"].text()), ' ');
      if (words.size() < 2) continue;
      out += "*:" + words[0] + " " + words[1];
      const TimePoint expires{Duration(entry["expirationTimeUsec"].integer())};
      if (entry.find("expirationTimeUsec")) out += " google-ssh " + Json{{"userName", account}, {"expireOn", rfc3339(expires)}}.dump();
      out += "\n";
    }
  }
  return out;
}

/// Whether the standing notice, if any, is about this worker.
bool noticed(const Record& node, int index) {
  for (const Json& worker : node.hidden["notice"]["workers"].items()) {
    if (worker.integer(-1) == index) return true;
  }
  return false;
}
}  // namespace

int worker_count(const Record& node) { return static_cast<int>(node.hidden["addresses"].size()); }

WorkerId worker_id(const Record& node, int index) { return node.doc["id"].text() + "/" + std::to_string(index); }

std::string worker_hostname(const Record& node, int index) {
  return node.hidden["hostname"].text() + "-w-" + std::to_string(index);
}

WorkerSpec worker_spec(const Record& node, int index) {
  WorkerSpec out;
  out.id = worker_id(node, index);
  out.node = Name::parse(node.doc["name"].text()).id;
  out.index = index;
  out.address = node.hidden["addresses"][static_cast<std::size_t>(index)].text();
  out.hostname = worker_hostname(node, index);
  out.autocheckpoint = node.doc["autocheckpointEnabled"].boolean();
  return out;
}

Json worker_metadata(Store& store, const Record& node, int index) {
  const Name name = Name::parse(node.doc["name"].text());
  const Json& project = store.project(name.project);
  const std::string number = project["number"].text();
  const std::string address = node.hidden["addresses"][static_cast<std::size_t>(index)].text();
  const Json& notice = noticed(node, index) ? node.hidden["notice"] : Json();
  Json accounts = Json::object();
  accounts.member("default") = service_account(node);
  accounts.member(node.doc["serviceAccount"]["email"].text()) = service_account(node);
  Json access = Json::array();
  if (node.doc["networkConfig"]["enableExternalIps"].boolean()) access.push(Json{{"external-ip", address}});
  Json interfaces = Json::array();
  interfaces.push(Json{{"access-configs", access}, {"ip", address}});
  Json instance{{"attributes", attributes(store, node, index)},
                {"hostname", worker_hostname(node, index)},
                {"id", std::to_string(node.doc["id"].integer() + index)},
                {"maintenance-event", notice["event"].empty() ? Json("NONE") : notice["event"]},
                {"name", worker_hostname(node, index)},
                {"network-interfaces", interfaces},
                {"preempted", notice["preempted"].boolean() ? "TRUE" : "FALSE"},
                {"service-accounts", accounts},
                {"zone", "projects/" + number + "/zones/" + name.location}};
  if (!notice["upcoming"].empty()) instance.member("upcoming-maintenance") = notice["upcoming"];
  Json tree{{"instance", instance},
              {"project", Json{{"attributes", project["metadata"]},
                               {"numeric-project-id", number},
                               {"project-id", project["id"]}}},
              {"universe", Json{{"universe-domain", "googleapis.com"}}}};
  if (uses_os_login(node, project)) tree.member("oslogin") = Json{{"ssh-keys", os_login_keys(store)}};
  return tree;
}

}  // namespace tpuctl::emulator
