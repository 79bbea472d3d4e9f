// SPDX-License-Identifier: Apache-2.0
// tpu-vm update, attach-disk and detach-disk: rows and handlers.
#pragma once

#include "cli/command.hpp"
#include "commands/node_flags.hpp"

namespace tpuctl::commands {

inline constexpr Flag kWorkersOfDisk = {.name = "worker",
                                        .help = "Workers the disk is for: a list like 0,2, or all.",
                                        .value = "WORKER_ID",
                                        .track = Track::alpha};
inline constexpr Flag kUpdateFlags[] = {
    kZone,
    {.name = "description", .help = "New description."},
    {.name = "internal-ips", .help = "Take the external IP addresses away; --no-internal-ips gives some.", .kind = Kind::inverse},
    // A row only so that whoever tries hears why not: the API takes it at creation and never again.
    {.name = "autocheckpoint-enabled", .help = "Cannot be changed.", .kind = Kind::toggle, .hidden = true},
    {.name = "update-labels", .help = "Labels to add or change.", .kind = Kind::map, .value = "KEY=VALUE"},
    {.name = "clear-labels", .help = "Remove all labels first.", .kind = Kind::toggle},
    {.name = "remove-labels", .help = "Labels to remove.", .kind = Kind::list, .value = "KEY"},
    {.name = "add-tags", .help = "Tags to add.", .kind = Kind::list, .value = "TAG"},
    {.name = "clear-tags", .help = "Remove all tags first.", .kind = Kind::toggle},
    {.name = "remove-tags", .help = "Tags to remove.", .kind = Kind::list, .value = "TAG"},
    {.name = "metadata-from-file", .help = "Replace all metadata by the contents of local files.", .kind = Kind::map,
     .value = "KEY=LOCAL_FILE_PATH", .source = Source::file},
    {.name = "update-metadata", .help = "Metadata to add or change.", .kind = Kind::map, .value = "KEY=VALUE"},
    {.name = "clear-metadata", .help = "Remove all metadata first.", .kind = Kind::toggle},
    {.name = "remove-metadata", .help = "Metadata to remove.", .kind = Kind::list, .value = "KEY"},
    {.name = "attach-disk", .help = "Persistent disk to attach.", .kind = Kind::dict, .value = "source=SOURCE,[mode=MODE]",
     .keys = kDataDiskKeys},
    {.name = "detach-disk", .help = "Persistent disk to detach, by its full name.", .value = "SOURCE"},
    kWorkersOfDisk,
    kAsync,
    kDryRun,
    kOperationTimeout};
inline constexpr cli::Rule kUpdateRules[] = {
    {.alternatives = {"clear-labels", "remove-labels"}},
    {.alternatives = {"clear-tags", "remove-tags"}},
    {.alternatives = {"clear-metadata", "remove-metadata"}},
    {.alternatives = {"metadata-from-file", ": update-metadata clear-metadata remove-metadata"}},
    {.alternatives = {"attach-disk", "detach-disk"}},
};
inline constexpr Flag kAttachFlags[] = {
    kZone,
    {.name = "disk", .help = "Disk to attach: a name in the TPU VM's zone, or a full name.", .required = true},
    {.name = "mode", .help = "How it may be used.", .kind = Kind::choice, .choices = "read-write,read-only", .fallback = "read-write"},
    kWorkersOfDisk,
    kDryRun,
    kOperationTimeout};
inline constexpr Flag kDetachFlags[] = {
    kZone,
    {.name = "disk", .help = "Disk to detach: a name in the TPU VM's zone, or a full name.", .required = true},
    kDryRun,
    kOperationTimeout};

int run_update(cli::Frame& frame, const cli::Args& args);
int run_attach_disk(cli::Frame& frame, const cli::Args& args);
int run_detach_disk(cli::Frame& frame, const cli::Args& args);

}  // namespace tpuctl::commands
