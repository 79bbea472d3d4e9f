// SPDX-License-Identifier: Apache-2.0
// What is known about each training framework: how its log tells steps, what it must be told so that Autocheckpoint works.
// A framework is a row. Facts: the frameworks' own sources.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tpuctl::launch {

/// A stretch of a framework's releases, known by what their settings file has.
struct Release {
  std::string_view knows;                       ///< stands in the file; empty: in any
  std::span<const std::string_view> needs{};    ///< as Framework::needs
  std::string_view trouble{};                   ///< what no setting helps against; a sentence
};

struct Framework {
  std::string_view name;
  std::string_view help;
  /// Extended regular expressions (POSIX, as grep -E reads them). A matching log line tells a step: its last number.
  std::string_view step;
  std::string_view resume;  ///< a line that tells where training begins again; tried before `step`
  std::string_view saved;   ///< a line that tells of a checkpoint; such a line is no step
  std::string_view notice;  ///< a line that tells that SIGTERM was caught
  /// Such a line stands in the log only when the program leaves because of it, on every worker: evidence of a notice that
  /// another worker got.
  bool notice_decides = false;
  /// Words of the command without which SIGTERM saves nothing; each "a|b" is satisfied by one of its alternatives.
  std::span<const std::string_view> needs{};
  /// Where a working copy of it has its settings file, and its releases by that file, the newest first; `needs` are those of
  /// the newest.
  std::span<const std::string_view> settings{};
  std::span<const Release> releases{};
  /// What is in a checkpoint's folder in Cloud Storage once it is committed, since folders cannot be renamed there; empty: any
  /// object makes it one.
  std::string_view commit{};
};

std::span<const Framework> frameworks();
/// nullptr when unknown.
const Framework* find_framework(std::string_view name);

/// The release that lies in a folder; nullptr when none does, or no folder is given.
const Release* find_release(const Framework& framework, const std::string& folder);

/// What the framework (in that release, or its newest) needs and the command does not say. Empty: nothing to warn about.
std::vector<std::string> lint(const Framework& framework, const std::string& command, const Release* release = nullptr);

}  // namespace tpuctl::launch
