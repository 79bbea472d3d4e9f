// SPDX-License-Identifier: Apache-2.0
// A small command tree with one row of every kind, and helpers to parse against it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "cli/command.hpp"
#include "cli/globals.hpp"
#include "cli/parse.hpp"
#include "cli/streams.hpp"

namespace tpuctl::cli::test {

int handler_ok(Frame&, const Args&);

inline constexpr Key kDiskKeys[] = {
    {.name = "source", .required = true},
    {.name = "mode", .kind = Kind::choice, .choices = "read-write,read-only"},
    {.name = "boot", .kind = Kind::toggle},
};

inline constexpr Flag kCreateFlags[] = {
    {.name = "zone", .help = "The zone. Without it the property decides.", .source = Source::zone},
    {.name = "version", .help = "The runtime version.", .required = true, .source = Source::runtime_version},
    {.name = "accelerator-type", .help = "The type of TPU.", .kind = Kind::lowered, .fallback = "v2-8"},
    {.name = "type",
     .help = "The generation.",
     .kind = Kind::choice,
     .choices = "v2,v3,v4",
     .alpha_choices = "v5litepod=V5LITE_POD,v5p"},
    {.name = "topology", .help = "Its shape.", .kind = Kind::lowered},
    {.name = "spot", .help = "May be reclaimed.", .kind = Kind::toggle},
    {.name = "internal-ips", .help = "No outside address.", .kind = Kind::inverse},
    {.name = "best-effort", .help = "Without a promise.", .kind = Kind::marker},
    {.name = "count", .help = "How many.", .kind = Kind::integer, .least = 1},
    {.name = "tags", .help = "Some tags.", .kind = Kind::list},
    {.name = "ssh-flag", .help = "One more argument.", .kind = Kind::repeated},
    {.name = "labels", .help = "Some labels.", .kind = Kind::map},
    {.name = "data-disk", .help = "A disk.", .kind = Kind::dicts, .keys = kDiskKeys},
    {.name = "boot-disk", .help = "The disk to boot from.", .kind = Kind::dict, .keys = kDiskKeys},
    {.name = "max-run", .help = "How long.", .kind = Kind::duration},
    {.name = "until", .help = "Till when.", .kind = Kind::timestamp},
    {.name = "description", .help = "Any text."},
    {.name = "autocheckpoint-enabled", .help = "Save before maintenance.", .kind = Kind::toggle, .track = Track::alpha},
    {.name = "secret-switch", .help = "Not for you.", .kind = Kind::toggle, .hidden = true},
};

inline constexpr Rule kCreateRules[] = {{Rule::at_most_one, {"accelerator-type", "topology type"}}};

inline constexpr Flag kQueueFlags[] = {
    {.name = "node-id", .help = "Its name."},
    {.name = "node-count", .help = "How many nodes.", .kind = Kind::integer, .least = 2},
    {.name = "node-prefix", .help = "Beginning of their names."},
    {.name = "after", .help = "Not before.", .kind = Kind::duration},
    {.name = "before", .help = "Not after.", .kind = Kind::duration},
    {.name = "now", .help = "At once.", .kind = Kind::toggle},
};
inline constexpr Rule kQueueRules[] = {
    {Rule::exactly_one, {"node-id", "node-count : node-prefix"}},
    {Rule::at_most_one, {"now", ": after before"}},
};

inline constexpr Positional kName[] = {{.name = "TPU", .help = "Its name.", .source = Source::node}};
inline constexpr Positional kFiles[] = {{.name = "SOURCE", .help = "What."},
                                        {.name = "DST", .help = "Where to.", .many = true}};
inline constexpr Positional kMaybe[] = {
    {.name = "SECTION", .help = "Which.", .source = Source::property, .required = false}};

inline constexpr auto kListRows = join(std::array{Flag{.name = "zone", .help = "The zone."}}, kListFlags);

inline constexpr Example kCreateExamples[] = {
    {"Make one:", "tpuctl tpu-vm create my-tpu --zone=us-central2-b --version=tpu-ubuntu2204-base"}};

inline constexpr Command kVmCommands[] = {
    {.name = "create",
     .help = "Make a TPU VM",
     .about = "Makes it.\n\nThen waits.",
     .examples = kCreateExamples,
     .positionals = kName,
     .flags = kCreateFlags,
     .rules = kCreateRules,
     .run = handler_ok},
    {.name = "delete", .help = "Delete a TPU VM", .positionals = kName, .run = handler_ok},
    {.name = "describe", .help = "Show a TPU VM", .positionals = kName, .run = handler_ok},
    {.name = "list", .help = "List TPU VMs", .flags = kListRows, .run = handler_ok},
    {.name = "ssh",
     .help = "Open a shell",
     .positionals = kName,
     .rest = "ARGS",
     .run = handler_ok,
     .remote_codes = true},
    {.name = "scp", .help = "Copy files", .positionals = kFiles, .run = handler_ok, .remote_codes = true},
    {.name = "attach-disk", .help = "Attach a disk", .positionals = kName, .run = handler_ok, .track = Track::alpha},
};
inline constexpr Command kQueueCommands[] = {
    {.name = "create",
     .help = "Ask for TPUs",
     .positionals = kName,
     .flags = kQueueFlags,
     .rules = kQueueRules,
     .run = handler_ok},
};
inline constexpr Command kConfigCommands[] = {
    {.name = "list", .help = "List properties", .positionals = kMaybe, .run = handler_ok},
    {.name = "run", .help = "Run it", .rest = "COMMAND", .rest_required = true, .run = handler_ok},
};
inline constexpr Command kGroups[] = {
    {.name = "tpu-vm", .help = "TPU VMs", .commands = kVmCommands},
    {.name = "queued-resources", .help = "Requests for TPUs", .commands = kQueueCommands},
    {.name = "config", .help = "Properties", .commands = kConfigCommands},
    {.name = "secret", .help = "Nothing", .run = handler_ok, .hidden = true},
};
inline constexpr Example kRootExamples[] = {{"List what is there:", "tpuctl tpu-vm list"},
                                            {"Make one:", "tpuctl tpu-vm create my-tpu"}};
inline constexpr Command kRoot{
    .name = "tpuctl", .help = "A command line for Cloud TPU", .examples = kRootExamples, .commands = kGroups};

inline Parsed parse_words(const std::vector<std::string>& words, std::string_view program = "tpuctl") {
  Parsed parsed;
  parse(kRoot, kGlobalFlags, program, words, parsed);
  return parsed;
}

/// "TEXT" of the Error that parsing throws; "" when it throws none.
inline std::string usage_error(const std::vector<std::string>& words, std::string_view program = "tpuctl") {
  try {
    const Parsed parsed = parse_words(words, program);
    if (parsed.want == Want::command) check_track(parsed.args, parsed.args.spelling != Spelling::ga);
    return "";
  } catch (const Error& error) {
    return error.kind == tpuctl::Kind::usage ? error.what() : std::string("wrong kind: ") + error.what();
  }
}

}  // namespace tpuctl::cli::test
