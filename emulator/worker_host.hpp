// SPDX-License-Identifier: Apache-2.0
// The machines of the emulator, as the control plane sees them. The real one (emulator/worker_pool) runs a process per
// worker; tests hand in a fake; where workers cannot run (not Linux) there is one that refuses nothing and does nothing.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.hpp"
#include "base/time.hpp"

namespace tpuctl::emulator {

/// A worker is "NODE_UID/INDEX": unique over the life of the emulator, so that a node made again is another machine.
using WorkerId = std::string;

struct WorkerSpec {
  WorkerId id;
  std::string node;     ///< node id, for names and prompts
  int index = 0;
  std::string address;  ///< 127.x.y.z: ssh and its metadata server listen there
  std::string hostname; ///< t1v-n-XXXXXXXX-w-INDEX
  bool autocheckpoint = false;
};

struct HostKey {
  std::string type;  ///< ssh-ed25519
  std::string data;  ///< base64
};

class WorkerHost {
 public:
  virtual ~WorkerHost() = default;

  /// Makes the machine (home, state folder, device file, host key) and boots it. `metadata` is what its metadata server
  /// answers (see set_metadata). Throws Error when it cannot be started (sshd missing, port in use).
  virtual void create(const WorkerSpec& spec, const Json& metadata) = 0;
  /// Ends the machine and removes its folder. Unknown ids are fine.
  virtual void destroy(const WorkerId& id) = 0;

  /// Kills every process of the machine; ssh is refused until boot().
  virtual void halt(const WorkerId& id) = 0;
  /// Starts it again on the same disk with the same host key; runs metadata["instance"]["attributes"]["startup-script"].
  virtual void boot(const WorkerId& id) = 0;

  /// Sends `signal` to the processes that hold the worker's device file open; the number of them (0: nobody holds it).
  /// With signal 0 they are only counted.
  virtual int signal_holders(const WorkerId& id, int signal) = 0;

  /// The whole tree under computeMetadata/v1 as nested objects ({"instance": {"attributes": {...}, "maintenance-event":
  /// "NONE"}, "project": {...}}). Waiting readers (wait_for_change) are answered when what they watch differs.
  virtual void set_metadata(const WorkerId& id, const Json& metadata) = 0;

  /// Trouble with one machine, until heal() or halt(). hang: its processes stand still, ssh is accepted and not answered.
  /// fill: what logins and the start-up script do from now on finds `bytes` of room on the disk, and is forgotten with the
  /// trouble. Throws Error when this computer cannot do it.
  virtual void hang(const WorkerId& id) = 0;
  virtual void fill(const WorkerId& id, std::int64_t bytes) = 0;
  virtual void heal(const WorkerId& id) = 0;
  /// Nothing gets through to the TCP port of the machine any more.
  virtual void block(const WorkerId& id, int port) = 0;
  /// Trouble with its logins, in real time, until heal() or halt(). "refuse": connections are refused, for `time`, or without end when
  /// it is 0; "late": each login takes that much longer; "keys": authorized keys change that much later.
  virtual void hamper(const WorkerId& id, const std::string& kind, Duration time) = 0;

  /// The only user who can log in; empty: whoever the keys are for.
  virtual std::string login() const { return {}; }
  virtual std::vector<HostKey> host_keys(const WorkerId& id) = 0;
};

}  // namespace tpuctl::emulator
