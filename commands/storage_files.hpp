// SPDX-License-Identifier: Apache-2.0
// The local half of `storage`: files found by wildcards, read piece by piece, and written so that there is a whole file or
// none.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace tpuctl::commands {

struct LocalEntry {
  std::string path;
  bool folder = false;
  std::int64_t size = -1;  ///< -1: no regular file (a pipe), size not known
};

/// What a path with wildcards means, sorted. As gcloud: names that begin with a dot only match a pattern that does, or **;
/// a symbolic link to a folder is left out and told of. A path that exists as it is spelled is that.
std::vector<LocalEntry> expand_path(const std::string& path, const std::function<void(const std::string&)>& warn);
/// Every file below a folder, hidden ones too; links to folders, sockets and the like are left out and told of.
std::vector<LocalEntry> files_below(const std::string& folder, const std::function<void(const std::string&)>& warn);

/// A file, a pipe, or with "-" standard input.
class InputFile {
 public:
  /// Throws Error{not_found|failure} naming the path.
  explicit InputFile(const std::string& path);
  ~InputFile();
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;

  bool rereadable() const { return regular_; }
  /// Up to `most` bytes at `offset`; 0 at the end. Of a pipe the next bytes, wherever they are. Ends by
  /// Error{interrupted|terminated} when a signal comes while it waits.
  std::size_t read(std::int64_t offset, char* to, std::size_t most);

 private:
  std::string path_;
  int fd_ = -1;
  bool regular_ = false;
};

/// A file in the making, under another name beside it until finish(). What is no regular file (/dev/null, a pipe) is
/// written to directly.
class OutputFile {
 public:
  /// Makes missing folders. Throws Error{failure} naming the path.
  explicit OutputFile(const std::string& path);
  /// Without finish() nothing is left.
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  void write(std::string_view bytes);  ///< Error{failure} for a full disk, among others
  void finish();

 private:
  [[noreturn]] void fail() const;
  std::string path_;
  std::string temporary_;  ///< empty: written directly
  int fd_ = -1;
};

}  // namespace tpuctl::commands
