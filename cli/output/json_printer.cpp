// SPDX-License-Identifier: Apache-2.0
// json: members sorted, two blanks of indent, written without going through a text of the whole resource first.
#include <algorithm>
#include <array>

#include "cli/output/printer.hpp"

namespace tpuctl::cli::output {

namespace {

/// How many bytes at the start of `text` JSON may hold as they are. Control characters of Unicode's second block (C2 80
/// to C2 9F) and DEL could be, but a terminal would obey them.
std::size_t plain_bytes(std::string_view text) {
  std::size_t i = 0;
  for (; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    if (c < 0x20 || c == '"' || c == '\\' || c == 0x7F) break;
    if (c == 0xC2 && i + 1 < text.size() && static_cast<unsigned char>(text[i + 1]) < 0xA0) break;
  }
  return i;
}

class Writer {
 public:
  /// `indent` blanks stand before every line but the first.
  Writer(std::string& out, std::size_t indent) : out_(out), indent_(indent) {}

  void value(const Json& value) {
    if (value.is_object()) {
      object(value.members());
    } else if (value.is_array()) {
      array(value.items());
    } else if (value.is_string()) {
      text(value.text());
    } else {
      out_ += value.is_null()   ? "null"
              : value.is_bool() ? (value.boolean() ? "true" : "false")
                                : std::string_view(value.text());
    }
  }

 private:
  void array(const Json::Array& items) {
    if (items.empty()) {
      out_ += "[]";
      return;
    }
    out_ += '[';
    indent_ += kIndent;
    bool first = true;
    for (const Json& item : items) {
      line(first);
      value(item);
    }
    close(']');
  }

  void object(const Json::Object& members) {
    if (members.empty()) {
      out_ += "{}";
      return;
    }
    out_ += '{';
    indent_ += kIndent;
    constexpr std::size_t kFew = 32;
    std::array<const Json::Member*, kFew> few{};
    std::vector<const Json::Member*> many;
    const Json::Member** order = few.data();
    if (members.size() > kFew) {
      many.resize(members.size());
      order = many.data();
    }
    for (std::size_t i = 0; i < members.size(); ++i) order[i] = &members[i];
    std::sort(order, order + members.size(), [](const auto* a, const auto* b) { return a->name < b->name; });
    bool first = true;
    for (std::size_t i = 0; i < members.size(); ++i) {
      line(first);
      text(order[i]->name);
      out_ += ": ";
      value(order[i]->value);
    }
    close('}');
  }

  void line(bool& first) {
    out_ += first ? "\n" : ",\n";
    first = false;
    out_.append(indent_, ' ');
  }

  void close(char bracket) {
    indent_ -= kIndent;
    out_ += '\n';
    out_.append(indent_, ' ');
    out_ += bracket;
  }

  void text(std::string_view rest) {
    out_ += '"';
    for (;;) {
      const std::size_t plain = plain_bytes(rest);
      out_ += rest.substr(0, plain);
      if (plain == rest.size()) break;
      rest.remove_prefix(plain);
      rest.remove_prefix(escape(rest));
    }
    out_ += '"';
  }

  // Writes the first character escaped; the number of its bytes.
  std::size_t escape(std::string_view rest) {
    constexpr std::string_view kPlain = "\"\\\n\r\t\b\f", kLetters = "\"\\nrtbf", kHex = "0123456789abcdef";
    const auto short_form = kPlain.find(rest[0]);
    if (short_form != std::string_view::npos) {
      out_ += '\\';
      out_ += kLetters[short_form];
      return 1;
    }
    const bool second_block = static_cast<unsigned char>(rest[0]) == 0xC2;
    const auto code = static_cast<unsigned char>(rest[second_block ? 1 : 0]);
    out_ += "\\u00";
    out_ += kHex[code >> 4];
    out_ += kHex[code & 15];
    return second_block ? 2 : 1;
  }

  static constexpr std::size_t kIndent = 2;
  std::string& out_;
  std::size_t indent_;
};

class JsonPrinter : public Printer {
 public:
  explicit JsonPrinter(Setting setting) : set_(std::move(setting)), nulls_(!set_.projection.has("no-undefined")) {}

  void add(const Json& resource, bool of_list) override {
    printed_ = true;
    Json made;
    const Json& record = set_.projection.shape(resource, nulls_, made);
    text_.clear();
    if (of_list) {
      text_ = open_ ? ",\n  " : "[\n  ";
      open_ = true;
      Writer(text_, 2).value(record);
    } else {
      close();
      Writer(text_, 0).value(record);
      text_ += '\n';
    }
    set_.sink->write(text_);
  }

  void finish() override {
    if (!printed_) set_.sink->write("[]\n");
    close();
  }

 private:
  void close() {
    if (open_) set_.sink->write("\n]\n");
    open_ = false;
  }

  Setting set_;
  bool nulls_;
  bool open_ = false;  ///< inside a list
  std::string text_;
};

}  // namespace

std::unique_ptr<Printer> make_json(Setting setting) { return std::make_unique<JsonPrinter>(std::move(setting)); }

}  // namespace tpuctl::cli::output
