// SPDX-License-Identifier: Apache-2.0
#include "auth/token_endpoint.hpp"

#include <fmt/format.h>

#include "api/errors.hpp"
#include "base/secrets.hpp"
#include "base/text.hpp"

namespace tpuctl::auth {

namespace {

constexpr int kTries = 3;
constexpr const char* kBetween = "Is something between you and the service (a proxy, a login page)?";

// RFC 6749 words for trouble that passes, though it comes as a 400.
bool passes(const Error& error) {
  return error.status == "internal_failure" || error.status == "server_error" ||
         error.status == "temporarily_unavailable";
}

Error oauth_error(const Json& body, const api::Response& response) {
  std::string words = body["error"].text();
  if (const std::string& more = body["error_description"].text(); !more.empty()) words += ": " + more;
  if (const std::string& link = body["error_uri"].text(); !link.empty()) words += " (" + link + ")";
  Error out(Kind::denied, secrets::redact(words) + (words.ends_with('.') ? "" : "."));
  out.http = response.status;
  out.status = body["error_subtype"].text().empty() ? body["error"].text() : body["error_subtype"].text();
  if (response.status >= 500 || response.status == 408 || response.status == 429 || passes(out)) {
    out.kind = Kind::unavailable;
  }
  return out;
}

api::Request request_of(const TokenRequest& call) {
  api::Request out;
  out.method = "POST";
  out.url = call.url;
  out.authorize = false;
  out.headers = {{"Content-Type", "application/x-www-form-urlencoded"}};
  if (!call.client_id.empty()) {
    // RFC 6749 2.3.1 wants both encoded; Google's identifiers are the same either way.
    const std::string login = text::base64(call.client_id + ":" + call.client_secret);
    secrets::remember(login);
    out.headers.emplace_back("Authorization", "Basic " + login);
  }
  for (const auto& [name, value] : call.form) {
    out.body += (out.body.empty() ? "" : "&") + name + "=" + text::percent_encode(value);
  }
  return out;
}

}  // namespace

Error refusal_of(const api::Response& response, const std::string& url) {
  if (response.failure) {
    Error error = api::to_error(response, url);
    error.hint = "Check the network, and the proxy if there is one.";
    return error;
  }
  Json body;
  Json::try_parse(response.body, body);
  if (body["error"].is_string()) return oauth_error(body, response);
  if (body["error"].is_object()) return api::to_error(response, url);
  const bool redirect = response.status >= 300 && response.status < 400;
  const std::string_view type = response.header("Content-Type");
  Error error(response.status >= 500 || response.status == 429 ? Kind::unavailable : Kind::denied,
              fmt::format("{} answered HTTP {}{}.", api::origin(url), response.status,
                          redirect       ? ", a redirect, which is not followed"
                          : type.empty() ? ""
                                         : fmt::format(" ({})", type)),
              redirect || type.starts_with("text/html") ? kBetween : "");
  error.http = response.status;
  return error;
}

Json success_of(const api::Response& response, const std::string& url, const std::string& prefix) {
  Json out;
  if (Json::try_parse(response.body, out) && out.is_object()) return out;
  const std::string_view type = response.header("Content-Type");
  throw Error(Kind::denied,
              fmt::format("{}{} answered something that is no JSON object{}.", prefix, api::origin(url),
                          type.empty() ? "" : fmt::format(" ({})", type)),
              kBetween);
}

Json ask_for_token(const TokenRequest& call, const Ways& ways) {
  for (int made = 1;; ++made) {
    const api::Response response = ways.plain.send(request_of(call));
    if (response.status == 200) {
      Json answer = success_of(response, call.url);
      if (answer["access_token"].is_string() && !answer["access_token"].text().empty()) return answer;
      throw Error(Kind::denied, "No access token in the answer of " + api::origin(call.url) + ".");
    }
    Error error = refusal_of(response, call.url);
    if (passes(error) && made < kTries) {
      ways.clock.sleep(std::chrono::seconds(made));
      continue;
    }
    if (error.status == "invalid_grant") error.hint = api::clock_hint(response, ways.clock.now(), call.url);
    throw error;
  }
}

api::Token exchange_refresh_token(TokenRequest request, std::string& refresh_token, const Ways& ways, TimePoint now) {
  request.form.insert(request.form.begin(), {"grant_type", "refresh_token"});
  request.form.emplace_back("refresh_token", refresh_token);
  const Json answer = ask_for_token(request, ways);
  if (const std::string& next = answer["refresh_token"].text(); !next.empty()) {
    refresh_token = next;
    secrets::remember(next);
  }
  return read_token(answer, now);
}

api::Token read_token(const Json& answer, TimePoint now) {
  api::Token out{answer["access_token"].text(), {}};
  if (answer.find("expires_in") != nullptr) out.expires = now + std::chrono::seconds(answer["expires_in"].integer(0));
  return out;
}

}  // namespace tpuctl::auth
