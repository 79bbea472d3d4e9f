// SPDX-License-Identifier: Apache-2.0
#include "cli/prompt.hpp"

#include <fmt/format.h>

#include <algorithm>

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

std::string ask(Streams& io, const Config& config, std::string_view question, std::string_view fallback, std::string_view instead) {
  if (config.on("core/disable_prompts")) return std::string(fallback);
  io.err(fmt::format("{}{}:  ", text::printable(std::string(question)), fallback.empty() ? "" : fmt::format(" [{}]", fallback)));
  const auto line = io.read_line();
  if (!line || !io.in_tty) io.err("\n");
  if (!line) {
    throw Error(tpuctl::Kind::failure, "The question was not answered: there is no more input.", fmt::format("Use {} and --quiet.", instead));
  }
  const std::string_view answer = text::trim(*line);
  return std::string(answer.empty() ? fallback : answer);
}

std::size_t choose(Streams& io, const Config& config, std::string_view question, const std::vector<std::string>& choices,
                   std::size_t fallback, std::string_view instead) {
  if (config.on("core/disable_prompts")) return fallback;
  io.err(fmt::format("{}\n", question));
  for (std::size_t i = 0; i < choices.size(); ++i) io.err(fmt::format(" [{}] {}\n", i + 1, text::printable(choices[i])));
  for (;;) {
    const std::string answer = ask(io, config, "Number or name", std::to_string(fallback + 1), instead);
    if (const auto number = text::parse_int(answer); number && *number >= 1 && *number <= static_cast<std::int64_t>(choices.size())) {
      return static_cast<std::size_t>(*number - 1);
    }
    const auto named = std::find(choices.begin(), choices.end(), answer);
    if (named != choices.end()) return static_cast<std::size_t>(named - choices.begin());
    io.err(fmt::format("[{}] is none of them.\n", text::printable(answer)));
  }
}

}  // namespace tpuctl::cli
