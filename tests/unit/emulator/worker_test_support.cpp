// SPDX-License-Identifier: Apache-2.0
#include <arpa/inet.h>
#include <dirent.h>
#include <netinet/in.h>
#include <pwd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <thread>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/text.hpp"
#include "tests/unit/emulator/worker_test.hpp"

namespace tpuctl::emulator {

namespace {

int free_port(const std::string& address) {
  const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in at = {};
  at.sin_family = AF_INET;
  inet_pton(AF_INET, address.c_str(), &at.sin_addr);
  socklen_t size = sizeof at;
  if (bind(fd, reinterpret_cast<sockaddr*>(&at), size) != 0) throw Error(Kind::failure, "no free port on " + address);
  getsockname(fd, reinterpret_cast<sockaddr*>(&at), &size);
  close(fd);
  return ntohs(at.sin_port);
}

std::string me() {
  char path[4096];
  const ssize_t n = readlink("/proc/self/exe", path, sizeof path);
  return std::string(path, n > 0 ? static_cast<std::size_t>(n) : 0);
}

}  // namespace

WorkerTest::WorkerTest() {
  char folder[] = "/tmp/twXXXXXX";
  if (!mkdtemp(folder)) throw Error(Kind::failure, "no temporary folder");
  dir_ = folder;
  user_ = getpwuid(geteuid())->pw_name;
  network_ = "127." + std::to_string(100 + getpid() / 250 % 100) + "." + std::to_string(1 + getpid() % 250) + ".";
  port_ = free_port(network_ + "1");
  key_ = dir_ + "/key";
  process::Spec spec;
  spec.argv = {"ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", key_};
  EXPECT_EQ(process::run(spec).status, 0);
}

WorkerTest::~WorkerTest() {
  pool_.reset();
  file::remove_tree(dir_);
}

WorkerSpec WorkerTest::spec(int index) const {
  WorkerSpec out;
  out.id = "8123456789/" + std::to_string(index);
  out.node = "demo";
  out.index = index;
  out.address = network_ + std::to_string(index + 1);
  out.hostname = "t1v-n-0a1b2c3d-w-" + std::to_string(index);
  return out;
}

Json WorkerTest::metadata(int index, int count) const {
  std::vector<std::string> endpoints;
  for (int i = 0; i < count; ++i) endpoints.push_back("unknown:unknown:" + spec(i).address);
  Json out;
  out.set("/instance/attributes/ssh-keys", user_ + ":" + file::read(key_ + ".pub"));
  out.set("/instance/attributes/agent-worker-number", std::to_string(index));
  out.set("/instance/attributes/worker-network-endpoints", text::join(endpoints, ","));
  out.set("/instance/maintenance-event", "NONE");
  out.set("/project/project-id", "emulated");
  return out;
}

PoolOptions WorkerTest::options() const { return {dir_, port_, "http://127.0.0.1:9", me()}; }

void WorkerTest::start(int count) {
  pool_ = make_worker_pool(options());
  for (int i = 0; i < count; ++i) pool_->create(spec(i), metadata(i, count));
}

std::vector<std::string> WorkerTest::ssh_words(int index, const std::vector<std::string>& more) const {
  std::vector<std::string> out = {"ssh", "-F", "none", "-p", std::to_string(port_), "-i", key_, "-o", "IdentitiesOnly=yes",
                                  "-o", "BatchMode=yes", "-o", "StrictHostKeyChecking=accept-new", "-o",
                                  "UserKnownHostsFile=" + dir_ + "/known_hosts", "-o", "LogLevel=ERROR"};
  out.insert(out.end(), more.begin(), more.end());
  out.push_back(user_ + "@" + spec(index).address);
  return out;
}

process::Result WorkerTest::ssh(int index, const std::string& command, const std::string& input) const {
  process::Spec run;
  run.argv = ssh_words(index);
  if (!command.empty()) run.argv.push_back(command);
  return process::run(run, input);
}

process::Child WorkerTest::ssh_started(int index, const std::string& command) const {
  process::Spec run;
  run.argv = ssh_words(index);
  run.argv.push_back(command);
  run.out = process::Stream::pipe;
  run.err = process::Stream::null;
  run.own_group = true;
  return process::Child(run);
}

std::string WorkerTest::file_of(int index, const std::string& name) const {
  return dir_ + "/workers/demo-" + std::to_string(index) + "-23456789/" + name;
}

bool eventually(const std::function<bool()>& question) {
  for (int i = 0; i < 1200; ++i) {
    if (question()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  return false;
}

int processes_with(const std::string& text) {
  int count = 0;
  DIR* proc = opendir("/proc");
  while (const dirent* entry = readdir(proc)) {
    if (!text::parse_int(entry->d_name) || std::atol(entry->d_name) == getpid()) continue;
    try {
      const auto command = file::read_if_exists(std::string("/proc/") + entry->d_name + "/cmdline");
      if (command && text::replace_all(*command, std::string(1, '\0'), " ").find(text) != std::string::npos) ++count;
    } catch (const Error&) {  // it has ended while we looked
    }
  }
  closedir(proc);
  return count;
}

int hold_pool(const std::vector<std::string>& words) {
  WorkerSpec spec;
  spec.id = "8123456789/0";
  spec.node = "demo";
  spec.address = words.at(1) + "1";
  Json metadata;
  metadata.set("/instance/attributes/ssh-keys", std::string(getpwuid(geteuid())->pw_name) + ":" + file::read(words.at(3) + ".pub"));
  const auto pool = make_worker_pool({words.at(0), std::atoi(words.at(2).c_str()), "http://127.0.0.1:9", me()});
  pool->create(spec, metadata);
  std::puts("ready");
  std::fflush(stdout);
  for (;;) pause();
}

}  // namespace tpuctl::emulator
