// SPDX-License-Identifier: Apache-2.0
// The shapes of flag values: checked once, when the command line is read, so that Args can answer without failing.
#pragma once

#include <string>
#include <string_view>

#include "cli/args.hpp"

namespace tpuctl::cli {

/// `raw` as Args keeps it: choices as listed, lowered text in lower case, toggles as "true"/"false". Throws
/// Error{usage} whose text starts with "argument --NAME: ".
std::string checked_value(const Flag& flag, std::string_view raw);

/// "[v2, v3, v4]", and a suggestion when a choice is near to `wrong`.
std::string valid_choices(std::string_view choices, std::string_view wrong);

}  // namespace tpuctl::cli
