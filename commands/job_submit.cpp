// SPDX-License-Identifier: Apache-2.0
// jobs submit: on machines that are asked for, whose startup script runs the job.
#include <fmt/format.h>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/text.hpp"
#include "commands/jobs.hpp"
#include "commands/queued_request.hpp"
#include "commands/resource.hpp"
#include "commands/storage.hpp"
#include "launch/archive.hpp"

namespace tpuctl::commands {

namespace {

using cli::Args;
using cli::Frame;

constexpr std::size_t kMetadataLimit = std::size_t{512} * 1024;  // all values of an instance (Compute Engine documentation)

bool truth(const std::string& name, const std::string& value) {
  const std::string low = text::lower(value);
  for (const char* word : {"true", "1", "yes"}) {
    if (low == word) return true;
  }
  for (const char* word : {"false", "0", "no", ""}) {
    if (low == word) return false;
  }
  throw Error(tpuctl::Kind::usage, "The environment variable " + name + " is [" + value + "], which is neither true nor false.");
}

bool wants_autocheckpoint(const Context& context) {
  const Args& args = context.args;
  if (args.has("enable-autocheckpoint")) return args.on("enable-autocheckpoint");
  if (args.has("autocheckpoint-enabled")) return args.on("autocheckpoint-enabled");
  return truth("ENABLE_AUTOCHECKPOINT", context.frame.env.get("ENABLE_AUTOCHECKPOINT").value_or(""));
}

void warn(Context& context, bool autocheckpoint) {
  const Args& args = context.args;
  if (!autocheckpoint) {
    context.warn("Without --autocheckpoint-enabled maintenance ends the job's processes at once, and what was not saved is lost.");
  } else if (args.on("spot") || args.text("provisioning-model") == "spot") {
    context.warn("Autocheckpoint covers maintenance. Spot capacity is taken back with about 30 s of notice.");
  }
}

// The folder as an object of the bucket, named by its content: what is there already is not sent again.
std::string put_workdir(Context& context, const JobRecord& record, const std::string& folder) {
  const launch::Archive archive(launch::entries_of_workdir(folder, warner(context)));
  const std::string sum = archive.sum().substr(0, 16);
  const std::string place = record.bucket.substr(5) + "/" + record.name + "/workdir-" + sum + ".tgz";
  const auto slash = place.find('/');
  if (context.args.on("dry-run")) {
    context.frame.io.out(fmt::format("# The folder {} goes to gs://{} ({} files, {} bytes).\n", folder, place, archive.files(), archive.size()));
    return sum;
  }
  api::Storage storage = storage_of(context);
  api::Storage::Upload upload{.bucket = place.substr(0, slash), .name = place.substr(slash + 1),
                              .keeping = {.fields = {{"contentType", "application/gzip"}}, .only_if_absent = true}, .read = {}};
  upload.read = [&archive](std::int64_t offset, char* to, std::size_t most) { return archive.read(offset, to, most); };
  storage.upload(upload);
  context.say(fmt::format("Put [{}] into the bucket: gs://{} ({} files, {} bytes).", folder, place, archive.files(), archive.size()));
  return sum;
}

void set_nodes(Json& body, const std::string& name, std::int64_t slices) {
  if (slices == 1) {
    body.set("/tpu/nodeSpec/0/nodeId", name);
  } else {
    body.set("/tpu/nodeSpec/0/multiNodeParams", Json{{"nodeCount", slices}, {"nodeIdPrefix", name}});
  }
}

void set_script(Json& body, const launch::JobSpec& spec) {
  const std::string node(kRequestNode);
  if (!body.at(node + "/metadata/startup-script").is_null()) {
    throw Error(tpuctl::Kind::usage, "The metadata has a startup-script, and that is how the job is started.",
                "Put what it does before the job's own command.");
  }
  body.set(node + "/metadata/startup-script", launch::startup_script(spec));
  std::size_t total = 0;
  for (const auto& member : body.at(node + "/metadata").members()) total += member.name.size() + member.value.text().size();
  if (total > kMetadataLimit) {
    throw Error(tpuctl::Kind::failure, fmt::format("The metadata has {} bytes in all; the service takes at most {}.", total, kMetadataLimit));
  }
}

}  // namespace

int run_jobs_submit(Frame& frame, const Args& args) {
  Context context(frame, args);
  return with_credential_words(context, [&] {
    JobRecord record = new_job(context, args.positional("JOB"));
    record.target.queued_resource = record.name;
    record.boots = true;
    const std::string rule = record.delete_on;
    record.delete_on = "never";  // by us: the machines keep the rule themselves
    const std::string folder = args.text("workdir");
    if (!folder.empty() && record.bucket.empty()) {
      throw Error(tpuctl::Kind::usage, "--workdir needs --bucket: the machines fetch the folder from there when they boot.");
    }
    if (!folder.empty() && !file::is_dir(folder)) throw Error(tpuctl::Kind::failure, "There is no folder [" + folder + "] to upload.");
    const std::int64_t slices = args.integer("num-slices").value_or(1);
    const bool autocheckpoint = wants_autocheckpoint(context);
    warn(context, autocheckpoint);

    launch::JobSpec spec = job_spec(context, record, autocheckpoint, 0);
    if (rule != "never") {
      spec.options.emplace_back("delete-on", rule);
      spec.options.emplace_back("queued-resource", record.name);
    }
    const BodyPlace place{kRequestNode, "v2alpha1"};
    const api::Name name{record.project, record.zone, "queuedResources", record.name};
    Json body = queued_request(context, name, place);
    const std::string node(kRequestNode);
    set_nodes(body, record.name, slices);
    body.set(node + "/autocheckpointEnabled", autocheckpoint);
    body.set(node + "/labels/" + std::string(kJobLabel), record.name);
    if (!folder.empty()) spec.options.emplace_back("archive", put_workdir(context, record, folder));
    set_script(body, spec);

    api::Client client = context.tpu("v2alpha1");
    if (args.on("dry-run")) {
      context.print_call(client, client.create_call(name, body));
      return 0;
    }
    Json operation = client.create(name, body);
    JobStore(frame.config).forget(record.name);
    JobStore(frame.config).save(record);
    if (!operation["name"].text().empty()) wait_told(context, std::move(operation), "Undo: tpuctl queued-resources delete " + name.full());
    context.say(fmt::format("Submitted job [{}]: it starts by itself when its {} there.", record.name,
                            slices == 1 ? "TPU VM is" : counted(static_cast<std::size_t>(slices), "slice") + " are"));
    context.say("Follow it: tpuctl jobs attach " + record.name + "\nLook: tpuctl jobs describe " + record.name);
    return 0;
  });
}

}  // namespace tpuctl::commands
