// SPDX-License-Identifier: Apache-2.0
#include "emulator/service.hpp"

#include <arpa/inet.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <thread>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/signal.hpp"
#include "base/time.hpp"
#include "emulator/emulator.hpp"
#include "emulator/server.hpp"
#include "emulator/storage_files.hpp"
#include "emulator/worker_pool.hpp"

namespace tpuctl::emulator {

namespace {
std::string info_path(const std::string& dir) { return file::join(dir, "emulator.json"); }

/// Held while the emulator runs; the kernel lets it go with the process, so that it cannot be left behind.
class DirectoryLock {
 public:
  explicit DirectoryLock(const std::string& dir) {
    const std::string path = file::join(dir, "lock");
    fd_ = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (fd_ < 0) throw Error(Kind::failure, "Cannot make the file [" + path + "].");
    // find_running holds the lock for an instant to see whether it is free.
    for (int i = 0; i < 20; ++i) {
      if (flock(fd_, LOCK_EX | LOCK_NB) == 0) return;
      std::this_thread::sleep_for(std::chrono::milliseconds(25));
    }
    close(fd_);
    throw Error(Kind::conflict, "An emulator is running in [" + dir + "] already.",
                "Stop it with `tpuctl emulator stop`, or choose another folder with --dir.");
  }
  ~DirectoryLock() { close(fd_); }
  DirectoryLock(const DirectoryLock&) = delete;
  DirectoryLock& operator=(const DirectoryLock&) = delete;

 private:
  int fd_ = -1;
};

/// A port that is free on every loopback address now.
int free_port() {
  const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in any = {};
  any.sin_family = AF_INET;
  any.sin_addr.s_addr = htonl(INADDR_ANY);
  socklen_t size = sizeof any;
  const bool bound = fd >= 0 && bind(fd, reinterpret_cast<sockaddr*>(&any), size) == 0 &&
                     getsockname(fd, reinterpret_cast<sockaddr*>(&any), &size) == 0;
  if (fd >= 0) close(fd);
  if (!bound) throw Error(Kind::failure, "No free port was found for the workers' ssh.");
  return ntohs(any.sin_port);
}

/// The ssh port of the last run, so that commands that were written down still work.
int choose_ssh_port(const ServeOptions& options) {
  if (options.ssh_port > 0) return options.ssh_port;
  Json last;
  const auto text = file::read_if_exists(file::join(options.dir, "ssh_port"));
  if (text && Json::try_parse(*text, last) && last.integer() > 0) return static_cast<int>(last.integer());
  const int port = free_port();
  file::write_atomic(file::join(options.dir, "ssh_port"), std::to_string(port) + "\n");
  return port;
}

/// Moves the world on every 50 ms in a thread of its own, so that requests and signals never wait for workers.
class Ticker {
 public:
  Ticker(Emulator& emulator, Lifecycle::Log log) : thread_([this, &emulator, log = std::move(log)] {
      while (!stop_) {
        try {
          emulator.advance();
        } catch (const std::exception& error) {
          log(std::string("The world stands still: ") + error.what());
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
      }
    }) {}
  ~Ticker() {
    stop_ = true;
    thread_.join();
  }

 private:
  std::atomic<bool> stop_{false};
  std::thread thread_;
};
/// However serve() is left, no request outlives the world it is answered from.
struct ServerGuard {
  Server& server;
  ~ServerGuard() { server.stop(); }
};
}  // namespace

int serve(const ServeOptions& options) {
  signals::install();
  file::make_dirs(options.dir);
  const DirectoryLock lock(options.dir);
  file::remove(info_path(options.dir));  // of one that was killed
  for (const std::string& bucket : options.buckets) {
    if (!BucketFiles::is_bucket_name(bucket)) throw Error(Kind::usage, "[" + bucket + "] is no bucket name.");
    BucketFiles(options.dir).make_bucket(bucket);
  }
  SystemClock clock;
  const std::string log_path = file::join(options.dir, "emulator.log");
  const Lifecycle::Log log = [&](const std::string& line) {
    file::append(log_path, rfc3339(clock.now(), 3) + " " + line + "\n");
  };
  const int ssh_port = choose_ssh_port(options);

  // The server comes first: the workers are told its URL. Until the emulator is there, requests are turned away.
  std::atomic<Emulator*> emulator{nullptr};
  Server server(options.address, options.port, [&](const api::Request& request, const std::string&) {
    Emulator* ready = emulator.load();
    if (ready) return ready->answer(request);
    api::Response wait;
    wait.status = 503;
    wait.headers = {{"Retry-After", "1"}};
    return wait;
  });
  const std::string url = "http://" + options.address + ":" + std::to_string(server.port()) + "/";
  PoolOptions pool;
  pool.dir = options.dir;
  pool.ssh_port = ssh_port;
  pool.url = url.substr(0, url.size() - 1);
  pool.program = options.program;
  const auto host = make_worker_pool(pool);
  Emulator world({options.dir, options.speed, options.faults, log}, *host, clock);
  emulator = &world;
  const ServerGuard guard{server};

  const Json info{{"pid", static_cast<int>(getpid())}, {"port", server.port()},    {"url", url},
                  {"ssh_port", ssh_port},              {"started", rfc3339(clock.now())}, {"speed", options.speed}};
  file::write_atomic(info_path(options.dir), info.pretty() + "\n");
  log("Started on " + url);
  {
    const Ticker ticker(world, log);
    options.ready(info);
    while (signals::pending() == 0 && !world.shutdown_requested()) {
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
  }
  log("Stopping");
  file::remove(info_path(options.dir));
  server.stop();
  world.halt_workers();
  return 0;
}

std::optional<Json> find_running(const std::string& dir) {
  const auto text = file::read_if_exists(info_path(dir));
  Json info;
  if (!text || !Json::try_parse(*text, info)) return {};
  const int fd = open(file::join(dir, "lock").c_str(), O_RDWR | O_CLOEXEC);
  if (fd < 0) return {};
  const bool held = flock(fd, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
  close(fd);
  return held ? std::optional<Json>(info) : std::nullopt;
}

}  // namespace tpuctl::emulator
