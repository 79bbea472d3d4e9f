// SPDX-License-Identifier: Apache-2.0
#include "cli/streams.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "base/error.hpp"
#include "base/signal.hpp"
#include "base/text.hpp"

namespace tpuctl::cli {

namespace {

constexpr std::string_view kClearLine = "\r\x1b[K";

bool set(const Environment& env, const char* name) { return env.get_nonempty(name).has_value(); }

bool forced(const Environment& env) {
  for (const char* name : {"CLICOLOR_FORCE", "FORCE_COLOR"}) {
    const auto value = env.get_nonempty(name);
    if (value && *value != "0") return true;
  }
  return false;
}

bool wants_colour(const Environment& env, std::string_view when, bool tty) {
  if (when == "always") return true;
  if (when == "never" || set(env, "NO_COLOR")) return false;
  if (forced(env)) return true;
  if (env.get("CLICOLOR") == "0") return false;
  return tty && env.get("TERM").value_or("") != "dumb";
}

int columns(const Environment& env) {
  const auto named = text::parse_int(env.get("COLUMNS").value_or(""));
  if (named && *named > 0 && *named < 10000) return static_cast<int>(*named);
  for (const int fd : {STDERR_FILENO, STDOUT_FILENO, STDIN_FILENO}) {
    winsize size = {};
    if (ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  }
  return 80;
}

bool utf8_locale(const Environment& env) {
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    const auto value = env.get_nonempty(name);
    if (!value) continue;
    const std::string lower = text::lower(*value);
    return lower.find("utf-8") != std::string::npos || lower.find("utf8") != std::string::npos;
  }
  return false;
}

/// Descriptors 0, 1 and 2.
class ProcessStreams : public Streams {
 public:
  explicit ProcessStreams(const Environment& env) {
    in_tty = isatty(STDIN_FILENO) == 1;
    out_tty = isatty(STDOUT_FILENO) == 1;
    err_tty = isatty(STDERR_FILENO) == 1 && env.get("TERM") != "dumb";
    width = columns(env);
    utf8 = utf8_locale(env);
    if (const auto forced_width = text::parse_int(env.get("TPUCTL_FORCE_TTY").value_or(""))) {
      out_tty = err_tty = true;
      if (*forced_width > 0 && *forced_width < 10000) width = static_cast<int>(*forced_width);
    }
    choose_colour(env, "auto");
  }

  void out(std::string_view text) override {
    if (out_closed) return;
    buffer_ += text;
    constexpr std::size_t kFull = 1 << 16;
    if (buffer_.size() >= kFull || (out_tty && text.find('\n') != std::string_view::npos)) flush();
  }

  void err(std::string_view text) override {
    flush();
    hide_status();
    write_err(text);
  }

  void status(std::string_view line) override {
    if (line.empty()) return hide_status();
    if (!talks) return;
    flush();
    write_err(fmt::format("\r{}\x1b[K", line));
    status_shown_ = true;
  }

  std::optional<std::string> read_line() override {
    flush();
    std::string line;
    char byte = 0;
    for (;;) {
      const ssize_t n = ::read(STDIN_FILENO, &byte, 1);
      if (n < 0 && errno == EINTR) {
        signals::check();
        continue;
      }
      if (n <= 0) {
        if (line.empty()) return std::nullopt;
        return line;
      }
      if (byte == '\n') return line;
      line += byte;
    }
  }

  int input() const override { return STDIN_FILENO; }

  void flush() override {
    if (buffer_.empty() || out_closed) return;
    if (out_tty) hide_status();
    std::string text = std::move(buffer_);
    buffer_.clear();
    std::string_view left = text;
    while (!left.empty()) {
      const ssize_t n = ::write(STDOUT_FILENO, left.data(), left.size());
      if (n >= 0) {
        left.remove_prefix(static_cast<std::size_t>(n));
      } else if (errno == EPIPE) {
        out_closed = true;
        return;
      } else if (errno == EINTR) {
        signals::check();
      } else if (errno == EAGAIN) {
        pollfd waiting{STDOUT_FILENO, POLLOUT, 0};
        ::poll(&waiting, 1, 1000);
        signals::check();
      } else {
        throw Error(tpuctl::Kind::failure, fmt::format("Cannot write to standard output: {}.", std::strerror(errno)));
      }
    }
  }

 private:
  void hide_status() {
    if (!status_shown_) return;
    status_shown_ = false;
    write_err(kClearLine);
  }

  static void write_err(std::string_view text) {
    while (!text.empty()) {
      const ssize_t n = ::write(STDERR_FILENO, text.data(), text.size());
      if (n < 0 && errno == EINTR) continue;
      if (n < 0 && errno == EAGAIN) {
        pollfd waiting{STDERR_FILENO, POLLOUT, 0};
        if (::poll(&waiting, 1, 1000) > 0) continue;
      }
      if (n <= 0) return;
      text.remove_prefix(static_cast<std::size_t>(n));
    }
  }

  std::string buffer_;
  bool status_shown_ = false;
};

// The code point at `at`, which is moved behind it; a broken byte is a code point of its own.
char32_t next_code_point(std::string_view text, std::size_t& at) {
  const auto first = static_cast<unsigned char>(text[at++]);
  const int more = first >= 0xF0 ? 3 : first >= 0xE0 ? 2 : first >= 0xC0 ? 1 : 0;
  char32_t value = more == 0 ? first : first & (0x3Fu >> more);
  for (int i = 0; i < more && at < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[at]);
    if ((byte & 0xC0u) != 0x80u) break;
    value = (value << 6) | (byte & 0x3Fu);
    ++at;
  }
  return value;
}

int width_of(char32_t c) {
  if ((c >= 0x0300 && c <= 0x036F) || (c >= 0x200B && c <= 0x200F) || (c >= 0xFE00 && c <= 0xFE0F)) return 0;
  const bool wide = (c >= 0x1100 && c <= 0x115F) || (c >= 0x2E80 && c <= 0xA4CF) || (c >= 0xAC00 && c <= 0xD7A3) ||
                    (c >= 0xF900 && c <= 0xFAFF) || (c >= 0xFE30 && c <= 0xFE6F) || (c >= 0xFF00 && c <= 0xFF60) ||
                    (c >= 0xFFE0 && c <= 0xFFE6) || (c >= 0x1F300 && c <= 0x1FAFF) || (c >= 0x20000 && c <= 0x3FFFD);
  return wide ? 2 : 1;
}

}  // namespace

Streams& Streams::of_process(const Environment& env) {
  static ProcessStreams streams(env);
  return streams;
}

void Streams::choose_colour(const Environment& env, std::string_view when) {
  out_colour = wants_colour(env, when, out_tty);
  err_colour = wants_colour(env, when, err_tty);
}

void StringStreams::err(std::string_view text) {
  if (status_shown_) err_text += kClearLine;
  status_shown_ = false;
  err_text += text;
}

void StringStreams::status(std::string_view line) {
  if (line.empty() ? !status_shown_ : !talks) return;
  err_text += line.empty() ? std::string(kClearLine) : fmt::format("\r{}\x1b[K", line);
  status_shown_ = !line.empty();
}

std::optional<std::string> StringStreams::read_line() {
  if (in_text.empty()) return std::nullopt;
  const auto end = in_text.find('\n');
  std::string line = in_text.substr(0, end);
  in_text.erase(0, end == std::string::npos ? end : end + 1);
  return line;
}

int display_width(std::string_view text) {
  int width = 0;
  for (std::size_t at = 0; at < text.size();) width += width_of(next_code_point(text, at));
  return width;
}

std::string elide(std::string_view text, int width, std::string_view mark) {
  if (display_width(text) <= width) return std::string(text);
  const int room = width - display_width(mark);
  int used = 0;
  std::size_t at = 0;
  while (at < text.size()) {
    std::size_t next = at;
    const int more = width_of(next_code_point(text, next));
    if (used + more > room) break;
    used += more;
    at = next;
  }
  return std::string(text.substr(0, at)) + std::string(mark);
}

}  // namespace tpuctl::cli
