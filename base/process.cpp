// SPDX-License-Identifier: Apache-2.0
#include "base/process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/signal.hpp"
#include "base/text.hpp"

extern char** environ;

namespace tpuctl::process {

namespace {

struct Pipe {
  int read = -1;
  int write = -1;
};

Pipe make_pipe() {
  int fds[2];
  if (pipe(fds) != 0) throw Error(Kind::failure, std::string("Cannot make a pipe: ") + std::strerror(errno) + ".");
  for (int& fd : fds) {
    // Above the numbers a child's streams are copied onto, whatever was closed in this process.
    if (fd < 3) {
      const int moved = fcntl(fd, F_DUPFD_CLOEXEC, 3);
      close(fd);
      fd = moved;
    }
    fcntl(fd, F_SETFD, FD_CLOEXEC);
  }
  return {fds[0], fds[1]};
}

void close_fd(int& fd) {
  if (fd >= 0) close(fd);
  fd = -1;
}

std::vector<char*> pointers(const std::vector<std::string>& words) {
  std::vector<char*> out;
  out.reserve(words.size() + 1);
  for (const auto& word : words) out.push_back(const_cast<char*>(word.c_str()));
  out.push_back(nullptr);
  return out;
}

// The actions and attributes of posix_spawn, released on every path.
struct Plan {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  Plan() {
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
  }
  ~Plan() {
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
  }
  void stream(Stream kind, int pipe_end, int fixed, int target, int null_flags) {
    if (fixed >= 0) {
      posix_spawn_file_actions_adddup2(&actions, fixed, target);
    } else if (kind == Stream::pipe) {
      posix_spawn_file_actions_adddup2(&actions, pipe_end, target);
    } else if (kind == Stream::null) {
      posix_spawn_file_actions_addopen(&actions, target, "/dev/null", null_flags, 0);
    }
  }
};

int decode(int status) { return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status); }

std::string g_self;

}  // namespace

Child::Child(const Spec& spec) {
  Pipe in, out, err;
  if (spec.in == Stream::pipe && spec.in_fd < 0) in = make_pipe();
  if (spec.out == Stream::pipe && spec.out_fd < 0) out = make_pipe();
  if (spec.err == Stream::pipe && spec.err_fd < 0) err = make_pipe();

  Plan plan;
  plan.stream(spec.in, in.read, spec.in_fd, 0, O_RDONLY);
  plan.stream(spec.out, out.write, spec.out_fd, 1, O_WRONLY);
  plan.stream(spec.err, err.write, spec.err_fd, 2, O_WRONLY);
  for (const int fd : spec.pass_fds) posix_spawn_file_actions_adddup2(&plan.actions, fd, fd);  // clears close-on-exec
#ifdef __GLIBC_PREREQ
#if __GLIBC_PREREQ(2, 34)
  // Libraries open descriptors without close-on-exec; an ssh that lives on must not hold their connections.
  if (spec.pass_fds.empty()) posix_spawn_file_actions_addclosefrom_np(&plan.actions, STDERR_FILENO + 1);
#endif
#endif
  if (!spec.directory.empty()) posix_spawn_file_actions_addchdir_np(&plan.actions, spec.directory.c_str());

  short flags = POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK;
  sigset_t defaults, none;
  sigemptyset(&none);
  sigemptyset(&defaults);
  for (const int s : {SIGINT, SIGTERM, SIGPIPE, SIGHUP, SIGCHLD}) sigaddset(&defaults, s);
  posix_spawnattr_setsigdefault(&plan.attributes, &defaults);
  posix_spawnattr_setsigmask(&plan.attributes, &none);
  if (spec.own_group) flags |= POSIX_SPAWN_SETPGROUP;
#ifdef POSIX_SPAWN_SETSID
  if (spec.own_session) flags |= POSIX_SPAWN_SETSID;
#endif
  posix_spawnattr_setflags(&plan.attributes, flags);

  auto argv = pointers(spec.argv);
  std::vector<char*> env;
  if (spec.env) env = pointers(*spec.env);
  const int problem = posix_spawnp(&pid_, argv[0], &plan.actions, &plan.attributes, argv.data(),
                                   spec.env ? env.data() : environ);
  close_fd(in.read);
  close_fd(out.write);
  close_fd(err.write);
  in_ = in.write;
  out_ = out.read;
  err_ = err.read;
  if (problem != 0) {
    pid_ = -1;
    reset();
    throw Error(Kind::failure, "Cannot start [" + spec.argv[0] + "]: " + std::strerror(problem) + ".");
  }
  group_ = spec.own_group || spec.own_session;
  for (const int fd : {in_, out_, err_}) {
    if (fd >= 0) fcntl(fd, F_SETFL, O_NONBLOCK);
  }
}

Child::~Child() { reset(); }

Child::Child(Child&& other) noexcept { *this = std::move(other); }

Child& Child::operator=(Child&& other) noexcept {
  if (this == &other) return *this;
  reset();
  pid_ = std::exchange(other.pid_, -1);
  group_ = other.group_;
  in_ = std::exchange(other.in_, -1);
  out_ = std::exchange(other.out_, -1);
  err_ = std::exchange(other.err_, -1);
  status_ = std::exchange(other.status_, {});
  return *this;
}

void Child::reset() noexcept {
  close_in();
  close_out();
  close_err();
  if (running()) {
    kill(SIGKILL);
    int status = 0;
    while (waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
    }
  }
  pid_ = -1;
  status_.reset();
}

void Child::close_in() { close_fd(in_); }
void Child::close_out() { close_fd(out_); }
void Child::close_err() { close_fd(err_); }

std::size_t Child::feed(std::string_view bytes) {
  std::size_t taken = 0;
  while (taken < bytes.size()) {
    const ssize_t n = write(in_, bytes.data() + taken, bytes.size() - taken);
    if (n >= 0) {
      taken += static_cast<std::size_t>(n);
    } else if (errno == EAGAIN) {
      break;
    } else if (errno != EINTR) {
      return bytes.size();
    }
  }
  return taken;
}

bool Child::drain(int fd, std::string& into) {
  char buffer[65536];
  for (int rounds = 0; rounds < 16; ++rounds) {  // a flooding child must not starve the others
    const ssize_t n = read(fd, buffer, sizeof buffer);
    if (n > 0) {
      into.append(buffer, static_cast<std::size_t>(n));
    } else if (n == 0) {
      return false;
    } else if (errno == EAGAIN) {
      return true;
    } else if (errno != EINTR) {
      return false;
    }
  }
  return true;
}

std::optional<int> Child::poll_exit() {
  if (status_ || pid_ <= 0) return status_;
  int status = 0;
  const pid_t got = waitpid(pid_, &status, WNOHANG);
  if (got == pid_) status_ = decode(status);
  if (got < 0 && errno == ECHILD) status_ = 255;
  return status_;
}

int Child::wait() {
  int status = 0;
  while (!status_) {
    const pid_t got = waitpid(pid_, &status, 0);
    if (got == pid_) status_ = decode(status);
    if (got < 0 && errno != EINTR) status_ = 255;
  }
  return *status_;
}

void Child::kill(int signal) {
  if (running()) ::kill(group_ ? -pid_ : pid_, signal);
}

pid_t Child::release() {
  close_in();
  close_out();
  close_err();
  return std::exchange(pid_, -1);
}

Result run(Spec spec, std::string_view input, Duration limit) {
  spec.in = input.empty() ? Stream::null : Stream::pipe;
  spec.out = Stream::pipe;
  spec.err = Stream::pipe;
  spec.own_group = true;
  Child child(spec);
  Result result;
  const auto end = std::chrono::steady_clock::now() + limit;
  // A program that closed its streams is waited for within the limit too.
  while (child.out() >= 0 || child.err() >= 0 || !child.poll_exit()) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(end - std::chrono::steady_clock::now()).count();
    result.too_long = spec.output_limit > 0 && result.out.size() + result.err.size() > spec.output_limit;
    if (left <= 0 || result.too_long) {
      result.timed_out = !result.too_long;
      child.kill(SIGKILL);
      child.wait();
      result.status = 124;
      return result;
    }
    const bool streams = child.out() >= 0 || child.err() >= 0;
    pollfd fds[4] = {{child.out(), POLLIN, 0},
                     {child.err(), POLLIN, 0},
                     {child.in(), static_cast<short>(input.empty() ? 0 : POLLOUT), 0},
                     {signals::wake_fd(), POLLIN, 0}};
    poll(fds, 4, static_cast<int>(std::min<std::int64_t>(left, streams ? 60'000 : 2)));
    signals::check();
    if (child.in() >= 0) {
      input.remove_prefix(child.feed(input));
      if (input.empty()) child.close_in();
    }
    if (fds[0].revents && !Child::drain(child.out(), result.out)) child.close_out();
    if (fds[1].revents && !Child::drain(child.err(), result.err)) child.close_err();
  }
  result.status = child.wait();
  return result;
}

std::string find_program(const std::string& name, std::string_view path) {
  if (name.find('/') != std::string::npos) return access(name.c_str(), X_OK) == 0 ? name : "";
  for (const auto& dir : text::split(path, ':')) {
    const std::string candidate = file::join(dir.empty() ? "." : dir, name);
    if (access(candidate.c_str(), X_OK) == 0 && !file::is_dir(candidate)) return candidate;
  }
  return {};
}

void fill_standard_descriptors() {
  for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (fcntl(fd, F_GETFD) >= 0) continue;
    [[maybe_unused]] const int filled = open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);  // gets the lowest number
  }
}

void remember_self(const char* argv0) {
  char resolved[PATH_MAX];
  std::string found = argv0 ? argv0 : "";
  if (found.find('/') == std::string::npos) {
    const char* path = std::getenv("PATH");
    found = find_program(found, path ? path : "");
  }
  // A symlink is kept apart from what it points to: started as `gcloud`, this is still tpuctl.
  g_self = !found.empty() && realpath(found.c_str(), resolved) ? resolved : found;
}

const std::string& self() { return g_self; }

}  // namespace tpuctl::process
