// SPDX-License-Identifier: Apache-2.0
// The wire: one request, one answer. The wire does not judge: an HTTP 404 is an answer like any other, and so is
// a connection that failed; who calls decides what that means. Retry, trace and authorization are decorators.
#pragma once

#include <functional>
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
  by_caller,  ///< harmless, but who sent it does it, going on from where it ended; RetryTransport hands the answer through
};

struct Response;

struct Request {
  std::string method = "GET";
  std::string url;      ///< absolute, query included
  Headers headers;      ///< besides those every request gets
  std::string body;
  Repeat repeat = Repeat::always;
  bool authorize = true;  ///< false: no Authorization header (token endpoints, metadata server)
  /// Takes the body of an answer with status 200 or 206 in pieces, as it comes, undecoded; such an answer's `body` stays
  /// empty, and the size cap does not hold. `head` has the status and headers. All other answers are as ever. What it
  /// throws ends the request and leaves send(). Needs Repeat::by_caller, for another try begins with the first byte.
  /// A Transport that has the whole body in memory anyway may leave it in `body` and not call this: sink_left() does.
  std::function<void(const Response& head, std::string_view piece)> sink{};
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
  std::string hint{};   ///< what to do, when the reason itself tells; may be empty
};

struct Response {
  int status = 0;  ///< HTTP status; 0 with `failure` set when there is none
  Headers headers;
  std::string body;
  std::optional<Failure> failure;

  /// Value of the first header of that name (any case), or empty.
  std::string_view header(std::string_view name) const;
};

/// Hands a body that a Transport left in the answer to the request's sink.
void sink_left(const Request& request, Response& response);

class Transport {
 public:
  virtual ~Transport() = default;
  /// Never throws for what the network does. Throws Error{interrupted|terminated} when a signal arrives, and what a
  /// token source throws.
  virtual Response send(const Request& request) = 0;
};

}  // namespace tpuctl::api
