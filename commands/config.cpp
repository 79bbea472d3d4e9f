// SPDX-License-Identifier: Apache-2.0
// config: gcloud's properties, in gcloud's own files.
#include "base/error.hpp"
#include "cli/configurations.hpp"
#include "cli/globals.hpp"
#include "cli/verbosity.hpp"
#include "commands/context.hpp"
#include "commands/endpoints.hpp"
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

using cli::full_name;

void warn(Frame& frame, const std::string& message) { cli::tell(frame.io, frame.config, cli::Verbosity::warning, message); }

// An environment variable that goes before what is written to the file.
void warn_of_override(Frame& frame, const Property& property) {
  const auto setting = frame.config.lookup(property);
  if (setting.origin != Origin::environment) return;
  const std::string value = property.secret ? "..." : setting.value.value_or("");
  warn(frame, "Property [" + std::string(property.name) + "] is overridden by environment setting [" + setting.where + "=" + value + "]");
}

// An endpoint of another domain than the credential is for; gcloud's words.
void warn_of_universe(Frame& frame, const Property& property, const std::string& value) {
  const std::string universe = frame.config.get_or("core/universe_domain", "");
  if (property.section != "api_endpoint_overrides" || value.find(universe) != std::string::npos) return;
  warn(frame, "The value set for [" + full_name(property) + "] was found to be associated with a universe domain outside of the "
              "current config universe [" + universe + "]. Please create a new tpuctl configuration for each universe domain you "
              "make requests to using `tpuctl config configurations create` with the `--universe-domain` flag or switch to a "
              "configuration associated with [" + value + "].");
}

int run_set(Frame& frame, const Args& args) {
  const Property& property = cli::require_property(args.positional("PROPERTY"));
  const std::string value = args.positional("VALUE");
  warn_of_universe(frame, property, value);
  frame.config.set(full_name(property), value);
  warn_of_override(frame, property);
  frame.io.say("Updated property [" + full_name(property) + "].\n");
  return 0;
}

int run_unset(Frame& frame, const Args& args) {
  const Property& property = cli::require_property(args.positional("PROPERTY"));
  frame.config.unset(full_name(property));
  warn_of_override(frame, property);
  frame.io.say("Unset property [" + full_name(property) + "].\n");
  return 0;
}

void name_active(Frame& frame) {
  cli::ensure_default_configuration(frame.config);
  if (frame.config.active_name() == cli::kDefaultConfiguration) return;
  frame.io.say("Your active configuration is: [" + frame.config.active_name() + "]\n");
}

// What gcloud prints for a property: a bad project is an error, any other bad value only a warning.
std::optional<std::string> value_of(Frame& frame, const Property& property) {
  const auto setting = frame.config.lookup(property);
  if (!setting.value) return {};
  try {
    cli::check_property_value(property, *setting.value);
  } catch (const Error& error) {
    if (full_name(property) == "core/project") throw;
    if (!setting.value->empty()) warn(frame, error.what());
  }
  if (setting.value->empty()) return {};
  return setting.value;
}

int run_get(Frame& frame, const Args& args) {
  name_active(frame);
  const std::string word = args.positional("PROPERTY");
  if (word.ends_with('/') && word.size() > 1) {
    throw Error(tpuctl::Kind::failure, "Invalid value for [property]: You cannot call get on a SECTION/. Did you mean `tpuctl config list SECTION`?");
  }
  const Property& property = cli::require_property(word);
  const auto value = value_of(frame, property);
  Context context(frame, args);
  if (!value) {
    frame.io.say("(unset)\n");
    if (property.section == "api_endpoint_overrides") {
      const std::string address = default_endpoint(frame.config, property.name);
      if (!address.empty()) frame.io.say("Defaults to  " + address + "\n");
    }
    if (!args.has("format")) return 0;
  }
  cli::output::Pipeline pipeline(frame.io, context.output(), "value(.)", value.has_value());
  if (value) pipeline.push(Json(*value));
  pipeline.finish();
  return 0;
}

// Which properties a list is of.
struct Wanted {
  std::string section;   ///< empty: all
  const Property* one = nullptr;
  bool all = false;      ///< unset ones too

  static Wanted of(const Args& args) {
    Wanted out;
    out.all = args.on("all");
    const std::string word = args.positional("PROPERTY");
    if (word.ends_with('/')) {
      out.section = word.substr(0, word.size() - 1);
      cli::require_section(out.section);
    } else if (!word.empty()) {
      out.one = &cli::require_property(word);
      out.section = out.one->section;
    }
    if (out.all && out.one) {
      throw Error(tpuctl::Kind::failure,
                  "Commands with the `--all` flag must be in the format `tpuctl config list <SECTION>/` without a property specified.");
    }
    return out;
  }

  bool takes(const Property& property, const cli::Setting& setting) const {
    if (one) return one == &property || full_name(*one) == full_name(property);
    if (!section.empty() && section != property.section) return false;
    const bool is_set = setting.value && setting.origin != Origin::fallback;
    return is_set || (all && !property.hidden);
  }
};

// As they hold, but for --format, which is about this command and no property of its list.
std::vector<std::pair<const Property*, cli::Setting>> settings(const Frame& frame) {
  auto out = frame.config.all();
  for (auto& [property, setting] : out) {
    if (setting.origin == Origin::flag && full_name(*property) == "core/format") setting = {};
  }
  return out;
}

constexpr const char* origin_word(Origin origin) {
  switch (origin) {
    case Origin::flag: return "flag";
    case Origin::environment: return "environment";
    case Origin::file: return "file";
    case Origin::fallback: return "default";
    case Origin::unset: break;
  }
  return "unset";
}

// A value with its source: "name = value  # source" in the default format, an object with both in any other.
void print_with_sources(Context& context, const Wanted& wanted) {
  Json tree = Json::object();
  std::string text, section;
  for (const auto& [property, setting] : settings(context.frame)) {
    if (!wanted.takes(*property, setting)) continue;
    const std::string where = setting.where.empty() ? origin_word(setting.origin) : setting.where;
    tree.set("/" + full_name(*property), Json{{"value", setting.value ? Json(*setting.value) : Json()}, {"source", where}});
    if (section != property->section) text += "[" + std::string(property->section) + "]\n";
    section = property->section;
    text += std::string(property->name) + (setting.value ? " = " + *setting.value + "  # " + where : " (unset)") + "\n";
  }
  if (context.args.has("format")) {
    context.print(std::move(tree), "json");
  } else {
    context.frame.io.out(text);
  }
}

int run_list_properties(Frame& frame, const Args& args) {
  cli::ensure_default_configuration(frame.config);
  Context context(frame, args);
  const Wanted wanted = Wanted::of(args);
  if (args.on("show-source")) {
    print_with_sources(context, wanted);
  } else {
    Json tree = Json::object();
    for (const auto& [property, setting] : settings(frame)) {
      if (!wanted.takes(*property, setting)) continue;
      const bool shown = wanted.one || setting.origin != Origin::fallback;
      tree.set("/" + full_name(*property), shown && setting.value ? Json(*setting.value) : Json());
    }
    // As gcloud: what is chosen from is a list of one, and it is told as a list.
    cli::output::Pipeline pipeline(frame.io, context.output(), "config", !args.has("filter") && !args.has("limit"));
    pipeline.push(std::move(tree));
    pipeline.finish();
  }
  if (!args.has("format")) frame.io.say("\nYour active configuration is: [" + frame.config.active_name() + "]\n");
  return 0;
}

constexpr Positional kProperty[] = {{.name = "PROPERTY", .help = "[SECTION/]NAME; the section is core when left out.",
                                     .source = Source::property}};
constexpr Positional kPropertyAndValue[] = {kProperty[0], {.name = "VALUE", .help = "Its new value."}};
constexpr Positional kOptionalProperty[] = {{.name = "PROPERTY", .help = "Only this property, or SECTION/ for a section.",
                                             .source = Source::property, .required = false}};
constexpr Flag kListMore[] = {
    {.name = "all", .help = "List the properties that are not set too.", .kind = Kind::toggle},
    {.name = "show-source", .help = "Say where each value comes from.", .kind = Kind::toggle}};
constexpr Flag kChoosing[] = {cli::kListFlags[0], cli::kListFlags[1], cli::kListFlags[2]};  // pages and addresses it has none
constexpr auto kListFlags = cli::join(kListMore, kChoosing);
constexpr std::string_view kElsewhere = "installation";

const Command kVerbs[] = {
    kConfigurations,
    {.name = "get", .help = "Print a property", .positionals = kProperty, .run = run_get},
    {.name = "get-value", .help = "Print a property", .positionals = kProperty, .run = run_get, .hidden = true},
    {.name = "list", .help = "List the properties that are set", .positionals = kOptionalProperty, .flags = kListFlags,
     .run = run_list_properties},
    {.name = "set", .help = "Set a property in the active configuration", .positionals = kPropertyAndValue, .run = run_set, .elsewhere = kElsewhere},
    {.name = "unset", .help = "Remove a property from the active configuration", .positionals = kProperty, .run = run_unset, .elsewhere = kElsewhere},
};

}  // namespace

const Command kConfig = {
    .name = "config", .help = "Show and change properties, in gcloud's own files", .commands = kVerbs};

}  // namespace tpuctl::commands
