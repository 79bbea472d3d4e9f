// SPDX-License-Identifier: Apache-2.0
#include "cli/output/keys.hpp"

#include <algorithm>
#include <cctype>
#include <span>

#include "base/text.hpp"
#include "cli/output/display.hpp"

namespace tpuctl::cli::output {

namespace {

const Json kNothing;

std::string camel_case(std::string_view snake) {
  std::string out;
  bool start = false;
  for (const char c : snake) {
    if (c == '_') {
      start = true;
      continue;
    }
    const auto letter = static_cast<unsigned char>(c);
    out += static_cast<char>(start ? std::toupper(letter) : letter);
    start = false;
  }
  return out;
}

const Json* member(const Json& object, const std::string& name) {
  if (const Json* found = object.find(name)) return found;
  if (name.find('_') != std::string::npos) {
    if (const Json* found = object.find(camel_case(name))) return found;
  }
  const bool capitals = std::any_of(name.begin(), name.end(), [](unsigned char c) { return std::isupper(c) != 0; });
  return capitals ? object.find(snake_case(name)) : nullptr;
}

// The item of [{"key": K, "value": V}, ...] for K, the way Compute Engine writes metadata.
const Json* metadata_value(const Json& list, std::string_view name) {
  for (const Json& item : list.items()) {
    if (!item.is_object()) return nullptr;
    if (item["key"].is_string() && item["key"].text() == name) return item.find("value");
  }
  return nullptr;
}

using Rest = std::span<const Step>;
const Json& walk(const Json& from, Rest key, Json& made);

const Json& each_item(const Json& from, Rest key, Json& made) {
  Json list = Json::array();
  auto add = [&](const Json& item) {
    Json scratch;
    list.push(walk(item, key, scratch));
  };
  for (const Json& item : from.items()) add(item);
  for (const Json::Member& one : from.members()) add(one.value);
  made = std::move(list);
  return made;
}

// The first item in which `name` has the value that the next step names; a [] stands for an item without it.
const Json* item_with(const Json& list, const std::string& name, const Step& wanted) {
  for (const Json& item : list.items()) {
    if (!item.is_object()) return nullptr;
    const Json& value = item[name];
    if (wanted.what == Step::slice && value.is_null()) return &item;
    if (wanted.what == Step::name && value.is_string() && value.text() == wanted.text) return &item;
    if (wanted.what == Step::index && value.is_number() && value.number() == static_cast<double>(wanted.number))
      return &item;
  }
  return nullptr;
}

const Json& name_in_list(const Json& list, Rest key, Json& made) {
  if (list.size() == 0 || !list.items()[0].is_object()) return kNothing;
  const std::string& name = key.front().text;
  if (key.size() > 1) {
    if (const Json* item = item_with(list, name, key[1])) return walk(*item, key.subspan(2), made);
  } else if (const Json* value = metadata_value(list, name); value && !value->is_null()) {
    return *value;
  }
  if (list.items()[0].find(name)) return each_item(list, key, made);
  Json some = Json::array();
  for (const Json& item : list.items()) {
    if (truthy(item[name])) some.push(item[name]);
  }
  if (some.size() == 0) return kNothing;
  made = std::move(some);
  return made;
}

// "abc"[0], and the characters of a text one by one.
const Json& in_text(const std::string& text, const Step& step, Rest rest, Json& made) {
  if (step.what == Step::name) return kNothing;
  const std::u32string points = code_points(text);
  if (step.what == Step::slice) {
    Json list = Json::array();
    for (const char32_t c : points) list.push(utf8(std::u32string_view(&c, 1)));
    return each_item(Json(std::move(list)), rest, made);
  }
  const auto size = static_cast<std::int64_t>(points.size());
  if (step.number < -size || step.number >= size) return kNothing;
  const char32_t c = points[static_cast<std::size_t>(step.number < 0 ? step.number + size : step.number)];
  if (!rest.empty() && rest.front().what == Step::name) return kNothing;
  made = Json(utf8(std::u32string_view(&c, 1)));
  return made;
}

const Json& in_object(const Json& object, Rest key, Json& made) {
  const Step& step = key.front();
  const Json* found = step.what == Step::name ? member(object, step.text) : nullptr;
  if (found) return walk(*found, key.subspan(1), made);
  if (const Json* items = object.find("items"); items && step.what == Step::name) {
    const Json* value = metadata_value(*items, step.text);
    if (!value) return kNothing;
    if (key.size() == 1) return *value;
    // What a metadata value holds may be JSON itself.
    Json inner;
    if (value->is_string() && Json::try_parse(value->text(), inner)) {
      Json scratch;
      Json copy = walk(inner, key.subspan(1), scratch);
      made = std::move(copy);
      return made;
    }
    return walk(*value, key.subspan(1), made);
  }
  return kNothing;
}

const Json& walk(const Json& from, Rest key, Json& made) {
  if (key.empty()) return from;
  const Step& step = key.front();
  const Rest rest = key.subspan(1);
  if (step.what == Step::slice && rest.empty()) {
    return from.is_array() || from.is_object() || from.is_string() ? from : kNothing;
  }
  if (from.is_string()) return in_text(from.text(), step, rest, made);
  if (!from.is_array() && !from.is_object()) return kNothing;
  if (step.what == Step::slice) return each_item(from, rest, made);
  if (from.is_object()) return in_object(from, key, made);
  if (step.what == Step::name) return name_in_list(from, key, made);
  const auto size = static_cast<std::int64_t>(from.size());
  const std::int64_t at = step.number < 0 ? step.number + size : step.number;
  if (at < 0 || at >= size) return kNothing;
  return walk(from.items()[static_cast<std::size_t>(at)], rest, made);
}

// The place inside `resource` that `key` names, or nullptr.
Json* place(Json& resource, Rest key) {
  Json* at = &resource;
  for (const Step& step : key) {
    if (step.what == Step::name && at->is_object()) {
      const Json* found = member(*at, step.text);
      const auto& members = at->members();
      const auto one =
          std::find_if(members.begin(), members.end(), [&](const Json::Member& m) { return &m.value == found; });
      if (one == members.end()) return nullptr;
      at = &at->member(one->name);
    } else if (step.what == Step::index && at->is_array()) {
      const auto size = static_cast<std::int64_t>(at->size());
      const std::int64_t index = step.number < 0 ? step.number + size : step.number;
      if (index < 0 || index >= size) return nullptr;
      at = &at->mutable_items()[static_cast<std::size_t>(index)];
    } else {
      return nullptr;
    }
  }
  return at;
}

}  // namespace

const Json& get(const Json& resource, const Key& key, Json& made) { return walk(resource, key, made); }

std::vector<Json> flatten(Json resource, const Key& key) {
  Json made;
  const Json& found = get(resource, key, made);
  std::vector<Json> out;
  if (!found.is_array()) {
    out.emplace_back(found);
    return out;
  }
  const Json items = found;
  Json* target = key.empty() ? nullptr : place(resource, Rest(key).first(key.size() - 1));
  for (const Json& item : items.items()) {
    if (target && target->is_object() && key.back().what == Step::name) target->member(key.back().text) = item;
    Json* spot = target && key.back().what == Step::index ? place(resource, key) : nullptr;
    if (spot) *spot = item;
    out.push_back(resource);
  }
  return out;
}

std::string snake_case(std::string_view camel) {
  auto is = [&](std::size_t i, int (*kind)(int)) {
    return i < camel.size() && kind(static_cast<unsigned char>(camel[i])) != 0;
  };
  std::string out;
  for (std::size_t i = 0; i < camel.size(); ++i) {
    // A word begins with a capital before a small letter, and with capitals behind a small letter or digit that end the
    // name or are followed by such a word.
    bool begins = i > 0 && is(i, std::isupper) && is(i + 1, std::islower);
    if (i > 0 && is(i, std::isupper) && (is(i - 1, std::islower) || is(i - 1, std::isdigit))) {
      std::size_t end = i;
      while (is(end, std::isupper)) ++end;
      begins = begins || end == camel.size() || (is(end, std::islower) && end - i > 1);
    }
    if (begins) out += '_';
    out += static_cast<char>(std::tolower(static_cast<unsigned char>(camel[i])));
  }
  return out;
}

Key resolve_alias(Key key, const Aliases& aliases) {
  if (key.empty() || key[0].what != Step::name) return key;
  for (auto alias = aliases.rbegin(); alias != aliases.rend(); ++alias) {
    if (alias->first != key[0].text) continue;
    Key whole = alias->second;
    whole.insert(whole.end(), key.begin() + 1, key.end());
    return whole;
  }
  return key;
}

}  // namespace tpuctl::cli::output
