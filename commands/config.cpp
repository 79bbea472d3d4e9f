// SPDX-License-Identifier: Apache-2.0
// config: gcloud's properties, in gcloud's own files.
#include "base/error.hpp"
#include "commands/context.hpp"
#include "commands/groups.hpp"
#include "commands/node_flags.hpp"

namespace tpuctl::commands {

namespace {

using cli::Args;
using cli::Command;
using cli::Frame;
using cli::Origin;
using cli::Positional;
using cli::Property;

std::string full_name(const Property& property) { return std::string(property.section) + "/" + std::string(property.name); }

// An environment variable that goes before what is written to the file.
void warn_of_override(Frame& frame, const Property& property) {
  const auto setting = frame.config.lookup(full_name(property));
  if (setting.origin != Origin::environment) return;
  frame.io.err("WARNING: Property [" + std::string(property.name) + "] is overridden by environment setting [" + setting.where +
               "=" + (property.secret ? "..." : setting.value.value_or("")) + "]\n");
}

int run_set(Frame& frame, const Args& args) {
  const Property& property = cli::require_property(args.positional("PROPERTY"));
  frame.config.set(full_name(property), args.positional("VALUE"));
  warn_of_override(frame, property);
  frame.io.err("Updated property [" + full_name(property) + "].\n");
  return 0;
}

int run_unset(Frame& frame, const Args& args) {
  const Property& property = cli::require_property(args.positional("PROPERTY"));
  frame.config.unset(full_name(property));
  warn_of_override(frame, property);
  frame.io.err("Unset property [" + full_name(property) + "].\n");
  return 0;
}

int run_get(Frame& frame, const Args& args) {
  const Property& property = cli::require_property(args.positional("PROPERTY"));
  const auto setting = frame.config.lookup(full_name(property));
  if (frame.config.active_name() != "default") {
    frame.io.err("Your active configuration is: [" + frame.config.active_name() + "]\n");
  }
  if (!setting.value || setting.origin == Origin::fallback) {
    frame.io.err("(unset)\n");
    if (setting.value) frame.io.err("Defaults to  " + *setting.value + "\n");
    return 0;
  }
  if (args.has("format")) {
    Context context(frame, args);
    cli::output::Pipeline pipeline(frame.io, context.output(), "value", true);
    pipeline.push(Json(*setting.value));
    pipeline.finish();
    return 0;
  }
  frame.io.out(*setting.value + "\n");
  return 0;
}

int run_list_properties(Frame& frame, const Args& args) {
  Context context(frame, args);
  const bool sources = args.on("show-source");
  const std::string wanted = args.positional("PROPERTY");
  Json tree = Json::object();
  std::string text, section;
  for (const auto& [property, setting] : frame.config.all()) {
    const std::string name = full_name(*property);
    const bool matches = wanted.empty() || wanted == name || wanted == std::string(property->section) + "/" ||
                         (property->section == "core" && wanted == property->name);
    if (!matches || !setting.value || (name == "core/format" && setting.origin == Origin::flag)) continue;
    tree.set("/" + name, *setting.value);
    if (section != property->section) text += "[" + std::string(property->section) + "]\n";
    section = property->section;
    text += std::string(property->name) + " = " + *setting.value + (sources ? "  # " + setting.where : "") + "\n";
  }
  if (args.has("format")) {
    context.print(std::move(tree), "json");
    return 0;
  }
  frame.io.out(text);
  frame.io.err("\nYour active configuration is: [" + frame.config.active_name() + "]\n");
  return 0;
}

constexpr Positional kProperty[] = {{.name = "PROPERTY", .help = "[SECTION/]NAME; the section is core when left out.",
                                     .source = Source::property}};
constexpr Positional kPropertyAndValue[] = {kProperty[0], {.name = "VALUE", .help = "Its new value."}};
constexpr Positional kOptionalProperty[] = {{.name = "PROPERTY", .help = "Only this property, or SECTION/ for a section.",
                                             .source = Source::property, .required = false}};
constexpr Flag kListFlags[] = {
    {.name = "show-source", .help = "Say where each value comes from.", .kind = Kind::toggle}};

constexpr Command kVerbs[] = {
    {.name = "get", .help = "Print a property", .positionals = kProperty, .run = run_get},
    {.name = "get-value", .help = "Print a property", .positionals = kProperty, .run = run_get, .hidden = true},
    {.name = "list", .help = "List the properties that are set", .positionals = kOptionalProperty, .flags = kListFlags,
     .run = run_list_properties},
    {.name = "set", .help = "Set a property in the active configuration", .positionals = kPropertyAndValue, .run = run_set},
    {.name = "unset", .help = "Remove a property from the active configuration", .positionals = kProperty, .run = run_unset},
};

}  // namespace

constexpr Command kConfig = {
    .name = "config", .help = "Show and change properties, in gcloud's own files", .commands = kVerbs};

}  // namespace tpuctl::commands
