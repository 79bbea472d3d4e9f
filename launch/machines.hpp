// SPDX-License-Identifier: Apache-2.0
// The machines of a job after an interruption: waited for, or made anew when they were taken away.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "api/client.hpp"
#include "launch/job.hpp"
#include "launch/outcome.hpp"

namespace tpuctl::launch {

/// What the control plane says about the slices now.
std::vector<SliceState> slice_states(api::Client& client, const std::vector<api::Name>& names);

/// Whether the service may take a machine of them back at any time.
bool on_spot(const std::vector<Slice>& slices);

class Machines {
 public:
  /// `queued_resource`: what the nodes belong to, as the service described it when the watch began; absent for nodes that stand
  /// for themselves.
  Machines(api::Client& client, Clock& clock, Say say, std::optional<api::Name> queued_resource);

  /// Looks at the queued resource and keeps its description, for the day when it has to be made anew.
  void remember();

  /// All nodes are READY and healthy, with no maintenance before them: true. A queued resource that was SUSPENDED, or whose
  /// nodes are gone, is deleted and made anew first, and waited for. False when nodes that stand for themselves are gone for
  /// good. Throws Error{wait} at `deadline`, Error{capacity|quota|...} when the service refuses to make it anew.
  bool wait_until_ready(const std::vector<api::Name>& names, std::optional<TimePoint> deadline);

  /// After a preemption notice: returns when the service has begun to take the machines, or the time for that has passed. They
  /// are READY until then, and nothing should be started on them.
  void wait_for_reclaim(const std::vector<api::Name>& names);

  /// Deletes the queued resource and makes it anew, whatever its state, and waits until it is ACTIVE.
  void make_anew(std::optional<TimePoint> deadline);

  bool can_be_made_anew() const { return queued_resource_ && !description_.is_null(); }
  /// They were made anew since this was asked last.
  bool take_made_anew();

 private:
  enum class Look { ready, waiting, gone };
  Look look(const std::vector<api::Name>& names, std::string& words);
  std::string queued_state();  ///< "gone" when it is not there; empty without a queued resource
  void pause(std::optional<TimePoint> deadline, const std::string& words);

  api::Client& client_;
  Clock& clock_;
  Say say_;
  std::optional<api::Name> queued_resource_;
  Json description_;
  bool made_anew_ = false;
};

}  // namespace tpuctl::launch
