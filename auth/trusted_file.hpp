// SPDX-License-Identifier: Apache-2.0
// Files that hold tokens and could have been planted.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>

namespace tpuctl::auth {

/// The text of a regular file that has none of the permission bits `forbidden`. Nothing when there is none, for a link, and
/// for any other reason not to believe it. What is checked is what is read.
std::optional<std::string> read_trusted(const std::string& path, mode_t forbidden);
/// As read_trusted, and the file must be this user's and nobody else's to read or write.
std::optional<std::string> read_private(const std::string& path);

}  // namespace tpuctl::auth
