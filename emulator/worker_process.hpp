// SPDX-License-Identifier: Apache-2.0
// The process of one emulated worker (`tpuctl emulator worker --config FILE`, started by the pool and by nobody else):
// sshd's doorkeeper, metadata server, and the root of everything that runs on the worker.
#pragma once

#include <string>

namespace tpuctl::emulator {

/// Runs until the pool says so, the pool's end of the control socket closes (the emulator was killed), or SIGTERM,
/// SIGINT or SIGHUP comes; then every process of the worker has ended. SIGUSR1 reboots it. Returns the exit code.
///
/// The control socket (SOCK_SEQPACKET, its number in the configuration) carries one command a packet, each answered by
/// "ok", "ok NUMBER" or "error TEXT":
///   boot           listen for ssh, run the start-up script; nothing when it is up already
///   halt           kill everything; ssh is refused
///   holders SIGNAL send it (0: none) to the holders of the device file; answers how many there are
///   metadata       metadata.json has changed
///   refuse TIME    (microseconds) connections are refused for so long; 0: until heal
///   late TIME      each login takes that much longer
///   keys TIME      authorized keys change that much later
///   quit           halt and exit
/// The first packet is sent unasked: the worker is made, or why not.
///
/// Must be called before the process has any other thread. Not on Linux: says so and returns 1.
int worker_main(const std::string& config_path);

}  // namespace tpuctl::emulator
