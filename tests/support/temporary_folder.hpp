// SPDX-License-Identifier: Apache-2.0
// A folder of its own, gone at the end.
#pragma once

#include <sys/stat.h>

#include <filesystem>
#include <string>

#include "base/file.hpp"
#include "base/text.hpp"

namespace tpuctl::test {

class TemporaryFolder {
 public:
  TemporaryFolder() : path("/tmp/tpuctl-test-" + text::uuid4()) { file::make_dirs(path); }
  ~TemporaryFolder() {
    std::error_code ignored;  // a test may have locked itself out
    std::filesystem::permissions(path, std::filesystem::perms::owner_all, ignored);
    std::filesystem::remove_all(path, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  std::string operator/(const std::string& name) const { return file::join(path, name); }
  /// Writes a file and returns its path.
  std::string put(const std::string& name, std::string_view text, mode_t mode = 0600) const {
    const std::string target = *this / name;
    file::write_atomic(target, text, mode);
    return target;
  }
  std::string put_script(const std::string& name, const std::string& lines) const {
    return put(name, "#!/bin/sh\n" + lines + "\n", 0755);
  }

  const std::string path;
};

/// Permission bits of a file.
inline mode_t mode_of(const std::string& path) {
  struct stat info = {};
  return stat(path.c_str(), &info) == 0 ? info.st_mode & 07777 : 0;
}

}  // namespace tpuctl::test
