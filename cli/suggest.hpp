// SPDX-License-Identifier: Apache-2.0
// "Did you mean": the nearest known word. The guess is named, never run.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tpuctl::cli {

/// The candidate nearest to `wrong`, or "": at most two edits away (or a third of its length), or one is the beginning
/// of the other. Case, - and _ do not count.
std::string nearest(std::string_view wrong, const std::vector<std::string>& candidates);

/// As nearest, but first words of other tools that mean one of the candidates: ls, rm, get, ps, ...
std::string nearest_command(std::string_view wrong, const std::vector<std::string>& candidates);

/// Insertions, deletions, replacements and swaps of neighbours that turn `a` into `b`.
std::size_t edit_distance(std::string_view a, std::string_view b);

}  // namespace tpuctl::cli
