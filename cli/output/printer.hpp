// SPDX-License-Identifier: Apache-2.0
// What turns resources into text. A format is a row: its name and the function that makes its printer.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.hpp"
#include "cli/output/projection.hpp"
#include "cli/streams.hpp"

namespace tpuctl::cli::output {

/// Where a printer writes: standard output, or a text for a format inside another one.
class Sink {
 public:
  virtual ~Sink() = default;
  /// On a terminal control characters other than newline and tab are made visible.
  virtual void write(std::string_view text) = 0;
  /// As write, but control sequences of our own (colours) stay.
  virtual void write_raw(std::string_view text) = 0;
};

class StreamSink : public Sink {
 public:
  explicit StreamSink(Streams& io) : io_(io) {}
  void write(std::string_view text) override;
  void write_raw(std::string_view text) override { io_.out(text); }

 private:
  Streams& io_;
};

class TextSink : public Sink {
 public:
  void write(std::string_view more) override { text += more; }
  void write_raw(std::string_view more) override { text += more; }
  std::string text;
};

/// What a printer needs to know about the screen.
struct Screen {
  int width = 80;
  bool utf8 = false;
  bool colour = false;
  bool reader = false;  ///< a screen reader: no tables
};

struct Setting {
  std::shared_ptr<Sink> sink;
  Screen screen;
  Projection projection;
};

class Printer {
 public:
  virtual ~Printer() = default;
  /// Prints one resource, at once where the format allows. `of_list`: it is one of a list.
  virtual void add(const Json& resource, bool of_list) = 0;
  /// Prints what was held back and what closes a list. The printer may be used again.
  virtual void finish() {}
  /// Whether anything was added, and shown.
  virtual bool printed() const { return printed_; }
  /// Prints a value of a field: a list's items one by one, anything else as it is, and nothing for what is empty.
  void print(const Json& value, bool goes_on = false);

 protected:
  bool printed_ = false;
};

/// The names of the formats.
const std::vector<std::string>& format_names();
/// Throws Error{usage} for an unknown format, and when it needs columns and has none. Null without a format.
std::unique_ptr<Printer> make_printer(Setting setting);
/// For a format inside another one. Throws Error{usage}.
std::unique_ptr<Printer> make_printer(std::string_view format, std::shared_ptr<Sink> sink, const Screen& screen);

using MakePrinter = std::unique_ptr<Printer> (*)(Setting);
std::unique_ptr<Printer> make_config(Setting setting);
std::unique_ptr<Printer> make_flat(Setting setting);
std::unique_ptr<Printer> make_json(Setting setting);
std::unique_ptr<Printer> make_list(Setting setting);
std::unique_ptr<Printer> make_multi(Setting setting);
std::unique_ptr<Printer> make_separated(Setting setting);
std::unique_ptr<Printer> make_table(Setting setting);
std::unique_ptr<Printer> make_yaml(Setting setting);

}  // namespace tpuctl::cli::output
