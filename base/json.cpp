// SPDX-License-Identifier: Apache-2.0
#include "base/json.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <stdexcept>

#include "base/error.hpp"

// A wrong call of RapidJSON must throw in release too, never be undefined.
#define RAPIDJSON_ASSERT(x) \
  if (!(x)) throw std::logic_error("rapidjson: " #x)
#define RAPIDJSON_HAS_STDSTRING 1
#include <rapidjson/error/en.h>
#include <rapidjson/prettywriter.h>
#include <rapidjson/reader.h>
#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

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

struct JsonReader : rapidjson::BaseReaderHandler<rapidjson::UTF8<>, JsonReader> {
  explicit JsonReader(int deepest) : max_depth(deepest) {}

  bool add(Json value) {
    if (open.empty()) {
      root = std::move(value);
    } else if (open.back().is_array()) {
      std::get<Json::Array>(open.back().value_).push_back(std::move(value));
    } else {
      std::get<Json::Object>(open.back().value_).push_back({std::move(names.back()), std::move(value)});
      names.pop_back();
    }
    return true;
  }
  bool begin(Json value) {
    if (static_cast<int>(open.size()) >= max_depth) return false;
    open.push_back(std::move(value));
    return true;
  }
  bool end() {
    Json value = std::move(open.back());
    open.pop_back();
    return add(std::move(value));
  }
  bool Null() { return add(Json()); }
  bool Bool(bool value) { return add(Json(value)); }
  bool RawNumber(const char* text, rapidjson::SizeType length, bool) {
    Json value;
    value.value_ = Json::Number{std::string(text, length)};
    return add(std::move(value));
  }
  bool String(const char* text, rapidjson::SizeType length, bool) { return add(Json(std::string(text, length))); }
  bool StartObject() { return begin(Json::object()); }
  bool Key(const char* text, rapidjson::SizeType length, bool) {
    names.emplace_back(text, length);
    return true;
  }
  bool EndObject(rapidjson::SizeType) { return end(); }
  bool StartArray() { return begin(Json::array()); }
  bool EndArray(rapidjson::SizeType) { return end(); }

  int max_depth;
  Json root;
  std::vector<Json> open;
  std::vector<std::string> names;
};

namespace {
rapidjson::ParseResult read(std::string_view text, int max_depth, Json& out) {
  JsonReader handler(max_depth);
  rapidjson::Reader reader;
  rapidjson::MemoryStream memory(text.data(), text.size());
  rapidjson::EncodedInputStream<rapidjson::UTF8<>, rapidjson::MemoryStream> stream(memory);
  constexpr unsigned kFlags = rapidjson::kParseIterativeFlag | rapidjson::kParseNumbersAsStringsFlag |
                              rapidjson::kParseValidateEncodingFlag;
  auto result = reader.Parse<kFlags>(stream, handler);
  if (result && stream.Tell() < text.size()) result.Set(rapidjson::kParseErrorDocumentRootNotSingular, stream.Tell());  // behind a NUL
  if (result) out = std::move(handler.root);
  return result;
}
}  // namespace

Json Json::parse(std::string_view text, int max_depth) {
  Json out;
  auto result = read(text, max_depth, out);
  if (result.Code() == rapidjson::kParseErrorTermination) {
    throw Error(Kind::failure, "The JSON text is nested deeper than " + std::to_string(max_depth) + " levels.");
  }
  if (!result) {
    throw Error(Kind::failure, std::string("The text is not valid JSON: ") + rapidjson::GetParseError_En(result.Code()) +
                                   " (at byte " + std::to_string(result.Offset()) + ")");
  }
  return out;
}

bool Json::try_parse(std::string_view text, Json& out) {
  if (read(text, 200, out)) return true;
  out = Json();
  return false;
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
  const std::string& digits = text();
  double out = 0;
  auto [end, ec] = std::from_chars(digits.data(), digits.data() + digits.size(), out);
  return ec == std::errc() && end == digits.data() + digits.size() && !digits.empty() ? out : fallback;
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

struct JsonPrinter {
  template <class Writer>
  static void write(Writer& out, const Json& value, bool sorted) {
    if (value.is_null()) {
      out.Null();
    } else if (value.is_bool()) {
      out.Bool(value.boolean());
    } else if (value.is_number()) {
      out.RawValue(value.text().data(), value.text().size(), rapidjson::kNumberType);
    } else if (value.is_string()) {
      out.String(value.text().data(), static_cast<rapidjson::SizeType>(value.text().size()));
    } else if (value.is_array()) {
      out.StartArray();
      for (const Json& item : value.items()) write(out, item, sorted);
      out.EndArray();
    } else {
      out.StartObject();
      std::vector<const Json::Member*> order;
      for (const Json::Member& member : value.members()) order.push_back(&member);
      if (sorted) {
        std::stable_sort(order.begin(), order.end(), [](auto* a, auto* b) { return a->name < b->name; });
      }
      for (const Json::Member* member : order) {
        out.Key(member->name.data(), static_cast<rapidjson::SizeType>(member->name.size()));
        write(out, member->value, sorted);
      }
      out.EndObject();
    }
  }
};

std::string Json::dump() const {
  rapidjson::StringBuffer buffer;
  rapidjson::Writer<rapidjson::StringBuffer> writer(buffer);
  JsonPrinter::write(writer, *this, false);
  return {buffer.GetString(), buffer.GetSize()};
}

std::string Json::pretty() const {
  rapidjson::StringBuffer buffer;
  rapidjson::PrettyWriter<rapidjson::StringBuffer> writer(buffer);
  writer.SetIndent(' ', 2);
  JsonPrinter::write(writer, *this, true);
  return {buffer.GetString(), buffer.GetSize()};
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
