// SPDX-License-Identifier: Apache-2.0
#include "base/secrets.hpp"

#include <sys/resource.h>

#include <algorithm>
#include <mutex>
#include <vector>

#include "base/json.hpp"
#include "base/text.hpp"

namespace tpuctl::secrets {

namespace {

constexpr std::size_t kShortest = 6;
constexpr std::size_t kShortestLine = 16;  // of a key; shorter ones are padding

struct Registry {
  std::mutex mutex;
  std::vector<std::string> texts;  // longest first, for one may be the beginning of another

  void add(std::string text) {
    if (text.size() < kShortest) return;
    const auto shorter = [](const std::string& a, const std::string& b) {
      return a.size() != b.size() ? a.size() > b.size() : a < b;
    };
    const auto at = std::lower_bound(texts.begin(), texts.end(), text, shorter);
    if (at == texts.end() || *at != text) texts.insert(at, std::move(text));
  }
};

Registry& registry() {
  static Registry instance;
  return instance;
}

// Only the soft limit: a child that wants core files can have them again.
void leave_no_core_file() {
  rlimit limit = {};
  if (getrlimit(RLIMIT_CORE, &limit) != 0) return;
  limit.rlim_cur = 0;
  setrlimit(RLIMIT_CORE, &limit);
}

bool of_token(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_' || c == '.';
}

// What begins with `mark` and goes on like a token, with at least `dots` dots.
void mask_shape(std::string& text, std::string_view mark, std::ptrdiff_t dots) {
  for (std::size_t at = 0; (at = text.find(mark, at)) != std::string::npos;) {
    const auto first = text.begin() + static_cast<std::ptrdiff_t>(at);
    const auto last = std::find_if_not(first, text.end(), of_token);
    const bool token =
        (at == 0 || !of_token(text[at - 1])) && last - first >= 20 && std::count(first, last, '.') >= dots;
    const auto length = static_cast<std::size_t>(last - first);
    if (token) text.replace(at, length, kMask);
    at += token ? kMask.size() : length;
  }
}

}  // namespace

void remember(std::string_view secret) {
  const std::string_view plain = text::trim(secret);
  if (plain.size() < kShortest) return;
  Registry& all = registry();
  const std::lock_guard lock(all.mutex);
  if (all.texts.empty()) leave_no_core_file();
  const std::string quoted = Json(plain).dump();
  all.add(std::string(plain));
  all.add(text::percent_encode(plain));
  all.add(quoted.substr(1, quoted.size() - 2));
  if (plain.find('\n') == std::string_view::npos) return;
  for (const std::string& line : text::split(plain, '\n')) {
    const std::string_view inner = text::trim(line);
    if (inner.size() >= kShortestLine && !inner.starts_with("-----")) all.add(std::string(inner));
  }
}

std::string redact(std::string_view text) {
  std::string out(text);
  Registry& all = registry();
  {
    const std::lock_guard lock(all.mutex);
    for (const std::string& secret : all.texts) out = text::replace_all(std::move(out), secret, kMask);
  }
  mask_shape(out, "ya29.", 1);
  mask_shape(out, "eyJ", 2);
  return out;
}

}  // namespace tpuctl::secrets
