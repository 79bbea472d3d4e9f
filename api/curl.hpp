// SPDX-License-Identifier: Apache-2.0
// The Transport that really sends, over libcurl. One connection pool per object; not for use by several threads at once.
#pragma once

#include <memory>
#include <string>

#include "api/http.hpp"
#include "base/time.hpp"

namespace tpuctl::api {

struct CurlOptions {
  std::string user_agent;
  std::string ca_file;  ///< core/custom_ca_certs_file; empty: the system's
  std::string proxy;    ///< empty: the environment's; "none": no proxy at all (metadata server)
  Duration connect_limit = std::chrono::seconds(10);
  Duration stall_limit = std::chrono::seconds(60);  ///< no byte for so long ends the request
  Duration total_limit{};                           ///< zero: none
  std::size_t max_body = std::size_t{256} << 20;    ///< a longer answer is a permanent failure
};

class CurlTransport : public Transport {
 public:
  explicit CurlTransport(CurlOptions options);
  ~CurlTransport() override;
  /// Redirects are not followed and TLS is verified, always. A request that must not be repeated goes out on a fresh
  /// connection, for libcurl silently sends again what died on a reused one.
  Response send(const Request& request) override;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace tpuctl::api
