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
#include "cli/configurations.hpp"

namespace tpuctl::cli {

namespace {

constexpr mode_t kMode = 0644;  // gcloud's

const Property& known(std::string_view name) {
  if (const Property* found = find_property(name)) return *found;
  throw std::logic_error(fmt::format("no property {}", name));
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
    switch_to(args.text("configuration"));
    check_configuration_name(active_, true);
  }
  for (const Property& property : properties()) {
    if (property.flag.empty() || !args.has(property.flag)) continue;
    const std::string value = args.text(property.flag);
    flags_[full_name(property)] = !property.boolean ? value : args.on(property.flag) ? "True" : "False";
  }
}

const std::string& Config::active_name() const {
  if (!active_.empty()) return active_;
  const std::string text = file::read_if_exists(file::join(directory_, "active_config")).value_or("");
  const std::string name(text::trim(text));
  active_ = name == kNoConfiguration || valid_configuration_name(name) ? name : std::string(kDefaultConfiguration);
  return active_;
}

std::string Config::path_of(std::string_view configuration) const {
  return file::join(directory_, fmt::format("configurations/config_{}", configuration));
}

void Config::switch_to(const std::string& configuration) {
  active_ = configuration;
  file_.reset();
}

std::string Config::active_path() const { return path_of(active_name()); }

IniFile Config::read(std::string_view configuration) const {
  const std::string path = path_of(configuration);
  const auto text = configuration == kNoConfiguration ? std::nullopt : file::read_if_exists(path);
  return IniFile::parse(text.value_or(""), path);
}

const IniFile& Config::active() const {
  if (!file_) file_ = read(active_name());
  return *file_;
}

std::string Config::environment_name(const Property& property) {
  return text::upper(fmt::format("CLOUDSDK_{}_{}", property.section, property.name));
}

Setting Config::lookup(std::string_view name) const { return lookup(known(name)); }

Setting Config::lookup(const Property& property) const {
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

// The default configuration is made when it is first needed; any other has to be there.
void Config::check_writable() const {
  const std::string& configuration = active_name();
  if (configuration == kNoConfiguration) {
    throw Error(tpuctl::Kind::failure, "Properties in configuration [NONE] cannot be set.");
  }
  if (configuration == kDefaultConfiguration || file::exists(active_path())) return;
  throw Error(tpuctl::Kind::failure,
              fmt::format("Cannot set property in configuration [{}], it does not exist.", configuration),
              fmt::format("Create it: tpuctl config configurations create {}", configuration));
}

void Config::set(std::string_view name, const std::string& value) {
  const Property& property = require_property(name);
  check_property_value(property, value);
  check_writable();
  ensure_default_configuration(*this);
  IniFile file = active();
  file.set(property.section, property.name, value);
  write(file);
}

bool Config::unset(std::string_view name) {
  const Property& property = require_property(name);
  check_writable();
  IniFile file = active();
  if (!file.unset(property.section, property.name)) return false;
  write(file);
  return true;
}

std::vector<std::pair<const Property*, Setting>> Config::all() const {
  std::vector<std::pair<const Property*, Setting>> out;
  for (const Property& property : all_properties()) out.emplace_back(&property, lookup(property));
  return out;
}

}  // namespace tpuctl::cli
