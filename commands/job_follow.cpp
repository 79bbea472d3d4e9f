// SPDX-License-Identifier: Apache-2.0
// The end of a job as a user sees it: words, exit code, and what happens to its machines.
#include <fmt/format.h>

#include "api/operations.hpp"
#include "base/error.hpp"
#include "base/text.hpp"
#include "commands/jobs.hpp"
#include "launch/watch_warnings.hpp"

namespace tpuctl::commands {

namespace {

using cli::Args;
using launch::Outcome;

launch::WatchOptions watch_options(const Args& args, bool follow) {
  launch::WatchOptions options;
  options.restart = args.row("watch") && args.on("watch");
  options.max_failures = args.row("max-failures") ? static_cast<int>(args.integer("max-failures").value_or(0)) : 0;
  options.max_preemptions = args.row("max-preemptions") ? static_cast<int>(args.integer("max-preemptions").value_or(100)) : 100;
  if (args.row("grace")) options.grace = *args.duration("grace");
  if (args.row("stuck-after")) options.stuck_after = args.duration("stuck-after");
  if (args.row("lost-after")) options.lost_after = *args.duration("lost-after");
  options.timeout = args.duration("timeout");
  options.follow_log = follow;
  return options;
}

void show_last_lines(Context& context, JobWorld& world, const std::string& label) {
  launch::Crew crew = world.crew_of(world.find_slices());
  std::erase_if(crew.workers, [&label](const launch::Worker& worker) { return worker.label() != label; });
  if (crew.workers.empty()) return;
  launch::FanoutOptions options = crew.fanout;
  options.tries = 1;
  launch::Fanout fanout({launch::supervisor_task(crew, crew.workers[0], {"log", world.record().name, "0", "once", "10"})}, options,
                        [&](std::size_t, launch::Channel channel, std::string_view line) {
                          if (channel == launch::Channel::out) context.say("  [" + label + "] " + std::string(line));
                        });
  fanout.run();
}

// Words and exit code for the end of a job.
int conclude(Context& context, JobWorld& world, const launch::Verdict& verdict) {
  const std::string name = world.record().name;
  const std::string why = verdict.evidence.empty() ? "" : " (" + verdict.evidence + ")";
  switch (verdict.outcome) {
    case Outcome::finished:
      context.say(fmt::format("Job [{}] finished after {}.", name, counted(static_cast<std::size_t>(verdict.attempt), "attempt")));
      return 0;
    case Outcome::failed:
      context.say("Job [" + name + "] failed: worker " + verdict.worker + " was the first" + why + ". Its last lines:");
      show_last_lines(context, world, verdict.worker);
      if (!verdict.no_room.empty()) context.say("Make room and run it again. Look: " + launch::disk_command(verdict.worker));
      return verdict.exit_code;
    case Outcome::maintained:
    case Outcome::preempted:
      throw Error(tpuctl::Kind::preempted,
                  "Job [" + name + "] was interrupted by " + (verdict.outcome == Outcome::preempted ? "a preemption" : "maintenance") + why +
                      " and not started again.",
                  verdict.outcome == Outcome::maintained || world.record().boots
                      ? "Start it again when the slices are back: tpuctl jobs attach " + name + " --watch"
                      : "New machines do not know it. Run it again there under its name: tpuctl jobs run " + name + " ...");
    case Outcome::stopped:
      throw Error(tpuctl::Kind::stopped, "Job [" + name + "] was stopped.");
    case Outcome::stuck:
      throw Error(tpuctl::Kind::wait, "Job [" + name + "] seems stuck" + why + "; it still runs.",
                  "See: tpuctl jobs describe " + name + "\nStop it: tpuctl jobs stop " + name);
    case Outcome::lost:
      throw Error(tpuctl::Kind::wait, "Job [" + name + "] is lost" + why + ".",
                  "See: tpuctl jobs describe " + name +
                      (verdict.out_of_reach ? "\nIs it only out of reach? Follow it again: tpuctl jobs attach " + name : ""));
    default:
      throw Error(tpuctl::Kind::not_found, "No worker has a job called [" + name + "]" + why + ".");
  }
}

// For good, as far as is known: who is only out of reach may run still.
bool is_over(const launch::Verdict& verdict) {
  const Outcome outcome = verdict.outcome;
  return outcome == Outcome::finished || outcome == Outcome::failed || outcome == Outcome::stopped ||
         (outcome == Outcome::lost && !verdict.out_of_reach);
}

// The startup script of --survive-reboot goes when the job is over; that of a submitted job belongs to its machines.
void take_startup_script_out(JobWorld& world) {
  if (!world.record().boots) return;
  for (const launch::Slice& slice : world.find_slices()) {
    const bool submitted = !slice.node["labels"][std::string(kJobLabel)].text().empty();
    if (!submitted) launch::remove_startup_script(world.client(), slice, world.record().name);
  }
}

bool deletes(const std::string& rule, const launch::Verdict& verdict) {
  if (!is_over(verdict)) return false;
  const Outcome outcome = verdict.outcome;
  return rule == "always" || (rule == "success" && outcome == Outcome::finished) ||
         (rule == "failure" && (outcome == Outcome::failed || outcome == Outcome::lost));
}

void delete_machines(Context& context, JobWorld& world) {
  std::vector<api::Name> names;
  if (const auto queued = queued_resource_of(world.record())) {
    names.push_back(*queued);
  } else {
    for (const launch::Slice& slice : world.find_slices()) names.push_back(slice.name);
  }
  for (const api::Name& name : names) {
    context.say("Deleting [" + name.id + "], as --delete-on=" + world.record().delete_on + " says.");
    const Json operation = world.client().remove(name, name.collection == "queuedResources");
    if (!operation["name"].text().empty()) api::wait_for_operation(world.client(), operation, {});
  }
}

// Machines that were taken while nobody watched. Those whose startup script brings the job are made anew under --watch: true. The
// others have nothing to go on with.
bool bring_back(Context& context, JobWorld& world, const launch::WatchOptions& options) {
  const std::string taken = world.taken();
  if (taken.empty()) return false;
  const std::string name = world.record().name;
  const bool boots = world.boots_by_itself();
  if (!options.restart || !boots) {
    throw Error(tpuctl::Kind::preempted, "Job [" + name + "] was interrupted (" + taken + ") and not started again.",
                boots ? "Make its machines anew, and the job with them: tpuctl jobs attach " + name + " --watch"
                      : "Make its machines anew, then run it again under its name: tpuctl jobs run " + name + " ...");
  }
  const Clock& clock = context.frame.clock;
  context.say("Job [" + name + "] was interrupted: " + taken + ".");
  const auto names = world.node_names();
  launch::Machines machines(world.client(), context.frame.clock, teller(context), queued_resource_of(world.record()));
  machines.remember(names);
  machines.make_anew(options.timeout ? std::optional(clock.now() + *options.timeout) : std::nullopt);
  return true;
}

}  // namespace

std::string counted(std::size_t count, std::string_view noun) { return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s"); }

int follow(Context& context, JobWorld& world, bool with_log) {
  const std::string name = world.record().name;
  try {
    launch::WatchOptions options = watch_options(context.args, with_log);
    const bool anew = bring_back(context, world, options);
    if (!anew) world.wait_for_machines(options.timeout);
    options.expected = anew || world.record().boots;
    auto watched = world.watch_world();
    const launch::Verdict verdict = launch::watch_job(watched, name, options);
    if (is_over(verdict)) take_startup_script_out(world);
    if (!deletes(world.record().delete_on, verdict)) return conclude(context, world, verdict);
    try {
      const int code = conclude(context, world, verdict);
      delete_machines(context, world);
      return code;
    } catch (const Error&) {
      delete_machines(context, world);
      throw;
    }
  } catch (Error& error) {
    if (error.kind == tpuctl::Kind::interrupted || error.kind == tpuctl::Kind::terminated) {
      const bool watches = context.args.row("watch") && context.args.on("watch");
      error.hint = "The job goes on without this terminal" + std::string(watches ? ", but nobody starts it again after maintenance until you come back" : ".") +
                   (watches ? ": tpuctl jobs attach " + name + " --watch" : " Come back: tpuctl jobs attach " + name) + "\nStop it: tpuctl jobs stop " + name;
    }
    throw;
  }
}

}  // namespace tpuctl::commands
