// SPDX-License-Identifier: Apache-2.0
// How the world moves on: state machines as tasks in the store. A machine is a row (kind, function); each call of the
// function is one step and says when the next one is due. Service times are divided by the speed; waits for processes
// (the grace, the pause before a halt) are real time at any speed.
#pragma once

#include <functional>
#include <mutex>
#include <optional>
#include <string>

#include "base/json.hpp"
#include "base/time.hpp"
#include "emulator/faults.hpp"
#include "emulator/store.hpp"
#include "emulator/worker_host.hpp"

namespace tpuctl::emulator {

// Service times in seconds at speed 1.
inline constexpr double kCreateNode = 90, kDeleteNode = 30, kUpdateNode = 5, kStopNode = 30, kReboot = 60;
inline constexpr double kCreateQueued = 5, kAccepted = 5, kWaiting = 60, kProvisioning = 120, kDeleteQueued = 30;
inline constexpr double kMaintenance = 120, kGrace = 300, kPreemptionNotice = 30, kLookForCapacity = 10;
// Real seconds that no speed undercuts.
inline constexpr double kLeastGrace = 20, kPauseBeforeHalt = 1.5, kLeastPreemptionNotice = 5, kPoll = 0.1;

class Lifecycle {
 public:
  using Log = std::function<void(const std::string&)>;

  /// The references must outlive it. `speed` > 0.
  Lifecycle(Store& store, const Faults& faults, WorkerHost& host, Clock& clock, double speed, Log log);

  /// Runs the earliest step that is due; false when nothing is. Called with `lock` held, which is given up while
  /// workers are started, halted or signalled. One thread at a time.
  bool run_one(std::unique_lock<std::mutex>& lock);

  /// After a start from saved state: makes the machines of all nodes that are up. A worker that cannot be started is
  /// said in the log; its node becomes UNKNOWN.
  void resume();

  /// A new operation's name; it is not done until a task finishes it. `version` is the caller's API version.
  std::string begin(const std::string& version, const std::string& verb, const std::string& target);
  /// Plans a task: data needs kind and step; `in` counts from now.
  Task& plan(Duration in, Json data);

  // For the machines (node_life, queue_life, maintenance) and the services.
  Store& store() { return store_; }
  WorkerHost& host() { return host_; }
  TimePoint now() const { return clock_.now(); }
  std::string stamp() const { return rfc3339(clock_.now(), 6); }
  Duration service(double at_speed_one) const { return seconds(at_speed_one / speed_); }
  double speed() const { return speed_; }
  bool shortage(const std::string& zone) const { return faults_.shortage(zone, now()); }  ///< nobody gets machines there at the moment
  void log(const std::string& line) const { log_(line); }
  /// Runs `work` with the lock given up. Records stay where they are (only machines remove them); look up names again
  /// when a service may have changed them.
  void outside(const std::function<void()>& work);

  /// Ends an operation well: the response is the resource of that type ("Node", "QueuedResource", "" for none).
  void succeed(const std::string& operation, const std::string& type, const Json& resource);
  void fail(const std::string& operation, int code, const std::string& message);
  void status_detail(const std::string& operation, const std::string& text);  ///< added to what is there

 private:
  Store& store_;
  const Faults& faults_;
  WorkerHost& host_;
  Clock& clock_;
  double speed_;
  Log log_;
  std::unique_lock<std::mutex>* lock_ = nullptr;
};

/// When a machine goes on; empty: it has come to its end. A step that goes on sets data["step"] itself.
using Next = std::optional<TimePoint>;
using Step = Next (*)(Lifecycle&, Task&);

/// The next step `delay` after this one was due (service time), or after this moment (real time).
Next then_after(Task& task, const char* step, Duration delay);
Next then_at(Task& task, const char* step, TimePoint due);

// The machines.
Next step_create_node(Lifecycle& life, Task& task);
Next step_delete_node(Lifecycle& life, Task& task);
Next step_start_node(Lifecycle& life, Task& task);
Next step_stop_node(Lifecycle& life, Task& task);
Next step_update_node(Lifecycle& life, Task& task);
Next step_preempt(Lifecycle& life, Task& task);
Next step_queue(Lifecycle& life, Task& task);
Next step_delete_queued(Lifecycle& life, Task& task);
Next step_reset_queued(Lifecycle& life, Task& task);
Next step_suspend(Lifecycle& life, Task& task);
Next step_maintain(Lifecycle& life, Task& task);
/// A window for scheduled maintenance of a node, or of one worker (-1: all), `later`; it is kept. Throws Error when it is not READY.
void announce_maintenance(Lifecycle& life, const std::string& node, int worker, Duration later);
Next step_replace(Lifecycle& life, Task& task);
Next step_push_metadata(Lifecycle& life, Task& task);  ///< subject: a project id

}  // namespace tpuctl::emulator
