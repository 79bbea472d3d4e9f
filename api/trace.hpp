// SPDX-License-Identifier: Apache-2.0
// --log-http: every request and answer in words, with every secret taken out.
#pragma once

#include <functional>
#include <string>

#include "api/http.hpp"
#include "base/time.hpp"

namespace tpuctl::api {

/// The text with values of secret fields (access_token, refresh_token, client_secret, private_key, ...) replaced, in JSON
/// bodies, forms and query strings.
std::string redact(std::string_view text);
/// As redact, for talk with whoever gives out credentials: only fields that are known to be harmless keep their values.
std::string redact_credentials(std::string_view text);
bool is_secret_header(std::string_view name);

/// Besides redaction by name, every line is searched for the secrets that this process knows (base/secrets). Of requests
/// that carry no authorization, those for tokens, only harmless fields and headers are told.
class TraceTransport : public Transport {
 public:
  TraceTransport(Transport& inner, std::function<void(const std::string&)> sink) : inner_(inner), sink_(std::move(sink)) {}
  Response send(const Request& request) override;

 private:
  void say(const std::string& line) const;
  void say_headers(const Headers& headers, bool authorized) const;
  Transport& inner_;
  std::function<void(const std::string&)> sink_;
};

/// --verbosity=debug: a line a request, with its answer and how long that took.
class TimedTransport : public Transport {
 public:
  TimedTransport(Transport& inner, Clock& clock, std::function<void(const std::string&)> sink)
      : inner_(inner), clock_(clock), sink_(std::move(sink)) {}
  Response send(const Request& request) override;

 private:
  Transport& inner_;
  Clock& clock_;
  std::function<void(const std::string&)> sink_;
};

}  // namespace tpuctl::api
