// SPDX-License-Identifier: Apache-2.0
// Letters without regard to case and accents, for filters and for upper() and lower(). Covers the scripts of Europe,
// Hangul and the wide forms of East Asia; other letters stay as they are.
#pragma once

#include <string>
#include <string_view>

namespace tpuctl::cli::output {

std::string lower_case(std::string_view text);
std::string upper_case(std::string_view text);
/// In lower case, accents taken off ("É" is "e"), syllables of Hangul taken apart, "<...>" taken out: what the words of a
/// filter are looked for in.
std::string folded(std::string_view text);

}  // namespace tpuctl::cli::output
