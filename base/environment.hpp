// SPDX-License-Identifier: Apache-2.0
// The process environment as a value, so that a test hands in its own.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace tpuctl {

class Environment {
 public:
  Environment() = default;
  explicit Environment(std::map<std::string, std::string> variables) : variables_(std::move(variables)) {}
  static Environment of_process();

  /// The variable's value; a variable that is set but empty is an empty string.
  std::optional<std::string> get(const std::string& name) const;
  /// As get, but empty counts as unset.
  std::optional<std::string> get_nonempty(const std::string& name) const;
  void set(const std::string& name, std::string value) { variables_[name] = std::move(value); }
  void unset(const std::string& name) { variables_.erase(name); }

  /// HOME, or the password entry's folder, or "/" when there is neither.
  std::string home() const;
  /// LOGNAME, USER, or the password entry's name.
  std::string user() const;
  /// "NAME=VALUE" lines for a child process.
  std::vector<std::string> pairs() const;

 private:
  std::map<std::string, std::string> variables_;
};

}  // namespace tpuctl
