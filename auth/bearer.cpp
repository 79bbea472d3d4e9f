// SPDX-License-Identifier: Apache-2.0
#include "auth/bearer.hpp"

#include "auth/urls.hpp"
#include "base/error.hpp"

namespace tpuctl::auth {

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
