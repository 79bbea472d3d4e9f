// SPDX-License-Identifier: Apache-2.0
#include "emulator/views.hpp"

#include "base/text.hpp"
#include "emulator/catalog.hpp"
#include "emulator/metadata.hpp"
#include "emulator/schema.hpp"

namespace tpuctl::emulator {

namespace {
constexpr int kWorkerPort = 8470;  // of the TPU runtime, as networkEndpoints show it

std::string full_name(const std::string& project, const std::string& region, const char* kind, const Json& given) {
  const std::string value = given.text().empty() ? "default" : given.text();
  if (value.find('/') != std::string::npos) return value;
  const std::string scope = region.empty() ? "global" : "regions/" + region;
  return "projects/" + project + "/" + scope + "/" + kind + "/" + value;
}

void complete_network(Json& config, const Name& name) {
  const std::string region = name.location.substr(0, name.location.rfind('-'));
  config.member("network") = full_name(name.project, {}, "networks", config["network"]);
  config.member("subnetwork") = full_name(name.project, region, "subnetworks", config["subnetwork"]);
}

void complete_account(Json& doc, const std::string& project_number) {
  Json& account = doc.member("serviceAccount");
  if (account["email"].empty() || account["email"].text() == "default") {
    account.member("email") = project_number + "-compute@developer.gserviceaccount.com";
  }
  if (account["scope"].empty()) {
    account.member("scope") = Json::strings({"https://www.googleapis.com/auth/cloud-platform"});
  }
}
}  // namespace

Record make_node(Lifecycle& life, const Name& name, const Json& body) {
  Store& store = life.store();
  Record node{body, Json::object()};
  Json& doc = node.doc;
  const Json& config = body["acceleratorConfig"];
  const Accelerator* accelerator = config.is_object()
                                       ? find_accelerator(config["type"].text(), config["topology"].text())
                                       : find_accelerator(body["acceleratorType"].text());
  if (!accelerator) accelerator = find_accelerator("v2-8");
  doc.member("acceleratorType") = accelerator->type;
  doc.member("acceleratorConfig") = Json{{"type", accelerator->kind}, {"topology", accelerator->topology}};
  doc.member("name") = name.full();
  doc.member("apiVersion") = "V2";
  doc.member("createTime") = life.stamp();
  doc.member("state") = "CREATING";
  const std::string digest = text::sha256_hex(name.full() + std::to_string(store.next()));
  // 19 digits below 2^63: the sequence keeps them apart, the digest makes them look like ids.
  doc.member("id") = std::to_string(4000000000000000000 + store.next() * 1000000000 +
                                    static_cast<std::int64_t>(std::stoul(digest.substr(0, 6), nullptr, 16)) * 8);
  Json& networks = doc.member("networkConfigs");
  for (std::size_t i = 0; i < networks.size(); ++i) complete_network(networks.mutable_items()[i], name);
  if (networks.empty()) doc.erase("/networkConfigs");
  complete_network(doc.member("networkConfig"), name);
  if (doc["cidrBlock"].empty()) doc.member("cidrBlock") = "10.128.0.0/20";
  complete_account(doc, store.project(name.project)["number"].text());
  for (const char* part : {"schedulingConfig", "shieldedInstanceConfig"}) {
    if (doc[part].is_null()) doc.member(part) = Json::object();
  }
  node.hidden.member("hostname") = "t1v-n-" + digest.substr(8, 8);
  node.hidden.member("up") = false;
  Json& addresses = node.hidden.member("addresses");
  for (int i = 0; i < accelerator->workers; ++i) addresses.push(store.next_address());
  set_endpoints(node);
  return node;
}

void set_endpoints(Record& node) {
  const bool external = node.doc["networkConfig"]["enableExternalIps"].boolean() ||
                        node.doc["networkConfigs"][0]["enableExternalIps"].boolean();
  Json endpoints = Json::array();
  for (const Json& address : node.hidden["addresses"].items()) {
    Json access = Json::object();
    if (external) access.member("externalIp") = address;
    endpoints.push(Json{{"ipAddress", address}, {"port", kWorkerPort}, {"accessConfig", access}});
  }
  node.doc.member("networkEndpoints") = endpoints;
}

Json node_view(const std::string& version, const Json& doc) { return Schema::of(version).show("Node", doc); }

namespace {
/// One nodeSpec per node, as the service answers once the nodes are there.
Json expanded(const Record& record) {
  const Json& given = record.doc.at("/tpu/nodeSpec");
  Json out = Json::array();
  for (const Json& planned : record.hidden["specs"].items()) {
    Json spec = given[static_cast<std::size_t>(planned["spec"].integer())];
    spec.erase("/multiNodeParams");
    spec.member("nodeId") = planned["id"];
    out.push(spec);
  }
  return out;
}
}  // namespace

Json queued_view(const std::string& version, const Record& record) {
  Json doc = record.doc;
  const std::string& state = record.doc.at("/state/state").text();
  if (!record.hidden["nodes"].empty() && (state == "ACTIVE" || state == "SUSPENDING" || state == "DELETING")) {
    doc.set("/tpu/nodeSpec", expanded(record));
  }
  if (version != "v2alpha1") {
    for (Json& spec : doc.member("tpu").member("nodeSpec").mutable_items()) {
      if (const Json* params = spec.find("multiNodeParams")) {
        Json renamed = *params;
        spec.member("multisliceParams") = std::move(renamed);
      }
    }
  }
  return Schema::of(version).show("QueuedResource", doc);
}

void remember_host_keys(Lifecycle& life, Record& node) {
  Json keys = Json::array();
  for (int i = 0; i < worker_count(node); ++i) {
    Json of_worker = Json::array();
    for (const HostKey& key : life.host().host_keys(worker_id(node, i))) {
      of_worker.push(Json{{"type", key.type}, {"data", key.data}});
    }
    keys.push(std::move(of_worker));
  }
  node.hidden.member("host_keys") = keys;
}

void push_metadata(Lifecycle& life, Record& node) {
  if (!node.hidden["up"].boolean()) return;
  std::vector<std::pair<WorkerId, Json>> trees;
  for (int i = 0; i < worker_count(node); ++i) {
    trees.emplace_back(worker_id(node, i), worker_metadata(life.store(), node, i));
  }
  life.outside([&] {
    for (const auto& [id, tree] : trees) life.host().set_metadata(id, tree);
  });
}

}  // namespace tpuctl::emulator
