// SPDX-License-Identifier: Apache-2.0
// The vectors in data/: throw-away keys and identifiers that open nothing.
#pragma once

#include <string>

#include "base/file.hpp"
#include "base/json.hpp"

namespace tpuctl::test {

inline std::string auth_text(const std::string& name) { return file::read(file::join(file::dir_name(__FILE__), "data/" + name)); }
inline Json auth_data(const std::string& name) { return Json::parse(auth_text(name)); }

}  // namespace tpuctl::test
