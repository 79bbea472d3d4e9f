// SPDX-License-Identifier: Apache-2.0
#include "launch/watch_contact.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/error.hpp"

namespace tpuctl::launch {

std::string unreached(const std::vector<WorkerReport>& reports) {
  std::vector<Worker> silent;
  for (const WorkerReport& report : reports) {
    if (!report.reached) silent.push_back(report.worker);
  }
  return first_and_more(silent);
}

WatchContact::WatchContact(Clock& clock, std::string job, Say say, Say warn, Duration lost_after)
    : clock_(clock), job_(std::move(job)), say_(std::move(say)), warn_(std::move(warn)), lost_after_(lost_after) {}

namespace {
void keep(std::optional<TimePoint>& since, bool missing, TimePoint now) {
  if (!missing) since.reset();
  else if (!since) since = now;
}
}  // namespace

void WatchContact::note(const std::vector<WorkerReport>& reports, const std::string& service) {
  const TimePoint now = clock_.now();
  service_ = service;
  workers_ = unreached(reports);
  const auto silent = std::find_if(reports.begin(), reports.end(), [](const WorkerReport& report) { return !report.reached; });
  trouble_ = silent == reports.end() ? "" : silent->trouble;
  none_reached_ = std::none_of(reports.begin(), reports.end(), [](const WorkerReport& report) { return report.reached; });
  keep(workers_since_, !workers_.empty(), now);
  keep(service_since_, !service_.empty(), now);
  keep(nobody_since_, nobody_answers(), now);
}

void WatchContact::tell(bool explained) {
  if (service_.empty() && workers_.empty()) {
    if (told_) say_("contact again, after " + human_duration(seconds(std::floor(to_seconds(clock_.now() - *told_)))) + ".");
    told_.reset();
  } else if (!told_ && !explained) {
    const std::string whom = service_.empty() ? workers_ : workers_.empty() ? "Cloud TPU" : "Cloud TPU, " + workers_;
    warn_("no contact with " + whom + " (" + (workers_.empty() ? service_ : trouble_) + "). The job needs none; trying again.");
    told_ = clock_.now();
  }
}

void WatchContact::begin_anew() {
  workers_since_ = service_since_ = nobody_since_ = std::nullopt;
  service_.clear();
  workers_.clear();
  none_reached_ = false;
  told_.reset();
}

double WatchContact::silence() const { return workers_since_ ? to_seconds(clock_.now() - *workers_since_) + 0.001 : 0; }

bool WatchContact::bears(const std::string& service) {
  if (service_.empty()) {
    service_since_ = clock_.now();
    service_ = service;
    tell(false);
  }
  return clock_.now() - *service_since_ <= patience();
}

bool WatchContact::patiently(const std::function<bool()>& action, std::optional<TimePoint> deadline) {
  for (;;) {
    try {
      const bool out = action();
      service_.clear();
      service_since_.reset();
      tell(true);
      return out;
    } catch (const Error& error) {
      if (error.kind != Kind::unavailable) throw;
      const bool bearable = bears(error.what());
      if (deadline && clock_.now() >= *deadline) {
        throw Error(Kind::wait, "Job [" + job_ + "] is not running again: Cloud TPU does not answer (" + service_ + ").",
                    "Come back: tpuctl jobs attach " + job_);
      }
      if (!bearable) give_up(*service_since_, "Cloud TPU does not answer");
      clock_.sleep(std::chrono::seconds(5));
    }
  }
}

void WatchContact::check() const {
  if (nobody_since_ && clock_.now() - *nobody_since_ > patience()) give_up(*nobody_since_, "neither Cloud TPU nor any worker answers");
}

void WatchContact::give_up(TimePoint since, const std::string& whom) const {
  throw Error(Kind::no_connection,
              fmt::format("No contact with job [{}] for {}: {} ({}).", job_, human_duration(seconds(std::floor(to_seconds(clock_.now() - since)))), whom,
                          service_),
              "The job needs none, and may go on. Come back: tpuctl jobs attach " + job_);
}

}  // namespace tpuctl::launch
