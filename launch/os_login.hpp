// SPDX-License-Identifier: Apache-2.0
// OS Login: the user name on the machine is the account's, and the account holds the keys.
#pragma once

#include <optional>
#include <string>

#include "api/client.hpp"

namespace tpuctl::launch {

/// The POSIX user name of `account` for machines of `project`: `wished` when it is one of the account's, else the primary one. The key
/// is imported into the account unless `import` is false, or it is known there, has not expired, and `expires` asks for nothing
/// else. Throws Error when the account has no profile.
std::string os_login_user(api::Client& oslogin, const std::string& account, const std::string& project, const std::string& wished,
                          const std::string& key, std::optional<TimePoint> expires, bool import);

}  // namespace tpuctl::launch
