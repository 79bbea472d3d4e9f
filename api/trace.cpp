// SPDX-License-Identifier: Apache-2.0
#include "api/trace.hpp"

#include <algorithm>
#include <array>

#include "base/json.hpp"
#include "base/secrets.hpp"
#include "base/text.hpp"

namespace tpuctl::api {

namespace {
using secrets::kMask;
constexpr std::array<std::string_view, 19> kSecretFields = {
    "access_token", "accessToken",   "refresh_token", "id_token", "client_secret", "assertion",
    "subject_token", "actor_token",  "code",          "code_verifier", "rapt",     "token",
    "private_key",  "signedJwt",     "signedBlob",    "password", "SecretAccessKey", "Token",
    "upload_id"};  // who has an upload's address may write to it
constexpr std::array<std::string_view, 3> kSecretParameters = {"key", "X-Goog-Signature", "X-Amz-Signature"};  // of addresses
constexpr std::array<std::string_view, 8> kSecretHeaders = {
    "authorization", "proxy-authorization", "cookie", "set-cookie", "x-goog-iam-authorization-token",
    "x-aws-ec2-metadata-token", "x-amz-security-token", "x-goog-encryption-key"};
// What may be told of a request for a token and of its answer.
constexpr std::array<std::string_view, 19> kHarmlessFields = {
    "grant_type", "audience", "scope", "requested_token_type", "subject_token_type", "issued_token_type", "token_type",
    "expires_in", "expireTime", "lifetime", "delegates", "error", "error_description", "error_subtype", "error_uri",
    "message", "status", "reason", "universe_domain"};
constexpr std::array<std::string_view, 9> kHarmlessHeaders = {
    "accept", "content-type", "content-length", "date", "server", "metadata-flavor", "metadata", "user-agent", "x-goog-api-client"};

template <class Names>
bool contains(const Names& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

using Secret = bool (*)(std::string_view name);

bool is_secret_field(std::string_view name) { return contains(kSecretFields, name); }
bool is_secret_parameter(std::string_view name) { return is_secret_field(name) || contains(kSecretParameters, name); }
bool is_unknown_field(std::string_view name) { return !contains(kHarmlessFields, name); }

// `hidden`: strings in this value are those of a secret field.
Json without_secrets(const Json& value, Secret secret, bool hidden) {
  if (value.is_array()) {
    Json out = Json::array();
    for (const Json& item : value.items()) out.push(without_secrets(item, secret, hidden));
    return out;
  }
  // "code" is also the number of an error, which is no secret.
  if (!value.is_object()) return hidden && value.is_string() ? Json(kMask) : value;
  Json out = Json::object();
  for (const auto& [name, member] : value.members()) out.member(name) = without_secrets(member, secret, secret(name));
  return out;
}

// name=value pairs of a form or a query.
std::string redact_pairs(std::string_view text, Secret secret) {
  std::string out;
  while (!text.empty()) {
    const auto end = text.find_first_of("&?", 0);
    const std::string_view pair = text.substr(0, end);
    const auto equals = pair.find('=');
    const bool hidden = equals != std::string_view::npos && secret(pair.substr(0, equals));
    out += hidden ? std::string(pair.substr(0, equals + 1)) + "REDACTED" : std::string(pair);
    if (end == std::string_view::npos) break;
    out += text[end];
    text.remove_prefix(end + 1);
  }
  return out;
}
}  // namespace

std::string redact(std::string_view text) {
  Json parsed;
  if (Json::try_parse(text, parsed) && (parsed.is_object() || parsed.is_array())) {
    return without_secrets(parsed, is_secret_field, false).pretty();
  }
  for (const std::string_view name : kSecretFields) {  // JSON that is cut short or spoiled
    if (text.find('"' + std::string(name) + '"') != std::string_view::npos) {
      return std::to_string(text.size()) + " bytes that are no JSON and may hold a secret";
    }
  }
  return redact_pairs(text, is_secret_parameter);
}

std::string redact_credentials(std::string_view text) {
  Json parsed;
  if (Json::try_parse(text, parsed) && (parsed.is_object() || parsed.is_array())) {
    return without_secrets(parsed, is_unknown_field, true).pretty();
  }
  const bool form = text.find('=') != std::string_view::npos && text.find_first_of("<{\" \n") == std::string_view::npos;
  return form ? redact_pairs(text, is_unknown_field) : std::to_string(text.size()) + " bytes, not shown";
}

namespace {
// The body in words: what is no text by its size only.
std::string shown(std::string_view body, std::string_view content_type, bool authorized) {
  if (!authorized) return redact_credentials(body);
  const bool text = content_type.empty() || content_type.starts_with("application/json") ||
                    content_type.starts_with("application/x-www-form-urlencoded") || content_type.starts_with("text/html");
  return text ? redact(body) : std::to_string(body.size()) + " bytes of " + std::string(content_type);
}
}  // namespace

bool is_secret_header(std::string_view name) { return contains(kSecretHeaders, text::lower(name)); }

void TraceTransport::say(const std::string& line) const { sink_(secrets::redact(line)); }

void TraceTransport::say_headers(const Headers& headers, bool authorized) const {
  for (const auto& [name, value] : headers) {
    const bool secret = is_secret_header(name) || (!authorized && !contains(kHarmlessHeaders, text::lower(name)));
    say(name + ": " + (secret ? std::string(kMask) : redact(value)));
  }
}

Response TraceTransport::send(const Request& request) {
  say("==== request start ====");
  say("uri: " + redact(request.url));
  say("method: " + request.method);
  say_headers(request.headers, request.authorize);
  Response sent;  // for its look-up of headers
  sent.headers = request.headers;
  if (!request.body.empty()) say("body: " + shown(request.body, sent.header("Content-Type"), request.authorize));
  say("==== request end ====");
  const Response response = inner_.send(request);
  say("---- response start ----");
  if (response.failure) {
    say("no answer: " + response.failure->message);
  } else {
    say("status: " + std::to_string(response.status));
    say_headers(response.headers, request.authorize);
    const bool handed_on = request.sink && response.body.empty();
    say("body: " + (handed_on ? "not shown" : shown(response.body, response.header("Content-Type"), request.authorize)));
  }
  say("---- response end ----");
  return response;
}

Response TimedTransport::send(const Request& request) {
  const TimePoint start = clock_.now();
  Response response = inner_.send(request);
  const std::string answer = response.failure ? response.failure->message : "HTTP " + std::to_string(response.status);
  const auto took = std::chrono::duration_cast<std::chrono::milliseconds>(clock_.now() - start).count();
  sink_(secrets::redact(request.method + " " + redact(request.url) + ": " + answer + " in " + std::to_string(took) + " ms"));
  return response;
}

}  // namespace tpuctl::api
