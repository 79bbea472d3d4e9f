// SPDX-License-Identifier: Apache-2.0
// From words to Args. The tree is walked here; CLI11 matches the flags of the one command that was found; the rules
// between flags are checked from the rows.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/args.hpp"
#include "cli/command.hpp"

namespace tpuctl::cli {

/// What the command line asks for.
enum class Want { command, help, short_help, version };

struct Parsed {
  Args args;
  Want want = Want::command;
  const Command* at = nullptr;  ///< the deepest command that was named; the root at least
};

/// Reads the words after argv[0]. `program` is the base name of argv[0]: "gcloud" makes the program a drop-in, anything
/// else is tpuctl. Leading `[alpha|beta] compute tpus` is skipped. Throws Error{usage}; `into` is then filled as far as
/// reading came, so that the error can name the command. Does not look at tracks: see check_track.
void parse(const Command& root, std::span<const Flag> globals, std::string_view program,
           const std::vector<std::string>& words, Parsed& into);

/// Throws Error{usage} when the command, a given flag or a given choice exists in v2alpha1 only and `alpha` is false.
/// `because` is the hint when something else than the spelling chose v2.
void check_track(const Args& args, bool alpha, const std::string& because = {});

/// "Run `tpuctl tpu-vm create --help` for its flags.": the hint of every usage error.
std::string usage_hint(const Args& args);

// The parts, for cli/ only.

/// One flag as typed, its value joined.
struct TypedFlag {
  std::string name;   ///< without dashes; "no-x" as typed
  std::string typed;  ///< the whole word as typed, for messages
  std::optional<std::string> value;
};

/// What the walk over the tree found before any flag is looked at closely.
struct Walk {
  std::vector<TypedFlag> flags;
  std::vector<std::string> positionals;
  bool leaf = false;
};
Walk walk(const Command& root, std::span<const Flag> globals, std::string_view program,
          const std::vector<std::string>& words, Parsed& into);

/// The row that `name` means: a row of that name, or with "no-" in front a toggle's. `negated` says which.
const Flag* match_flag(std::span<const Flag> rows, std::string_view name, bool& negated);
bool takes_value(const Flag& flag);
/// gcloud has `word` here, and tpuctl has not.
bool is_elsewhere(const Command& command, std::string_view word);

/// Required flags, positionals and the groups of the command. Throws Error{usage}.
void check_rules(const Args& args);

}  // namespace tpuctl::cli
