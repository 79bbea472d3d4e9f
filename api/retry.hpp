// SPDX-License-Identifier: Apache-2.0
// A Transport that sends again what may be sent again: 408, 429, 5xx, connections refused, reset or cut short. Five tries,
// about 30 seconds; Retry-After is obeyed up to a minute.
#pragma once

#include <functional>
#include <optional>

#include "api/http.hpp"
#include "base/time.hpp"

namespace tpuctl::api {

struct RetryPolicy {
  int tries = 5;
  Duration first = std::chrono::seconds(2);  ///< doubled each time, 25 % jitter
  Duration longest_retry_after = std::chrono::seconds(60);
};

/// How long to wait before the next try, or nothing when there should be none.
std::optional<Duration> wait_before_next(const RetryPolicy& policy, int made, const Response& response, TimePoint now);

/// Exponential delay before try number `attempt` (1 = before the second try), with jitter.
Duration backoff(const RetryPolicy& policy, int attempt);

/// Seconds of a Retry-After header (a number or an HTTP date) or of a google.rpc.RetryInfo in the body.
std::optional<Duration> retry_after(const Response& response, TimePoint now);

/// A 429 that waiting does not heal: a resource quota (google.rpc.QuotaFailure), as against a rate.
bool is_quota(const Response& response);

/// Whether the answer is trouble that may pass.
bool is_transient(const Response& response);

/// Whether the service surely did not carry the request out, so that even a create may be sent again.
bool surely_not_done(const Response& response);

/// The tries of a caller that goes on from where the last one ended (Repeat::by_caller).
class Tries {
 public:
  explicit Tries(Clock& clock, RetryPolicy policy = {}) : clock_(clock), policy_(policy) {}
  /// After an answer that is no success: waits and returns true when another try makes sense, by the rules of
  /// RetryTransport.
  bool again(const Response& response);
  /// Something was achieved: counting begins anew.
  void moved() { made_ = 1; }

 private:
  Clock& clock_;
  RetryPolicy policy_;
  int made_ = 1;
};

class RetryTransport : public Transport {
 public:
  using Notice = std::function<void(const Request&, const Response&, Duration wait)>;
  RetryTransport(Transport& inner, Clock& clock, RetryPolicy policy = {}, Notice notice = {})
      : inner_(inner), clock_(clock), policy_(policy), notice_(std::move(notice)) {}
  /// The last answer, good or bad. A Retry-After above the limit is not waited for.
  Response send(const Request& request) override;

 private:
  Transport& inner_;
  Clock& clock_;
  RetryPolicy policy_;
  Notice notice_;
};

}  // namespace tpuctl::api
