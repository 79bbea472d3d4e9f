// SPDX-License-Identifier: Apache-2.0
// The order in which credentials are looked for. The first that is present is used; present but broken is an error, never
// a silent fall-through to the next.
#pragma once

#include <memory>
#include <string>

#include "api/http.hpp"
#include "api/token_source.hpp"
#include "base/environment.hpp"

namespace tpuctl::auth {

/// What the configuration says about credentials; empty means not set.
struct Wishes {
  bool application_default = false;      ///< only the application default credentials
  bool disabled = false;                 ///< auth/disable_credentials
  std::string access_token_file;         ///< auth/access_token_file
  bool access_token_file_by_flag = false;  ///< --access-token-file beats everything else
  std::string credential_file_override;  ///< auth/credential_file_override
  std::string account;                   ///< core/account
  bool account_by_flag = false;          ///< then files that name no account are skipped
  std::string config_directory;          ///< gcloud's
  std::string token_url;                 ///< auth/token_host; empty: Google's
  bool probe_metadata = true;            ///< core/check_gce_metadata
};

/// Order: disabled; token file by flag; CLOUDSDK_AUTH_ACCESS_TOKEN; token file by property; credential file override;
/// GOOGLE_APPLICATION_CREDENTIALS; gcloud's active account; application default credentials; the VM's service account.
/// With `application_default`: GOOGLE_APPLICATION_CREDENTIALS, the file, the VM's service account.
/// `plain` carries token requests, `probe` the one question whether there is a metadata server (it should give up within a
/// second). Throws Error{denied} when nothing is found or what is found cannot be read.
std::unique_ptr<api::TokenSource> find_credentials(const Wishes& wishes, const Environment& env, api::Transport& plain,
                                                   api::Transport& probe);

}  // namespace tpuctl::auth
