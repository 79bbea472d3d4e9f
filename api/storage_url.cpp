// SPDX-License-Identifier: Apache-2.0
#include "api/storage_url.hpp"

#include <algorithm>
#include <vector>

#include "base/error.hpp"
#include "base/text.hpp"
#include "base/utf8.hpp"

namespace tpuctl::api {

std::string StorageUrl::text() const { return cloud ? "gs://" + bucket + (bucket.empty() ? "" : "/") + name : name; }

StorageUrl parse_storage_url(const std::string& text) {
  StorageUrl out;
  const auto scheme = text.find("://");
  const bool named = scheme != std::string::npos && scheme > 0 &&
                     text.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+.-") == scheme;
  if (!named || text.starts_with("file://")) {
    out.name = named ? text.substr(7) : text;
    if (out.name.empty()) throw Error(Kind::usage, "A path is empty.");
    return out;
  }
  if (!text.starts_with("gs://")) {
    throw Error(Kind::usage, "[" + text + "] is neither a gs:// address nor a path of this machine.",
                "tpuctl copies between Cloud Storage and files.");
  }
  out.cloud = true;
  const std::string rest = text.substr(5);
  const auto slash = rest.find('/');
  out.bucket = rest.substr(0, slash);
  if (slash != std::string::npos) out.name = rest.substr(slash + 1);
  if (out.bucket.empty() && slash != std::string::npos) throw Error(Kind::usage, "[" + text + "] names no bucket.");
  const auto hash = out.name.rfind('#');
  const bool version = hash != std::string::npos && hash > 0 && hash + 1 < out.name.size() &&
                       out.name.find_first_not_of("0123456789", hash + 1) == std::string::npos;
  if (version) {
    out.generation = out.name.substr(hash + 1);
    out.name.resize(hash);
  }
  return out;
}

bool has_wildcard(std::string_view text) { return text.find_first_of("*?[]") != std::string_view::npos; }

namespace {

// The set that begins at pattern[0] == '[': its length, or 0 when it has no end.
std::size_t set_length(std::string_view pattern) {
  std::size_t at = 1;
  if (at < pattern.size() && pattern[at] == '!') ++at;
  if (at < pattern.size() && pattern[at] == ']') ++at;
  const auto end = pattern.find(']', at);
  return end == std::string_view::npos ? 0 : end + 1;
}

// UTF-8 sorts like the characters it stands for, so a range can be compared as text.
bool in_set(std::string_view set, std::string_view one) {
  set = set.substr(1, set.size() - 2);
  const bool inverse = set.starts_with('!');
  if (inverse) set.remove_prefix(1);
  bool found = false;
  while (!set.empty()) {
    const std::string_view low = set.substr(0, utf8::first_length(set));
    set.remove_prefix(low.size());
    std::string_view high = low;
    if (set.size() > 1 && set[0] == '-') {
      high = set.substr(1, utf8::first_length(set.substr(1)));
      set.remove_prefix(1 + high.size());
    }
    found = found || (low <= one && one <= high);
  }
  return found != inverse;
}

// Characters that the pattern's first element takes from `text`: 0 when it does not match. `used` is its own length.
std::size_t take_one(std::string_view pattern, std::string_view text, std::size_t& used) {
  used = utf8::first_length(pattern);
  if (text.empty()) return 0;
  const std::size_t length = utf8::first_length(text);
  if (pattern[0] == '?') return length;
  if (pattern[0] == '[') {
    if (const std::size_t set = set_length(pattern)) {
      used = set;
      return in_set(pattern.substr(0, set), text.substr(0, length)) ? length : 0;
    }
  }
  return text.starts_with(pattern.substr(0, used)) ? used : 0;
}

}  // namespace

bool glob_matches(std::string_view pattern, std::string_view text) {
  bool starred = false;
  std::string_view after_star, retry;  // the last star may take one character more
  for (;;) {
    if (!pattern.empty() && pattern[0] == '*') {
      pattern.remove_prefix(std::min(pattern.find_first_not_of('*'), pattern.size()));
      starred = true;
      after_star = pattern;
      retry = text;
      continue;
    }
    if (pattern.empty() && text.empty()) return true;
    std::size_t used = 0;
    if (const std::size_t taken = pattern.empty() ? 0 : take_one(pattern, text, used)) {
      pattern.remove_prefix(used);
      text.remove_prefix(taken);
      continue;
    }
    if (!starred || retry.empty()) return false;
    retry.remove_prefix(utf8::first_length(retry));
    pattern = after_star;
    text = retry;
  }
}

GlobStep first_glob_step(const std::string& name) {
  GlobStep out;
  const auto wild = std::min(name.find_first_of("*?[]"), name.size());
  out.prefix = name.substr(0, wild);
  const auto slash = name.find('/', wild);
  std::string filter = name.substr(wild, slash == std::string::npos ? slash : slash - wild);
  if (filter.find("**") != std::string::npos) {
    out.one_level = false;
    filter = name.substr(wild);
  } else if (slash != std::string::npos) {
    out.suffix = name.substr(slash + 1);
  }
  out.pattern = out.prefix + filter;
  return out;
}

bool step_keeps(const std::string& pattern, const std::string& name) {
  std::vector<std::string> patterns = {pattern};
  if (!pattern.ends_with('/')) patterns.push_back(pattern + "/");
  const std::string without = text::replace_all(pattern, "/**/", "/");
  if (without != pattern) patterns.push_back(without);
  for (const std::string& one : {pattern, without}) {
    if (one.starts_with("**/")) patterns.push_back(one.substr(3));
  }
  return std::any_of(patterns.begin(), patterns.end(), [&](const std::string& one) { return glob_matches(one, name); });
}

}  // namespace tpuctl::api
