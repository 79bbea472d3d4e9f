// SPDX-License-Identifier: Apache-2.0
// Between the command line and launch/: where a job runs, what this machine remembers of it, how its workers are reached.
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "commands/context.hpp"
#include "commands/remote.hpp"
#include "launch/watch.hpp"

namespace tpuctl::commands {

/// What this machine remembers of a job it started. A convenience only: the job itself lies on its workers, and from another
/// machine the flags --tpu, --queued-resource or --prefix say where.
struct JobRecord {
  std::string name;
  std::string project;
  std::string zone;
  launch::Target target;
  std::string command;
  std::string framework = "generic";
  std::string checkpoint_dir;
  std::string step_regex, resume_regex;  ///< instead of the framework's; may be empty
  std::string started;                   ///< RFC 3339
  std::string bucket;                    ///< gs://BUCKET[/FOLDER] where its logs are copied to; may be empty
  std::string delete_on = "never";
  bool boots = false;                    ///< a startup script starts it: `jobs submit`, `jobs run --survive-reboot`

  std::string target_text() const;  ///< "queued-resource my-pair"
  Json json() const;
  static JobRecord from(const Json& json);
  /// Takes over what `other`, told by a worker, knows and this one does not: command, framework, checkpoints, bucket.
  void complete(const JobRecord& other);
};

/// Flags that say where a job runs.
inline constexpr Flag kTargetFlags[] = {
    kZone,
    {.name = "tpu", .help = "TPU VMs to run on, one or the slices of a multislice.", .kind = Kind::list, .value = "TPU",
     .source = Source::node},
    {.name = "queued-resource", .help = "Run on all nodes of this queued resource.", .source = Source::queued_resource},
    {.name = "prefix", .help = "Run on all TPU VMs called PREFIX or PREFIX-NUMBER."},
};
inline constexpr std::string_view kTargetChoices[] = {"tpu", "queued-resource", "prefix"};
/// Flags that say how a job's progress is read.
inline constexpr Flag kProgressFlags[] = {
    {.name = "framework", .help = "What trains: decides how steps are read and what is checked.", .kind = Kind::choice,
     .choices = "generic,maxtext,pax,orbax", .fallback = "generic"},
    {.name = "checkpoint-dir", .help = "Folder of the checkpoints, as the workers see it.", .value = "DIRECTORY"},
    {.name = "step-regex", .help = "Extended regular expression for the log lines that tell a step, ending in its number."},
    {.name = "resume-regex", .help = "The same for the line that tells where training resumed."},
};

class JobStore {
 public:
  explicit JobStore(const cli::Config& config);
  void save(const JobRecord& record);
  std::optional<JobRecord> load(const std::string& name) const;
  std::vector<JobRecord> all() const;  ///< by name
  void forget(const std::string& name);
  /// Notes what happened to a job, with the time; and what was noted.
  void note_incident(const std::string& name, TimePoint time, const std::string& line);
  std::string incident_file(const std::string& name) const;

 private:
  std::string path(const std::string& name) const;
  std::string dir_;
};

/// The label of a job's machines: what makes it known to every machine.
inline constexpr std::string_view kJobLabel = "tpuctl-job";

/// The record of a job that the flags describe, else the remembered one with the given flags in its place, else the one that
/// the labels of the zone's queued resources tell of. Throws Error{not_found} when nothing says where it runs.
JobRecord job_record(Context& context, const std::string& name);

/// Every job whose label a queued resource of the zone carries. Nothing without a project and a zone.
std::vector<JobRecord> labelled_jobs(Context& context);

/// The queued resource that the job's machines belong to, if it was named.
std::optional<api::Name> queued_resource_of(const JobRecord& record);

/// The state of that queued resource before its machines are there ("WAITING_FOR_RESOURCES", "FAILED", ...) with its reason;
/// empty once they are, and for a job on TPU VMs that were named.
std::string machine_state(api::Client& client, const JobRecord& record);

/// How the steps of a job are read: the framework's row with the record's own expressions.
launch::Framework framework_of(const JobRecord& record);

/// The cloud side of one job. Keeps what the pieces of launch/ refer to.
class JobWorld {
 public:
  JobWorld(Context& context, JobRecord record);
  std::vector<launch::Slice> find_slices();  ///< reads nodes and workers, spreads the key, pins the host keys
  launch::Crew crew_of(const std::vector<launch::Slice>& slices) const;
  launch::WatchWorld watch_world();
  /// The job for machines that are made anew while it is watched, and how its folder gets there.
  void remember(launch::JobSpec spec, std::function<void(const launch::Crew&)> deliver) {
    spec_ = std::move(spec);
    deliver_ = std::move(deliver);
  }
  /// What took the job's machines away, when something did: "queued resource [q] is SUSPENDED", "TPU VM [n] is PREEMPTED".
  std::string taken();
  /// Whether the startup script of its machines is this job's, also when they are gone.
  bool boots_by_itself();
  /// Of the TPU VMs that were named; empty for those of a queued resource.
  std::vector<api::Name> node_names();
  /// Waits until the queued resource is ACTIVE, telling its states. Throws Error{wait} when it cannot become so.
  void wait_for_machines(std::optional<Duration> timeout);
  api::Client& client() { return client_; }
  const JobRecord& record() const { return record_; }

 private:
  void note_incident(const std::string& line) const;
  Context& context_;
  JobRecord record_;
  api::Client client_;
  launch::SshSettings ssh_;
  std::optional<launch::JobSpec> spec_;
  std::function<void(const launch::Crew&)> deliver_;
};

/// Everything that is known about a job, as `jobs describe` prints it. With `costs` the interruptions are worked out too
/// (one more round). A job whose machines are gone has the state GONE. `silent` is kept from job to job: the workers that did not
/// answer, which are not asked again.
Json job_view(Context& context, const JobRecord& record, bool costs, std::set<std::string>* silent = nullptr);

}  // namespace tpuctl::commands
