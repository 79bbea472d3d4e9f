// SPDX-License-Identifier: Apache-2.0
// The rehearsal: a maintenance event is simulated under a job that trains, and what it cost is proven from the job's own log,
// its checkpoints and the service's word. The same calls on the emulator and on the cloud.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "launch/watch.hpp"

namespace tpuctl::launch {

struct DrillOptions {
  std::string slice;  ///< id of the TPU VM; empty: the job's first
  int worker = 0;     ///< whose host is "maintained"
  Framework framework;
  std::string checkpoint_dir;  ///< as the workers see it; may be empty
  Duration timeout = std::chrono::minutes(30);
  /// Called before the event is asked for; throws when it shall not be.
  std::function<void(const std::string& node, int worker)> confirm;
  /// Committed checkpoints that the workers cannot list (gs://); empty when there are none such.
  std::function<std::vector<Checkpoint>()> listing;
};

/// Within this time after the notice everything must have ended; then Cloud TPU goes on regardless.
inline constexpr double kGraceSeconds = 300;

enum class Proof { nothing_lost, steps_lost, not_proven };
std::string_view proof_name(Proof proof);

/// What a drill looked at. `passed` is empty when it could not be found out.
struct Check {
  std::string name;
  std::optional<bool> passed;
  std::string words;
};

/// What was seen of one rehearsal.
struct Evidence {
  bool holders_known = false;  ///< the worker was asked before the event
  int holders = 0;             ///< processes that held its TPU device then
  bool catches_sigterm = false;
  std::optional<Interruption> cost;      ///< absent: the attempt was not interrupted
  std::vector<std::string> unended;      ///< workers of the slice that wrote no end down before their machine was taken
  std::vector<std::string> killed;       ///< and those whose program was killed
  bool maintained = false;               ///< the service showed the maintenance
  bool healthy = false;                  ///< all slices were READY and healthy afterwards
  bool running = false;                  ///< the next attempt ran on every worker
};

struct Drilled {
  std::string node;
  int worker = 0;
  int attempt = 0;          ///< that was interrupted
  std::string started_by;   ///< who started the next one; empty: nobody
  Evidence evidence;
  std::vector<Check> checks;
  Proof proof = Proof::not_proven;
  std::string reason;       ///< one sentence
};

/// The checks that the evidence allows, and what they prove together: nothing was lost only when it was measured and no check
/// failed. A log that does not tell each step proves it only by a checkpoint made after the notice.
void weigh(Drilled& drilled);

/// The call that starts it.
api::Call drill_call(const api::Client& client, const api::Name& node, int worker);

/// Runs the whole rehearsal; the time limit ends it with what is known then. A job that nobody has started again some time after
/// its machines are back is started again by the drill. Throws Error{failure} when the job does not run, or has no such slice or
/// worker; what the service refuses; what `confirm` throws.
Drilled drill_job(WatchWorld& world, const std::string& job, const DrillOptions& options);

}  // namespace tpuctl::launch
