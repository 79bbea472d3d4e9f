// SPDX-License-Identifier: Apache-2.0
// The Transport that really sends, over libcurl. One connection pool per object; not for use by several threads at once.
#pragma once

#include <memory>
#include <string>

#include "api/http.hpp"
#include "base/time.hpp"

namespace tpuctl::api {

struct CurlOptions {
  std::string user_agent{};
  std::string ca_file{};      ///< certificates of the authorities to trust instead of the system's; empty: the system's
  std::string certificate{};  ///< PEM file of the client certificate that is shown to who asks for one; empty: none
  std::string key{};          ///< PEM file of its private key, not encrypted
  /// URL of the proxy, user and password in it; empty: the environment's (https_proxy, all_proxy, no_proxy, in capitals too);
  /// "none": no proxy at all. With a URL, no_proxy does not count. Plain http is for this machine and metadata servers only
  /// and never goes through a proxy.
  std::string proxy{};
  std::string proxy_origin{};  ///< for messages: who names the proxy, "HTTPS_PROXY" or "the property proxy/address"; empty: nobody
  std::string proxy_place{};   ///< for messages: its "host:port"
  Duration connect_limit = std::chrono::seconds(10);
  Duration stall_limit = std::chrono::seconds(60);  ///< no byte for so long ends the request
  Duration total_limit{};                           ///< zero: none
  std::size_t max_body = std::size_t{256} << 20;    ///< a longer answer is a permanent failure
};

class CurlTransport : public Transport {
 public:
  explicit CurlTransport(CurlOptions options);
  ~CurlTransport() override;
  /// Redirects are not followed and TLS (1.2 or newer) is verified, always. A request that must not be repeated goes out on a fresh
  /// connection, for libcurl silently sends again what died on a reused one.
  Response send(const Request& request) override;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace tpuctl::api
