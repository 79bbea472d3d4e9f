// SPDX-License-Identifier: Apache-2.0
// queued-resources: requests for one or more TPU VMs that wait for capacity; several nodes make a multislice.
#include <algorithm>
#include <functional>
#include <optional>
#include <set>

#include "api/zone_race.hpp"
#include "base/error.hpp"
#include "cli/globals.hpp"
#include "cli/progress.hpp"
#include "cli/prompt.hpp"
#include "commands/create_checks.hpp"
#include "commands/groups.hpp"
#include "commands/node_flags.hpp"
#include "commands/queued_request.hpp"
#include "commands/scp.hpp"
#include "commands/shapes.hpp"
#include "commands/ssh.hpp"

namespace tpuctl::commands {

namespace {

using cli::Args;
using cli::Command;
using cli::Example;
using cli::Frame;
using cli::Positional;
using cli::Rule;

constexpr Positional kName[] = {
    {.name = "QUEUED_RESOURCE", .help = "Name of the queued resource.", .source = Source::queued_resource}};
constexpr Positional kNewName[] = {{.name = "QUEUED_RESOURCE", .help = "Name of the queued resource to make."}};

constexpr Flag kIdentityFlags[] = {
    {.name = "node-id", .help = "Name of the one node to make.", .field = "/tpu/nodeSpec/0/nodeId"},
    {.name = "node-count", .help = "Number of nodes of a multislice; at least 2.", .kind = Kind::integer},
    {.name = "node-prefix", .help = "Nodes are named PREFIX-0, PREFIX-1, ...; default: the name of the queued resource."},
    {.name = "workload-type", .help = "What the service should favour when it places a multislice.", .kind = Kind::choice,
     .choices = "throughput-optimized,availability-optimized", .track = Track::alpha}};
constexpr Flag kZones = {
    .name = "zones", .help = "Ask in all these zones at once and wait (--timeout): the first where it is ACTIVE keeps it, and the requests in the "
                             "others are deleted.", .kind = Kind::list, .value = "ZONE", .source = Source::zone};
constexpr auto kCreateFlags = cli::join(kMachineFlags, std::array{kZones}, kIdentityFlags, kQueueFlags, std::array{kAsync, kDryRun, kOperationTimeout}, kNodeFlags);
constexpr Rule kIdentityRule[] = {
    {.need = Rule::exactly_one, .alternatives = {"node-id", "node-count : node-prefix workload-type"}}};
constexpr Rule kZonesRules[] = {{.alternatives = {"zones", "zone"}}, {.alternatives = {"zones", "async"}}};
constexpr auto kCreateRules = cli::join(kAcceleratorRule, kIdentityRule, kQueueRules, kZonesRules);
constexpr Example kCreateExamples[] = {
    {"Queue a multislice of two slices that save a checkpoint before maintenance:",
     "tpuctl queued-resources create my-pair --accelerator-type=v5litepod-16 --runtime-version=v2-alpha-tpuv5-lite "
     "--node-count=2 --node-prefix=my-slice --autocheckpoint-enabled"},
    {"Then wait until the machines are there:", "tpuctl queued-resources wait my-pair --timeout=2h"},
    {"Take the machines from whichever zone has them first:",
     "tpuctl queued-resources create my-queued --node-id=my-node --accelerator-type=v5litepod-16 --runtime-version=v2-alpha-tpuv5-lite "
     "--zones=us-west4-a,us-east5-b,europe-west4-b --timeout=12h"}};

// The same request in each of --zones.
int create_in_zones(Context& context, const std::function<Json(const api::Name&)>& request) {
  const std::string& id = context.args.positional("QUEUED_RESOURCE");
  if (id.find('/') != std::string::npos) throw Error(tpuctl::Kind::usage, "[" + id + "] is in one zone; with --zones give its bare name.");
  check_new_id(id, "queued_resource");
  warn_of_line_ends(context);
  std::vector<api::Entry> entries;
  std::set<std::string> seen;
  for (const std::string& zone : context.args.list("zones")) {
    if (zone.empty() || !seen.insert(zone).second) throw Error(tpuctl::Kind::usage, "Invalid value for [--zones]: each zone once, as in us-west4-a,us-east5-b.");
    const api::Name name{context.project("queued_resource"), zone, "queuedResources", id};
    entries.push_back({name, request(name)});
  }
  if (entries.empty()) throw Error(tpuctl::Kind::usage, "Invalid value for [--zones]: it names no zone.");
  if (context.args.on("dry-run")) {
    for (const api::Entry& entry : entries) context.print_call(context.tpu(), context.tpu().create_call(entry.name, entry.body));
    return 0;
  }
  std::optional<cli::Progress> progress;  // once all have been asked
  const auto wait_on = [&](const std::string& states) {
    if (!progress) progress.emplace(context.frame.io, context.frame.clock, "Waiting for [" + id + "] to be ACTIVE in one of the zones");
    progress->update(states);
  };
  try {
    Json winner = api::race_zones(context.tpu(), entries, wait_limits(context.args),
                                  {.say = [&](const std::string& line) { context.say(line); },
                                   .warn = [&](const std::string& line) { context.warn(line); },
                                   .on_states = wait_on});
    if (progress) progress->done();
    const auto made = api::parse_name(winner["name"].text());
    if (made) context.say("Created queued_resource [" + id + "]. Its zone from now on: --zone=" + made->location);
    context.print(std::move(winner), "");
    return 0;
  } catch (const Error& error) {
    if (progress) end_progress(*progress, error);
    throw;
  }
}

int run_create(Frame& frame, const Args& args) {
  Context context(frame, args);
  return with_credential_words(context, [&] {
    const BodyPlace place{kRequestNode, context.api_version()};
    if (args.has("node-count") && *args.integer("node-count") < 2) {
      throw Error(tpuctl::Kind::usage, "Invalid value for [--node-count]: it must be greater than 1.",
                  "For one node use --node-id=NAME.");
    }
    const auto request = [&](const api::Name& name) {
      Json body = queued_request(context, name, place);
      shape_node_identity(body, args, place);
      return body;
    };
    if (args.has("zones")) return create_in_zones(context, request);
    const api::Name name = context.name(args.positional("QUEUED_RESOURCE"), "queuedResources", "queued_resource");
    return create(context, kQueuedResource, name, request(name));
  });
}

constexpr auto kListFlags = cli::join(std::array{kListZone, kAllZones}, cli::kListFlags);
constexpr Flag kDescribeFlags[] = {kZone};
constexpr Flag kDeleteFlags[] = {
    kZone, {.name = "force", .help = "Delete its nodes too.", .kind = Kind::toggle}, kAsync, kDryRun, kOperationTimeout};
constexpr Flag kWaitFlags[] = {
    kZone,
    {.name = "for", .help = "State to wait for, or `deleted`.", .kind = Kind::choice, .value = "STATE",
     .choices = "ACTIVE,WAITING_FOR_RESOURCES,ACCEPTED,PROVISIONING,SUSPENDING,SUSPENDED,FAILED,deleted,CREATING,DELETING", .fallback = "ACTIVE"},
    kTimeout};

constexpr Flag kResetFlags[] = {kZone, kAsync, kDryRun, kOperationTimeout};
constexpr auto kPerformFlags = cli::join(
    kResetFlags, std::array{Flag{.name = "node-names", .help = "Nodes to maintain; default: all.", .kind = Kind::list,
                                 .value = "NODE", .track = Track::alpha}});

int run_reset(Frame& frame, const Args& args) {
  Context context(frame, args);
  return with_credential_words(context, [&] {
    if (!args.on("dry-run")) {
      const api::Name name = resource_name(context, kQueuedResource);
      cli::require_confirmation(frame.io, frame.config, "You are about to reset queued_resource [" + name.id + "]");
    }
    return custom_verb(context, kQueuedResource, "reset", Json::object());
  });
}

int run_perform(Frame& frame, const Args& args) {
  Context context(frame, args);
  return with_credential_words(context, [&] {
    Json body = Json::object();
    if (args.has("node-names")) body.set("/nodeNames", Json::strings(args.list("node-names")));
    return custom_verb(context, kQueuedResource, "performMaintenanceQueuedResource", std::move(body));
  });
}

constexpr auto kPruneFlags = cli::join(
    kResetFlags, std::array{Flag{.name = "states", .help = "States whose queued resources are deleted.", .kind = Kind::list,
                                 .value = "STATE", .fallback = "FAILED,SUSPENDED"}});

/// A queued resource that is of no use any more but holds its name and quota.
struct Dead {
  api::Name name;
  std::string state;
};

std::vector<Dead> find_dead(Context& context, std::vector<std::string>& unreachable) {
  const Args& args = context.args;
  const auto states = args.has("states") ? args.list("states") : cli::split_list(args.row("states")->fallback);
  std::vector<Dead> dead;
  context.tpu().list({context.project("queued_resource"), context.zone("queued_resource"), "queuedResources", ""}, 0,
                     [&](Json row) {
                       const std::string state = api::state_of(row);
                       const auto name = api::parse_name(row["name"].text());
                       if (name && std::find(states.begin(), states.end(), state) != states.end()) dead.push_back({*name, state});
                       return true;
                     },
                     unreachable);
  return dead;
}

/// Deletes them with their nodes. The failure of one stops no other; the first one is thrown in the end.
class Pruning {
 public:
  explicit Pruning(Context& context) : context_(context) {}

  void run(const std::vector<Dead>& dead) {
    std::vector<std::pair<api::Name, Json>> pending;
    for (const Dead& one : dead) {
      attempt(one.name, [&] {
        Json operation = context_.tpu().remove(one.name, true);
        context_.say("Delete request issued for: [" + one.name.id + "]");
        if (!operation["name"].text().empty()) pending.emplace_back(one.name, std::move(operation));
      });
    }
    if (!context_.args.on("async")) {
      for (auto& [name, operation] : pending) {
        attempt(name, [&, &operation = operation] { wait_told(context_, std::move(operation), "A deletion cannot be undone."); });
      }
    }
    if (!first_) return;
    first_->hint = std::to_string(failures_) + " of " + std::to_string(dead.size()) + " queued resources could not be deleted." +
                   (first_->hint.empty() ? "" : "\n" + first_->hint);
    throw *first_;
  }

 private:
  void attempt(const api::Name& name, const std::function<void()>& step) {
    try {
      step();
    } catch (const Error& error) {
      if (error.kind == tpuctl::Kind::interrupted || error.kind == tpuctl::Kind::terminated) throw;
      if (error.kind == tpuctl::Kind::not_found) return context_.say("[" + name.id + "] is gone already.");
      context_.say("Failed to delete [" + name.id + "]: " + error.what());
      ++failures_;
      if (!first_) first_ = error;
    }
  }

  Context& context_;
  int failures_ = 0;
  std::optional<Error> first_;
};

int run_prune(Frame& frame, const Args& args) {
  Context context(frame, args);
  return with_credential_words(context, [&] {
    std::vector<std::string> unreachable;
    const auto dead = find_dead(context, unreachable);
    const int code = context.warn_unreachable(unreachable) ? 1 : 0;
    if (dead.empty()) {
      context.say("Nothing to delete.");
      return code;
    }
    if (args.on("dry-run")) {
      for (const Dead& one : dead) context.print_call(context.tpu(), context.tpu().remove_call(one.name, true));
      return code;
    }
    std::string shown;
    for (const Dead& one : dead) shown += "\n - " + one.name.id + " (" + one.state + ")";
    cli::require_confirmation(frame.io, frame.config, "You are about to delete these queued resources and their nodes:" + shown);
    Pruning(context).run(dead);
    return code;
  });
}

std::vector<std::string> node_ids(const Json& queued_resource) {
  std::vector<std::string> out;
  for (const Json& spec : queued_resource.at("/tpu/nodeSpec").items()) {
    if (!spec["nodeId"].text().empty()) out.push_back(spec["nodeId"].text());
  }
  return out;
}

constexpr Command kVerbs[] = {
    {.name = "create", .help = "Request TPU VMs, to be made when there is capacity", .examples = kCreateExamples,
     .positionals = kNewName, .flags = kCreateFlags, .rules = kCreateRules, .run = run_create},
    {.name = "delete", .help = "Delete a queued resource", .positionals = kName, .flags = kDeleteFlags,
     .run = run_delete<kQueuedResource>},
    {.name = "describe", .help = "Show everything about a queued resource", .positionals = kName, .flags = kDescribeFlags,
     .run = run_describe<kQueuedResource>},
    {.name = "list", .help = "List queued resources", .flags = kListFlags, .run = run_list<kQueuedResource>},
    {.name = "perform-maintenance", .help = "Let the maintenance that is due happen now", .positionals = kName,
     .flags = kPerformFlags, .run = run_perform, .track = Track::alpha},
    {.name = "prune", .help = "Delete queued resources that have failed or were suspended", .flags = kPruneFlags, .run = run_prune},
    {.name = "reset", .help = "Provision the nodes anew", .positionals = kName, .flags = kResetFlags, .run = run_reset},
    {.name = "scp", .help = "Copy files to or from workers of its nodes", .about = kScpAbout,
     .examples = kScpExamples, .positionals = kScpPaths, .flags = kQueuedScpFlags, .rules = kRouteRules, .run = run_queued_scp, .remote_codes = true},
    {.name = "ssh", .help = "Open a shell, or run a command, on workers of its nodes", .about = kSshAbout,
     .examples = kQueuedSshExamples, .positionals = kQueuedSshName, .flags = kQueuedSshFlags, .rules = kRouteRules, .rest = "SSH_ARGS",
     .run = run_queued_ssh, .remote_codes = true},
    {.name = "wait", .help = "Wait until a queued resource is in a state", .positionals = kName, .flags = kWaitFlags,
     .run = run_wait<kQueuedResource>},
};

}  // namespace

constexpr Resource kQueuedResource = {
    .collection = "queuedResources",
    .what = "queued_resource",
    .positional = "QUEUED_RESOURCE",
    .columns = "table(name.basename(), name.segment(-3):label=ZONE, tpu.nodeSpec.len():label=NODE_COUNT, "
               "tpu.nodeSpec[0].node.acceleratorType:label=ACCELERATOR_TYPE, "
               "tpu.nodeSpec[0].node.acceleratorConfig.type:label=TYPE, "
               "tpu.nodeSpec[0].node.acceleratorConfig.topology:label=TOPOLOGY, state.state:label=STATE)",
    .rules = api::queued_resource_rules,
    .nodes = node_ids,
    .reads_after_create = true,
};

constexpr Command kQueuedResources = {
    .name = "queued-resources", .help = "Request TPU VMs that wait for capacity", .commands = kVerbs};

}  // namespace tpuctl::commands
