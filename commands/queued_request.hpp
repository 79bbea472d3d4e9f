// SPDX-License-Identifier: Apache-2.0
// A request for queued machines: the rows that `queued-resources create` and `jobs submit` share, and the body they make. Who
// the nodes are (one, or the slices of a multislice) is each command's own.
#pragma once

#include "commands/body.hpp"
#include "commands/context.hpp"
#include "commands/node_flags.hpp"

namespace tpuctl::commands {

inline constexpr std::string_view kRequestNode = "/tpu/nodeSpec/0/node";

inline constexpr cli::Key kNetworkConfigKeys[] = {{.name = "network", .field = "/network"},
                                                   {.name = "subnetwork", .field = "/subnetwork"},
                                                   {.name = "external-ips", .field = "/enableExternalIps", .kind = Kind::toggle}};

inline constexpr Flag kMachineFlags[] = {
    kZone,
    {.name = "runtime-version", .help = "Runtime version of the TPU software. See `tpuctl versions list`.",
     .field = "runtimeVersion", .required = true, .source = Source::runtime_version},
    kAcceleratorType,
    kShieldedSecureBoot};
inline constexpr Flag kQueueFlags[] = {
    {.name = "network-config", .help = "A network interface.", .kind = Kind::dicts,
     .value = "network=NETWORK,subnetwork=SUBNETWORK,external-ips=BOOL", .field = "networkConfigs", .keys = kNetworkConfigKeys,
     .track = Track::alpha},
    {.name = "spot", .help = "Ask for spot capacity: cheaper, and taken back with about 30 s of notice.", .kind = Kind::marker,
     .field = "/spot"},
    {.name = "guaranteed", .help = "Ask for the guaranteed tier.", .kind = Kind::marker, .field = "/guaranteed"},
    {.name = "best-effort", .help = "Ask for the best-effort tier.", .kind = Kind::marker, .field = "/bestEffort",
     .track = Track::alpha},
    {.name = "min-duration", .help = "Shortest time the guaranteed tier must last.", .field = "/guaranteed/minDuration",
     .hidden = true},
    {.name = "reserved", .help = "Take the capacity from any reservation of the project.", .kind = Kind::toggle},
    {.name = "reservation-host-project", .help = "Project whose reservations are used.", .value = "PROJECT"},
    {.name = "reservation-host-folder", .help = "Folder whose reservations are used.", .value = "FOLDER"},
    {.name = "reservation-host-organization", .help = "Organization whose reservations are used.", .value = "ORGANIZATION"},
    {.name = "provisioning-model", .help = "How the capacity is obtained; default: standard, or spot with --spot.",
     .kind = Kind::choice, .field = "/provisioningModel", .choices = "standard,spot,reservation-bound,flex-start",
     .track = Track::alpha},
    {.name = "max-run-duration", .help = "The service deletes the nodes after this time.", .kind = Kind::duration,
     .field = "/runDuration/maxRunDuration", .track = Track::alpha},
    {.name = "valid-after-duration", .help = "Provision no sooner than this long from now.", .kind = Kind::duration},
    {.name = "valid-after-time", .help = "Provision no sooner than at this time.", .kind = Kind::timestamp},
    {.name = "valid-until-duration", .help = "Give the request up when it is not provisioned after this long.",
     .kind = Kind::duration},
    {.name = "valid-until-time", .help = "Give the request up when it is not provisioned at this time.", .kind = Kind::timestamp}};
inline constexpr cli::Rule kAcceleratorRule[] = {
    {.need = cli::Rule::exactly_one, .alternatives = {kAcceleratorChoice, kTopologyChoice}}};
inline constexpr cli::Rule kQueueRules[] = {
    {.alternatives = {"network-config", ": network subnetwork internal-ips"}},
    {.alternatives = {"spot", "guaranteed", "best-effort"}},
    {.alternatives = {"reservation-host-project", "reservation-host-folder", "reservation-host-organization", "reservation"}},
    {.alternatives = {"valid-after-duration", "valid-after-time"}},
    {.alternatives = {"valid-until-duration", "valid-until-time"}},
};

/// The request but for the nodes' names, from the command line's rows (kMachineFlags, kQueueFlags, kNodeFlags).
Json queued_request(const Context& context, const api::Name& name, const BodyPlace& place);

}  // namespace tpuctl::commands
