// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <array>

#include "base/text.hpp"
#include "commands/storage.hpp"

namespace tpuctl::commands {

std::string human_bytes(std::int64_t bytes) {
  constexpr std::array kUnits = {"B", "kiB", "MiB", "GiB", "TiB", "PiB"};
  double value = static_cast<double>(bytes);
  std::size_t unit = 0;
  while (value >= 1024 && unit + 1 < kUnits.size()) {
    value /= 1024;
    ++unit;
  }
  return fmt::format("{:.2f}{}", value, kUnits[unit]);
}

TransferFace::TransferFace(cli::Streams& io, const Clock& clock, std::size_t files, std::int64_t bytes)
    : io_(io), clock_(clock), files_(files), bytes_(bytes), start_(clock.now()), drawn_(start_) {}

TransferFace::~TransferFace() {
  if (io_.err_tty) io_.status("");
}

void TransferFace::begin_file(const std::string& line) {
  of_file_ = 0;
  io_.say(text::printable(line) + "\n");
  draw(true);
}

void TransferFace::moved(std::int64_t of_file) {
  of_file_ = of_file;
  draw(false);
}

void TransferFace::end_file(std::int64_t size) {
  of_file_ = 0;
  ++files_done_;
  bytes_done_ += size;
  draw(true);
}

void TransferFace::draw(bool always) {
  constexpr auto kPause = std::chrono::milliseconds(100);
  const TimePoint now = clock_.now();
  if (!io_.err_tty || (!always && now - drawn_ < kPause)) return;
  drawn_ = now;
  const std::int64_t bytes = bytes_done_ + of_file_;
  const double passed = to_seconds(now - start_);
  std::string line = fmt::format("{}/{} files, {}", files_done_, files_, human_bytes(bytes));
  if (bytes_ >= 0) line += " of " + human_bytes(bytes_);
  if (passed >= 1) line += fmt::format(", {}/s", human_bytes(static_cast<std::int64_t>(static_cast<double>(bytes) / passed)));
  io_.status(cli::elide(line, io_.width - 1));
}

}  // namespace tpuctl::commands
