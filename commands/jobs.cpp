// SPDX-License-Identifier: Apache-2.0
// jobs: one command on all workers of all slices, watched through maintenance.
#include <fmt/format.h>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/text.hpp"
#include "cli/globals.hpp"
#include "commands/drill.hpp"
#include "commands/files.hpp"
#include "commands/groups.hpp"
#include "commands/job_world.hpp"

namespace tpuctl::commands {

namespace {

using cli::Args;
using cli::Command;
using cli::Example;
using cli::Frame;
using cli::Positional;
using cli::Rule;

// `-- ONE` is shell text, `-- A B` an argv.
std::string command_text(const std::vector<std::string>& rest) { return rest.size() == 1 ? rest[0] : text::shell_join(rest); }

std::string counted(std::size_t count, std::string_view noun) { return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s"); }

std::string environment_text(const Args& args, bool autocheckpoint) {
  std::string out = launch::env_line("ENABLE_AUTOCHECKPOINT", autocheckpoint ? "true" : "false");
  if (args.has("env-file")) {
    for (const std::string& line : text::split(file::read(args.text("env-file")), '\n')) {
      const auto trimmed = text::trim(line);
      if (trimmed.empty() || trimmed[0] == '#') continue;
      const auto equals = trimmed.find('=');
      if (equals == std::string_view::npos) {
        throw Error(tpuctl::Kind::usage, "The file [" + args.text("env-file") + "] has a line without NAME=VALUE.");
      }
      out += launch::env_line(std::string(trimmed.substr(0, equals)), std::string(trimmed.substr(equals + 1)));
    }
  }
  for (const auto& [name, value] : args.map("env")) out += launch::env_line(name, value);
  return out;
}

// True when Autocheckpoint is on everywhere; says where it is not.
bool check_autocheckpoint(Context& context, const std::vector<launch::Slice>& slices) {
  bool everywhere = true;
  for (const launch::Slice& slice : slices) {
    if (slice.node["autocheckpointEnabled"].boolean()) continue;
    everywhere = false;
    context.say("WARNING: TPU VM [" + slice.name.id + "] was made without --autocheckpoint-enabled: maintenance will end its "
                 "processes at once, and what was not saved is lost. It can only be switched on by making it again.");
  }
  return everywhere;
}

void check_command(Context& context, const JobRecord& record) {
  const launch::Framework framework = framework_of(record);
  for (const std::string& missing : launch::lint(framework, record.command)) {
    context.say("WARNING: The command does not set " + missing + "; without it " + std::string(framework.name) +
                     " saves nothing when maintenance comes.");
  }
}

launch::WatchOptions watch_options(const Args& args, bool follow) {
  launch::WatchOptions options;
  options.restart = args.row("watch") && args.on("watch");
  options.max_failures = args.row("max-failures") ? static_cast<int>(args.integer("max-failures").value_or(0)) : 0;
  options.max_preemptions = args.row("max-preemptions") ? static_cast<int>(args.integer("max-preemptions").value_or(100)) : 100;
  if (args.row("grace") && args.has("grace")) options.grace = *args.duration("grace");
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
    case launch::Outcome::finished:
      context.say(fmt::format("Job [{}] finished after {}.", name, counted(static_cast<std::size_t>(verdict.attempt), "attempt")));
      return 0;
    case launch::Outcome::failed:
      context.say("Job [" + name + "] failed: worker " + verdict.worker + " was the first" + why + ". Its last lines:");
      show_last_lines(context, world, verdict.worker);
      return verdict.exit_code;
    case launch::Outcome::maintained:
    case launch::Outcome::preempted:
      throw Error(tpuctl::Kind::preempted,
                  "Job [" + name + "] was interrupted by " +
                      (verdict.outcome == launch::Outcome::preempted ? "a preemption" : "maintenance") + why + " and not started again.",
                  "Start it again when the slices are back: tpuctl jobs attach " + name + " --watch");
    case launch::Outcome::stopped:
      throw Error(tpuctl::Kind::stopped, "Job [" + name + "] was stopped.");
    case launch::Outcome::lost:
      throw Error(tpuctl::Kind::wait, "Job [" + name + "] is lost" + why + ".", "See: tpuctl jobs describe " + name);
    default:
      throw Error(tpuctl::Kind::not_found, "No worker has a job called [" + name + "]" + why + ".");
  }
}

int follow(Context& context, JobWorld& world, bool with_log) {
  auto watched = world.watch_world();
  const std::string name = world.record().name;
  try {
    return conclude(context, world, launch::watch_job(watched, name, watch_options(context.args, with_log)));
  } catch (Error& error) {
    if (error.kind == tpuctl::Kind::interrupted || error.kind == tpuctl::Kind::terminated) {
      error.hint = "The job goes on without this terminal. Come back: tpuctl jobs attach " + name +
                   "\nStop it: tpuctl jobs stop " + name;
    }
    throw;
  }
}

int run_run(Frame& frame, const Args& args) {
  Context context(frame, args);
  return with_credential_words(context, [&] {
    environment_text(args, true);  // what is wrong with it is said before anything is asked
    JobRecord record = job_record(context, args.positional("JOB"));
    record.command = command_text(args.rest());
    record.started = rfc3339(frame.clock.now());
    const std::string local_dir = args.text("workdir");
    if (!local_dir.empty() && !file::is_dir(local_dir)) {
      throw Error(tpuctl::Kind::failure, "There is no folder [" + local_dir + "] to upload.");
    }
    check_command(context, record);
    JobWorld world(context, record);
    const auto slices = world.find_slices();
    const launch::Crew crew = world.crew_of(slices);
    const bool autocheckpoint = check_autocheckpoint(context, slices);
    launch::JobSpec spec{record.name, record.command, local_dir.empty() ? "" : "tpuctl-jobs/" + record.name,
                         environment_text(args, autocheckpoint)};
    if (args.on("dry-run")) {
      for (const launch::Worker& worker : crew.workers) {
        frame.io.out("[" + worker.label() + "] " + text::shell_join(launch::supervisor_task(crew, worker, {"start", record.name}).argv) + "\n");
      }
      frame.io.out("command: " + record.command + "\n");
      return 0;
    }
    if (!local_dir.empty()) send_workdir(context, crew, local_dir, spec.workdir);
    context.say(fmt::format("Starting job [{}] on {} of {}.", record.name, counted(crew.workers.size(), "worker"),
                            counted(slices.size(), "TPU VM")));
    launch::start_job(crew, spec, 1);
    JobStore(frame.config).save(record);
    if (args.on("detach")) {
      context.say("Job [" + record.name + "] runs. Follow it: tpuctl jobs attach " + record.name);
      return 0;
    }
    return follow(context, world, true);
  });
}

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
    "table(name, target, zone, state, attempt, workers.len():label=WORKERS, autocheckpoint.yesno(yes=True, no=False):label=AUTOCHECKPOINT)";

int run_list_jobs(Frame& frame, const Args& args) {
  Context context(frame, args);
  return with_credential_words(context, [&] {
    cli::output::Pipeline pipeline(frame.io, context.output(), kJobColumns);
    const bool everything = args.has("format") || args.has("flatten") || args.has("filter");  // may ask for the interruptions
    for (const JobRecord& record : JobStore(frame.config).all()) pipeline.push(job_view(context, record, everything));
    pipeline.finish();
    return 0;
  });
}

int run_logs(Frame& frame, const Args& args) {
  Context context(frame, args);
  return with_credential_words(context, [&] {
    const JobRecord record = job_record(context, args.positional("JOB"));
    JobWorld world(context, record);
    launch::Crew crew = world.crew_of(world.find_slices());
    const std::string wanted = args.text("worker");
    if (wanted.empty()) crew.workers.resize(1);
    if (!wanted.empty() && wanted != "all") {
      std::erase_if(crew.workers, [&wanted](const launch::Worker& worker) { return worker.label() != wanted; });
      if (crew.workers.empty()) throw Error(tpuctl::Kind::failure, "The job has no worker [" + wanted + "].", "Workers are named TPU/NUMBER.");
    }
    std::vector<std::string> words = {"log", record.name, "0", args.on("follow") ? "follow" : "once"};
    if (args.has("tail")) words.push_back(std::to_string(*args.integer("tail")));
    std::vector<launch::Task> tasks;
    for (const auto& worker : crew.workers) tasks.push_back(launch::supervisor_task(crew, worker, words));
    launch::Fanout fanout(std::move(tasks), crew.fanout, [&](std::size_t i, launch::Channel channel, std::string_view line) {
      const std::string prefix = crew.workers.size() == 1 ? "" : "[" + crew.workers[i].label() + "] ";
      if (channel == launch::Channel::out) frame.io.out(prefix + std::string(line) + "\n");
      if (channel == launch::Channel::err) context.say(prefix + std::string(line));
      if (args.on("follow")) frame.io.flush();
    });
    int code = 0;
    for (const launch::Ending& ending : fanout.run()) code = code == 0 ? ending.code : code;
    return code;
  });
}

int run_stop(Frame& frame, const Args& args) {
  Context context(frame, args);
  return with_credential_words(context, [&] {
    const JobRecord record = job_record(context, args.positional("JOB"));
    JobWorld world(context, record);
    const launch::Crew crew = world.crew_of(world.find_slices());
    context.say("Stopping job [" + record.name + "]: SIGTERM now, SIGKILL after " + human_duration(*args.duration("grace")) + ".");
    launch::stop_job(crew, record.name, *args.duration("grace"), std::string(launch::kRequested),
                     [&](const std::string& line) { context.say(line); });
    context.say("Stopped job [" + record.name + "].");
    return 0;
  });
}

constexpr Positional kJob[] = {{.name = "JOB", .help = "Name of the job.", .source = Source::job}};
constexpr Flag kGrace = {.name = "grace", .help = "Time from SIGTERM to SIGKILL for processes that do not end by themselves.",
                         .kind = Kind::duration, .fallback = "300s"};
constexpr Flag kWatchFlags[] = {
    {.name = "watch", .help = "Start the job again, on all slices, after maintenance; failures as often as --max-failures says.",
     .kind = Kind::toggle},
    {.name = "max-failures", .help = "How often a failed job is started again.", .kind = Kind::integer, .fallback = "0"},
    {.name = "max-preemptions", .help = "How often a preempted job is started again.", .kind = Kind::integer, .fallback = "100"},
    kGrace, kTimeout};
constexpr Flag kRunOnlyFlags[] = {
    {.name = "workdir", .help = "Local folder to copy to every worker; the command starts in the copy.", .source = Source::directory},
    {.name = "env", .help = "Variables for the command, separated by commas.", .kind = Kind::map, .value = "NAME=VALUE"},
    {.name = "env-file", .help = "File with lines NAME=VALUE; goes to the workers over ssh, never in a command line.",
     .source = Source::file},
    {.name = "detach", .help = "Return once the job has started on every worker.", .kind = Kind::toggle},
    kDryRun};
constexpr auto kRunFlags = cli::join(kTargetFlags, kRunOnlyFlags, kProgressFlags, kWatchFlags, kConnectionFlags);
constexpr auto kAttachFlags = cli::join(kTargetFlags, kProgressFlags, kWatchFlags, kConnectionFlags);
constexpr auto kWaitFlags = cli::join(kTargetFlags, std::array{kTimeout}, kConnectionFlags);
constexpr auto kDescribeFlags = cli::join(kTargetFlags, kProgressFlags, kConnectionFlags);
constexpr auto kListFlags = cli::join(cli::kListFlags, kConnectionFlags);
constexpr Flag kLogOnlyFlags[] = {
    {.name = "worker", .help = "Whose log: TPU/NUMBER, or all; default: worker 0 of the first slice.", .value = "TPU/NUMBER"},
    {.name = "follow", .help = "Go on printing as the log grows.", .kind = Kind::toggle, .letter = 'f'},
    {.name = "tail", .help = "Only the last lines.", .kind = Kind::integer, .value = "LINES"}};
constexpr auto kLogFlags = cli::join(kTargetFlags, kLogOnlyFlags, kConnectionFlags);
constexpr auto kStopFlags = cli::join(kTargetFlags, std::array{kGrace}, kConnectionFlags);
constexpr Rule kOneTarget[] = {{.alternatives = {"tpu", "queued-resource", "prefix"}}};
constexpr Rule kExactlyOneTarget[] = {{.need = Rule::exactly_one, .alternatives = {"tpu", "queued-resource", "prefix"}}};
constexpr Example kRunExamples[] = {
    {"Train on both slices of a queued resource, and through maintenance:",
     "tpuctl jobs run my-run --queued-resource=my-pair --workdir=. --watch -- python3 train.py"}};

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
    {.name = "list", .help = "List the jobs started from this machine", .flags = kListFlags, .run = run_list_jobs},
    {.name = "logs", .help = "Print a job's log", .positionals = kJob, .flags = kLogFlags, .rules = kOneTarget, .run = run_logs,
     .remote_codes = true},
    {.name = "run", .help = "Run a command on all workers of one or more TPU VMs",
     .about = "Starts the command on every worker of every slice, or on none. A supervisor on each worker keeps it running without "
              "this terminal; Ctrl-C only detaches. How the job ended is judged from the service's notices first and the exit code "
              "last.",
     .examples = kRunExamples, .positionals = kJob, .flags = kRunFlags, .rules = kExactlyOneTarget, .rest = "COMMAND",
     .rest_required = true, .run = run_run, .remote_codes = true},
    {.name = "stop", .help = "End a job: SIGTERM, time to save, SIGKILL", .positionals = kJob, .flags = kStopFlags,
     .rules = kOneTarget, .run = run_stop},
    {.name = "wait", .help = "Wait until a job has ended", .positionals = kJob, .flags = kWaitFlags, .rules = kOneTarget,
     .run = run_job_wait, .remote_codes = true},
};

}  // namespace

constexpr Command kJobs = {.name = "jobs", .help = "Run training jobs that survive maintenance", .commands = kVerbs};

}  // namespace tpuctl::commands
