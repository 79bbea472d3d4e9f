// SPDX-License-Identifier: Apache-2.0
// Letters without regard to case and accents, for filters and for upper() and lower(). Covers the scripts of Europe,
// Hangul and the wide forms of East Asia; other letters stay as they are.
#pragma once

#include <string>
#include <string_view>

namespace tpuctl::cli::output {

std::string lower_case(std::string_view text);
std::string upper_case(std::string_view text);
/// In lower case, accents taken off ("É" is "e") and syllables of Hangul taken apart: how filters compare words. With
/// `tags_out`, which is for what they are looked for in, "<...>" is taken out.
std::string folded(std::string_view text, bool tags_out = true);

}  // namespace tpuctl::cli::output
