// SPDX-License-Identifier: Apache-2.0
// The flags of MaxText's multihost_runner.py and multihost_job.py: `jobs run` and `jobs submit` take them as they are.
#pragma once

#include <string>
#include <vector>

#include "base/time.hpp"

namespace tpuctl::commands {

/// The command line in the house's own words. One that is not `jobs run|submit` with such a flag comes back as it is. What is not
/// said is as there: a name after the time, the current folder, a TPU type. Throws Error{usage} for a flag that the scripts do not have, and for a
/// truth that is none of true, false, 1, 0, yes, no.
std::vector<std::string> house_words(std::vector<std::string> argv, TimePoint now);

}  // namespace tpuctl::commands
