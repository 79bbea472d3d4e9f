// SPDX-License-Identifier: Apache-2.0
#include "commands/queued_request.hpp"

#include "commands/shapes.hpp"

namespace tpuctl::commands {

namespace {

using cli::Args;

// Which reservation is asked for, if any. Without a name, "-" means any.
std::string reservation(const Args& args, const api::Name& name, const BodyPlace& place) {
  if (args.has("reservation")) return reservation_name(args.text("reservation"), name.project, name.location);
  for (const char* host : {"project", "folder", "organization"}) {
    const std::string flag = std::string("reservation-host-") + host;
    if (args.has(flag)) return std::string(host) + "s/" + args.text(flag) + "/locations/" + name.location + "/reservations/-";
  }
  if (args.on("reserved") && !place.alpha()) return reservation_name("-", name.project, name.location);
  return {};
}

}  // namespace

Json queued_request(const Context& context, const api::Name& name, const BodyPlace& place) {
  const Args& args = context.args;
  Json body = build_body(args, place);
  body.set("/tpu/nodeSpec/0/parent", name.parent());
  shape_metadata(body, args, place);
  shape_provisioning_model(body, args, place, "/provisioningModel");
  shape_queueing_policy(body, args, context.frame.clock.now());
  const std::string account = std::string(place.node_prefix) + "/serviceAccount";
  if (body.at(account).is_null()) body.set(account, Json::object());  // gcloud sends it empty
  if (args.has("network-config")) body.erase(std::string(place.node_prefix) + "/networkConfig");  // the API takes one of the two
  if (const std::string from = reservation(args, name, place); !from.empty()) body.set("/reservationName", from);
  if (args.on("reserved") && place.alpha()) body.set("/guaranteed/reserved", true);
  return body;
}

}  // namespace tpuctl::commands
