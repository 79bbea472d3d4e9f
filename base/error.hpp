// SPDX-License-Identifier: Apache-2.0
// The one error type of the program. Everything above the wire throws it; cli/run turns a kind into
// words and an exit code, and nobody else does.
#pragma once

#include <stdexcept>
#include <string>

#include "base/json.hpp"

namespace tpuctl {

/// What went wrong, as far as the caller's next step differs.
enum class Kind {
  failure,      ///< the service or this machine refused; nothing more special is known
  usage,        ///< the command line is wrong; nothing was sent
  not_found,    ///< the named thing is not there (HTTP 404)
  denied,       ///< not signed in, or refused (HTTP 401, 403)
  conflict,     ///< exists already, or changed meanwhile (HTTP 409, 412)
  wait,         ///< a wait ended without the wished state
  unavailable,  ///< network trouble, service unavailable or rate limited, after retries
  capacity,     ///< stockout: the zone has no machines of this kind now
  quota,        ///< a limit of the project; trying again never helps
  preempted,    ///< a job was preempted or maintained and not resumed
  stopped,      ///< a job was stopped on request
  no_connection,  ///< ssh could not connect
  interrupted,  ///< SIGINT
  terminated,   ///< SIGTERM
};

/// Thrown by value. `what()` is one sentence (it may hold line breaks for lists); `hint` is the next step
/// and may be empty; `status` is the service's canonical name (NOT_FOUND, ...) or empty; `details` is the
/// `error.details` array of a Google API answer, or null.
class Error : public std::runtime_error {
 public:
  Error(Kind what_kind, const std::string& message, std::string next_step = {})
      : std::runtime_error(message), kind(what_kind), hint(std::move(next_step)) {}

  /// The same trouble in other words.
  Error saying(const std::string& message) const {
    Error out = *this;
    static_cast<std::runtime_error&>(out) = std::runtime_error(message);
    return out;
  }

  Kind kind;
  std::string hint;
  std::string status;
  int http = 0;  ///< HTTP status that caused it, 0 if none
  Json details;
};

}  // namespace tpuctl
