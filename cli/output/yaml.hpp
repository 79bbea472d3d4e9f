// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "base/json.hpp"

namespace tpuctl::cli::output {

/// `value` as a block of YAML that ends in a newline, byte for byte as gcloud prints it: members sorted, lists not
/// indented, strings quoted that would read as another type, lines of a text as a literal block. Control characters are
/// escaped. With `start` the document begins with "---". `null_text` is how null is written.
std::string yaml(const Json& value, bool start = false, const std::string& null_text = "null");

}  // namespace tpuctl::cli::output
