// SPDX-License-Identifier: Apache-2.0
#include "api/http.hpp"

#include "base/text.hpp"

namespace tpuctl::api {

std::string_view Response::header(std::string_view name) const {
  const std::string wanted = text::lower(name);
  for (const auto& [key, value] : headers) {
    if (text::lower(key) == wanted) return value;
  }
  return {};
}

void sink_left(const Request& request, Response& response) {
  if (!request.sink || response.body.empty() || (response.status != 200 && response.status != 206)) return;
  const std::string body = std::move(response.body);
  response.body.clear();
  request.sink(response, body);
}

}  // namespace tpuctl::api
