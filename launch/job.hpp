// SPDX-License-Identifier: Apache-2.0
// A job: one command on all workers of all slices. The supervisors on the workers run it; this starts, asks and stops them,
// each in one round of ssh.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "launch/checkpoints.hpp"
#include "launch/fanout.hpp"
#include "launch/frameworks.hpp"
#include "launch/report.hpp"
#include "launch/ssh.hpp"

namespace tpuctl::launch {

/// Job names are part of paths and labels: ^[a-z]([-a-z0-9]{0,61}[a-z0-9])?$. Throws Error{usage}.
void check_job_name(const std::string& name);

struct JobSpec {
  std::string name;
  std::string command;   ///< shell text; empty: the job as it is on the workers, started again
  std::string workdir;   ///< on the worker; relative: below its home
  std::string env;       ///< lines NAME='value', for a shell; travels on stdin, kept 0600
};

/// One line NAME='value' of JobSpec.env. Throws Error{usage} when NAME is no variable name.
std::string env_line(const std::string& name, const std::string& value);

struct Crew {
  std::vector<Worker> workers;  ///< slice order; the first is the leader
  SshSettings ssh;
  FanoutOptions fanout;
};

/// Words for people while a round goes on.
using Say = std::function<void(const std::string&)>;

/// Starts attempt `number` on every worker or on none: all checks of all workers pass before the first process starts. Throws
/// Error{failure} naming each worker that refused and why, Error{no_connection} for those that could not be reached.
void start_job(const Crew& crew, const JobSpec& spec, int number);

/// One round: what every supervisor knows. Workers that cannot be reached say so in their report; nothing is thrown for them.
std::vector<WorkerReport> ask_status(const Crew& crew, const std::string& job);

/// One round: steps of the logs, and the checkpoints in `checkpoint_dir` (a path on the workers; empty: none).
std::vector<Progress> ask_progress(const Crew& crew, const std::string& job, const Framework& framework,
                                   const std::string& checkpoint_dir);

/// SIGTERM to the device holders of every worker at the same time (without any: to the job's processes), KILL after `grace`.
void stop_job(const Crew& crew, const std::string& job, Duration grace, const std::string& reason, const Say& say);

/// The remote command that runs a supervisor verb, and the supervisor's own text that must be fed to its stdin first.
Task supervisor_task(const Crew& crew, const Worker& worker, const std::vector<std::string>& words);

}  // namespace tpuctl::launch
