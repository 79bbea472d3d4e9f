// SPDX-License-Identifier: Apache-2.0
// gs:// addresses and the wildcards in them, as pure text.
#pragma once

#include <string>
#include <string_view>

namespace tpuctl::api {

/// gs://BUCKET/NAME#GENERATION; or a path on this machine, where everything is in `name`.
struct StorageUrl {
  bool cloud = false;
  std::string bucket;      ///< empty with cloud: all buckets ("gs://")
  std::string name;        ///< of the object, or a prefix; empty: the bucket itself
  std::string generation;  ///< empty: the live one

  bool is_bucket() const { return cloud && name.empty() && !bucket.empty(); }
  bool is_provider() const { return cloud && bucket.empty(); }
  /// "-", standard input or output.
  bool is_stream() const { return !cloud && name == "-"; }
  /// As users write and see it; a bucket ends with a slash. Without the generation.
  std::string text() const;
};

/// Throws Error{usage} for s3:// and other schemes, and for gs:///NAME. file:// is a path.
StorageUrl parse_storage_url(const std::string& text);

bool has_wildcard(std::string_view text);  ///< any of * ? [ ]
/// Whether the whole of `text` matches, by the rules of Python's fnmatch, which are gcloud's: * and ? take slashes too,
/// [abc], [a-z], [!abc]; a [ without end is itself; a backslash is no escape. ? and sets take one UTF-8 character.
bool glob_matches(std::string_view pattern, std::string_view text);

/// One step in the expansion of an object's name with wildcards. "a/b*c/d/e*f" asks for the prefix "a/b", one level deep,
/// keeps what matches "a/b*c", and goes on with each "…/" + "d/e*f". With ** everything below the prefix is asked for.
struct GlobStep {
  std::string prefix;
  std::string pattern;
  std::string suffix;  ///< empty: this was the last step
  bool one_level = true;
};
GlobStep first_glob_step(const std::string& name);

/// Whether an object or a prefix (which ends with /) is kept by a step's pattern: also "pattern/", and "**/" standing for
/// no folder at all.
bool step_keeps(const std::string& pattern, const std::string& name);

}  // namespace tpuctl::api
