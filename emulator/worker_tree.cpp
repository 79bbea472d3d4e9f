// SPDX-License-Identifier: Apache-2.0
#ifdef __linux__
#include "emulator/worker_tree.hpp"

#include <dirent.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <map>
#include <memory>
#include <set>
#include <thread>

#include "base/file.hpp"

namespace tpuctl::emulator {

namespace {

struct CloseDir {
  void operator()(DIR* dir) const { closedir(dir); }
};

std::vector<std::string> names_in(const std::string& path) {
  std::vector<std::string> out;
  const std::unique_ptr<DIR, CloseDir> dir(opendir(path.c_str()));
  if (!dir) return out;
  while (const dirent* entry = readdir(dir.get())) {
    if (entry->d_name[0] >= '0' && entry->d_name[0] <= '9') out.emplace_back(entry->d_name);
  }
  return out;
}

struct Stat {
  char state = '?';
  pid_t parent = 0;
};

/// "PID (NAME) STATE PPID ...": the name may hold blanks and brackets, so the last bracket counts.
bool read_stat(const std::string& pid, Stat& out) {
  std::string text;
  try {
    text = file::read("/proc/" + pid + "/stat");
  } catch (const std::exception&) {
    return false;  // it has ended meanwhile
  }
  const auto bracket = text.rfind(')');
  if (bracket == std::string::npos || bracket + 4 >= text.size()) return false;
  out.state = text[bracket + 2];
  out.parent = static_cast<pid_t>(std::strtol(text.c_str() + bracket + 4, nullptr, 10));
  return true;
}

}  // namespace

std::vector<pid_t> descendants(pid_t root, bool zombies) {
  std::multimap<pid_t, std::pair<pid_t, char>> children;
  for (const auto& name : names_in("/proc")) {
    Stat stat;
    if (read_stat(name, stat)) children.emplace(stat.parent, std::pair(static_cast<pid_t>(std::atol(name.c_str())), stat.state));
  }
  std::vector<pid_t> out;
  std::vector<pid_t> open{root};
  std::set<pid_t> seen{root};  // pids can be used again while we read: never run in a circle
  while (!open.empty()) {
    const pid_t parent = open.back();
    open.pop_back();
    for (auto [at, end] = children.equal_range(parent); at != end; ++at) {
      const auto [pid, state] = at->second;
      if (!seen.insert(pid).second) continue;
      open.push_back(pid);
      if (zombies || (state != 'Z' && state != 'X')) out.push_back(pid);
    }
  }
  return out;
}

std::vector<pid_t> holders(pid_t root, const std::string& path) {
  std::vector<pid_t> out;
  struct stat wanted = {};
  if (stat(path.c_str(), &wanted) != 0) return out;
  for (const pid_t pid : descendants(root)) {
    const std::string folder = "/proc/" + std::to_string(pid) + "/fd";
    for (const auto& name : names_in(folder)) {
      struct stat info = {};
      if (stat((folder + "/" + name).c_str(), &info) == 0 && info.st_dev == wanted.st_dev && info.st_ino == wanted.st_ino) {
        out.push_back(pid);
        break;
      }
    }
  }
  return out;
}

std::vector<std::pair<pid_t, int>> reap() {
  std::vector<std::pair<pid_t, int>> out;
  int status = 0;
  for (pid_t pid = 0; (pid = waitpid(-1, &status, WNOHANG)) > 0;) out.emplace_back(pid, status);
  return out;
}

bool kill_descendants() {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(10);
  // A look at /proc is no snapshot: only two empty ones in a row mean that nothing is left. Zombies count, since one
  // whose first thread has ended looks the same while its other threads run.
  for (int empty = 0;;) {
    bool left = false;
    for (const pid_t pid : descendants(getpid(), true)) {
      if (kill(pid, SIGKILL) == 0 || errno == ESRCH) left = true;
    }
    reap();
    empty = left ? 0 : empty + 1;
    if (empty == 2) return true;
    if (std::chrono::steady_clock::now() > end) return false;
    if (left) std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
}

}  // namespace tpuctl::emulator
#endif
