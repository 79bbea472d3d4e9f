// SPDX-License-Identifier: Apache-2.0
// gcloud's wide flags. The zone is a row of the commands that have one.
#pragma once

#include <span>

#include "cli/command.hpp"

namespace tpuctl::cli {

/// Taken by every command, before or after its words.
extern const std::span<const Flag> kGlobalFlags;

/// Rows of a command that lists; an array, so that commands can join() it to their own.
inline constexpr Flag kListFlags[] = {
    {.name = "filter",
     .help = "Print only resources that match this expression. `tpuctl help filters` explains the language.",
     .value = "EXPRESSION"},
    {.name = "sort-by",
     .help = "Order by these fields, separated by commas. A field with ~ in front is sorted from high to low.",
     .value = "[~]FIELD,..."},
    {.name = "limit",
     .help = "Print at most this many resources, counted after --filter and --sort-by.",
     .kind = Kind::integer,
     .value = "NUMBER",
     .choices = "unlimited",
     .least = 1},
    {.name = "page-size",
     .help = "Ask the service for this many resources at a time.",
     .kind = Kind::integer,
     .value = "NUMBER",
     .choices = "unlimited",
     .least = 1},
    {.name = "uri", .help = "Print the address of each resource instead of the default columns.", .kind = Kind::toggle},
};

}  // namespace tpuctl::cli
