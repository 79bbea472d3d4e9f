// SPDX-License-Identifier: Apache-2.0
#include "launch/outcome.hpp"

#include <signal.h>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/time.hpp"

namespace tpuctl::launch {

namespace {

// Something that can end an attempt, at a time.
struct Cause {
  double time = 0;
  Outcome outcome = Outcome::failed;
  std::string worker;
  std::string evidence;
  int code = 0;
  std::string no_room{};
};

int newest_attempt(const std::vector<WorkerReport>& reports) {
  int newest = 0;
  for (const WorkerReport& report : reports) newest = std::max(newest, report.attempt);
  return newest;
}

// What an exit code says, for people: 128+N is signal N.
std::string how_it_ended(const std::string& who, int code) {
  switch (code) {
    case 128 + SIGTERM: return who + " was ended by SIGTERM, and not by Cloud TPU";
    case 128 + SIGKILL: return who + " was killed, perhaps for want of memory";
    case 128 + SIGSEGV: return who + " crashed with SIGSEGV";
    case 128 + SIGABRT: return who + " aborted";
    default: return fmt::format("{} exited with {}", who, code);
  }
}

std::string words_of(const Notice& notice, const std::string& who) {
  if (notice.source == "log") return fmt::format("the log of {} says \"{}\"", who, notice.value);
  if (notice.source == "node") return "a machine of the job was in trouble: " + notice.value;
  return fmt::format("metadata {} = {} on {}", notice.source, notice.value, who);
}

bool stop_asked(const WorkerReport& report, int attempt) { return report.stopped_at > report.attempt_begin && report.attempt == attempt; }

Cause stop_of(const WorkerReport& report) { return {report.stopped_at, Outcome::stopped, report.worker.label(), "stop was asked for"}; }

// Every cause the reports know of for this attempt.
std::vector<Cause> causes_of(const std::vector<WorkerReport>& reports, int attempt) {
  std::vector<Cause> causes;
  for (const WorkerReport& report : reports) {
    const std::string who = report.worker.label();
    for (const Notice& notice : report.notices) {
      if (notice.attempt != attempt) continue;
      const bool preempted = notice.source == "preempted";
      causes.push_back({notice.time, preempted ? Outcome::preempted : Outcome::maintained, who, words_of(notice, who)});
    }
    const Attempt* end = report.finished(attempt);
    if (stop_asked(report, attempt) && !(end && report.stopped_at > end->end)) causes.push_back(stop_of(report));
    const bool cleared = end && report.cleared_at > report.attempt_begin && end->end >= report.cleared_at;  // for another's sake
    if (end && end->code != 0 && !cleared) {
      const std::string& room = report.attempt == attempt ? report.no_room : std::string();
      const std::string why = room.empty() ? "" : room == "-" ? "; its log says that a disk was full" : "; its disk is full: " + room;
      causes.push_back({end->end, Outcome::failed, who, how_it_ended(who, end->code) + why, end->code, room});
    }
    if (report.cut_off() && report.attempt == attempt) {
      // When is not known better than by its last word; the failures of others after that are for want of it.
      const double when = report.log_time > 0 ? std::max(report.log_time, report.attempt_begin) : report.now;
      causes.push_back({when, Outcome::lost, who, who + " was rebooted"});
    }
  }
  std::stable_sort(causes.begin(), causes.end(), [](const Cause& a, const Cause& b) { return a.time < b.time; });
  return causes;
}

const SliceState* maintained_slice(const std::vector<SliceState>& slices) {
  for (const SliceState& slice : slices) {
    if (slice.health == "UNHEALTHY_MAINTENANCE" || slice.maintenance_pending) return &slice;
  }
  return nullptr;
}

const SliceState* preempted_slice(const std::vector<SliceState>& slices) {
  for (const SliceState& slice : slices) {
    if (slice.state == "PREEMPTED" || slice.state.empty()) return &slice;
  }
  return nullptr;
}

bool any_running(const std::vector<WorkerReport>& reports, int attempt) {
  return std::any_of(reports.begin(), reports.end(),
                     [attempt](const WorkerReport& report) { return report.running() && report.attempt == attempt; });
}

}  // namespace

std::string_view outcome_name(Outcome outcome) {
  switch (outcome) {
    case Outcome::running: return "RUNNING";
    case Outcome::ending: return "ENDING";
    case Outcome::finished: return "FINISHED";
    case Outcome::failed: return "FAILED";
    case Outcome::maintained: return "MAINTAINED";
    case Outcome::preempted: return "PREEMPTED";
    case Outcome::stopped: return "STOPPED";
    case Outcome::stuck: return "STUCK";
    case Outcome::lost: return "LOST";
    case Outcome::unknown: break;
  }
  return "UNKNOWN";
}

Verdict judge_silence(const std::vector<WorkerReport>& reports, Verdict verdict, double limit) {
  if (verdict.outcome != Outcome::running || reports.empty()) return verdict;
  double least = -1;
  for (const WorkerReport& report : reports) {
    if (!report.running()) return verdict;
    const double silent = report.now - std::max(report.log_time, report.attempt_begin);
    least = least < 0 ? silent : std::min(least, silent);
  }
  if (least < limit) return verdict;
  verdict.outcome = Outcome::stuck;
  verdict.evidence = fmt::format("no worker has logged anything for {}", human_duration(seconds(std::floor(least))));
  return verdict;
}

Verdict judge(const std::vector<WorkerReport>& reports, const std::vector<SliceState>& slices, double silence,
              double lost_after) {
  Verdict verdict;
  verdict.attempt = newest_attempt(reports);
  const SliceState* gone = preempted_slice(slices);
  const SliceState* maintained = maintained_slice(slices);
  const auto unreached = std::find_if(reports.begin(), reports.end(), [](const WorkerReport& r) { return !r.reached; });
  const bool all_reached = unreached == reports.end();
  if (verdict.attempt == 0) {
    if (!all_reached) {
      // Who has been following the job knows of it: its only machines may just be rebooting.
      const bool away = maintained || std::any_of(slices.begin(), slices.end(), [](const SliceState& s) { return s.state != "READY"; });
      const bool passing = silence > 0 && (away || silence <= lost_after);
      verdict.outcome = !passing ? Outcome::unknown : gone ? Outcome::preempted : Outcome::running;
      verdict.evidence = unreached->worker.label() + " could not be reached";
    }
    return verdict;
  }

  auto causes = causes_of(reports, verdict.attempt);
  // A machine that is gone or under maintenance explains what else is seen, when no worker has noted it itself.
  if (gone) causes.push_back({0, Outcome::preempted, gone->node, "TPU VM " + gone->node + " is " + (gone->state.empty() ? "gone" : gone->state)});
  const bool unexplained = std::any_of(reports.begin(), reports.end(), [](const WorkerReport& r) { return !r.reached || r.cut_off(); });
  if (maintained && unexplained && (causes.empty() || maintained->health == "UNHEALTHY_MAINTENANCE")) {
    causes.push_back({0, Outcome::maintained, maintained->node, "TPU VM " + maintained->node + " is under maintenance"});
  }
  for (const Cause& cause : causes) {
    const bool notice = cause.outcome == Outcome::maintained || cause.outcome == Outcome::preempted;
    if (notice && cause.time > 0 && verdict.notice_time == 0) verdict.notice_time = cause.time;
  }
  for (const WorkerReport& report : reports) {
    if (const Attempt* end = report.finished(verdict.attempt)) verdict.end_time = std::max(verdict.end_time, end->end);
  }
  const bool running = any_running(reports, verdict.attempt);

  if (!causes.empty()) {
    // The first cause in time; a word of the service outranks a failure that came just before it was noted.
    const Cause* first = &causes.front();
    for (const Cause& cause : causes) {
      const bool explains = cause.outcome != Outcome::failed && cause.outcome != Outcome::lost;
      const bool near = cause.time == 0 || cause.time <= first->time + 5;
      if (explains && near && (first->outcome == Outcome::failed || first->outcome == Outcome::lost)) first = &cause;
    }
    // A failure long after a notice that ended nobody is the job's own. (The service's own kill takes a moment.)
    const bool notice = first->time > 0 && (first->outcome == Outcome::maintained || first->outcome == Outcome::preempted);
    const bool idle = notice && std::none_of(reports.begin(), reports.end(), [&](const WorkerReport& r) {
      const Attempt* end = r.finished(verdict.attempt);
      return !r.reached || r.cut_off() || (end && end->end <= first->time + kCollateralSeconds + 60);
    });
    for (auto cause = causes.rbegin(); idle && cause != causes.rend(); ++cause) {
      if (cause->outcome == Outcome::failed) first = &*cause;
    }
    // Who asks for a stop after a notice does not want the job started again, also when the attempt has ended for the notice.
    const auto asked = std::find_if(reports.begin(), reports.end(), [&](const WorkerReport& r) { return stop_asked(r, verdict.attempt); });
    const bool announced = first->outcome == Outcome::maintained || first->outcome == Outcome::preempted;
    const Cause stop = asked == reports.end() ? Cause{} : stop_of(*asked);
    if (announced && asked != reports.end()) first = &stop;
    verdict.cause = first->outcome;
    verdict.worker = first->worker;
    verdict.evidence = first->evidence;
    verdict.exit_code = first->code;
    verdict.no_room = first->no_room;
    // A notice alone ends nothing: the processes do.
    // Maintenance that was only announced does not tell whether the silent worker went down for it, and took the others along.
    const bool explained = maintained && (maintained->health == "UNHEALTHY_MAINTENANCE" || first->outcome != Outcome::failed);
    // After a preemption's notice nobody expects an answer for long.
    const bool taken = first->outcome == Outcome::preempted && silence > kTakenSilence;
    const bool ended = !running && (all_reached || explained || gone || taken || silence > lost_after);
    verdict.outcome = ended ? first->outcome : Outcome::ending;
    const bool nobody_ended = std::none_of(reports.begin(), reports.end(), [&](const WorkerReport& r) {
      return r.finished(verdict.attempt) || r.cut_off();
    });
    if (nobody_ended && all_reached && first->outcome != Outcome::stopped) verdict.outcome = Outcome::running;
    return verdict;
  }
  if (!all_reached) {
    verdict.out_of_reach = true;
    verdict.worker = unreached->worker.label();
    verdict.evidence = verdict.worker + " could not be reached: " + unreached->trouble;
    verdict.outcome = silence > lost_after ? Outcome::lost : Outcome::running;
    return verdict;
  }
  const auto ended = std::count_if(reports.begin(), reports.end(),
                                   [&](const WorkerReport& report) { return report.finished(verdict.attempt); });
  const auto ignorant = std::find_if(reports.begin(), reports.end(),
                                     [&](const WorkerReport& report) { return !report.finished(verdict.attempt); });
  if (running) {
    verdict.outcome = ended > 0 ? Outcome::ending : Outcome::running;
  } else if (ignorant != reports.end()) {  // made again, or its supervisor is about to start
    verdict.worker = ignorant->worker.label();
    verdict.evidence = fmt::format("{} knows nothing of attempt {}", verdict.worker, verdict.attempt);
    verdict.outcome = ignorant->now > verdict.end_time + lost_after ? Outcome::lost : Outcome::ending;
  } else {
    verdict.outcome = Outcome::finished;
    verdict.evidence = "every worker ended with 0";
  }
  return verdict;
}

}  // namespace tpuctl::launch
