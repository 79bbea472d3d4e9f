// SPDX-License-Identifier: Apache-2.0
// A refusal as Google's APIs word it. Services throw ApiError; the emulator turns it into a response.
#pragma once

#include <stdexcept>
#include <string>

#include "api/http.hpp"
#include "base/json.hpp"

namespace tpuctl::emulator {

class ApiError : public std::runtime_error {
 public:
  /// `status_name` empty: the canonical name of the HTTP status (404 -> NOT_FOUND).
  ApiError(int http_status, const std::string& message, std::string status_name = {}, Json error_details = {});

  /// {"error": {"code", "message", "status", "details"?}}
  Json body() const;

  int http = 0;
  std::string status;
  Json details;
};

/// 400 INVALID_ARGUMENT with one field violation.
ApiError bad_field(const std::string& field, const std::string& description);
/// 404 with a ResourceInfo that names the resource.
ApiError not_found(const std::string& name);
/// 409 ALREADY_EXISTS.
ApiError already_exists(const std::string& name);
/// 400 FAILED_PRECONDITION.
ApiError precondition(const std::string& message);
/// 404 for a method that this version of the API does not have.
ApiError no_method();

api::Response json_response(int status, const Json& body);

}  // namespace tpuctl::emulator
