// SPDX-License-Identifier: Apache-2.0
#include "cli/args.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "cli/values.hpp"

namespace tpuctl::cli {

const std::vector<std::string>* Args::values(std::string_view flag) const {
  for (const Given& one : given) {
    if (one.flag->name == flag) return &one.values;
  }
  return nullptr;
}

const Flag* Args::row(std::string_view flag) const {
  for (const Flag& one : rows()) {
    if (one.name == flag) return &one;
  }
  for (const Flag& one : globals) {
    if (one.name == flag) return &one;
  }
  return nullptr;
}

bool Args::has(std::string_view flag) const { return values(flag) != nullptr; }

bool Args::has_value(std::string_view flag) const {
  if (has(flag)) return true;
  const Flag* found = row(flag);
  return found && !found->fallback.empty();
}

std::string Args::text(std::string_view flag) const {
  if (const auto* found = values(flag)) return found->back();
  const Flag* found = row(flag);
  return found ? std::string(found->fallback) : std::string();
}

std::optional<bool> Args::toggle(std::string_view flag) const {
  const std::string value = text(flag);
  if (value.empty()) return {};
  return value == "true";
}

bool Args::on(std::string_view flag) const { return toggle(flag).value_or(false); }

std::optional<std::int64_t> Args::integer(std::string_view flag) const { return text::parse_int(text(flag)); }

std::vector<std::string> Args::list(std::string_view flag) const {
  const Flag* found = row(flag);
  const auto* all = values(flag);
  if (found && found->kind == Kind::repeated && all) return *all;
  return split_list(text(flag));
}

Pairs Args::map(std::string_view flag) const { return split_map(text(flag)); }

std::vector<Pairs> Args::dicts(std::string_view flag) const {
  std::vector<Pairs> out;
  if (const auto* all = values(flag)) {
    for (const std::string& one : *all) out.push_back(split_map(one));
  }
  return out;
}

std::optional<Duration> Args::duration(std::string_view flag) const { return parse_duration(text(flag)); }

std::optional<TimePoint> Args::timestamp(std::string_view flag, TimePoint now) const {
  return parse_time(text(flag), now);
}

std::vector<std::string> Args::positionals(std::string_view name) const {
  for (const auto& [its_name, its_values] : given_positionals) {
    if (its_name == name) return its_values;
  }
  return {};
}

std::string Args::positional(std::string_view name) const {
  auto all = positionals(name);
  return all.empty() ? std::string() : std::move(all.front());
}

Json Args::typed_flags() const {
  Json out = Json::object();
  for (const Given& one : given) {
    std::string name(one.flag->name);
    std::replace(name.begin(), name.end(), '-', '_');
    out.member(name) = one.flag->kind == Kind::toggle ? Json(one.values.back() == "true") : Json(one.values.back());
  }
  return out;
}

namespace {
std::vector<std::string> all_words(const Args& args) {
  std::vector<std::string> out = args.program;
  out.insert(out.end(), args.path.begin(), args.path.end());
  return out;
}
}  // namespace

std::string Args::dotted() const { return text::join(all_words(*this), "."); }
std::string Args::typed() const { return text::join(all_words(*this), " "); }

std::vector<std::string_view> choice_names(std::string_view choices) {
  std::vector<std::string_view> out;
  while (!choices.empty()) {
    const auto comma = choices.find(',');
    std::string_view piece = choices.substr(0, comma);
    out.push_back(piece.substr(0, piece.find('=')));
    choices.remove_prefix(comma == std::string_view::npos ? choices.size() : comma + 1);
  }
  return out;
}

namespace {
std::string folded(std::string_view choice) {
  std::string out = text::lower(choice);
  std::replace(out.begin(), out.end(), '_', '-');
  return out;
}
}  // namespace

std::optional<std::string_view> find_choice(std::string_view choices, std::string_view text) {
  const std::string wanted = folded(text);
  for (const std::string_view name : choice_names(choices)) {
    if (folded(name) == wanted) return name;
  }
  return {};
}

std::string wire_choice(std::string_view choices, std::string_view listed) {
  for (const std::string& piece : text::split(choices, ',')) {
    const auto equals = piece.find('=');
    if (equals != std::string::npos && std::string_view(piece).substr(0, equals) == listed) {
      return piece.substr(equals + 1);
    }
  }
  std::string out = text::upper(listed);
  std::replace(out.begin(), out.end(), '-', '_');
  return out;
}

}  // namespace tpuctl::cli
