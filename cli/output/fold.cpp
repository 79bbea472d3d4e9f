// SPDX-License-Identifier: Apache-2.0
#include "cli/output/fold.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "cli/output/display.hpp"

namespace tpuctl::cli::output {

namespace {

// The plain letter of each character from U+00A0 and from U+1E00 on, by Unicode's compatibility decomposition; a dot
// where there is none.
constexpr std::string_view kLatin =
    " ....... .a.... ..23 ... 1o.....aaaaaa.ceeeeiiii.nooooo..uuuuy..aaaaaa.ceeeeiiii.nooooo..uuuuy.y"
    "aaaaaaccccccccdd..eeeeeeeeeegggggggghh..iiiiiiiii...jjkk.llllll....nnnnnn...oooooo..rrrrrrssssss"
    "sstttt..uuuuuuuuuuuuwwyyyzzzzzzs................................oo.............uu..............."
    ".............aaiioouuuuuuuuuu.aaaa....ggkkoooo..j...gg..nnaa....aaaaeeeeiiiioooorrrruuuusstt..hh"
    "......aaeeooooooooyy............................";
constexpr std::string_view kLatinAdditional =
    "aabbbbbbccddddddddddeeeeeeeeeeffgghhhhhhhhhhiiiikkkkkkllllllllmmmmmmnnnnnnnnoooooooopppprrrrrrrr"
    "ssssssssssttttttttuuuuuuuuuuvvvvwwwwwwwwwwxxxxyyzzzzzzhtwy.s....aaaaaaaaaaaaaaaaaaaaaaaaeeeeeeee"
    "eeeeeeeeiiiioooooooooooooooooooooooouuuuuuuuuuuuuuyyyyyyyy......";
constexpr char32_t kLatinStart = 0xA0, kAdditionalStart = 0x1E00;

/// Capitals and how far their small letters are; with `every` 2 each capital stands before its small letter.
struct Range {
  char32_t first, last;
  int distance;
  char32_t every;
};
constexpr Range kRanges[] = {
    {'A', 'Z', 32, 1},      {0xC0, 0xD6, 32, 1},    {0xD8, 0xDE, 32, 1},     {0x100, 0x12E, 1, 2},
    {0x132, 0x136, 1, 2},   {0x139, 0x147, 1, 2},   {0x14A, 0x176, 1, 2},    {0x178, 0x178, -121, 1},
    {0x179, 0x17D, 1, 2},   {0x1CD, 0x1DB, 1, 2},   {0x1DE, 0x1EE, 1, 2},    {0x1F8, 0x21E, 1, 2},
    {0x386, 0x386, 38, 1},  {0x388, 0x38A, 37, 1},  {0x38C, 0x38C, 64, 1},   {0x38E, 0x38F, 63, 1},
    {0x391, 0x3A1, 32, 1},  {0x3A3, 0x3AB, 32, 1},  {0x400, 0x40F, 80, 1},   {0x410, 0x42F, 32, 1},
    {0x460, 0x480, 1, 2},   {0x48A, 0x4BE, 1, 2},   {0x4D0, 0x52E, 1, 2},    {0x531, 0x556, 48, 1},
    {0x1E00, 0x1E94, 1, 2}, {0x1EA0, 0x1EFE, 1, 2}, {0xFF21, 0xFF3A, 32, 1},
};

bool ascii(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

char32_t small(char32_t c) {
  for (const Range& one : kRanges) {
    if (c < one.first || c > one.last) continue;
    return (c - one.first) % one.every == 0 ? static_cast<char32_t>(static_cast<int>(c) + one.distance) : c;
  }
  return c;
}

char32_t capital(char32_t c) {
  for (const Range& one : kRanges) {
    const auto up = static_cast<char32_t>(static_cast<int>(c) - one.distance);
    if (up >= one.first && up <= one.last && (up - one.first) % one.every == 0) return up;
  }
  return c;
}

void add_plain(std::u32string& out, char32_t c) {
  const auto listed = [&](std::string_view table, char32_t start) {
    const bool inside = c >= start && c < start + table.size();
    return inside && table[c - start] != '.' ? static_cast<char32_t>(table[c - start]) : U'\0';
  };
  if (c >= 0x300 && c <= 0x36F) return;  // an accent
  if (const char32_t latin = listed(kLatin, kLatinStart); latin != U'\0') {
    out += latin;
  } else if (const char32_t more = listed(kLatinAdditional, kAdditionalStart); more != U'\0') {
    out += more;
  } else if (c >= 0xFF01 && c <= 0xFF5E) {
    out += c - 0xFEE0;
  } else if (c >= 0xAC00 && c <= 0xD7A3) {
    constexpr char32_t kVowels = 21, kTails = 28;
    const char32_t index = c - 0xAC00;
    out += 0x1100 + index / (kVowels * kTails);
    out += 0x1161 + index % (kVowels * kTails) / kTails;
    if (index % kTails != 0) out += 0x11A7 + index % kTails;
  } else {
    out += c;
  }
}

std::string without_tags(std::string text) {
  for (std::size_t at = text.find('<'); at != std::string::npos; at = text.find('<', at)) {
    const auto end = text.find('>', at);
    if (end == std::string::npos) break;
    text.erase(at, end + 1 - at);
  }
  return text;
}

}  // namespace

std::string lower_case(std::string_view text) {
  if (ascii(text)) return text::lower(text);
  std::u32string out = code_points(text);
  std::transform(out.begin(), out.end(), out.begin(), small);
  return utf8(out);
}

std::string upper_case(std::string_view text) {
  if (ascii(text)) return text::upper(text);
  std::u32string out;
  for (const char32_t c : code_points(text)) {
    if (c == 0xDF) {
      out += U"SS";
    } else {
      out += capital(c);
    }
  }
  return utf8(out);
}

std::string folded(std::string_view text, bool tags_out) {
  std::string lower = tags_out ? without_tags(lower_case(text)) : lower_case(text);
  if (ascii(lower)) return lower;
  std::u32string out;
  for (const char32_t c : code_points(lower)) add_plain(out, c);
  return utf8(out);
}

}  // namespace tpuctl::cli::output
