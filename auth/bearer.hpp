// SPDX-License-Identifier: Apache-2.0
// Authorization as a decorator of the wire.
#pragma once

#include "api/http.hpp"
#include "api/token_source.hpp"
#include "base/time.hpp"

namespace tpuctl::auth {

class BearerTransport : public api::Transport {
 public:
  /// `headers` go with every signed request (X-Goog-User-Project, X-Goog-Request-Reason).
  BearerTransport(api::Transport& inner, api::TokenSource& source, Clock& clock, api::Headers headers)
      : inner_(inner), source_(source), clock_(clock), headers_(std::move(headers)) {}

  /// Adds Authorization and the headers. After a 401 the token is asked for anew once
  /// and the request repeated. Throws Error{denied} rather than send a token over plain http to a host that is not this
  /// one.
  api::Response send(const api::Request& request) override;

 private:
  api::Transport& inner_;
  api::TokenSource& source_;
  Clock& clock_;
  api::Headers headers_;
};

}  // namespace tpuctl::auth
