// SPDX-License-Identifier: Apache-2.0
// Values as Python writes them, because that is what gcloud prints.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.hpp"

namespace tpuctl::cli::output {

/// As str(), with nothing for null: what tables, value() and csv() print.
std::string display(const Json& value);
/// As str(): null is "None".
std::string python_text(const Json& value);
/// As repr().
std::string python_repr(const Json& value);
/// Whether Python takes the value for true: not null, false, 0, "", [] or {}.
bool truthy(const Json& value);

/// As repr() of a float: always with a fraction or an exponent.
std::string python_float(double value);
/// Whether a number has no fraction and no exponent.
bool is_integer(const Json& value);
/// A number that is no integer, rounded as gcloud rounds it for people: 6 digits, no exponent below 1e9.
std::string rounded(double value);
/// As "{:.PRECISIONSPEC}".format(value), SPEC being e, f, g, % or nothing.
std::string format_number(double value, int precision, std::string_view spec);
/// What float() makes of a number or of a text.
std::optional<double> to_number(const Json& value);
/// What int() makes of a text.
std::optional<std::int64_t> to_integer(std::string_view text);

/// As template.format(*values) with {}, {0}, {0[key]}, conversions (!r, !s) and format specifications. Throws
/// Error{failure} when the template asks for what is not there.
std::string fill_template(std::string_view text, const std::vector<Json>& values);

/// Code points of UTF-8 text, and back. A broken byte is a code point of its own.
std::u32string code_points(std::string_view text);
std::string utf8(std::u32string_view points);
/// How many code points `text` has: Python's len().
std::size_t length_of(std::string_view text);
/// Python's str.isspace() for one code point.
bool is_space(char32_t c);

}  // namespace tpuctl::cli::output
