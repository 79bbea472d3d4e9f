// SPDX-License-Identifier: Apache-2.0
// Questions, as gcloud asks them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

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

/// Writes `question` on stderr and reads one line of stdin; an empty line is `fallback`. With --quiet or
/// core/disable_prompts nothing is asked and the answer is `fallback`. Throws Error{failure} at the end of input, naming the
/// flag `instead` ("--project=PROJECT").
std::string ask(Streams& io, const Config& config, std::string_view question, std::string_view fallback, std::string_view instead);

/// Lets the user choose by number or by name; the index in `choices`. `fallback` is the choice of an empty line and of --quiet.
std::size_t choose(Streams& io, const Config& config, std::string_view question, const std::vector<std::string>& choices,
                   std::size_t fallback, std::string_view instead);

}  // namespace tpuctl::cli
