// SPDX-License-Identifier: Apache-2.0
// Signing in: through gcloud where it is, else with the user's own client id; and the application default credentials.
#pragma once

#include <string>
#include <vector>

#include "cli/command.hpp"
#include "cli/frame.hpp"

namespace tpuctl::commands {

extern const cli::Command kLogin;
extern const cli::Command kDefaultLogin;
extern const cli::Command kDefaultRevoke;
extern const cli::Command kDefaultQuota;

/// Runs gcloud at the user's terminal; its exit code. Throws Error{denied} that begins with `otherwise` when there is none.
int run_gcloud(cli::Frame& frame, std::vector<std::string> words, const std::string& otherwise);

/// Copies a credential file among tpuctl's own accounts, after checking that it can be used; the account's name. `type` is
/// the one it must be of, or empty. Throws Error{denied} when it cannot be used, and when it is not of `account` (unless empty).
std::string keep_credential_file(cli::Frame& frame, const std::string& path, const std::string& account, const std::string& type);

/// The token endpoint: auth/token_host when set, else `own` when it is Google's, else Google's. Throws Error{denied} for any
/// other address.
std::string token_address(const cli::Frame& frame, const std::string& own);

}  // namespace tpuctl::commands
