// SPDX-License-Identifier: Apache-2.0
#include "launch/drill.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"

namespace tpuctl::launch {

namespace {

constexpr double kWarmUpSeconds = 120;   // for a job that has just been started to take the device and make steps
constexpr double kPatienceSeconds = 20;  // for a watch or a boot to start the job again
constexpr double kNothingSeconds = 60;   // after a finished operation that nobody has felt

class Drill {
 public:
  Drill(WatchWorld& world, const std::string& job, const DrillOptions& options)
      : world_(world), job_(job), options_(options), start_(world.clock.now()) {}

  Drilled run() {
    refresh();
    choose();
    wait_for_training();
    if (options_.confirm) options_.confirm(out_.node, out_.worker);
    simulate();
    while (!done()) {
      if (world_.clock.now() - start_ > options_.timeout) {
        world_.say("The drill's time is over; what is known now is judged.");
        break;
      }
      world_.clock.sleep(interval());
      look();
    }
    conclude();
    return std::move(out_);
  }

 private:
  void refresh() {
    slices_ = world_.find_slices();
    crew_ = world_.crew_of(slices_);
    quick_ = for_a_look(crew_);
  }

  Duration interval() const { return seconds(1 + 0.05 * static_cast<double>(crew_.workers.size())); }
  double elapsed(TimePoint since) const { return to_seconds(world_.clock.now() - since); }

  std::vector<api::Name> names() const {
    std::vector<api::Name> out;
    for (const Slice& slice : slices_) out.push_back(slice.name);
    return out;
  }

  void choose() {
    const auto slice = std::find_if(slices_.begin(), slices_.end(),
                                    [this](const Slice& s) { return options_.slice.empty() || s.name.id == options_.slice; });
    if (slice == slices_.end()) {
      std::string all;
      for (const Slice& each : slices_) all += " " + each.name.id;
      throw Error(Kind::failure, "Job [" + job_ + "] has no slice [" + options_.slice + "].", "Its slices are:" + all);
    }
    if (options_.worker < 0 || options_.worker >= static_cast<int>(slice->workers.size())) {
      throw Error(Kind::failure, fmt::format("TPU VM [{}] has no worker {}.", slice->name.id, options_.worker),
                  fmt::format("It has {}, counted from 0.", slice->workers.size()));
    }
    node_ = slice->name;
    out_.node = slice->name.id;
    out_.worker = options_.worker;
  }

  const WorkerReport* report_of(const std::string& node, int index) const {
    for (const WorkerReport& report : reports_) {
      if (report.worker.node == node && report.worker.index == index) return &report;
    }
    return nullptr;
  }

  std::vector<Progress> ask_steps(const Crew& crew) {
    auto progress = ask_progress(crew, job_, options_.framework, options_.checkpoint_dir);
    if (options_.listing && !progress.empty()) progress[0].checkpoints = options_.listing();
    return progress;
  }

  // Whether the attempt has made steps, as far as the logs tell.
  bool trains() {
    const auto progress = ask_steps(quick_);
    for (std::size_t i = 0; i < reports_.size(); ++i) {
      if (last_step(reports_[i], progress[i], out_.attempt)) return true;
    }
    return false;
  }

  // The drill begins in the middle of training: the device is held and steps are told. What does not come is noted, not awaited.
  void wait_for_training() {
    const TimePoint begin = world_.clock.now();
    bool told = false;
    for (;;) {
      reports_ = ask_status(quick_, job_);
      const Verdict verdict = judge(reports_, slice_states(world_.client, names()));
      if (verdict.outcome != Outcome::running) {
        throw Error(Kind::failure, fmt::format("Job [{}] does not run (it is {}); a drill needs a job that trains.", job_, outcome_name(verdict.outcome)),
                    "See: tpuctl jobs describe " + job_);
      }
      out_.attempt = verdict.attempt;
      const WorkerReport* target = report_of(out_.node, out_.worker);
      out_.evidence.holders_known = target && target->reached;
      out_.evidence.holders = target ? target->holders : 0;
      out_.evidence.catches_sigterm = target && target->catches_sigterm;
      tells_steps_ = trains();
      if (out_.evidence.holders > 0 && out_.evidence.catches_sigterm && tells_steps_) return;
      if (elapsed(begin) > std::min(kWarmUpSeconds, to_seconds(options_.timeout) / 2)) break;
      if (!told) world_.say("Waiting for job [" + job_ + "] to hold the TPU device and to make steps.");
      told = true;
      world_.clock.sleep(interval());
    }
    const std::string who = fmt::format("{}/{}", out_.node, out_.worker);
    if (out_.evidence.holders == 0) world_.warn("No process on " + who + " holds the TPU device: a notice will reach nobody there.");
    if (out_.evidence.holders > 0 && !out_.evidence.catches_sigterm) {
      world_.warn("The process on " + who + " that holds the TPU device does not catch SIGTERM: it will save nothing.");
    }
    if (!tells_steps_) world_.warn("The job's log tells no steps: what is lost cannot be measured (--step-regex).");
  }

  void simulate() {
    const Json operation = world_.client.send(drill_call(world_.client, node_, out_.worker));
    operation_ = operation["name"].text();
    asked_ = world_.clock.now();
    world_.say(fmt::format("Simulating maintenance of worker {} of TPU VM [{}] under attempt {} of job [{}].", out_.worker, out_.node,
                           out_.attempt, job_));
  }

  void tell(bool& told, bool now, const std::string& words) {
    if (told || !now) return;
    told = true;
    world_.say(fmt::format("{:5.1f} s  {}", elapsed(asked_), words));
  }

  bool newer() const {
    return !reports_.empty() && std::all_of(reports_.begin(), reports_.end(), [this](const WorkerReport& report) {
      return report.reached && report.attempt > out_.attempt;
    });
  }

  void look() {
    const bool ready = look_at_slices();
    look_at_operation();
    reports_ = ask_status(quick_, job_);
    look_at_workers();
    // A short maintenance may fall between two looks; the worker's metadata has told of it all the same.
    if (noticed_ && operation_done_) out_.evidence.maintained = true;
    tell(out_.evidence.healthy, ready && interrupted_ && (out_.evidence.maintained || operation_done_), "all slices are READY and healthy");
    if (!ready) out_.evidence.healthy = false;
    if (out_.evidence.healthy) see_to_restart();
  }

  // Whether all are READY and healthy, with no maintenance before them; what they are otherwise is told.
  bool look_at_slices() {
    std::string picture;
    for (const SliceState& slice : slice_states(world_.client, names())) {
      std::string trouble = slice.maintenance_pending ? "/PENDING" : "";
      if (!slice.health.empty() && slice.health != "HEALTHY") trouble = "/" + slice.health;
      if (slice.state == "READY" && trouble.empty()) continue;
      picture += " " + slice.node + "=" + slice.state + trouble;
      if (slice.node == out_.node) out_.evidence.maintained = true;
    }
    if (picture != picture_ && !picture.empty()) world_.say(fmt::format("{:5.1f} s  {}", elapsed(asked_), picture.substr(1)));
    picture_ = picture;
    return picture.empty();
  }

  void look_at_workers() {
    bool all_ended = true;
    for (const WorkerReport& report : reports_) {
      for (const Notice& notice : report.notices) {
        tell(noticed_, notice.attempt == out_.attempt, fmt::format("notice on {}: {} = {}", report.worker.label(), notice.source, notice.value));
      }
      const bool ended = report.finished(out_.attempt) != nullptr;
      if (report.reached && (ended || report.attempt > out_.attempt || report.cut_off())) interrupted_ = true;
      all_ended = all_ended && report.reached && ended;
    }
    tell(ended_, all_ended, "the program has ended on every worker");
  }

  // The service's own words about the event; the emulator says whom the notice reached.
  void look_at_operation() {
    if (operation_done_ || operation_.empty()) return;
    try {
      const Json operation = world_.client.get_operation(operation_);
      operation_done_ = operation["done"].boolean();
      const std::string& detail = operation["metadata"]["statusDetail"].text();
      if (!detail.empty() && detail != detail_) world_.say(fmt::format("{:5.1f} s  {}", elapsed(asked_), detail.substr(detail.starts_with(detail_) ? detail_.size() : 0)));
      if (!detail.empty()) detail_ = detail;
      if (operation_done_ && !operation["error"].empty()) {
        throw Error(Kind::failure, "The maintenance event failed: " + operation["error"]["message"].text());
      }
      if (operation_done_) operation_end_ = world_.clock.now();
    } catch (const Error& error) {
      if (error.kind != Kind::not_found) throw;
      operation_.clear();  // the service forgets operations
    }
  }

  void see_to_restart() {
    if (newer()) {
      if (out_.started_by.empty()) out_.started_by = "its watch or boot";
      tell(running_, true, "attempt " + std::to_string(out_.attempt + 1) + " runs, started by " + out_.started_by);
      return;
    }
    const bool all_reached = std::all_of(reports_.begin(), reports_.end(), [](const WorkerReport& r) { return r.reached; });
    if (!back_since_ || !all_reached) back_since_ = world_.clock.now();
    const bool still = std::any_of(reports_.begin(), reports_.end(), [](const WorkerReport& r) { return r.running(); });
    if (still && elapsed(*back_since_) > kGraceSeconds) {
      world_.say("Ending what still runs of attempt " + std::to_string(out_.attempt) + ".");
      stop_job(with_one_try(crew_), job_, seconds(5), std::string(kClearing), world_.say);
    }
    if (still || elapsed(*back_since_) < kPatienceSeconds) return;
    start_again();
  }

  void start_again() {
    refresh();  // a machine that was rebooted may have another key
    try {
      start_job(crew_, JobSpec{.name = job_, .command = {}, .workdir = {}, .env = {}}, out_.attempt + 1);
      out_.started_by = "the drill";
    } catch (const Error& error) {
      reports_ = ask_status(quick_, job_);
      refused_ = !newer();  // somebody was faster
      if (refused_) world_.say(error.what());
    }
  }

  bool done() {
    if (refused_) return true;
    if (operation_done_ && !interrupted_ && elapsed(operation_end_) > kNothingSeconds) {
      world_.say("The maintenance event is over and the job has felt nothing of it.");
      return true;
    }
    if (!running_) return false;
    if (!tells_steps_) return true;
    measure();
    if (out_.evidence.cost && out_.evidence.cost->resumed_at) return true;
    // An attempt that has ended, or has told nothing for long, will not tell more.
    const bool over = std::none_of(reports_.begin(), reports_.end(), [](const WorkerReport& r) { return !r.reached || r.running(); });
    if (!resuming_since_) resuming_since_ = world_.clock.now();
    return over || elapsed(*resuming_since_) > kWarmUpSeconds;
  }

  void measure() {
    const auto rows = interruptions(reports_, ask_steps(quick_));
    const auto row = std::find_if(rows.begin(), rows.end(), [this](const Interruption& r) { return r.attempt == out_.attempt; });
    if (row != rows.end()) out_.evidence.cost = *row;
  }

  void conclude() {
    if (!out_.evidence.cost) measure();
    out_.evidence.running = running_;
    for (const WorkerReport& report : reports_) {
      if (report.worker.node != out_.node || !interrupted_) continue;
      const Attempt* end = report.finished(out_.attempt);
      if (!end && report.reached) out_.evidence.unended.push_back(report.worker.label());
      if (end && end->code == 137) out_.evidence.killed.push_back(report.worker.label());
    }
    weigh(out_);
  }

  WatchWorld& world_;
  std::string job_;
  const DrillOptions& options_;
  TimePoint start_, asked_{}, operation_end_{};
  std::vector<Slice> slices_;
  Crew crew_, quick_;
  api::Name node_;
  std::vector<WorkerReport> reports_;
  std::string operation_, detail_, picture_;
  std::optional<TimePoint> back_since_, resuming_since_;
  bool operation_done_ = false, interrupted_ = false, tells_steps_ = false, refused_ = false;
  bool noticed_ = false, ended_ = false, running_ = false;
  Drilled out_;
};

}  // namespace

api::Call drill_call(const api::Client& client, const api::Name& node, int worker) {
  return client.verb_call(node, "simulateMaintenanceEvent", Json{{"workerIds", Json::strings({std::to_string(worker)})}});
}

Drilled drill_job(WatchWorld& world, const std::string& job, const DrillOptions& options) { return Drill(world, job, options).run(); }

}  // namespace tpuctl::launch
