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

}  // namespace tpuctl::api
