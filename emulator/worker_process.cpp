// SPDX-License-Identifier: Apache-2.0
#include "emulator/worker_process.hpp"

#ifdef __linux__
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <memory>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/process.hpp"
#include "base/text.hpp"
#include "emulator/metadata_server.hpp"
#include "emulator/server.hpp"
#include "emulator/worker_door.hpp"
#include "emulator/worker_folder.hpp"
#include "emulator/worker_tree.hpp"
#include "emulator/worker_trouble.hpp"

extern char** environ;

namespace tpuctl::emulator {

namespace {

sigset_t handled_signals() {
  sigset_t set;
  sigemptyset(&set);
  for (const int signal : {SIGCHLD, SIGTERM, SIGINT, SIGHUP, SIGUSR1}) sigaddset(&set, signal);
  return set;
}

/// Starts a program in a session of its own with the three streams given; it is reaped by reap(). -1 when it cannot be.
pid_t spawn(const std::vector<std::string>& argv, int in, int out, int err) {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_init(&actions);
  posix_spawnattr_init(&attributes);
  posix_spawn_file_actions_adddup2(&actions, in, 0);
  posix_spawn_file_actions_adddup2(&actions, out, 1);
  posix_spawn_file_actions_adddup2(&actions, err, 2);
  sigset_t none, defaults;
  sigemptyset(&none);
  sigfillset(&defaults);
  sigdelset(&defaults, SIGKILL);
  sigdelset(&defaults, SIGSTOP);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &defaults);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSID);
  std::vector<char*> words;
  for (const auto& word : argv) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  pid_t pid = -1;
  if (posix_spawn(&pid, words[0], &actions, &attributes, words.data(), environ) != 0) pid = -1;
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  return pid;
}

class Worker {
 public:
  explicit Worker(WorkerConfig config);
  ~Worker();
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;
  void serve();

 private:
  void boot();
  void halt();
  void reboot();
  void hang();
  void heal();
  void run_startup_script();
  void read_metadata();
  void on_signal();
  bool on_command();
  std::string obey(const std::string& command);
  void collect();

  WorkerConfig config_;
  Door door_;  ///< shut: halted
  Json metadata_;
  MetadataServer answers_;
  std::unique_ptr<Server> server_;
  int signals_ = -1;
  int null_ = -1;
  pid_t startup_ = -1;
  std::vector<BlockedPort> blocked_;
  pid_t disk_ = -1;     ///< keeps the disk full; -1: it is not
  bool hanging_ = false;
  bool done_ = false;
};

Worker::Worker(WorkerConfig config) : config_(std::move(config)), door_(config_) {
  fcntl(config_.control, F_SETFD, FD_CLOEXEC);
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  const sigset_t set = handled_signals();
  signals_ = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
  null_ = open("/dev/null", O_RDWR | O_CLOEXEC);
  make_folder(config_);
  put_file(file::join(config_.folder, "pid"), std::to_string(getpid()) + "\n");
  read_metadata();
  // Any free port: a fixed one could be taken by a training program, which listens on all addresses.
  server_ = std::make_unique<Server>(config_.address, 0,
                                     [this](const api::Request& request, const std::string&) { return answers_.answer(request); });
  write_environment(config_, server_->port());
}

Worker::~Worker() {
  door_.shut();
  kill_descendants();
  answers_.close();
  server_.reset();
}

void Worker::read_metadata() {
  metadata_ = Json::parse(file::read(file::join(config_.folder, "metadata.json")));
  door_.set_keys(authorized_keys(metadata_, config_.user));
  answers_.set(metadata_);
}

void Worker::boot() {
  if (door_.is_open()) return;
  door_.open();
  run_startup_script();
}

void Worker::halt() {
  door_.shut();
  startup_ = -1;
  hanging_ = false;
  blocked_.clear();
  empty_disk(config_, disk_);
  disk_ = -1;
  if (!kill_descendants()) throw Error(Kind::failure, "A process of worker " + config_.name + " cannot be killed.");
}

void Worker::reboot() {
  if (!door_.is_open()) return;
  try {
    halt();
    boot();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "reboot: %s\n", error.what());
  }
}

void Worker::hang() {
  if (!door_.is_open()) throw Error(Kind::failure, "Worker " + config_.name + " is not running.");
  hanging_ = true;
  freeze_descendants();
}

void Worker::heal() {
  if (hanging_) thaw_descendants();
  hanging_ = false;
  door_.heal();
  blocked_.clear();
  empty_disk(config_, disk_);
  disk_ = -1;
}

void Worker::run_startup_script() {
  const std::string& script = metadata_.at("/instance/attributes/startup-script").text();
  if (script.empty()) return;
  const std::string path = file::join(config_.folder, "startup-script");
  put_file(path, script, 0700);
  const std::string log = file::join(config_.folder, "startup.log");
  const int out = open(log.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  if (out < 0) throw Error(Kind::failure, "Cannot write [" + log + "]: " + std::strerror(errno) + ".");
  // A shell, because a script without a #! line runs too.
  const bool bash = !process::find_program("bash", config_.path).empty();
  startup_ = spawn({file::join(config_.folder, "enter"), bash ? "bash" : "sh", "-c", text::shell_quote(path)}, null_, out, out);
  close(out);
  if (startup_ < 0) file::append(log, "startup-script cannot be started\n");
}

void Worker::collect() {
  for (const auto& [pid, status] : reap()) {
    if (pid != startup_) continue;
    startup_ = -1;
    const int code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    file::append(file::join(config_.folder, "startup.log"), "startup-script exit status " + std::to_string(code) + "\n");
  }
}

void Worker::on_signal() {
  signalfd_siginfo info = {};
  while (read(signals_, &info, sizeof info) == static_cast<ssize_t>(sizeof info)) {
    if (info.ssi_signo == SIGCHLD) {
      collect();
    } else if (info.ssi_signo == SIGUSR1) {
      reboot();
    } else {
      done_ = true;
    }
  }
}

std::string Worker::obey(const std::string& command) {
  const auto words = text::split(command, ' ');
  const std::string verb = words.empty() ? "" : words[0];
  if (verb == "boot") {
    boot();
  } else if (verb == "halt") {
    halt();
  } else if (verb == "metadata") {
    read_metadata();
  } else if (verb == "holders" && words.size() == 2) {
    const int signal = static_cast<int>(text::parse_int(words[1]).value_or(0));
    int count = 0;
    for (const pid_t pid : holders(getpid(), file::join(config_.folder, "dev/accel0"))) {
      if (kill(pid, signal) == 0) ++count;
    }
    return "ok " + std::to_string(count);
  } else if (verb == "hang") {
    hang();
  } else if (verb == "fill" && words.size() == 2) {
    empty_disk(config_, disk_);
    disk_ = fill_disk(config_, text::parse_int(words[1]).value_or(0));
  } else if (verb == "block" && words.size() == 2) {
    blocked_.emplace_back(config_.address, static_cast<int>(text::parse_int(words[1]).value_or(0)));
  } else if ((verb == "refuse" || verb == "late" || verb == "keys") && words.size() == 2) {
    door_.hamper(verb, Duration(text::parse_int(words[1]).value_or(0)));
  } else if (verb == "heal") {
    heal();
  } else if (verb == "quit") {
    halt();
    done_ = true;
  } else {
    throw Error(Kind::failure, "Unknown command [" + command + "].");
  }
  return "ok";
}

bool Worker::on_command() {
  char packet[256];
  const ssize_t n = recv(config_.control, packet, sizeof packet, 0);
  if (n < 0 && (errno == EINTR || errno == EAGAIN)) return true;
  if (n <= 0) return false;
  std::string answer;
  try {
    answer = obey(std::string(packet, static_cast<std::size_t>(n)));
  } catch (const std::exception& error) {
    answer = std::string("error ") + error.what();
  }
  return send(config_.control, answer.data(), answer.size(), MSG_NOSIGNAL) >= 0;
}

void Worker::serve() {
  while (!done_) {
    // A hanging machine's kernel still takes connections; nobody there answers them.
    pollfd fds[] = {{config_.control, POLLIN, 0}, {signals_, POLLIN, 0}, {hanging_ ? -1 : door_.fd(), POLLIN, 0}};
    if (poll(fds, 3, door_.until()) < 0 && errno != EINTR) return;
    door_.tend();
    if (fds[1].revents) on_signal();
    if (fds[2].revents && door_.fd() >= 0) {
      door_.admit([this](const std::vector<std::string>& argv, int connection) { spawn(argv, connection, connection, null_); });
    }
    if (fds[0].revents && !on_command()) return;
  }
}

}  // namespace

int worker_main(const std::string& config_path) {
  // Before any thread is made, so that all have them blocked and only the signalfd sees them.
  const sigset_t set = handled_signals();
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
  signal(SIGPIPE, SIG_IGN);
  int control = -1;
  try {
    const WorkerConfig config = worker_config(Json::parse(file::read(config_path)));
    control = config.control;
    Worker worker(config);
    send(control, "ok", 2, MSG_NOSIGNAL);
    worker.serve();
    return 0;
  } catch (const std::exception& error) {
    const std::string answer = std::string("error ") + error.what();
    if (control >= 0) send(control, answer.data(), answer.size(), MSG_NOSIGNAL);
    kill_descendants();
    return 1;
  }
}

}  // namespace tpuctl::emulator

#else
#include <cstdio>

namespace tpuctl::emulator {
int worker_main(const std::string&) {
  std::fputs("Emulated workers need Linux.\n", stderr);
  return 1;
}
}  // namespace tpuctl::emulator
#endif
