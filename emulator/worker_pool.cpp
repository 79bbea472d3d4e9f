// SPDX-License-Identifier: Apache-2.0
#include "emulator/worker_pool.hpp"

#ifdef __linux__
#include <pwd.h>
#include <shadow.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cctype>
#include <filesystem>
#include <mutex>

#include "base/environment.hpp"
#include "base/error.hpp"
#include "base/file.hpp"
#include "base/process.hpp"
#include "base/text.hpp"
#include "emulator/worker_folder.hpp"
#include "emulator/worker_machine.hpp"

namespace tpuctl::emulator {

namespace {

using file::join;

constexpr std::size_t kLongestScratch = 60;

struct Place {
  std::mutex mutex;
  Machine machine;
};

class WorkerPool final : public WorkerHost {
 public:
  explicit WorkerPool(const PoolOptions& options);
  ~WorkerPool() override;

  void create(const WorkerSpec& spec, const Json& metadata) override;
  void destroy(const WorkerId& id) override;
  void halt(const WorkerId& id) override;
  void boot(const WorkerId& id) override;
  int signal_holders(const WorkerId& id, int signal) override;
  void set_metadata(const WorkerId& id, const Json& metadata) override;
  void hang(const WorkerId& id) override { ask(id, "hang"); }
  void fill(const WorkerId& id, std::int64_t bytes) override { ask(id, "fill " + std::to_string(bytes)); }
  void heal(const WorkerId& id) override { ask(id, "heal"); }
  void block(const WorkerId& id, int port) override { ask(id, "block " + std::to_string(port)); }
  void hamper(const WorkerId& id, const std::string& kind, Duration time) override { ask(id, kind + " " + std::to_string(time.count())); }
  std::string login() const override { return common_.user; }
  std::vector<HostKey> host_keys(const WorkerId& id) override;

 private:
  using PlacePtr = std::shared_ptr<Place>;
  WorkerConfig config_for(const WorkerSpec& spec) const;
  PlacePtr find(const WorkerId& id);
  int ask(const WorkerId& id, const std::string& command);

  PoolOptions options_;
  std::string folder_;
  WorkerConfig common_;
  std::mutex mutex_;
  std::map<WorkerId, PlacePtr> places_;
};

std::string clean(std::string_view name, std::size_t length) {
  std::string out;
  for (const char c : name) out += std::isalnum(static_cast<unsigned char>(c)) ? c : '-';
  return out.substr(out.size() > length ? out.size() - length : 0);
}

std::string find_first(std::initializer_list<const char*> paths) {
  for (const char* path : paths) {
    if (access(path, X_OK) == 0) return path;
  }
  return {};
}

/// The login name, after a look whether sshd will let it in at all.
passwd& account() {
  passwd* entry = getpwuid(geteuid());
  if (!entry) throw Error(Kind::failure, "The user who runs the emulator has no entry in the password file; sshd would refuse the login.");
  const std::string shell = entry->pw_shell && *entry->pw_shell ? entry->pw_shell : "/bin/sh";
  if (access(shell.c_str(), X_OK) != 0 || text::lower(shell).find("nologin") != std::string::npos || file::base_name(shell) == "false") {
    throw Error(Kind::failure, std::string("User ") + entry->pw_name + " cannot log in: its shell is [" + shell + "].",
                "Run the emulator as a user with a shell.");
  }
  return *entry;
}

bool account_locked(const std::string& user) {
  if (geteuid() != 0) return false;  // sshd cannot look either
  const spwd* entry = getspnam(user.c_str());
  return entry && entry->sp_pwdp && entry->sp_pwdp[0] == '!';
}

/// Removes a folder although a program has made parts of it read-only.
void remove_folder(const std::string& path) {
  std::error_code ec;
  namespace fs = std::filesystem;
  for (fs::recursive_directory_iterator at(path, fs::directory_options::skip_permission_denied, ec), end; !ec && at != end; at.increment(ec)) {
    if (at->is_directory(ec) && !at->is_symlink(ec)) fs::permissions(at->path(), fs::perms::owner_all, fs::perm_options::add, ec);
  }
  file::remove_tree(path);
}

void remove_scratch(const WorkerConfig& config) {
  if (config.scratch.rfind(config.folder + "/", 0) != 0) remove_folder(config.scratch);
}

}  // namespace

WorkerPool::WorkerPool(const PoolOptions& options) : options_(options), folder_(join(file::absolute(options.dir), "workers")) {
  if (folder_.find_first_of("'\"\\\n") != std::string::npos) {
    throw Error(Kind::failure, "The emulator's folder must have no quote, backslash or line break in its name: [" + options.dir + "].");
  }
  const std::string path = Environment::of_process().get_nonempty("PATH").value_or("/usr/local/bin:/usr/bin:/bin");
  common_.user = account().pw_name;
  common_.pam = account_locked(common_.user);
  common_.tty = terminals_granted();
  common_.path = path;
  for (const std::string& place : options.program_folders) {
    if ((":" + path + ":").find(":" + place + ":") == std::string::npos) common_.path += ":" + place;
  }
  common_.sshd = process::find_program("sshd", common_.path);
  if (common_.sshd.empty()) {
    throw Error(Kind::failure, "The emulator's workers need sshd, which is not installed.", "Install openssh-server; it need not be started.");
  }
  common_.sftp_server = find_first({"/usr/lib/openssh/sftp-server", "/usr/libexec/openssh/sftp-server", "/usr/lib/ssh/sftp-server",
                                    "/usr/libexec/sftp-server", "/usr/lib64/ssh/sftp-server"});
  if (common_.sftp_server.empty()) common_.sftp_server = "internal-sftp";
  if (geteuid() == 0) file::make_dirs("/run/sshd", 0755);  // sshd's empty folder; without it it does not start as root
  common_.tools = join(folder_, ".tools");
  common_.ssh_port = options.ssh_port;
  common_.url = options.url;
  common_.environment = options.environment;
  common_.environment.emplace("CLOUDSDK_CONFIG", join(file::absolute(options.dir), "gcloud"));
  write_tools(common_.tools, file::absolute(options.program));
}

WorkerPool::~WorkerPool() {
  // All are told first and then waited for: they end side by side.
  for (auto& [id, place] : places_) place->machine.hang_up();
  for (auto& [id, place] : places_) {
    place->machine.end();
    try {
      remove_scratch(place->machine.config());
    } catch (const Error&) {  // a left-over in /tmp is no reason to stop here
    }
  }
}

WorkerConfig WorkerPool::config_for(const WorkerSpec& spec) const {
  WorkerConfig config = common_;
  const std::string uid = spec.id.substr(0, spec.id.find('/'));
  config.id = spec.id;
  config.name = spec.node + "-w-" + std::to_string(spec.index);
  config.address = spec.address;
  config.hostname = spec.hostname;
  config.folder = join(folder_, clean(spec.node.substr(0, 24), 24) + "-" + std::to_string(spec.index) + "-" + clean(uid, 8));
  config.scratch = join(config.folder, "tmp");
  if (config.scratch.size() > kLongestScratch) {
    const std::string mine = "/tmp/tpuctl-" + std::to_string(geteuid());
    file::make_dirs(mine, 0700);
    struct stat info = {};
    if (lstat(mine.c_str(), &info) == 0 && S_ISDIR(info.st_mode) && info.st_uid == geteuid()) {
      config.scratch = join(mine, "w" + text::sha256_hex(config.folder).substr(0, 10));
    }
  }
  return config;
}

WorkerPool::PlacePtr WorkerPool::find(const WorkerId& id) {
  const std::lock_guard lock(mutex_);
  const auto at = places_.find(id);
  if (at == places_.end()) throw Error(Kind::failure, "There is no worker [" + id + "].");
  return at->second;
}

void WorkerPool::create(const WorkerSpec& spec, const Json& metadata) {
  auto place = std::make_shared<Place>();
  const std::lock_guard own(place->mutex);
  {
    const std::lock_guard lock(mutex_);
    if (!places_.emplace(spec.id, place).second) throw Error(Kind::failure, "Worker [" + spec.id + "] is there already.");
  }
  try {
    const WorkerConfig config = config_for(spec);
    file::make_dirs(config.folder);
    put_file(join(config.folder, "metadata.json"), metadata.dump());
    place->machine.start(config, options_.program);
    place->machine.ask("boot");
  } catch (...) {
    place->machine.end();
    const std::lock_guard lock(mutex_);
    places_.erase(spec.id);
    throw;
  }
}

void WorkerPool::destroy(const WorkerId& id) {
  PlacePtr place;
  {
    const std::lock_guard lock(mutex_);
    const auto at = places_.find(id);
    if (at == places_.end()) return;
    place = at->second;
    places_.erase(at);
  }
  const std::lock_guard own(place->mutex);
  place->machine.end();
  remove_scratch(place->machine.config());
  remove_folder(place->machine.config().folder);
}

int WorkerPool::ask(const WorkerId& id, const std::string& command) {
  const auto place = find(id);
  const std::lock_guard own(place->mutex);
  return place->machine.ask(command);
}

void WorkerPool::halt(const WorkerId& id) { ask(id, "halt"); }

void WorkerPool::boot(const WorkerId& id) {
  const auto place = find(id);
  const std::lock_guard own(place->mutex);
  // Somebody may have killed the worker's process: then it is started anew.
  if (!place->machine.running()) place->machine.start(place->machine.config(), options_.program);
  place->machine.ask("boot");
}

int WorkerPool::signal_holders(const WorkerId& id, int signal) {
  return ask(id, "holders " + std::to_string(signal));
}

void WorkerPool::set_metadata(const WorkerId& id, const Json& metadata) {
  const auto place = find(id);
  const std::lock_guard own(place->mutex);
  put_file(join(place->machine.config().folder, "metadata.json"), metadata.dump());
  place->machine.ask("metadata");
}

std::vector<HostKey> WorkerPool::host_keys(const WorkerId& id) {
  const auto place = find(id);
  const std::lock_guard own(place->mutex);
  const auto words = text::split(text::trim(file::read(join(place->machine.config().folder, "host_key.pub"))), ' ');
  if (words.size() < 2) return {};
  return {{words[0], words[1]}};
}

std::unique_ptr<WorkerHost> make_worker_pool(const PoolOptions& options) { return std::make_unique<WorkerPool>(options); }

}  // namespace tpuctl::emulator

#else

namespace tpuctl::emulator {

namespace {
class NoWorkers final : public WorkerHost {
 public:
  void create(const WorkerSpec&, const Json&) override {}
  void destroy(const WorkerId&) override {}
  void halt(const WorkerId&) override {}
  void boot(const WorkerId&) override {}
  int signal_holders(const WorkerId&, int) override { return 0; }
  void set_metadata(const WorkerId&, const Json&) override {}
  void hang(const WorkerId&) override {}
  void fill(const WorkerId&, std::int64_t) override {}
  void heal(const WorkerId&) override {}
  void block(const WorkerId&, int) override {}
  void hamper(const WorkerId&, const std::string&, Duration) override {}
  std::vector<HostKey> host_keys(const WorkerId&) override { return {}; }
};
}  // namespace

std::unique_ptr<WorkerHost> make_worker_pool(const PoolOptions&) { return std::make_unique<NoWorkers>(); }

}  // namespace tpuctl::emulator
#endif
