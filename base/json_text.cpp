// SPDX-License-Identifier: Apache-2.0
// Reading and printing JSON: the one file that sees RapidJSON.
#include <algorithm>
#include <cstring>
#include <stdexcept>

#include "base/error.hpp"
#include "base/json.hpp"
#include "base/utf8.hpp"

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
constexpr int kDeepest = 200;
}  // namespace

struct JsonReader : rapidjson::BaseReaderHandler<rapidjson::UTF8<>, JsonReader> {
  explicit JsonReader(int deepest) : max_depth(deepest) {}

  bool add(Json value) {
    if (item && open.size() == 2 && streaming) {
      stopped = !(*item)(std::move(value));
      return !stopped;
    }
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
  // The reader checks bytes, but lets a low surrogate through that stands alone ("\ude00"): what it makes of it is no UTF-8.
  static bool is_text(const char* text, rapidjson::SizeType length) {
    return !std::memchr(text, 0xED, length) || utf8::is_valid({text, length});
  }
  bool String(const char* text, rapidjson::SizeType length, bool) { return is_text(text, length) && add(Json(std::string(text, length))); }
  bool StartObject() { return begin(Json::object()); }
  bool Key(const char* text, rapidjson::SizeType length, bool) {
    if (!is_text(text, length)) return false;
    names.emplace_back(text, length);
    return true;
  }
  bool EndObject(rapidjson::SizeType) { return end(); }
  bool StartArray() {
    if (item && open.size() == 1 && open[0].is_object()) streaming = names.back() == list;
    return begin(Json::array());
  }
  bool EndArray(rapidjson::SizeType) {
    if (open.size() == 2) streaming = false;
    return end();
  }

  int max_depth;
  std::string_view list;                            ///< member of the document whose items are handed out
  const std::function<bool(Json)>* item = nullptr;  ///< gets them
  bool streaming = false;                           ///< the open array of the document is that member
  bool stopped = false;                             ///< by `item`
  Json root;
  std::vector<Json> open;
  std::vector<std::string> names;
};

namespace {
rapidjson::ParseResult read(std::string_view text, JsonReader& handler, Json& out) {
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
  JsonReader handler(max_depth);
  auto result = read(text, handler, out);
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
  JsonReader handler(kDeepest);
  if (read(text, handler, out)) return true;
  out = Json();
  return false;
}

bool Json::try_parse(std::string_view text, std::string_view list, const std::function<bool(Json)>& item, Json& out) {
  JsonReader handler(kDeepest);
  handler.list = list;
  handler.item = &item;
  out = Json();
  return read(text, handler, out) || handler.stopped;
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

}  // namespace tpuctl
