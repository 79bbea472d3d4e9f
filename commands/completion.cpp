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

/// What was learnt about a collection, in a file: the names, and that the service did not answer. Trouble with the file is no trouble.
class NameCache {
 public:
  NameCache(const Environment& env, const std::vector<std::string>& key)
      : path_(env.get_nonempty("XDG_CACHE_HOME").value_or(env.home() + "/.cache") + "/tpuctl/names/" +
              text::sha256_hex(text::join(key, "\n")).substr(0, 32)) {
    try {
      if (auto body = file::read_if_exists(path_)) Json::try_parse(*body, content_);
    } catch (const Error&) {
    }
  }

  bool known(TimePoint now) const { return within("time", now, kFresh); }
  bool failed(TimePoint now) const { return within("failed", now, kRest); }
  std::vector<std::string> names() const {
    std::vector<std::string> out;
    for (const Json& name : content_["names"].items()) out.push_back(name.text());
    return out;
  }

  void learn(TimePoint now, Json names) { keep(Json{{"time", rfc3339(now)}, {"names", std::move(names)}}); }
  /// What was known before is better than nothing.
  void fail(TimePoint now) { keep(Json{{"time", content_["time"]}, {"names", content_["names"]}, {"failed", rfc3339(now)}}); }

 private:
  static constexpr Duration kFresh = std::chrono::seconds(60);
  static constexpr Duration kRest = std::chrono::seconds(10);  // not every Tab waits for a service that does not answer

  bool within(const char* member, TimePoint now, Duration span) const {
    const auto then = parse_rfc3339(content_[member].text());
    return then && *then <= now && now - *then <= span;
  }

  void keep(Json content) {
    content_ = std::move(content);
    try {
      file::write_atomic(path_, content_.dump());
    } catch (const Error&) {
    }
  }

  std::string path_;
  Json content_;
};

Json ask_service(Context& context, const std::string& parent, const std::string& collection) {
  api::Client& client = context.tpu();
  api::Call call;
  call.path = client.version() + "/" + parent + collection;
  call.query = {{"pageSize", "500"}, {"fields", collection + ".name"}};
  const Json answer = client.send(call);
  Json names = Json::array();
  for (const Json& row : answer[collection].items()) {
    const std::string name = api::short_id(row["name"].text());
    if (!name.empty() && name[0] != '-') names.push(name);
  }
  return names;
}

// Short names of a collection, from the service; a minute old is good enough.
std::vector<std::string> remote_names(Frame& frame, const Args& args, const cli::Typed& typed, const std::string& collection) {
  auto typed_or = [&](const char* flag, const char* property) {
    const std::string value = typed.get(flag);
    return value.empty() ? frame.config.get_or(property, "") : value;
  };
  const std::string project = typed_or("project", "core/project");
  const std::string zone = collection == "locations" ? "" : typed_or("zone", "compute/zone");
  if (project.empty() || (zone.empty() && collection != "locations")) return {};
  Context context(frame, args, kPatience);
  NameCache cache(frame.env, {context.endpoint("tpu"), frame.config.get_or("core/account", ""), project, zone, collection});
  const TimePoint now = frame.clock.now();
  if (!cache.known(now) && !cache.failed(now)) {
    try {
      const std::string place = zone.empty() ? "" : "locations/" + text::percent_encode(zone) + "/";
      cache.learn(now, ask_service(context, "projects/" + text::percent_encode(project) + "/" + place, collection));
    } catch (const Error&) {
      cache.fail(now);
    }
  }
  return cache.names();
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
      return collection.empty() ? out : remote_names(frame, args, typed, collection);
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
