// SPDX-License-Identifier: Apache-2.0
#include "api/trace.hpp"

#include <algorithm>
#include <array>

#include "base/json.hpp"
#include "base/text.hpp"

namespace tpuctl::api {

namespace {
constexpr std::string_view kMask = "--- Token Redacted ---";
constexpr std::array<std::string_view, 19> kSecretFields = {
    "access_token", "accessToken",   "refresh_token", "id_token", "client_secret", "assertion",
    "subject_token", "actor_token",  "code",          "code_verifier", "rapt",     "token",
    "private_key",  "signedJwt",     "signedBlob",    "password", "SecretAccessKey", "Token",
    "upload_id"};  // who has an upload's address may write to it
constexpr std::array<std::string_view, 7> kSecretHeaders = {
    "authorization", "proxy-authorization", "cookie", "set-cookie", "x-goog-iam-authorization-token",
    "x-aws-ec2-metadata-token", "x-amz-security-token"};

bool is_secret_field(std::string_view name) {
  return std::find(kSecretFields.begin(), kSecretFields.end(), name) != kSecretFields.end();
}

Json without_secrets(const Json& value) {
  if (value.is_array()) {
    Json out = Json::array();
    for (const Json& item : value.items()) out.push(without_secrets(item));
    return out;
  }
  if (!value.is_object()) return value;
  Json out = Json::object();
  for (const auto& [name, member] : value.members()) {
    // "code" is also the number of an error, which is no secret.
    const bool secret = is_secret_field(name) && member.is_string();
    out.member(name) = secret ? Json(kMask) : without_secrets(member);
  }
  return out;
}

// name=value pairs of a form or a query.
std::string redact_pairs(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const auto end = text.find_first_of("&?", 0);
    const std::string_view pair = text.substr(0, end);
    const auto equals = pair.find('=');
    const bool secret = equals != std::string_view::npos && is_secret_field(pair.substr(0, equals));
    out += secret ? std::string(pair.substr(0, equals + 1)) + "REDACTED" : std::string(pair);
    if (end == std::string_view::npos) break;
    out += text[end];
    text.remove_prefix(end + 1);
  }
  return out;
}
}  // namespace

std::string redact(std::string_view text) {
  Json parsed;
  if (Json::try_parse(text, parsed) && (parsed.is_object() || parsed.is_array())) return without_secrets(parsed).pretty();
  for (const std::string_view name : kSecretFields) {  // JSON that is cut short or spoiled
    if (text.find('"' + std::string(name) + '"') != std::string_view::npos) {
      return std::to_string(text.size()) + " bytes that are no JSON and may hold a secret";
    }
  }
  return redact_pairs(text);
}

namespace {
// The body in words: what is no text by its size only.
std::string shown(std::string_view body, std::string_view content_type) {
  const bool text = content_type.empty() || content_type.starts_with("application/json") ||
                    content_type.starts_with("application/x-www-form-urlencoded") || content_type.starts_with("text/html");
  return text ? redact(body) : std::to_string(body.size()) + " bytes of " + std::string(content_type);
}
}  // namespace

bool is_secret_header(std::string_view name) {
  const std::string lowered = text::lower(name);
  return std::find(kSecretHeaders.begin(), kSecretHeaders.end(), lowered) != kSecretHeaders.end();
}

Response TraceTransport::send(const Request& request) {
  auto say_headers = [this](const Headers& headers) {
    for (const auto& [name, value] : headers) {
      sink_(name + ": " + (is_secret_header(name) ? std::string(kMask) : redact(value)));
    }
  };
  sink_("==== request start ====");
  sink_("uri: " + redact(request.url));
  sink_("method: " + request.method);
  say_headers(request.headers);
  Response sent;  // for its look-up of headers
  sent.headers = request.headers;
  if (!request.body.empty()) sink_("body: " + shown(request.body, sent.header("Content-Type")));
  sink_("==== request end ====");
  const Response response = inner_.send(request);
  sink_("---- response start ----");
  if (response.failure) {
    sink_("no answer: " + response.failure->message);
  } else {
    sink_("status: " + std::to_string(response.status));
    say_headers(response.headers);
    const bool handed_on = request.sink && response.body.empty();
    sink_("body: " + (handed_on ? "not shown" : shown(response.body, response.header("Content-Type"))));
  }
  sink_("---- response end ----");
  return response;
}

}  // namespace tpuctl::api
