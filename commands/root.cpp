// SPDX-License-Identifier: Apache-2.0
// The whole program: a line a group.
#include <array>

#include "cli/args.hpp"
#include "cli/help.hpp"
#include "cli/streams.hpp"
#include "commands/catalog.hpp"
#include "commands/groups.hpp"
#include "embedded/version.hpp"

namespace tpuctl::commands {

namespace {

using cli::Args;
using cli::Command;
using cli::Example;
using cli::Frame;
using cli::Positional;

int run_version(Frame& frame, const Args&) {
  frame.io.out("tpuctl " + std::string(kVersion) + "\n");
  return 0;
}

int run_help(Frame& frame, const Args& args) {
  cli::print_help(frame, args.positionals("COMMAND"));
  return 0;
}

constexpr Positional kHelpWords[] = {{.name = "COMMAND", .help = "A command, its words apart, or a topic.",
                                      .source = cli::Source::help_topic, .required = false, .many = true}};
constexpr Example kExamples[] = {
    {"Try everything on your own machine first:", "tpuctl emulator start --speed=60; eval \"$(tpuctl emulator env)\""},
    {"A TPU VM that saves a checkpoint before maintenance:",
     "tpuctl tpu-vm create my-tpu --version=tpu-ubuntu2204-base --accelerator-type=v4-8 --autocheckpoint-enabled"}};

// What `gcloud compute tpus` had before TPU VMs, and what other groups of gcloud people type here.
constexpr std::string_view kNodes = "TPU Nodes are retired; TPU VMs took their place: tpuctl tpu-vm";
constexpr std::string_view kGroups = "Execution groups are retired; make a TPU VM instead: tpuctl tpu-vm create";
constexpr std::string_view kComputeRest = "`gcloud compute` is outside of what tpuctl does, but for tpus: use gcloud.";
// The groups of gcloud 528.
constexpr std::string_view kForeign =
    "access-approval access-context-manager active-directory ai ai-platform alloydb anthos api-gateway apigee app apphub artifacts asset "
    "assured audit-manager backup-dr batch beyondcorp bigtable billing bms bq builds certificate-manager cheat-sheet cloud-shell "
    "colab components composer container data-catalog data-fusion database-migration dataflow dataplex dataproc datastore "
    "datastream deploy deployment-manager developer-connect dns docker domains edge-cache edge-cloud emulators endpoints "
    "essential-contacts eventarc feedback filestore firebase firestore functions gemini healthcare iam iap identity ids immersive-stream "
    "info infra-manager interactive kms logging looker managed-kafka memcache metastore migration ml model-armor monitoring netapp "
    "network-connectivity network-management network-security network-services notebooks oracle-database org-policies organizations "
    "pam parametermanager policy-intelligence policy-troubleshoot privateca projects publicca pubsub quotas recaptcha recommender "
    "redis resource-manager run runtime-config scc scheduler secrets service-directory service-extensions services source "
    "source-manager spanner sql survey tasks telco-automation transcoder transfer vmware web-security-scanner workbench workflows "
    "workspace-add-ons workstations";
constexpr Command gone(std::string_view name, std::string_view instead) {
  return {.name = name, .help = "Not offered", .hidden = true, .instead = instead};
}

}  // namespace

const Command& root() {
  static const std::array kCompute = {kStartIapTunnel};
  static const std::array kTree = {
      kTpuVm,
      kQueuedResources,
      kJobs,
      kCatalog[0],
      kCatalog[1],
      kCatalog[2],
      kCatalog[3],
      kCatalog[4],
      kOperations,
      kEmulator,
      kConfig,
      kStorage,
      kAuth,
      kCompletion,
      kDoctor,
      kInit,
      Command{.name = "version", .help = "Print the version", .run = run_version, .bare = true},
      Command{.name = "help", .help = "Help with a command or a topic", .positionals = kHelpWords, .run = run_help, .bare = true},
      Command{.name = "topic", .help = "Help with a topic, in gcloud's words", .positionals = kHelpWords, .run = run_help, .hidden = true, .bare = true},
      kComplete,
      gone("create", kNodes),
      gone("delete", kNodes),
      gone("describe", kNodes),
      gone("list", kNodes),
      gone("start", kNodes),
      gone("stop", kNodes),
      gone("reimage", kNodes),
      gone("execution-groups", kGroups),
      Command{.name = "compute", .help = "Not offered", .commands = kCompute, .hidden = true, .instead = kComputeRest},
  };
  static const Command kRoot = {.name = "tpuctl",
                                .help = "Provision Cloud TPUs and train on them through maintenance",
                                .examples = kExamples,
                                .commands = kTree,
                                .elsewhere = kForeign};
  return kRoot;
}

}  // namespace tpuctl::commands
