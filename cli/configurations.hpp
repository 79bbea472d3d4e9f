// SPDX-License-Identifier: Apache-2.0
// gcloud's named configurations: files beside each other, one of which is active. What is refused is refused in gcloud's
// words; the file of a configuration is never emptied or overwritten.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tpuctl::cli {

class Config;
struct Property;

inline constexpr std::string_view kNoConfiguration = "NONE";  ///< no properties at all, read-only
inline constexpr std::string_view kDefaultConfiguration = "default";

/// Throws Error{failure} for a name that can be none; NONE counts as one where `none_too`.
void check_configuration_name(const std::string& name, bool none_too);
/// Names of the configurations there are, sorted.
std::vector<std::string> configuration_names(const Config& config);
/// Makes the default configuration active, and its file, unless something names another: as gcloud does at its first start.
void ensure_default_configuration(const Config& config);

/// Each throws Error{failure} when the name is bad, there already, not there, or active, as it matters.
void create_configuration(const Config& config, const std::string& name);
void activate_configuration(const Config& config, const std::string& name);
void delete_configuration(const Config& config, const std::string& name);
void rename_configuration(const Config& config, const std::string& name, const std::string& new_name);

/// Writes a property to the file of a configuration that is there. Throws Error{failure} for a bad value.
void set_in_configuration(const Config& config, const std::string& name, const Property& property, const std::string& value);

}  // namespace tpuctl::cli
