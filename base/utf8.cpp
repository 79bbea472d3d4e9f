// SPDX-License-Identifier: Apache-2.0
#include "base/utf8.hpp"

#include <algorithm>
#include <charconv>

namespace tpuctl::utf8 {

namespace {

bool within(std::string_view text, std::size_t at, unsigned low, unsigned high) {
  return at < text.size() && static_cast<unsigned char>(text[at]) >= low && static_cast<unsigned char>(text[at]) <= high;
}

// Length of the character at `at`; 0 when there is none (Unicode, table 3-7).
std::size_t length_at(std::string_view text, std::size_t at) {
  const auto first = static_cast<unsigned char>(text[at]);
  if (first < 0x80) return 1;
  const auto follows = [&](std::size_t i) { return within(text, at + i, 0x80, 0xBF); };
  if (first >= 0xC2 && first <= 0xDF) return follows(1) ? 2 : 0;
  if (first >= 0xE0 && first <= 0xEF) {
    const unsigned low = first == 0xE0 ? 0xA0 : 0x80, high = first == 0xED ? 0x9F : 0xBF;
    return within(text, at + 1, low, high) && follows(2) ? 3 : 0;
  }
  if (first >= 0xF0 && first <= 0xF4) {
    const unsigned low = first == 0xF0 ? 0x90 : 0x80, high = first == 0xF4 ? 0x8F : 0xBF;
    return within(text, at + 1, low, high) && follows(2) && follows(3) ? 4 : 0;
  }
  return 0;
}

// The code unit of a "\\uXXXX" at `at`; 0 when there is none.
unsigned unit_at(std::string_view text, std::size_t at) {
  if (at + 6 > text.size() || text[at] != '\\' || text[at + 1] != 'u') return 0;
  unsigned unit = 0;
  const char* end = text.data() + at + 6;
  return std::from_chars(text.data() + at + 2, end, unit, 16).ptr == end ? unit : 0;
}

bool is_high(unsigned unit) { return unit >= 0xD800 && unit <= 0xDBFF; }
bool is_low(unsigned unit) { return unit >= 0xDC00 && unit <= 0xDFFF; }

}  // namespace

std::size_t first_length(std::string_view text) { return std::max<std::size_t>(1, length_at(text, 0)); }

bool is_valid(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = length_at(text, at);
    if (length == 0) return false;
    at += length;
  }
  return true;
}

std::string mended_json(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t taken = length_at(text, at);
    const unsigned unit = text[at] == '\\' ? unit_at(text, at) : 0;
    if (taken == 0) {
      out += "\xEF\xBF\xBD";
      ++at;
      continue;
    }
    if (is_high(unit) && is_low(unit_at(text, at + 6))) {
      taken = 12;
    } else if (is_high(unit) || is_low(unit)) {
      out += "\\ufffd";
      at += 6;
      continue;
    } else if (text[at] == '\\' && at + 1 < text.size() && static_cast<unsigned char>(text[at + 1]) < 0x80) {
      taken = 2;  // an escaped backslash begins no escape
    }
    out += text.substr(at, taken);
    at += taken;
  }
  return out;
}

}  // namespace tpuctl::utf8
