// SPDX-License-Identifier: Apache-2.0
#ifdef __linux__
#include "emulator/worker_folder.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <grp.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/process.hpp"
#include "base/text.hpp"
#include "base/time.hpp"
#include "embedded/kWorkerEnter.hpp"
#include "embedded/kWorkerFull.hpp"
#include "embedded/kWorkerGsutil.hpp"
#include "embedded/kWorkerHostname.hpp"
#include "embedded/kWorkerLsof.hpp"
#include "embedded/kWorkerReboot.hpp"
#include "embedded/kWorkerRefuse.hpp"
#include "embedded/kWorkerShellrc.hpp"
#include "embedded/kWorkerSitecustomize.hpp"
#include "embedded/kWorkerSsh.hpp"
#include "embedded/kWorkerSudo.hpp"

namespace tpuctl::emulator {

namespace {

using file::join;

struct Tool {
  const char* name;
  std::string_view text;
};
constexpr Tool kTools[] = {
    {"gsutil", kWorkerGsutil}, {"hostname", kWorkerHostname}, {"lsof", kWorkerLsof},     {"reboot", kWorkerReboot},
    {"shutdown", kWorkerReboot}, {"scp", kWorkerSsh},         {"service", kWorkerRefuse}, {"sftp", kWorkerSsh},
    {"ssh", kWorkerSsh},       {"sudo", kWorkerSudo},         {"systemctl", kWorkerRefuse},
};

void link_to(const std::string& target, const std::string& path) {
  file::remove(path);
  if (symlink(target.c_str(), path.c_str()) != 0) {
    throw Error(Kind::failure, "Cannot make the link [" + path + "]: " + std::strerror(errno) + ".");
  }
}

/// For sshd_config and ssh_config: blanks are kept. Quotes and backslashes do not occur (the pool refuses them).
std::string quoted(const std::string& path) { return '"' + path + '"'; }

std::string sshd_config(const WorkerConfig& c) {
  const std::string keys = text::replace_all(c.folder, "%", "%%") + "/authorized_keys";
  const std::string home_keys = text::replace_all(c.folder, "%", "%%") + "/home/.ssh/authorized_keys";
  // HOME and SHLVL: the login shell that sshd starts must not read the user's own start-up files.
  return fmt::format(
      "HostKey {}\nPidFile none\nLogLevel INFO\nUseDNS no\nUsePAM {}\nStrictModes no\nPermitRootLogin yes\n"
      "PasswordAuthentication no\nKbdInteractiveAuthentication no\nPubkeyAuthentication yes\n"
      "AuthenticationMethods publickey\nAllowUsers {}\nAuthorizedKeysCommand none\nAuthorizedPrincipalsCommand none\n"
      "AuthorizedKeysFile {} {}\nPermitUserEnvironment no\nPermitUserRC no\nPrintMotd no\nPrintLastLog no\n"
      "X11Forwarding no\nPermitTTY {}\nMaxSessions 1000\nMaxStartups 1000\nAcceptEnv LANG LC_* COLORTERM\n"
      "SetEnv {} SHLVL=2\nSubsystem sftp {}\nForceCommand {}\n",
      quoted(c.folder + "/host_key"), c.pam ? "yes" : "no", c.user, quoted(keys),
      quoted(home_keys), c.tty ? "yes" : "no", quoted("HOME=" + c.folder + "/home"), c.sftp_server, "'" + c.folder + "/enter'");
}

/// The worker's own keys are named by the script `ssh`, since OpenSSH grumbles about a named file that is absent.
std::string ssh_config(const WorkerConfig& c) {
  const std::string ssh = text::replace_all(c.folder, "%", "%%") + "/home/.ssh";
  return fmt::format(
      "Include {}\nHost 127.*\n  Port {}\n  BindAddress {}\nHost *\n  UserKnownHostsFile {}\n  IdentityFile none\n",
      quoted(c.folder + "/home/.ssh/config"), c.ssh_port, c.address, quoted(ssh + "/known_hosts"));
}

void make_host_key(const WorkerConfig& c) {
  const std::string key = join(c.folder, "host_key");
  if (file::exists(key) && file::exists(key + ".pub")) return;
  file::remove(key);
  process::Spec spec;
  spec.argv = {"ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", c.hostname, "-f", key};
  const auto made = process::run(spec);
  if (made.status != 0) throw Error(Kind::failure, "No host key could be made: " + std::string(text::trim(made.err)));
}

/// "USER:ssh-rsa DATA COMMENT" as a line for sshd; empty when it is none, or for another user.
std::string key_line(std::string_view line, const std::string& user) {
  line = text::trim(line);
  const auto colon = line.find(':');
  if (colon == std::string_view::npos || (line.substr(0, colon) != user && line.substr(0, colon) != "*")) return {};
  const std::string key(line.substr(colon + 1));
  const auto json = key.find('{');
  Json comment;
  if (json == std::string::npos || !Json::try_parse(std::string_view(key).substr(json), comment)) return key + "\n";
  const auto expiry = parse_rfc3339(text::replace_all(comment["expireOn"].text(), "+0000", "Z"));
  if (!expiry) return key + "\n";
  const std::time_t at = std::chrono::duration_cast<std::chrono::seconds>(expiry->time_since_epoch()).count();
  std::tm local = {};
  localtime_r(&at, &local);
  char stamp[32];
  std::strftime(stamp, sizeof stamp, "%Y%m%d%H%M%S", &local);  // sshd reads it in local time
  return std::string("expiry-time=\"") + stamp + "\" " + key + "\n";
}

}  // namespace

Json to_json(const WorkerConfig& c) {
  Json environment = Json::object();
  for (const auto& [name, value] : c.environment) environment.member(name) = value;
  return Json{{"id", c.id},           {"name", c.name},     {"address", c.address}, {"hostname", c.hostname},
              {"sshPort", c.ssh_port}, {"folder", c.folder}, {"tools", c.tools},     {"scratch", c.scratch},
              {"url", c.url},         {"user", c.user},     {"sshd", c.sshd},       {"sftpServer", c.sftp_server},
              {"pam", c.pam},         {"tty", c.tty},       {"path", c.path},       {"environment", environment}, {"control", c.control}};
}

WorkerConfig worker_config(const Json& json) {
  WorkerConfig c;
  c.id = json["id"].text();
  c.name = json["name"].text();
  c.address = json["address"].text();
  c.hostname = json["hostname"].text();
  c.ssh_port = static_cast<int>(json["sshPort"].integer());
  c.folder = json["folder"].text();
  c.tools = json["tools"].text();
  c.scratch = json["scratch"].text();
  c.url = json["url"].text();
  c.user = json["user"].text();
  c.sshd = json["sshd"].text();
  c.sftp_server = json["sftpServer"].text();
  c.pam = json["pam"].boolean();
  c.tty = json["tty"].boolean(true);
  c.path = json["path"].text();
  for (const auto& member : json["environment"].members()) c.environment[member.name] = member.value.text();
  c.control = static_cast<int>(json["control"].integer(-1));
  return c;
}

void put_file(const std::string& path, std::string_view bytes, mode_t mode) {
  const std::string temporary = path + "." + std::to_string(getpid()) + ".tmp";
  file::remove(temporary);
  file::append(temporary, bytes, mode);
  if (rename(temporary.c_str(), path.c_str()) != 0) {
    throw Error(Kind::failure, "Cannot write [" + path + "]: " + std::strerror(errno) + ".");
  }
}

bool terminals_granted() {
  if (geteuid() == 0) return true;
  const group* wanted = getgrnam("tty");
  if (!wanted) return true;  // sshd then takes the user's own group
  const int terminal = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
  char name[128];
  struct stat info = {};
  const bool fits = terminal >= 0 && grantpt(terminal) == 0 && unlockpt(terminal) == 0 &&
                    ptsname_r(terminal, name, sizeof name) == 0 && stat(name, &info) == 0 && info.st_gid == wanted->gr_gid;
  if (terminal >= 0) close(terminal);
  return fits;
}

void write_tools(const std::string& tools, const std::string& program) {
  file::make_dirs(join(tools, "python"));
  for (const auto& tool : kTools) put_file(join(tools, tool.name), tool.text, 0755);
  put_file(join(tools, "enter"), kWorkerEnter, 0755);
  put_file(join(tools, "full"), kWorkerFull, 0755);
  put_file(join(tools, "shellrc"), kWorkerShellrc, 0644);
  put_file(join(tools, "python/sitecustomize.py"), kWorkerSitecustomize, 0644);
  for (const char* name : {"gcloud", "tpuctl"}) link_to(program, join(tools, name));
}

void make_folder(const WorkerConfig& c) {
  for (const char* name : {"home", "home/.ssh", "state", "dev", "bin", "curl"}) file::make_dirs(join(c.folder, name));
  file::make_dirs(c.scratch);
  const std::string device = join(c.folder, "dev/accel0");
  if (!file::exists(device)) file::append(device, "", 0600);

  for (const auto& tool : kTools) link_to(join(c.tools, tool.name), join(join(c.folder, "bin"), tool.name));
  for (const char* name : {"gcloud", "tpuctl"}) link_to(join(c.tools, name), join(join(c.folder, "bin"), name));
  for (const char* name : {"enter", "shellrc"}) link_to(join(c.tools, name), join(c.folder, name));
  file::remove(join(c.folder, "disk"));  // of an emulator that was killed
  make_host_key(c);
  put_file(join(c.folder, "sshd_config"), sshd_config(c));
  put_file(join(c.folder, "ssh_config"), ssh_config(c));
}

void write_environment(const WorkerConfig& c, int metadata_port) {
  const std::string metadata = c.address + ":" + std::to_string(metadata_port);
  const std::string root = c.url + "/";
  std::map<std::string, std::string> all = {
      {"HOME", c.folder + "/home"}, {"USER", c.user}, {"LOGNAME", c.user}, {"TMPDIR", c.scratch},
      {"PATH", c.folder + "/bin:" + c.path}, {"HOSTNAME", c.hostname}, {"TPUCTL_STATE_DIR", c.folder + "/state"},
      {"TPUCTL_ACCEL_DEVICE", c.folder + "/dev/accel0"}, {"TPUCTL_WORKER_FOLDER", c.folder},
      {"TPUCTL_WORKER_NAME", c.name}, {"TPUCTL_WORKER_ADDRESS", c.address}, {"GCE_METADATA_HOST", metadata},
      {"GCE_METADATA_ROOT", metadata}, {"GCE_METADATA_IP", metadata}, {"CURL_HOME", c.folder + "/curl"},
      {"PYTHONPATH", c.tools + "/python"}, {"JAX_PLATFORMS", "cpu"}, {"JAX_CPU_COLLECTIVES_IMPLEMENTATION", "gloo"},
      {"STORAGE_EMULATOR_HOST", c.url}, {"TENSORSTORE_GCS_HTTP_URL", c.url},
      {"CLOUDSDK_API_ENDPOINT_OVERRIDES_COMPUTE", root + "compute/v1/"},
      {"CLOUDSDK_API_ENDPOINT_OVERRIDES_STORAGE", root + "storage/v1/"}};
  for (const char* service : {"TPU", "OSLOGIN", "CLOUDRESOURCEMANAGER", "IAMCREDENTIALS", "STS"}) {
    all[std::string("CLOUDSDK_API_ENDPOINT_OVERRIDES_") + service] = root;
  }
  for (const auto& [name, value] : c.environment) all[name] = value;
  std::string text;
  for (const auto& [name, value] : all) text += "export " + name + "=" + text::shell_quote(value) + "\n";
  put_file(join(c.folder, "worker.env"), text);

  // Scripts made for the cloud ask for the metadata by name with curl.
  std::string curlrc;
  for (const char* name : {"metadata.google.internal", "metadata", "169.254.169.254"}) {
    curlrc += fmt::format("connect-to = \"{}:80:{}\"\n", name, metadata);
  }
  put_file(join(c.folder, "curl/.curlrc"), curlrc + "noproxy = \"metadata.google.internal,metadata,169.254.169.254,127.0.0.1\"\n");
}

std::string authorized_keys(const Json& metadata, const std::string& user) {
  const Json& own = metadata.at("/instance/attributes");
  std::string lines = own["ssh-keys"].text();
  if (text::upper(own["block-project-ssh-keys"].scalar()) != "TRUE") {
    lines += "\n" + metadata.at("/project/attributes/ssh-keys").text();
  }
  if (const Json* os_login = metadata.find("oslogin")) lines = (*os_login)["ssh-keys"].text();
  std::string out;
  for (const auto& line : text::split(lines, '\n')) out += key_line(line, user);
  return out;
}

}  // namespace tpuctl::emulator
#endif
