// SPDX-License-Identifier: Apache-2.0
#include "launch/job.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"
#include "base/text.hpp"
#include "embedded/kCloud.hpp"
#include "embedded/kMachine.hpp"
#include "embedded/kSupervisor.hpp"

namespace tpuctl::launch {

namespace {

// "NAME MODE SIZE" and the bytes, as supervisor.sh's receive() reads them.
std::string file_block(const std::string& name, const std::string& mode, const std::string& bytes) {
  return fmt::format("{} {} {}\n{}", name, mode, bytes.size(), bytes);
}

// Why a worker did not do what it was asked, for one line of an error.
std::string trouble_of(const Ending& ending) {
  if (ending.timed_out) return "no answer within the time limit";
  if (!ending.connected) return "could not connect" + (ending.complaint.empty() ? "" : " (" + ending.complaint + ")");
  return ending.complaint.empty() ? fmt::format("ended with {}", ending.code) : ending.complaint;
}

std::vector<Ending> run_round(const Crew& crew, std::vector<Task> tasks, const Fanout::OnLine& on_line) {
  FanoutOptions options = crew.fanout;
  options.parallel = parallel_limit(options.parallel);
  Fanout fanout(std::move(tasks), options, on_line);
  return fanout.run();
}

std::vector<Task> same_for_all(const Crew& crew, const std::vector<std::string>& words) {
  std::vector<Task> tasks;
  for (const Worker& worker : crew.workers) tasks.push_back(supervisor_task(crew, worker, words));
  return tasks;
}

}  // namespace

Crew with_one_try(Crew crew) {
  crew.fanout.tries = 1;
  return crew;
}

Crew for_a_look(Crew crew) {
  crew = with_one_try(std::move(crew));
  if (!crew.fanout.limit) crew.fanout.limit = seconds(20 + 0.2 * static_cast<double>(crew.workers.size()));
  return crew;
}

void check_job_name(const std::string& name) {
  const bool plain = !name.empty() && name.size() <= 63 && name[0] >= 'a' && name[0] <= 'z' && name.back() != '-' &&
                     name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-") == std::string::npos;
  if (!plain) {
    throw Error(Kind::usage, "Invalid job name [" + name + "].",
                "Use lower-case letters, digits and dashes, at most 63, beginning with a letter.");
  }
}

std::string env_line(const std::string& name, const std::string& value) {
  const bool plain = !name.empty() && !(name[0] >= '0' && name[0] <= '9') &&
                     name.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_") == std::string::npos;
  if (!plain) throw Error(Kind::usage, "[" + name + "] is no name of an environment variable.");
  return name + "=" + text::shell_quote(value) + "\n";
}

const std::string& supervisor_text() {
  static const std::string text = std::string(kMachine) + std::string(kCloud) + std::string(kSupervisor);
  return text;
}

std::string job_files(const JobSpec& spec, int number, bool with_secrets) {
  std::string out = file_block("number", "644", std::to_string(number) + "\n");
  if (spec.command.empty()) return out + "end\n";
  std::string options;
  for (const auto& [name, value] : spec.options) options += name + " " + value + "\n";
  out += file_block("command", "644", spec.command + "\n") + file_block("workdir", "644", spec.workdir) +
         file_block("env", "600", spec.env) + file_block("options", "644", options);
  if (!spec.record.empty()) out += file_block("record", "644", spec.record + "\n");
  if (!spec.secrets.empty() && with_secrets) out += file_block("secrets", "600", spec.secrets);
  return out + "end\n";
}

Task supervisor_task(const Crew& crew, const Worker& worker, const std::vector<std::string>& words) {
  // The text comes on stdin, so that it never meets a command-line limit; what follows it there is the verb's own input.
  const std::string loader =
      fmt::format("exec sh -c 'S=$(head -c {}); eval \"$S\"' tpuctl {}", supervisor_text().size(), text::shell_join(words));
  Task task;
  task.argv = ssh_argv(crew.ssh, worker, loader, {}, !worker.host_keys.empty());
  task.input = supervisor_text();
  return task;
}

Task start_task(const Crew& crew, const Worker& worker, const std::string& job, bool meets) {
  std::vector<std::string> words = {"start", job};
  const Worker& first = crew.workers[0];
  if (meets && worker.label() != first.label() && !first.internal_address.empty()) words.push_back(first.internal_address);
  return supervisor_task(crew, worker, words);
}

namespace {

// What those who cannot reach the first worker's port have said: "PORT [ANOTHER]".
std::string meeting_words(const Crew& crew, const std::vector<std::string>& swallowed) {
  std::vector<Worker> cut_off;
  std::vector<std::string> ports;
  for (std::size_t i = 0; i < swallowed.size(); ++i) {
    if (swallowed[i].empty()) continue;
    if (cut_off.empty()) ports = text::split(swallowed[i], ' ');
    cut_off.push_back(crew.workers[i]);
  }
  if (cut_off.empty()) return {};
  return fmt::format("{} cannot reach port {} of {}, where the processes of a JAX job meet: they would wait there for ever. Let it through the "
                     "network's firewall{}.",
                     first_and_more(cut_off), ports[0], crew.workers[0].label(),
                     ports.size() > 1 && !ports[1].empty() ? ", or let them meet elsewhere: --env=JAX_COORDINATOR_PORT=" + ports[1] : "");
}

}  // namespace

void start_job(const Crew& crew, const JobSpec& spec, int number, const Say& say, const Say& warn) {
  const std::string files = job_files(spec, number);
  std::vector<Task> tasks;
  for (const Worker& worker : crew.workers) {
    tasks.push_back(start_task(crew, worker, spec.name, warn != nullptr));
    tasks.back().input += files;
    tasks.back().keep_open = true;
  }

  const std::size_t count = crew.workers.size();
  std::vector<std::string> refusals(count), swallowed(count);
  std::vector<bool> started(count, false);
  std::vector<bool> answered(count, false);
  std::size_t ready = 0;
  bool abandoned = false;
  Fanout* fanout = nullptr;
  // Nobody starts before all are ready; the first refusal lets everybody go home.
  auto abandon = [&] {
    if (abandoned) return;
    abandoned = true;
    for (std::size_t i = 0; i < count; ++i) fanout->close_input(i);
  };
  FanoutOptions options = crew.fanout;
  options.parallel = parallel_limit(static_cast<int>(count));
  options.on_end = [&](std::size_t i, const Ending&) {
    if (!started[i]) abandon();
  };
  if (options.parallel < static_cast<int>(count)) {
    throw Error(Kind::failure, fmt::format("{} workers cannot be started together within the limit of open files.", count),
                "Raise it: ulimit -n");
  }
  Fanout round(std::move(tasks), options, [&](std::size_t i, Channel, std::string_view line) {
    if (line == "tpuctl: ready") {
      answered[i] = true;
      if (++ready == count && !abandoned) {
        for (std::size_t k = 0; k < count; ++k) {
          fanout->say(k, "go\n");
          fanout->close_input(k);
        }
      }
    } else if (line == "tpuctl: started") {
      started[i] = true;
    } else if (line.starts_with("tpuctl: refused ")) {
      answered[i] = true;
      refusals[i] = text::printable(line.substr(16));
      abandon();
    } else if (line.starts_with("tpuctl: swallowed ")) {
      swallowed[i] = text::printable(line.substr(18));
    } else if (say && line.starts_with("tpuctl: note ")) {
      say("[" + crew.workers[i].label() + "] " + text::printable(line.substr(13)));
    }
  });
  fanout = &round;
  const auto endings = round.run();

  const std::string meeting = meeting_words(crew, swallowed);
  if (warn && !meeting.empty()) warn(meeting);
  std::string problems;
  bool unreachable = false;
  for (std::size_t i = 0; i < count; ++i) {
    if (started[i] || (answered[i] && refusals[i].empty())) continue;  // those who were ready are not to blame
    unreachable = unreachable || !endings[i].connected;
    problems += "\n  " + crew.workers[i].label() + ": " + (refusals[i].empty() ? trouble_of(endings[i]) : refusals[i]);
  }
  if (problems.empty() && std::all_of(started.begin(), started.end(), [](bool yes) { return yes; })) return;
  if (problems.empty()) problems = "\n  a connection broke between the checks and the start";
  throw Error(unreachable ? Kind::no_connection : Kind::failure, "The job was not started on any worker:" + problems,
              "Mend it and run the same command again.");
}

namespace {

std::vector<std::string> steps_words(const std::string& verb, const std::string& job, const Framework& framework, const std::string& checkpoint_dir) {
  return {verb, job, std::string(framework.step), std::string(framework.resume), std::string(framework.saved), checkpoint_dir};
}

// A round of questions whose lines all go to `line`.
std::vector<WorkerReport> ask(const Crew& crew, const std::vector<std::string>& words,
                              const std::function<void(std::size_t, std::string_view)>& line = {}) {
  std::vector<WorkerReport> reports(crew.workers.size());
  for (std::size_t i = 0; i < reports.size(); ++i) reports[i].worker = crew.workers[i];
  const auto endings = run_round(crew, same_for_all(crew, words), [&](std::size_t i, Channel channel, std::string_view text) {
    if (channel != Channel::out) return;
    read_status_line(reports[i], text);
    if (line) line(i, text);
  });
  for (std::size_t i = 0; i < reports.size(); ++i) {
    if (endings[i].code != 0) {  // half a report, of a machine that went down meanwhile, would be read as an end
      const Worker worker = reports[i].worker;
      reports[i] = {};
      reports[i].worker = worker;
    }
    if (!reports[i].reached) reports[i].trouble = trouble_of(endings[i]);
  }
  return reports;
}

}  // namespace

std::vector<WorkerReport> ask_status(const Crew& crew, const std::string& job) { return ask(crew, {"status", job}); }

Picture ask_picture(const Crew& crew, const std::string& job, const Framework& framework, const std::string& checkpoint_dir) {
  Picture out;
  out.progress.resize(crew.workers.size());
  out.reports = ask(crew, steps_words("describe", job, framework, checkpoint_dir),
                    [&out](std::size_t i, std::string_view line) { read_progress_line(out.progress[i], line); });
  return out;
}

std::vector<Progress> ask_progress(const Crew& crew, const std::string& job, const Framework& framework,
                                   const std::string& checkpoint_dir) {
  std::vector<Progress> out(crew.workers.size());
  ask(crew, steps_words("steps", job, framework, checkpoint_dir),
      [&out](std::size_t i, std::string_view line) { read_progress_line(out[i], line); });
  return out;
}

Stopped stop_job(const Crew& crew, const std::string& job, Duration grace, const std::string& reason, const Say& say) {
  const auto whole = std::to_string(static_cast<long>(to_seconds(grace)));
  std::vector<std::string> answers(crew.workers.size());
  const auto endings = run_round(crew, same_for_all(crew, {"stop", job, whole, reason}),
                                 [&](std::size_t i, Channel channel, std::string_view line) {
                                   if (channel == Channel::out && line.starts_with("tpuctl: stopped ")) answers[i] = line.substr(16);
                                 });
  std::string problems;
  Stopped out = Stopped::unknown;
  for (std::size_t i = 0; i < answers.size(); ++i) {
    const std::string label = crew.workers[i].label();
    if (answers[i] == "killed" && say) say("[" + label + "] did not end within the grace period and was killed.");
    if (answers[i] == "killed" || answers[i] == "ended") {
      out = Stopped::ended;
    } else if (answers[i] == "already") {
      out = out == Stopped::ended ? out : Stopped::already;
    } else if (answers[i].starts_with("not: ")) {
      problems += "\n  " + label + ": " + text::printable(answers[i].substr(5));
    } else if (answers[i].empty()) {
      problems += "\n  " + label + ": " + trouble_of(endings[i]);
    }
  }
  if (!problems.empty()) throw Error(Kind::failure, "The job could not be stopped on every worker:" + problems);
  return out;
}

}  // namespace tpuctl::launch
