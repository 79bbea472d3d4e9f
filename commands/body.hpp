// SPDX-License-Identifier: Apache-2.0
// From what was typed to what is sent: flag rows become the JSON body.
#pragma once

#include <string>
#include <string_view>

#include "base/json.hpp"
#include "cli/args.hpp"

namespace tpuctl::commands {

/// Where the rows' fields lie, and which API reads them.
struct BodyPlace {
  std::string_view node_prefix;  ///< before fields without a leading slash
  std::string version;           ///< "v2" or "v2alpha1"
  bool alpha() const { return version != "v2"; }
};

/// Every row with a field: what was given, has a fallback, or is always sent. Throws Error{usage} for a given alpha row when
/// the API is v2.
Json build_body(const cli::Args& args, const BodyPlace& place);

/// --metadata and --metadata-from-file merged. Throws Error{usage} for a key in both, Error{failure} for an unreadable file or
/// values above the service's limits (256 KiB each, 512 KiB in all).
Json merged_metadata(const cli::Args& args);

}  // namespace tpuctl::commands
