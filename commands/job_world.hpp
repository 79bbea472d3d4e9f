// SPDX-License-Identifier: Apache-2.0
// Between the command line and launch/: where a job runs, what this machine remembers of it, how its workers are reached.
#pragma once

#include <optional>
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

  std::string target_text() const;  ///< "queued-resource my-pair"
  Json json() const;
  static JobRecord from(const Json& json);
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

 private:
  std::string path(const std::string& name) const;
  std::string dir_;
};

/// The record of a job that the flags describe, or the remembered one with the given flags in its place. Throws
/// Error{not_found} when neither says where it runs.
JobRecord job_record(Context& context, const std::string& name);

/// How the steps of a job are read: the framework's row with the record's own expressions.
launch::Framework framework_of(const JobRecord& record);

/// The cloud side of one job. Keeps what the pieces of launch/ refer to.
class JobWorld {
 public:
  JobWorld(Context& context, JobRecord record);
  std::vector<launch::Slice> find_slices();  ///< reads nodes and workers, spreads the key, pins the host keys
  launch::Crew crew_of(const std::vector<launch::Slice>& slices) const;
  launch::WatchWorld watch_world();
  api::Client& client() { return client_; }
  const JobRecord& record() const { return record_; }

 private:
  Context& context_;
  JobRecord record_;
  api::Client client_;
  launch::SshSettings ssh_;
};

/// Everything that is known about a job, as `jobs describe` prints it. With `costs` the interruptions are worked out too
/// (one more round). A job whose machines are gone has the state GONE.
Json job_view(Context& context, const JobRecord& record, bool costs);

}  // namespace tpuctl::commands
