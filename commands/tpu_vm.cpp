// SPDX-License-Identifier: Apache-2.0
// tpu-vm: TPU VMs, one slice each.
#include "base/error.hpp"
#include "base/text.hpp"
#include "cli/globals.hpp"
#include "commands/catalog.hpp"
#include "commands/groups.hpp"
#include "commands/node_flags.hpp"
#include "commands/scp.hpp"
#include "commands/shapes.hpp"
#include "commands/ssh.hpp"
#include "commands/tpu_vm_update.hpp"

namespace tpuctl::commands {

namespace {

using cli::Args;
using cli::Command;
using cli::Example;
using cli::Frame;
using cli::Positional;
using cli::Rule;

bool is_tpu_vm(const Json& node) { return !node["apiVersion"].text().starts_with("V1"); }

constexpr Positional kName[] = {{.name = "TPU", .help = "Name of the TPU VM.", .source = Source::node}};
constexpr Positional kNewName[] = {{.name = "TPU", .help = "Name of the TPU VM to make."}};

constexpr Flag kSchedulingFlags[] = {
    {.name = "preemptible", .help = "Make it preemptible (the old kind of spot).", .kind = Kind::toggle,
     .field = "schedulingConfig/preemptible", .always = true},
    {.name = "spot", .help = "Make it a spot VM: cheaper, and taken back with about 30 s of notice.", .kind = Kind::toggle,
     .field = "schedulingConfig/spot", .always = true},
    {.name = "reserved", .help = "Take the capacity from a reservation.", .kind = Kind::toggle,
     .field = "schedulingConfig/reserved", .always = true},
    {.name = "provisioning-model", .help = "How the capacity is obtained; default: standard, or spot with --spot.",
     .kind = Kind::choice, .field = "schedulingConfig/provisioningModel", .choices = "standard,spot,reservation-bound",
     .track = Track::alpha},
};

constexpr Flag kOwnCreateFlags[] = {
    kZone,
    {.name = "version", .help = "Runtime version of the TPU software. See `tpuctl versions list`.",
     .field = "runtimeVersion", .required = true, .source = Source::runtime_version},
    with_fallback(kAcceleratorType, "v2-8"),
    sent_always(kShieldedSecureBoot),
    {.name = "queue-count", .help = "Number of queues of the network interface.", .kind = Kind::integer,
     .field = "networkConfig/queueCount"},
    kAsync, kDryRun, kOperationTimeout};
constexpr auto kCreateFlags = cli::join(kOwnCreateFlags, kNodeFlags, kSchedulingFlags);
constexpr Rule kCreateRules[] = {{.alternatives = {kAcceleratorChoice, kTopologyChoice}}};
constexpr Example kCreateExamples[] = {
    {"Make a TPU VM that saves a checkpoint before maintenance:",
     "tpuctl tpu-vm create my-tpu --zone=us-central2-b --accelerator-type=v4-8 --version=tpu-ubuntu2204-base "
     "--autocheckpoint-enabled"}};

int run_create(Frame& frame, const Args& args) {
  Context context(frame, args);
  return with_credential_words(context, [&] {
    const BodyPlace place{"", context.api_version()};
    const api::Name name = context.name(args.positional("TPU"), "nodes", "tpu");
    Json body = build_body(args, place);
    if (args.has("topology")) body.erase("/acceleratorType");  // the default gives way
    shape_metadata(body, args, place);
    shape_provisioning_model(body, args, place, "/schedulingConfig/provisioningModel");
    if (body["bootDiskConfig"]["enableConfidentialCompute"].boolean() &&
        body.at("/bootDiskConfig/customerEncryptionKey/kmsKeyName").empty()) {
      throw Error(tpuctl::Kind::usage, "argument --boot-disk: confidential-compute=true requires kms-key.");
    }
    if (const std::string reservation = args.text("reservation"); !reservation.empty()) {
      std::string project = name.project;
      if (reservation.find('/') == std::string::npos) {  // nodes want the project's number
        api::Client projects = context.service("cloudresourcemanager", "v1");
        api::Call call;
        call.path = "v1/projects/" + text::percent_encode(name.project);
        project = projects.send(call)["projectNumber"].scalar();
      }
      body.set("/schedulingConfig/reservationName", reservation_name(reservation, project, name.location));
    }
    return create(context, kNode, name, body);
  });
}

constexpr auto kListFlags = cli::join(std::array{kListZone, kAllZones}, cli::kListFlags);
constexpr Flag kDescribeFlags[] = {kZone};
constexpr Flag kVerbFlags[] = {kZone, kAsync, kDryRun, kOperationTimeout};
constexpr Flag kWaitFlags[] = {
    kZone,
    {.name = "for", .help = "State to wait for, or `deleted`.", .kind = Kind::choice, .value = "STATE",
     .choices = "READY,STOPPED,PREEMPTED,TERMINATED,deleted,CREATING,STARTING,STOPPING,RESTARTING,REIMAGING,REPAIRING,DELETING", .fallback = "READY"},
    kTimeout};
constexpr auto kSimulateFlags = cli::join(
    kVerbFlags, std::array{Flag{.name = "workers", .help = "Workers that are maintained; default: worker 0.", .kind = Kind::list,
                                .value = "WORKER_ID", .track = Track::alpha}});
constexpr Example kSimulateExamples[] = {
    {"Rehearse maintenance of one host: SIGTERM, time to save, reboot:", "tpuctl tpu-vm simulate-maintenance-event my-tpu"}};

int run_simulate(Frame& frame, const Args& args) {
  Context context(frame, args);
  return with_credential_words(context, [&] {
    Json body = Json::object();
    if (args.has("workers")) body.set("/workerIds", Json::strings(args.list("workers")));
    return custom_verb(context, kNode, "simulateMaintenanceEvent", std::move(body));
  });
}

int run_start(Frame& frame, const Args& args) {
  Context context(frame, args);
  return with_credential_words(context, [&] { return custom_verb(context, kNode, "start", Json::object()); });
}

int run_stop(Frame& frame, const Args& args) {
  Context context(frame, args);
  return with_credential_words(context, [&] { return custom_verb(context, kNode, "stop", Json::object()); });
}

int run_perform(Frame& frame, const Args& args) {
  Context context(frame, args);
  return with_credential_words(context, [&] { return custom_verb(context, kNode, "performMaintenance", Json::object()); });
}

constexpr auto kGuestFlags = cli::join(
    std::array{kZone, Flag{.name = "query-path", .help = "Only this namespace, or NAMESPACE/KEY.", .value = "QUERY_PATH"}}, cli::kListFlags);

// One row an attribute; the worker is the position in the answer.
int run_guest_attributes(Frame& frame, const Args& args) {
  Context context(frame, args);
  return with_credential_words(context, [&] {
    api::Client& client = context.tpu();
    api::Call call = client.verb_call(resource_name(context, kNode), "getGuestAttributes");
    call.repeat = api::Repeat::always;
    if (args.has("query-path")) call.body.set("/queryPath", args.text("query-path"));
    const Json answer = client.send(call);
    cli::output::Pipeline pipeline(frame.io, context.output(),
                                   "table(namespace, key, worker_id:label=WORKER_ID, value)");
    int worker = 0;
    for (const Json& attributes : answer["guestAttributes"].items()) {
      for (Json item : attributes.at("/queryValue/items").items()) {
        item.member("worker_id") = worker;
        pipeline.push(std::move(item));
      }
      ++worker;
    }
    pipeline.finish();
    return 0;
  });
}

int run_service_identity(Frame& frame, const Args& args) {
  Context context(frame, args);
  return with_credential_words(context, [&] {
    api::Client& client = context.tpu();
    const api::Name zone{context.project("service_identity"), context.zone("service_identity"), "", ""};
    api::Call call = client.verb_call(zone, "generateServiceIdentity");
    call.repeat = api::Repeat::always;  // the identity is the same every time
    context.print(client.send(call), "yaml");
    return 0;
  });
}

constexpr Command kServiceIdentityVerbs[] = {
    {.name = "create", .help = "Make, or show, the identity", .flags = kDescribeFlags, .run = run_service_identity}};

const Command kVerbs[] = {
    kCatalog[0],
    {.name = "attach-disk", .help = "Attach a persistent disk", .positionals = kName, .flags = kAttachFlags,
     .run = run_attach_disk, .track = Track::alpha},
    {.name = "create", .help = "Create a TPU VM", .examples = kCreateExamples, .positionals = kNewName, .flags = kCreateFlags,
     .rules = kCreateRules, .run = run_create},
    {.name = "delete", .help = "Delete a TPU VM", .positionals = kName, .flags = kVerbFlags, .run = run_delete<kNode>},
    {.name = "describe", .help = "Show everything about a TPU VM", .positionals = kName, .flags = kDescribeFlags,
     .run = run_describe<kNode>},
    {.name = "detach-disk", .help = "Detach a persistent disk", .positionals = kName, .flags = kDetachFlags,
     .run = run_detach_disk, .track = Track::alpha},
    {.name = "get-guest-attributes", .help = "Show the guest attributes of the workers", .positionals = kName,
     .flags = kGuestFlags, .run = run_guest_attributes},
    {.name = "list", .help = "List TPU VMs", .flags = kListFlags, .run = run_list<kNode>},
    {.name = "perform-maintenance", .help = "Let the maintenance that is due happen now", .positionals = kName,
     .flags = kVerbFlags, .run = run_perform, .track = Track::alpha},
    {.name = "scp", .help = "Copy files to or from workers of a TPU VM", .about = kScpAbout,
     .examples = kScpExamples, .positionals = kScpPaths, .flags = kScpFlags, .rules = kRouteRules, .run = run_tpu_vm_scp, .remote_codes = true},
    {.name = "service-identity", .help = "The identity with which Cloud TPU acts in the project", .commands = kServiceIdentityVerbs},
    {.name = "simulate-maintenance-event", .help = "Rehearse a maintenance event on a TPU VM",
     .about = "Asks Cloud TPU to treat the workers as if their host were maintained. With Autocheckpoint the processes on the TPU "
              "get SIGTERM and up to five minutes to save; without it they die at once. Then the worker is rebooted.",
     .examples = kSimulateExamples, .positionals = kName, .flags = kSimulateFlags, .run = run_simulate, .track = Track::alpha},
    {.name = "ssh", .help = "Open a shell, or run a command, on workers of a TPU VM", .about = kSshAbout,
     .examples = kSshExamples, .positionals = kSshName, .flags = kSshFlags, .rules = kRouteRules, .rest = "SSH_ARGS", .run = run_tpu_vm_ssh,
     .remote_codes = true},
    {.name = "start", .help = "Start a stopped TPU VM", .positionals = kName, .flags = kVerbFlags, .run = run_start},
    {.name = "stop", .help = "Stop a TPU VM", .positionals = kName, .flags = kVerbFlags, .run = run_stop},
    {.name = "update", .help = "Change labels, tags, metadata, disks and the like", .positionals = kName, .flags = kUpdateFlags,
     .rules = kUpdateRules, .run = run_update},
    kCatalog[1],
    {.name = "wait", .help = "Wait until a TPU VM is in a state", .positionals = kName, .flags = kWaitFlags,
     .run = run_wait<kNode>},
};

}  // namespace

constexpr Resource kNode = {
    .collection = "nodes",
    .what = "tpu",
    .positional = "TPU",
    .columns = "table(name.basename(), name.segment(-3):label=ZONE, acceleratorType.basename():label=ACCELERATOR_TYPE, "
               "acceleratorConfig.type:label=TYPE, acceleratorConfig.topology:label=TOPOLOGY, "
               "networkConfig.network.basename():label=NETWORK, cidrBlock:label=RANGE, state:label=STATUS)",
    .rules = api::node_rules,
    .listed = is_tpu_vm,
    .made = "READY",
    .mistaken_for = &kQueuedResource,
};

const Command kTpuVm = {.name = "tpu-vm", .help = "Create, reach and manage TPU VMs", .commands = kVerbs};

}  // namespace tpuctl::commands
