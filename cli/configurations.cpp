// SPDX-License-Identifier: Apache-2.0
#include "cli/configurations.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/text.hpp"
#include "cli/config.hpp"

namespace tpuctl::cli {

namespace {

constexpr mode_t kMode = 0644;  // gcloud's

[[noreturn]] void refuse(const std::string& message) { throw Error(tpuctl::Kind::failure, message); }

std::string pointer_path(const Config& config) { return file::join(config.directory(), "active_config"); }

// The configuration that active_config names; empty when it names none.
std::string named_in_file(const Config& config) {
  const std::string text = file::read_if_exists(pointer_path(config)).value_or("");
  const std::string name(text::trim(text));
  return name == kNoConfiguration || valid_configuration_name(name) ? name : "";
}

// What holds before a configuration is taken away under its name.
void check_idle(const Config& config, const std::string& verb, const std::string& name) {
  if (!file::exists(config.path_of(name))) refuse(fmt::format("Cannot {} configuration [{}], it does not exist.", verb, name));
  if (name == config.active_name()) {
    refuse(fmt::format("Cannot {} configuration [{}], it is the currently active configuration.", verb, name));
  }
  if (name == named_in_file(config)) {
    refuse(fmt::format("Cannot {} configuration [{}], it is currently set as the active configuration in your gcloud properties.",
                       verb, name));
  }
}

}  // namespace

void check_configuration_name(const std::string& name, bool none_too) {
  if ((none_too && name == kNoConfiguration) || valid_configuration_name(name)) return;
  refuse(fmt::format("Invalid name [{}] for a configuration.  Except for special cases (NONE), configuration names start "
                     "with a lower case letter and contain only lower case letters a-z, digits 0-9, and hyphens '-'.",
                     name));
}

std::vector<std::string> configuration_names(const Config& config) {
  constexpr std::string_view kPrefix = "config_";
  std::vector<std::string> names;
  std::error_code failed;
  for (const auto& entry : std::filesystem::directory_iterator(file::join(config.directory(), "configurations"), failed)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with(kPrefix) && valid_configuration_name(std::string_view(name).substr(kPrefix.size()))) {
      names.push_back(name.substr(kPrefix.size()));
    }
  }
  std::sort(names.begin(), names.end());
  return names;
}

void ensure_default_configuration(const Config& config) {
  if (config.active_name() != kDefaultConfiguration) return;
  const std::string path = config.path_of(kDefaultConfiguration);
  try {
    if (!file::exists(path)) file::write_atomic(path, "", kMode);
    if (named_in_file(config).empty()) file::write_atomic(pointer_path(config), kDefaultConfiguration, kMode);
  } catch (const Error&) {  // where nothing can be written, the default configuration is empty all the same
  }
}

void create_configuration(const Config& config, const std::string& name) {
  check_configuration_name(name, false);
  if (file::exists(config.path_of(name))) refuse(fmt::format("Cannot create configuration [{}], it already exists.", name));
  file::write_atomic(config.path_of(name), "", kMode);
}

void activate_configuration(const Config& config, const std::string& name) {
  check_configuration_name(name, true);
  if (name != kNoConfiguration && !file::exists(config.path_of(name))) {
    refuse(fmt::format("Cannot activate configuration [{}], it does not exist.", name));
  }
  file::write_atomic(pointer_path(config), name, kMode);
  file::write_atomic(file::join(config.directory(), "config_sentinel"), "", kMode);
}

void delete_configuration(const Config& config, const std::string& name) {
  check_configuration_name(name, false);
  check_idle(config, "delete", name);
  file::remove(config.path_of(name));
}

void rename_configuration(const Config& config, const std::string& name, const std::string& new_name) {
  check_configuration_name(new_name, false);
  check_idle(config, "rename", name);
  if (file::exists(config.path_of(new_name))) {
    refuse(fmt::format("Cannot rename configuration [{}], [{}] already exists.", name, new_name));
  }
  std::error_code failed;
  std::filesystem::rename(config.path_of(name), config.path_of(new_name), failed);
  if (failed) refuse(fmt::format("Failed to rename configuration [{}]: {}.", name, failed.message()));
}

void set_in_configuration(const Config& config, const std::string& name, const Property& property, const std::string& value) {
  check_property_value(property, value);
  IniFile file = config.read(name);
  file.set(property.section, property.name, value);
  file::write_atomic(config.path_of(name), file.print(), kMode);
}

}  // namespace tpuctl::cli
