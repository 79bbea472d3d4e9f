// SPDX-License-Identifier: Apache-2.0
// jobs run: on machines that exist.
#include <fmt/format.h>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/text.hpp"
#include "commands/files.hpp"
#include "commands/jobs.hpp"

namespace tpuctl::commands {

namespace {

using cli::Args;
using cli::Frame;

// True when Autocheckpoint is on everywhere; says where it is not.
bool check_autocheckpoint(Context& context, const std::vector<launch::Slice>& slices) {
  bool everywhere = true;
  for (const launch::Slice& slice : slices) {
    if (slice.node["autocheckpointEnabled"].boolean()) continue;
    everywhere = false;
    context.warn("TPU VM [" + slice.name.id + "] was made without --autocheckpoint-enabled: maintenance will end its "
                 "processes at once, and what was not saved is lost. It can only be switched on by making it again.");
  }
  return everywhere;
}

void tell_announced(Context& context, const std::vector<launch::Slice>& slices) {
  for (const launch::Slice& slice : slices) {
    const Json& upcoming = slice.node["upcomingMaintenance"];
    if (upcoming.empty()) continue;
    const std::string when = upcoming["windowStartTime"].text();
    context.say("Maintenance of TPU VM [" + slice.name.id + "] is announced" + (when.empty() ? "" : " for " + text::printable(when)) +
                ". To have it before: tpuctl tpu-vm perform-maintenance " + slice.name.id);
  }
}

void check_deletion(const JobRecord& record, const Args& args, const std::vector<launch::Slice>& slices) {
  if (record.delete_on == "never") return;
  if (args.on("detach")) {
    throw Error(tpuctl::Kind::usage, "--delete-on needs somebody who sees the end of the job: it does not go with --detach.",
                "Use jobs submit, whose machines delete themselves.");
  }
  for (const launch::Slice& slice : slices) {
    if (record.target.queued_resource.empty() && !slice.node["queuedResource"].text().empty()) {
      throw Error(tpuctl::Kind::usage, "TPU VM [" + slice.name.id + "] belongs to a queued resource, and can only be deleted with it.",
                  "Say --queued-resource=" + api::short_id(slice.node["queuedResource"].text()) + ".");
    }
  }
}

// The whole plan: what would be sent and run, in order. Of secrets only the names.
int print_plan(Context& context, JobWorld& world, const std::vector<launch::Slice>& slices, const launch::JobSpec& spec,
               const std::string& local_dir) {
  const launch::Crew crew = world.crew_of(slices);
  std::string out;
  if (!local_dir.empty()) {
    out += fmt::format("# The folder {} goes to ~/{} of {}.\n", local_dir, spec.workdir, counted(crew.workers.size(), "worker"));
  }
  out += "# All checks on all workers first, then the start on all, in one round:\n";
  for (const launch::Worker& worker : crew.workers) {
    out += "[" + worker.label() + "] " + text::shell_join(launch::start_task(crew, worker, spec.name, true).argv) + "\n";
  }
  context.frame.io.out(out);
  if (world.record().boots) {
    context.frame.io.out("# Then the startup script with which it survives a reboot:\n");
    for (const launch::Slice& slice : slices) {
      Json metadata = slice.node["metadata"].is_object() ? slice.node["metadata"] : Json::object();
      metadata.member("startup-script") = launch::startup_script(spec);
      context.print_call(world.client(), world.client().patch_call(slice.name, Json{{"metadata", metadata}}, {"metadata"}));
    }
  }
  out = "# What every supervisor is given:\n" + spec.env;
  for (const std::string& name : secret_names(context)) out += name + "=(secret)\n";
  for (const auto& [name, value] : spec.options) out += "option " + name + " " + value + "\n";
  context.frame.io.out(out + "command: " + spec.command + "\n");
  return 0;
}

void put_startup_scripts(JobWorld& world, const std::vector<launch::Slice>& slices, const launch::JobSpec& spec) {
  const std::string script = launch::startup_script(spec);
  for (const launch::Slice& slice : slices) {
    try {
      launch::put_startup_script(world.client(), slice, script);
    } catch (Error& error) {
      error.hint = "The job runs, but TPU VM [" + slice.name.id + "] will not start it again after a reboot.\nStop it: tpuctl jobs stop " + spec.name;
      throw;
    }
  }
}

}  // namespace

int run_jobs_run(Frame& frame, const Args& args) {
  Context context(frame, args);
  return with_credential_words(context, [&] {
    JobRecord record = new_job(context, args.positional("JOB"));
    record.boots = args.on("survive-reboot");
    job_spec(context, record, true, 1);  // what is wrong with it is said before anything is asked
    const std::string local_dir = args.text("workdir");
    if (!local_dir.empty() && !file::is_dir(local_dir)) {
      throw Error(tpuctl::Kind::failure, "There is no folder [" + local_dir + "] to upload.");
    }
    JobWorld world(context, record);
    const auto slices = world.find_slices();
    const launch::Crew crew = world.crew_of(slices);
    check_deletion(record, args, slices);
    const bool autocheckpoint = check_autocheckpoint(context, slices);
    tell_announced(context, slices);
    launch::JobSpec spec = job_spec(context, record, autocheckpoint, crew.workers.size());
    if (args.on("clear-device")) spec.options.emplace_back("clear-device", "30");  // seconds from SIGTERM to SIGKILL
    if (!local_dir.empty()) spec.workdir = "tpuctl-jobs/" + record.name;
    if (record.boots) {
      for (const launch::Slice& slice : slices) launch::check_startup_script(slice);
      launch::startup_script(spec);  // too long: said now
    }
    if (args.on("dry-run")) return print_plan(context, world, slices, spec, local_dir);
    const auto deliver = [&](const launch::Crew& to) {
      if (!local_dir.empty()) send_workdir(context, to, local_dir, spec.workdir);
    };
    deliver(crew);
    context.say(fmt::format("Starting job [{}] on {} of {}.", record.name, counted(crew.workers.size(), "worker"),
                            counted(slices.size(), "TPU VM")));
    launch::start_job(crew, spec, 1, teller(context), warner(context));
    JobStore(frame.config).forget(record.name);
    JobStore(frame.config).save(record);
    if (record.boots) put_startup_scripts(world, slices, spec);
    if (args.on("detach")) {
      context.say("Job [" + record.name + "] runs. Follow it: tpuctl jobs attach " + record.name);
      return 0;
    }
    world.remember(spec, deliver);
    return follow(context, world, true);
  });
}

}  // namespace tpuctl::commands
