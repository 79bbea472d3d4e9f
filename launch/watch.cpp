// SPDX-License-Identifier: Apache-2.0
#include "launch/watch.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"
#include "launch/log_follower.hpp"
#include "launch/watch_contact.hpp"
#include "launch/watch_muster.hpp"
#include "launch/watch_warnings.hpp"

namespace tpuctl::launch {

namespace {

constexpr Duration kEndTogether = std::chrono::seconds(15);  // after a failure the others get so long to end by themselves
constexpr Duration kBootPatience = std::chrono::minutes(5);  // from READY to the job that a boot starts
constexpr Duration kSettle = std::chrono::seconds(15);  // a failure on spot machines: the service's word may follow
constexpr Duration kTaken = std::chrono::seconds(30);   // silence after a preemption's notice, before READY is not believed
constexpr Duration kPreemptedGrace = std::chrono::seconds(45);  // for the others: the machine itself goes 30 s after the notice
constexpr Duration kRetry = std::chrono::seconds(5);
constexpr int kBrokenStarts = 20;  // looks and starts that found a machine silent

class Watch {
 public:
  Watch(WatchWorld& world, const std::string& job, const WatchOptions& options)
      : world_(world),
        job_(job),
        options_(options),
        follower_(job, world.log),
        machines_(world.client, world.clock, [this](const std::string& line) { say(line); }, world.queued_resource,
                  [this] { if (!world_.spec && !boots_) refuse_unknown(); }),
        contact_(world.clock, job, [this](const std::string& line) { say(line); }, [this](const std::string& line) { warn(line); }, options.lost_after),
        start_(world.clock.now()) {
    refresh();
    if (options_.restart) machines_.remember(names());
  }

  Verdict run() {
    for (;;) {
      const Verdict verdict = look();
      if (options_.follow_log && verdict.outcome != Outcome::unknown) follower_.read_from(crew_);
      tell(verdict);
      warnings_.of_full_disks(reports_);
      if (boots_ && verdict.outcome == Outcome::running && verdict.attempt > 0) muster_.complete(crew_, reports_, verdict.attempt);
      if (verdict.outcome == Outcome::ending) {
        hasten(verdict);
      } else if (verdict.outcome == Outcome::unknown && options_.expected && world_.clock.now() - start_ < kBootPatience) {
        // its machines are booting
      } else if (verdict.outcome != Outcome::running && !settling(verdict)) {
        if (options_.follow_log && verdict.outcome != Outcome::unknown) follower_.finish(crew_);
        if (!start_again(verdict)) return verdict;
        continue;
      }
      check_time("still running");
      pause();
    }
  }

 private:
  void say(const std::string& line) { world_.say("Job [" + job_ + "]: " + line); }
  void warn(const std::string& line) { world_.warn("Job [" + job_ + "]: " + line); }

  void refresh() {
    slices_ = world_.find_slices();
    crew_ = world_.crew_of(slices_);
    quick_ = for_a_look(crew_);
  }

  std::optional<TimePoint> deadline() const {
    return options_.timeout ? std::optional(start_ + *options_.timeout) : std::nullopt;
  }

  void check_time(const std::string& what) const {
    if (!options_.timeout || world_.clock.now() - start_ <= *options_.timeout) return;
    throw Error(Kind::wait, "Job [" + job_ + "] is " + what + " after " + human_duration(*options_.timeout) + ".");
  }

  Duration interval() const { return seconds(1.5 + 0.05 * static_cast<double>(crew_.workers.size())); }

  void pause() {
    if (options_.follow_log) return follower_.pass(interval());
    world_.clock.sleep(interval());
  }

  std::vector<api::Name> names() const {
    std::vector<api::Name> out;
    for (const Slice& slice : slices_) out.push_back(slice.name);
    return out;
  }

  Verdict look() {
    std::string trouble;
    try {
      states_ = slice_states(world_.client, names());
    } catch (const Error& error) {
      if (error.kind != Kind::unavailable || states_.empty()) throw;
      trouble = error.what();
    }
    ask();
    boots_ = boots_ || std::any_of(reports_.begin(), reports_.end(), [](const auto& r) { return r.boots; });
    contact_.note(reports_, trouble);
    contact_.check();
    Verdict verdict = judge(reports_, states_, contact_.silence(), to_seconds(options_.lost_after));
    if (contact_.nobody_answers() && !someone_ended(verdict.attempt)) verdict.outcome = Outcome::running;  // as far as anybody knows
    const bool away = std::any_of(states_.begin(), states_.end(), [](const SliceState& slice) { return !slice.quiet(); });
    contact_.tell(away || verdict.attempt == 0 || verdict.outcome != Outcome::running);
    if (options_.stuck_after) verdict = judge_silence(reports_, verdict, to_seconds(*options_.stuck_after));
    return verdict;
  }

  bool someone_ended(int attempt) const {
    return std::any_of(reports_.begin(), reports_.end(), [attempt](const auto& r) { return r.finished(attempt) != nullptr; });
  }

  // What a worker said before it fell silent still holds: its notices, and its end.
  void ask() {
    auto reports = ask_status(quick_, job_);
    keep_what_was_said(reports, reports_);
    reports_ = std::move(reports);
  }

  // A line whenever the picture changes. How a job ended for good is told by who asked.
  void tell(const Verdict& verdict) {
    const std::string picture = fmt::format("{} {}", verdict.attempt, outcome_name(verdict.outcome));
    const bool passing = verdict.outcome == Outcome::running || verdict.outcome == Outcome::ending ||
                         (options_.restart && verdict.outcome != Outcome::finished && verdict.outcome != Outcome::stopped);
    if (picture == told_ || verdict.outcome == Outcome::unknown || !passing) return;
    told_ = picture;
    if (verdict.attempt == 0) return say("waiting for its machines: " + verdict.evidence + ".");  // nobody has told of an attempt yet
    world_.say(fmt::format("Job [{}] attempt {}: {}{}", job_, verdict.attempt, outcome_name(verdict.outcome),
                           verdict.evidence.empty() ? "" : " (" + verdict.evidence + ")"));
    if (verdict.outcome == Outcome::running) warnings_.of_deaf_holders(reports_);
  }

  // Some have ended and others have not: they get their time, then they are ended.
  void hasten(const Verdict& verdict) {
    if (verdict.attempt != ending_attempt_) {
      ending_attempt_ = verdict.attempt;
      ending_since_ = world_.clock.now();
      return;
    }
    const bool announced = verdict.notice_time > 0;
    const Duration patience = verdict.cause == Outcome::preempted ? std::min(options_.grace, kPreemptedGrace)
                              : announced                         ? options_.grace
                                                                  : kEndTogether;
    const bool any = std::any_of(reports_.begin(), reports_.end(), [](const auto& r) { return r.running(); });
    if (!any || world_.clock.now() - ending_since_ < patience) return;
    say("ending what still runs on the other workers.");
    clear_away(announced ? 5 : 30);
    ending_since_ = world_.clock.now();
  }

  void clear_away(double grace) {
    try {
      stop_job(with_one_try(crew_), job_, seconds(grace), std::string(kClearing), world_.say);
    } catch (const Error& error) {
      world_.say(error.what());  // a worker that is being maintained cannot be asked; its reboot does the same
    }
  }

  // On spot machines siblings of a reclaimed worker may fail before anybody says why.
  bool settling(const Verdict& verdict) {
    if (verdict.outcome != Outcome::failed || !on_spot(slices_)) return false;
    if (settled_attempt_ != verdict.attempt) {
      settled_attempt_ = verdict.attempt;
      settles_at_ = world_.clock.now() + kSettle;
    }
    return world_.clock.now() < settles_at_;
  }

  bool within_budget(const Verdict& verdict) {
    switch (verdict.outcome) {
      case Outcome::maintained: return true;  // not the job's fault and not charged
      case Outcome::preempted: return ++preemptions_ <= options_.max_preemptions;
      case Outcome::failed:
      case Outcome::stuck:
      case Outcome::lost: return ++failures_ <= options_.max_failures;
      default: return false;
    }
  }

  /// While the machines of an interrupted job come back.
  enum class Step { start, wait, give_up, runs };

  bool start_again(const Verdict& verdict) {
    const bool interrupted = verdict.outcome == Outcome::maintained || verdict.outcome == Outcome::preempted || verdict.outcome == Outcome::lost;
    if (!options_.restart && !(boots_ && interrupted)) return false;
    if (options_.restart && !within_budget(verdict)) return false;
    if (verdict.outcome == Outcome::stuck) clear_away(to_seconds(options_.grace));
    if (verdict.outcome == Outcome::preempted && verdict.notice_time > 0) machines_.expect_reclaim();
    if (verdict.outcome == Outcome::preempted) patiently([&] { return machines_.wait_for_reclaim(names()), true; });
    silent_since_.reset();
    bool anew = false;
    for (int broken = 0;;) {
      check_time("not running again");
      if (!patiently([&] { return machines_.wait_until_ready(names(), deadline()); })) return false;
      patiently([&] { return refresh(), true; });
      reports_.clear();
      if (machines_.take_made_anew()) {
        anew = true;
        silent_since_.reset();
        follower_.begin_anew();
      }
      Step step = Step::start;
      if (verdict.outcome == Outcome::preempted && !anew) step = after_notice();
      if (verdict.outcome == Outcome::lost && !anew) step = after_silence(broken);
      if (step == Step::start && boots_ && interrupted && boot_starts(anew ? 1 : verdict.attempt + 1)) step = Step::runs;
      if (step == Step::start) step = options_.restart ? start(verdict.attempt + 1, anew, broken) : Step::give_up;
      if (step == Step::give_up) return false;
      if (step == Step::runs) break;
      world_.clock.sleep(kRetry);
    }
    contact_.begin_anew();
    return true;
  }

  bool patiently(const std::function<bool()>& action) { return contact_.patiently(action, deadline()); }

  // READY is believed of machines that answer. Those that stay silent after a preemption's notice were taken.
  Step after_notice() {
    ask();
    const auto silent = std::count_if(reports_.begin(), reports_.end(), [](const auto& r) { return !r.reached; });
    const bool runs = std::any_of(reports_.begin(), reports_.end(), [](const auto& r) { return r.running(); });
    if (silent == 0) return runs ? Step::runs : Step::start;
    const TimePoint now = world_.clock.now();
    if (!silent_since_) {
      silent_since_ = now;
      say(fmt::format("Cloud TPU calls all machines READY, but {} {} not answer after the notice.", unreached(reports_), silent == 1 ? "does" : "do"));
    }
    if (now - *silent_since_ < kTaken) return Step::wait;
    say(fmt::format("{} taken without a word.", silent == 1 ? "It was" : "They were"));
    if (!options_.restart || !machines_.can_be_made_anew()) return Step::give_up;
    patiently([&] { return machines_.make_anew(deadline()), true; });
    return Step::wait;
  }

  // Out of reach is not lost: what was silent may run still, or have finished.
  Step after_silence(int& broken) {
    ask();
    const bool silent = std::any_of(reports_.begin(), reports_.end(), [](const auto& r) { return !r.reached; });
    if (silent) return ++broken < kBrokenStarts ? Step::wait : Step::start;
    const Outcome found = judge(reports_, {}, 0, to_seconds(options_.lost_after)).outcome;
    if (found == Outcome::lost || found == Outcome::unknown) return Step::start;
    say("contact again: the job is " + std::string(outcome_name(found)) + ".");
    --failures_;
    return Step::runs;
  }

  Step start(int number, bool anew, int& broken) {
    JobSpec again;
    again.name = job_;
    try {
      if (anew) {
        if (!world_.spec) refuse_unknown();
        again = *world_.spec;
        if (world_.deliver) world_.deliver(crew_);
      }
      say(fmt::format("starting attempt {} on {} workers.", number, crew_.workers.size()));
      start_job(crew_, again, number, world_.say, world_.warn);
      return Step::runs;
    } catch (const Error& error) {
      if (error.kind == Kind::failure && !anew && others_decided(number)) return Step::runs;
      // A machine that the service calls READY and that is not there: rebooting, or out of reach.
      if (error.kind != Kind::no_connection || ++broken >= kBrokenStarts) throw;
      say(error.what());
      return Step::wait;
    }
  }

  // Somebody else watches too, and has started it, or asked for its end.
  bool others_decided(int number) {
    ask();
    const Verdict now = judge(reports_, {});
    return now.attempt >= number || now.outcome == Outcome::stopped;
  }

  // Machines that are made anew know nothing of the job, unless their startup script brings it.
  [[noreturn]] void refuse_unknown() {
    throw Error(Kind::preempted, "Job [" + job_ + "] was interrupted by a preemption, and the command and files that new machines would need are not known here.",
                "Make the machines anew, then run it again under its name: tpuctl jobs run " + job_ + " ...");
  }

  // Waits for the attempt that the machines' startup script begins.
  bool boot_starts(int number) {
    say(fmt::format("waiting for its startup script to begin attempt {}.", number));
    const TimePoint limit = world_.clock.now() + kBootPatience;
    while (world_.clock.now() < limit) {
      check_time("not running again");
      ask();
      if (muster_.complete(crew_, reports_, number)) return true;
      world_.clock.sleep(interval());
    }
    return false;
  }

  WatchWorld& world_;
  std::string job_;
  WatchOptions options_;
  LogFollower follower_;
  Machines machines_;
  WatchContact contact_;
  WatchMuster muster_{world_.clock, job_, [this](const std::string& line) { say(line); }};
  WatchWarnings warnings_{[this](const std::string& line) { warn(line); }};
  TimePoint start_;
  std::vector<Slice> slices_;
  Crew crew_, quick_;
  std::vector<SliceState> states_;
  std::vector<WorkerReport> reports_;
  bool boots_ = false;
  std::optional<TimePoint> silent_since_;  // after a notice
  std::string told_;
  int ending_attempt_ = 0;
  TimePoint ending_since_{};
  int settled_attempt_ = 0;
  TimePoint settles_at_{};
  int failures_ = 0;
  int preemptions_ = 0;
};

}  // namespace

Verdict watch_job(WatchWorld& world, const std::string& job, const WatchOptions& options) {
  return Watch(world, job, options).run();
}

}  // namespace tpuctl::launch
