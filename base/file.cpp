// SPDX-License-Identifier: Apache-2.0
#include "base/file.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "base/error.hpp"
#include "base/text.hpp"

namespace tpuctl::file {

namespace {
[[noreturn]] void fail(const std::string& what, const std::string& path) {
  throw Error(Kind::failure, what + " [" + path + "]: " + std::strerror(errno) + ".");
}

void write_all(int fd, std::string_view bytes, const std::string& path) {
  while (!bytes.empty()) {
    const ssize_t n = ::write(fd, bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) {
      const int saved = errno;
      ::close(fd);
      errno = saved;
      fail("Cannot write", path);
    }
    bytes.remove_prefix(static_cast<std::size_t>(n));
  }
}
}  // namespace

std::string read(const std::string& path) {
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) fail("Unable to read file", path);
  std::string out;
  char buffer[65536];
  for (;;) {
    const ssize_t n = ::read(fd, buffer, sizeof buffer);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) {
      const int saved = errno;
      close(fd);
      errno = saved;
      fail("Unable to read file", path);
    }
    if (n == 0) break;
    out.append(buffer, static_cast<std::size_t>(n));
  }
  close(fd);
  return out;
}

std::optional<std::string> read_if_exists(const std::string& path) {
  struct stat info = {};
  if (stat(path.c_str(), &info) != 0 && (errno == ENOENT || errno == ENOTDIR)) return {};
  return read(path);
}

void write_atomic(const std::string& path, std::string_view bytes, mode_t mode) {
  make_dirs(dir_name(path));
  const std::string temporary = path + "." + text::uuid4().substr(0, 8) + ".tmp";
  const int fd = open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode);
  if (fd < 0) fail("Cannot write", path);
  try {
    write_all(fd, bytes, path);
  } catch (...) {
    unlink(temporary.c_str());
    throw;
  }
  const bool synced = fsync(fd) == 0;
  const int saved = errno;
  if (close(fd) != 0 || !synced || rename(temporary.c_str(), path.c_str()) != 0) {
    if (!synced) errno = saved;
    const int reason = errno;
    unlink(temporary.c_str());
    errno = reason;
    fail("Cannot write", path);
  }
}

void append(const std::string& path, std::string_view bytes, mode_t mode) {
  make_dirs(dir_name(path));
  const int fd = open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, mode);
  if (fd < 0) fail("Cannot write", path);
  write_all(fd, bytes, path);
  close(fd);
}

void make_dirs(const std::string& path, mode_t mode) {
  if (path.empty() || is_dir(path)) return;
  make_dirs(dir_name(path), mode);
  if (mkdir(path.c_str(), mode) != 0 && errno != EEXIST) fail("Cannot make the folder", path);
}

bool exists(const std::string& path) { return access(path.c_str(), F_OK) == 0; }

bool is_dir(const std::string& path) {
  struct stat info = {};
  return stat(path.c_str(), &info) == 0 && S_ISDIR(info.st_mode);
}

void remove(const std::string& path) {
  if (unlink(path.c_str()) != 0 && errno != ENOENT) fail("Cannot remove", path);
}

void remove_tree(const std::string& path) {
  std::error_code ec;
  std::filesystem::remove_all(path, ec);
  if (ec) throw Error(Kind::failure, "Cannot remove [" + path + "]: " + ec.message() + ".");
}

std::string join(std::string_view dir, std::string_view name) {
  if (dir.empty()) return std::string(name);
  return std::string(dir) + (dir.back() == '/' ? "" : "/") + std::string(name);
}

std::string base_name(std::string_view path) {
  const auto slash = path.rfind('/');
  return std::string(slash == std::string_view::npos ? path : path.substr(slash + 1));
}

std::string dir_name(std::string_view path) {
  const auto slash = path.rfind('/');
  if (slash == std::string_view::npos) return {};
  return std::string(slash == 0 ? path.substr(0, 1) : path.substr(0, slash));
}

std::string absolute(const std::string& path) { return std::filesystem::absolute(path).lexically_normal().string(); }

namespace {
// The descriptor, locked; -1 when `operation` does not wait and somebody else holds the lock.
int locked(const std::string& path, int operation) {
  make_dirs(dir_name(path));
  const int fd = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (fd < 0) fail("Cannot lock", path);
  while (flock(fd, operation) != 0) {
    if (errno == EINTR) continue;
    const int saved = errno;
    close(fd);
    if (saved == EWOULDBLOCK) return -1;
    errno = saved;
    fail("Cannot lock", path);
  }
  return fd;
}
}  // namespace

Lock::Lock(const std::string& path) : fd_(locked(path, LOCK_EX)) {}

std::unique_ptr<Lock> Lock::try_take(const std::string& path) {
  const int fd = locked(path, LOCK_EX | LOCK_NB);
  if (fd < 0) return nullptr;
  std::unique_ptr<Lock> out(new Lock);
  out->fd_ = fd;
  return out;
}

Lock::~Lock() { close(fd_); }

}  // namespace tpuctl::file
