// SPDX-License-Identifier: Apache-2.0
// The emulated world: what there is, and what is still to happen to it. Documents are Json in the shape of v2alpha1.
// Not thread-safe: the emulator's lock covers it.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.hpp"
#include "base/time.hpp"

namespace tpuctl::emulator {

/// "projects/P/locations/Z/COLLECTION/ID" in parts.
struct Name {
  std::string project, location, collection, id;

  static Name parse(std::string_view full);  ///< parts that are not there are empty
  std::string parent() const { return "projects/" + project + "/locations/" + location; }
  std::string full() const { return parent() + "/" + collection + "/" + id; }
};

/// A resource: what the API shows, and what only the emulator knows.
struct Record {
  Json doc;
  Json hidden;
};
// Node.hidden:   addresses [127.x.y.z], host_keys [[{type, data}]], hostname (without "-w-INDEX"), up (workers exist),
//                notice {event, upcoming, preempted, workers [index]} while a notice stands, reclaimed (its machines are gone,
//                whatever its state says).
// QueuedResource.hidden: nodes [full names, once there are some], specs [{id, spec}] (every node it shall have),
//                valid_after, valid_until (microseconds since 1970), run_limit (microseconds), resetting.

/// Something due later. `kind` names the machine (lifecycle.hpp), `step` the place in it.
struct Task {
  std::int64_t id = 0;
  TimePoint due;
  Json data;  ///< kind, step, subject (resource name), op (operation name or "") and what the machine needs

  std::string text(std::string_view key) const { return data[key].text(); }
};

class Store {
 public:
  /// `dir` empty: memory only. Otherwise DIR/state.json is read when it is there; throws Error when it cannot be read.
  explicit Store(std::string dir);

  std::map<std::string, Record> nodes, queued_resources, operations;  ///< by full name
  std::map<std::int64_t, Task> tasks;
  std::map<std::string, std::string> request_ids;  ///< "METHOD collection requestId" -> operation name
  std::map<std::string, Json> projects;            ///< by id: number, metadata {key: value}, fingerprint
  std::map<std::string, Json> users;               ///< by account: OS Login keys {fingerprint: key}; a text in "username" is its POSIX name

  std::int64_t next() { return ++sequence_; }  ///< 1, 2, ...: never the same again, restarts included
  std::string next_address();                  ///< 127.A.B.C, A >= 1, not given out before

  Record* node(const std::string& name);  ///< nullptr when there is none; likewise below
  Record* queued_resource(const std::string& name);
  Record* operation(const std::string& name);
  /// The project's record, made when first asked for. `id` may be the project number of a known project.
  Json& project(const std::string& id);

  Task& add_task(TimePoint due, Json data);

  /// Writes DIR/state.json when `changed()` was called since the last write.
  void changed() { dirty_ = true; }
  void save();
  const std::string& dir() const { return dir_; }

 private:
  Json dump() const;
  void load(const Json& state);

  std::string dir_;
  std::int64_t sequence_ = 0;
  std::int64_t addresses_ = 0;
  bool dirty_ = false;
};

}  // namespace tpuctl::emulator
