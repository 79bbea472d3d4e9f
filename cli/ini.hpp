// SPDX-License-Identifier: Apache-2.0
// gcloud's configuration files: the dialect is Python's configparser with interpolation.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tpuctl::cli {

/// One INI file: sections in order, names in order; comments are lost on writing, as with gcloud.
class IniFile {
 public:
  /// Throws Error{failure} with "PATH:LINE: reason" for what configparser refuses, interpolation included.
  static IniFile parse(std::string_view text, const std::string& path);
  std::string print() const;
  /// The value as a reader sees it: %% and %(name)s resolved, [DEFAULT] looked at last.
  std::optional<std::string> get(std::string_view section, std::string_view name) const;
  /// Takes the plain value: every % is doubled, unless it already holds %%.
  void set(std::string_view section, std::string_view name, std::string_view value);
  /// The section stays, even when it is empty then.
  bool unset(std::string_view section, std::string_view name);
  using Section = std::pair<std::string, std::vector<std::pair<std::string, std::string>>>;
  /// As written in the file.
  const std::vector<Section>& sections() const { return sections_; }
  /// As a reader sees them: without [DEFAULT], its names merged into every section, values resolved.
  std::vector<Section> resolved() const;

 private:
  const std::string* raw(std::string_view section, std::string_view name) const;
  std::string resolve(std::string_view section, std::string_view text, int depth) const;
  std::vector<Section> sections_;
};

}  // namespace tpuctl::cli
