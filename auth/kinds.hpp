// SPDX-License-Identifier: Apache-2.0
// The kinds of credential, one file each. All load at once, so that a broken credential is told of before anything is
// sent; none asks for a token before it is needed.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "api/token_source.hpp"
#include "auth/credentials.hpp"
#include "base/json.hpp"

namespace tpuctl::auth {

using Source = std::unique_ptr<api::TokenSource>;

inline constexpr const char* kTokenUrl = "https://oauth2.googleapis.com/token";
inline constexpr const char* kCloudScope = "https://www.googleapis.com/auth/cloud-platform";
inline constexpr const char* kIamScope = "https://www.googleapis.com/auth/iam";

/// What a credential is made of. References need to live during the making only, but for `ways`.
struct Material {
  const Json& json;
  std::string path;   ///< of the file it stands in
  std::string why;    ///< what chose that file
  std::string login;  ///< the next step when the credential is refused
  const Wishes& wishes;
  const Environment& env;
  Ways ways;
  std::string scope = kCloudScope;
  std::shared_ptr<api::TokenSource> reauth{};  ///< asked when the user must prove anew who they are; may be empty

  /// Throws Error{denied}: "Failed to load the credential file [PATH] (WHY): REASON". A user's broken file is healed by
  /// signing in again, unless the hint knows better.
  [[noreturn]] void refuse(const std::string& reason, const std::string& hint = {}) const;
  /// The member, which must be a string and not empty.
  const std::string& required(const char* name) const;
  /// The member, or "" when it is absent; refuses what is no string.
  const std::string& optional(const char* name) const;
  /// As `required`, and known as a secret from now on.
  const std::string& secret(const char* name) const;
  /// Refuses an address that the credential names and that is not `fine`, but for this machine's own. `whose` it had to
  /// be: "Google's".
  void check_url(const std::string& url, const char* name, bool fine, const char* whose = "Google's") const;
};

/// The text of a file. Throws Error{denied} that begins with `prefix` and ends in why it cannot be read.
std::string readable(const std::string& path, const std::string& prefix, const std::string& hint = {});

/// The source for material of any type, and what may be told of it. Refuses unknown types with the names of the known.
Source make_source(const Material& material);
Identity identity_of(const Material& material);

Source authorized_user(const Material& material);
Source service_account(const Material& material);
Source impersonated_service_account(const Material& material);
Source external_account(const Material& material);
Source external_account_authorized_user(const Material& material);

struct Impersonation {
  std::string url;                       ///< ...:generateAccessToken
  std::string target;                    ///< e-mail
  std::vector<std::string> delegates{};  ///< e-mails or projects/-/serviceAccounts/E-MAIL
  std::int64_t lifetime_seconds = 3600;
};
/// Tokens of a service account, asked for with the tokens of `source`.
Source impersonated(Source source, Impersonation how, const Ways& ways);
/// Where the configured universe and endpoint want tokens of `target` asked for.
std::string impersonation_url(const Wishes& wishes, const std::string& target);
/// The e-mail between the last '/' and ":generateAccessToken"; "" when there is none.
std::string impersonation_target(const std::string& url);

/// The token of gcloud's account, asked of gcloud itself (`gcloud config config-helper`). `gcloud` is its absolute
/// path. `at_terminal`: it may ask the user there.
Source gcloud_account(std::string gcloud, std::string account, const Environment& env, bool at_terminal);

/// A service account of the VM this runs on. `host` is "metadata.google.internal" or host:port, `account` an e-mail or
/// "default". In a `universe` other than the default the server is asked first whether it is of that.
Source metadata_server(std::string host, std::string account, std::string universe, const Ways& ways);
/// The host of this machine's metadata server; "" when there is none. Looks, in this order, at what the environment
/// asserts, what was asked not to be looked for, the machine's own name plate, gcloud's memory of the last ten minutes,
/// and at last asks, once, for at most a second.
std::string find_metadata_server(const Wishes& wishes, const Environment& env, const Ways& ways);

/// Keeps the tokens of `source` in `directory` between commands: one file a credential, named by the hash of `key`,
/// mode 0600, written under a lock and put in place at once. A file that is not this user's alone, is broken or cannot
/// be written is as good as none.
Source kept(Source source, const std::string& directory, const std::string& key, Clock& clock);

}  // namespace tpuctl::auth
