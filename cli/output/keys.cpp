// SPDX-License-Identifier: Apache-2.0
#include "cli/output/keys.hpp"

#include <cctype>
#include <span>

#include "base/text.hpp"

namespace tpuctl::cli::output {

namespace {

const Json kNothing;

std::string camel_case(std::string_view snake) {
  std::string out;
  for (std::size_t i = 0; i < snake.size(); ++i) {
    if (snake[i] == '_' && i + 1 < snake.size()) {
      out += static_cast<char>(std::toupper(static_cast<unsigned char>(snake[++i])));
    } else {
      out += snake[i];
    }
  }
  return out;
}

const Json* member(const Json& object, const std::string& name) {
  if (const Json* found = object.find(name)) return found;
  if (const Json* found = object.find(camel_case(name))) return found;
  return object.find(snake_case(name));
}

// [{"key": K, "value": V}, ...] read as an object, the way Compute Engine writes metadata.
const Json* metadata_value(const Json& list, const std::string& name) {
  for (const Json& item : list.items()) {
    if (item["key"].is_string() && item["key"].text() == name && item.find("value")) return item.find("value");
  }
  return nullptr;
}

using Rest = std::span<const Step>;
const Json& walk(const Json& from, Rest key, Json& made);

const Json& each_item(const Json& from, Rest key, Json& made) {
  Json list = Json::array();
  for (const Json& item : from.items()) {
    Json scratch;
    list.push(walk(item, key, scratch));
  }
  for (const Json::Member& one : from.members()) {
    Json scratch;
    list.push(walk(one.value, key, scratch));
  }
  made = std::move(list);
  return made;
}

const Json& name_in_list(const Json& list, Rest key, Json& made) {
  if (list.size() == 0 || !list[0].is_object()) return kNothing;
  const std::string& name = key.front().text;
  if (const Json* value = metadata_value(list, name)) return walk(*value, key.subspan(1), made);
  bool known = false;
  for (const Json& item : list.items()) known = known || member(item, name) != nullptr;
  if (!known) return kNothing;
  return each_item(list, key, made);
}

const Json& walk(const Json& from, Rest key, Json& made) {
  if (key.empty()) return from;
  const Step& step = key.front();
  const Rest rest = key.subspan(1);
  if (step.what == Step::slice) {
    if (!from.is_array() && !from.is_object()) return kNothing;
    return rest.empty() ? from : each_item(from, rest, made);
  }
  if (from.is_object()) {
    const Json* found = step.what == Step::name ? member(from, step.text) : from.find(std::to_string(step.number));
    return found ? walk(*found, rest, made) : kNothing;
  }
  if (!from.is_array()) return kNothing;
  if (step.what == Step::name) return name_in_list(from, key, made);
  const auto size = static_cast<std::int64_t>(from.size());
  const std::int64_t at = step.number < 0 ? step.number + size : step.number;
  if (at < 0 || at >= size) return kNothing;
  return walk(from[static_cast<std::size_t>(at)], rest, made);
}

// The member that `key` names inside a copy, made when absent.
Json* slot(Json& resource, const Key& key) {
  Json* at = &resource;
  for (const Step& step : key) {
    if (step.what == Step::name && at->is_object()) {
      const Json* found = member(*at, step.text);
      at = found ? &at->member([&] {
        for (const Json::Member& one : at->members()) {
          if (&one.value == found) return std::string_view(one.name);
        }
        return std::string_view(step.text);
      }())
                 : nullptr;
    } else if (step.what == Step::index && at->is_array()) {
      const auto index = static_cast<std::size_t>(step.number);
      at = index < at->size() ? &at->mutable_items()[index] : nullptr;
    } else {
      at = nullptr;
    }
    if (!at) return nullptr;
  }
  return at;
}

}  // namespace

const Json& get(const Json& resource, const Key& key, Json& made) { return walk(resource, key, made); }

std::vector<Json> flatten(const Json& resource, const Key& key) {
  Json made;
  const Json& found = get(resource, key, made);
  std::vector<Json> parts;
  for (const Json& item : found.items()) parts.push_back(item);
  for (const Json::Member& one : found.members()) parts.push_back(Json{{one.name, one.value}});
  if (!found.is_array() && !found.is_object() && !found.is_null()) parts.push_back(found);
  std::vector<Json> out;
  for (Json& part : parts) {
    Json copy = resource;
    if (Json* place = slot(copy, key)) *place = std::move(part);
    out.push_back(std::move(copy));
  }
  return out;
}

std::string snake_case(std::string_view camel) {
  std::string out;
  auto lower = [&](std::size_t i) { return i < camel.size() && std::islower(static_cast<unsigned char>(camel[i])); };
  auto digit = [&](std::size_t i) { return i < camel.size() && std::isdigit(static_cast<unsigned char>(camel[i])); };
  for (std::size_t i = 0; i < camel.size(); ++i) {
    const bool upper = std::isupper(static_cast<unsigned char>(camel[i])) != 0;
    if (upper && i > 0 && (lower(i - 1) || digit(i - 1) || lower(i + 1))) out += '_';
    out += static_cast<char>(std::tolower(static_cast<unsigned char>(camel[i])));
  }
  return out;
}

}  // namespace tpuctl::cli::output
