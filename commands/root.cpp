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
constexpr std::string_view kForeign = "This is outside Cloud TPU, and tpuctl does not do it: use gcloud.";
constexpr Command gone(std::string_view name, std::string_view instead) {
  return {.name = name, .help = "Not offered", .hidden = true, .instead = instead};
}

}  // namespace

const Command& root() {
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
      Command{.name = "version", .help = "Print the version", .run = run_version, .bare = true},
      Command{.name = "help", .help = "Help with a command or a topic", .positionals = kHelpWords, .run = run_help, .bare = true},
      kComplete,
      gone("create", kNodes),
      gone("delete", kNodes),
      gone("describe", kNodes),
      gone("list", kNodes),
      gone("start", kNodes),
      gone("stop", kNodes),
      gone("reimage", kNodes),
      gone("execution-groups", kGroups),
      gone("services", kForeign),
      gone("projects", kForeign),
      gone("iam", kForeign),
      gone("container", kForeign),
      gone("compute", kForeign),
  };
  static const Command kRoot = {.name = "tpuctl",
                                .help = "Provision Cloud TPUs and train on them through maintenance",
                                .examples = kExamples,
                                .commands = kTree};
  return kRoot;
}

}  // namespace tpuctl::commands
