// SPDX-License-Identifier: Apache-2.0
// jobs: one command on all workers of all slices, watched through maintenance.
#include <algorithm>

#include "base/error.hpp"
#include "cli/globals.hpp"
#include "commands/drill.hpp"
#include "commands/groups.hpp"
#include "commands/job_flags.hpp"
#include "commands/jobs.hpp"
#include "commands/queued_request.hpp"

namespace tpuctl::commands {

namespace {

using cli::Args;
using cli::Command;
using cli::Example;
using cli::Frame;
using cli::Rule;

int run_attach(Frame& frame, const Args& args) {
  Context context(frame, args);
  return with_credential_words(context, [&] {
    JobWorld world(context, job_record(context, args.positional("JOB")));
    return follow(context, world, true);
  });
}

int run_job_wait(Frame& frame, const Args& args) {
  Context context(frame, args);
  return with_credential_words(context, [&] {
    JobWorld world(context, job_record(context, args.positional("JOB")));
    return follow(context, world, false);
  });
}

int run_describe_job(Frame& frame, const Args& args) {
  Context context(frame, args);
  return with_credential_words(context, [&] {
    context.print(job_view(context, job_record(context, args.positional("JOB")), true), "yaml");
    return 0;
  });
}

constexpr const char* kJobColumns =
    "table(name, target, zone, state, attempt, workers.len():label=WORKERS, autocheckpoint.yesno(yes=True, no=False):label=AUTOCHECKPOINT, "
    "maintenance[0].windowStartTime:label=MAINTENANCE)";

int run_list_jobs(Frame& frame, const Args& args) {
  Context context(frame, args);
  return with_credential_words(context, [&] {
    cli::output::Pipeline pipeline(frame.io, context.output(), kJobColumns);
    const bool everything = args.has("format") || args.has("flatten") || args.has("filter");  // may ask for the interruptions
    std::vector<JobRecord> records = JobStore(frame.config).all();
    for (JobRecord& found : labelled_jobs(context)) {  // those that other machines have submitted
      const bool known = std::any_of(records.begin(), records.end(), [&](const JobRecord& one) { return one.name == found.name; });
      if (!known) records.push_back(std::move(found));
    }
    std::set<std::string> silent;
    for (const JobRecord& record : records) pipeline.push(job_view(context, record, everything, &silent));
    pipeline.finish();
    return 0;
  });
}

int run_stop(Frame& frame, const Args& args) {
  Context context(frame, args);
  return with_credential_words(context, [&] {
    const JobRecord record = job_record(context, args.positional("JOB"));
    JobWorld world(context, record);
    if (const std::string state = machine_state(world.client(), record); !state.empty()) {
      throw Error(tpuctl::Kind::failure, "Job [" + record.name + "] has not started: queued resource [" + record.target.queued_resource + "] is " + state + ".",
                  "Give it up: tpuctl queued-resources delete " + queued_resource_of(record)->full());
    }
    const auto slices = world.find_slices();
    const launch::Crew crew = world.crew_of(slices);
    context.say("Stopping job [" + record.name + "]: SIGTERM now, SIGKILL after " + human_duration(*args.duration("grace")) + ".");
    const auto stopped = launch::stop_job(crew, record.name, *args.duration("grace"), std::string(launch::kRequested), teller(context));
    if (stopped == launch::Stopped::unknown) {
      throw Error(tpuctl::Kind::not_found, "No worker has a job called [" + record.name + "].");
    }
    for (const launch::Slice& slice : slices) {
      if (record.boots && slice.node["labels"][std::string(kJobLabel)].text().empty()) launch::remove_startup_script(world.client(), slice, record.name);
    }
    context.say(stopped == launch::Stopped::already ? "Job [" + record.name + "] had ended already." : "Stopped job [" + record.name + "].");
    return 0;
  });
}

constexpr Flag kRunOnlyFlags[] = {
    {.name = "secret-file", .help = "File with lines NAME=VALUE: variables for the command that go over ssh alone, into a file for its owner.",
     .source = Source::file},
    {.name = "clear-device", .help = "End whatever else holds the TPU of a worker, by SIGTERM and after 30 s by SIGKILL; without it such a worker is an error.",
     .kind = Kind::toggle},
    {.name = "survive-reboot", .help = "Put the job into the startup script of its TPU VMs while it runs, so that they start it again without tpuctl.",
     .kind = Kind::toggle},
    {.name = "detach", .help = "Return once the job has started on every worker.", .kind = Kind::toggle},
    {.name = "dry-run", .help = "Print the whole plan, requests and commands in order, and change nothing.", .kind = Kind::toggle}};
constexpr Flag kSubmitOnlyFlags[] = {
    {.name = "num-slices", .help = "Number of slices.", .kind = Kind::integer, .fallback = "1", .least = 1},
    {.name = "enable-autocheckpoint", .help = "The same as --autocheckpoint-enabled; default: the environment variable ENABLE_AUTOCHECKPOINT.",
     .kind = Kind::toggle},
    kDryRun};
constexpr auto kRunFlags = cli::join(kTargetFlags, kJobFlags, kRunOnlyFlags, kProgressFlags, kFollowFlags, kConnectionFlags);
constexpr auto kSubmitFlags = cli::join(kMachineFlags, kSubmitOnlyFlags, kJobFlags, kProgressFlags, kQueueFlags, kNodeFlags);
constexpr auto kAttachFlags = cli::join(kTargetFlags, kProgressFlags, kBudgetFlags, kFollowFlags, kConnectionFlags);
constexpr auto kWaitFlags = cli::join(kTargetFlags, std::array{kStuckAfter, kLostAfter, kTimeout}, kConnectionFlags);
constexpr Flag kBucket[] = {{.name = "bucket", .help = "Read what the workers have left there.", .value = "gs://BUCKET[/FOLDER]"}};
constexpr auto kDescribeFlags = cli::join(kTargetFlags, kProgressFlags, kBucket, std::array{kStuckAfter}, kConnectionFlags);
constexpr auto kListFlags = cli::join(std::array{kZone}, cli::kListFlags, kConnectionFlags);
constexpr Flag kLogOnlyFlags[] = {
    {.name = "worker", .help = "Whose log: TPU/NUMBER, or all; default: worker 0 of the first slice.", .value = "TPU/NUMBER"},
    {.name = "follow", .help = "Go on printing as the log grows.", .kind = Kind::toggle, .letter = 'f'},
    {.name = "tail", .help = "Only the last lines.", .kind = Kind::integer, .value = "LINES", .least = 0},
    {.name = "since", .help = "Only what was written in this last time, such as 10m.", .kind = Kind::duration}};
constexpr auto kLogFlags = cli::join(kTargetFlags, kLogOnlyFlags, kBucket, kConnectionFlags);
constexpr auto kStopFlags = cli::join(kTargetFlags, std::array{kGrace}, kConnectionFlags);
constexpr Rule kExactlyOneTarget[] = {{.need = Rule::exactly_one, .alternatives = {"tpu", "queued-resource", "prefix"}}};
constexpr auto kSubmitRules = cli::join(kAcceleratorRule, kQueueRules);
constexpr Example kRunExamples[] = {
    {"Train on both slices of a queued resource, and through maintenance:",
     "tpuctl jobs run my-run --queued-resource=my-pair --workdir=. --watch -- python3 train.py"}};
constexpr Example kSubmitExamples[] = {
    {"Ask for two slices that train as soon as there is capacity, and go on after maintenance by themselves:",
     "tpuctl jobs submit my-run --num-slices=2 --accelerator-type=v5litepod-16 --runtime-version=v2-alpha-tpuv5-lite "
     "--autocheckpoint-enabled --workdir=. --bucket=gs://my-bucket/runs -- python3 train.py"}};

constexpr Command kVerbs[] = {
    {.name = "attach", .help = "Follow a job again, from any machine", .positionals = kJob, .flags = kAttachFlags,
     .rules = kOneTarget, .run = run_attach, .remote_codes = true},
    {.name = "describe", .help = "Show a job: state, workers, what interruptions cost", .positionals = kJob,
     .flags = kDescribeFlags, .rules = kOneTarget, .run = run_describe_job},
    {.name = "drill", .help = "Rehearse maintenance under a job and prove that nothing is lost",
     .about = "Simulates a maintenance event on one worker while the job trains, and looks: was the notice seen, was a checkpoint made "
              "after it, had everything ended within five minutes, are the slices healthy again, and did training resume at the saved "
              "step. A job that nothing else starts again is started by the drill. The exit code is 0 only when nothing was lost: 1 "
              "says that steps were, 6 that it could not be proven.\n\nSteps are read from the job's log as --framework or the "
              "--*-regex flags say, checkpoints from --checkpoint-dir, a folder that the workers see or gs://BUCKET/FOLDER.",
     .examples = kDrillExamples, .positionals = kJob, .flags = kDrillFlags, .rules = kOneTarget, .run = run_jobs_drill},
    {.name = "list", .help = "List the jobs of this machine, and the submitted ones of the zone", .flags = kListFlags, .run = run_list_jobs},
    {.name = "logs", .help = "Print a job's log", .positionals = kJob, .flags = kLogFlags, .rules = kOneTarget, .run = run_jobs_logs},
    {.name = "run", .help = "Run a command on all workers of one or more TPU VMs",
     .about = "Starts the command on every worker of every slice, or on none. A supervisor on each worker keeps it running without "
              "this terminal; Ctrl-C only detaches. How the job ended is judged from the service's notices first and the exit code "
              "last.",
     .examples = kRunExamples, .positionals = kJob, .flags = kRunFlags, .rules = kExactlyOneTarget, .rest = "COMMAND",
     .rest_required = true, .run = run_jobs_run, .remote_codes = true},
    {.name = "stop", .help = "End a job: SIGTERM, time to save, SIGKILL", .positionals = kJob, .flags = kStopFlags,
     .rules = kOneTarget, .run = run_stop},
    {.name = "submit", .help = "Ask for TPU VMs that run a command by themselves",
     .about = "Makes a queued resource whose startup script runs the command on every worker, and returns at once. After a reboot the "
              "script decides from the job's own files: what was interrupted is started again, what has finished is not. The metadata "
              "can be read by whoever can read the TPU VM: no secrets in --env.",
     .examples = kSubmitExamples, .positionals = kJob, .flags = kSubmitFlags, .rules = kSubmitRules, .rest = "COMMAND",
     .rest_required = true, .run = run_jobs_submit},
    {.name = "wait", .help = "Wait until a job has ended", .positionals = kJob, .flags = kWaitFlags, .rules = kOneTarget,
     .run = run_job_wait, .remote_codes = true},
};

}  // namespace

constexpr Command kJobs = {.name = "jobs", .help = "Run training jobs that survive maintenance", .commands = kVerbs};

}  // namespace tpuctl::commands
