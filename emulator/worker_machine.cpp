// SPDX-License-Identifier: Apache-2.0
#ifdef __linux__
#include "emulator/worker_machine.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <thread>
#include <utility>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/text.hpp"

namespace tpuctl::emulator {

namespace {

constexpr int kAnswerLimit = 60'000;  // ms
constexpr std::chrono::seconds kEndLimit{15};

/// The number of an "ok NUMBER"; 0 for a bare "ok".
int understand(const std::string& answer) {
  if (answer.rfind("ok", 0) == 0) {
    return static_cast<int>(text::parse_int(text::trim(std::string_view(answer).substr(2))).value_or(0));
  }
  throw Error(Kind::failure, answer.rfind("error ", 0) == 0 ? answer.substr(6) : answer);
}

struct Descriptor {
  int fd = -1;
  ~Descriptor() {
    if (fd >= 0) close(fd);
  }
};

}  // namespace

void Machine::start(WorkerConfig config, const std::string& program) {
  end();
  config_ = std::move(config);
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) {
    throw Error(Kind::failure, std::string("Cannot make a socket: ") + std::strerror(errno) + ".");
  }
  control_ = ends[0];
  try {
    const Descriptor far{ends[1]};
    config_.control = far.fd;
    const std::string path = file::join(config_.folder, "config.json");
    put_file(path, to_json(config_).dump());
    const Descriptor log{open(file::join(config_.folder, "worker.log").c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600)};
    process::Spec spec;
    spec.argv = {program, "emulator", "worker", "--config", path};
    spec.out_fd = spec.err_fd = log.fd;
    spec.pass_fds = {far.fd};
    spec.own_session = true;  // a terminal's Ctrl-C is for the emulator, which then ends its workers
    process_ = process::Child(spec);
  } catch (...) {
    hang_up();
    throw;
  }
  try {
    understand(receive());
  } catch (...) {
    end();
    throw;
  }
}

bool Machine::running() { return control_ >= 0 && process_.running() && !process_.poll_exit(); }

std::string Machine::receive() {
  for (;;) {
    pollfd fd{control_, POLLIN, 0};
    const int ready = poll(&fd, 1, kAnswerLimit);
    if (ready < 0 && errno == EINTR) continue;
    if (ready == 0) {
      // Its answer may still come and would then be taken for that of the next command.
      hang_up();
      throw Error(Kind::failure, "Worker " + config_.name + " does not answer.");
    }
    char packet[4096];
    const ssize_t n = recv(control_, packet, sizeof packet, 0);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) break;
    return std::string(packet, static_cast<std::size_t>(n));
  }
  throw Error(Kind::failure, "The process of worker " + config_.name + " has ended.",
              "See " + file::join(config_.folder, "worker.log") + ".");
}

int Machine::ask(const std::string& command) {
  if (control_ < 0) throw Error(Kind::failure, "Worker " + config_.name + " is not running.");
  while (send(control_, command.data(), command.size(), MSG_NOSIGNAL) < 0 && errno == EINTR) {
  }
  return understand(receive());  // which also tells why nothing could be sent
}

void Machine::hang_up() {
  if (control_ >= 0) close(control_);
  control_ = -1;
}

void Machine::end() {
  hang_up();
  const auto limit = std::chrono::steady_clock::now() + kEndLimit;
  while (process_.running() && !process_.poll_exit() && std::chrono::steady_clock::now() < limit) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  process_ = {};
}

}  // namespace tpuctl::emulator
#endif
