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
  /// What the command has to say of its work, on stderr, unless the user has switched that off: errors, warnings and
  /// questions are not among it.
  void say(std::string_view text) {
    if (talks) err(text);
  }
  /// Shows `line` (no control characters, at most `width` columns) as the one line on stderr that is written over and
  /// over; empty takes it away. Only for a terminal; nothing when
  /// not `talks`.
  virtual void status(std::string_view line) = 0;
  /// One line of stdin without its end; nothing at end of input. Reads no byte beyond the line.
  virtual std::optional<std::string> read_line() = 0;
  /// The descriptor of stdin, for who hands it on whole; -1 when there is none.
  virtual int input() const { return -1; }
  virtual void flush() {}

  bool in_tty = false;
  bool out_tty = false;
  bool err_tty = false;  ///< stderr is a terminal on which a line can be written over: not with TERM=dumb
  int width = 80;  ///< columns of the terminal; 80 when unknown
  bool out_colour = false;
  bool err_colour = false;
  bool out_closed = false;
  bool talks = true;  ///< core/user_output_enabled
  bool utf8 = false;  ///< the locale's encoding: lines and ellipses may be drawn

  /// The process's own descriptors, made once; NO_COLOR, CLICOLOR(_FORCE), TERM, COLUMNS and TPUCTL_FORCE_TTY=WIDTH are
  /// obeyed. stdout is buffered: flush() before another program writes to it, and before exit.
  static Streams& of_process(const Environment& env);
  /// Decides about colour again for --color=auto|always|never.
  void choose_colour(const Environment& env, std::string_view when);
};

/// Columns that UTF-8 text takes on a terminal (East Asian wide characters take two, combining ones none).
int display_width(std::string_view text);
/// `text` cut to `width` columns, with ".." (or "…" in a UTF-8 locale: the caller's choice of `mark`) where it was cut.
std::string elide(std::string_view text, int width, std::string_view mark = "..");

/// Streams into strings, for tests and for capturing.
class StringStreams : public Streams {
 public:
  void out(std::string_view text) override { out_text += text; }
  void err(std::string_view text) override;
  void status(std::string_view line) override;
  std::optional<std::string> read_line() override;
  std::string in_text;
  std::string out_text;
  std::string err_text;

 private:
  bool status_shown_ = false;
};

}  // namespace tpuctl::cli
