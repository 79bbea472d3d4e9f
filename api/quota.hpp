// SPDX-License-Identifier: Apache-2.0
// Whose quota a request is charged to, as a decorator of the wire: X-Goog-User-Project.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "api/http.hpp"

namespace tpuctl::api {

struct QuotaRule {
  std::string address{};   ///< requests to URLs that begin so; empty: all
  std::string project{};   ///< empty: no header
  bool fall_back = false;  ///< refused with USER_PROJECT_DENIED: once more without the header
};

class QuotaTransport : public Transport {
 public:
  /// The first rule that fits holds. Without a header, Google charges the project of the OAuth client; where the API is not
  /// enabled in Google's own client's project (reason SERVICE_DISABLED), the request is sent once more with `rescue`, and
  /// `told` once with that project. Requests that need no authorization are left alone.
  QuotaTransport(Transport& inner, std::vector<QuotaRule> rules, std::string rescue, std::function<void(const std::string&)> told)
      : inner_(inner), rules_(std::move(rules)), rescue_(std::move(rescue)), told_(std::move(told)) {}
  Response send(const Request& request) override;

 private:
  Response send_charged(const Request& request, const std::string& project);

  Transport& inner_;
  std::vector<QuotaRule> rules_;
  std::string rescue_;
  std::function<void(const std::string&)> told_;
  bool rescued_ = false;
};

}  // namespace tpuctl::api
