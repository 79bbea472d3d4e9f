// SPDX-License-Identifier: Apache-2.0
#include "cli/prompt.hpp"

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/text.hpp"

namespace tpuctl::cli {

bool confirm(Streams& io, const Config& config, std::string_view message, std::string_view question) {
  if (config.on("core/disable_prompts")) return true;
  std::string text = message.empty() ? "" : text::printable(message) + "\n\n";
  io.err(fmt::format("{}{} (Y/n)?  ", text, question));
  for (;;) {
    const auto line = io.read_line();
    if (!line) {
      io.err("\n");
      throw Error(tpuctl::Kind::failure, "The question was not answered: there is no more input.",
                  "Add --quiet to go on without being asked.");
    }
    const std::string answer = text::lower(text::trim(*line));
    const bool yes = answer.empty() || answer == "y" || answer == "yes";
    const bool no = answer == "n" || answer == "no";
    if (!io.in_tty && (yes || no)) io.err("\n");  // no terminal has echoed the answer's end of line
    if (yes) return true;
    if (no) return false;
    io.err("Please enter 'y' or 'n':  ");
  }
}

void require_confirmation(Streams& io, const Config& config, std::string_view message) {
  if (!confirm(io, config, message)) throw Error(tpuctl::Kind::failure, "Aborted by user.");
}

}  // namespace tpuctl::cli
