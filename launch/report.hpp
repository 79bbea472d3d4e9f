// SPDX-License-Identifier: Apache-2.0
// What the supervisors tell about a job, as values. The lines are supervisor.sh's; see verb_status there.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "launch/workers.hpp"

namespace tpuctl::launch {

/// Times are seconds since the epoch by the worker's clock; log positions are bytes.
struct Attempt {
  int number = 0;
  double begin = 0;
  double end = 0;
  int code = 0;  ///< exit code, 128+N after signal N
  long log_begin = 0;
  long log_end = 0;
};

/// Cloud TPU's word, as the worker's metadata server gave it.
struct Notice {
  double time = 0;
  int attempt = 0;
  long log_bytes = 0;   ///< length of the log when it came
  std::string source;   ///< "maintenance-event" or "preempted"; "log": the framework's own words; "node": a machine's state
  std::string value;
};

/// Reason of a stop that somebody asked for; other stops only clear away what an earlier cause left.
inline constexpr std::string_view kRequested = "requested";
inline constexpr std::string_view kClearing = "clearing";

struct WorkerReport {
  Worker worker;
  bool reached = false;   ///< the worker answered
  std::string trouble;    ///< why not
  bool known = false;     ///< it has a job of this name
  bool supervisor_alive = false;
  bool ended = false;     ///< the current attempt has ended and was written down
  int attempt = 0;        ///< current attempt
  double attempt_begin = 0;
  double now = 0;         ///< the worker's clock when it answered
  double stopped_at = 0;  ///< when a stop was asked for; 0: never
  double cleared_at = 0;  ///< when what an earlier cause had left was ended; 0: never
  long log_bytes = 0;
  double log_time = 0;    ///< last write
  std::vector<Attempt> attempts;  ///< those that were written down
  std::vector<Notice> notices;
  bool boots = false;      ///< a startup script starts it again when the machine boots
  std::string refusal;     ///< why a boot did not start it
  std::string record;      ///< JSON that its client left (JobSpec::record)
  std::string no_room;     ///< a folder where nothing could be written, now or when the attempt ended; "-": its log says so
  int holders = 0;         ///< processes that hold the TPU device
  bool catches_sigterm = false;  ///< all of them do

  bool running() const { return reached && known && supervisor_alive && !ended; }
  /// The current attempt has no end although its supervisor is gone: the machine was rebooted under it.
  bool cut_off() const { return reached && known && !supervisor_alive && !ended; }
  const Attempt* finished(int number) const;
};

/// Takes one "tpuctl: ..." line of verb_status into the report; other lines are ignored.
void read_status_line(WorkerReport& report, std::string_view line);

/// What a worker said in `before` still holds when it is silent `now`: its notices, and its end.
void keep_what_was_said(std::vector<WorkerReport>& now, const std::vector<WorkerReport>& before);

}  // namespace tpuctl::launch
