// SPDX-License-Identifier: Apache-2.0
#include "commands/tpu_vm_update.hpp"

#include <algorithm>
#include <functional>

#include "api/operations.hpp"
#include "base/error.hpp"
#include "base/file.hpp"
#include "cli/progress.hpp"
#include "commands/body.hpp"
#include "commands/groups.hpp"
#include "commands/resource.hpp"
#include "launch/workers.hpp"

namespace tpuctl::commands {

namespace {

using cli::Args;
using cli::Frame;

// Clear, update, remove: gcloud's order. `what` is "labels" or "metadata"; true when a flag asked for it.
bool edit_map(Json& node, const Args& args, const std::string& what) {
  const std::string update = "update-" + what, clear = "clear-" + what, remove = "remove-" + what;
  if (!args.has(update) && !args.on(clear) && !args.has(remove)) return false;
  Json& values = node.member(what);
  if (args.on(clear) || !values.is_object()) values = Json::object();
  for (const auto& [key, value] : args.map(update)) values.member(key) = value;
  for (const auto& key : args.list(remove)) values.erase("/" + key);
  return true;
}

bool edit_tags(Json& node, const Args& args) {
  if (!args.has("add-tags") && !args.on("clear-tags") && !args.has("remove-tags")) return false;
  std::vector<std::string> tags;
  if (!args.on("clear-tags")) {
    for (const Json& tag : node["tags"].items()) tags.push_back(tag.text());
  }
  for (const auto& tag : args.list("add-tags")) {
    if (std::find(tags.begin(), tags.end(), tag) == tags.end()) tags.push_back(tag);
  }
  for (const auto& tag : args.list("remove-tags")) std::erase(tags, tag);
  node.member("tags") = Json::strings(tags);
  return true;
}

std::vector<std::string> chosen_workers(const Json& node, const Args& args) {
  std::vector<std::string> out;
  if (!args.has("worker")) return out;
  for (const int index : launch::parse_worker_list(args.text("worker"), launch::worker_count(node))) {
    out.push_back(std::to_string(index));
  }
  return out;
}

// Adds a disk, refusing what the service would only notice when the workers boot.
void attach(Json& node, const std::string& source, const std::string& mode, const std::vector<std::string>& workers) {
  if (mode == "READ_WRITE" && (workers.size() > 1 || (workers.empty() && launch::worker_count(node) > 1))) {
    throw Error(tpuctl::Kind::failure, "A disk can be attached read-write to one worker only.", "Use mode=read-only.");
  }
  Json& disks = node.member("dataDisks");
  if (!disks.is_array()) disks = Json::array();
  for (const Json& disk : disks.items()) {
    if (disk["sourceDisk"].text() != source) continue;
    if (!mode.empty() && disk["mode"].text() != mode) {
      throw Error(tpuctl::Kind::failure, "Disk [" + source + "] is attached in another mode: " + disk["mode"].text() + ".");
    }
    if (disk["workerIds"] == Json::strings(workers) || (workers.empty() && disk["workerIds"].is_null())) {
      throw Error(tpuctl::Kind::failure, "Disk [" + source + "] is attached already.");
    }
  }
  Json disk{{"sourceDisk", source}};
  if (!mode.empty()) disk.member("mode") = mode;
  if (!workers.empty()) disk.member("workerIds") = Json::strings(workers);
  disks.push(std::move(disk));
}

void detach(Json& node, const std::string& source) {
  Json kept = Json::array();
  for (const Json& disk : node["dataDisks"].items()) {
    if (disk["sourceDisk"].text() != source) kept.push(disk);
  }
  if (kept.size() == node["dataDisks"].size()) {
    throw Error(tpuctl::Kind::failure, "Disk [" + source + "] is not attached to the TPU VM.");
  }
  node.member("dataDisks") = std::move(kept);
  if (node["dataDisks"].size() == 0) node.erase("/dataDisks");
}

std::string disk_name(const std::string& text, const api::Name& node) {
  if (text.find('/') != std::string::npos) return text;
  return "projects/" + node.project + "/zones/" + node.location + "/disks/" + text;
}

// attach-disk and detach-disk: change the disks of the node as it is, and print the node afterwards.
int change_disks(Frame& frame, const Args& args, const std::string& title, const std::function<void(Json&, const api::Name&)>& change) {
  Context context(frame, args);
  return with_credential_words(context, [&] {
    const api::Name name = resource_name(context, kNode);
    api::Client& client = context.tpu();
    Json node = client.get(name);
    change(node, name);
    const api::Call call = client.patch_call(name, std::move(node), {"data_disks"});
    if (args.on("dry-run")) {
      context.print_call(client, call);
      return 0;
    }
    Json operation = client.send(call);
    {
      cli::Progress progress(frame.io, frame.clock, title);
      api::wait_for_operation(client, std::move(operation), wait_limits(args));
      progress.done();
    }
    context.print(client.get(name), "yaml");
    return 0;
  });
}

}  // namespace

int run_update(Frame& frame, const Args& args) {
  if (args.has("autocheckpoint-enabled")) {
    throw Error(tpuctl::Kind::usage, "Autocheckpoint is chosen when a TPU VM is created and cannot be changed afterwards.",
                "Delete it and create it again with --autocheckpoint-enabled; see what it has: tpuctl tpu-vm describe " +
                    args.positional("TPU") + " --format='value(autocheckpointEnabled)'");
  }
  Context context(frame, args);
  return with_credential_words(context, [&] {
    const api::Name name = resource_name(context, kNode);
    Json node = context.tpu().get(name);
    std::vector<std::string> mask;
    if (args.has("description")) {
      node.member("description") = args.text("description");
      mask.emplace_back("description");
    }
    if (args.has("internal-ips")) {
      node.set("/networkConfig/enableExternalIps", !args.on("internal-ips"));
      mask.emplace_back("network_config.enable_external_ips");
    }
    if (edit_map(node, args, "labels")) mask.emplace_back("labels");
    if (edit_tags(node, args)) mask.emplace_back("tags");
    if (args.has("metadata-from-file")) {
      node.member("metadata") = merged_metadata(args);
      mask.emplace_back("metadata");
    } else if (edit_map(node, args, "metadata")) {
      mask.emplace_back("metadata");
    }
    if (args.has("attach-disk") || args.has("detach-disk")) {
      mask.emplace_back("data_disks");
      if (args.has("detach-disk")) detach(node, args.text("detach-disk"));
      if (args.has("attach-disk")) {
        std::string source, mode;
        for (const auto& [key, value] : args.map("attach-disk")) {
          (key == "source" ? source : mode) = value;
        }
        if (!mode.empty()) mode = cli::wire_choice(kDataDiskKeys[1].choices, *cli::find_choice(kDataDiskKeys[1].choices, mode));
        attach(node, source, mode, chosen_workers(node, args));
      }
    }
    if (mask.empty()) {
      throw Error(tpuctl::Kind::failure,
                  "No fields would change as a result of this update; must specify at least one field to update.");
    }
    return update(context, kNode, name, std::move(node), mask);
  });
}

int run_attach_disk(Frame& frame, const Args& args) {
  return change_disks(frame, args, "Attaching disk to TPU VM", [&args](Json& node, const api::Name& name) {
    attach(node, disk_name(args.text("disk"), name), cli::wire_choice(args.row("mode")->choices, args.text("mode")),
           chosen_workers(node, args));
  });
}

int run_detach_disk(Frame& frame, const Args& args) {
  return change_disks(frame, args, "Detaching disk from TPU VM",
                      [&args](Json& node, const api::Name& name) { detach(node, disk_name(args.text("disk"), name)); });
}

}  // namespace tpuctl::commands
