// SPDX-License-Identifier: Apache-2.0
#include "auth/trusted_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

namespace tpuctl::auth {

namespace {

constexpr std::size_t kLongest = std::size_t{1} << 20;

std::optional<std::string> read_all(int fd) {
  std::string out;
  char buffer[4096];
  while (out.size() <= kLongest) {
    const ssize_t n = read(fd, buffer, sizeof buffer);
    if (n == 0) return out;
    if (n < 0 && errno != EINTR) return {};
    if (n > 0) out.append(buffer, static_cast<std::size_t>(n));
  }
  return {};
}

std::optional<std::string> read_checked(const std::string& path, mode_t forbidden, bool own) {
  // Not blocking: a pipe that lies there must not hold us up.
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  if (fd < 0) return {};
  struct stat info = {};
  const bool good = fstat(fd, &info) == 0 && S_ISREG(info.st_mode) && (info.st_mode & forbidden) == 0 &&
                    (!own || info.st_uid == geteuid());
  auto out = good ? read_all(fd) : std::nullopt;
  close(fd);
  return out;
}

}  // namespace

std::optional<std::string> read_trusted(const std::string& path, mode_t forbidden) {
  return read_checked(path, forbidden, false);
}

std::optional<std::string> read_private(const std::string& path) { return read_checked(path, 077, true); }

}  // namespace tpuctl::auth
