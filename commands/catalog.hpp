// SPDX-License-Identifier: Apache-2.0
// The groups of the catalogue, for the root and (types and versions) for tpu-vm, where gcloud has them too.
#pragma once

#include <array>

#include "cli/command.hpp"

namespace tpuctl::commands {

/// accelerator-types, versions, topologies, locations, reservations. Initialised before anything runs, so that other rows
/// may copy it.
extern const std::array<cli::Command, 5> kCatalog;

}  // namespace tpuctl::commands
