// SPDX-License-Identifier: Apache-2.0
// JSON as a value. RapidJSON parses and prints (base/json_text.cpp only); this type is what the rest of the
// program holds: copyable, movable, members in the order they came, numbers as the text they came as, so
// that a 64-bit integer or 1e3 leaves exactly as it entered.
#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace tpuctl {

class Json {
 public:
  struct Member;
  using Array = std::vector<Json>;
  using Object = std::vector<Member>;

  Json();  ///< null
  Json(std::nullptr_t);
  Json(bool value);
  Json(int value);
  Json(std::int64_t value);
  Json(std::size_t value);
  Json(double value);
  Json(const char* value);
  Json(std::string value);
  Json(std::string_view value);
  Json(Array values);
  Json(std::initializer_list<Member> members);  ///< an object
  Json(const Json& other);
  Json(Json&& other) noexcept;
  Json& operator=(const Json& other);
  Json& operator=(Json&& other) noexcept;
  ~Json();

  static Json array() { return Json(Array{}); }
  static Json object();
  static Json strings(const std::vector<std::string>& values);

  /// Parses one document; blanks around it are fine. Throws Error{failure} with the offset when `text` is no
  /// JSON or is nested deeper than `max_depth` (bodies from the network are hostile).
  static Json parse(std::string_view text, int max_depth = 200);
  /// As parse, but an empty optional-like null plus false instead of a throw.
  static bool try_parse(std::string_view text, Json& out);
  /// As try_parse, for answers that hold a long list: the items of the document's member `list` are handed to `item` as
  /// they are read, and `out` gets the rest, without them. When `item` returns false nothing more is read, and the
  /// result is true. When the text turns out to be no JSON, the items before were handed out already.
  static bool try_parse(std::string_view text, std::string_view list, const std::function<bool(Json)>& item, Json& out);

  bool is_null() const { return value_.index() == 0; }
  bool is_bool() const { return std::holds_alternative<bool>(value_); }
  bool is_number() const { return std::holds_alternative<Number>(value_); }
  bool is_string() const { return std::holds_alternative<std::string>(value_); }
  bool is_array() const { return std::holds_alternative<Array>(value_); }
  bool is_object() const { return std::holds_alternative<Object>(value_); }
  /// null, "", [], {} and false are empty; 0 is not.
  bool empty() const;

  /// Reading never throws: a wrong type reads as the fallback.
  bool boolean(bool fallback = false) const;
  std::int64_t integer(std::int64_t fallback = 0) const;  ///< also from a string, as Google sends int64
  double number(double fallback = 0) const;
  const std::string& text() const;  ///< "" unless a string or a number
  std::string scalar() const;       ///< any scalar as text: true, 12, abc; "" for null and containers
  const Array& items() const;       ///< empty unless an array
  const Object& members() const;    ///< empty unless an object
  std::size_t size() const;         ///< items, members, or 0

  const Json* find(std::string_view key) const;      ///< member of this object, or nullptr
  const Json& operator[](std::string_view key) const;  ///< member, or a null
  const Json& operator[](std::size_t index) const;     ///< item, or a null
  const Json& at(std::string_view pointer) const;      ///< RFC 6901 pointer ("/a/0/b"), or a null

  Array& mutable_items();  ///< turns a null into an array; throws Error for other types
  Json& member(std::string_view key);  ///< made when absent; turns a null into an object
  void push(Json value) { mutable_items().push_back(std::move(value)); }
  /// Sets what the pointer names. Missing parents are made: an array where the next token is a number, else an
  /// object. Throws Error when a parent is a scalar.
  void set(std::string_view pointer, Json value);
  bool erase(std::string_view pointer);  ///< true when something was there

  std::string dump() const;  ///< one line, no blanks
  /// gcloud's JSON face: two blanks of indent, members sorted by name, non-ASCII kept, no newline at the end.
  std::string pretty() const;

  bool operator==(const Json& other) const;  ///< objects compare without regard to order

 private:
  struct Number {
    std::string text;
    bool operator==(const Number&) const = default;
  };
  friend struct JsonReader;
  friend struct JsonPrinter;
  std::variant<std::monostate, bool, Number, std::string, Array, Object> value_;
};

struct Json::Member {
  std::string name;
  Json value;
};

}  // namespace tpuctl
