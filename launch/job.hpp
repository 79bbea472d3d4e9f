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
  std::string command{};  ///< shell text; empty: the job as it is on the workers, started again
  std::string workdir{};  ///< on the worker; relative: below its home
  std::string env{};      ///< lines NAME='value', for a shell; travels on stdin, kept 0600
  std::string secrets{};  ///< the same, and kept out of every other place
  std::vector<std::pair<std::string, std::string>> options{};  ///< for the supervisor: marker, bucket, ... (supervisor.sh)
  std::string record{};   ///< one line of JSON that status gives back: what a client on another machine must know
};

/// The job's files as supervisor.sh's receive() reads them, "end" included. Without a command only the number. `with_secrets`:
/// false where others may read them.
std::string job_files(const JobSpec& spec, int number, bool with_secrets = true);

/// The supervisor, whole: what is sent on stdin before a verb's own input.
const std::string& supervisor_text();

/// One line NAME='value' of JobSpec.env. Throws Error{usage} when NAME is no variable name.
std::string env_line(const std::string& name, const std::string& value);

struct Crew {
  std::vector<Worker> workers;  ///< slice order; the first is the leader
  SshSettings ssh;
  FanoutOptions fanout;
};

/// The same crew for what must not wait for a machine that is being rebooted.
Crew with_one_try(Crew crew);
/// And for a look, which must not hang on one that stands still either: with a time limit that leaves this machine's processors room
/// for so many connections.
Crew for_a_look(Crew crew);

/// Words for people while a round goes on.
using Say = std::function<void(const std::string&)>;

/// Starts attempt `number` on every worker or on none: all checks of all workers pass before the first process starts. Throws
/// Error{failure} naming each worker that refused and why, Error{no_connection} for those that could not be reached. `say` hears
/// what was put right on the way, `warn` of a firewall between the workers, which nobody looks for without it.
void start_job(const Crew& crew, const JobSpec& spec, int number, const Say& say = {}, const Say& warn = {});

/// How a worker is told to start: what it is given on stdin is the job. `meets`: it looks whether it can reach the first worker.
Task start_task(const Crew& crew, const Worker& worker, const std::string& job, bool meets);

/// One round: what every supervisor knows. Workers that cannot be reached say so in their report; nothing is thrown for them.
std::vector<WorkerReport> ask_status(const Crew& crew, const std::string& job);

/// Both of the next in one round.
struct Picture {
  std::vector<WorkerReport> reports;
  std::vector<Progress> progress;
};
Picture ask_picture(const Crew& crew, const std::string& job, const Framework& framework, const std::string& checkpoint_dir);

/// One round: steps of the logs, and the checkpoints in `checkpoint_dir` (a path on the workers; empty: none).
std::vector<Progress> ask_progress(const Crew& crew, const std::string& job, const Framework& framework,
                                   const std::string& checkpoint_dir);

/// What a stop found on the workers.
enum class Stopped {
  ended,    ///< it ran on one worker at least, and has ended
  already,  ///< it had ended before on every worker that knows it
  unknown,  ///< no worker knows it
};

/// One round: SIGTERM to the job's device holders on every worker at the same time (without any: to its processes), KILL after
/// `grace`. Throws Error{failure} naming the workers that could not be asked.
Stopped stop_job(const Crew& crew, const std::string& job, Duration grace, const std::string& reason, const Say& say);

/// The remote command that runs a supervisor verb, and the supervisor's own text that must be fed to its stdin first.
Task supervisor_task(const Crew& crew, const Worker& worker, const std::vector<std::string>& words);

}  // namespace tpuctl::launch
