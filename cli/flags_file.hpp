// SPDX-License-Identifier: Apache-2.0
// --flags-file: flags from a YAML or JSON file, as gcloud reads them.
#pragma once

#include <string>
#include <vector>

namespace tpuctl::cli {

/// The words with every `--flags-file=FILE` (or `--flags-file FILE`) before a `--` replaced by the flags in the file: a mapping of
/// flag to value, or a list of such mappings. A value is a scalar, null (the flag alone), true or false (--x, --no-x), a list
/// (joined in gcloud's list notation) or a mapping (KEY=VALUE pairs). A file may name further files, eight deep. Throws
/// Error{usage} with file and line for what is none of this, Error{failure} for a file that cannot be read.
std::vector<std::string> expand_flags_files(const std::vector<std::string>& words);

}  // namespace tpuctl::cli
