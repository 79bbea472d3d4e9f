// SPDX-License-Identifier: Apache-2.0
// The sessions of one command line with workers: what they have in common, and many of them at once.
#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/text.hpp"
#include "commands/remote.hpp"

namespace tpuctl::commands {

struct Session {
  Context& context;
  const launch::SshSettings& settings;
  const std::vector<launch::Worker>& workers;
  std::vector<launch::Task> tasks;
  bool command;  ///< ssh runs one, as against a shell or scp: it can be ended on the worker
  std::string mark = text::uuid4();

  std::optional<std::vector<std::string>> environment() const;
  bool fail_fast() const { return context.args.on("fail-fast"); }
  /// Ends the command there: what ssh itself was told to do ends with it; what it started on the worker does not, without a
  /// terminal there.
  void stop_on_workers(const std::set<std::size_t>& strays) const;
};

/// Runs a task on each of several workers at once, told apart by a prefix or by their own log files; the exit code of the earliest
/// failure. A signal, a time limit and --fail-fast end a command on the workers too.
int run_on_many(Session& session);

}  // namespace tpuctl::commands
