// SPDX-License-Identifier: Apache-2.0
#include "api/retry.hpp"

#include <cmath>

#include "base/json.hpp"
#include "base/text.hpp"

namespace tpuctl::api {

namespace {
const Json& detail_of_type(const Json& body, std::string_view type) {
  static const Json none;
  for (const Json& detail : body["error"]["details"].items()) {
    if (detail["@type"].text().ends_with(type)) return detail;
  }
  return none;
}

Json error_body(const Response& response) {
  Json body;
  if (response.body.find("\"error\"") != std::string::npos) Json::try_parse(response.body, body);
  return body;
}
}  // namespace

Duration backoff(const RetryPolicy& policy, int attempt) {
  const double base = to_seconds(policy.first) * std::pow(2.0, attempt - 1);
  return seconds(base * (0.75 + 0.5 * text::random_unit()));
}

std::optional<Duration> retry_after(const Response& response, TimePoint now) {
  const std::string header(response.header("Retry-After"));
  if (const auto value = text::parse_int(text::trim(header)); value && *value >= 0) {
    return std::chrono::seconds(*value);
  }
  if (const auto until = parse_http_date(header)) return *until > now ? *until - now : Duration{};
  const Json body = error_body(response);
  const std::string& delay = detail_of_type(body, "google.rpc.RetryInfo")["retryDelay"].text();
  return delay.empty() ? std::nullopt : parse_duration(delay);
}

bool is_quota(const Response& response) {
  if (response.status != 429) return false;
  const Json body = error_body(response);
  return !detail_of_type(body, "google.rpc.QuotaFailure").is_null() ||
         body["error"]["message"].text().find("Limit: 0") != std::string::npos;
}

bool is_transient(const Response& response) {
  if (response.failure) return !response.failure->permanent;
  return response.status == 408 || response.status == 429 || response.status >= 500;
}

bool surely_not_done(const Response& response) {
  if (response.failure) return response.failure->phase == Failure::Phase::not_sent;
  return (response.status == 429 || response.status == 503) && error_body(response)["error"].is_object();
}

std::optional<Duration> wait_before_next(const RetryPolicy& policy, int made, const Response& response, TimePoint now) {
  if (made >= policy.tries || !is_transient(response)) return {};
  const auto asked = retry_after(response, now);
  if (!asked && is_quota(response)) return {};
  if (asked && *asked > policy.longest_retry_after) return {};
  return asked ? *asked : backoff(policy, made);
}

bool Tries::again(const Response& response) {
  const auto wait = wait_before_next(policy_, made_, response, clock_.now());
  if (!wait) return false;
  ++made_;
  clock_.sleep(*wait);
  return true;
}

Response RetryTransport::send(const Request& request) {
  for (int attempt = 1;; ++attempt) {
    Response response = inner_.send(request);
    if (request.repeat == Repeat::never || request.repeat == Repeat::by_caller) return response;
    if (request.repeat == Repeat::unless_carried_out && !surely_not_done(response)) return response;
    const auto wait = wait_before_next(policy_, attempt, response, clock_.now());
    if (!wait) return response;
    if (notice_) notice_(request, response, *wait);
    clock_.sleep(*wait);
  }
}

}  // namespace tpuctl::api
