// SPDX-License-Identifier: Apache-2.0
#include "commands/shapes.hpp"

#include "base/error.hpp"

namespace tpuctl::commands {

void shape_metadata(Json& body, const cli::Args& args, const BodyPlace& place) {
  body.set(std::string(place.node_prefix) + "/metadata", merged_metadata(args));
}

void shape_provisioning_model(Json& body, const cli::Args& args, const BodyPlace& place, std::string_view pointer) {
  if (!place.alpha() || args.has("provisioning-model")) return;
  body.set(pointer, args.on("spot") ? "SPOT" : "STANDARD");
}

std::string reservation_name(const std::string& text, const std::string& project, const std::string& zone) {
  if (text.find('/') != std::string::npos) return text;
  return "projects/" + project + "/locations/" + zone + "/reservations/" + text;
}

void shape_queueing_policy(Json& body, const cli::Args& args, TimePoint now) {
  auto end_of = [&](const std::string& which) -> std::optional<TimePoint> {
    if (auto duration = args.duration("valid-" + which + "-duration")) return now + *duration;
    return args.timestamp("valid-" + which + "-time", now);
  };
  const auto start = end_of("after");
  const auto end = end_of("until");
  if (end && *end <= now) {
    const std::string flag = args.has("valid-until-time") ? "time" : "duration";
    throw Error(Kind::usage, "Invalid value for [--valid-until-" + flag + "]: the request would be over before it is made.");
  }
  if (start && end) {
    if (*end <= *start) throw Error(Kind::usage, "The queueing policy ends before it begins.");
    body.set("/queueingPolicy/validInterval/startTime", rfc3339(*start, 3));
    body.set("/queueingPolicy/validInterval/endTime", rfc3339(*end, 3));
    return;
  }
  for (const char* which : {"after", "until"}) {
    const std::string flag = std::string("valid-") + which;
    const std::string field = std::string("/queueingPolicy/valid") + (which[0] == 'a' ? "After" : "Until");
    if (auto duration = args.duration(flag + "-duration")) body.set(field + "Duration", api_duration(*duration));
    if (auto time = args.timestamp(flag + "-time", now)) body.set(field + "Time", rfc3339(*time, 3));
  }
}

void shape_node_identity(Json& body, const cli::Args& args, const BodyPlace& place) {
  if (!args.has("node-count")) return;  // the row of --node-id has its field
  const std::string message = place.alpha() ? "multiNodeParams" : "multisliceParams";
  const std::string base = "/tpu/nodeSpec/0/" + message;
  body.set(base + "/nodeCount", *args.integer("node-count"));
  if (args.has("node-prefix")) body.set(base + "/nodeIdPrefix", args.text("node-prefix"));
  if (args.has("workload-type")) {
    body.set(base + "/workloadType", cli::wire_choice(args.row("workload-type")->choices, args.text("workload-type")));
  }
}

}  // namespace tpuctl::commands
