// SPDX-License-Identifier: Apache-2.0
// gcloud's properties: flag > environment CLOUDSDK_SECTION_NAME > active configuration > default. The files are gcloud's
// own ($CLOUDSDK_CONFIG or ~/.config/gcloud), shared with it, written atomically, and what is not understood is kept.
// Facts: shared reference "gcloud configuration"; the dialect is Python's configparser with interpolation.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/environment.hpp"

namespace tpuctl::cli {

class Args;

/// A property is a row: everything about it is here.
struct Property {
  std::string_view section;
  std::string_view name;
  std::string_view help;
  std::string_view flag{};      ///< the flag that sets it for one command, without dashes
  std::string_view fallback{};  ///< installation default
  bool boolean = false;
  bool secret = false;
  bool hidden = false;
};

std::span<const Property> properties();
/// "project" and "core/project" both name core/project; "compute/zone" needs its section. nullptr when unknown.
const Property* find_property(std::string_view name);

enum class Origin { unset, flag, environment, file, fallback };

struct Setting {
  std::optional<std::string> value;
  Origin origin = Origin::unset;
  std::string where;  ///< "--zone", "CLOUDSDK_COMPUTE_ZONE", or the file's path
};

/// One INI file: sections in order, names in order; comments are lost on writing, as with gcloud.
class IniFile {
 public:
  /// Throws Error{failure} with "PATH:LINE: reason" for what configparser refuses.
  static IniFile parse(std::string_view text, const std::string& path);
  std::string print() const;
  std::optional<std::string> get(std::string_view section, std::string_view name) const;
  void set(std::string_view section, std::string_view name, std::string_view value);
  bool unset(std::string_view section, std::string_view name);
  using Section = std::pair<std::string, std::vector<std::pair<std::string, std::string>>>;
  const std::vector<Section>& sections() const { return sections_; }

 private:
  std::vector<Section> sections_;
};

class Config {
 public:
  explicit Config(const Environment& env);
  /// Takes the property flags of this command line (--project, --zone, ...).
  void apply(const Args& args);

  /// The effective value, or empty. `name` is "section/name" and must be a known property.
  std::optional<std::string> get(std::string_view name) const;
  std::string get_or(std::string_view name, std::string fallback) const;
  /// Booleans as gcloud reads them: 1 true on yes y. Anything else is false.
  bool on(std::string_view name) const;
  Setting lookup(std::string_view name) const;

  /// Writes to the active configuration; other text in it stays. Throws Error for an unknown property or bad value.
  void set(std::string_view name, const std::string& value);
  bool unset(std::string_view name);

  const std::string& directory() const { return directory_; }
  const std::string& active_name() const { return active_; }
  std::string active_path() const;
  /// Every property that is set somewhere, by section then name.
  std::vector<std::pair<const Property*, Setting>> all() const;

 private:
  const IniFile& active() const;
  std::string environment_name(const Property& property) const;
  const Environment& env_;
  std::string directory_;
  std::string active_;
  std::map<std::string, std::string, std::less<>> flags_;
  mutable std::optional<IniFile> file_;
};

}  // namespace tpuctl::cli
