// SPDX-License-Identifier: Apache-2.0
#include "launch/watch.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <signal.h>

#include <algorithm>

#include "base/error.hpp"
#include "base/process.hpp"
#include "base/signal.hpp"

namespace tpuctl::launch {

namespace {

constexpr double kEndTogetherSeconds = 15;  // after a failure the others get so long to end by themselves
constexpr double kLostSeconds = 120;

// The leader's log as it grows. The connection may break at any time; it goes on where it was.
class LogFollower {
 public:
  LogFollower(const WatchWorld& world, std::string job) : world_(world), job_(std::move(job)) {}

  void read_from(const Crew& crew) {
    if (child_.running() || !crew.workers.size()) return;
    start(crew, "follow");
  }
  /// Passes on what has come, waiting at most `limit`.
  void pass(Duration limit) {
    const auto end = std::chrono::steady_clock::now() + limit;
    for (;;) {
      const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - std::chrono::steady_clock::now()).count();
      signals::check();
      if (left <= 0) return;
      pollfd fds[2] = {{signals::wake_fd(), POLLIN, 0}, {child_.out(), POLLIN, 0}};
      poll(fds, 2, static_cast<int>(std::min<long>(left, 500)));
      feed();
      if (fds[1].revents && !drain()) close();
    }
  }
  /// What is left of the log once the job has ended.
  void finish(const Crew& crew) {
    close();
    start(crew, "once");
    while (drain()) {
      pollfd fds[2] = {{signals::wake_fd(), POLLIN, 0}, {child_.out(), POLLIN, 0}};
      poll(fds, 2, 100);
      signals::check();
      feed();
    }
    close();
  }

 private:
  void start(const Crew& crew, const std::string& mode) {
    const Task task = supervisor_task(crew, crew.workers[0], {"log", job_, std::to_string(seen_), mode});
    process::Spec spec;
    spec.argv = task.argv;
    spec.in = process::Stream::pipe;
    spec.out = process::Stream::pipe;
    spec.err = process::Stream::null;
    spec.own_group = true;
    child_ = process::Child(spec);
    to_send_ = task.input;
    feed();
  }
  void feed() {
    if (child_.in() < 0) return;
    to_send_.erase(0, child_.feed(to_send_));
    if (to_send_.empty()) child_.close_in();
  }
  bool drain() {
    if (child_.out() < 0) return false;
    std::string bytes;
    const bool open = process::Child::drain(child_.out(), bytes);
    seen_ += static_cast<long>(bytes.size());
    if (!bytes.empty()) world_.log(bytes);
    return open;
  }
  void close() {
    child_.kill(SIGTERM);
    child_ = {};
  }

  const WatchWorld& world_;
  std::string job_;
  process::Child child_;
  std::string to_send_;
  long seen_ = 0;
};

class Watch {
 public:
  Watch(WatchWorld& world, const std::string& job, const WatchOptions& options)
      : world_(world), job_(job), options_(options), follower_(world, job), start_(world.clock.now()) {
    refresh();
  }

  Verdict run() {
    for (;;) {
      const Verdict verdict = look();
      if (options_.follow_log && verdict.outcome != Outcome::unknown) follower_.read_from(crew_);
      tell(verdict);
      if (verdict.outcome == Outcome::ending) {
        hasten(verdict);
      } else if (verdict.outcome != Outcome::running) {
        if (options_.follow_log && verdict.outcome != Outcome::unknown) follower_.finish(crew_);
        if (!start_again(verdict)) return verdict;
        continue;
      }
      if (options_.timeout && world_.clock.now() - start_ > *options_.timeout) {
        throw Error(Kind::wait, "Job [" + job_ + "] is still running after " + human_duration(*options_.timeout) + ".");
      }
      pause();
    }
  }

 private:
  void refresh() {
    slices_ = world_.find_slices();
    crew_ = world_.crew_of(slices_);
    quick_ = crew_;
    quick_.fanout.tries = 1;  // a look must not hang on a machine that is being rebooted
  }

  Duration interval() const { return seconds(1.5 + 0.05 * static_cast<double>(crew_.workers.size())); }

  void pause() {
    if (options_.follow_log) {
      follower_.pass(interval());
    } else {
      world_.clock.sleep(interval());
    }
  }

  std::vector<api::Name> names() const {
    std::vector<api::Name> out;
    for (const Slice& slice : slices_) out.push_back(slice.name);
    return out;
  }

  Verdict look() {
    states_ = slice_states(world_.client, names());
    const auto reports = ask_status(quick_, job_);
    const bool all_reached = std::all_of(reports.begin(), reports.end(), [](const auto& r) { return r.reached; });
    const TimePoint now = world_.clock.now();
    if (all_reached) last_heard_ = now;
    return judge(reports, states_, to_seconds(now - last_heard_.value_or(start_)), kLostSeconds);
  }

  // A line whenever the picture changes. How a job ended for good is told by who asked.
  void tell(const Verdict& verdict) {
    const std::string picture = fmt::format("{} {}", verdict.attempt, outcome_name(verdict.outcome));
    const bool passing = verdict.outcome == Outcome::running || verdict.outcome == Outcome::ending ||
                         (options_.restart && verdict.outcome != Outcome::finished && verdict.outcome != Outcome::stopped);
    if (picture == told_ || verdict.outcome == Outcome::unknown || !passing) return;
    told_ = picture;
    world_.say(fmt::format("Job [{}] attempt {}: {}{}", job_, verdict.attempt, outcome_name(verdict.outcome),
                           verdict.evidence.empty() ? "" : " (" + verdict.evidence + ")"));
  }

  // Some have ended and others have not: they get their time, then they are ended.
  void hasten(const Verdict& verdict) {
    if (verdict.attempt != ending_attempt_) {
      ending_attempt_ = verdict.attempt;
      ending_since_ = world_.clock.now();
      return;
    }
    const bool announced = verdict.notice_time > 0;
    const Duration patience = announced ? options_.grace : seconds(kEndTogetherSeconds);
    if (world_.clock.now() - ending_since_ < patience) return;
    world_.say("Job [" + job_ + "]: ending what still runs on the other workers.");
    try {
      stop_job(quick_, job_, seconds(announced ? 5 : 30), std::string(kClearing), world_.say);
    } catch (const Error& error) {
      world_.say(error.what());  // a worker that is being maintained cannot be asked; its reboot does the same
    }
    ending_since_ = world_.clock.now();
  }

  bool within_budget(const Verdict& verdict) {
    if (!options_.restart) return false;
    switch (verdict.outcome) {
      case Outcome::maintained: return true;  // not the job's fault and not charged
      case Outcome::preempted: return ++preemptions_ <= options_.max_preemptions;
      case Outcome::failed:
      case Outcome::lost: return ++failures_ <= options_.max_failures;
      default: return false;
    }
  }

  bool start_again(const Verdict& verdict) {
    if (!within_budget(verdict) || !wait_until_ready()) return false;
    refresh();
    world_.say(fmt::format("Job [{}]: starting attempt {} on {} workers.", job_, verdict.attempt + 1, crew_.workers.size()));
    start_job(crew_, JobSpec{.name = job_, .command = {}, .workdir = {}, .env = {}}, verdict.attempt + 1);
    last_heard_.reset();
    return true;
  }

  // All slices READY and healthy, with no maintenance before them. False when one of them is gone for good.
  bool wait_until_ready() {
    std::string told;
    for (;;) {
      states_ = slice_states(world_.client, names());
      std::string waiting;
      for (const SliceState& slice : states_) {
        if (slice.state.empty() || slice.state == "PREEMPTED" || slice.state == "TERMINATED") return false;
        const bool healthy = slice.health.empty() || slice.health == "HEALTHY";
        if (slice.state != "READY" || !healthy || slice.maintenance_pending) {
          waiting += " " + slice.node + "=" + slice.state + (healthy ? "" : "/" + slice.health);
        }
      }
      if (waiting.empty()) return true;
      if (waiting != told) world_.say("Job [" + job_ + "]: waiting for all slices to be READY:" + waiting);
      told = waiting;
      if (options_.timeout && world_.clock.now() - start_ > *options_.timeout) {
        throw Error(Kind::wait, "The slices of job [" + job_ + "] are not READY yet:" + waiting + ".");
      }
      world_.clock.sleep(seconds(1.5));
    }
  }

  WatchWorld& world_;
  std::string job_;
  WatchOptions options_;
  LogFollower follower_;
  TimePoint start_;
  std::vector<Slice> slices_;
  Crew crew_, quick_;
  std::vector<SliceState> states_;
  std::optional<TimePoint> last_heard_;
  std::string told_;
  int ending_attempt_ = 0;
  TimePoint ending_since_{};
  int failures_ = 0;
  int preemptions_ = 0;
};

}  // namespace

std::vector<SliceState> slice_states(api::Client& client, const std::vector<api::Name>& names) {
  std::vector<SliceState> out;
  for (const api::Name& name : names) {
    SliceState state;
    state.node = name.id;
    try {
      const Json node = client.get(name);
      state.state = node["state"].text();
      state.health = node["health"].text();
      state.maintenance_pending = !node["upcomingMaintenance"].empty();
    } catch (const Error& error) {
      if (error.kind != Kind::not_found) throw;
    }
    out.push_back(std::move(state));
  }
  return out;
}

Verdict watch_job(WatchWorld& world, const std::string& job, const WatchOptions& options) {
  return Watch(world, job, options).run();
}

}  // namespace tpuctl::launch
