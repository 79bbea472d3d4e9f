// SPDX-License-Identifier: Apache-2.0
// The way to Google's services as the configuration wants it: proxy, certificates, credential, retries, trace.
#pragma once

#include <memory>
#include <string>

#include "api/curl.hpp"
#include "api/http.hpp"
#include "api/token_source.hpp"
#include "auth/credentials.hpp"
#include "base/time.hpp"
#include "cli/frame.hpp"

namespace tpuctl::commands {

/// Proxy, certificates and user agent as the configuration wants them; `patience` as below.
api::CurlOptions curl_options(const cli::Config& config, Duration patience = {});

/// Who signs, when it is not whom the configuration names.
struct Signer {
  std::string account{};             ///< this account of gcloud's
  bool application_default = false;  ///< the credentials that programs find by themselves
};

class Wire {
 public:
  /// Finds the credential. Throws Error{denied} when there is none, and for settings that this version would have to ignore:
  /// a command must not run as somebody else than it was told. `patience` other than zero: each request is tried once and
  /// given up after that time.
  Wire(cli::Frame& frame, Duration patience, const Signer& signer = {});
  ~Wire();
  api::Transport& transport();
  /// Which credential signs; asks nobody for a token.
  const auth::Identity& identity() const;
  api::TokenSource& tokens();

 private:
  struct Layers;
  std::unique_ptr<Layers> layers_;
};

}  // namespace tpuctl::commands
