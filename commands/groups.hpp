// SPDX-License-Identifier: Apache-2.0
// The command groups, one file each; root.cpp puts them together.
#pragma once

#include "cli/command.hpp"
#include "commands/resource.hpp"

namespace tpuctl::commands {

extern const Resource kNode;
extern const Resource kQueuedResource;

extern const cli::Command kTpuVm;
extern const cli::Command kQueuedResources;
extern const cli::Command kOperations;
extern const cli::Command kJobs;
extern const cli::Command kConfig;
extern const cli::Command kConfigurations;
extern const cli::Command kStorage;
extern const cli::Command kAuth;
extern const cli::Command kDoctor;
extern const cli::Command kInit;
extern const cli::Command kEmulator;
extern const cli::Command kStartIapTunnel;
extern const cli::Command kCompletion;
extern const cli::Command kComplete;

/// The whole program as a tree of rows.
const cli::Command& root();

}  // namespace tpuctl::commands
