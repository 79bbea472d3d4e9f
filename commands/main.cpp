// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <vector>

#include "base/environment.hpp"
#include "base/process.hpp"
#include "base/signal.hpp"
#include "base/time.hpp"
#include "cli/run.hpp"
#include "cli/streams.hpp"
#include "commands/groups.hpp"
#include "commands/multihost.hpp"

int main(int argc, char** argv) {
  tpuctl::process::fill_standard_descriptors();
  tpuctl::process::remember_self(argv[0]);
  const tpuctl::Environment env = tpuctl::Environment::of_process();
  tpuctl::signals::install();
  tpuctl::SystemClock clock;
  return tpuctl::cli::run(tpuctl::commands::root(), std::vector<std::string>(argv, argv + argc),
                          tpuctl::cli::Streams::of_process(env), env, clock, tpuctl::commands::house_words);
}
