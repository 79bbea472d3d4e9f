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

/// Whether the job's script may stand there: Error{failure} when the node has a startup script that is not ours.
void check_startup_script(const Slice& slice);

/// Puts the script into the metadata of the node, or takes it out again: only one of ours, for `job`.
void put_startup_script(api::Client& client, const Slice& slice, const std::string& script);
void remove_startup_script(api::Client& client, const Slice& slice, const std::string& job);

}  // namespace tpuctl::launch
