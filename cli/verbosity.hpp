// SPDX-License-Identifier: Apache-2.0
// --verbosity, core/verbosity: what is told on stderr besides errors.
#pragma once

#include <string_view>

#include "cli/config.hpp"
#include "cli/streams.hpp"

namespace tpuctl::cli {

enum class Verbosity { debug, info, warning, error, critical, none };

/// The configured one; a word that is none counts as warning, as with gcloud.
Verbosity verbosity(const Config& config);

/// Writes "WARNING: ..." (INFO, DEBUG) when so much is wanted. Secrets of this process are masked.
void tell(Streams& io, const Config& config, Verbosity level, std::string_view message);

}  // namespace tpuctl::cli
