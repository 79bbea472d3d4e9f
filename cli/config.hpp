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
#include "cli/ini.hpp"
#include "cli/properties.hpp"

namespace tpuctl::cli {

class Args;

enum class Origin { unset, flag, environment, file, fallback };

struct Setting {
  std::optional<std::string> value;
  Origin origin = Origin::unset;
  std::string where;  ///< "--zone", "CLOUDSDK_COMPUTE_ZONE", or the file's path
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
  Setting lookup(const Property& property) const;

  /// Writes to the active configuration; other text in it stays. Throws Error for an unknown property or bad value.
  void set(std::string_view name, const std::string& value);
  bool unset(std::string_view name);

  /// Works with another configuration from now on, whatever the environment and active_config say.
  void switch_to(const std::string& configuration);
  /// Forgets what was read: another program has written.
  void reload() { file_.reset(); }

  const Environment& environment() const { return env_; }
  const std::string& directory() const { return directory_; }
  const std::string& active_name() const;
  std::string active_path() const;
  std::string path_of(std::string_view configuration) const;
  /// The file of a configuration; empty when there is none, and for NONE. Throws Error{failure} when it cannot be read.
  IniFile read(std::string_view configuration) const;
  static std::string environment_name(const Property& property);
  /// Every property there is, by section then name, with its setting.
  std::vector<std::pair<const Property*, Setting>> all() const;

 private:
  const IniFile& active() const;
  void check_writable() const;
  void write(const IniFile& file);
  const Environment& env_;
  std::string directory_;
  mutable std::string active_;  ///< empty until asked for
  std::map<std::string, std::string, std::less<>> flags_;
  mutable std::optional<IniFile> file_;
};

}  // namespace tpuctl::cli
