// SPDX-License-Identifier: Apache-2.0
// The order in which credentials are looked for. The first that is present is used; present but broken is an error,
// never a silent fall-through to the next.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "api/http.hpp"
#include "api/token_source.hpp"
#include "base/environment.hpp"
#include "base/time.hpp"

namespace tpuctl::auth {

inline constexpr const char* kDefaultUniverse = "googleapis.com";

/// What the configuration says about credentials; empty means not set.
struct Wishes {
  bool application_default = false;         ///< only the application default credentials
  bool disabled = false;                    ///< auth/disable_credentials
  std::string access_token_file{};          ///< auth/access_token_file
  bool access_token_file_by_flag = false;   ///< --access-token-file beats everything else
  std::string credential_file_override{};   ///< auth/credential_file_override
  std::string account{};                    ///< core/account
  bool account_by_flag = false;             ///< then files that name no account are skipped
  std::vector<std::string> impersonate{};   ///< auth/impersonate_service_account: delegates in order, the target last
  bool self_signed = false;                 ///< auth/service_account_use_self_signed_jwt
  std::string config_directory{};           ///< gcloud's
  std::string token_url{};                  ///< auth/token_host; empty: as the credential says, else Google's
  std::string sts_endpoint{};               ///< api_endpoint_overrides/sts: takes the place of scheme, host and port
  std::string iam_endpoint{};               ///< api_endpoint_overrides/iamcredentials, likewise
  std::string universe = kDefaultUniverse;  ///< core/universe_domain
  bool probe_metadata = true;               ///< core/check_gce_metadata
  bool interactive = false;                 ///< gcloud may ask the user at the terminal to prove who they are
  std::string cache_directory{};            ///< where tokens are kept between commands; empty: nowhere
};

/// The ways out. All must live as long as what is made with them.
struct Ways {
  api::Transport& plain;   ///< to Google, unsigned
  api::Transport& direct;  ///< to metadata servers and this machine: never through a proxy
  api::Transport& probe;   ///< for the one question whether there is a metadata server: gives up within a second
  Clock& clock;
};

/// Which credential it is, told without asking anybody for a token.
struct Identity {
  std::string kind{};          ///< the file's type, or "none", "access_token", "gcloud", "metadata"
  std::string file{};          ///< where it was read from; empty for none
  std::string account{};       ///< e-mail or principal; empty when only the token would tell
  std::string why{};           ///< what chose it: "GOOGLE_APPLICATION_CREDENTIALS", "--account", "metadata server", ...
  std::string impersonated{};  ///< the service account that calls are made as, empty: nobody else
  std::vector<std::string> delegates{};  ///< on the way there
  std::string quota_project{};           ///< the file's quota_project_id
  std::string project{};                 ///< the file's project_id
  std::string universe = kDefaultUniverse;
  /// For error texts, without its full stop: "This command is authenticated as ...".
  std::string sentence{};
  std::string remedy{};  ///< the next step when a service refuses its token (HTTP 401)
};

struct Credential {
  Identity identity;
  std::unique_ptr<api::TokenSource> source;
};

/// Order: disabled; token file by flag; CLOUDSDK_AUTH_ACCESS_TOKEN, GOOGLE_OAUTH_ACCESS_TOKEN; token file by property;
/// credential file override; GOOGLE_APPLICATION_CREDENTIALS; the active account (tpuctl's own file, gcloud's, gcloud
/// itself); application default credentials; the VM's service account. With `application_default`:
/// GOOGLE_APPLICATION_CREDENTIALS, the file, the VM's service account. Impersonation wraps whatever was found. No token
/// is asked for; the metadata server is probed only when nothing else is there. Throws Error{denied} when nothing is
/// found, what is found cannot be used, or it is of another universe than the configured one.
Credential find_credentials(const Wishes& wishes, const Environment& env, const Ways& ways);

}  // namespace tpuctl::auth
