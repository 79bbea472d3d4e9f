// SPDX-License-Identifier: Apache-2.0
// gcloud's properties: flag > environment CLOUDSDK_SECTION_NAME > active configuration > default. The files are
// gcloud's own ($CLOUDSDK_CONFIG or ~/.config/gcloud), shared with it, written atomically, and what is not understood
// is kept. Facts: shared reference "gcloud configuration"; the dialect is Python's configparser with interpolation.
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
/// As find_property, but throws Error{failure} that says, in gcloud's words, what is wrong with `name`.
const Property& require_property(std::string_view name);
/// Throws Error{failure} when `value` is none that the property can have, as gcloud does on `config set` and `config
/// get`.
void check_property_value(const Property& property, const std::string& value);
/// "^[a-z][-a-z0-9]*$".
bool valid_configuration_name(std::string_view name);

enum class Origin { unset, flag, environment, file, fallback };

struct Setting {
  std::optional<std::string> value;
  Origin origin = Origin::unset;
  std::string where;  ///< "--zone", "CLOUDSDK_COMPUTE_ZONE", or the file's path
};

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

class Config {
 public:
  /// Reads nothing yet: files are opened when a value is first asked for.
  explicit Config(const Environment& env);
  /// Takes the property flags of this command line (--project, --zone, ...) and --configuration. Throws Error{failure}
  /// for a configuration name that can be none.
  void apply(const Args& args);

  /// The effective value; nothing when unset or empty. `name` is "section/name" and must be a known property
  /// (std::logic_error otherwise). Throws Error{failure} when the configuration file cannot be read.
  std::optional<std::string> get(std::string_view name) const;
  std::string get_or(std::string_view name, std::string fallback) const;
  /// Booleans as gcloud reads them: 1 true on yes y. Anything else is false.
  bool on(std::string_view name) const;
  Setting lookup(std::string_view name) const;

  /// Writes to the active configuration; other text in it stays. Throws Error for an unknown property or bad value.
  void set(std::string_view name, const std::string& value);
  bool unset(std::string_view name);

  const std::string& directory() const { return directory_; }
  const std::string& active_name() const;
  std::string active_path() const;
  std::string path_of(std::string_view configuration) const;
  /// Names of the configurations there are, sorted.
  std::vector<std::string> configuration_names() const;
  static std::string environment_name(const Property& property);
  /// Every property that is set somewhere, by section then name.
  std::vector<std::pair<const Property*, Setting>> all() const;

 private:
  const IniFile& active() const;
  void write(const IniFile& file);
  const Environment& env_;
  std::string directory_;
  mutable std::string active_;  ///< empty until asked for
  std::map<std::string, std::string, std::less<>> flags_;
  mutable std::optional<IniFile> file_;
};

}  // namespace tpuctl::cli
