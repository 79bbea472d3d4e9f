// SPDX-License-Identifier: Apache-2.0
#include "auth/bearer.hpp"

#include "base/error.hpp"

namespace tpuctl::auth {

bool is_loopback_url(const std::string& url) {
  const auto scheme = url.find("://");
  if (scheme == std::string::npos) return false;
  const auto start = scheme + 3;
  const auto end = url.find_first_of("/?", start);
  std::string host = url.substr(start, end == std::string::npos ? end : end - start);
  if (host.find('@') != std::string::npos) return false;
  if (host.starts_with("[")) return host == "[::1]" || host.starts_with("[::1]:");
  host = host.substr(0, host.rfind(':'));
  if (host == "localhost") return true;
  if (!host.starts_with("127.")) return false;
  return host.find_first_not_of("0123456789.") == std::string::npos;
}

api::Response BearerTransport::send(const api::Request& request) {
  if (!request.authorize) return inner_.send(request);
  for (bool again = false;; again = true) {
    const api::Token token = source_.token(clock_.now());
    api::Request signed_request = request;
    if (!token.value.empty()) {
      if (!request.url.starts_with("https://") && !is_loopback_url(request.url)) {
        throw Error(Kind::denied, "An access token is not sent over plain http to [" + request.url + "].",
                    "Use https in the endpoint override.");
      }
      signed_request.headers.emplace_back("Authorization", "Bearer " + token.value);
    }
    signed_request.headers.insert(signed_request.headers.end(), headers_.begin(), headers_.end());
    api::Response response = inner_.send(signed_request);
    if (response.status != 401 || again || !source_.refresh()) return response;
  }
}

}  // namespace tpuctl::auth
