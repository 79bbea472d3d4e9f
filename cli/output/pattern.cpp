// SPDX-License-Identifier: Apache-2.0
// The one file that sees RE2. std::regex overflows the stack on a startup script.
#include "cli/output/pattern.hpp"

#include <fmt/format.h>
#include <re2/re2.h>

#include <algorithm>
#include <vector>

#include "base/error.hpp"
#include "base/text.hpp"
#include "base/utf8.hpp"

namespace tpuctl::cli::output {

namespace {

[[noreturn]] void refuse(const std::string& message) {
  throw Error(tpuctl::Kind::usage, message, "Regular expressions are RE2's: no look-ahead and no back references.");
}

RE2::Options options(bool ignore_case, bool lenient) {
  RE2::Options out;
  out.set_log_errors(false);
  out.set_case_sensitive(!ignore_case);
  out.set_dot_nl(lenient);
  return out;
}

/// A replacement in Python's notation: texts with the groups between them.
struct Template {
  struct Part {
    std::string text;
    int group = -1;  ///< what follows the text; none when negative
  };
  std::vector<Part> parts;
};

Template read_template(std::string_view text, const RE2& regex) {
  Template out;
  out.parts.emplace_back();
  auto add_group = [&](int number) {
    if (number > regex.NumberOfCapturingGroups()) refuse(fmt::format("invalid group reference {} in {}", number, text));
    out.parts.back().group = number;
    out.parts.emplace_back();
  };
  for (std::size_t i = 0; i < text.size(); ++i) {
    std::string& plain = out.parts.back().text;
    if (text[i] != '\\' || i + 1 == text.size()) {
      plain += text[i];
      continue;
    }
    const char next = text[++i];
    constexpr std::string_view kLetters = "nrtfv", kMeanings = "\n\r\t\f\v";
    const auto meaning = kLetters.find(next);
    if (next >= '1' && next <= '9') {
      add_group(next - '0');
    } else if (next == 'g' && i + 1 < text.size() && text[i + 1] == '<') {
      const auto end = text.find('>', i);
      const std::string name(text.substr(i + 2, end == std::string_view::npos ? 0 : end - i - 2));
      const auto number = text::parse_int(name);
      const auto named = regex.NamedCapturingGroups().find(name);
      if (!number && named == regex.NamedCapturingGroups().end()) refuse(fmt::format("unknown group name '{}'", name));
      add_group(number ? static_cast<int>(*number) : named->second);
      i = end;
    } else if (meaning != std::string_view::npos) {
      plain += kMeanings[meaning];
    } else {
      if (next != '\\') plain += '\\';
      plain += next;
    }
  }
  return out;
}

}  // namespace

struct Pattern::Impl {
  Impl(const std::string& expression, const RE2::Options& chosen) : regex(expression, chosen) {}
  RE2 regex;
};

Pattern::Pattern(std::string_view expression, bool ignore_case, bool lenient) {
  const std::string whole = (lenient ? "(?m)" : "") + std::string(expression);
  impl_ = std::make_unique<Impl>(whole, options(ignore_case, lenient));
  if (!impl_->regex.ok()) refuse(fmt::format("RE pattern [{}]: {}", expression, impl_->regex.error()));
}

Pattern::~Pattern() = default;
Pattern::Pattern(Pattern&&) noexcept = default;
Pattern& Pattern::operator=(Pattern&&) noexcept = default;

bool Pattern::found_in(std::string_view text) const {
  return RE2::PartialMatch({text.data(), text.size()}, impl_->regex);
}

bool Pattern::matches_beginning(std::string_view text) const {
  return impl_->regex.Match({text.data(), text.size()}, 0, text.size(), RE2::ANCHOR_START, nullptr, 0);
}

std::string Pattern::replaced(std::string_view text, std::string_view replacement, std::int64_t count) const {
  const RE2& regex = impl_->regex;
  const Template insertion = read_template(replacement, regex);
  std::vector<re2::StringPiece> groups(static_cast<std::size_t>(regex.NumberOfCapturingGroups()) + 1);
  const re2::StringPiece whole(text.data(), text.size());
  std::string out;
  std::size_t at = 0;      // where the search goes on
  std::size_t copied = 0;  // what of the text is in `out`
  std::int64_t done = 0;
  while (at <= text.size() && (count <= 0 || done < count)) {
    if (!regex.Match(whole, at, text.size(), RE2::UNANCHORED, groups.data(), static_cast<int>(groups.size()))) break;
    const auto begin = static_cast<std::size_t>(groups[0].data() - text.data());
    const std::size_t end = begin + groups[0].size();
    out += text.substr(copied, begin - copied);
    copied = end;
    ++done;
    for (const Template::Part& part : insertion.parts) {
      out += part.text;
      if (part.group < 0) continue;
      const re2::StringPiece& group = groups[static_cast<std::size_t>(part.group)];
      if (group.data()) out.append(group.data(), group.size());
    }
    at = end;
    if (groups[0].empty()) {  // an empty find: the next search starts behind the next character
      const std::size_t length = at < text.size() ? utf8::first_length(std::string_view(text).substr(at)) : 1;
      out += text.substr(std::min(at, text.size()), length);
      copied = at += length;
    }
  }
  if (copied < text.size()) out += text.substr(copied);
  return out;
}

}  // namespace tpuctl::cli::output
