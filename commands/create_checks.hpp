// SPDX-License-Identifier: Apache-2.0
// Around a create: what is checked before anything is sent, and what the service's refusal means for what was asked.
#pragma once

#include <string>

#include "api/names.hpp"
#include "base/error.hpp"
#include "commands/context.hpp"

namespace tpuctl::commands {

/// The rule of the API for names of nodes and queued resources (RFC 1035: up to 63 of a-z 0-9 -, a letter first, no dash last).
/// Throws Error{usage} that says what is wrong and proposes a name; nothing is renamed silently. `what` as in "tpu".
void check_new_id(const std::string& id, const std::string& what);

/// A script with \r\n at its line ends never runs, and only the serial log of the machine says so: one warning a file.
/// What is sent stays as it is.
void warn_of_line_ends(const Context& context);

/// Adds the next step to a refusal of creating `name` with `body`: other zones, sizes of the zone, generations for multislice.
void explain_refusal(Error& error, const api::Name& name, const Json& body);

}  // namespace tpuctl::commands
