// SPDX-License-Identifier: Apache-2.0
// Checkpoints that lie in Cloud Storage: workers cannot list them as files, this machine asks the service.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/storage.hpp"
#include "launch/checkpoints.hpp"
#include "launch/frameworks.hpp"

namespace tpuctl::launch {

/// The step of an entry of a checkpoint folder: letters and dashes, then the number, and nothing behind it ("step_000120",
/// "120"). A staging name has something behind it. The rule is supervisor.sh's for files.
std::optional<long> step_of_entry(std::string_view name);

/// The committed checkpoints right below `folder` (gs://BUCKET/PATH), at most the newest hundred. A checkpoint that is one
/// object is committed when it is there; one that is a folder when the framework's marker is in it, for a framework without
/// markers when anything is. Throws what the service says.
std::vector<Checkpoint> list_checkpoints(api::Storage& storage, const std::string& folder, const Framework& framework);

}  // namespace tpuctl::launch
