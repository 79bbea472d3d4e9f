// SPDX-License-Identifier: Apache-2.0
#include "emulator/lifecycle.hpp"

#include <string_view>

#include "base/error.hpp"
#include "base/text.hpp"
#include "emulator/metadata.hpp"
#include "emulator/views.hpp"

namespace tpuctl::emulator {

namespace {
struct Machine {
  std::string_view kind;
  Step step;
};

constexpr Machine kMachines[] = {
    {"create-node", step_create_node},     {"delete-node", step_delete_node},   {"start-node", step_start_node},
    {"stop-node", step_stop_node},         {"update-node", step_update_node},   {"preempt", step_preempt},
    {"queue", step_queue},                 {"delete-queued", step_delete_queued}, {"reset-queued", step_reset_queued},
    {"suspend", step_suspend},             {"maintain", step_maintain},           {"replace", step_replace},
    {"push-metadata", step_push_metadata},
};

Step machine_of(const Task& task) {
  for (const Machine& machine : kMachines) {
    if (machine.kind == task.text("kind")) return machine.step;
  }
  return nullptr;
}

constexpr int kInternal = 13;  // google.rpc.Code
}  // namespace

Next then_after(Task& task, const char* step, Duration delay) { return then_at(task, step, task.due + delay); }

Next then_at(Task& task, const char* step, TimePoint due) {
  task.data.member("step") = step;
  return due;
}

Lifecycle::Lifecycle(Store& store, const Faults& faults, WorkerHost& host, Clock& clock, double speed, Log log)
    : store_(store), faults_(faults), host_(host), clock_(clock), speed_(speed), log_(std::move(log)) {}

bool Lifecycle::run_one(std::unique_lock<std::mutex>& lock) {
  const Task* first = nullptr;
  for (const auto& [id, task] : store_.tasks) {
    if (!first || task.due < first->due) first = &task;
  }
  if (!first || first->due > now()) return false;
  Task task = *first;  // a step may add tasks; and it works outside the lock
  lock_ = &lock;
  Next next;
  try {
    if (Step step = machine_of(task)) next = step(*this, task);
  } catch (const Error& error) {
    log("Task " + task.text("kind") + " of " + task.text("subject") + " failed: " + error.what());
    fail(task.text("op"), kInternal, error.what());
  }
  lock_ = nullptr;
  if (next) {
    task.due = *next;
    store_.tasks[task.id] = task;
  } else {
    store_.tasks.erase(task.id);
  }
  store_.changed();
  store_.save();
  return true;
}

void Lifecycle::resume() {
  for (auto& [name, node] : store_.nodes) {
    if (!node.hidden["up"].boolean()) continue;
    const std::string& state = node.doc["state"].text();
    const bool halted = state == "STOPPED" || state == "PREEMPTED" || node.hidden["reclaimed"].boolean();
    try {
      for (int i = 0; i < worker_count(node); ++i) {
        host_.create(worker_spec(node, i), worker_metadata(store_, node, i));
        if (halted) host_.halt(worker_id(node, i));
      }
      remember_host_keys(*this, node);
    } catch (const Error& error) {
      log("Node " + name + " could not be started again: " + error.what());
      node.doc.member("state") = "UNKNOWN";
      node.doc.member("healthDescription") = error.what();
      store_.changed();
    }
  }
}

std::string Lifecycle::begin(const std::string& version, const std::string& verb, const std::string& target) {
  const Name of = Name::parse(target);
  const auto count = store_.next();
  const auto millis = std::chrono::duration_cast<std::chrono::milliseconds>(now().time_since_epoch()).count();
  const std::string digest = text::sha256_hex(target + std::to_string(count));
  const std::string name = of.parent() + "/operations/operation-" + std::to_string(millis) + "-" +
                           digest.substr(0, 13) + "-" + digest.substr(13, 8) + "-" + digest.substr(21, 8);
  Json metadata{{"@type", "type.googleapis.com/google.cloud.common.OperationMetadata"},
                {"createTime", stamp()},
                {"target", target},
                {"verb", verb},
                {"cancelRequested", false},
                {"apiVersion", version}};
  store_.operations[name] = {Json{{"name", name}, {"metadata", metadata}}, Json{{"version", version}}};
  store_.changed();
  return name;
}

Task& Lifecycle::plan(Duration in, Json data) { return store_.add_task(now() + in, std::move(data)); }

void Lifecycle::outside(const std::function<void()>& work) {
  if (!lock_) return work();
  lock_->unlock();
  try {
    work();
  } catch (...) {
    lock_->lock();
    throw;
  }
  lock_->lock();
}

void Lifecycle::succeed(const std::string& operation, const std::string& type, const Json& resource) {
  Record* record = store_.operation(operation);
  if (!record || record->doc["done"].boolean()) return;
  const std::string version = record->hidden["version"].text();
  record->doc.set("/metadata/endTime", stamp());
  record->doc.member("done") = true;
  if (type.empty()) {
    record->doc.member("response") = Json{{"@type", "type.googleapis.com/google.protobuf.Empty"}};
    return;
  }
  Json response{{"@type", "type.googleapis.com/google.cloud.tpu." + version + "." + type}};
  const Json shown = type == "Node" ? node_view(version, resource) : resource;
  for (const auto& [name, value] : shown.members()) response.member(name) = value;
  record->doc.member("response") = response;
}

void Lifecycle::fail(const std::string& operation, int code, const std::string& message) {
  Record* record = store_.operation(operation);
  if (!record || record->doc["done"].boolean()) return;
  record->doc.set("/metadata/endTime", stamp());
  record->doc.member("done") = true;
  record->doc.member("error") = Json{{"code", code}, {"message", message}};
}

void Lifecycle::status_detail(const std::string& operation, const std::string& text) {
  Record* record = store_.operation(operation);
  if (!record) return;
  const std::string before = record->doc.at("/metadata/statusDetail").text();
  record->doc.set("/metadata/statusDetail", before.empty() ? text : before + " " + text);
}

}  // namespace tpuctl::emulator
