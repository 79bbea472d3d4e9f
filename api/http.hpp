// SPDX-License-Identifier: Apache-2.0
// The wire: one request, one answer. The wire does not judge: an HTTP 404 is an answer like any other, and so is
// a connection that failed; who calls decides what that means. Retry, trace and authorization are decorators.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tpuctl::api {

using Headers = std::vector<std::pair<std::string, std::string>>;

/// When a request may be sent a second time after trouble.
enum class Repeat {
  always,  ///< it has no further effect: reads, and writes that carry a requestId
  unless_carried_out,  ///< only when it surely was not carried out: nothing was sent, or 429/503 with an error body
  never,
};

struct Request {
  std::string method = "GET";
  std::string url;      ///< absolute, query included
  Headers headers;      ///< besides those every request gets
  std::string body;
  Repeat repeat = Repeat::always;
  bool authorize = true;  ///< false: no Authorization header (token endpoints, metadata server)
};

/// Why there is no HTTP status.
struct Failure {
  enum class Phase {
    not_sent,  ///< the host was not resolved or the connection refused: the service has not seen the request
    lost,      ///< the request may have arrived; the answer did not (reset, cut short, timed out)
  };
  Phase phase = Phase::not_sent;
  bool timed_out = false;
  bool permanent = false;  ///< trying again cannot help: a bad certificate, a bad URL, an answer above the size cap
  std::string message;  ///< one sentence without the URL
};

struct Response {
  int status = 0;  ///< HTTP status; 0 with `failure` set when there is none
  Headers headers;
  std::string body;
  std::optional<Failure> failure;

  /// Value of the first header of that name (any case), or empty.
  std::string_view header(std::string_view name) const;
};

class Transport {
 public:
  virtual ~Transport() = default;
  /// Never throws for what the network does. Throws Error{interrupted|terminated} when a signal arrives, and what a
  /// token source throws.
  virtual Response send(const Request& request) = 0;
};

}  // namespace tpuctl::api
