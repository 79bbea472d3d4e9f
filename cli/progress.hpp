// SPDX-License-Identifier: Apache-2.0
// A wait, told on stderr. On a terminal one line that is written over, with the time that has passed; elsewhere a line
// at the start, one per change of state and one every five minutes, so that a CI system does not take the job for dead.
#pragma once

#include <string>
#include <string_view>

#include "base/time.hpp"
#include "cli/streams.hpp"

namespace tpuctl::cli {

class Progress {
 public:
  /// `title` is gcloud's line without its dots: "Waiting for operation [NAME] to complete".
  Progress(Streams& io, const Clock& clock, std::string_view title);
  /// Takes the line away when the wait was left by an exception.
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// To be called at every poll; `state` may be empty.
  void update(std::string_view state);
  /// Writes how it ended. Calls after the first do nothing.
  void done() { finish("done."); }
  void failed() { finish("failed."); }
  /// The wait ended, what is waited for goes on: "interrupted.", "gave up.".
  void left(std::string_view word) { finish(word); }

 private:
  void finish(std::string_view word);
  void draw();

  Streams& io_;
  const Clock& clock_;
  std::string title_;
  std::string state_;
  TimePoint start_;
  TimePoint told_;
  bool finished_ = false;
};

}  // namespace tpuctl::cli
