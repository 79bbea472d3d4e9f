// SPDX-License-Identifier: Apache-2.0
#include "launch/ignore.hpp"

#include <fnmatch.h>

#include <algorithm>
#include <filesystem>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/process.hpp"
#include "base/text.hpp"

namespace tpuctl::launch {

namespace {

// Blanks at the end do not count, unless a backslash stands before one.
std::string_view without_blanks(std::string_view line) {
  while (line.ends_with(' ')) {
    std::string_view before = line.substr(0, line.size() - 1);
    std::size_t backslashes = 0;
    while (before.ends_with('\\')) {
      before.remove_suffix(1);
      ++backslashes;
    }
    if (backslashes % 2 == 1) break;
    line.remove_suffix(1);
  }
  return line;
}

// A [ that is never closed matches nothing in git; fnmatch would take it for itself.
bool has_open_set(std::string_view part) {
  for (std::size_t i = 0; i < part.size(); ++i) {
    if (part[i] == '\\') {
      ++i;
    } else if (part[i] == '[') {
      std::size_t end = i + 1;
      if (end < part.size() && (part[end] == '!' || part[end] == '^')) ++end;
      if (end < part.size() && part[end] == ']') ++end;
      while (end < part.size() && part[end] != ']') end += part[end] == '\\' ? 2 : part.substr(end).starts_with("[:") ? 2 : 1;
      if (end >= part.size()) return true;
      i = end;
    }
  }
  return false;
}

bool part_matches(const std::string& part, const std::string& name) {
  return !has_open_set(part) && fnmatch(part.c_str(), name.c_str(), 0) == 0;
}

using Parts = std::vector<std::string>;

bool parts_match(const Parts& pattern, std::size_t at, const Parts& names, std::size_t name) {
  for (; at < pattern.size(); ++at, ++name) {
    if (pattern[at] == "**") {
      // At the end it means what is inside, so at least one name; elsewhere any number of folders.
      if (at + 1 == pattern.size()) return name < names.size();
      for (std::size_t next = name; next < names.size(); ++next) {
        if (parts_match(pattern, at + 1, names, next)) return true;
      }
      return false;
    }
    if (name >= names.size() || !part_matches(pattern[at], names[name])) return false;
  }
  return name == names.size();
}

std::vector<IgnorePattern> read_patterns(const std::string& path) {
  std::vector<IgnorePattern> out;
  if (file::is_dir(path)) return out;
  std::string content = file::read_if_exists(path).value_or("");
  if (content.starts_with("\xEF\xBB\xBF")) content.erase(0, 3);
  for (std::string_view line : text::split(content, '\n')) {
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (auto pattern = parse_ignore_line(line)) out.push_back(std::move(*pattern));
  }
  return out;
}

// The nearest folder from `root` upwards that holds .git.
std::string find_top(const std::string& root) {
  for (std::string at = root;; at = file::dir_name(at)) {
    if (file::exists(file::join(at, ".git"))) return at;
    if (at == "/" || at == "." || at.empty()) return root;
  }
}

// What git tracks below `root`; nothing when git is not installed or does not know the folder.
std::vector<std::string> ask_git(const std::string& root) {
  process::Spec spec;
  spec.argv = {"git", "-C", root, "ls-files", "-z"};
  process::Result result;
  try {
    result = process::run(spec);
  } catch (const Error& error) {
    if (error.kind != Kind::failure) throw;
    return {};
  }
  if (result.status != 0) return {};
  auto out = text::split(result.out, '\0');
  std::sort(out.begin(), out.end());
  return out;
}

}  // namespace

std::optional<IgnorePattern> parse_ignore_line(std::string_view line) {
  if (line.starts_with('#')) return {};
  line = without_blanks(line);
  IgnorePattern out;
  if (line.starts_with('!')) {
    out.keeps = true;
    line.remove_prefix(1);
  }
  if (line.ends_with('/')) {
    out.folders_only = true;
    line.remove_suffix(1);
  }
  out.anchored = line.find('/') != std::string_view::npos;
  if (line.starts_with('/')) line.remove_prefix(1);
  if (line.empty()) return {};
  for (std::string& part : text::split(line, '/')) {
    const bool again = part == "**" && !out.parts.empty() && out.parts.back() == "**";
    if (!again) out.parts.push_back(std::move(part));
  }
  return out;
}

namespace {
bool matches(const IgnorePattern& pattern, const Parts& names, bool folder) {
  if (pattern.folders_only && !folder) return false;
  return pattern.anchored ? parts_match(pattern.parts, 0, names, 0) : part_matches(pattern.parts[0], names.back());
}
}  // namespace

bool ignore_matches(const IgnorePattern& pattern, std::string_view path, bool folder) {
  return matches(pattern, text::split(path, '/'), folder);
}

IgnoreRules::IgnoreRules(const std::string& root) : root_(std::filesystem::canonical(root).string()), top_(find_top(root_)) {
  const bool repository = file::exists(file::join(top_, ".git"));
  if (repository) tracked_ = ask_git(root_);
  // Weakest of all: .git itself, and what the repository leaves out for this copy of it alone.
  Layer builtin;
  builtin.git = read_patterns(file::join(top_, ".git/info/exclude"));
  builtin.own.push_back(*parse_ignore_line(".git"));
  layers_.push_back(std::move(builtin));
  if (top_ == root_) return;
  prefix_ = root_.substr(top_.size() + (top_.ends_with('/') ? 0 : 1)) + "/";
  for (std::size_t at = 0; at < prefix_.size();) {
    add(prefix_.substr(0, at));
    at = prefix_.find('/', at) + 1;
  }
}

void IgnoreRules::add(const std::string& folder) {
  Layer layer;
  layer.folder = folder;
  layer.git = read_patterns(file::join(top_, folder + ".gitignore"));
  layer.own = read_patterns(file::join(top_, folder + ".tpuctlignore"));
  layers_.push_back(std::move(layer));
}

void IgnoreRules::enter(const std::string& folder) { add(prefix_ + (folder.empty() ? "" : folder + "/")); }

// The last pattern of the deepest file that matches decides.
std::optional<bool> IgnoreRules::verdict(std::vector<IgnorePattern> Layer::*which, const std::string& path, bool folder) const {
  for (auto layer = layers_.rbegin(); layer != layers_.rend(); ++layer) {
    if (!path.starts_with(layer->folder)) continue;
    const auto& patterns = (*layer).*which;
    if (patterns.empty()) continue;
    const Parts names = text::split(std::string_view(path).substr(layer->folder.size()), '/');
    for (auto pattern = patterns.rbegin(); pattern != patterns.rend(); ++pattern) {
      if (matches(*pattern, names, folder)) return !pattern->keeps;
    }
  }
  return {};
}

bool IgnoreRules::tracked(const std::string& path, bool folder) const {
  const std::string wanted = folder ? path + "/" : path;
  const auto at = std::lower_bound(tracked_.begin(), tracked_.end(), wanted);
  return at != tracked_.end() && (folder ? at->starts_with(wanted) : *at == wanted);
}

bool IgnoreRules::ignores(const std::string& path, bool folder) const {
  const std::string whole = prefix_ + path;
  if (const auto own = verdict(&Layer::own, whole, folder)) return *own;
  bool ignored = verdict(&Layer::git, whole, folder).value_or(false);
  if (tracked_.empty()) return ignored;
  // An ignored folder is looked into for the sake of what git tracks there; the rest of it is as ignored as the folder.
  for (auto slash = path.rfind('/'); !ignored && slash != std::string::npos; slash = slash == 0 ? slash : path.rfind('/', slash - 1)) {
    ignored = verdict(&Layer::git, prefix_ + path.substr(0, slash), true).value_or(false);
    if (slash == 0) break;
  }
  return ignored && !tracked(path, folder);
}

}  // namespace tpuctl::launch
