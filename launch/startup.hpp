// SPDX-License-Identifier: Apache-2.0
// The job as a startup script: what a machine runs at every boot, so that the job begins without a client and goes on after
// maintenance. Metadata can be read by whoever can read the TPU VM: no secret is in it.
#pragma once

#include <string>

#include "launch/job.hpp"

namespace tpuctl::launch {

/// The script. Throws Error{failure} when it has more bytes than a metadata value may have.
std::string startup_script(const JobSpec& spec);

/// The job whose script this is; empty when it is none of ours.
std::string job_of_script(const std::string& script);

}  // namespace tpuctl::launch
