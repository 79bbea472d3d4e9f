// SPDX-License-Identifier: Apache-2.0
// Where Google's services are: the property api_endpoint_overrides/SERVICE, else Google's own address in the configured
// universe, its mTLS twin when a client certificate is shown.
#pragma once

#include <string>
#include <string_view>

#include "cli/config.hpp"

namespace tpuctl::commands {

/// Google's address of a service as gcloud prints it, the version in it where gcloud has one; empty for a service that
/// tpuctl does not call.
std::string default_endpoint(const cli::Config& config, std::string_view service);

/// The address that a call's "VERSION/..." is appended to; ends in a slash. Throws Error{failure} when the override is no
/// http(s) URL that ends in one.
std::string endpoint(const cli::Config& config, std::string_view service);

/// core/universe_domain; "googleapis.com" by default.
std::string universe(const cli::Config& config);

/// context_aware/use_client_certificate, or GOOGLE_API_USE_CLIENT_CERTIFICATE where the property is not set.
bool uses_client_certificate(const cli::Config& config);

}  // namespace tpuctl::commands
