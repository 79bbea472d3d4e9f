// SPDX-License-Identifier: Apache-2.0
// The source tree, as the contract tests read it.
#pragma once

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "base/file.hpp"
#include "base/text.hpp"

namespace tpuctl::test {

struct Source {
  std::string path;  ///< below the root of the tree
  std::vector<std::string> lines;
  std::string room() const { return path.substr(0, path.find('/')); }
};

/// Files below `folders` whose names end in one of `endings`, sorted by path.
inline std::vector<Source> sources(const std::vector<std::string>& folders, const std::vector<std::string>& endings) {
  namespace fs = std::filesystem;
  std::vector<Source> out;
  for (const std::string& folder : folders) {
    for (const auto& entry : fs::recursive_directory_iterator(fs::path(TPUCTL_SOURCE_DIR) / folder)) {
      const std::string name = entry.path().filename().string();
      const bool wanted = std::any_of(endings.begin(), endings.end(), [&](const std::string& end) { return name.ends_with(end); });
      if (!entry.is_regular_file() || !wanted) continue;
      out.push_back({fs::relative(entry.path(), TPUCTL_SOURCE_DIR).string(), text::split(file::read(entry.path().string()), '\n')});
    }
  }
  std::sort(out.begin(), out.end(), [](const Source& a, const Source& b) { return a.path < b.path; });
  return out;
}

}  // namespace tpuctl::test
