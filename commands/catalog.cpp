// SPDX-License-Identifier: Apache-2.0
// What the service offers: accelerator types, runtime versions, topologies, locations, reservations.
#include "commands/catalog.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "cli/globals.hpp"
#include "commands/groups.hpp"
#include "commands/node_flags.hpp"
#include "commands/resource.hpp"

namespace tpuctl::commands {

namespace {

using cli::Args;
using cli::Command;
using cli::Frame;
using cli::Positional;

constexpr Resource kAcceleratorTypes = {.collection = "acceleratorTypes",
                                        .what = "accelerator_type",
                                        .positional = "ACCELERATOR_TYPE",
                                        .columns = "table(type:label=ACCELERATOR_TYPE:sort=1)"};
constexpr Resource kVersions = {.collection = "runtimeVersions",
                                .what = "runtime_version",
                                .positional = "VERSION",
                                .columns = "table(version:label=RUNTIME_VERSION:sort=1)"};

// As gcloud: a row per shape of a type, by the number in the type's name.
std::vector<Json> topologies_of(const std::vector<Json>& types) {
  std::vector<std::pair<std::int64_t, Json>> sized;
  for (const Json& type : types) {
    const std::string name = type["type"].text();
    const auto dash = name.find('-');
    const auto size = dash == std::string::npos ? 0 : text::parse_int(name.substr(dash + 1, name.find('-', dash + 1) - dash - 1)).value_or(0);
    for (const Json& config : type["acceleratorConfigs"].items()) {
      sized.emplace_back(size, Json{{"topology", config["topology"]}, {"type", config["type"]}, {"acceleratorType", name}});
    }
  }
  std::stable_sort(sized.begin(), sized.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<Json> rows;
  for (auto& [size, row] : sized) rows.push_back(std::move(row));
  return rows;
}

constexpr Resource kTopologies = {
    .collection = "acceleratorTypes",
    .what = "topology",
    .positional = "ACCELERATOR_TYPE",
    .columns = "table(topology:label=TOPOLOGY, type:label=TYPE:sort=1, acceleratorType:label=ACCELERATOR_TYPE)",
    .arranged = topologies_of};
constexpr Resource kLocations = {.collection = "locations",
                                 .what = "location",
                                 .positional = "LOCATION",
                                 .columns = "table(locationId:label=LOCATION:sort=1, name:label=LOCATION_NAME)",
                                 .fixed_version = "v1"};
constexpr Resource kReservations = {
    .collection = "reservations",
    .what = "reservation",
    .positional = "RESERVATION",
    .columns = "table(name.basename(), name.segment(-3):label=ZONE, standard.size:label=SIZE, "
               "standard.capacityUnits:label=CAPACITY_UNITS, standard.resourceType:label=RESOURCE_TYPE, "
               "standard.interval.startTime:label=START_TIME, standard.interval.endTime:label=END_TIME, "
               "standard.usage.total:label=USAGE)"};

constexpr auto kListFlags = cli::join(std::array{kListZone, kAllZones}, cli::kListFlags);
constexpr Flag kDescribeFlags[] = {kZone};

constexpr Positional kType[] = {
    {.name = "ACCELERATOR_TYPE", .help = "Name of the accelerator type.", .source = Source::accelerator_type}};
constexpr Positional kVersion[] = {
    {.name = "VERSION", .help = "Name of the runtime version.", .source = Source::runtime_version}};
constexpr Positional kLocation[] = {{.name = "LOCATION", .help = "Name of the zone.", .source = Source::location}};

int run_describe_location(Frame& frame, const Args& args) {
  Context context(frame, args);
  return with_credential_words(context, [&] {
    const api::Name name{context.project("location"), args.positional("LOCATION"), "", ""};
    context.print(context.tpu("v1").get(name), "yaml");
    return 0;
  });
}

constexpr Command kTypeVerbs[] = {
    {.name = "describe", .help = "Show an accelerator type", .positionals = kType, .flags = kDescribeFlags,
     .run = run_describe<kAcceleratorTypes>},
    {.name = "list", .help = "List accelerator types", .flags = kListFlags, .run = run_list<kAcceleratorTypes>}};
constexpr Command kVersionVerbs[] = {
    {.name = "describe", .help = "Show a runtime version", .positionals = kVersion, .flags = kDescribeFlags,
     .run = run_describe<kVersions>},
    {.name = "list", .help = "List runtime versions", .flags = kListFlags, .run = run_list<kVersions>}};
constexpr Command kTopologyVerbs[] = {
    {.name = "list", .help = "List topologies with their types", .flags = kListFlags, .run = run_list<kTopologies>}};
constexpr Command kLocationVerbs[] = {
    {.name = "describe", .help = "Show a zone", .positionals = kLocation, .run = run_describe_location},
    {.name = "list", .help = "List the zones that have TPUs", .flags = cli::kListFlags, .run = run_list<kLocations>}};
constexpr Command kReservationVerbs[] = {
    {.name = "list", .help = "List reservations", .flags = kListFlags, .run = run_list<kReservations>, .track = Track::alpha}};

}  // namespace

constinit const std::array<Command, 5> kCatalog = {
    Command{.name = "accelerator-types", .help = "Types and sizes of TPUs", .commands = kTypeVerbs},
    Command{.name = "versions", .help = "Versions of the TPU software", .commands = kVersionVerbs},
    Command{.name = "topologies", .help = "Physical shapes of TPUs", .commands = kTopologyVerbs},
    Command{.name = "locations", .help = "Zones that have TPUs", .commands = kLocationVerbs},
    Command{.name = "reservations", .help = "Capacity that is reserved", .commands = kReservationVerbs},
};

}  // namespace tpuctl::commands
