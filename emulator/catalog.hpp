// SPDX-License-Identifier: Apache-2.0
// What the emulated Cloud TPU offers: zones, accelerator types up to v6e, runtime versions. Every zone has every type.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tpuctl::emulator {

struct Accelerator {
  std::string type;      ///< v4-8
  std::string kind;      ///< V4, as in AcceleratorConfig.type
  std::string topology;  ///< 2x2x1
  int chips = 0;
  int workers = 0;       ///< hosts of the slice
};

const std::vector<std::string>& zones();
const std::vector<Accelerator>& accelerators();
const std::vector<std::string>& runtime_versions();
/// Of the retired TPU Nodes (v1 tensorflowVersions), which gcloud's `versions list` still asks for.
const std::vector<std::string>& tensorflow_versions();

bool is_zone(std::string_view zone);
bool is_runtime_version(std::string_view version);
const Accelerator* find_accelerator(std::string_view type);                               ///< nullptr: no such type
const Accelerator* find_accelerator(std::string_view kind, std::string_view topology);

}  // namespace tpuctl::emulator
