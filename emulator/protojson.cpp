// SPDX-License-Identifier: Apache-2.0
#include "emulator/protojson.hpp"

#include <cctype>

#include "base/error.hpp"
#include "base/text.hpp"
#include "emulator/api_error.hpp"

namespace tpuctl::emulator {

namespace {
bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '$'; }

std::size_t skip_blanks(std::string_view text, std::size_t at) {
  while (at < text.size() && std::isspace(static_cast<unsigned char>(text[at])) != 0) ++at;
  return at;
}

/// Copies a string literal that starts at `at` as a standard one; returns the place after it.
std::size_t copy_string(std::string_view text, std::size_t at, std::string& out) {
  const char quote = text[at++];
  out += '"';
  for (; at < text.size() && text[at] != quote; ++at) {
    if (text[at] == '\\' && at + 1 < text.size()) {
      ++at;
      if (text[at] != '\'') out += '\\';
      out += text[at];
    } else if (text[at] == '"') {
      out += "\\\"";
    } else {
      out += text[at];
    }
  }
  if (at < text.size()) out += '"';  // an unclosed string stays one, and is refused
  return at + 1;
}

std::string standard(std::string_view text) {
  std::string out;
  std::size_t at = 0;
  while (at < text.size()) {
    const char c = text[at];
    if (c == '"' || c == '\'') {
      at = copy_string(text, at, out);
    } else if (c == ',') {
      const std::size_t next = skip_blanks(text, at + 1);
      if (next >= text.size() || (text[next] != '}' && text[next] != ']')) out += c;
      ++at;
    } else if (is_word(c)) {
      std::size_t end = at;
      while (end < text.size() && is_word(text[end])) ++end;
      const std::string word(text.substr(at, end - at));
      const std::size_t next = skip_blanks(text, end);
      const bool name = std::isdigit(static_cast<unsigned char>(c)) == 0 && next < text.size() && text[next] == ':';
      out += name ? "\"" + word + "\"" : word;
      at = end;
    } else {
      out += c;
      ++at;
    }
  }
  return out;
}
}  // namespace

Json read_proto_json(std::string_view text) {
  try {
    return Json::parse(standard(text), 100);
  } catch (const Error&) {
    throw ApiError(400, "Invalid JSON payload received. Unexpected token.\n" + std::string(text::clip(text, 40)));
  }
}

std::string camel_case(std::string_view name) {
  std::string out;
  for (std::size_t i = 0; i < name.size(); ++i) {
    if (name[i] == '_' && i + 1 < name.size() && std::isalnum(static_cast<unsigned char>(name[i + 1])) != 0) {
      ++i;
      out += static_cast<char>(std::toupper(static_cast<unsigned char>(name[i])));
    } else {
      out += name[i];
    }
  }
  return out;
}

std::string snake_case(std::string_view name) {
  std::string out;
  for (const char c : name) {
    if (std::isupper(static_cast<unsigned char>(c)) != 0) out += '_';
    out += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return out;
}

}  // namespace tpuctl::emulator
