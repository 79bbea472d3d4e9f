// SPDX-License-Identifier: Apache-2.0
#include "emulator/store.hpp"

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/text.hpp"

namespace tpuctl::emulator {

namespace {
constexpr int kFormat = 1;  // of state.json

/// `digits` decimal digits that depend on `seed` alone.
std::int64_t digits_of(const std::string& seed, int digits) {
  std::int64_t out = 0;
  std::int64_t scale = 1;
  for (int i = 0; i < digits; ++i) scale *= 10;
  for (const char c : text::sha256_hex(seed).substr(0, 15)) {
    out = out * 16 + (c <= '9' ? c - '0' : c - 'a' + 10);
  }
  return out % scale;
}

Json records_json(const std::map<std::string, Record>& records) {
  Json out = Json::array();
  for (const auto& [name, record] : records) out.push(Json{{"doc", record.doc}, {"hidden", record.hidden}});
  return out;
}

void load_records(const Json& list, std::map<std::string, Record>& records) {
  for (const Json& item : list.items()) records[item["doc"]["name"].text()] = {item["doc"], item["hidden"]};
}

Json map_json(const std::map<std::string, Json>& map) {
  Json out = Json::object();
  for (const auto& [name, value] : map) out.member(name) = value;
  return out;
}
}  // namespace

Name Name::parse(std::string_view full) {
  const auto parts = text::split(full, '/');
  Name out;
  auto part = [&](std::size_t i) { return i < parts.size() ? parts[i] : std::string(); };
  if (part(0) == "projects") out.project = part(1);
  if (part(2) == "locations") out.location = part(3);
  out.collection = part(4);
  out.id = part(5);
  return out;
}

Store::Store(std::string dir) : dir_(std::move(dir)) {
  if (dir_.empty()) return;
  const std::string path = file::join(dir_, "state.json");
  const auto text = file::read_if_exists(path);
  if (!text) return;
  Json state;
  if (!Json::try_parse(*text, state) || state["format"].integer() != kFormat) {
    throw Error(Kind::failure, "[" + path + "] is no state of this emulator.",
                "Delete the folder, or choose another one with --dir.");
  }
  load(state);
}

std::string Store::next_address() {
  // 254 * 256 addresses per second byte, of which the folder chooses the first: emulators side by side seldom meet.
  const std::int64_t n = addresses_++;
  const std::int64_t a = 1 + (digits_of("address " + dir_, 9) + n / (std::int64_t{254} * 256)) % 254;
  return "127." + std::to_string(a) + "." + std::to_string(n / 254 % 256) + "." + std::to_string(1 + n % 254);
}

namespace {
Record* find(std::map<std::string, Record>& records, const std::string& name) {
  const auto found = records.find(name);
  return found == records.end() ? nullptr : &found->second;
}
}  // namespace

Record* Store::node(const std::string& name) { return find(nodes, name); }
Record* Store::queued_resource(const std::string& name) { return find(queued_resources, name); }
Record* Store::operation(const std::string& name) { return find(operations, name); }

Json& Store::project(const std::string& id) {
  for (auto& [known, document] : projects) {
    if (known == id || document["number"].text() == id) return document;
  }
  Json& made = projects[id];
  made = Json{{"id", id},
              {"number", std::to_string(100000000000 + digits_of("project " + id, 11))},
              {"metadata", Json::object()},
              {"fingerprint", text::sha256_hex("fingerprint " + id).substr(0, 12)}};
  changed();
  return made;
}

Task& Store::add_task(TimePoint due, Json data) {
  Task task;
  task.id = next();
  task.due = due;
  task.data = std::move(data);
  changed();
  return tasks[task.id] = std::move(task);
}

void Store::save() {
  if (!dirty_) return;
  if (!dir_.empty()) file::write_atomic(file::join(dir_, "state.json"), dump().dump() + "\n");
  dirty_ = false;
}

Json Store::dump() const {
  Json task_list = Json::array();
  for (const auto& [id, task] : tasks) {
    task_list.push(Json{{"id", id}, {"due", static_cast<std::int64_t>(task.due.time_since_epoch().count())},
                        {"data", task.data}});
  }
  Json requests = Json::object();
  for (const auto& [key, operation] : request_ids) requests.member(key) = operation;
  return Json{{"format", kFormat},
              {"sequence", sequence_},
              {"addresses", addresses_},
              {"nodes", records_json(nodes)},
              {"queuedResources", records_json(queued_resources)},
              {"operations", records_json(operations)},
              {"tasks", task_list},
              {"requestIds", requests},
              {"projects", map_json(projects)},
              {"users", map_json(users)}};
}

void Store::load(const Json& state) {
  sequence_ = state["sequence"].integer();
  addresses_ = state["addresses"].integer();
  load_records(state["nodes"], nodes);
  load_records(state["queuedResources"], queued_resources);
  load_records(state["operations"], operations);
  for (const Json& item : state["tasks"].items()) {
    Task task{item["id"].integer(), TimePoint(Duration(item["due"].integer())), item["data"]};
    tasks[task.id] = task;
  }
  for (const auto& [key, operation] : state["requestIds"].members()) request_ids[key] = operation.text();
  for (const auto& [id, document] : state["projects"].members()) projects[id] = document;
  for (const auto& [id, document] : state["users"].members()) users[id] = document;
}

}  // namespace tpuctl::emulator
