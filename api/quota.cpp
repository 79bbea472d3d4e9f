// SPDX-License-Identifier: Apache-2.0
#include "api/quota.hpp"

#include "base/json.hpp"

namespace tpuctl::api {

namespace {

// The projects of the OAuth clients of `gcloud auth login` and `gcloud auth application-default login`.
constexpr const char* kClientProjects[] = {"projects/32555940559", "projects/764086051850"};

// The ErrorInfo of an answer that refuses; null otherwise.
Json refusal(const Response& response) {
  Json body;
  if (response.status != 403 || !Json::try_parse(response.body, body)) return {};
  for (const Json& detail : body["error"]["details"].items()) {
    const bool info = detail["@type"].text().ends_with("google.rpc.ErrorInfo");
    if (info && detail["domain"].text() == "googleapis.com") return detail;
  }
  return {};
}

bool of_google_client(const Json& info) {
  for (const char* project : kClientProjects) {
    if (info["metadata"]["consumer"].text() == project) return true;
  }
  return false;
}

}  // namespace

Response QuotaTransport::send_charged(const Request& request, const std::string& project) {
  Request charged = request;
  charged.headers.emplace_back("X-Goog-User-Project", project);
  return inner_.send(charged);
}

Response QuotaTransport::send(const Request& request) {
  if (!request.authorize) return inner_.send(request);
  for (const QuotaRule& rule : rules_) {
    if (!request.url.starts_with(rule.address) || rule.project.empty()) continue;
    Response response = send_charged(request, rule.project);
    const bool denied = rule.fall_back && refusal(response)["reason"].text() == "USER_PROJECT_DENIED";
    return denied ? inner_.send(request) : response;
  }
  if (rescued_) return send_charged(request, rescue_);
  Response response = inner_.send(request);
  if (rescue_.empty() || response.status != 403) return response;
  const Json info = refusal(response);
  if (info["reason"].text() != "SERVICE_DISABLED" || !of_google_client(info)) return response;
  rescued_ = true;
  if (told_) told_(rescue_);
  return send_charged(request, rescue_);
}

}  // namespace tpuctl::api
