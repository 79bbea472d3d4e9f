// SPDX-License-Identifier: Apache-2.0
// config configurations: gcloud's named configurations, with gcloud's words.
#include <algorithm>

#include "base/error.hpp"
#include "cli/configurations.hpp"
#include "cli/globals.hpp"
#include "cli/prompt.hpp"
#include "commands/context.hpp"
#include "commands/groups.hpp"
#include "commands/node_flags.hpp"

namespace tpuctl::commands {

namespace {

using cli::Args;
using cli::Command;
using cli::Frame;
using cli::Positional;
using cli::Property;

// The properties in the file of a configuration; with `all` the unset ones too, as null.
Json properties_of(const cli::Config& config, const std::string& name, bool all) {
  const cli::IniFile file = config.read(name);
  Json out = Json::object();
  for (const Property& property : cli::all_properties()) {
    const auto value = file.get(property.section, property.name);
    if (value) out.set("/" + cli::full_name(property), Json(*value));
    if (!value && all && !property.hidden) out.set("/" + cli::full_name(property), Json());
  }
  return out;
}

Json row_of(const cli::Config& config, const std::string& name, bool all) {
  return Json{{"name", name}, {"is_active", Json(name == config.active_name())}, {"properties", properties_of(config, name, all)}};
}

int run_list(Frame& frame, const Args& args) {
  cli::ensure_default_configuration(frame.config);
  Context context(frame, args);
  std::vector<Json> rows;
  std::string universe;
  for (const std::string& name : cli::configuration_names(frame.config)) {
    rows.push_back(row_of(frame.config, name, true));
    const std::string& domain = rows.back().at("/properties/core/universe_domain").text();
    if (!domain.empty() && domain != "googleapis.com") universe = "properties.core.universe_domain, ";
  }
  cli::output::Pipeline pipeline(frame.io, context.output(),
                                 "table(name, is_active, properties.core.account, properties.core.project, " + universe +
                                     "properties.compute.zone:label=COMPUTE_DEFAULT_ZONE, "
                                     "properties.compute.region:label=COMPUTE_DEFAULT_REGION)");
  for (Json& row : rows) pipeline.push(std::move(row));
  pipeline.finish();
  return 0;
}

int run_create(Frame& frame, const Args& args) {
  const std::string name = args.positional("NAME");
  cli::create_configuration(frame.config, name);
  frame.io.say("Created [" + name + "].\n");
  if (args.on("activate")) {
    cli::activate_configuration(frame.config, name);
    frame.io.say("Activated [" + name + "].\n");
  } else {
    frame.io.say("To use this configuration, activate it by running:\n  $ tpuctl config configurations activate " + name + "\n\n\n");
  }
  if (args.has("universe-domain")) {
    cli::set_in_configuration(frame.config, name, cli::require_property("core/universe_domain"), args.text("universe-domain"));
    frame.io.say("Updated property [core/universe_domain].\n");
  }
  return 0;
}

int run_activate(Frame& frame, const Args& args) {
  const std::string name = args.positional("NAME");
  cli::activate_configuration(frame.config, name);
  frame.io.say("Activated [" + name + "].\n");
  return 0;
}

int run_describe(Frame& frame, const Args& args) {
  cli::ensure_default_configuration(frame.config);
  const std::string name = args.positional("NAME");
  const auto names = cli::configuration_names(frame.config);
  if (name != cli::kNoConfiguration && std::find(names.begin(), names.end(), name) == names.end()) {
    throw Error(tpuctl::Kind::failure, "The configuration [" + name + "] does not exist.");
  }
  Context(frame, args).print(row_of(frame.config, name, args.on("all")), "yaml");
  return 0;
}

int run_delete(Frame& frame, const Args& args) {
  const std::vector<std::string> names = args.positionals("NAME");
  const std::string& active = frame.config.active_name();
  if (std::find(names.begin(), names.end(), active) != names.end()) {
    throw Error(tpuctl::Kind::failure, "Deleting named configuration failed because configuration [" + active +
                                   "] is set as active.  Use `tpuctl config configurations activate` to change the active configuration.");
  }
  std::string text = "The following configurations will be deleted:\n";
  for (const std::string& name : names) text += " - " + name + "\n";
  frame.io.err(text);
  cli::require_confirmation(frame.io, frame.config, "");
  for (const std::string& name : names) {
    cli::delete_configuration(frame.config, name);
    frame.io.say("Deleted [" + name + "].\n");
  }
  return 0;
}

int run_rename(Frame& frame, const Args& args) {
  const std::string name = args.positional("NAME"), new_name = args.text("new-name");
  cli::rename_configuration(frame.config, name, new_name);
  frame.io.say("Renamed [" + name + "] to be [" + new_name + "].\n");
  return 0;
}

constexpr Positional kOne[] = {{.name = "NAME", .help = "Name of the configuration.", .source = Source::configuration}};
constexpr Positional kNew[] = {{.name = "NAME", .help = "Name of the new configuration: lower case letters, digits and hyphens."}};
constexpr Positional kMany[] = {{.name = "NAME", .help = "Names of the configurations.", .source = Source::configuration, .many = true}};
constexpr Flag kCreateFlags[] = {
    {.name = "activate", .help = "Make it the active one; --no-activate leaves the active one alone.", .kind = Kind::toggle, .fallback = "true"},
    {.name = "universe-domain", .help = "Domain of the Google Cloud universe that it is for.", .value = "DOMAIN", .hidden = true}};
constexpr Flag kDescribeFlags[] = {{.name = "all", .help = "Show the properties that are not set too.", .kind = Kind::toggle}};
constexpr Flag kRenameFlags[] = {{.name = "new-name", .help = "Its new name.", .value = "NAME", .required = true}};

constexpr Command kVerbs[] = {
    {.name = "activate", .help = "Make a configuration the active one", .positionals = kOne, .run = run_activate},
    {.name = "create", .help = "Make a configuration", .positionals = kNew, .flags = kCreateFlags, .run = run_create},
    {.name = "delete", .help = "Delete configurations", .positionals = kMany, .run = run_delete},
    {.name = "describe", .help = "Show a configuration", .positionals = kOne, .flags = kDescribeFlags, .run = run_describe},
    {.name = "list", .help = "List the configurations", .flags = cli::kListFlags, .run = run_list},
    {.name = "rename", .help = "Give a configuration another name", .positionals = kOne, .flags = kRenameFlags, .run = run_rename},
};

}  // namespace

constexpr Command kConfigurations = {
    .name = "configurations", .help = "Several sets of properties, one of them active", .commands = kVerbs};

}  // namespace tpuctl::commands
