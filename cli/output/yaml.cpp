// SPDX-License-Identifier: Apache-2.0
// The one file that sees libyaml: its emitter does the layout; which strings need quotes is decided here, by the core
// types of YAML 1.2 as ruamel.yaml (gcloud's printer) reads them.
#include "cli/output/yaml.hpp"

#include "cli/output/display.hpp"

#include <yaml.h>

#include <algorithm>
#include <stdexcept>
#include <string_view>
#include <vector>

namespace tpuctl::cli::output {

namespace {

bool digit(char c) { return c >= '0' && c <= '9'; }
bool digit_(char c) { return digit(c) || c == '_'; }

template <class Test>
std::size_t run(std::string_view text, std::size_t at, Test test) {
  while (at < text.size() && test(text[at])) ++at;
  return at;
}

template <class Test>
bool all(std::string_view text, Test test) {
  return !text.empty() && run(text, 0, test) == text.size();
}

std::string_view unsigned_part(std::string_view text) {
  if (!text.empty() && (text[0] == '-' || text[0] == '+')) text.remove_prefix(1);
  return text;
}

bool like_int(std::string_view text) {
  const std::string_view body = unsigned_part(text);
  if (text.starts_with('_')) return false;
  if (all(body, digit_)) return true;
  if (body.size() < 3 || body[0] != '0') return false;
  const std::string_view rest = body.substr(2);
  switch (body[1]) {
    case 'b':
      return all(rest, [](char c) { return c == '0' || c == '1' || c == '_'; });
    case 'o':
      return all(rest, [](char c) { return (c >= '0' && c <= '7') || c == '_'; });
    case 'x':
      return all(rest, [](char c) { return digit_(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); });
    default:
      return false;
  }
}

// [eE][-+]?digits up to the end; the sign is required after ".5" in ruamel's pattern.
bool exponent(std::string_view text, bool sign_required) {
  if (text.size() < 2 || (text[0] != 'e' && text[0] != 'E')) return false;
  text.remove_prefix(1);
  const bool sign = text[0] == '-' || text[0] == '+';
  if (sign) text.remove_prefix(1);
  return (sign || !sign_required) && all(text, digit);
}

bool like_float(std::string_view text) {
  const std::string_view body = unsigned_part(text);
  if (body == ".inf" || body == ".Inf" || body == ".INF") return true;
  if (text == ".nan" || text == ".NaN" || text == ".NAN") return true;
  if (body.empty()) return false;
  if (body[0] == '.') {
    const std::size_t end = run(body, 1, digit_);
    return end > 1 && (end == body.size() || exponent(body.substr(end), true));
  }
  if (!digit(body[0])) return false;
  std::size_t end = run(body, 0, digit_);
  if (end < body.size() && body[end] == '.') {
    end = run(body, end + 1, digit_);
    return end == body.size() || exponent(body.substr(end), false);
  }
  return exponent(body.substr(end), false);
}

bool like_timestamp(std::string_view text) {
  auto number = [&](std::size_t& at, std::size_t least, std::size_t most) {
    const std::size_t end = run(text.substr(0, std::min(text.size(), at + most)), at, digit);
    const bool enough = end - at >= least;
    at = end;
    return enough;
  };
  auto is = [&](std::size_t& at, std::string_view any) {
    if (at >= text.size() || any.find(text[at]) == std::string_view::npos) return false;
    ++at;
    return true;
  };
  std::size_t at = 0;
  if (!number(at, 4, 4) || !is(at, "-") || !number(at, 1, 2) || !is(at, "-") || !number(at, 1, 2)) return false;
  if (at == text.size()) return text.size() == 10;
  if (!is(at, "Tt \t")) return false;
  at = run(text, at, [](char c) { return c == ' ' || c == '\t'; });
  if (!number(at, 1, 2) || !is(at, ":") || !number(at, 2, 2) || !is(at, ":") || !number(at, 2, 2)) return false;
  if (is(at, ".")) at = run(text, at, digit);
  at = run(text, at, [](char c) { return c == ' ' || c == '\t'; });
  if (at == text.size() || (is(at, "Z") && at == text.size())) return true;
  if (!is(at, "-+") || !number(at, 1, 2)) return false;
  return at == text.size() || (is(at, ":") && number(at, 2, 2) && at == text.size());
}

bool reads_as_other_type(std::string_view text) {
  constexpr std::string_view kWords[] = {"",      "~",     "null",  "Null", "NULL", "true", "True", "TRUE",
                                         "false", "False", "FALSE", "<<",   "=",    "!",    "&",    "*"};
  if (std::find(std::begin(kWords), std::end(kWords), text) != std::end(kWords)) return true;
  return like_int(text) || like_float(text) || like_timestamp(text);
}

bool scalar_value(const Json& value) { return !value.is_array() && !value.is_object(); }

// Control characters other than tab and newline: such a text is written in double quotes, everything escaped.
bool has_controls(std::string_view text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    const auto next = i + 1 < text.size() ? static_cast<unsigned char>(text[i + 1]) : 0;
    if ((c < 0x20 && c != '\t' && c != '\n') || c == 0x7F || (c == 0xC2 && next < 0xA0)) return true;
    if (c == 0xEF && next == 0xBB) return true;  // a byte order mark
    if (c == 0xE2 && next == 0x80 && i + 2 < text.size() && (text[i + 2] == '\xA8' || text[i + 2] == '\xA9'))
      return true;
  }
  return false;
}

/// libyaml refuses literal blocks with tabs or with blanks at the end of a line, and escapes what lies beyond U+FFFF.
/// Stand-ins from the private use area carry these characters through it.
class StandIns {
 public:
  // A text that is written as a literal block.
  std::string hide_all(std::string_view text) {
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
      if (text[i] == '\t' || (text[i] == ' ' && i != 0)) {  // the first blank makes libyaml write "|2"
        out += stand_in(text.substr(i, 1));
      } else {
        out += text[i];
      }
    }
    return hide(out);
  }

  std::string hide(std::string_view text) {
    std::string out;
    for (std::size_t i = 0; i < text.size();) {
      const bool far = static_cast<unsigned char>(text[i]) >= 0xF0;
      const std::size_t length = far ? std::min<std::size_t>(4, text.size() - i) : 1;
      out += far ? stand_in(text.substr(i, length)) : std::string(text.substr(i, length));
      i += length;
    }
    return out;
  }

  std::string show(std::string text) const {
    if (hidden_.empty()) return text;
    std::string out;
    for (std::size_t i = 0; i < text.size();) {
      const std::size_t index = index_of(std::string_view(text).substr(i, 3));
      if (index < hidden_.size()) {
        out += hidden_[index];
        i += 3;
      } else {
        out += text[i++];
      }
    }
    return out;
  }

  /// False when `text` itself uses the area: then nothing may be hidden.
  static bool fits(std::string_view text) {
    for (std::size_t i = 0; i + 2 < text.size(); ++i) {
      if (index_of(text.substr(i, 3)) < kMost) return false;
    }
    return true;
  }

 private:
  static constexpr std::size_t kMost = 64 * 64;  ///< U+E000 and after: EE 80 80 ...

  static std::size_t index_of(std::string_view bytes) {
    if (bytes.size() < 3 || bytes[0] != '\xEE') return kMost;
    const auto second = static_cast<unsigned char>(bytes[1]), third = static_cast<unsigned char>(bytes[2]);
    return static_cast<std::size_t>(second & 0x3Fu) * 64 + (third & 0x3Fu);
  }

  std::string stand_in(std::string_view original) {
    const auto found = std::find(hidden_.begin(), hidden_.end(), original);
    const auto index = static_cast<std::size_t>(found - hidden_.begin());
    if (index >= kMost) return std::string(original);
    if (found == hidden_.end()) hidden_.emplace_back(original);
    return {'\xEE', static_cast<char>(0x80 | (index / 64)), static_cast<char>(0x80 | (index % 64))};
  }

  std::vector<std::string> hidden_;
};

class Emitter {
 public:
  Emitter() {
    if (yaml_emitter_initialize(&emitter_) == 0) throw std::bad_alloc();
    yaml_emitter_set_output(&emitter_, append, &out_);
    yaml_emitter_set_unicode(&emitter_, 1);
    yaml_emitter_set_width(&emitter_, kWidth);
    yaml_emitter_set_indent(&emitter_, 2);
  }
  ~Emitter() { yaml_emitter_delete(&emitter_); }
  Emitter(const Emitter&) = delete;
  Emitter& operator=(const Emitter&) = delete;

  std::string run(const Json& value, bool start, const std::string& null_text) {
    null_ = null_text;
    yaml_event_t event;
    emit(yaml_stream_start_event_initialize(&event, YAML_UTF8_ENCODING), event);
    emit(yaml_document_start_event_initialize(&event, nullptr, nullptr, nullptr, start ? 0 : 1), event);
    node(value);
    emit(yaml_document_end_event_initialize(&event, 1), event);
    emit(yaml_stream_end_event_initialize(&event), event);
    return stand_ins_.show(std::move(out_));
  }

 private:
  static constexpr int kWidth = 80;  // gcloud folds long plain and quoted texts here

  static int append(void* data, unsigned char* bytes, std::size_t size) {
    for (std::size_t i = 0; i < size; ++i) static_cast<std::string*>(data)->push_back(static_cast<char>(bytes[i]));
    return 1;
  }

  void emit(int made, yaml_event_t& event) {
    if (made == 0 || yaml_emitter_emit(&emitter_, &event) == 0) {
      throw std::runtime_error(std::string("YAML cannot be written: ") +
                               (emitter_.problem ? emitter_.problem : "no memory"));
    }
  }

  void scalar(std::string_view text, bool plain, yaml_scalar_style_t style) {
    yaml_event_t event;
    // libyaml takes unsigned bytes and copies them.
    const std::vector<yaml_char_t> bytes(text.begin(), text.end());
    static const yaml_char_t kNothing = 0;
    emit(yaml_scalar_event_initialize(&event, nullptr, nullptr, bytes.empty() ? &kNothing : bytes.data(),
                                      static_cast<int>(bytes.size()), plain ? 1 : 0, 1, style),
         event);
  }

  // Whether libyaml would put quotes around the text: a trial on the side tells.
  static bool must_be_quoted(const std::string& text) {
    if (reads_as_other_type(text)) return true;
    Emitter trial;
    yaml_event_t event;
    trial.emit(yaml_stream_start_event_initialize(&event, YAML_UTF8_ENCODING), event);
    trial.emit(yaml_document_start_event_initialize(&event, nullptr, nullptr, nullptr, 1), event);
    trial.scalar(text, true, YAML_ANY_SCALAR_STYLE);
    trial.emit(yaml_document_end_event_initialize(&event, 1), event);
    trial.emit(yaml_stream_end_event_initialize(&event), event);
    return trial.out_.starts_with('\'') || trial.out_.starts_with('"');
  }

  void string(const std::string& original, bool key) {
    const bool may_hide = StandIns::fits(original);
    const bool lines = original.find('\n') != std::string::npos;
    if (lines && !key && !has_controls(original)) {
      return scalar(may_hide ? stand_ins_.hide_all(original) : original, false, YAML_LITERAL_SCALAR_STYLE);
    }
    const std::string text = may_hide ? stand_ins_.hide(original) : original;
    // Quotes are single ones, but double ones around a text with a single quote in it.
    const bool single = text.find('\'') != std::string::npos;
    const auto style =
        (single && must_be_quoted(text)) || lines ? YAML_DOUBLE_QUOTED_SCALAR_STYLE : YAML_ANY_SCALAR_STYLE;
    scalar(text, !reads_as_other_type(text), style);
  }

  void node(const Json& value) {
    yaml_event_t event;
    if (value.is_array()) {
      const auto style = value.size() == 0 ? YAML_FLOW_SEQUENCE_STYLE : YAML_BLOCK_SEQUENCE_STYLE;
      emit(yaml_sequence_start_event_initialize(&event, nullptr, nullptr, 1, style), event);
      for (const Json& item : value.items()) node(item);
      emit(yaml_sequence_end_event_initialize(&event), event);
    } else if (value.is_object()) {
      const auto style = value.size() == 0 ? YAML_FLOW_MAPPING_STYLE : YAML_BLOCK_MAPPING_STYLE;
      emit(yaml_mapping_start_event_initialize(&event, nullptr, nullptr, 1, style), event);
      std::vector<const Json::Member*> order;
      for (const Json::Member& member : value.members()) order.push_back(&member);
      std::stable_sort(order.begin(), order.end(), [](const auto* a, const auto* b) { return a->name < b->name; });
      for (const Json::Member* member : order) {
        string(member->name, true);
        node(member->value);
      }
      emit(yaml_mapping_end_event_initialize(&event), event);
    } else if (value.is_string()) {
      string(value.text(), false);
    } else {
      scalar(value.is_null()   ? null_
             : value.is_bool() ? std::string(value.boolean() ? "true" : "false")
             : is_integer(value) ? value.text()
                                 : rounded(value.number()),
             true, YAML_PLAIN_SCALAR_STYLE);
    }
  }

  yaml_emitter_t emitter_{};
  std::string out_;
  std::string null_;
  StandIns stand_ins_;
};

}  // namespace

std::string yaml(const Json& value, bool start, const std::string& null_text) {
  std::string out = Emitter().run(value, start, null_text);
  // gcloud puts a single scalar on a line of its own.
  if (!scalar_value(value) || out.starts_with(start ? "--- |" : "|")) return out;
  return (start ? "---\n  " + out.substr(4) : "\n  " + out);
}

}  // namespace tpuctl::cli::output
