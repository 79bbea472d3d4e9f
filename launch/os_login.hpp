// SPDX-License-Identifier: Apache-2.0
// OS Login: the user name on the machine is the account's, and the account holds the keys.
#pragma once

#include <optional>
#include <string>

#include "api/client.hpp"

namespace tpuctl::launch {

/// The POSIX user name of `account` for machines of `project`. The key is imported into the account unless it is known there or
/// `import` is false. Throws Error when the account has no profile.
std::string os_login_user(api::Client& oslogin, const std::string& account, const std::string& project, const std::string& key,
                          std::optional<TimePoint> expires, bool import);

}  // namespace tpuctl::launch
