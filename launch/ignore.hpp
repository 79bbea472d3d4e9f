// SPDX-License-Identifier: Apache-2.0
// Which files of a folder stay at home: .gitignore as git reads it, .tpuctlignore in the same language above it, and .git.
// Facts: gitignore(5); the cases of the tests were held against `git check-ignore`.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tpuctl::launch {

/// One line of an ignore file.
struct IgnorePattern {
  std::vector<std::string> parts;  ///< between slashes; "**" stands for any number of folders
  bool keeps = false;              ///< "!": what it matches is not ignored after all
  bool folders_only = false;       ///< ends with a slash
  bool anchored = false;           ///< has another slash: counts from the folder of its file on
};

/// The pattern of a line; nothing for an empty line and for a comment.
std::optional<IgnorePattern> parse_ignore_line(std::string_view line);

/// `path` is relative to the folder of the ignore file, without slashes at its ends.
bool ignore_matches(const IgnorePattern& pattern, std::string_view path, bool folder);

/// The ignore files of a folder and of those above it. Asked from the top down: what is below an ignored folder is never
/// asked for, and so cannot be kept by a pattern, as in git.
class IgnoreRules {
 public:
  /// The rules for what is below `root`: those of its own ignore files come with enter(""), those of the folders above it up
  /// to the one that holds .git at once.
  explicit IgnoreRules(const std::string& root);

  /// Reads the ignore files in `folder` (relative to the root; "": the root itself).
  void enter(const std::string& folder);
  /// Forgets those of the folder entered last.
  void leave() { layers_.pop_back(); }

  /// Whether `path` (relative to the root) stays at home. A path that git tracks is never ignored by .gitignore.
  bool ignores(const std::string& path, bool folder) const;

 private:
  struct Layer {
    std::string folder;  ///< "" or ending with a slash, relative to top_
    std::vector<IgnorePattern> git, own;
  };
  void add(const std::string& folder);
  std::optional<bool> verdict(std::vector<IgnorePattern> Layer::*which, const std::string& path, bool folder) const;
  bool tracked(const std::string& path, bool folder) const;

  std::string root_;
  std::string top_;     ///< the folder that holds .git, or the root
  std::string prefix_;  ///< the root as seen from top_: "" or "a/b/"
  std::vector<Layer> layers_;
  std::vector<std::string> tracked_;  ///< sorted, relative to the root
};

}  // namespace tpuctl::launch
