// SPDX-License-Identifier: Apache-2.0
// Questions, as gcloud asks them.
#pragma once

#include <string>
#include <string_view>

#include "cli/config.hpp"
#include "cli/streams.hpp"

namespace tpuctl::cli {

/// Writes `message` and "<question> (Y/n)?" on stderr and reads one line of stdin, terminal or not; an empty line is
/// yes. With --quiet or core/disable_prompts nothing is asked and the answer is yes. Throws Error{failure} naming
/// --quiet at the end of input.
bool confirm(Streams& io, const Config& config, std::string_view message,
             std::string_view question = "Do you want to continue");

/// As confirm, but no is Error{failure} "Aborted by user.".
void require_confirmation(Streams& io, const Config& config, std::string_view message);

}  // namespace tpuctl::cli
