// SPDX-License-Identifier: Apache-2.0
#include "emulator/api_error.hpp"

namespace tpuctl::emulator {

namespace {
const char* canonical(int http) {
  switch (http) {
    case 400: return "INVALID_ARGUMENT";
    case 401: return "UNAUTHENTICATED";
    case 403: return "PERMISSION_DENIED";
    case 404: return "NOT_FOUND";
    case 409: return "ALREADY_EXISTS";
    case 412: return "FAILED_PRECONDITION";
    case 429: return "RESOURCE_EXHAUSTED";
    case 499: return "CANCELLED";
    case 500: return "INTERNAL";
    case 501: return "UNIMPLEMENTED";
    case 502:
    case 503: return "UNAVAILABLE";
    case 504: return "DEADLINE_EXCEEDED";
    default: return "UNKNOWN";
  }
}

Json resource_info(const std::string& name) {
  Json details = Json::array();
  details.push(Json{{"@type", "type.googleapis.com/google.rpc.ResourceInfo"}, {"resourceName", name}});
  return details;
}
}  // namespace

ApiError::ApiError(int http_status, const std::string& message, std::string status_name, Json error_details)
    : std::runtime_error(message),
      http(http_status),
      status(status_name.empty() ? canonical(http_status) : std::move(status_name)),
      details(std::move(error_details)) {}

Json ApiError::body() const {
  Json error{{"code", http}, {"message", what()}, {"status", status}};
  if (!details.empty()) error.member("details") = details;
  return Json{{"error", error}};
}

ApiError bad_field(const std::string& field, const std::string& description) {
  Json violations = Json::array();
  violations.push(Json{{"field", field}, {"description", description}});
  Json details = Json::array();
  details.push(Json{{"@type", "type.googleapis.com/google.rpc.BadRequest"}, {"fieldViolations", violations}});
  return ApiError(400, description, {}, details);
}

ApiError not_found(const std::string& name) {
  return ApiError(404, "Resource '" + name + "' was not found", {}, resource_info(name));
}

ApiError already_exists(const std::string& name) {
  return ApiError(409, "Resource '" + name + "' already exists", {}, resource_info(name));
}

ApiError precondition(const std::string& message) { return ApiError(400, message, "FAILED_PRECONDITION"); }

ApiError no_method() { return ApiError(404, "Method not found."); }

api::Response json_response(int status, const Json& body) {
  api::Response out;
  out.status = status;
  out.headers = {{"Content-Type", "application/json; charset=UTF-8"}, {"Vary", "X-Origin"}};
  out.body = body.dump() + "\n";
  return out;
}

}  // namespace tpuctl::emulator
