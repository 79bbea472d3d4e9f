// SPDX-License-Identifier: Apache-2.0
// completion: the scripts for the shells, and the answers to Tab.
#include "base/error.hpp"
#include "base/file.hpp"
#include "base/text.hpp"
#include "cli/complete.hpp"
#include "cli/globals.hpp"
#include "cli/help.hpp"
#include "commands/groups.hpp"
#include "commands/job_world.hpp"
#include "commands/node_flags.hpp"
#include "embedded/kBashCompletion.hpp"
#include "embedded/kZshCompletion.hpp"

namespace tpuctl::commands {

namespace {

using cli::Args;
using cli::Command;
using cli::Frame;

constexpr Duration kFresh = std::chrono::seconds(60);
constexpr Duration kPatience = std::chrono::milliseconds(800);  // Tab must not hang

int run_bash(Frame& frame, const Args&) {
  frame.io.out(kBashCompletion);
  return 0;
}
int run_zsh(Frame& frame, const Args&) {
  frame.io.out(kZshCompletion);
  return 0;
}

std::string collection_of(Source source) {
  switch (source) {
    case Source::node: return "nodes";
    case Source::queued_resource: return "queuedResources";
    case Source::accelerator_type: return "acceleratorTypes";
    case Source::runtime_version: return "runtimeVersions";
    case Source::operation: return "operations";
    case Source::reservation: return "reservations";
    case Source::zone:
    case Source::location: return "locations";
    default: return {};
  }
}

// Short names of a collection, from the service; a minute old is good enough.
std::vector<std::string> ask_service(Frame& frame, const Args& args, const cli::Typed& typed, const std::string& collection) {
  auto typed_or = [&](const char* flag, const char* property) {
    const std::string value = typed.get(flag);
    return value.empty() ? frame.config.get_or(property, "") : value;
  };
  const std::string project = typed_or("project", "core/project");
  const std::string zone = typed_or("zone", "compute/zone");
  if (project.empty() || (zone.empty() && collection != "locations")) return {};
  Context context(frame, args, kPatience);
  const std::string cache_root =
      frame.env.get_nonempty("XDG_CACHE_HOME").value_or(frame.env.home() + "/.cache") + "/tpuctl/names/";
  const std::string key = text::join({context.endpoint("tpu"), frame.config.get_or("core/account", ""), project, zone, collection}, "\n");
  const std::string path = cache_root + text::sha256_hex(key).substr(0, 32);
  Json cached;
  if (auto body = file::read_if_exists(path)) Json::try_parse(*body, cached);
  const TimePoint now = frame.clock.now();
  const auto stored = parse_rfc3339(cached["time"].text());
  if (!stored || now - *stored > kFresh) {
    Json names = Json::array();
    api::Client client = context.tpu();
    api::Call call;
    call.path = client.version() + "/projects/" + text::percent_encode(project) +
                (collection == "locations" ? "/locations" : "/locations/" + text::percent_encode(zone) + "/" + collection);
    call.query = {{"pageSize", "500"}, {"fields", collection + ".name"}};
    try {
      const Json answer = client.send(call);
      for (const Json& row : answer[collection].items()) names.push(api::short_id(row["name"].text()));
      cached = Json{{"time", rfc3339(now)}, {"names", std::move(names)}};
      file::write_atomic(path, cached.dump());
    } catch (const Error&) {  // what was known before is better than nothing
    }
  }
  std::vector<std::string> out;
  for (const Json& name : cached["names"].items()) out.push_back(name.text());
  return out;
}

std::vector<std::string> live_names(Frame& frame, const Args& args, Source source, const cli::Typed& typed) {
  std::vector<std::string> out;
  switch (source) {
    case Source::job:
      for (const JobRecord& record : JobStore(frame.config).all()) out.push_back(record.name);
      return out;
    case Source::property:
      for (const cli::Property& property : cli::properties()) {
        if (property.hidden) continue;
        out.push_back(property.section == "core" ? std::string(property.name)
                                                 : std::string(property.section) + "/" + std::string(property.name));
      }
      return out;
    case Source::help_topic:
      for (const cli::Topic& topic : cli::topics()) out.emplace_back(topic.name);
      for (const Command& group : frame.root.commands) {
        if (!group.hidden) out.emplace_back(group.name);
      }
      return out;
    default: {
      const std::string collection = collection_of(source);
      return collection.empty() ? out : ask_service(frame, args, typed, collection);
    }
  }
}

int run_complete(Frame& frame, const Args& args) {
  const auto completion =
      cli::complete(frame.root, cli::kGlobalFlags, args.rest(), [&](Source source, const cli::Typed& typed, std::string_view) {
        return live_names(frame, args, source, typed);
      });
  frame.io.out(cli::print(completion));
  return 0;
}

constexpr Command kShells[] = {
    {.name = "bash", .help = "Print the completion script for bash",
     .about = "For this shell: source <(tpuctl completion bash). For all: write it to "
              "~/.local/share/bash-completion/completions/tpuctl.",
     .run = run_bash, .bare = true},
    {.name = "zsh", .help = "Print the completion script for zsh",
     .about = "Write it to a file called _tpuctl in a folder of $fpath, before compinit runs.", .run = run_zsh, .bare = true},
};

}  // namespace

constexpr Command kCompletion = {.name = "completion", .help = "Print the script that completes tpuctl's words in a shell", .commands = kShells};
constexpr Command kComplete = {.name = "__complete", .help = "Answer Tab", .rest = "WORDS", .run = run_complete, .hidden = true};

}  // namespace tpuctl::commands
