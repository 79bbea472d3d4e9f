// SPDX-License-Identifier: Apache-2.0
// The system's OpenSSH does the talking; this builds its argv, as gcloud does, and its known-hosts file.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "base/environment.hpp"
#include "launch/workers.hpp"

namespace tpuctl::launch {

struct SshSettings {
  std::string program = "ssh";  ///< absolute path, or what PATH finds
  std::string user;
  bool user_named = false;  ///< by the command line
  std::string key_file;
  std::string known_hosts_file;
  int port = 22;
  std::string strict;            ///< --strict-host-key-checking: yes, no, ask; empty: by what is known
  std::string control_dir;       ///< where shared connections live; empty: none are shared
  std::vector<std::string> extra;  ///< --ssh-flag, split already
  bool plain = false;            ///< no options of ours at all
  bool asks = true;              ///< ssh may ask (a passphrase, a host key); false where nobody could answer, or many would ask at once
  bool fresh_key = false;        ///< the workers were told the key just now, and may need a moment to take it
};

/// `ssh -t|-T -i KEY -o ... USER@ADDRESS REST [-- COMMAND]`. `command` is one text, quotes intact; empty: a shell.
/// `checked` says that the worker's host key is in the known-hosts file.
std::vector<std::string> ssh_argv(const SshSettings& settings, const Worker& worker, const std::string& command,
                                  const std::vector<std::string>& rest, bool checked);

/// `scp [-r] [-C] -i KEY -o ... SOURCES DESTINATION`; remote paths among `paths` are marked by a leading ':' and get USER@ADDRESS
/// before it. `flags` go before the paths ("-r", "-C", --scp-flag).
std::vector<std::string> scp_argv(const SshSettings& settings, const Worker& worker, const std::vector<std::string>& mode_flags,
                                  const std::vector<std::string>& paths, bool checked);

/// What exit code 255 means: ssh says it when it has no connection, and so may the command itself.
enum class Contact {
  none,     ///< no connection; another try may do
  refused,  ///< nor will another try: a host key that is not the known one; a key that is refused, unless it is fresh
  lost,     ///< it broke while the command ran, which must not run twice
  made,     ///< the code is the command's own
};
/// Judged by ssh's last words, and by the shared connection that a success leaves; `seen` says that it was there meanwhile.
Contact contact_of(const std::vector<std::string>& argv, const std::string& complaint, bool fresh_key, bool seen);

/// Whether this ssh's shared connection is there.
bool has_shared_connection(const std::vector<std::string>& argv);

/// Whether this ssh has, or may have, got as far as its command. Without a shared connection to look at nobody knows: true.
bool may_have_connected(const std::vector<std::string>& argv);

/// Whether a private key wants a passphrase, as far as its file tells.
bool has_passphrase(const std::string& key_file);

/// The environment of an ssh that runs a command: without this machine's locale, which the worker may not have, and with a mark of the
/// session that OpenSSH carries to the worker where LC_* variables are sent and accepted, as Debian and Ubuntu do.
std::vector<std::string> session_environment(const Environment& env, const std::string& mark);

/// What ends a marked session's processes on a worker: SIGINT, and SIGTERM for those that are still there after two seconds.
std::string stop_command(const std::string& mark);

/// Whether the file has an entry for exactly this alias.
bool is_known_host(const std::string& known_hosts_file, const std::string& alias);

/// Writes the workers' host keys under their aliases. Entries of the same machine under other keys (a node made again under
/// its old name, or a worker that got a new key) are replaced: the service vouches for the new ones. The name of the node is the
/// entry's comment.
struct Pinned {
  std::set<std::string> remade;   ///< nodes that were other machines when their keys were written down
  std::set<std::string> changed;  ///< labels of workers that have another key now
};
Pinned pin_host_keys(const std::string& known_hosts_file, const std::vector<Worker>& workers);

/// A private folder for control sockets: $XDG_RUNTIME_DIR/tpuctl, else /tmp/tpuctl-UID (0700, owned by this user). Empty when
/// it cannot be had safely; connections are then not shared.
std::string control_directory(const std::string& xdg_runtime_dir);

}  // namespace tpuctl::launch
