// SPDX-License-Identifier: Apache-2.0
// Python's configparser.ConfigParser with its defaults (strict, BasicInterpolation), as far as files can tell.
#include "cli/ini.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/error.hpp"
#include "base/text.hpp"

namespace tpuctl::cli {

namespace {

constexpr std::string_view kDefault = "DEFAULT";

using Names = std::vector<std::pair<std::string, std::string>>;

template <class Rows>
auto find_row(Rows& rows, std::string_view name) {
  return std::find_if(rows.begin(), rows.end(), [&](const auto& row) { return row.first == name; });
}

std::size_t indent_of(std::string_view line) {
  const auto at = line.find_first_not_of(" \t\f\v");
  return at == std::string_view::npos ? 0 : at;
}

// Lines with \n, \r\n or \r as their end.
std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines =
      text::split(text::replace_all(text::replace_all(std::string(text), "\r\n", "\n"), "\r", "\n"), '\n');
  if (!lines.empty() && lines.back().empty()) lines.pop_back();
  return lines;
}

class Reader {
 public:
  explicit Reader(const std::string& path) : path_(path) {}

  std::vector<IniFile::Section> run(std::string_view text) {
    for (const std::string& line : lines_of(text)) {
      ++number_;
      take(line);
    }
    for (auto& [section, names] : sections_) {
      for (auto& [name, value] : names) {
        const auto end = value.find_last_not_of(" \t\r\n\f\v");
        value.erase(end == std::string::npos ? 0 : end + 1);
      }
    }
    return std::move(sections_);
  }

 private:
  [[noreturn]] void fail(std::string_view reason) const {
    throw Error(tpuctl::Kind::failure, fmt::format("{}:{}: {}", path_, number_, reason),
                "Correct the file by hand; gcloud cannot read it either.");
  }

  void take(const std::string& line) {
    const std::string_view content = text::trim(line);
    if (content.starts_with('#') || content.starts_with(';')) return;
    if (content.empty()) {
      if (in_value_) value() += "\n";
      return;
    }
    const std::size_t indent = indent_of(line);
    if (in_value_ && indent > indent_) {
      value() += "\n" + std::string(content);
      return;
    }
    indent_ = indent;
    const auto close = content.rfind(']');
    if (content[0] == '[' && close != std::string_view::npos && close > 1) {
      open(std::string(content.substr(1, close - 1)));
    } else if (!in_section_) {
      fail("a [section] header is expected before the first property.");
    } else {
      add(content);
    }
  }

  void open(const std::string& name) {
    if (name != kDefault && !seen_.insert(name).second) fail(fmt::format("section [{}] is there twice.", name));
    auto found = find_row(sections_, name);
    section_ = static_cast<std::size_t>(found - sections_.begin());
    if (found == sections_.end()) sections_.emplace_back(name, Names{});
    in_section_ = true;
    in_value_ = false;
  }

  void add(std::string_view content) {
    const auto at = content.find_first_of("=:");
    if (at == std::string_view::npos) fail("neither a [section] header nor NAME = VALUE.");
    const std::string name = text::lower(text::trim(content.substr(0, at)));
    if (name.empty()) fail("a name is missing before the delimiter.");
    Names& names = sections_[section_].second;
    if (find_row(names, name) != names.end()) {
      fail(fmt::format("property [{}] is there twice in section [{}].", name, sections_[section_].first));
    }
    names.emplace_back(name, text::trim(content.substr(at + 1)));
    in_value_ = true;
  }

  std::string& value() { return sections_[section_].second.back().second; }

  const std::string& path_;
  std::vector<IniFile::Section> sections_;
  std::set<std::string> seen_;
  std::size_t section_ = 0;
  std::size_t indent_ = 0;
  int number_ = 0;
  bool in_section_ = false;
  bool in_value_ = false;
};

}  // namespace

IniFile IniFile::parse(std::string_view text, const std::string& path) {
  IniFile file;
  file.sections_ = Reader(path).run(text);
  try {
    file.resolved();
  } catch (const Error& error) {
    throw Error(error.kind, fmt::format("{}: {}", path, error.what()), error.hint);
  }
  return file;
}

const std::string* IniFile::raw(std::string_view section, std::string_view name) const {
  for (const std::string_view where : {section, kDefault}) {
    const auto found = find_row(sections_, where);
    if (found == sections_.end()) continue;
    const auto row = find_row(found->second, name);
    if (row != found->second.end()) return &row->second;
  }
  return nullptr;
}

std::string IniFile::resolve(std::string_view section, std::string_view text, int depth) const {
  constexpr int kDeepest = 10;
  auto fail = [](const std::string& reason) -> void {
    throw Error(tpuctl::Kind::failure, reason, "A plain percent sign is written %% in this file.");
  };
  if (depth > kDeepest) fail("a value refers to itself.");
  std::string out;
  while (!text.empty()) {
    const auto percent = text.find('%');
    out += text.substr(0, percent);
    if (percent == std::string_view::npos) break;
    text.remove_prefix(percent + 1);
    if (text.starts_with('%')) {
      out += '%';
      text.remove_prefix(1);
      continue;
    }
    const auto close = text.find(")s");
    if (!text.starts_with('(') || close == std::string_view::npos) {
      fail(fmt::format("'%' must be followed by '%' or '(' in section [{}].", section));
    }
    const std::string name = text::lower(text.substr(1, close - 1));
    const std::string* value = raw(section, name);
    if (!value) fail(fmt::format("%({})s names no property of section [{}].", name, section));
    out += resolve(section, *value, depth + 1);
    text.remove_prefix(close + 2);
  }
  return out;
}

std::optional<std::string> IniFile::get(std::string_view section, std::string_view name) const {
  if (find_row(sections_, section) == sections_.end()) return {};
  const std::string* value = raw(section, name);
  if (!value) return {};
  return resolve(section, *value, 0);
}

std::vector<IniFile::Section> IniFile::resolved() const {
  std::vector<Section> out;
  const auto common = find_row(sections_, kDefault);
  for (const auto& [section, names] : sections_) {
    if (section == kDefault) continue;
    Section merged{section, {}};
    if (common != sections_.end()) merged.second = common->second;
    for (const auto& [name, value] : names) {
      const auto there = find_row(merged.second, name);
      if (there != merged.second.end()) {
        there->second = value;
      } else {
        merged.second.emplace_back(name, value);
      }
    }
    for (auto& [name, value] : merged.second) value = resolve(section, value, 0);
    out.push_back(std::move(merged));
  }
  return out;
}

void IniFile::set(std::string_view section, std::string_view name, std::string_view value) {
  std::string text(value);
  if (text.find("%%") == std::string::npos) text = text::replace_all(text, "%", "%%");
  auto found = find_row(sections_, section);
  if (found == sections_.end()) found = sections_.insert(sections_.end(), {std::string(section), {}});
  const auto row = find_row(found->second, name);
  if (row != found->second.end()) {
    row->second = text;
  } else {
    found->second.emplace_back(name, text);
  }
}

bool IniFile::unset(std::string_view section, std::string_view name) {
  const auto found = find_row(sections_, section);
  if (found == sections_.end()) return false;
  const auto row = find_row(found->second, name);
  if (row == found->second.end()) return false;
  found->second.erase(row);
  return true;
}

std::string IniFile::print() const {
  std::string out;
  auto one = [&](const Section& section) {
    out += fmt::format("[{}]\n", section.first);
    for (const auto& [name, value] : section.second) {
      out += fmt::format("{} = {}\n", name, text::replace_all(value, "\n", "\n\t"));
    }
    out += "\n";
  };
  const auto common = find_row(sections_, kDefault);
  if (common != sections_.end() && !common->second.empty()) one(*common);
  for (const Section& section : sections_) {
    if (section.first != kDefault) one(section);
  }
  return out;
}

}  // namespace tpuctl::cli
