// SPDX-License-Identifier: Apache-2.0
// What a handler may reach of the process: handed in, never fetched.
#pragma once

#include "base/environment.hpp"
#include "base/time.hpp"
#include "cli/command.hpp"

namespace tpuctl::cli {

class Config;
class Streams;

struct Frame {
  Streams& io;
  const Environment& env;
  Clock& clock;
  const Command& root;
  Config& config;  ///< flags of this command line, environment, active configuration, defaults
};

}  // namespace tpuctl::cli
