// SPDX-License-Identifier: Apache-2.0
#include "launch/checkpoint_bucket.hpp"

#include <algorithm>

#include "api/storage_url.hpp"
#include "base/error.hpp"
#include "base/text.hpp"

namespace tpuctl::launch {

namespace {

constexpr std::size_t kNewest = 100;

double seconds_of(const std::string& rfc3339_text) {
  const auto time = parse_rfc3339(rfc3339_text);
  return time ? to_seconds(time->time_since_epoch()) : 0;
}

// When a folder became a checkpoint; nothing while it is none.
std::optional<double> committed(api::Storage& storage, const std::string& bucket, const std::string& folder, const Framework& framework) {
  if (!framework.commit.empty()) {
    const auto marker = storage.find(bucket, folder + std::string(framework.commit));
    return marker ? std::optional(seconds_of(marker->created)) : std::nullopt;
  }
  std::optional<double> newest;
  storage.list({.bucket = bucket, .prefix = folder},
               [&](const api::StoredObject& object) {
                 newest = std::max(newest.value_or(0), seconds_of(object.created));
                 return true;
               },
               [](const std::string&) { return true; });
  return newest;
}

}  // namespace

std::optional<long> step_of_entry(std::string_view name) {
  const auto digits = name.find_first_of("0123456789");
  if (digits == std::string_view::npos || name.find_first_not_of("0123456789", digits) != std::string_view::npos) return {};
  const std::string_view letters = name.substr(0, digits);
  const bool plain = std::all_of(letters.begin(), letters.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '-';
  });
  const auto step = plain ? text::parse_int(name.substr(digits)) : std::nullopt;
  return step ? std::optional<long>(*step) : std::nullopt;
}

std::vector<Checkpoint> list_checkpoints(api::Storage& storage, const std::string& folder, const Framework& framework) {
  const auto url = api::parse_storage_url(folder);
  if (!url.cloud || url.bucket.empty()) throw Error(Kind::usage, "[" + folder + "] is no gs:// folder.");
  std::string prefix = url.name;
  if (!prefix.empty() && !prefix.ends_with('/')) prefix += '/';
  std::vector<Checkpoint> out;
  std::vector<std::pair<long, std::string>> folders;
  storage.list({.bucket = url.bucket, .prefix = prefix, .one_level = true},
               [&](const api::StoredObject& object) {
                 if (const auto step = step_of_entry(object.name.substr(prefix.size()))) out.push_back({*step, seconds_of(object.created)});
                 return true;
               },
               [&](const std::string& name) {
                 const std::string entry = name.substr(prefix.size());
                 if (const auto step = step_of_entry(entry.substr(0, entry.size() - 1))) folders.emplace_back(*step, name);
                 return true;
               });
  std::sort(folders.rbegin(), folders.rend());
  if (folders.size() > kNewest) folders.resize(kNewest);
  for (const auto& [step, name] : folders) {
    if (const auto time = committed(storage, url.bucket, name, framework)) out.push_back({step, *time});
  }
  return out;
}

}  // namespace tpuctl::launch
