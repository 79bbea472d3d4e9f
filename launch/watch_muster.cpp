// SPDX-License-Identifier: Apache-2.0
#include "launch/watch_muster.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"

namespace tpuctl::launch {

namespace {
constexpr Duration kTogether = std::chrono::seconds(20);  // from the first machine that starts the attempt to the last
}

bool WatchMuster::complete(const Crew& crew, const std::vector<WorkerReport>& reports, int number) {
  int newest = 0;
  for (const WorkerReport& report : reports) newest = std::max(newest, report.attempt);
  Crew behind = crew;
  behind.workers.clear();
  bool complete = true;
  for (const WorkerReport& report : reports) {
    if (report.attempt >= std::max(number, newest)) continue;
    complete = false;
    if (report.reached && report.attempt > 0 && report.refusal.empty()) behind.workers.push_back(report.worker);
  }
  if (complete || newest < number) {
    waiting_since_.reset();
    return complete;
  }
  if (!waiting_since_) waiting_since_ = clock_.now();
  if (behind.workers.empty() || clock_.now() - *waiting_since_ <= kTogether) return false;
  waiting_since_ = clock_.now();
  try {
    say_(fmt::format("starting attempt {} on {} too, which did not begin it by {}.", newest, first_and_more(behind.workers),
                     behind.workers.size() > 1 ? "themselves" : "itself"));
    start_job(behind, JobSpec{.name = job_}, newest, say_);
  } catch (const Error& error) {
    if (error.kind != Kind::failure && error.kind != Kind::no_connection) throw;
    say_(error.what());  // its own supervisor was quicker, or it is still booting
  }
  return false;
}

}  // namespace tpuctl::launch
