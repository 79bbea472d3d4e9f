// SPDX-License-Identifier: Apache-2.0
// Where tokens come from, as the wire sees it. auth/ implements it; api/ never looks behind it.
#pragma once

#include <optional>
#include <string>

#include "base/time.hpp"

namespace tpuctl::api {

struct Token {
  std::string value;  ///< empty: send no Authorization header
  std::optional<TimePoint> expires;  ///< absent: not known, never refreshed
};

class TokenSource {
 public:
  virtual ~TokenSource() = default;
  /// A token that is good at `now`. Throws Error{denied} saying which credential was tried and what to do.
  virtual Token token(TimePoint now) = 0;
  /// Forgets what is cached, after the service refused it. False when another would not come.
  virtual bool refresh() { return false; }
};

}  // namespace tpuctl::api
