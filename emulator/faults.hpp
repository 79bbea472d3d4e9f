// SPDX-License-Identifier: Apache-2.0
// Trouble on demand: what networks, quotas and other customers do to a client.
//
//   stockout[:N]                     the next N creates (all without N) end with code 8
//   http:STATUS[:N[:retry-after=S]]  the next N requests (all without N) are answered with that status
//   reset[:N]     the connection is reset before anything is done
//   lost[:N]      the work is done, the answer is lost
//   truncate[:N]  half of the answer, then the connection ends
//   garbage[:N]   a 200 whose body is no JSON
//   slow:TIME     every answer comes that much later (2s, 500ms)
//   preempt:NODE  the node is reclaimed now
//   unreachable:ZONE   lists over all zones lack this one; asked directly it answers 503
//   none          takes all faults back
// Each but stockout, preempt and unreachable may end in @METHOD:REGEX, which limits it to requests with that method
// ('*': any) whose path matches: "http:503:2@POST:/nodes$". The control endpoints have no faults.
#pragma once

#include <optional>
#include <regex>
#include <string>
#include <vector>

#include "base/json.hpp"
#include "base/time.hpp"

namespace tpuctl::emulator {

struct Fault {
  std::string spec;  ///< as given
  std::string kind;  ///< stockout, http, ...
  std::string argument;  ///< NODE or ZONE
  int status = 0;
  int left = -1;         ///< how often it still strikes; -1: for ever
  std::string retry_after;
  Duration delay{0};
  std::string method;  ///< empty: any
  std::string pattern;
  std::optional<std::regex> path;
};

class Faults {
 public:
  /// Throws Error{usage} that names the fault when it cannot be understood.
  static Fault parse(const std::string& spec);

  /// "preempt" is an event, not a state: the caller acts on it instead.
  void add(Fault fault);

  /// Whether the create that comes now finds no capacity.
  bool take_stockout();
  /// The fault that strikes this request, if any; counts it.
  std::optional<Fault> take(const std::string& method, const std::string& path);
  Duration delay(const std::string& method, const std::string& path) const;
  bool unreachable(const std::string& zone) const;
  std::vector<std::string> unreachable_zones() const;
  Json list() const;  ///< [{"spec", "left"}]

 private:
  std::vector<Fault> faults_;
};

}  // namespace tpuctl::emulator
