// SPDX-License-Identifier: Apache-2.0
#include "launch/ssh.hpp"

#include <algorithm>

#include <sys/stat.h>
#include <unistd.h>

#include <map>
#include <set>

#include "base/file.hpp"
#include "base/text.hpp"

namespace tpuctl::launch {

namespace {

// Whether the user's own words set this option ("-o NAME=VALUE", "-oNAME VALUE"). ssh takes the first value that it is given: where
// gcloud's options stay ahead of the user's, as with gcloud, those that only tpuctl adds give way.
bool sets(const std::vector<std::string>& words, std::string_view name) {
  return std::any_of(words.begin(), words.end(), [name](std::string_view word) {
    if (word.starts_with("-o")) word.remove_prefix(2);
    return text::lower(std::string(word.substr(0, word.find_first_of("= ")))) == text::lower(std::string(name));
  });
}

// "-i KEY -o A=.. -o B=..", options in order of their names as gcloud writes them.
std::vector<std::string> identity_and_options(const SshSettings& settings, const Worker& worker, bool checked) {
  std::map<std::string, std::string> options = {
      {"CheckHostIP", "no"},
      {"HashKnownHosts", "no"},
      {"HostKeyAlias", worker.alias},
      {"IdentitiesOnly", "yes"},
      {"StrictHostKeyChecking", settings.strict.empty() ? (checked ? "yes" : "no") : settings.strict},
      {"UserKnownHostsFile", settings.known_hosts_file},
  };
  if (!settings.control_dir.empty() && !sets(settings.extra, "ControlMaster") && !sets(settings.extra, "ControlPath")) {
    options["ControlMaster"] = "auto";
    options["ControlPersist"] = "60";
    // The alias, not only the address: a node made again at the same address is another machine. The way there counts too.
    const std::string machine =
        worker.alias + settings.user + "@" + worker.address + ":" + std::to_string(settings.port) + worker.proxy;
    options["ControlPath"] = file::join(settings.control_dir, text::sha256_hex(machine).substr(0, 24));
  }
  std::vector<std::string> out = {"-i", settings.key_file};
  for (const auto& [name, value] : options) out.insert(out.end(), {"-o", name + "=" + value});
  if (!worker.proxy.empty()) out.insert(out.end(), {"-o", "ProxyCommand=" + worker.proxy, "-o", "ProxyUseFdpass=no"});
  return out;
}

// What a dry run does without.
void add_defaults(std::vector<std::string>& argv, const SshSettings& settings) {
  if (settings.control_dir.empty()) return;  // a dry run
  for (const char* option : {"ConnectTimeout=30", "ServerAliveInterval=15", "ServerAliveCountMax=4", "BatchMode=yes"}) {
    const std::string_view text = option;
    const std::string_view name = text.substr(0, text.find('='));
    if (sets(settings.extra, name) || (name == "BatchMode" && settings.asks)) continue;
    argv.insert(argv.end(), {"-o", option});
  }
}

void append(std::vector<std::string>& to, const std::vector<std::string>& more) { to.insert(to.end(), more.begin(), more.end()); }

}  // namespace

std::vector<std::string> ssh_argv(const SshSettings& settings, const Worker& worker, const std::string& command,
                                  const std::vector<std::string>& rest, bool checked) {
  std::vector<std::string> argv = {settings.program, command.empty() ? "-t" : "-T"};
  if (!settings.plain) {
    append(argv, identity_and_options(settings, worker, checked));
    if (settings.port != 22) append(argv, {"-p", std::to_string(settings.port)});
    append(argv, settings.extra);
    add_defaults(argv, settings);
  }
  argv.push_back(settings.user + "@" + worker.address);
  append(argv, rest);
  if (!command.empty()) append(argv, {"--", command});
  return argv;
}

std::vector<std::string> scp_argv(const SshSettings& settings, const Worker& worker, const std::vector<std::string>& mode_flags,
                                  const std::vector<std::string>& paths, bool checked) {
  std::vector<std::string> argv = {settings.program};
  append(argv, mode_flags);
  if (!settings.plain) {
    append(argv, identity_and_options(settings, worker, checked));
    if (settings.port != 22) append(argv, {"-P", std::to_string(settings.port)});
    append(argv, settings.extra);
    add_defaults(argv, settings);
  }
  for (const std::string& path : paths) {
    argv.push_back(path.starts_with(':') ? settings.user + "@" + worker.address + path : path);
  }
  return argv;
}

namespace {
std::string host_of(std::string_view line) {
  line = text::trim(line);
  return std::string(line.substr(0, line.find_first_of(" \t")));
}

// "tpu.ID-INDEX" of "tpu.ID-INDEX[-suffix]": one machine, whatever its key.
std::string machine_of(const std::string& alias) {
  const auto first = alias.find('-');
  const auto second = first == std::string::npos ? first : alias.find('-', first + 1);
  return alias.substr(0, second);
}

// "tpu.ID"
std::string node_of(const std::string& alias) { return alias.substr(0, alias.find('-')); }
}  // namespace

bool is_known_host(const std::string& known_hosts_file, const std::string& alias) {
  const auto content = file::read_if_exists(known_hosts_file);
  if (!content) return false;
  for (const std::string& line : text::split(*content, '\n')) {
    for (const std::string& host : text::split(host_of(line), ',')) {
      if (host == alias) return true;
    }
  }
  return false;
}

Pinned pin_host_keys(const std::string& known_hosts_file, const std::vector<Worker>& workers) {
  std::map<std::string, const Worker*> machines;  // by "tpu.ID-INDEX"
  std::map<std::string, const Worker*> owners;
  std::string fresh;
  for (const Worker& worker : workers) {
    if (worker.host_keys.empty()) continue;
    machines.emplace(machine_of(worker.alias), &worker);
    if (!worker.owner.empty()) owners.emplace(worker.owner, &worker);
    for (const HostKey& key : worker.host_keys) {
      fresh += worker.alias + " " + key.type + " " + key.data + (worker.owner.empty() ? "" : " " + worker.owner) + "\n";
    }
  }
  Pinned out;
  if (machines.empty()) return out;
  const file::Lock lock(known_hosts_file + ".tpuctl-lock");
  const std::string old = file::read_if_exists(known_hosts_file).value_or("");
  std::string kept;
  for (const std::string& line : text::split(old, '\n')) {
    const auto words = text::split(text::trim(line), ' ');
    const std::string machine = machine_of(host_of(line));
    if (const auto mine = machines.find(machine); mine != machines.end()) {
      for (const HostKey& key : mine->second->host_keys) {
        if (words.size() > 2 && words[1] == key.type && words[2] != key.data) out.changed.insert(mine->second->label());
      }
      continue;
    }
    const auto owner = words.size() > 3 ? owners.find(words[3]) : owners.end();
    if (owner != owners.end() && node_of(machine) != node_of(owner->second->alias)) {
      out.remade.insert(owner->second->node);
    } else if (!line.empty()) {
      kept += line + "\n";
    }
  }
  if (kept + fresh != old) file::write_atomic(known_hosts_file, kept + fresh);
  return out;
}

namespace {
bool has_any(const std::string& text, std::initializer_list<std::string_view> words) {
  return std::any_of(words.begin(), words.end(), [&text](std::string_view word) { return text.find(word) != std::string::npos; });
}

// Where its connection is shared; empty: nowhere, or where the user's own pattern says, which only ssh can read.
std::string control_path(const std::vector<std::string>& argv) {
  constexpr std::string_view kOption = "ControlPath=";
  for (const std::string& word : argv) {
    if (!word.starts_with(kOption)) continue;
    const std::string path = word.substr(kOption.size());
    return path.starts_with('/') && path.find_first_of("%$") == std::string::npos ? path : "";
  }
  return {};
}
}  // namespace

bool has_shared_connection(const std::vector<std::string>& argv) {
  const std::string shared = control_path(argv);
  return !shared.empty() && file::exists(shared);
}

bool may_have_connected(const std::vector<std::string>& argv) { return control_path(argv).empty() || has_shared_connection(argv); }

Contact contact_of(const std::vector<std::string>& argv, const std::string& complaint, bool fresh_key, bool seen) {
  if (has_shared_connection(argv)) return Contact::made;
  if (has_any(complaint, {"Host key verification failed"})) return Contact::refused;
  if (has_any(complaint, {"Permission denied ("})) return fresh_key ? Contact::none : Contact::refused;
  if (has_any(complaint, {"client_loop: ", "not responding", "closed by remote host", "Read from remote host "})) return Contact::lost;
  if (has_any(complaint, {"ssh: connect to host ", "ssh: Could not resolve ", "kex_exchange_identification", "banner exchange", " timed out",
                          "Connection closed by ", "Connection reset by ", "Received disconnect from ", "Disconnected from ", "ssh_dispatch_run_fatal"})) {
    return Contact::none;
  }
  // Who shares a connection that breaks is told nothing.
  if (seen) return Contact::lost;
  return control_path(argv).empty() ? Contact::made : Contact::none;
}

bool has_passphrase(const std::string& key_file) {
  const std::string key = file::read_if_exists(key_file).value_or("");
  if (key.find("ENCRYPTED") != std::string::npos) return true;  // PEM and PKCS#8
  // OpenSSH's own format: "openssh-key-v1\0", then the name of the cipher, as base64 from the second line on.
  const auto body = key.find("-----\n");
  return key.starts_with("-----BEGIN OPENSSH PRIVATE KEY-----") && body != std::string::npos &&
         !std::string_view(key).substr(body + 6).starts_with("b3BlbnNzaC1rZXktdjEAAAAABG5vbmU");
}

namespace {
constexpr std::string_view kMark = "LC_TPUCTL_SESSION";
}

std::vector<std::string> session_environment(const Environment& env, const std::string& mark) {
  std::vector<std::string> out = {std::string(kMark) + "=" + mark};
  for (std::string& pair : env.pairs()) {
    if (!pair.starts_with("LC_") && !pair.starts_with("LANG=") && !pair.starts_with("LANGUAGE=")) out.push_back(std::move(pair));
  }
  return out;
}

std::string stop_command(const std::string& mark) {
  return "marked() { grep -lzx '" + std::string(kMark) + "=" + mark +
         "' /proc/[0-9]*/environ 2>/dev/null | sed 's/[^0-9]//g'; }; "
         "kill -INT $(marked) 2>/dev/null; "
         "for i in 1 2 3 4 5 6 7 8 9 10; do [ -n \"$(marked)\" ] || exit 0; sleep 0.2; done; "
         "kill -TERM $(marked) 2>/dev/null; true";
}

std::string control_directory(const std::string& xdg_runtime_dir) {
  const std::string path = xdg_runtime_dir.empty() ? "/tmp/tpuctl-" + std::to_string(getuid()) : xdg_runtime_dir + "/tpuctl";
  // A socket's path has about 100 bytes, of which ssh itself wants 17 for a temporary name.
  if (path.size() > 60) return {};
  mkdir(path.c_str(), 0700);
  struct stat info = {};
  if (lstat(path.c_str(), &info) != 0 || !S_ISDIR(info.st_mode) || info.st_uid != getuid() || (info.st_mode & 077) != 0) return {};
  return path;
}

}  // namespace tpuctl::launch
