// SPDX-License-Identifier: Apache-2.0
// The three streams and what is known about the terminal behind them. stdout is the product, stderr the
// conversation; each decides about colour and width for itself.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/environment.hpp"

namespace tpuctl::cli {

class Streams {
 public:
  virtual ~Streams() = default;
  /// Writes to stdout. A closed pipe is noted in `out_closed`, further output is dropped, and nothing is thrown. A full
  /// disk is: Error{failure}.
  virtual void out(std::string_view text) = 0;
  /// Writes to stderr; failures are ignored. Clears a progress line first if one is shown.
  virtual void err(std::string_view text) = 0;
  /// One line of stdin without its end; empty at end of input.
  virtual std::optional<std::string> read_line() = 0;
  virtual void flush() {}

  bool in_tty = false;
  bool out_tty = false;
  bool err_tty = false;
  int width = 80;        ///< columns of the terminal; 80 when unknown
  bool out_colour = false;
  bool err_colour = false;
  bool out_closed = false;

  /// The process's own descriptors; NO_COLOR, CLICOLOR(_FORCE), TERM, COLUMNS and TPUCTL_FORCE_TTY=WIDTH are obeyed.
  static Streams& of_process(const Environment& env);
};

/// Streams into strings, for tests and for capturing.
class StringStreams : public Streams {
 public:
  void out(std::string_view text) override { out_text += text; }
  void err(std::string_view text) override { err_text += text; }
  std::optional<std::string> read_line() override;
  std::string in_text;
  std::string out_text;
  std::string err_text;
};

}  // namespace tpuctl::cli
