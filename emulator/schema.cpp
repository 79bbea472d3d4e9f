// SPDX-License-Identifier: Apache-2.0
#include "emulator/schema.hpp"

#include <algorithm>
#include <cctype>

#include "base/text.hpp"
#include "base/time.hpp"
#include "emulator/api_error.hpp"
#include "emulator/protojson.hpp"

namespace tpuctl::emulator {

namespace {
bool holds(Since since, bool alpha) { return since == Since::both || (since == Since::alpha) == alpha; }

bool contains(const std::vector<std::string>& list, std::string_view word) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

ApiError bad_value(const std::string& where, const char* type, const Json& value) {
  return bad_field(where, "Invalid value at '" + where + "' (" + type + "), " + value.dump());
}

bool is_integer(const Json& value) {
  return (value.is_number() || value.is_string()) && text::parse_int(value.text()).has_value();
}

/// google.protobuf.Duration: seconds with at most nine digits of fraction, and an s.
bool is_duration(const std::string& text) {
  std::size_t at = !text.empty() && text[0] == '-' ? 1 : 0;
  const std::size_t start = at;
  auto digits = [&] {
    const std::size_t from = at;
    while (at < text.size() && std::isdigit(static_cast<unsigned char>(text[at])) != 0) ++at;
    return at - from;
  };
  if (digits() == 0 || at - start > 12) return false;
  if (at < text.size() && text[at] == '.') {
    ++at;
    const auto fraction = digits();
    if (fraction == 0 || fraction > 9) return false;
  }
  return at + 1 == text.size() && text[at] == 's';
}
}  // namespace

Schema::Schema(bool alpha) {
  for (std::size_t i = 0; i < kMessageCount; ++i) {
    if (!holds(kMessages[i].since, alpha)) continue;
    Fields& fields = messages_[kMessages[i].name];
    for (const std::string& word : text::split(kMessages[i].fields, ' ')) {
      const auto colon = word.find(':');
      Field field;
      field.type = word.substr(colon + 1);
      field.repeated = field.type[0] == '*';
      if (field.repeated) field.type.erase(0, 1);
      field.output_only = field.type.back() == '!';
      if (field.output_only) field.type.pop_back();
      fields[word.substr(0, colon)] = field;
    }
  }
  auto add = [](std::vector<std::string>& list, const char* words) {
    for (std::string& word : text::split(words, ' ')) list.push_back(std::move(word));
  };
  for (std::size_t i = 0; i < kEnumCount; ++i) {
    if (holds(kEnums[i].since, alpha)) add(enums_[kEnums[i].name], kEnums[i].values);
  }
  for (std::size_t i = 0; i < kQueryCount; ++i) {
    if (holds(kQueries[i].since, alpha)) add(queries_[kQueries[i].method], kQueries[i].parameters);
  }
}

const Schema& Schema::of(std::string_view version) {
  static const Schema ga(false);
  static const Schema alpha(true);
  return version == "v2alpha1" ? alpha : ga;
}

Json Schema::read(std::string_view message, const Json& value, const std::string& where) const {
  if (!value.is_object()) throw bad_field(where, "Invalid value at '" + where + "', " + value.dump());
  const Fields& fields = messages_.find(message)->second;
  Json out = Json::object();
  for (const auto& [given, member] : value.members()) {
    auto found = fields.find(given);
    if (found == fields.end()) found = fields.find(camel_case(given));
    if (found == fields.end()) {
      throw bad_field(where, "Invalid JSON payload received. Unknown name \"" + given + "\" at '" + where +
                                 "': Cannot find field.");
    }
    if (member.is_null()) continue;
    const auto& [name, field] = *found;
    Json read = read_field(field, member, where + "." + snake_case(name));
    if (!field.output_only) out.member(name) = std::move(read);
  }
  return out;
}

Json Schema::read_field(const Field& field, const Json& value, const std::string& where) const {
  if (!field.repeated) return read_one(field.type, value, where);
  Json out = Json::array();
  const bool message = messages_.count(field.type) != 0;
  if (!value.is_array() && !(message && value.is_object())) throw bad_value(where, "list", value);
  if (!value.is_array()) {
    out.push(read_one(field.type, value, where + "[0]"));
    return out;
  }
  for (std::size_t i = 0; i < value.size(); ++i) {
    out.push(read_one(field.type, value[i], where + "[" + std::to_string(i) + "]"));
  }
  return out;
}

Json Schema::read_one(const std::string& type, const Json& value, const std::string& where) const {
  if (type.rfind("e:", 0) == 0) return read_enum(type.substr(2), value, where);
  if (type.size() > 1) return read(type, value, where);
  switch (type[0]) {
    case 's':
      if (!value.is_string()) throw bad_value(where, "TYPE_STRING", value);
      return value;
    case 'b':
      if (!value.is_bool()) throw bad_value(where, "TYPE_BOOL", value);
      return value;
    case 'i':
      if (!is_integer(value)) throw bad_value(where, "TYPE_INT32", value);
      return value.integer();
    case 't':
      if (!value.is_string() || !parse_rfc3339(value.text())) {
        throw bad_value(where, "type.googleapis.com/google.protobuf.Timestamp", value);
      }
      return value;
    case 'D':
      if (!value.is_string() || !is_duration(value.text())) {
        throw bad_value(where, "type.googleapis.com/google.protobuf.Duration", value);
      }
      return value;
    case 'm':
      if (!value.is_object()) throw bad_value(where, "map of strings", value);
      for (const auto& [name, text] : value.members()) {
        if (!text.is_string()) throw bad_value(where + "[" + name + "].value", "TYPE_STRING", text);
      }
      return value;
    default:
      if (!value.is_object()) throw bad_field(where, "Invalid value at '" + where + "', " + value.dump());
      return value;
  }
}

Json Schema::read_enum(const std::string& name, const Json& value, const std::string& where) const {
  const auto& values = enums_.at(name);
  if (value.is_string() && contains(values, value.text())) return value;
  if (value.is_number() && value.integer(-1) >= 0 && value.integer() < static_cast<std::int64_t>(values.size())) {
    return values[static_cast<std::size_t>(value.integer())];
  }
  throw bad_value(where, "TYPE_ENUM", value);
}

namespace {
bool is_default(const Json& value) {
  if (value.is_object()) return false;  // an empty message is still there
  return value.empty() || (value.is_number() && value.text() == "0");
}
}  // namespace

Json Schema::show(std::string_view message, const Json& value) const {
  const auto known = messages_.find(message);
  if (known == messages_.end() || !value.is_object()) return value;
  Json out = Json::object();
  for (const auto& [name, member] : value.members()) {
    const auto field = known->second.find(name);
    if (field == known->second.end() || is_default(member)) continue;
    if (field->second.type == "m" && member.size() == 0) continue;
    if (!field->second.repeated) {
      out.member(name) = show(field->second.type, member);
      continue;
    }
    Json list = Json::array();
    for (const Json& item : member.items()) list.push(show(field->second.type, item));
    out.member(name) = std::move(list);
  }
  return out;
}

std::vector<std::pair<std::string, std::string>> Schema::query(
    const std::string& method, const std::vector<std::pair<std::string, std::string>>& given) const {
  static const std::vector<std::string> any = text::split(kAnyQuery, ' ');
  const auto own = queries_.find(method);
  std::vector<std::pair<std::string, std::string>> out;
  for (const auto& [name, value] : given) {
    if (contains(any, name)) continue;
    const std::string camel = camel_case(name);
    if (own == queries_.end() || !contains(own->second, camel)) {
      throw bad_field(name, "Invalid JSON payload received. Unknown name \"" + name +
                                "\": Cannot bind query parameter. Field '" + name +
                                "' could not be found in request message.");
    }
    if (camel == "pageSize" && !text::parse_int(value)) throw bad_value("page_size", "TYPE_INT32", value);
    if (camel == "force" && text::lower(value) != "true" && text::lower(value) != "false") {
      throw bad_value("force", "TYPE_BOOL", value);
    }
    out.emplace_back(camel, value);
  }
  return out;
}

}  // namespace tpuctl::emulator
