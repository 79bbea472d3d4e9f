// SPDX-License-Identifier: Apache-2.0
#include "cli/globals.hpp"

namespace tpuctl::cli {

namespace {
constexpr Flag kRows[] = {
    {.name = "project",
     .help = "The project to work in. Without it the property core/project decides.",
     .value = "PROJECT_ID",
     .source = Source::project},
    {.name = "account", .help = "The account to sign requests with. Without it the property core/account decides."},
    {.name = "configuration",
     .help = "The named configuration to use for this command.",
     .source = Source::configuration},
    {.name = "format",
     .help = "How to print: json, yaml, value(FIELD, ...), table(FIELD, ...), and more. See `tpuctl help formats`.",
     .source = Source::format},
    {.name = "flatten",
     .help = "Print one record for each item of this list field, written as KEY[]; several are separated by commas.",
     .value = "KEY,..."},
    {.name = "quiet",
     .help = "Ask nothing: every question gets its default answer.",
     .kind = Kind::toggle,
     .letter = 'q'},
    {.name = "verbosity",
     .help = "How much is told on standard error.",
     .kind = Kind::choice,
     .choices = "debug,info,warning,error,critical,none"},
    {.name = "log-http",
     .help = "Show every request and answer on standard error. Secrets are left out.",
     .kind = Kind::toggle},
    {.name = "impersonate-service-account",
     .help = "Act as this service account. A list goes from delegate to delegate; the last one acts.",
     .value = "EMAIL,..."},
    {.name = "access-token-file",
     .help = "Sign requests with the access token in this file.",
     .value = "FILE",
     .source = Source::file},
    {.name = "billing-project",
     .help = "The project whose quota is charged.",
     .value = "PROJECT_ID",
     .source = Source::project},
    {.name = "trace-token", .help = "A token that marks requests for the service's support.", .hidden = true},
    {.name = "user-output-enabled",
     .help = "Print what the command is for; --no-user-output-enabled prints nothing but errors.",
     .kind = Kind::toggle,
     .hidden = true},
    {.name = "color",
     .help = "Whether to colour: by default terminals only.",
     .kind = Kind::choice,
     .value = "WHEN",
     .choices = "auto,always,never"},
    {.name = "help", .help = "Show help; -h shows a short form.", .kind = Kind::toggle, .letter = 'h'},
    {.name = "flags-file",
     .help = "Take flags from a YAML or JSON file: a mapping of flags to values. May be repeated.",
     .value = "YAML_FILE",
     .source = Source::file},
};
}  // namespace

const std::span<const Flag> kGlobalFlags{kRows};

}  // namespace tpuctl::cli
