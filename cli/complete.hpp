// SPDX-License-Identifier: Apache-2.0
// What Tab offers: `tpuctl __complete -- WORDS...`, the last word being the one under the cursor. Reads only rows;
// never throws, never writes to stderr. The protocol is cobra's: "word TAB description" lines, then ":bits".
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/command.hpp"

namespace tpuctl::cli {

/// What the shell is told besides the words.
enum Directive : int { kNoSpace = 2, kNoFiles = 4, kExtensions = 8, kDirectories = 16, kKeepOrder = 32 };

/// What is already typed, for a source of live names: good enough to ask the right project and zone.
struct Typed {
  const Command* command = nullptr;  ///< deepest command named; the root at least
  std::vector<std::string> path;
  std::vector<std::pair<std::string, std::string>> flags;  ///< name without dashes, last value
  std::vector<std::string> positionals;
  std::string get(std::string_view flag) const;
};

/// Names of `source` that may begin with `prefix`. May throw; then there are none.
using LiveNames = std::function<std::vector<std::string>(Source source, const Typed& typed, std::string_view prefix)>;

struct Completion {
  std::vector<std::pair<std::string, std::string>> words;  ///< word and description
  int directive = kNoFiles;
};

/// `words` are those after the program's name; the last one is completed (empty: a new word begins).
Completion complete(const Command& root, std::span<const Flag> globals, const std::vector<std::string>& words,
                    const LiveNames& live);

/// The lines of the protocol.
std::string print(const Completion& completion);

}  // namespace tpuctl::cli
