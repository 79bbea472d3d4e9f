// SPDX-License-Identifier: Apache-2.0
// The accounts that are signed in: those that tpuctl was given itself, and gcloud's, of which only the copies for gsutil are read.
#pragma once

#include <string>
#include <vector>

#include "base/environment.hpp"
#include "base/json.hpp"

namespace tpuctl::auth {

struct Account {
  std::string name;
  bool own = false;  ///< tpuctl's; else gcloud's
  std::string universe;
};

/// By name, each once; tpuctl's own goes before gcloud's of the same name. `directory` is gcloud's configuration folder.
std::vector<Account> accounts(const std::string& directory);

/// Where tpuctl keeps an account of its own, and where gcloud keeps its copy.
std::string own_account_file(const std::string& directory, const std::string& account);
std::string gcloud_account_file(const std::string& directory, const std::string& account);

/// Writes the credentials file of an account of tpuctl's own, for the user's eyes only (0600).
void keep_account(const std::string& directory, const std::string& account, const Json& content);

/// gcloud's absolute path, or empty: also when tpuctl itself stands in its place through a symlink.
std::string find_gcloud(const Environment& env);

}  // namespace tpuctl::auth
