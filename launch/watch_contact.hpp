// SPDX-License-Identifier: Apache-2.0
// What a watch is out of touch with. A job needs no watch, so that trouble on the way to it is told of and waited out.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "launch/job.hpp"
#include "launch/report.hpp"

namespace tpuctl::launch {

/// Neither Cloud TPU nor any worker answers: that is this machine's network, and is borne so many times as long as silent workers.
inline constexpr int kOutagePatience = 10;

class WatchContact {
 public:
  /// `lost_after`: silence of workers that the service does not explain, until the job counts as lost.
  WatchContact(Clock& clock, std::string job, Say say, Say warn, Duration lost_after);

  /// What came of a look. `service`: why Cloud TPU did not answer; empty when it did.
  void note(const std::vector<WorkerReport>& reports, const std::string& service);
  /// A line when contact is lost and one when it is there again. Silence that has a reason (`explained`) is told by who knows it.
  void tell(bool explained);
  /// From here on, as if all had answered just now.
  void begin_anew();

  double silence() const;  ///< seconds since a look first missed a worker, more than 0 from then on; 0 while all answer
  bool nobody_answers() const { return !service_.empty() && none_reached_; }
  /// Does what the service has to answer for; an outage of it is told of and waited out. Throws Error{wait} when it lasts until
  /// `deadline` and Error{no_connection} when it lasts too long.
  bool patiently(const std::function<bool()>& action, std::optional<TimePoint> deadline);
  /// Throws Error{no_connection} when nobody has answered for too long.
  void check() const;

 private:
  bool bears(const std::string& service);  // whether its silence is to be waited out still
  [[noreturn]] void give_up(TimePoint since, const std::string& whom) const;
  Duration patience() const { return lost_after_ * kOutagePatience; }

  Clock& clock_;
  std::string job_;
  Say say_, warn_;
  Duration lost_after_;
  std::optional<TimePoint> workers_since_, service_since_, nobody_since_;  // when a look first missed them
  std::string service_;  // its trouble
  std::string workers_;  // who does not answer
  std::string trouble_;  // why the first of them does not
  bool none_reached_ = false;
  std::optional<TimePoint> told_;  // since when contact is missed, once that was said
};

/// "n/0", "n/0 and 2 more": the workers that did not answer; empty when all did.
std::string unreached(const std::vector<WorkerReport>& reports);

}  // namespace tpuctl::launch
