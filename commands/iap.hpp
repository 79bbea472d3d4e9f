// SPDX-License-Identifier: Apache-2.0
// compute start-iap-tunnel: what ssh runs to reach a worker through Identity-Aware Proxy.
#pragma once

#include <string>

#include "commands/context.hpp"

namespace tpuctl::commands {

/// ssh's ProxyCommand for the machine called `instance`: this program again, with what this command line says about project,
/// account and credential. ssh fills in the port; a shell reads the rest.
std::string iap_proxy_command(const Context& context, const std::string& project, const std::string& zone, const std::string& instance);

}  // namespace tpuctl::commands
