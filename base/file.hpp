// SPDX-License-Identifier: Apache-2.0
// Files as tpuctl needs them: whole reads, atomic writes with the mode set at creation, an advisory lock.
// Every failure is an Error{failure} that names the path and the reason.
#pragma once

#include <sys/types.h>

#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace tpuctl::file {

std::string read(const std::string& path);
std::optional<std::string> read_if_exists(const std::string& path);

/// Writes to a new file beside `path` (created with `mode`), syncs it and renames it over `path`: a reader sees
/// the old text or the new, also after a full disk or a crash. Missing parent folders are made with 0700.
void write_atomic(const std::string& path, std::string_view bytes, mode_t mode = 0600);
/// Appends one write(2); made with `mode` when absent.
void append(const std::string& path, std::string_view bytes, mode_t mode = 0600);

void make_dirs(const std::string& path, mode_t mode = 0700);
bool exists(const std::string& path);
bool is_dir(const std::string& path);
void remove(const std::string& path);           ///< absent is fine
void remove_tree(const std::string& path);      ///< absent is fine
std::string join(std::string_view dir, std::string_view name);
std::string base_name(std::string_view path);
std::string dir_name(std::string_view path);
std::string absolute(const std::string& path);

/// flock(2) on `path` (made when absent), held until destruction.
class Lock {
 public:
  explicit Lock(const std::string& path);
  /// Nothing when somebody else holds it.
  static std::unique_ptr<Lock> try_take(const std::string& path);
  ~Lock();
  Lock(const Lock&) = delete;
  Lock& operator=(const Lock&) = delete;

 private:
  Lock() = default;
  int fd_ = -1;
};

}  // namespace tpuctl::file
