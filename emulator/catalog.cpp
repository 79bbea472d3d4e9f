// SPDX-License-Identifier: Apache-2.0
#include "emulator/catalog.hpp"

#include <algorithm>

#include "base/text.hpp"

namespace tpuctl::emulator {

namespace {
/// One generation: how types are named and how many units of the name make a chip and a host.
struct Generation {
  const char* prefix;
  const char* kind;
  int units_per_chip;  ///< v2 to v5p count TensorCores, v5e and v6e chips
  const char* sizes;   ///< "8=2x2": units and topology
};

constexpr Generation kGenerations[] = {
    {"v2", "V2", 2, "8=2x2 32=4x4 128=8x8 256=8x16 512=16x16"},
    {"v3", "V3", 2, "8=2x2 32=4x4 64=4x8 128=8x8 256=8x16 512=16x16 1024=16x32 2048=32x32"},
    {"v4", "V4", 2,
     "8=2x2x1 16=2x2x2 32=2x2x4 64=2x4x4 128=4x4x4 256=4x4x8 512=4x8x8 1024=8x8x8 2048=8x8x16 4096=8x16x16"},
    {"v5litepod", "V5LITE_POD", 1, "1=1x1 4=2x2 8=2x4 16=4x4 32=4x8 64=8x8 128=8x16 256=16x16"},
    {"v5p", "V5P", 2,
     "8=2x2x1 16=2x2x2 32=2x2x4 64=2x4x4 128=4x4x4 256=4x4x8 512=4x8x8 1024=8x8x8 2048=8x8x16 4096=8x16x16"},
    {"v6e", "V6E", 1, "1=1x1 4=2x2 8=2x4 16=4x4 32=4x8 64=8x8 128=8x16 256=16x16"},
};

int workers_of(const Generation& generation, int units) {
  if (generation.units_per_chip == 2) return std::max(1, units / 8);
  return units <= 8 ? 1 : units / 4;
}

std::vector<Accelerator> make_accelerators() {
  std::vector<Accelerator> out;
  for (const Generation& generation : kGenerations) {
    for (const std::string& size : text::split(generation.sizes, ' ')) {
      const auto equals = size.find('=');
      const int units = static_cast<int>(*text::parse_int(size.substr(0, equals)));
      out.push_back({std::string(generation.prefix) + "-" + size.substr(0, equals), generation.kind,
                     size.substr(equals + 1), std::max(1, units / generation.units_per_chip),
                     workers_of(generation, units)});
    }
  }
  return out;
}
}  // namespace

const std::vector<std::string>& zones() {
  static const std::vector<std::string> list = {
      "asia-east1-c",  "asia-northeast1-b", "asia-southeast1-b", "europe-west4-a", "europe-west4-b",
      "us-central1-a", "us-central1-b",     "us-central1-c",     "us-central1-f",  "us-central2-b",
      "us-east1-c",    "us-east1-d",        "us-east5-a",        "us-east5-b",     "us-east5-c",
      "us-south1-a",   "us-west1-c",        "us-west4-a",        "us-west4-b"};
  return list;
}

const std::vector<Accelerator>& accelerators() {
  static const std::vector<Accelerator> list = make_accelerators();
  return list;
}

const std::vector<std::string>& runtime_versions() {
  static const std::vector<std::string> list = {
      "tpu-ubuntu2204-base",   "tpu-vm-base",           "tpu-vm-pt-2.0",         "tpu-vm-tf-2.8.0",           "tpu-vm-tf-2.10.0",
      "tpu-vm-tf-2.14.0-pod",  "tpu-vm-tf-2.16.1-pjrt", "tpu-vm-tf-2.17.0-pjrt", "tpu-vm-tf-2.17.1-pjrt",     "tpu-vm-tf-2.17.1-pod-pjrt",
      "tpu-vm-v4-base",        "tpu-vm-v4-pt-2.0",      "v2-alpha",              "v2-alpha-pod",              "v2-alpha-tpuv4",
      "v2-alpha-tpuv5",        "v2-alpha-tpuv5-lite",   "v2-alpha-tpuv6e",       "v2-tpuv5-litepod"};
  return list;
}

const std::vector<std::string>& tensorflow_versions() {
  static const std::vector<std::string> list = {"2.8.0", "2.10.0", "2.12.0", "2.15.0", "nightly", "pytorch-1.13", "pytorch-2.0"};
  return list;
}

bool is_zone(std::string_view zone) { return std::find(zones().begin(), zones().end(), zone) != zones().end(); }

bool is_runtime_version(std::string_view version) {
  const auto& list = runtime_versions();
  return std::find(list.begin(), list.end(), version) != list.end();
}

const Accelerator* find_accelerator(std::string_view type) {
  for (const Accelerator& accelerator : accelerators()) {
    if (accelerator.type == type) return &accelerator;
  }
  return nullptr;
}

const Accelerator* find_accelerator(std::string_view kind, std::string_view topology) {
  for (const Accelerator& accelerator : accelerators()) {
    if (accelerator.kind == kind && accelerator.topology == topology) return &accelerator;
  }
  return nullptr;
}

}  // namespace tpuctl::emulator
