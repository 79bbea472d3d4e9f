// SPDX-License-Identifier: Apache-2.0
#include "base/text.hpp"

#include <fmt/format.h>
#include <openssl/evp.h>
#include <openssl/rand.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <random>

#include "base/error.hpp"

namespace tpuctl::text {

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> out;
  if (text.empty()) return out;
  for (;;) {
    const auto at = text.find(separator);
    out.emplace_back(text.substr(0, at));
    if (at == std::string_view::npos) return out;
    text.remove_prefix(at + 1);
  }
}

std::string join(const std::vector<std::string>& parts, std::string_view separator) {
  return fmt::format("{}", fmt::join(parts, separator));
}

std::string_view trim(std::string_view text) {
  constexpr std::string_view kBlank = " \t\r\n\f\v";
  const auto first = text.find_first_not_of(kBlank);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlank) - first + 1);
}

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return out;
}

std::string upper(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  }
  return out;
}

std::string replace_all(std::string text, std::string_view from, std::string_view to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size()) {
    text.replace(at, from.size(), to);
  }
  return text;
}

namespace {
std::size_t count_digits(std::string_view text, std::size_t at) {
  const auto end = text.find_first_not_of("0123456789", at);
  return (end == std::string_view::npos ? text.size() : end) - at;
}
}  // namespace

// Not every standard library has from_chars for a double (libc++ before 20). strtod obeys the locale; this program sets none.
std::optional<double> take_number(std::string_view& text, bool fixed) {
  std::size_t at = text.starts_with('-') ? 1 : 0;
  std::size_t digits = count_digits(text, at);
  at += digits;
  if (at < text.size() && text[at] == '.') {
    const std::size_t more = count_digits(text, at + 1);
    digits += more;
    at += 1 + more;
  }
  if (digits == 0) return {};
  if (!fixed && at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
    const std::size_t sign = at + 1 < text.size() && (text[at + 1] == '-' || text[at + 1] == '+') ? 1 : 0;
    if (const std::size_t power = count_digits(text, std::min(text.size(), at + 1 + sign))) at += 1 + sign + power;
  }
  const double out = std::strtod(std::string(text.substr(0, at)).c_str(), nullptr);
  text.remove_prefix(at);
  return out;
}

std::optional<double> parse_number(std::string_view text, bool fixed) {
  const auto out = take_number(text, fixed);
  return text.empty() ? out : std::nullopt;
}

std::optional<std::int64_t> parse_int(std::string_view text) {
  std::int64_t value = 0;
  auto [end, ec] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (ec != std::errc() || end != text.data() + text.size() || text.empty()) return {};
  return value;
}

std::string shell_quote(std::string_view word) {
  constexpr std::string_view kPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_@%+=:,./-";
  if (!word.empty() && word.find_first_not_of(kPlain) == std::string_view::npos) return std::string(word);
  return "'" + replace_all(std::string(word), "'", "'\\''") + "'";
}

std::string shell_join(const std::vector<std::string>& words) {
  std::vector<std::string> quoted;
  quoted.reserve(words.size());
  for (const auto& word : words) quoted.push_back(shell_quote(word));
  return join(quoted, " ");
}

std::optional<std::vector<std::string>> shell_split(std::string_view line) {
  std::vector<std::string> out;
  bool in_word = false;
  char quote = '\0';
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    const bool blank = quote == '\0' && std::string_view(" \t\r\n").find(c) != std::string_view::npos;
    if (blank) {
      in_word = false;
      continue;
    }
    if (!in_word) out.emplace_back();
    in_word = true;
    if (c == quote) {
      quote = '\0';
    } else if (quote == '\0' && (c == '"' || c == '\'')) {
      quote = c;
    } else if (c == '\\' && quote != '\'') {
      const char next = i + 1 < line.size() ? line[i + 1] : '\0';
      const bool escapes = quote == '\0' || std::string_view("\"\\$`").find(next) != std::string_view::npos;
      if (next == '\0') return {};
      out.back() += escapes ? std::string(1, next) : std::string{c, next};
      ++i;
    } else {
      out.back() += c;
    }
  }
  if (quote != '\0') return {};
  return out;
}

std::string percent_encode(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (std::isalnum(static_cast<unsigned char>(c)) || c == '-' || c == '_' || c == '.' || c == '~') {
      out += c;
    } else {
      out += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
  }
  return out;
}

std::string percent_decode(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    unsigned value = 0;
    if (text[i] == '%' && i + 2 < text.size() + 0 &&
        std::from_chars(text.data() + i + 1, text.data() + i + 3, value, 16).ptr == text.data() + i + 3) {
      out += static_cast<char>(value);
      i += 2;
    } else {
      out += text[i];
    }
  }
  return out;
}

std::string printable(std::string_view text) {
  std::string out;
  int following = 0;  // bytes of a character that are still to come
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    const bool inside = following > 0 && (c & 0xC0) == 0x80;
    following = inside ? following - 1 : c >= 0xF0 ? 3 : c >= 0xE0 ? 2 : c >= 0xC0 ? 1 : 0;
    const bool c1 = c == 0xC2 && i + 1 < text.size() && static_cast<unsigned char>(text[i + 1]) < 0xA0;
    // A byte 0x80..0x9F by itself is a control character where the terminal does not speak UTF-8.
    if ((c < 0x20 && c != '\n' && c != '\t') || c == 0x7F || (!inside && c >= 0x80 && c < 0xA0)) {
      out += fmt::format("\\x{:02x}", c);
    } else if (c1) {  // U+0080..U+009F: control characters in two bytes
      following = 0;
      out += fmt::format("\\x{:02x}", static_cast<unsigned char>(text[++i]));
    } else {
      out += text[i];
    }
  }
  return out;
}

std::string_view clip(std::string_view text, std::size_t bytes) {
  if (text.size() <= bytes) return text;
  while (bytes > 0 && (static_cast<unsigned char>(text[bytes]) & 0xC0) == 0x80) --bytes;
  return text.substr(0, bytes);
}

std::string sha256_hex(std::string_view bytes) {
  std::array<unsigned char, 32> digest{};
  unsigned length = 0;
  EVP_Digest(bytes.data(), bytes.size(), digest.data(), &length, EVP_sha256(), nullptr);
  return fmt::format("{:02x}", fmt::join(digest, ""));
}

std::string base64(std::string_view bytes) {
  std::string out(4 * ((bytes.size() + 2) / 3) + 1, '\0');
  const int length = EVP_EncodeBlock(reinterpret_cast<unsigned char*>(out.data()),
                                     reinterpret_cast<const unsigned char*>(bytes.data()), static_cast<int>(bytes.size()));
  out.resize(static_cast<std::size_t>(length));
  return out;
}

std::string base64url(std::string_view bytes) {
  std::string out = base64(bytes);
  out.erase(std::min(out.find('='), out.size()));
  std::replace(out.begin(), out.end(), '+', '-');
  std::replace(out.begin(), out.end(), '/', '_');
  return out;
}

std::optional<std::string> from_base64url(std::string_view text) {
  if (text.find_first_of("+/=") != std::string_view::npos || text.size() % 4 == 1) return {};
  std::string plain(text);
  std::replace(plain.begin(), plain.end(), '-', '+');
  std::replace(plain.begin(), plain.end(), '_', '/');
  const std::size_t padding = (4 - plain.size() % 4) % 4;
  plain.append(padding, '=');
  std::string out(plain.size() / 4 * 3 + 1, '\0');
  const int length = EVP_DecodeBlock(reinterpret_cast<unsigned char*>(out.data()),
                                     reinterpret_cast<const unsigned char*>(plain.data()), static_cast<int>(plain.size()));
  if (length < 0) return {};
  out.resize(static_cast<std::size_t>(length) - padding);
  return out;
}

std::string uuid4() {
  std::array<unsigned char, 16> raw{};
  if (RAND_bytes(raw.data(), static_cast<int>(raw.size())) != 1) {
    throw Error(Kind::failure, "The machine has no random numbers to give.");
  }
  raw[6] = static_cast<unsigned char>((raw[6] & 0x0F) | 0x40);
  raw[8] = static_cast<unsigned char>((raw[8] & 0x3F) | 0x80);
  const std::string hex = fmt::format("{:02x}", fmt::join(raw, ""));
  return hex.substr(0, 8) + "-" + hex.substr(8, 4) + "-" + hex.substr(12, 4) + "-" + hex.substr(16, 4) + "-" +
         hex.substr(20);
}

double random_unit() {
  thread_local std::mt19937_64 engine{std::random_device{}()};
  return std::uniform_real_distribution<double>(0, 1)(engine);
}

}  // namespace tpuctl::text
