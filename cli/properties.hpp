// SPDX-License-Identifier: Apache-2.0
// The properties there are: ours as rows, gcloud's others by name, so that its files and `config set` lines of other
// people's scripts are understood as gcloud understands them.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tpuctl::cli {

/// A property is a row: everything about it is here.
struct Property {
  std::string_view section;
  std::string_view name;
  std::string_view help;
  std::string_view flag{};      ///< the flag that sets it for one command, without dashes
  std::string_view fallback{};  ///< installation default
  bool boolean = false;
  bool secret = false;
  bool hidden = false;   ///< listed only when it is set
  bool foreign = false;  ///< gcloud's alone: kept and listed, without effect here
};

/// Those that have a meaning here, by section and name.
std::span<const Property> properties();
/// gcloud's others among them, by section and name.
const std::vector<Property>& all_properties();
/// "project" and "core/project" both name core/project; "compute/zone" needs its section. nullptr when unknown.
const Property* find_property(std::string_view name);
/// As find_property, but throws Error{failure} that says, in gcloud's words, what is wrong with `name`.
const Property& require_property(std::string_view name);
/// Throws, in gcloud's words, unless there are properties in `section`.
void require_section(std::string_view section);
std::string full_name(const Property& property);  ///< "section/name"
/// Throws Error{failure} when `value` is none that the property can have, as gcloud does on `config set` and `config
/// get`.
void check_property_value(const Property& property, const std::string& value);
/// "^[a-z][-a-z0-9]*$".
bool valid_configuration_name(std::string_view name);

}  // namespace tpuctl::cli
