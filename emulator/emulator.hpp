// SPDX-License-Identifier: Apache-2.0
// A Cloud TPU on your machine: store, life cycles, services and faults behind one Transport. It needs no socket; the
// server (service.hpp) puts it behind one.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "api/http.hpp"
#include "base/time.hpp"
#include "emulator/faults.hpp"
#include "emulator/lifecycle.hpp"
#include "emulator/neighbours.hpp"
#include "emulator/storage_service.hpp"
#include "emulator/store.hpp"
#include "emulator/tpu_service.hpp"
#include "emulator/worker_host.hpp"

namespace tpuctl::emulator {

struct EmulatorOptions {
  std::string dir;   ///< state and buckets are kept there; empty: state in memory, and no Cloud Storage
  double speed = 1;  ///< service times are divided by it
  std::vector<std::string> faults;
  Lifecycle::Log log = [](const std::string&) {};
};

/// Set in an answer of `answer` when the connection shall suffer: "reset" or "truncate".
inline constexpr const char* kFaultHeader = "X-Emulator-Fault";

/// Thread-safe. Workers are asked outside the lock.
class Emulator : public api::Transport {
 public:
  /// `host` and `clock` must outlive it. Throws Error{usage} for a bad fault and Error{failure} for a bad state file.
  /// Nodes that the state says are up get their machines again.
  Emulator(EmulatorOptions options, WorkerHost& host, Clock& clock);

  /// In process: first moves on what is due, then answers; a fault of the connection is an answer with `failure`.
  api::Response send(const api::Request& request) override;

  /// For the server: as send, but nothing is moved on (the ticker does that) and faults are marked with kFaultHeader.
  api::Response answer(const api::Request& request);

  /// Does everything that is due. Returns at once when another thread is at it.
  void advance();

  /// Throws Error{usage}.
  void add_fault(const std::string& spec);

  /// Halts every worker; their disks stay. For the end of the process.
  void halt_workers();

  bool shutdown_requested();

 private:
  api::Response route(const Call& call);
  api::Response control(const Call& call);
  api::Response apply(const Fault& fault, const Call& call);
  const Record& node_called(const std::string& given) const;  ///< by id or full name. Throws Error{not_found}.
  void afflict(const Fault& fault);  ///< hang, full, heal; asks the workers, outside the lock

  EmulatorOptions options_;
  WorkerHost& host_;
  Clock& clock_;
  std::mutex mutex_;          ///< over everything below but storage_, which has its own
  std::mutex advance_mutex_;  ///< one thread at a time moves the world
  Store store_;
  Faults faults_;
  Lifecycle life_;
  TpuService tpu_;
  Neighbours neighbours_;
  StorageService storage_;
  bool shutdown_ = false;
};

}  // namespace tpuctl::emulator
