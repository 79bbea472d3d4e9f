// SPDX-License-Identifier: Apache-2.0
// --log-http: every request and answer in words, with every secret taken out.
#pragma once

#include <functional>
#include <string>

#include "api/http.hpp"

namespace tpuctl::api {

/// The text with values of secret fields (access_token, refresh_token, client_secret, private_key, ...) replaced, in JSON
/// bodies, forms and query strings.
std::string redact(std::string_view text);
bool is_secret_header(std::string_view name);

class TraceTransport : public Transport {
 public:
  TraceTransport(Transport& inner, std::function<void(const std::string&)> sink) : inner_(inner), sink_(std::move(sink)) {}
  Response send(const Request& request) override;

 private:
  Transport& inner_;
  std::function<void(const std::string&)> sink_;
};

}  // namespace tpuctl::api
