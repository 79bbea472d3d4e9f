// SPDX-License-Identifier: Apache-2.0
// One request, taken apart: path segments, query, body. What every service of the emulator reads.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "api/http.hpp"
#include "base/json.hpp"

namespace tpuctl::emulator {

struct Call {
  std::string method;
  std::string path;                    ///< as it came, without the query, starting with '/'
  std::vector<std::string> segments;   ///< of the path, each percent-decoded
  std::vector<std::pair<std::string, std::string>> query;  ///< decoded, in order
  std::string origin;                  ///< "http://host:port" the caller used, for links in answers
  const api::Request* request = nullptr;

  explicit Call(const api::Request& source);

  /// First header of that name in any case, or empty.
  std::string header(std::string_view name) const;
  /// First value of the query parameter, or empty.
  std::string param(std::string_view name) const;
  bool has_param(std::string_view name) const;
  /// The body as protobuf's JSON reader takes it (see protojson). An empty body is an empty object. Throws ApiError
  /// 400 when it cannot be read.
  Json json() const;
};

/// Value of an Authorization header's bearer token, or empty.
std::string bearer_token(const Call& call);

}  // namespace tpuctl::emulator
