// SPDX-License-Identifier: Apache-2.0
// The way to Google's services as the configuration wants it: proxy, certificates, credential, retries, trace.
#pragma once

#include <memory>
#include <string>

#include "api/curl.hpp"
#include "api/http.hpp"
#include "api/retry.hpp"
#include "api/token_source.hpp"
#include "auth/credentials.hpp"
#include "base/environment.hpp"
#include "base/time.hpp"
#include "cli/frame.hpp"

namespace tpuctl::commands {

/// Who signs, when it is not whom the configuration names.
struct Signer {
  std::string account{};             ///< this account of gcloud's
  bool application_default = false;  ///< the credentials that programs find by themselves
};

/// Where tokens are kept between commands when tpu/token_cache is on.
std::string token_cache_directory(const Environment& env);

/// The ways out without a credential, as the configuration wants them: for tokens, and for signing in.
class Exits {
 public:
  /// Throws Error for settings of the network that cannot be obeyed. `patience` as for Wire.
  explicit Exits(cli::Frame& frame, Duration patience = {});
  ~Exits();
  auth::Ways ways();
  api::Transport& once();  ///< to Google, each request tried once
  const api::RetryPolicy& policy() const;

 private:
  struct Ways;
  std::unique_ptr<Ways> ways_;
};

/// The project whose quota is charged for the calls of this credential; empty: Google decides. billing/quota_project when it
/// is set (CURRENT_PROJECT, CURRENT_PROJECT_WITH_FALLBACK, LEGACY or an id), else GOOGLE_CLOUD_QUOTA_PROJECT or what the
/// credential's own file names.
std::string quota_project(const cli::Frame& frame, const auth::Identity& identity);

class Wire {
 public:
  /// Finds the credential. Throws Error{denied} when there is none, and Error for settings of the network that cannot be
  /// obeyed. `patience` other than zero: each request is tried once and
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
