// SPDX-License-Identifier: Apache-2.0
// What an emulated worker consists of on disk. Linux only.
//
//   DIR/workers/.tools/           the scripts all workers share, and `gcloud` and `tpuctl` -> the program
//   DIR/workers/NODE-INDEX-UID/   home/ state/ tmp/ dev/accel0 bin/ (names of .tools) enter worker.env shellrc
//                                 sshd_config ssh_config curl/.curlrc host_key authorized_keys metadata.json config.json
//                                 pid worker.log sshd.log startup.log; while its disk is full: disk full/ full.err
//
// Everything but home/, state/ and host_key is made anew at each start.
#pragma once

#include <sys/types.h>

#include <map>
#include <string>
#include <string_view>

#include "base/json.hpp"
#include "emulator/worker_host.hpp"

namespace tpuctl::emulator {

/// What the pool tells the process of one worker (config.json).
struct WorkerConfig {
  WorkerId id;
  std::string name;  ///< NODE-w-INDEX, for people
  std::string address;
  std::string hostname;
  int ssh_port = 0;
  std::string folder;   ///< absolute
  std::string tools;    ///< DIR/workers/.tools
  std::string scratch;  ///< TMPDIR; short, since programs put sockets there and a socket's path has 107 bytes at most
  std::string url;      ///< the emulator's control plane
  std::string user;     ///< the only one who may log in: the one who runs the emulator
  std::string sshd;
  std::string sftp_server;
  bool pam = false;     ///< sshd asks PAM: only where the user's account is locked, which sshd alone takes for a refusal
  bool tty = true;      ///< logins may ask for a terminal (terminals_granted)
  std::string path;     ///< PATH of the emulator, so that its Python is the worker's
  std::map<std::string, std::string> environment;  ///< further variables
  int control = -1;     ///< the descriptor of the socket to the pool
};

Json to_json(const WorkerConfig& config);
WorkerConfig worker_config(const Json& json);

/// Writes through a rename, so that a reader sees the old or the new text; not synced to disk.
void put_file(const std::string& path, std::string_view bytes, mode_t mode = 0600);

/// Whether an sshd that the calling user has started can hand out terminals. It insists that a terminal belongs to the
/// group tty; where /dev/pts is mounted without gid=5 (some containers) only root can arrange that, and sshd would end the
/// session without a word. Then workers refuse the terminal: ssh says so, or goes on without when it was not told -t.
bool terminals_granted();

/// Writes the shared scripts to `tools`.
void write_tools(const std::string& tools, const std::string& program);

/// Makes the folder complete but for worker.env and authorized_keys. Throws Error when no host key can be made.
void make_folder(const WorkerConfig& config);

/// worker.env: what each process of the worker has in its environment.
void write_environment(const WorkerConfig& config, int metadata_port);

/// The text of authorized_keys: OS Login's keys where there are any, else the lines "USER:TYPE DATA COMMENT" of the metadata's
/// ssh-keys (the project's too, unless block-project-ssh-keys is TRUE) that are for `user`. An "expireOn" in the comment is kept as sshd's own limit.
std::string authorized_keys(const Json& metadata, const std::string& user);

}  // namespace tpuctl::emulator
