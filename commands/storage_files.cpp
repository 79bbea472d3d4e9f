// SPDX-License-Identifier: Apache-2.0
#include "commands/storage_files.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>

#include "api/storage_url.hpp"
#include "base/error.hpp"
#include "base/file.hpp"
#include "base/signal.hpp"
#include "base/text.hpp"

namespace tpuctl::commands {

namespace {

using Warn = std::function<void(const std::string&)>;

constexpr mode_t kAll = 0666;  // the umask takes away from these what the user wants
constexpr mode_t kAllFolders = 0777;

// Sorted names in a folder; none when it cannot be read.
std::vector<std::string> names_in(const std::string& folder, const Warn& warn) {
  std::vector<std::string> out;
  struct Closer {
    void operator()(DIR* dir) const { closedir(dir); }
  };
  const std::unique_ptr<DIR, Closer> dir(opendir(folder.empty() ? "." : folder.c_str()));
  if (!dir) {
    if (errno != ENOENT && errno != ENOTDIR) warn("The folder " + folder + " is left out: " + std::strerror(errno) + ".");
    return out;
  }
  while (const dirent* entry = readdir(dir.get())) {
    const std::string name = entry->d_name;
    if (name != "." && name != "..") out.push_back(name);
  }
  std::sort(out.begin(), out.end());
  return out;
}

bool is_real_folder(const std::string& path) {
  struct stat info = {};
  return lstat(path.c_str(), &info) == 0 && S_ISDIR(info.st_mode);
}

// Adds what a path is, unless it is left out.
void take(const std::string& path, bool below, const Warn& warn, std::vector<LocalEntry>& out) {
  struct stat itself = {};
  struct stat target = {};
  if (lstat(path.c_str(), &itself) != 0) return;
  const bool link = S_ISLNK(itself.st_mode);
  if (stat(path.c_str(), &target) != 0) {
    if (!below) return;
    warn(path + " is left out: it is a link that leads nowhere.");
  } else if (link && S_ISDIR(target.st_mode)) {
    warn(path + " is left out: it is a link to a folder.");
  } else if (S_ISDIR(target.st_mode)) {
    out.push_back({path, true, 0});
  } else if (S_ISREG(target.st_mode)) {
    out.push_back({path, false, static_cast<std::int64_t>(target.st_size)});
  } else if (!below) {
    out.push_back({path, false, -1});
  } else {
    warn(path + " is left out: it is no regular file.");
  }
}

void walk(const std::string& folder, const Warn& warn, std::vector<LocalEntry>& out) {
  for (const std::string& name : names_in(folder, warn)) {
    const std::string path = file::join(folder, name);
    if (is_real_folder(path)) {
      walk(path, warn, out);
    } else {
      take(path, true, warn, out);
    }
  }
}

struct Glob {
  const Warn& warn;
  bool hidden;
  std::vector<std::string> parts;
  std::vector<LocalEntry> out{};

  void step(const std::string& base, std::size_t index);
  void folders(const std::string& base, std::size_t index);
};

// ** stands for no folder, or any number of them.
void Glob::folders(const std::string& base, std::size_t index) {
  if (index + 1 == parts.size()) return walk(base, warn, out);
  step(base, index + 1);
  for (const std::string& name : names_in(base, warn)) {
    const std::string path = file::join(base, name);
    if (is_real_folder(path)) folders(path, index);
  }
}

void Glob::step(const std::string& base, std::size_t index) {
  const bool last = index + 1 == parts.size();
  const std::string& part = parts[index];
  if (part == "**") return folders(base, index);
  std::vector<std::string> names = {part};
  if (api::has_wildcard(part) && !file::exists(file::join(base, part))) {
    names = names_in(base, warn);
    std::erase_if(names, [&](const std::string& name) { return !api::glob_matches(part, name); });
  }
  for (const std::string& name : names) {
    const std::string path = file::join(base, name);
    if (!last) {
      if (file::is_dir(path)) step(path, index + 1);
    } else if (hidden || !name.starts_with('.')) {
      take(path, false, warn, out);
    }
  }
}

}  // namespace

std::vector<LocalEntry> files_below(const std::string& folder, const Warn& warn) {
  std::vector<LocalEntry> out;
  walk(folder, warn, out);
  return out;
}

std::vector<LocalEntry> expand_path(const std::string& path, const Warn& warn) {
  std::string plain = path;
  while (plain.size() > 1 && plain.ends_with('/')) plain.pop_back();
  if (plain != path && file::is_dir(path)) return {{plain, true, 0}};  // with a slash a link to a folder is meant as one
  std::vector<LocalEntry> out;
  if (!api::has_wildcard(plain) || file::exists(plain)) {
    take(plain, false, warn, out);
    return out;
  }
  Glob glob{.warn = warn, .hidden = plain.find("**") != std::string::npos || file::base_name(plain).starts_with('.'), .parts = {}};
  const bool rooted = plain.starts_with('/');
  for (const std::string& part : text::split(plain, '/')) {
    if (!part.empty()) glob.parts.push_back(part);
  }
  glob.step(rooted ? "/" : "", 0);
  std::sort(glob.out.begin(), glob.out.end(), [](const LocalEntry& a, const LocalEntry& b) { return a.path < b.path; });
  glob.out.erase(std::unique(glob.out.begin(), glob.out.end(),
                             [](const LocalEntry& a, const LocalEntry& b) { return a.path == b.path; }),
                 glob.out.end());
  return std::move(glob.out);
}

InputFile::InputFile(const std::string& path) : path_(path) {
  if (path == "-") {
    fd_ = STDIN_FILENO;
    return;
  }
  fd_ = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  struct stat info = {};
  if (fd_ < 0 || fstat(fd_, &info) != 0) {
    throw Error(errno == ENOENT ? Kind::not_found : Kind::failure, "Cannot read [" + path + "]: " + std::strerror(errno) + ".");
  }
  regular_ = S_ISREG(info.st_mode);
}

InputFile::~InputFile() {
  if (fd_ > STDIN_FILENO) close(fd_);
}

std::size_t InputFile::read(std::int64_t offset, char* to, std::size_t most) {
  for (;;) {
    signals::check();
    if (!regular_) {
      pollfd waiting[] = {{fd_, POLLIN, 0}, {signals::wake_fd(), POLLIN, 0}};
      poll(waiting, signals::wake_fd() >= 0 ? 2 : 1, -1);
      signals::check();
    }
    const ssize_t n = regular_ ? pread(fd_, to, most, offset) : ::read(fd_, to, most);
    if (n >= 0) return static_cast<std::size_t>(n);
    if (errno != EINTR && errno != EAGAIN) throw Error(Kind::failure, "Cannot read [" + path_ + "]: " + std::strerror(errno) + ".");
  }
}

OutputFile::OutputFile(const std::string& path) : path_(path) {
  file::make_dirs(file::dir_name(path), kAllFolders);
  struct stat info = {};
  const bool there = stat(path.c_str(), &info) == 0;
  if (there && S_ISDIR(info.st_mode)) throw Error(Kind::failure, "Cannot write [" + path + "]: it is a folder.");
  if (there && !S_ISREG(info.st_mode)) {
    fd_ = open(path.c_str(), O_WRONLY | O_CLOEXEC);
  } else {
    temporary_ = path + "." + text::uuid4().substr(0, 8) + ".tmp";
    fd_ = open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, kAll);
  }
  if (fd_ < 0) fail();
}

OutputFile::~OutputFile() {
  if (fd_ < 0) return;
  close(fd_);
  if (!temporary_.empty()) unlink(temporary_.c_str());
}

void OutputFile::fail() const {
  const bool full = errno == ENOSPC || errno == EDQUOT;
  throw Error(Kind::failure, "Cannot write [" + path_ + "]: " + std::strerror(errno) + ".",
              full ? "Make room on the disk; no half file was left." : "");
}

void OutputFile::write(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t n = ::write(fd_, bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) fail();
    bytes.remove_prefix(static_cast<std::size_t>(n));
  }
}

void OutputFile::finish() {
  const int fd = fd_;
  fd_ = -1;
  bool good = close(fd) == 0;
  if (good && !temporary_.empty()) good = rename(temporary_.c_str(), path_.c_str()) == 0;
  if (good) return;
  const int reason = errno;
  if (!temporary_.empty()) unlink(temporary_.c_str());
  errno = reason;
  fail();
}

}  // namespace tpuctl::commands
