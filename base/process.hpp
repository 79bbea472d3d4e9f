// SPDX-License-Identifier: Apache-2.0
// Other programs: start one with pipes, feed and read it, end it with everything it started. POSIX only.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/time.hpp"

namespace tpuctl::process {

using Environment = std::vector<std::string>;  ///< "NAME=VALUE"

/// How one of the three streams of a child is set up.
enum class Stream { inherit, pipe, null };

struct Spec {
  std::vector<std::string> argv;  ///< argv[0] is looked up on PATH unless it has a '/'
  std::optional<Environment> env;  ///< the parent's when absent
  std::string directory;           ///< working folder; empty: the parent's
  Stream in = Stream::null;
  Stream out = Stream::inherit;
  Stream err = Stream::inherit;
  int in_fd = -1;   ///< if >= 0, takes the place of `in` (a connection, say); stays open in the parent
  int out_fd = -1;  ///< the same for `out` (a log file, say)
  int err_fd = -1;
  std::vector<int> pass_fds;  ///< further descriptors the child keeps, under the same numbers
  bool own_group = false;   ///< a process group of its own: a terminal's Ctrl-C does not reach it
  bool own_session = false; ///< a session of its own (daemon)
  std::size_t output_limit = 0;  ///< run() ends a program that writes more bytes than this; 0: as much as it likes
};

/// A running child. The parent's pipe ends are non-blocking and close-on-exec; -1 when the stream is no pipe.
/// Destroying a Child that still runs kills its group with SIGKILL and reaps it, unless released.
class Child {
 public:
  Child() = default;
  /// Throws Error{failure} when the program cannot be started; the message names it.
  explicit Child(const Spec& spec);
  ~Child();
  Child(Child&& other) noexcept;
  Child& operator=(Child&& other) noexcept;

  pid_t pid() const { return pid_; }
  bool running() const { return pid_ > 0 && !status_; }
  int in() const { return in_; }
  int out() const { return out_; }
  int err() const { return err_; }
  void close_in();
  void close_out();
  void close_err();

  /// Writes what fits without blocking; the number of bytes taken. A reader that is gone takes all (they are lost).
  std::size_t feed(std::string_view bytes);
  /// Reads what is there; false at end of file. `fd` is out() or err().
  static bool drain(int fd, std::string& into);

  /// Exit code, or 128+N after signal N; empty while it runs. Does not block.
  std::optional<int> poll_exit();
  int wait();  ///< as poll_exit, blocking
  void kill(int signal);  ///< to the group when it has one of its own, else to the process
  pid_t release();        ///< the child goes on without us; it is not reaped

 private:
  void reset() noexcept;
  pid_t pid_ = -1;
  bool group_ = false;
  int in_ = -1, out_ = -1, err_ = -1;
  std::optional<int> status_;
};

struct Result {
  int status = 0;  ///< exit code, or 128+N; 124 when `timed_out`
  std::string out;
  std::string err;
  bool timed_out = false;
  bool too_long = false;  ///< it wrote more than `output_limit` and was killed
};

/// Runs a program to its end with `input` on stdin, stdout and stderr captured, in a group of its own that is killed
/// after `limit` or at a signal (then the Error of signals::check is thrown).
Result run(Spec spec, std::string_view input = {}, Duration limit = std::chrono::minutes(1));

/// Absolute path of a program on `path` (the PATH variable's text), or empty.
std::string find_program(const std::string& name, std::string_view path);

/// Fills the descriptors 0 to 2 that are closed, so that no connection or file gets their numbers and what is meant for the
/// user. Reading from them and writing to them fails as before. To be called before anything is opened.
void fill_standard_descriptors();

/// Path of this executable (argv[0] resolved at start by main through remember_self).
void remember_self(const char* argv0);
const std::string& self();

}  // namespace tpuctl::process
