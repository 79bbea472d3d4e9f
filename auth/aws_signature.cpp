// SPDX-License-Identifier: Apache-2.0
#include "auth/aws_signature.hpp"

#include <fmt/format.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>

#include <algorithm>
#include <array>
#include <map>

#include "auth/urls.hpp"
#include "base/json.hpp"
#include "base/text.hpp"

namespace tpuctl::auth {

namespace {

std::string hmac(std::string_view key, std::string_view bytes) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> out{};
  unsigned size = 0;
  HMAC(EVP_sha256(), key.data(), static_cast<int>(key.size()), reinterpret_cast<const unsigned char*>(bytes.data()),
       bytes.size(), out.data(), &size);
  return {reinterpret_cast<const char*>(out.data()), size};
}

std::string hex(std::string_view bytes) {
  std::string out;
  for (const char c : bytes) out += fmt::format("{:02x}", static_cast<unsigned char>(c));
  return out;
}

// Decoded, encoded again the one way, sorted by name, then by value.
std::string canonical_query(const std::string& query) {
  std::vector<std::pair<std::string, std::string>> pairs;
  for (const std::string& pair : text::split(query, '&')) {
    const auto equals = std::min(pair.find('='), pair.size());
    auto again = [](std::string_view part) { return text::percent_encode(text::percent_decode(part)); };
    pairs.emplace_back(again(pair.substr(0, equals)), again(pair.substr(std::min(equals + 1, pair.size()))));
  }
  std::sort(pairs.begin(), pairs.end());
  std::vector<std::string> out;
  out.reserve(pairs.size());
  for (const auto& [name, value] : pairs) out.push_back(name + "=" + value);
  return text::join(out, "&");
}

// Trimmed, runs of blanks as one.
std::string canonical_value(std::string_view value) {
  std::string out;
  for (const char c : text::trim(value)) {
    if (c != ' ' || out.back() != ' ') out += c;
  }
  return out;
}

std::map<std::string, std::string> all_headers(const AwsRequest& request, const AwsKeys& keys) {
  std::map<std::string, std::string> out{{"host", parse_url(request.url).host}, {"x-amz-date", request.date}};
  if (!keys.session.empty()) out["x-amz-security-token"] = keys.session;
  for (const auto& [name, value] : request.headers) out[text::lower(name)] = canonical_value(value);
  return out;
}

}  // namespace

AwsSignature aws_signature(const AwsRequest& request, const AwsKeys& keys) {
  AwsSignature out;
  const Url url = parse_url(request.url);
  std::string lines;
  for (const auto& [name, value] : all_headers(request, keys)) {
    lines += name + ":" + value + "\n";
    out.signed_headers += (out.signed_headers.empty() ? "" : ";") + name;
  }
  out.canonical_request = request.method + "\n" + (url.path.empty() ? "/" : url.path) + "\n" +
                          canonical_query(url.query) + "\n" + lines + "\n" + out.signed_headers + "\n" +
                          text::sha256_hex(request.body);
  const std::string day = request.date.substr(0, 8);
  const std::string service = url.host.substr(0, url.host.find('.'));
  const std::string scope = day + "/" + request.region + "/" + service + "/aws4_request";
  out.string_to_sign =
      "AWS4-HMAC-SHA256\n" + request.date + "\n" + scope + "\n" + text::sha256_hex(out.canonical_request);
  std::string key = "AWS4" + keys.secret;
  for (const std::string& part : {day, request.region, service, std::string("aws4_request")}) key = hmac(key, part);
  out.signing_key_hex = hex(key);
  out.signature_hex = hex(hmac(key, out.string_to_sign));
  out.authorization = "AWS4-HMAC-SHA256 Credential=" + keys.id + "/" + scope + ", SignedHeaders=" + out.signed_headers +
                      ", Signature=" + out.signature_hex;
  return out;
}

std::string aws_subject_token(AwsRequest request, const AwsKeys& keys, const std::string& audience) {
  request.headers.emplace_back("x-goog-cloud-target-resource", audience);
  Json headers = Json::array();
  headers.push(Json{{"key", "Authorization"}, {"value", aws_signature(request, keys).authorization}});
  for (const auto& [name, value] : all_headers(request, keys)) headers.push(Json{{"key", name}, {"value", value}});
  return text::percent_encode(Json{{"headers", headers}, {"method", request.method}, {"url", request.url}}.dump());
}

}  // namespace tpuctl::auth
