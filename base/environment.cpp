// SPDX-License-Identifier: Apache-2.0
#include "base/environment.hpp"

#include <pwd.h>
#include <unistd.h>

#include <string_view>

extern char** environ;

namespace tpuctl {

Environment Environment::of_process() {
  Environment out;
  for (char** entry = environ; *entry; ++entry) {
    const std::string_view pair(*entry);
    const auto equals = pair.find('=');
    if (equals != std::string_view::npos) out.set(std::string(pair.substr(0, equals)), std::string(pair.substr(equals + 1)));
  }
  return out;
}

std::optional<std::string> Environment::get(const std::string& name) const {
  const auto found = variables_.find(name);
  if (found == variables_.end()) return {};
  return found->second;
}

std::optional<std::string> Environment::get_nonempty(const std::string& name) const {
  auto value = get(name);
  if (value && value->empty()) return {};
  return value;
}

std::string Environment::home() const {
  if (auto home = get_nonempty("HOME")) return *home;
  const passwd* entry = getpwuid(getuid());
  return entry && entry->pw_dir && *entry->pw_dir ? entry->pw_dir : "/";
}

std::string Environment::user() const {
  for (const char* name : {"LOGNAME", "USER"}) {
    if (auto value = get_nonempty(name)) return *value;
  }
  const passwd* entry = getpwuid(getuid());
  return entry ? entry->pw_name : std::to_string(getuid());
}

std::vector<std::string> Environment::pairs() const {
  std::vector<std::string> out;
  for (const auto& [name, value] : variables_) out.push_back(name + "=" + value);
  return out;
}

}  // namespace tpuctl
