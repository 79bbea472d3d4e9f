// SPDX-License-Identifier: Apache-2.0
// Objects as files: DIR/buckets/BUCKET/a/b/c is the object a/b/c. Names that no folder can hold are escaped: '%' and
// control characters as %XX, an empty part as "%", "." and ".." as %2E; a file that stands where a folder is needed
// moves to NAME%. So no name leaves the bucket, and what people look for is where they look.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/json.hpp"
#include "base/time.hpp"

namespace tpuctl::emulator {

struct ObjectInfo {
  std::string name;
  std::uint64_t size = 0;
  std::int64_t generation = 0;  ///< time of writing in microseconds
  std::string path;
};

/// Not thread-safe. File trouble is an Error that names the path.
class BucketFiles {
 public:
  explicit BucketFiles(std::string dir) : dir_(std::move(dir)) {}

  static bool is_bucket_name(const std::string& name);
  bool has_bucket(const std::string& bucket) const;
  void make_bucket(const std::string& bucket) const;
  void remove_bucket(const std::string& bucket) const;
  std::vector<std::string> buckets() const;

  std::optional<ObjectInfo> find(const std::string& bucket, const std::string& name) const;
  /// All objects whose name starts with `prefix`, by name.
  std::vector<ObjectInfo> list(const std::string& bucket, const std::string& prefix) const;
  /// Moves the file at `source` into place. `attributes`: contentType, metadata, ...; kept beside the bucket.
  ObjectInfo put_file(const std::string& bucket, const std::string& name, const std::string& source,
                      const Json& attributes);
  void remove(const std::string& bucket, const std::string& name);
  Json attributes(const std::string& bucket, const std::string& name) const;

  struct Sums {
    std::int64_t generation = 0;
    std::string crc32c, md5;  ///< base64, as the API shows them
  };
  /// Of the content; remembered until the file changes. Valid until the next call.
  const Sums& sums(const ObjectInfo& object);
  /// A path for a file that is being received.
  std::string new_upload() const;

 private:
  std::string bucket_dir(const std::string& bucket) const;
  std::string attributes_path(const std::string& bucket, const std::string& name) const;

  std::string dir_;
  std::map<std::string, Sums> sums_;  ///< by path
};

}  // namespace tpuctl::emulator
