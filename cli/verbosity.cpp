// SPDX-License-Identifier: Apache-2.0
#include "cli/verbosity.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "base/secrets.hpp"
#include "base/text.hpp"
#include "cli/run.hpp"

namespace tpuctl::cli {

namespace {
constexpr std::array<std::string_view, 6> kWords = {"debug", "info", "warning", "error", "critical", "none"};
}

Verbosity verbosity(const Config& config) {
  const auto word = std::find(kWords.begin(), kWords.end(), config.get_or("core/verbosity", "warning"));
  return word == kWords.end() ? Verbosity::warning : static_cast<Verbosity>(word - kWords.begin());
}

void tell(Streams& io, const Config& config, Verbosity level, std::string_view message) {
  if (level < verbosity(config)) return;
  const std::string text = secrets::redact(message);
  if (level == Verbosity::warning) {
    io.err(warning_text(text, io.err_colour));
  } else {
    io.err(text::upper(std::string(kWords[static_cast<std::size_t>(level)])) + ": " + text::printable(text) + "\n");
  }
}

}  // namespace tpuctl::cli
