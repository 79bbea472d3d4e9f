// SPDX-License-Identifier: Apache-2.0
// Help from the rows. Pure functions: the same text for --help, -h, `help ...` and the man pages.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/args.hpp"
#include "cli/command.hpp"
#include "cli/frame.hpp"

namespace tpuctl::cli {

struct Page {
  int width = 80;  ///< no line is longer, between 40 and 100
  bool colour = false;
  bool brief = false;  ///< -h: a line per flag
};

/// Help of `command`, which stands at `args.path` below `root`.
std::string help_text(const Command& root, const Command& command, const Args& args, std::span<const Flag> globals,
                      Page page);

/// "tpuctl tpu-vm create TPU --version=VERSION [--zone=ZONE] ...": gcloud's notation, one line.
std::string usage_line(const Command& command, const std::string& typed);

/// A page of `tpuctl help TOPIC`.
struct Topic {
  std::string_view name;
  std::string_view help;  ///< one line
  std::string_view text;  ///< paragraphs, separated by empty lines; lines that start with two blanks stay as they are
};
std::span<const Topic> topics();
std::string topic_text(const Topic& topic, Page page);

/// `tpuctl help [WORDS]`: a topic, or the help of a command. Throws Error{usage} for what is neither.
void print_help(Frame& frame, const std::vector<std::string>& words);

}  // namespace tpuctl::cli
