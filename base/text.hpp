// SPDX-License-Identifier: Apache-2.0
// Small helpers over text that several rooms need.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tpuctl::text {

std::vector<std::string> split(std::string_view text, char separator);  ///< "" gives no pieces; "a," gives two
std::string join(const std::vector<std::string>& parts, std::string_view separator);
std::string_view trim(std::string_view text);
std::string lower(std::string_view text);   ///< ASCII only
std::string upper(std::string_view text);   ///< ASCII only
std::string replace_all(std::string text, std::string_view from, std::string_view to);
/// Takes the decimal number at the front of `text` away: digits with or without a point, a minus before them and, unless
/// `fixed`, an exponent behind. Nothing, and `text` as it was, when there is none: blanks, a plus, "inf" and 0x are no part of
/// one. Beyond what a double holds it is infinite.
std::optional<double> take_number(std::string_view& text, bool fixed = false);
std::optional<double> parse_number(std::string_view text, bool fixed = false);  ///< the whole text must be such a number
std::optional<std::int64_t> parse_int(std::string_view text);  ///< the whole text must be a decimal number

/// A POSIX shell reads the result as exactly this word. Plain words are returned as they are.
std::string shell_quote(std::string_view word);
std::string shell_join(const std::vector<std::string>& words);
/// The words of a command line as a POSIX shell splits it: blanks, both quotes, backslash; nothing is expanded. Nothing when
/// a quote has no end.
std::optional<std::vector<std::string>> shell_split(std::string_view line);

/// For a URL path segment or query value: everything but unreserved characters becomes %XX.
std::string percent_encode(std::string_view text);
std::string percent_decode(std::string_view text);

/// Safe on a terminal: control characters except newline and tab become visible (\x1b), so that no text from the
/// network can move the cursor or set a title.
std::string printable(std::string_view text);

/// At most `bytes` bytes, cut at a UTF-8 boundary.
std::string_view clip(std::string_view text, std::size_t bytes);

std::string sha256_hex(std::string_view bytes);
std::string base64(std::string_view bytes);     ///< padded
std::string base64url(std::string_view bytes);  ///< RFC 7515: URL-safe alphabet, no padding
std::optional<std::string> from_base64url(std::string_view text);
std::string uuid4();                 ///< random UUID, lower case
double random_unit();                ///< uniform in [0, 1)

}  // namespace tpuctl::text
