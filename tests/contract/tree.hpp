// SPDX-License-Identifier: Apache-2.0
// The program's own command tree, walked.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/text.hpp"
#include "cli/command.hpp"
#include "commands/groups.hpp"

namespace tpuctl::test {

struct Place {
  const cli::Command* command = nullptr;
  std::vector<std::string> path;  ///< words after the program's name; empty for the root
  std::string text() const { return path.empty() ? "(root)" : text::join(path, " "); }
};

inline void walk(const cli::Command& command, std::vector<std::string> path, std::vector<Place>& into) {
  into.push_back({&command, path});
  for (const cli::Command& one : command.commands) {
    auto deeper = path;
    deeper.emplace_back(one.name);
    walk(one, std::move(deeper), into);
  }
}

/// Every command and group, the root first.
inline std::vector<Place> every_command() {
  std::vector<Place> out;
  walk(commands::root(), {}, out);
  return out;
}

inline Place find_place(const std::string& words) {
  for (Place& place : every_command()) {
    if (text::join(place.path, " ") == words) return place;
  }
  return {};
}

}  // namespace tpuctl::test
