// SPDX-License-Identifier: Apache-2.0
// Routing of the TPU API, and its small collections: locations, catalogue, reservations, operations.
#include "emulator/tpu_service.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "emulator/api_error.hpp"
#include "emulator/catalog.hpp"

namespace tpuctl::emulator {

namespace {
bool is_uuid(const std::string& text) {
  if (text.size() != 36) return false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool dash = i == 8 || i == 13 || i == 18 || i == 23;
    if (dash ? text[i] != '-' : std::isxdigit(static_cast<unsigned char>(text[i])) == 0) return false;
  }
  return true;
}

ApiError denied_location(const std::string& zone) {
  Json details = Json::array();
  details.push(Json{{"@type", "type.googleapis.com/google.rpc.ErrorInfo"},
                    {"reason", "LOCATION_ACCESS_DENIED"},
                    {"domain", "googleapis.com"}});
  return ApiError(403, "Permission denied on 'locations/" + zone + "' (or it may not exist).", {}, details);
}

/// The verb that query tables know a method by.
std::string method_name(const TpuCall& call) {
  const std::string& http = call.call.method;
  const std::string collection = call.name.collection.empty() ? "locations" : call.name.collection;
  const bool one = call.name.collection.empty() ? !call.name.location.empty() : !call.name.id.empty();
  if (!call.verb.empty()) return call.verb;
  if (http == "GET") return (one ? "get " : "list ") + collection;
  if (http == "POST") return (one ? "post " : "create ") + collection;
  return text::lower(http) + " " + collection;
}
}  // namespace

std::string TpuCall::param(std::string_view key) const {
  for (const auto& [name_of, value] : query) {
    if (name_of == key) return value;
  }
  return {};
}

void check_id(const std::string& id, const std::string& field) {
  auto lower = [](char c) { return c >= 'a' && c <= 'z'; };
  auto other = [&](char c) { return lower(c) || (c >= '0' && c <= '9'); };
  const bool fits = !id.empty() && id.size() <= 63 && lower(id.front()) && other(id.back()) &&
                    std::all_of(id.begin(), id.end(), [&](char c) { return other(c) || c == '-'; });
  if (!fits) {
    throw bad_field(field, "Invalid " + field + " \"" + id + "\": must match ^[a-z]([-a-z0-9]{0,61}[a-z0-9])?$");
  }
}

bool TpuService::owns(const Call& call) {
  const auto& parts = call.segments;
  const bool version = !parts.empty() && (parts[0] == "v1" || parts[0] == "v2" || parts[0] == "v2alpha1");
  return version && parts.size() >= 4 && parts[1] == "projects" && parts[3].rfind("locations", 0) == 0;
}

TpuCall TpuService::parse(const Call& call) const {
  std::vector<std::string> parts = call.segments;
  TpuCall out{call, parts[0], {}, {}, {}};
  const auto colon = parts.back().rfind(':');
  if (colon != std::string::npos) {
    out.verb = parts.back().substr(colon + 1);
    parts.back().erase(colon);
  }
  if (parts.size() > 7 || parts[3] != "locations") {
    throw ApiError(404, "The requested URL " + call.path + " was not found on this server.");
  }
  parts.resize(7);
  out.name = {store_.project(parts[2])["id"].text(), parts[4], parts[5], parts[6]};
  return out;
}

Json TpuService::handle(const Call& call) {
  TpuCall tpu = parse(call);
  const std::string& zone = tpu.name.location;
  if (!zone.empty() && zone != "-" && !is_zone(zone)) throw denied_location(zone);
  if (faults_.unreachable(zone)) throw ApiError(503, "The zone '" + zone + "' is unreachable.");
  tpu.query = tpu.schema().query(method_name(tpu), call.query);
  if (zone == "-" && (call.method != "GET" || !tpu.name.id.empty())) {
    throw ApiError(400, "Wildcard location is only valid for list.");
  }
  const std::string request = tpu.param("requestId");
  if (request.empty()) return route(tpu);
  if (!is_uuid(request)) {
    throw bad_field("request_id", "Invalid request_id \"" + request + "\": must be a UUID.");
  }
  const std::string key = call.method + " " + tpu.name.full() + " " + text::lower(request);
  if (const auto known = store_.request_ids.find(key); known != store_.request_ids.end()) {
    if (store_.operation(known->second)) return operation_view(known->second);
  }
  Json out = route(tpu);
  store_.request_ids[key] = out["name"].text();
  return out;
}

Json TpuService::route(const TpuCall& call) {
  const std::string& collection = call.name.collection;
  if (collection.empty()) return locations(call);
  if (collection == "acceleratorTypes" || collection == (call.version == "v1" ? "tensorflowVersions" : "runtimeVersions")) return catalog(call);
  if (call.version == "v1") throw no_method();
  if (collection == "reservations" && call.alpha()) return reservations(call);
  if (collection == "operations") return operations(call);
  if (collection == "nodes") return nodes(call);
  if (collection == "queuedResources") return queued_resources(call);
  throw no_method();
}

Json TpuService::locations(const TpuCall& call) {
  const Name& name = call.name;
  if (call.is("POST", "generateServiceIdentity") && !name.location.empty() && call.version != "v1") {
    call.schema().read("Empty", call.call.json(), "generate_service_identity_request");
    const std::string number = store_.project(name.project)["number"].text();
    return Json{{"identity", Json{{"email", "service-" + number + "@cloud-tpu.iam.gserviceaccount.com"}}}};
  }
  if (!call.is("GET")) throw no_method();
  auto location = [&](const std::string& zone) {
    return Json{{"name", "projects/" + name.project + "/locations/" + zone}, {"locationId", zone}};
  };
  if (!name.location.empty()) return location(name.location);
  std::vector<Json> all;
  for (const std::string& zone : zones()) all.push_back(location(zone));
  return page(call, "locations", all);
}

Json TpuService::catalog(const TpuCall& call) {
  if (!call.is("GET")) throw no_method();
  const std::string prefix = call.name.parent() + "/" + call.name.collection + "/";
  std::vector<Json> all;
  if (call.name.collection != "acceleratorTypes") {
    for (const std::string& version : call.version == "v1" ? tensorflow_versions() : runtime_versions()) {
      all.push_back(Json{{"name", prefix + version}, {"version", version}});
    }
  } else if (call.version == "v1") {  // which knows no shapes
    for (const Accelerator& accelerator : accelerators()) {
      all.push_back(Json{{"name", prefix + accelerator.type}, {"type", accelerator.type}});
    }
  } else {
    for (const Accelerator& accelerator : accelerators()) {
      Json configs = Json::array();
      configs.push(Json{{"type", accelerator.kind}, {"topology", accelerator.topology}});
      all.push_back(Json{{"name", prefix + accelerator.type}, {"type", accelerator.type}, {"acceleratorConfigs", configs}});
    }
  }
  if (call.name.id.empty()) return page(call, call.name.collection, all);
  for (const Json& item : all) {
    if (item["name"].text() == call.name.full()) return item;
  }
  throw not_found(call.name.full());
}

Json TpuService::reservations(const TpuCall& call) {
  if (!call.is("GET") || !call.name.id.empty()) throw no_method();
  return page(call, "reservations", {});
}

Json TpuService::operation_view(const std::string& name) const { return store_.operation(name)->doc; }

Json TpuService::operations(const TpuCall& call) {
  if (call.name.id.empty()) {
    if (!call.is("GET")) throw no_method();
    return page_records(call, "operations", store_.operations, [](const Record& record) { return record.doc; });
  }
  Record* operation = store_.operation(call.name.full());
  if (!operation) throw not_found(call.name.full());
  if (call.is("GET")) return operation->doc;
  if (call.is("POST", "cancel")) return cancel(*operation);
  if (!call.is("DELETE")) throw no_method();
  if (!operation->doc["done"].boolean()) throw precondition("The operation is not done.");
  store_.operations.erase(call.name.full());
  return Json::object();
}

/// Best effort, as documented: creations are undone, everything else goes on.
Json TpuService::cancel(Record& operation) {
  if (operation.doc["done"].boolean()) return Json::object();
  operation.doc.set("/metadata/cancelRequested", true);
  for (auto& [id, task] : store_.tasks) {
    const std::string kind = task.text("kind");
    if (task.text("op") != operation.doc["name"].text() || (kind != "create-node" && kind != "queue")) continue;
    task.data.member("cancelled") = true;
    task.due = life_.now();
  }
  return Json::object();
}

Json TpuService::start(const TpuCall& call, const std::string& verb, const std::string& kind, const char* step,
                       const std::string& subject, Duration in, const Json& more) {
  const std::string operation = life_.begin(call.version, verb, subject);
  Json data{{"kind", kind}, {"step", step}, {"subject", subject}, {"op", operation}, {"version", call.version}};
  for (const auto& [name, value] : more.members()) data.member(name) = value;
  life_.plan(in, std::move(data));
  return operation_view(operation);
}

std::vector<const Record*> TpuService::visible(const TpuCall& call,
                                               const std::map<std::string, Record>& records) const {
  std::vector<const Record*> out;
  const std::string prefix = "projects/" + call.name.project + "/locations/";
  for (auto at = records.lower_bound(prefix); at != records.end() && at->first.rfind(prefix, 0) == 0; ++at) {
    const std::string zone = at->first.substr(prefix.size(), at->first.find('/', prefix.size()) - prefix.size());
    if (call.name.location == "-" ? !faults_.unreachable(zone) : zone == call.name.location) out.push_back(&at->second);
  }
  return out;
}

namespace {
struct Span {
  std::size_t first = 0, last = 0;  ///< [first, last)
};

/// What pageSize and pageToken cut out of the sorted names. The token is the name that the last page ended with, so that
/// a list that changes meanwhile is neither cut nor doubled.
Span span_of(const TpuCall& call, const std::vector<std::string>& names) {
  constexpr std::int64_t kMost = 500;
  const std::int64_t wish = text::parse_int(call.param("pageSize")).value_or(0);
  if (wish < 0) throw bad_field("page_size", "page_size must not be negative");
  Span out;
  if (const std::string token = call.param("pageToken"); !token.empty()) {
    const std::string last = text::percent_decode(token);
    if (last.rfind("projects/", 0) != 0) throw bad_field("page_token", "The page token is not valid.");
    out.first = static_cast<std::size_t>(std::upper_bound(names.begin(), names.end(), last) - names.begin());
  }
  out.last = std::min(names.size(), out.first + static_cast<std::size_t>(wish == 0 ? kMost : std::min(wish, kMost)));
  return out;
}
}  // namespace

Json TpuService::page(const TpuCall& call, const std::string& key, const std::vector<Json>& items) const {
  std::map<std::string, Record> records;
  for (const Json& item : items) records[item["name"].text()] = {item, {}};
  return page_records(call, key, records, [](const Record& record) { return record.doc; });
}

Json TpuService::page_records(const TpuCall& call, const std::string& key, const std::map<std::string, Record>& records,
                              const std::function<Json(const Record&)>& show) const {
  std::vector<const Record*> chosen;
  if (call.name.location.empty()) {
    for (const auto& [name, record] : records) chosen.push_back(&record);
  } else {
    chosen = visible(call, records);
  }
  std::vector<std::string> names;
  for (const Record* record : chosen) names.push_back(record->doc["name"].text());
  const Span span = span_of(call, names);
  Json list = Json::array();
  for (std::size_t i = span.first; i < span.last; ++i) list.push(show(*chosen[i]));
  Json out = Json::object();
  if (span.last < names.size()) out.member("nextPageToken") = text::percent_encode(names[span.last - 1]);
  if (list.size() > 0) out.member(key) = std::move(list);
  const auto lost = faults_.unreachable_zones();
  if (call.name.location == "-" && !lost.empty()) {
    Json zones_lost = Json::array();
    for (const std::string& zone : lost) zones_lost.push("projects/" + call.name.project + "/locations/" + zone);
    out.member("unreachable") = zones_lost;
  }
  return out;
}

}  // namespace tpuctl::emulator
