// SPDX-License-Identifier: Apache-2.0
#include "base/json.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "base/error.hpp"
#include "base/text.hpp"

namespace tpuctl {

namespace {
const Json kNull;
const std::string kEmpty;
const Json::Array kNoItems;
const Json::Object kNoMembers;

std::vector<std::string> tokens(std::string_view pointer) {
  std::vector<std::string> out;
  std::size_t at = 0;
  while (at < pointer.size()) {
    std::size_t next = pointer.find('/', at + 1);
    if (next == std::string_view::npos) next = pointer.size();
    std::string token;
    for (std::size_t i = at + 1; i < next; ++i) {
      if (pointer[i] == '~' && i + 1 < next) {
        token += pointer[++i] == '1' ? '/' : '~';
      } else {
        token += pointer[i];
      }
    }
    out.push_back(std::move(token));
    at = next;
  }
  return out;
}

bool as_index(const std::string& token, std::size_t& index) {
  auto [end, ec] = std::from_chars(token.data(), token.data() + token.size(), index);
  return ec == std::errc() && end == token.data() + token.size();
}
}  // namespace

Json::Json() = default;
Json::Json(std::nullptr_t) {}
Json::Json(bool value) : value_(value) {}
Json::Json(int value) : value_(Number{std::to_string(value)}) {}
Json::Json(std::int64_t value) : value_(Number{std::to_string(value)}) {}
Json::Json(std::size_t value) : value_(Number{std::to_string(value)}) {}
Json::Json(double value) {
  char buffer[32];
  auto [end, ec] = std::to_chars(buffer, buffer + sizeof buffer, value);
  value_ = Number{ec == std::errc() ? std::string(buffer, end) : "0"};
}
Json::Json(const char* value) : value_(std::string(value)) {}
Json::Json(std::string value) : value_(std::move(value)) {}
Json::Json(std::string_view value) : value_(std::string(value)) {}
Json::Json(Array values) : value_(std::move(values)) {}
Json::Json(std::initializer_list<Member> members) : value_(Object(members)) {}
Json::Json(const Json& other) = default;
Json::Json(Json&& other) noexcept = default;
Json& Json::operator=(const Json& other) = default;
Json& Json::operator=(Json&& other) noexcept = default;
Json::~Json() = default;

Json Json::object() {
  Json out;
  out.value_ = Object{};
  return out;
}

Json Json::strings(const std::vector<std::string>& values) {
  return Json(Array(values.begin(), values.end()));
}

bool Json::empty() const {
  if (is_bool()) return !std::get<bool>(value_);
  if (is_string()) return std::get<std::string>(value_).empty();
  if (is_number()) return false;
  return size() == 0;
}

bool Json::boolean(bool fallback) const { return is_bool() ? std::get<bool>(value_) : fallback; }

std::int64_t Json::integer(std::int64_t fallback) const {
  const std::string& digits = text();
  std::int64_t out = 0;
  auto [end, ec] = std::from_chars(digits.data(), digits.data() + digits.size(), out);
  if (ec == std::errc() && end == digits.data() + digits.size() && !digits.empty()) return out;
  const double value = is_number() ? number(std::nan("")) : std::nan("");
  return value >= -0x1p63 && value < 0x1p63 ? static_cast<std::int64_t>(value) : fallback;
}

double Json::number(double fallback) const {
  const auto out = text::parse_number(text());
  return out && std::isfinite(*out) ? *out : fallback;
}

const std::string& Json::text() const {
  if (is_string()) return std::get<std::string>(value_);
  if (is_number()) return std::get<Number>(value_).text;
  return kEmpty;
}

std::string Json::scalar() const {
  if (is_bool()) return std::get<bool>(value_) ? "true" : "false";
  return text();
}

const Json::Array& Json::items() const { return is_array() ? std::get<Array>(value_) : kNoItems; }
const Json::Object& Json::members() const { return is_object() ? std::get<Object>(value_) : kNoMembers; }
std::size_t Json::size() const { return is_array() ? items().size() : members().size(); }

const Json* Json::find(std::string_view key) const {
  for (const Member& member : members()) {
    if (member.name == key) return &member.value;
  }
  return nullptr;
}

const Json& Json::operator[](std::string_view key) const {
  const Json* found = find(key);
  return found ? *found : kNull;
}

const Json& Json::operator[](std::size_t index) const { return index < items().size() ? items()[index] : kNull; }

const Json& Json::at(std::string_view pointer) const {
  const Json* here = this;
  for (const std::string& token : tokens(pointer)) {
    std::size_t index = 0;
    if (here->is_array()) {
      here = as_index(token, index) ? &(*here)[index] : &kNull;
    } else {
      here = &(*here)[token];
    }
  }
  return *here;
}

Json::Array& Json::mutable_items() {
  if (is_null()) value_ = Array{};
  if (!is_array()) throw Error(Kind::failure, "A JSON array was expected.");
  return std::get<Array>(value_);
}

Json& Json::member(std::string_view key) {
  if (is_null()) value_ = Object{};
  if (!is_object()) throw Error(Kind::failure, "A JSON object was expected.");
  auto& members = std::get<Object>(value_);
  for (Member& member : members) {
    if (member.name == key) return member.value;
  }
  members.push_back({std::string(key), Json()});
  return members.back().value;
}

void Json::set(std::string_view pointer, Json value) {
  Json* here = this;
  for (const std::string& token : tokens(pointer)) {
    std::size_t index = 0;
    if (as_index(token, index) && !here->is_object()) {
      auto& items = here->mutable_items();
      if (items.size() <= index) items.resize(index + 1);
      here = &items[index];
    } else {
      here = &here->member(token);
    }
  }
  *here = std::move(value);
}

bool Json::erase(std::string_view pointer) {
  auto path = tokens(pointer);
  if (path.empty()) return false;
  Json* here = this;
  for (std::size_t i = 0; i < path.size(); ++i) {
    const bool last = i + 1 == path.size();
    std::size_t index = 0;
    if (here->is_array()) {
      auto& items = std::get<Array>(here->value_);
      if (!as_index(path[i], index) || index >= items.size()) return false;
      if (last) {
        items.erase(items.begin() + static_cast<std::ptrdiff_t>(index));
        return true;
      }
      here = &items[index];
    } else if (here->is_object()) {
      auto& members = std::get<Object>(here->value_);
      auto found = std::find_if(members.begin(), members.end(), [&](const Member& m) { return m.name == path[i]; });
      if (found == members.end()) return false;
      if (last) {
        members.erase(found);
        return true;
      }
      here = &found->value;
    } else {
      return false;
    }
  }
  return false;
}

bool Json::operator==(const Json& other) const {
  if (value_.index() != other.value_.index()) return false;
  if (is_object()) {
    if (size() != other.size()) return false;
    return std::all_of(members().begin(), members().end(), [&](const Member& member) {
      const Json* theirs = other.find(member.name);
      return theirs && *theirs == member.value;
    });
  }
  if (is_array()) return items() == other.items();
  if (is_bool()) return boolean() == other.boolean();
  return text() == other.text();
}

}  // namespace tpuctl
