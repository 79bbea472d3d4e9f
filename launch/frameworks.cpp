// SPDX-License-Identifier: Apache-2.0
#include "launch/frameworks.hpp"

#include "base/file.hpp"
#include "base/text.hpp"

namespace tpuctl::launch {

namespace {

// MaxText saves at SIGTERM only with both since 2026-03-31 (v0.2.2). From 2025-12-15 on (v0.2.0, v0.2.1) it stopped with nothing
// saved, whatever was set; before, Orbax's own rule saved.
constexpr std::string_view kMaxTextNeeds[] = {"enable_checkpointing=true", "enable_autocheckpoint=true"};
constexpr Release kMaxTextReleases[] = {
    {.knows = "enable_autocheckpoint", .needs = kMaxTextNeeds},
    {.knows = "enable_continuous_checkpointing", .needs = std::span(kMaxTextNeeds, 1),
     .trouble = "This MaxText (v0.2.0 or v0.2.1) stops at SIGTERM and saves nothing, whatever is set: take v0.2.2 or newer"},
    {.knows = "", .needs = std::span(kMaxTextNeeds, 1)}};
constexpr std::string_view kMaxTextSettings[] = {"src/maxtext/configs/base.yml", "src/MaxText/configs/base.yml", "MaxText/configs/base.yml",
                                                 "configs/base.yml"};
// Without the first Pax does not start the preemption service; without the second it trains on and the five minutes run out.
constexpr std::string_view kPaxNeeds[] = {"jax_fully_async_checkpoint=1|jax_fully_async_checkpoint=true|jax_fully_async_checkpoint ",
                                          "exit_after_ondemand_checkpoint=1|exit_after_ondemand_checkpoint=true|"
                                          "exit_after_ondemand_checkpoint "};

constexpr std::string_view kOrbaxCommit = "commit_success.txt";  // Orbax's, which MaxText and Pax use

constexpr Framework kFrameworks[] = {
    {.name = "generic",
     .help = "any program that logs `step N` and catches SIGTERM",
     .step = "[Ss]tep[ =:#]*[0-9]+",
     .resume = "([Rr]esum|[Rr]estor|[Ss]tarting from).*[Ss]tep[ =:#]*[0-9]+",
     .saved = "([Ss]aved|[Ss]aving|[Cc]heckpoint).*[Ss]tep[ =:#]*[0-9]+",
     .notice = "SIGTERM"},
    {.name = "maxtext",
     .help = "MaxText; needs enable_checkpointing=true enable_autocheckpoint=true",
     .step = "completed step: *[0-9]+",
     .resume = "([Rr]esum|[Rr]estor).*[0-9]+",
     .saved = "[Ss]aved.*checkpoint.*[0-9]+",
     .notice = "SIGTERM caught at|received termination signal|Job is preempted",
     .notice_decides = true,
     .needs = kMaxTextNeeds,
     .settings = kMaxTextSettings,
     .releases = kMaxTextReleases,
     .commit = kOrbaxCommit},
    {.name = "pax",
     .help = "Pax; needs --jax_fully_async_checkpoint=1 --exit_after_ondemand_checkpoint=1",
     .step = "[Ss]tep[ =:]*[0-9]+",
     .resume = "[Rr]estor.*step[ =:]*[0-9]+",
     .saved = "[Ss]av(ed|ing).*checkpoint.*[0-9]+",
     .notice = "SIGTERM caught at|Reached preemption sync point",
     .notice_decides = true,
     .needs = kPaxNeeds,
     .commit = kOrbaxCommit},
    {.name = "orbax",
     .help = "Orbax CheckpointManager in a JAX loop: save every step, leave on reached_preemption(step)",
     .step = "[Ss]tep[ =:]*[0-9]+",
     .resume = "([Rr]esum|[Rr]estor).*step[ =:]*[0-9]+",
     .saved = "([Ss]av(ed|ing)|[Ff]inished).*checkpoint.*[0-9]+",
     .notice = "SIGTERM caught at|Reached preemption sync point",
     .notice_decides = true,
     .commit = kOrbaxCommit},
};

}  // namespace

std::span<const Framework> frameworks() { return kFrameworks; }

const Framework* find_framework(std::string_view name) {
  for (const Framework& row : kFrameworks) {
    if (row.name == name) return &row;
  }
  return nullptr;
}

const Release* find_release(const Framework& framework, const std::string& folder) {
  if (folder.empty()) return nullptr;
  for (const std::string_view place : framework.settings) {
    const auto text = file::read_if_exists(file::join(folder, std::string(place)));
    if (!text) continue;
    for (const Release& release : framework.releases) {
      if (text->find(release.knows) != std::string::npos) return &release;
    }
  }
  return nullptr;
}

std::vector<std::string> lint(const Framework& framework, const std::string& command, const Release* release) {
  const std::string lowered = text::lower(command) + " ";
  std::vector<std::string> missing;
  for (const std::string_view need : release ? release->needs : framework.needs) {
    const auto alternatives = text::split(need, '|');
    bool found = false;
    for (const auto& alternative : alternatives) found = found || lowered.find(alternative) != std::string::npos;
    if (!found) missing.push_back(alternatives[0]);
  }
  return missing;
}

}  // namespace tpuctl::launch
