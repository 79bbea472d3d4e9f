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
  /// `queued_resource`: what the nodes belong to, when that was said. `before_anew` is called before anything is deleted to be made
  /// anew, and throws when that would be of no use.
  Machines(api::Client& client, Clock& clock, Say say, std::optional<api::Name> queued_resource, std::function<void()> before_anew = {});

  /// Keeps the description of the queued resource, for the day when it has to be made anew; of nodes that were named, that of the
  /// one they all belong to, if it has no other nodes; of a single node without one, its own.
  void remember(const std::vector<api::Name>& names);

  /// A preemption was announced: a node that is not there any more was taken, and not deleted by somebody.
  void expect_reclaim() { reclaim_ = true; }

  /// All nodes are READY and healthy, with no maintenance before them: true. A queued resource that was SUSPENDED, or whose
  /// nodes are gone, and a node of its own that was preempted, is deleted and made anew first, and waited for. False when they
  /// are gone for good: nothing is remembered of them, or somebody has deleted the node. Throws Error{wait} at
  /// `deadline`, Error{capacity|quota|...} when the service refuses to make it anew.
  bool wait_until_ready(const std::vector<api::Name>& names, std::optional<TimePoint> deadline);

  /// After a preemption notice: returns when the service has begun to take the machines, or the time for that has passed. They
  /// are READY until then, and nothing should be started on them.
  void wait_for_reclaim(const std::vector<api::Name>& names);

  /// Deletes the queued resource, or the node that has none, and makes it anew, whatever its state; waits until it is ACTIVE or READY.
  /// A node for which there is no capacity is asked for until there is some.
  void make_anew(std::optional<TimePoint> deadline);

  bool can_be_made_anew() const { return !description_.is_null(); }
  /// They were made anew since this was asked last.
  bool take_made_anew();

 private:
  enum class Look { ready, waiting, gone };
  Look look(const std::vector<api::Name>& names, std::string& words);
  std::string queued_state();  ///< "gone" when it is not there; empty without a queued resource
  void make_queued_anew(std::optional<TimePoint> deadline);
  void make_node_anew(std::optional<TimePoint> deadline);
  void remove(const api::Name& name, const std::string& noun);
  void pause(std::optional<TimePoint> deadline, const std::string& words);

  api::Client& client_;
  Clock& clock_;
  Say say_;
  std::optional<api::Name> queued_resource_;
  std::function<void()> before_anew_;
  std::optional<api::Name> node_;  ///< stands for itself
  Json description_;               ///< of the queued resource, or of the node
  bool reclaim_ = false;
  bool made_anew_ = false;
};

}  // namespace tpuctl::launch
