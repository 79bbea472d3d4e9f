// SPDX-License-Identifier: Apache-2.0
// The real machines of the emulator: a process per worker, with ssh, a metadata server, a device file and a home.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "emulator/worker_host.hpp"

namespace tpuctl::emulator {

struct PoolOptions {
  std::string dir;      ///< the emulator's folder; workers live in DIR/workers
  int ssh_port = 0;     ///< each worker's sshd listens on its own address and this port
  std::string url;      ///< the control plane, http://127.0.0.1:PORT
  std::string program;  ///< the tpuctl executable; started as `PROGRAM emulator worker --config FILE`
  /// Further variables of every process on the workers; they go before the pool's own (CLOUDSDK_CONFIG=DIR/gcloud, the
  /// endpoint overrides and so on).
  std::map<std::string, std::string> environment = {};
  /// Where programs are looked for when the user's PATH does not have them; they follow it on the workers.
  std::vector<std::string> program_folders = {"/usr/local/bin", "/usr/bin", "/bin", "/usr/sbin", "/sbin", "/usr/local/sbin"};
};

/// Workers as processes of the user who calls, and only that user can log in. As root or as an ordinary user. Destroying
/// the host ends every worker and all that runs on it, and so does the end of this process, however it comes; the folders
/// stay, and create() with the same WorkerSpec finds home, state and host key again. Its functions may be called from
/// several threads; calls for one worker wait for each other.
///
/// Where /dev/pts lets only root hand out terminals, an ordinary user's `ssh` gets a plain shell and `ssh -t` is refused.
///
/// Throws Error{failure} when sshd is missing, or DIR has a quote, a backslash or a line break in its name.
/// Not Linux: the host does nothing; signal_holders is 0 and host_keys is empty.
std::unique_ptr<WorkerHost> make_worker_pool(const PoolOptions& options);

}  // namespace tpuctl::emulator
