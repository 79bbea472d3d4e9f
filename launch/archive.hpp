// SPDX-License-Identifier: Apache-2.0
// Files as one compressed tar archive in a temporary file without a name. Equal files make equal archives: names are in order, and there are no
// times and no owners in them, so that one checksum says whether a worker has this content already.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "api/storage.hpp"
#include "launch/workers.hpp"

namespace tpuctl::launch {

struct ArchiveEntry {
  enum class Type { file, folder, link };
  std::string name;    ///< in the archive, without slashes at its ends
  std::string path;    ///< on this machine
  Type type = Type::file;
  int mode = 0644;     ///< permission bits
  std::int64_t size = 0;  ///< of a file
  std::string target;  ///< of a link
};

/// A folder's content, without what IgnoreRules leave at home. Symbolic links stay links; sockets and the like are told of and
/// left out. Throws Error{failure} for a folder that cannot be read.
std::vector<ArchiveEntry> entries_of_workdir(const std::string& folder, const Warn& warn);
/// Files and whole folders under their last names, as scp would place them; a source that is itself a link is followed. Throws
/// Error{failure} for a source that cannot be read, and when two have the same last name.
std::vector<ArchiveEntry> entries_of_sources(const std::vector<std::string>& sources, const Warn& warn);

/// The tar blocks that stand before an entry's bytes.
std::string tar_headers(const ArchiveEntry& entry);

/// Its file has no name and is gone with the process, however that ends.
class Archive {
 public:
  /// Reads all entries. Throws Error{failure} naming the file that could not be read or changed meanwhile, and
  /// Error{interrupted|terminated}.
  explicit Archive(const std::vector<ArchiveEntry>& entries);
  ~Archive();
  Archive(const Archive&) = delete;
  Archive& operator=(const Archive&) = delete;

  /// Up to `most` bytes from `offset` on; 0 at the end. Throws Error{failure}.
  std::size_t read(std::int64_t offset, char* to, std::size_t most) const;
  const std::string& sum() const { return sum_; }  ///< SHA-256 of the archive in hex
  std::int64_t size() const { return size_; }      ///< bytes of the archive
  std::int64_t content() const { return content_; }  ///< bytes of the files in it
  std::size_t files() const { return files_; }     ///< files and links
  /// The entries at its top, without what is in them.
  const std::vector<ArchiveEntry>& tops() const { return tops_; }

 private:
  int fd_ = -1;
  std::string sum_;
  std::int64_t size_ = 0, content_ = 0;
  std::size_t files_ = 0;
  std::vector<ArchiveEntry> tops_;
};

/// Puts the archive into a bucket, unless an object of that name and size is there. `moved` hears how many bytes have arrived so
/// far. Throws Error, as api::Storage does.
void put_object(api::Storage& storage, const std::string& bucket, const std::string& name, const Archive& archive,
                const std::function<void(std::int64_t)>& moved);

}  // namespace tpuctl::launch
