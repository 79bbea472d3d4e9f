// SPDX-License-Identifier: Apache-2.0
// What a table of rows cannot say about a create request: a short list of named functions, run on the finished body.
#pragma once

#include "commands/body.hpp"
#include "commands/context.hpp"

namespace tpuctl::commands {

/// Metadata merged from both flags; {} is sent too, as gcloud does.
void shape_metadata(Json& body, const cli::Args& args, const BodyPlace& place);

/// `standard` unless --provisioning-model or --spot says otherwise, at `pointer`; v2alpha1 only. A spot request that says
/// STANDARD would contradict itself.
void shape_provisioning_model(Json& body, const cli::Args& args, const BodyPlace& place, std::string_view pointer);

/// The full name of a reservation given in short. `project` is the project's id or number as the API wants it.
std::string reservation_name(const std::string& text, const std::string& project, const std::string& zone);

/// Both ends of a queueing policy given: one validInterval with times, durations counted from now. One end: as given.
void shape_queueing_policy(Json& body, const cli::Args& args, TimePoint now);

/// node-id, or the multi-node message under its name in this API version.
void shape_node_identity(Json& body, const cli::Args& args, const BodyPlace& place);

}  // namespace tpuctl::commands
