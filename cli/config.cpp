// SPDX-License-Identifier: Apache-2.0
#include "cli/config.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <stdexcept>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/text.hpp"
#include "cli/args.hpp"

namespace tpuctl::cli {

namespace {

constexpr std::string_view kNone = "NONE";
constexpr std::string_view kDefaultName = "default";
constexpr mode_t kMode = 0644;  // gcloud's

std::string full_name(const Property& property) { return fmt::format("{}/{}", property.section, property.name); }

const Property& known(std::string_view name) {
  if (const Property* found = find_property(name)) return *found;
  throw std::logic_error(fmt::format("no property {}", name));
}

void check_configuration_name(const std::string& name) {
  if (name == kNone || valid_configuration_name(name)) return;
  throw Error(
      tpuctl::Kind::failure,
      fmt::format("Invalid name [{}] for a configuration.  Except for special cases (NONE), configuration names start "
                  "with a lower case letter and contain only lower case letters a-z, digits 0-9, and hyphens '-'.",
                  name));
}

// A link stays a link: the file behind it is the one that is replaced.
std::string behind_links(const std::string& path) {
  std::error_code failed;
  const auto target = std::filesystem::canonical(path, failed);
  return failed ? path : target.string();
}

}  // namespace

Config::Config(const Environment& env) : env_(env) {
  directory_ = env.get_nonempty("CLOUDSDK_CONFIG").value_or("");
  if (directory_.empty()) directory_ = file::join(env.home(), ".config/gcloud");
  active_ = env.get_nonempty("CLOUDSDK_ACTIVE_CONFIG_NAME").value_or("");
}

void Config::apply(const Args& args) {
  if (args.has("configuration")) {
    active_ = args.text("configuration");
    file_.reset();
    check_configuration_name(active_);
  }
  for (const Property& property : properties()) {
    if (property.flag.empty() || !args.has(property.flag)) continue;
    flags_[full_name(property)] = args.text(property.flag);
  }
}

const std::string& Config::active_name() const {
  if (!active_.empty()) return active_;
  const std::string text = file::read_if_exists(file::join(directory_, "active_config")).value_or("");
  const std::string name(text::trim(text));
  active_ = name == kNone || valid_configuration_name(name) ? name : std::string(kDefaultName);
  return active_;
}

std::string Config::path_of(std::string_view configuration) const {
  return file::join(directory_, fmt::format("configurations/config_{}", configuration));
}

std::string Config::active_path() const { return path_of(active_name()); }

std::vector<std::string> Config::configuration_names() const {
  constexpr std::string_view kPrefix = "config_";
  std::vector<std::string> names;
  std::error_code failed;
  for (const auto& entry : std::filesystem::directory_iterator(file::join(directory_, "configurations"), failed)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with(kPrefix) && valid_configuration_name(std::string_view(name).substr(kPrefix.size()))) {
      names.push_back(name.substr(kPrefix.size()));
    }
  }
  std::sort(names.begin(), names.end());
  return names;
}

const IniFile& Config::active() const {
  if (!file_) {
    const std::string path = active_path();
    const auto text = active_name() == kNone ? std::nullopt : file::read_if_exists(path);
    file_ = IniFile::parse(text.value_or(""), path);
  }
  return *file_;
}

std::string Config::environment_name(const Property& property) {
  return text::upper(fmt::format("CLOUDSDK_{}_{}", property.section, property.name));
}

Setting Config::lookup(std::string_view name) const {
  const Property& property = known(name);
  if (const auto flag = flags_.find(full_name(property)); flag != flags_.end()) {
    return {flag->second, Origin::flag, "--" + std::string(property.flag)};
  }
  const std::string variable = environment_name(property);
  if (const auto value = env_.get(variable)) return {value, Origin::environment, variable};
  if (const auto value = active().get(property.section, property.name)) return {value, Origin::file, active_path()};
  if (!property.fallback.empty()) return {std::string(property.fallback), Origin::fallback, {}};
  return {};
}

std::optional<std::string> Config::get(std::string_view name) const {
  auto value = lookup(name).value;
  if (value && value->empty()) value.reset();
  return value;
}

std::string Config::get_or(std::string_view name, std::string fallback) const {
  return get(name).value_or(std::move(fallback));
}

bool Config::on(std::string_view name) const {
  const std::string value = text::lower(get(name).value_or(""));
  return value == "true" || value == "1" || value == "on" || value == "yes" || value == "y";
}

void Config::write(const IniFile& file) {
  file::write_atomic(behind_links(active_path()), file.print(), kMode);
  file::write_atomic(file::join(directory_, "config_sentinel"), "", kMode);
  file_ = file;
}

void Config::set(std::string_view name, const std::string& value) {
  const Property& property = require_property(name);
  check_property_value(property, value);
  const std::string& configuration = active_name();
  if (configuration == kNone) throw Error(tpuctl::Kind::failure, "Properties in configuration [NONE] cannot be set.");
  const std::string active_file = file::join(directory_, "active_config");
  if (!file::exists(active_path())) {
    if (configuration != kDefaultName) {
      throw Error(tpuctl::Kind::failure,
                  fmt::format("Cannot set property in configuration [{}], it does not exist.", configuration),
                  fmt::format("Create it: tpuctl config configurations create {}", configuration));
    }
    if (!file::exists(active_file)) file::write_atomic(active_file, kDefaultName, kMode);
  }
  IniFile file = active();
  file.set(property.section, property.name, value);
  write(file);
}

bool Config::unset(std::string_view name) {
  const Property& property = require_property(name);
  const std::string& configuration = active_name();
  if (configuration == kNone) throw Error(tpuctl::Kind::failure, "Properties in configuration [NONE] cannot be set.");
  if (configuration != kDefaultName && !file::exists(active_path())) {
    throw Error(tpuctl::Kind::failure,
                fmt::format("Cannot set property in configuration [{}], it does not exist.", configuration));
  }
  IniFile file = active();
  if (!file.unset(property.section, property.name)) return false;
  write(file);
  return true;
}

std::vector<std::pair<const Property*, Setting>> Config::all() const {
  std::vector<std::pair<const Property*, Setting>> out;
  for (const Property& property : properties()) {
    Setting setting = lookup(full_name(property));
    if (setting.origin != Origin::unset && setting.origin != Origin::fallback)
      out.emplace_back(&property, std::move(setting));
  }
  return out;
}

}  // namespace tpuctl::cli
