// SPDX-License-Identifier: Apache-2.0
#include "api/errors.hpp"

#include <fmt/format.h>

#include <cmath>

#include "api/retry.hpp"
#include "base/text.hpp"
#include "base/utf8.hpp"
#include "base/time.hpp"

namespace tpuctl::api {

namespace {

bool contains(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

bool says_stockout(const std::string& message) {
  const std::string lowered = text::lower(message);
  for (const char* words : {"no more capacity", "no capacity", "stockout", "resource_pool_exhausted", "does not have enough resources"}) {
    if (contains(lowered, words)) return true;
  }
  return false;
}

bool says_quota(const std::string& message, const Json& details) {
  for (const Json& detail : details.items()) {
    if (detail["@type"].text().ends_with("google.rpc.QuotaFailure")) return true;
  }
  return contains(text::lower(message), "quota");
}

struct Canonical {
  int code;
  std::string_view name;
  Kind kind;
};
// google.rpc.Code, and what each means for the caller.
constexpr Canonical kCanonical[] = {
    {1, "CANCELLED", Kind::failure},         {2, "UNKNOWN", Kind::failure},
    {3, "INVALID_ARGUMENT", Kind::failure},  {4, "DEADLINE_EXCEEDED", Kind::unavailable},
    {5, "NOT_FOUND", Kind::not_found},       {6, "ALREADY_EXISTS", Kind::conflict},
    {7, "PERMISSION_DENIED", Kind::denied},  {8, "RESOURCE_EXHAUSTED", Kind::unavailable},
    {9, "FAILED_PRECONDITION", Kind::failure}, {10, "ABORTED", Kind::conflict},
    {11, "OUT_OF_RANGE", Kind::failure},     {12, "UNIMPLEMENTED", Kind::failure},
    {13, "INTERNAL", Kind::unavailable},     {14, "UNAVAILABLE", Kind::unavailable},
    {15, "DATA_LOSS", Kind::failure},        {16, "UNAUTHENTICATED", Kind::denied}};

Kind kind_of_http(int status) {
  switch (status) {
    case 401:
    case 403: return Kind::denied;
    case 404: return Kind::not_found;
    case 409:
    case 412: return Kind::conflict;
    default: return status == 408 || status == 429 || status >= 500 ? Kind::unavailable : Kind::failure;
  }
}

// The next step, from what the service says in machine-readable form first and in words second.
void add_hint(Error& error) {
  for (const Json& detail : error.details.items()) {
    if (!detail["@type"].text().ends_with("google.rpc.ErrorInfo")) continue;
    const std::string& reason = detail["reason"].text();
    const Json& metadata = detail["metadata"];
    if (reason == "SERVICE_DISABLED") {
      const std::string service = metadata["service"].text().empty() ? "tpu.googleapis.com" : metadata["service"].text();
      std::string project = metadata["consumer"].text();
      if (project.starts_with("projects/")) project.erase(0, 9);
      error.hint = "Enable it with: gcloud services enable " + service + (project.empty() ? "" : " --project=" + project);
      if (!metadata["activationUrl"].text().empty()) error.hint += "\nor at " + metadata["activationUrl"].text();
    } else if (reason == "ACCESS_TOKEN_SCOPE_INSUFFICIENT") {
      error.hint = "The credential lacks the cloud-platform scope: make the VM again with --scopes=cloud-platform, or sign in.";
    } else if (reason == "IAM_PERMISSION_DENIED" && !metadata["permission"].text().empty()) {
      error.hint = "Ask for a role with the permission " + metadata["permission"].text() + ".";
    } else if (reason == "LOCATION_ACCESS_DENIED") {
      error.hint = "See which zones there are: tpuctl locations list";
    }
  }
  if (!error.hint.empty()) return;
  if (error.kind == Kind::capacity) {
    error.hint = "Try another zone, try --spot, or queue for the capacity: tpuctl queued-resources create";
  } else if (error.kind == Kind::quota) {
    error.hint = "A quota does not heal by waiting, and those of the zone and of the region are counted apart: free what you hold, or ask for "
                 "more at https://console.cloud.google.com/iam-admin/quotas";
  } else if (error.http == 401) {
    error.hint = "Sign in again: tpuctl auth login";
  }
}

void refine(Error& error) {
  const std::string message = error.what();
  const bool exhausted = error.status == "RESOURCE_EXHAUSTED" || error.http == 429;
  if (says_stockout(message)) {
    error.kind = Kind::capacity;
  } else if (exhausted && says_quota(message, error.details)) {
    error.kind = Kind::quota;
  }
  add_hint(error);
}

Error no_answer(const Failure& failure, const std::string& url) {
  if (failure.permanent) return {Kind::failure, "The request to " + origin(url) + " failed: " + failure.message + ".", failure.hint};
  Error error(Kind::unavailable, "Cannot reach " + origin(url) + ": " + failure.message + ".");
  const bool here = origin(url).find("//127.") != std::string::npos || origin(url).find("//localhost") != std::string::npos;
  error.hint = !failure.hint.empty() ? failure.hint
               : failure.phase == Failure::Phase::not_sent && here ? "Does the emulator run? tpuctl emulator status, tpuctl emulator start"
               : failure.phase == Failure::Phase::not_sent
                   ? "Check the network and the property api_endpoint_overrides; nothing was changed."
                   : "The request may have arrived: look before you repeat it.";
  return error;
}

// The sentence of a body that is no API error: an HTML title, a first line, or nothing.
std::string summary(const std::string& body) {
  const auto title = body.find("<title>");
  if (title != std::string::npos) {
    return std::string(text::trim(std::string_view(body).substr(title + 7, body.find("</title>", title) - title - 7)));
  }
  const std::string_view line = text::trim(std::string_view(body).substr(0, body.find('\n')));
  return std::string(text::clip(line, 200));
}

}  // namespace

std::string origin(const std::string& url) {
  const auto scheme = url.find("://");
  const auto end = url.find_first_of("/?", scheme == std::string::npos ? 0 : scheme + 3);
  return url.substr(0, end);
}

std::string clock_hint(const Response& response, TimePoint now, const std::string& url) {
  const auto there = parse_http_date(response.header("Date"));
  if (!there) return {};
  const Duration off = *there - now;
  const double size = std::abs(to_seconds(off));
  if (size < 60) return {};
  const std::string human = size < 120 ? "" : " (" + human_duration(seconds(size)) + ")";
  return fmt::format("The clock of this machine is about {:.0f} seconds{} {} that of {}: set it and try again.", size, human,
                     off > Duration{} ? "behind" : "ahead of", origin(url));
}

Error to_error(const Response& response, const std::string& url) {
  if (response.failure) return no_answer(*response.failure, url);
  Json body;
  if (!Json::try_parse(response.body, body)) Json::try_parse(utf8::mended_json(response.body), body);
  const Json& inner = body.is_array() ? body[0]["error"] : body["error"];  // streams wrap it in an array
  std::string message = inner["message"].text();
  if (message.empty() && inner.is_string()) {  // RFC 6749
    message = inner.text() + (body["error_description"].text().empty() ? "" : ": " + body["error_description"].text());
  }
  if (message.empty()) {
    const std::string words = summary(response.body);
    message = fmt::format("{} answered HTTP {}{}", origin(url), response.status, words.empty() ? "." : ": " + words);
  }
  Error error(kind_of_http(response.status), message);
  error.http = response.status;
  error.status = inner["status"].text();
  error.details = inner["details"];
  if (const auto wait = retry_after(response, SystemClock().now()); wait && *wait > std::chrono::seconds(60)) {
    error.hint = "The service asks to try again in " + human_duration(*wait) + ".";
  }
  const std::string_view target = response.header("Location");
  if (response.status >= 300 && response.status < 400 && !target.empty()) {
    error.hint = "It points to " + origin(text::printable(target)) + ", but redirects are not followed: a credential goes to nobody else.";
  } else if (response.status == 401) {
    error.hint = clock_hint(response, SystemClock().now(), url);
  }
  refine(error);
  return error;
}

Error to_error(const Json& status) {
  const int code = static_cast<int>(status["code"].integer(2));
  std::string message = status["message"].text();
  if (message.empty()) message = fmt::format("The service gave no reason (code {}).", code);
  Error error(Kind::failure, message);
  for (const Canonical& row : kCanonical) {
    if (row.code != code) continue;
    error.kind = row.kind;
    error.status = row.name;
  }
  error.details = status["details"];
  refine(error);
  return error;
}

Json parse_answer(const Response& response, const std::string& url) {
  if (text::trim(response.body).empty()) return Json::object();
  Json out;
  std::string why = "is not valid JSON";
  try {
    if (!Json::try_parse(response.body, out)) out = Json::parse(utf8::mended_json(response.body));
    if (out.is_object()) return out;
    why = "is no JSON object";
  } catch (const Error& error) {
    if (std::string_view(error.what()).find("nested") != std::string_view::npos) why = "is nested too deeply";
  }
  throw Error(Kind::failure, "The answer of " + origin(url) + " " + why + "; it begins with [" +
                                 text::printable(text::clip(text::trim(utf8::mended_json(response.body.substr(0, 200))), 80)) + "].",
              "Is something between you and the service (a proxy, a login page)? --log-http shows the whole answer.");
}

Json operation_answer(Json answer) {
  const Json& done = answer["done"];
  const bool named = answer["name"].is_string() && !answer["name"].text().empty();
  if ((done.is_bool() || done.is_null()) && (named || done.boolean())) return answer;
  throw Error(Kind::failure, "The answer of the service is no operation, so it is not known what became of the request.",
              "Look at the resource before you try again; --log-http shows the whole answer.");
}

}  // namespace tpuctl::api
