// SPDX-License-Identifier: Apache-2.0
#include "commands/drill.hpp"

#include <fmt/format.h>

#include "base/error.hpp"
#include "cli/prompt.hpp"
#include "commands/job_costs.hpp"
#include "launch/drill.hpp"

namespace tpuctl::commands {

namespace {

constexpr const char* kColumns =
    "table(job:label=RUN, lastRegularCheckpoint:label=LAST_REGULAR_CHECKPOINT, stepAtNotice:label=STEP_AT_NOTICE, "
    "resumedAt:label=RESUMED_AT, stepsLost:label=STEPS_LOST, secondsToExit:label=SECONDS_FROM_NOTICE_TO_EXIT, verdict)";

Json check_view(const launch::Check& check) {
  Json out{{"check", check.name}, {"result", !check.passed ? "?" : *check.passed ? "yes" : "no"}, {"detail", check.words}};
  return out;
}

Json drill_view(const std::string& job, const launch::Drilled& drilled) {
  Json out{{"job", job},
           {"slice", drilled.node},
           {"worker", drilled.worker},
           {"verdict", std::string(launch::proof_name(drilled.proof))},
           {"reason", drilled.reason}};
  if (drilled.evidence.cost) {
    const Json cost = interruption_view(*drilled.evidence.cost);
    for (const auto& [name, value] : cost.members()) out.member(name) = value;
  }
  if (!drilled.started_by.empty()) out.member("startedBy") = drilled.started_by;
  Json checks = Json::array();
  for (const launch::Check& check : drilled.checks) checks.push(check_view(check));
  out.member("checks") = std::move(checks);
  return out;
}

// For the table an unknown number is a question mark, so that nobody takes a gap for nothing.
Json marked(Json view) {
  for (const char* name : {"lastRegularCheckpoint", "stepAtNotice", "resumedAt", "stepsLost", "secondsToExit"}) {
    if (!view.find(name)) view.member(name) = "?";
  }
  return view;
}

int conclude(Context& context, const std::string& job, const launch::Drilled& drilled) {
  for (const launch::Check& check : drilled.checks) {
    context.say(fmt::format("  {:<10} {:<3} {}", check.name, !check.passed ? "?" : *check.passed ? "yes" : "no", check.words));
  }
  const Json view = drill_view(job, drilled);
  context.print(context.args.has("format") ? view : marked(view), kColumns);
  context.frame.io.flush();
  const std::string where = fmt::format("in the drill of job [{}]", job);
  switch (drilled.proof) {
    case launch::Proof::nothing_lost:
      context.say("Nothing was lost " + where + ": " + drilled.reason + ".");
      return 0;
    case launch::Proof::steps_lost:
      throw Error(tpuctl::Kind::failure, "Steps were lost " + where + ": " + drilled.reason + ".");
    case launch::Proof::not_proven: break;
  }
  throw Error(tpuctl::Kind::wait, "It could not be proven " + where + " that nothing is lost: " + drilled.reason + ".");
}

launch::DrillOptions drill_options(Context& context, const JobRecord& record) {
  launch::DrillOptions options;
  options.slice = context.args.text("slice");
  options.worker = static_cast<int>(context.args.integer("worker").value_or(0));
  options.framework = framework_of(record);
  options.checkpoint_dir = record.checkpoint_dir;
  options.timeout = *context.args.duration("timeout");
  options.confirm = [&context, name = record.name](const std::string& node, int worker) {
    cli::require_confirmation(context.frame.io, context.frame.config,
                              fmt::format("A maintenance event will be simulated on worker {} of TPU VM [{}]. It interrupts job [{}]; the "
                                          "worker and the other slices are rebooted.",
                                          worker, node, name));
  };
  if (is_in_bucket(record)) options.listing = [&context, record] { return bucket_checkpoints(context, record); };
  return options;
}

// What --dry-run prints: the one request that changes anything.
int print_plan(Context& context, JobWorld& world) {
  std::string slice = context.args.text("slice");
  const auto names = launch::find_nodes(world.client(), world.record().target, world.record().project, world.record().zone);
  for (const api::Name& name : names) {
    if (!slice.empty() && name.id != slice) continue;
    context.print_call(world.client(), launch::drill_call(world.client(), name, static_cast<int>(context.args.integer("worker").value_or(0))));
    return 0;
  }
  throw Error(tpuctl::Kind::failure, "Job [" + world.record().name + "] has no slice [" + slice + "].");
}

}  // namespace

int run_jobs_drill(cli::Frame& frame, const cli::Args& args) {
  Context context(frame, args);
  return with_credential_words(context, [&] {
    const JobRecord record = job_record(context, args.positional("JOB"));
    JobWorld world(context, record);
    if (args.on("dry-run")) return print_plan(context, world);
    auto watched = world.watch_world();
    try {
      return conclude(context, record.name, launch::drill_job(watched, record.name, drill_options(context, record)));
    } catch (Error& error) {
      if (error.kind == tpuctl::Kind::interrupted || error.kind == tpuctl::Kind::terminated) {
        error.hint = "A maintenance event that has begun goes on, and whatever starts the job again does so. See: tpuctl jobs describe " +
                     record.name + "\nStart it again yourself: tpuctl jobs attach " + record.name + " --watch";
      }
      throw;
    }
  });
}

}  // namespace tpuctl::commands
