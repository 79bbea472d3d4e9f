// SPDX-License-Identifier: Apache-2.0
// The flags that TPU VMs and queued resources share, each once. A field without a leading slash lies in the node: the body
// prefix ("" for a TPU VM, "/tpu/nodeSpec/0/node" for a queued resource) is the only difference.
#pragma once

#include "cli/command.hpp"

namespace tpuctl::commands {

using cli::Flag;
using cli::Kind;
using cli::Source;
using cli::Track;

inline constexpr Flag kZone = {
    .name = "zone", .help = "Zone of the resource. Overrides the property compute/zone.", .source = Source::zone};
inline constexpr Flag kListZone = {
    .name = "zone", .help = "Zone to list; - lists all zones. Overrides the property compute/zone.", .source = Source::zone};
inline constexpr Flag kAllZones = {.name = "all-zones", .help = "List all zones, as --zone=- does.", .kind = Kind::toggle};
inline constexpr Flag kAsync = {.name = "async",
                                .help = "Return at once and leave the operation to run in the background.",
                                .kind = Kind::toggle};
inline constexpr Flag kDryRun = {.name = "dry-run",
                                 .help = "Print the request (method, URL and JSON body) and send nothing that changes the cloud.",
                                 .kind = Kind::toggle};
consteval Flag with_fallback(Flag row, std::string_view fallback) {
  row.fallback = fallback;
  return row;
}

inline constexpr Flag kTimeout = {.name = "timeout",
                                  .help = "How long to wait at most; what is waited for goes on in the cloud.",
                                  .kind = Kind::duration};
/// Of a command that waits for an operation; gcloud gives up then too.
inline constexpr Flag kOperationTimeout = with_fallback(kTimeout, "30m");

inline constexpr cli::Key kDataDiskKeys[] = {
    {.name = "source", .field = "/sourceDisk", .required = true},
    {.name = "mode", .field = "/mode", .kind = Kind::choice, .choices = "read-write,read-only"}};
inline constexpr cli::Key kBootDiskKeys[] = {
    {.name = "confidential-compute", .field = "/enableConfidentialCompute", .kind = Kind::toggle},
    {.name = "kms-key", .field = "/customerEncryptionKey/kmsKeyName"}};

inline constexpr Flag kAcceleratorType = {
    .name = "accelerator-type",
    .help = "Type and size of the accelerator, such as v5litepod-16. See `tpuctl accelerator-types list`.",
    .kind = Kind::lowered, .field = "acceleratorType", .source = Source::accelerator_type};

inline constexpr Flag kNodeFlags[] = {
    {.name = "type",
     .help = "TPU generation; goes with --topology.",
     .kind = Kind::choice, .field = "acceleratorConfig/type", .choices = "v2,v3,v4",
     .alpha_choices = "v5litepod=V5LITE_POD,v5p,v6e"},
    {.name = "topology", .help = "Physical topology of the slice, such as 2x2x2; goes with --type.", .kind = Kind::lowered,
     .field = "acceleratorConfig/topology"},
    {.name = "network", .help = "Network that the TPU joins.", .field = "networkConfig/network", .fallback = "default"},
    {.name = "subnetwork", .help = "Subnetwork that the TPU joins.", .field = "networkConfig/subnetwork"},
    {.name = "internal-ips", .help = "Give the workers no external IP addresses.", .kind = Kind::inverse,
     .field = "networkConfig/enableExternalIps", .always = true},
    {.name = "range", .help = "CIDR range of the TPU's addresses.", .value = "RANGE", .field = "cidrBlock"},
    {.name = "description", .help = "Text that describes the TPU.", .field = "description"},
    {.name = "labels", .help = "Labels to attach.", .kind = Kind::map, .value = "KEY=VALUE", .field = "labels"},
    {.name = "tags", .help = "Network tags, for firewall rules.", .kind = Kind::list, .value = "TAG", .field = "tags"},
    {.name = "metadata", .help = "Metadata for the workers.", .kind = Kind::map, .value = "KEY=VALUE"},
    {.name = "metadata-from-file", .help = "Metadata whose values are the contents of local files.", .kind = Kind::map,
     .value = "KEY=LOCAL_FILE_PATH", .source = Source::file},
    {.name = "service-account", .help = "Service account of the workers; default: the project's Compute Engine account.",
     .field = "serviceAccount/email"},
    {.name = "scopes", .help = "Access scopes of the service account.", .kind = Kind::list, .value = "SCOPE",
     .field = "serviceAccount/scope"},
    {.name = "data-disk",
     .help = "Persistent disk to attach: source=projects/P/zones/Z/disks/NAME[,mode=read-write|read-only].",
     .kind = Kind::dicts, .value = "source=SOURCE,[mode=MODE]", .field = "dataDisks", .keys = kDataDiskKeys},
    {.name = "autocheckpoint-enabled",
     .help = "Switch Autocheckpoint on: before host maintenance the processes on the TPU get SIGTERM and up to five minutes to "
             "save a checkpoint. It can only be chosen here, at creation, and does not cover spot reclaim (about 30 s of "
             "notice).",
     .kind = Kind::toggle, .field = "autocheckpointEnabled", .always = true, .track = Track::alpha},
    {.name = "boot-disk", .help = "Settings of the boot disk.", .kind = Kind::dict,
     .value = "confidential-compute=BOOL,kms-key=KEY", .field = "bootDiskConfig", .keys = kBootDiskKeys, .track = Track::alpha},
    {.name = "reservation", .help = "Reservation to take the capacity from: a name, or a full name.",
     .track = Track::alpha, .source = Source::reservation},
};

inline constexpr Flag kShieldedSecureBoot = {.name = "shielded-secure-boot", .help = "Boot with secure boot on.",
                                             .kind = Kind::toggle, .field = "shieldedInstanceConfig/enableSecureBoot"};

/// The same row, sent also when the flag was not given.
consteval Flag sent_always(Flag row) {
  row.always = true;
  return row;
}
/// The rows, that one of them in v2alpha1 only.
template <std::size_t Count>
consteval std::array<Flag, Count> alpha_only(const Flag (&rows)[Count], std::string_view name) {
  auto out = std::to_array(rows);
  for (Flag& row : out) {
    if (row.name == name) row.track = Track::alpha;
  }
  return out;
}

inline constexpr std::string_view kAcceleratorChoice = "accelerator-type";
inline constexpr std::string_view kTopologyChoice = "topology type";

}  // namespace tpuctl::commands
