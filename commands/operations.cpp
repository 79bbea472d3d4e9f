// SPDX-License-Identifier: Apache-2.0
// operations: what the service is busy with.
#include "cli/globals.hpp"
#include "commands/groups.hpp"
#include "commands/node_flags.hpp"

namespace tpuctl::commands {

namespace {

using cli::Args;
using cli::Command;
using cli::Frame;
using cli::Positional;

constexpr Resource kOperation = {
    .collection = "operations",
    .what = "operation",
    .positional = "OPERATION",
    .columns = "table(name.basename(), name.segment(-3):label=ZONE, metadata.verb:label=VERB, "
               "metadata.target.basename():label=TARGET, done.yesno(yes=True, no=False):label=DONE, "
               "metadata.createTime:label=CREATED)",
};

constexpr Positional kName[] = {
    {.name = "OPERATION", .help = "Name of the operation, as a waiting command shows it.", .source = Source::operation}};
constexpr auto kListFlags = cli::join(std::array{kListZone, kAllZones}, cli::kListFlags);
constexpr Flag kDescribeFlags[] = {kZone};
constexpr Flag kWaitFlags[] = {kZone, kOperationTimeout};

int run_wait_operation(Frame& frame, const Args& args) {
  Context context(frame, args);
  return with_credential_words(context, [&] {
    Json operation = context.tpu().get(resource_name(context, kOperation));
    operation = wait_told(context, std::move(operation), "Give it up: tpuctl operations cancel " + operation["name"].text());
    context.print(std::move(operation), "yaml");
    return 0;
  });
}

int run_cancel(Frame& frame, const Args& args) {
  Context context(frame, args);
  return with_credential_words(context, [&] {
    const api::Name name = resource_name(context, kOperation);
    context.tpu().send(context.tpu().verb_call(name, "cancel"));
    frame.io.say("Cancel request issued for: [" + name.id + "]\n");
    return 0;
  });
}

constexpr Command kVerbs[] = {
    {.name = "cancel", .help = "Ask the service to give an operation up", .positionals = kName, .flags = kDescribeFlags,
     .run = run_cancel},
    {.name = "describe", .help = "Show an operation", .positionals = kName, .flags = kDescribeFlags,
     .run = run_describe<kOperation>},
    {.name = "list", .help = "List operations", .flags = kListFlags, .run = run_list<kOperation>},
    {.name = "wait", .help = "Wait until an operation is done", .positionals = kName, .flags = kWaitFlags,
     .run = run_wait_operation},
};

}  // namespace

constexpr Command kOperations = {
    .name = "operations", .help = "Look at long-running operations, wait for them, cancel them", .commands = kVerbs};

}  // namespace tpuctl::commands
