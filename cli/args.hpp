// SPDX-License-Identifier: Apache-2.0
// What was typed, checked against the rows: every value here has its row's shape, so reading one cannot fail.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/json.hpp"
#include "base/time.hpp"
#include "cli/command.hpp"

namespace tpuctl::cli {

/// How the command line was written: `tpuctl tpu-vm list` is own; with the words `compute tpus` (or as a drop-in for
/// gcloud) it is gcloud's spelling of the release track.
enum class Spelling { own, ga, beta, alpha };

using Pairs = std::vector<std::pair<std::string, std::string>>;

class Args {
 public:
  const Command* command = nullptr;  ///< the leaf
  std::vector<std::string> path;     ///< names from the root to the leaf: {"queued-resources", "create"}
  Spelling spelling = Spelling::own;
  /// The words before the path: {"tpuctl"}, or as a drop-in {"gcloud", "alpha", "compute", "tpus"}.
  std::vector<std::string> program{"tpuctl"};
  std::span<const Flag> globals;  ///< the flags every command takes

  /// Given on the command line.
  bool has(std::string_view flag) const;
  /// Given, or with a fallback in its row.
  bool has_value(std::string_view flag) const;
  bool on(std::string_view flag) const;  ///< toggles; false when not given
  std::optional<bool> toggle(std::string_view flag) const;
  std::string text(std::string_view flag) const;  ///< last occurrence or the row's fallback or ""; choices as listed
  std::optional<std::int64_t> integer(std::string_view flag) const;
  std::vector<std::string> list(std::string_view flag) const;  ///< list and repeated
  Pairs map(std::string_view flag) const;                      ///< map and dict
  std::vector<Pairs> dicts(std::string_view flag) const;
  std::optional<Duration> duration(std::string_view flag) const;
  std::optional<TimePoint> timestamp(std::string_view flag, TimePoint now) const;

  std::string positional(std::string_view name) const;  ///< first, or ""
  std::vector<std::string> positionals(std::string_view name) const;
  const std::vector<std::string>& rest() const { return rest_; }

  /// The flags that were typed, as if() of a projection knows them: {"all_zones": true, "zone": "-"}.
  Json typed_flags() const;

  /// "tpuctl.queued-resources.create": what error lines carry.
  std::string dotted() const;
  /// "tpuctl queued-resources create": for sentences that name a command to run.
  std::string typed() const;
  /// The command's row or the global one; nullptr when the command has no such flag.
  const Flag* row(std::string_view flag) const;
  std::span<const Flag> rows() const { return command ? command->flags : std::span<const Flag>(); }

  // Filled by cli/parse only.
  struct Given {
    const Flag* flag;
    std::vector<std::string> values;  ///< every occurrence, in order; toggles as "true"/"false"
  };
  std::vector<Given> given;
  std::vector<std::pair<std::string_view, std::vector<std::string>>> given_positionals;
  std::vector<std::string> rest_;

 private:
  const std::vector<std::string>* values(std::string_view flag) const;
};

/// Splits gcloud's list notation: commas, or the delimiter of a leading ^D^ (may be several characters). One delimiter
/// at the end is dropped. Throws Error{usage} for "^^".
std::vector<std::string> split_list(std::string_view text);
/// As split_list, then KEY=VALUE each. Throws Error{usage} naming the piece that is none.
Pairs split_map(std::string_view text);
/// A point in time as gcloud reads it: RFC 3339, "2029-01-02", "2029-01-02T03:04" (local time without an offset),
/// +P1D / -1h / PT5M relative to `now`.
std::optional<TimePoint> parse_time(std::string_view text, TimePoint now);
/// The choice of `flag` that `text` means (any case, - equals _), as listed; empty when it is none of them.
std::optional<std::string_view> find_choice(std::string_view choices, std::string_view text);
/// The name on the wire of a listed choice: its explicit one, else upper case with _ for -.
std::string wire_choice(std::string_view choices, std::string_view listed);
/// The listed names, in order.
std::vector<std::string_view> choice_names(std::string_view choices);

}  // namespace tpuctl::cli
