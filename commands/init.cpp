// SPDX-License-Identifier: Apache-2.0
// init: the configuration that most commands need, asked for one question after the other.
#include <algorithm>

#include "auth/accounts.hpp"
#include "base/error.hpp"
#include "base/text.hpp"
#include "cli/configurations.hpp"
#include "cli/prompt.hpp"
#include "cli/run.hpp"
#include "commands/auth_login.hpp"
#include "commands/context.hpp"
#include "commands/groups.hpp"
#include "commands/node_flags.hpp"

namespace tpuctl::commands {

namespace {

using cli::Args;
using cli::Command;
using cli::Frame;
using cli::Origin;

std::size_t place(const std::vector<std::string>& all, const std::string& one) {
  return static_cast<std::size_t>(std::find(all.begin(), all.end(), one) - all.begin());
}

// --configuration has been said, or there is nothing to choose.
void pick_configuration(Frame& frame, const Args& args) {
  cli::ensure_default_configuration(frame.config);
  std::vector<std::string> names = cli::configuration_names(frame.config);
  if (args.has("configuration") || frame.config.active_name() == cli::kNoConfiguration) return;
  const std::size_t current = std::min(place(names, frame.config.active_name()), names.size());
  names.emplace_back("a new one");
  const std::size_t choice = cli::choose(frame.io, frame.config, "Which configuration do you want to work with?", names, current, "--configuration=NAME");
  std::string name = names[choice];
  if (choice + 1 == names.size()) {
    name = cli::ask(frame.io, frame.config, "Its name", "", "--configuration=NAME");
    cli::create_configuration(frame.config, name);
    frame.io.say("Created [" + name + "].\n");
  }
  if (name == frame.config.active_name()) return;
  cli::activate_configuration(frame.config, name);
  frame.config.switch_to(name);
  frame.io.say("Activated [" + name + "].\n");
}

// What a flag says is written down; the environment needs no file.
bool settled(Frame& frame, const char* property) {
  const auto setting = frame.config.lookup(property);
  if (setting.origin == Origin::flag) frame.config.set(property, *setting.value);
  return setting.origin == Origin::flag || setting.origin == Origin::environment;
}

void pick_account(Frame& frame) {
  if (settled(frame, "core/account")) return;
  std::vector<std::string> names;
  for (const auth::Account& account : auth::accounts(frame.config.directory())) names.push_back(account.name);
  const std::string current = frame.config.get_or("core/account", "");
  if (!current.empty() && place(names, current) == names.size()) names.push_back(current);
  names.emplace_back("sign in");
  names.emplace_back("none: a token, a credential file or this machine's own account");
  const std::size_t fallback = current.empty() ? (names.size() > 2 ? 0 : 1) : place(names, current);
  const std::size_t choice = cli::choose(frame.io, frame.config, "Which account do you want to use?", names, fallback, "--account=ACCOUNT");
  if (choice + 1 == names.size()) {
    if (!current.empty()) frame.config.unset("core/account");
  } else if (choice + 2 == names.size()) {
    if (run_gcloud(frame, {"auth", "login"}, "There is no gcloud here to sign in with.") != 0) throw Error(tpuctl::Kind::denied, "You were not signed in.");
    frame.config.reload();
  } else if (names[choice] != current) {
    frame.config.set("core/account", names[choice]);
  }
}

void pick_project(Frame& frame) {
  if (settled(frame, "core/project")) return;
  const std::string current = frame.config.get_or("core/project", frame.env.get_nonempty("GOOGLE_CLOUD_PROJECT").value_or(""));
  const std::string answer = cli::ask(frame.io, frame.config, "Which project do you want to work in (its id)", current, "--project=PROJECT");
  if (answer.empty()) throw Error(tpuctl::Kind::failure, "No project was chosen.", "Name it: tpuctl init --project=PROJECT");
  if (answer != frame.config.get("core/project")) frame.config.set("core/project", answer);
}

// The zones that have TPUs, as far as the service tells within a few seconds.
std::vector<std::string> zones(Frame& frame, const Args& args) {
  std::vector<std::string> out;
  try {
    Context context(frame, args, std::chrono::seconds(10));
    std::vector<std::string> unreachable;
    context.tpu().list({context.project(), "", "locations", ""}, 0, [&](const Json& location) {
      out.push_back(location["locationId"].text());
      return true;
    }, unreachable);
  } catch (const Error& error) {
    if (error.kind == tpuctl::Kind::interrupted || error.kind == tpuctl::Kind::terminated) throw;
    frame.io.err(cli::warning_text("The zones cannot be listed: " + std::string(error.what()), frame.io.err_colour));
  }
  std::sort(out.begin(), out.end());
  return out;
}

void pick_zone(Frame& frame, const Args& args) {
  if (args.has("zone")) return frame.config.set("compute/zone", args.text("zone"));
  if (settled(frame, "compute/zone")) return;
  const std::string current = frame.config.get_or("compute/zone", "");
  if (frame.config.on("core/disable_prompts")) return;
  std::vector<std::string> names = zones(frame, args);
  std::string answer;
  if (names.empty()) {
    answer = cli::ask(frame.io, frame.config, "Which zone do you want to use by default (empty: none)", current, "--zone=ZONE");
  } else {
    names.emplace_back("none: I name it each time");
    const std::size_t fallback = current.empty() ? names.size() - 1 : place(names, current);
    const std::size_t choice = cli::choose(frame.io, frame.config, "Which zone do you want to use by default?", names, std::min(fallback, names.size() - 1), "--zone=ZONE");
    if (choice + 1 < names.size()) answer = names[choice];
  }
  if (!answer.empty() && answer != current) frame.config.set("compute/zone", answer);
}

int run_init(Frame& frame, const Args& args) {
  pick_configuration(frame, args);
  pick_account(frame);
  pick_project(frame);
  pick_zone(frame, args);
  std::string text = "\nYour configuration [" + frame.config.active_name() + "] is ready:\n";
  for (const char* property : {"core/account", "core/project", "compute/zone"}) {
    text += "  " + std::string(property) + " = " + frame.config.get_or(property, "(unset)") + "\n";
  }
  frame.io.say(text + "\nTo see whether everything works: tpuctl doctor\n");
  return 0;
}

constexpr Flag kFlags[] = {{.name = "zone", .help = "The zone to use when a command names none.", .source = Source::zone}};

}  // namespace

constexpr Command kInit = {.name = "init", .help = "Choose a configuration, an account, a project and a zone", .about =
    "Asks one question after the other; what a flag or the environment says is not asked for. With --quiet nothing is asked: flags are written "
    "down, and everything else stays as it is.", .flags = kFlags, .run = run_init};

}  // namespace tpuctl::commands
