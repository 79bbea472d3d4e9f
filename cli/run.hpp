// SPDX-License-Identifier: Apache-2.0
// From argv to an exit code. The only place where a kind of Error becomes words and a number.
#pragma once

#include <string>
#include <vector>

#include "base/environment.hpp"
#include "base/error.hpp"
#include "base/time.hpp"
#include "cli/args.hpp"
#include "cli/command.hpp"
#include "cli/config.hpp"
#include "cli/streams.hpp"

namespace tpuctl::cli {

/// Other programs' command lines in this one's words; may throw Error{usage}.
using Rewrite = std::vector<std::string> (*)(std::vector<std::string> argv, TimePoint now);

/// Parses argv (its first word is the program's name), answers --help and --version, else calls the command's handler.
/// Throws nothing; stdout is flushed. Returns the exit code.
int run(const Command& root, std::vector<std::string> argv, Streams& io, const Environment& env, Clock& clock, Rewrite rewrite = nullptr);

/// Whether v2alpha1 serves this command line: always, but in gcloud's GA spelling; the property tpu/api_version
/// overrides.
bool uses_alpha(const Args& args, const Config& config);

/// The exit code of an Error. With `remote` (ssh, jobs run, ...) failures of tpuctl itself are 125, because the other
/// codes belong to the remote program.
int exit_code(tpuctl::Kind kind, bool remote);

/// What stderr says about an Error: "ERROR: (tpuctl.tpu-vm.create) NOT_FOUND: ...", details, hint.
std::string error_text(const Error& error, const std::string& dotted, bool colour);
/// {"error": {"code", "kind", "status", "message", "hint", "details"}}, code being the exit code.
std::string error_json(const Error& error, int code);

/// A warning for stderr.
std::string warning_text(std::string_view message, bool colour);

}  // namespace tpuctl::cli
