// SPDX-License-Identifier: Apache-2.0
#include "cli/progress.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.hpp"

namespace tpuctl::cli {

namespace {

constexpr auto kHeartbeat = std::chrono::minutes(5);

// Text from the service as a part of one line.
std::string one_line(std::string_view text) {
  std::string out = text::printable(text);
  std::replace_if(
      out.begin(), out.end(), [](char c) { return c == '\n' || c == '\t'; }, ' ');
  return out;
}

}  // namespace

Progress::Progress(Streams& io, const Clock& clock, std::string_view title)
    : io_(io), clock_(clock), title_(one_line(title)), start_(clock.now()), told_(start_) {
  if (io_.err_tty) {
    draw();
  } else {
    io_.say(title_ + "...\n");
  }
}

Progress::~Progress() {
  if (!finished_ && io_.err_tty) io_.status("");
}

void Progress::draw() {
  const std::string passed = human_duration(clock_.now() - start_);
  const std::string tail = state_.empty() ? fmt::format("... {}", passed) : fmt::format("... {} {}", state_, passed);
  // The title gives way first: the state and the time are what changes. One column stays free for the cursor.
  const int room = std::max(8, io_.width - 1 - display_width(tail));
  io_.status(elide(elide(title_, room) + tail, io_.width - 1));
}

void Progress::update(std::string_view state) {
  if (finished_) return;
  const std::string now = one_line(state);
  const bool changed = now != state_ && !now.empty();
  if (!now.empty()) state_ = now;
  if (io_.err_tty) return draw();
  const bool silent_long = clock_.now() - told_ >= kHeartbeat;
  if (!changed && !silent_long) return;
  told_ = clock_.now();
  const std::string passed = human_duration(told_ - start_);
  io_.say(state_.empty() ? fmt::format("Still waiting after {}.\n", passed)
                         : fmt::format("{} after {}.\n", state_, passed));
}

void Progress::finish(std::string_view word) {
  if (finished_) return;
  finished_ = true;
  io_.say(io_.err_tty ? fmt::format("{}...{}\n", title_, word) : fmt::format("...{}\n", word));
}

}  // namespace tpuctl::cli
