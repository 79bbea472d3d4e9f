// SPDX-License-Identifier: Apache-2.0
// The whole program in process: words in, what it printed out. No network: only what sends nothing.
#pragma once

#include <gmock/gmock.h>

#include <string>
#include <vector>

#include "base/json.hpp"
#include "cli/config.hpp"
#include "cli/frame.hpp"
#include "cli/globals.hpp"
#include "cli/parse.hpp"
#include "cli/run.hpp"
#include "commands/groups.hpp"
#include "tests/support/fake_clock.hpp"
#include "tests/support/temporary_folder.hpp"

namespace tpuctl::test {

class Program : public ::testing::Test {
 protected:
  Program() {
    env.set("CLOUDSDK_CONFIG", folder / "gcloud");
    env.set("HOME", folder / "home");
    env.set("PATH", "/usr/bin:/bin");
    env.set("CLOUDSDK_CORE_PROJECT", "test-project");
    env.set("CLOUDSDK_COMPUTE_ZONE", "us-central2-b");
    env.set("CLOUDSDK_AUTH_ACCESS_TOKEN", "fake-token");
    env.set("CLOUDSDK_API_ENDPOINT_OVERRIDES_TPU", "http://127.0.0.1:1/");  // should anything be sent after all
  }

  int run(const std::vector<std::string>& words) {
    io = std::make_unique<cli::StringStreams>();
    std::vector<std::string> argv = {"tpuctl"};
    argv.insert(argv.end(), words.begin(), words.end());
    return cli::run(commands::root(), argv, *io, env, clock);
  }

  /// The body that a create would send; its line is in `line`.
  Json body_of(std::vector<std::string> words) {
    words.emplace_back("--dry-run");
    EXPECT_EQ(run(words), 0) << io->err_text;
    line = io->out_text.substr(0, io->out_text.find('\n'));
    Json out;
    EXPECT_TRUE(Json::try_parse(io->out_text.substr(std::min(io->out_text.size(), line.size() + 1)), out)) << io->out_text;
    return out;
  }

  TemporaryFolder folder;
  Environment env;
  FakeClock clock;
  std::unique_ptr<cli::StringStreams> io;
  std::string line;
};

/// Args and a Frame for code below the handlers.
class Below : public Program {
 protected:
  const cli::Args& parse(const std::vector<std::string>& words) {
    parsed = {};
    cli::parse(commands::root(), cli::kGlobalFlags, "tpuctl", words, parsed);
    io = std::make_unique<cli::StringStreams>();
    config = std::make_unique<cli::Config>(env);
    config->apply(parsed.args);
    frame.emplace(cli::Frame{*io, env, clock, commands::root(), *config});
    return parsed.args;
  }
  cli::Parsed parsed;
  std::unique_ptr<cli::Config> config;
  std::optional<cli::Frame> frame;
};

}  // namespace tpuctl::test
