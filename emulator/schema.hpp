// SPDX-License-Identifier: Apache-2.0
// The API's own word on requests, per version: which fields, types, enum values and query parameters there are. Written
// from the discovery documents (fields.cpp) and never from the command line's rows, so that a mistake there is refused
// here. Reads as leniently as protobuf JSON: snake_case names, integers as text, one message where a list is due.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/json.hpp"

namespace tpuctl::emulator {

enum class Since { both, ga, alpha };  ///< v2 and v2alpha1 · v2 alone · v2alpha1 alone

struct MessageRow {
  const char* name;
  Since since;
  const char* fields;
};
struct EnumRow {
  const char* name;
  Since since;
  const char* values;
};
struct QueryRow {
  const char* method;  ///< "VERB COLLECTION"
  Since since;
  const char* parameters;
};
extern const MessageRow kMessages[];
extern const std::size_t kMessageCount;
extern const EnumRow kEnums[];
extern const std::size_t kEnumCount;
extern const char* const kAnyQuery;
extern const QueryRow kQueries[];
extern const std::size_t kQueryCount;

class Schema {
 public:
  /// v1 counts as v2.
  static const Schema& of(std::string_view version);

  /// The message with field names in camelCase, numbers for enums as names, output-only fields and nulls gone. Throws
  /// ApiError 400 with a field violation for what the API does not know. `where` is how the message is called in
  /// violations ("node").
  Json read(std::string_view message, const Json& value, const std::string& where) const;

  /// A document as this version shows it: fields of other versions, defaults (false, 0, "", []) and nulls are left out.
  Json show(std::string_view message, const Json& value) const;

  /// Parameter names in camelCase. Throws ApiError 400 for one that the method ("create nodes") does not have.
  std::vector<std::pair<std::string, std::string>> query(
      const std::string& method, const std::vector<std::pair<std::string, std::string>>& given) const;

 private:
  struct Field {
    std::string type;
    bool repeated = false;
    bool output_only = false;
  };
  using Fields = std::map<std::string, Field, std::less<>>;

  explicit Schema(bool alpha);
  Json read_field(const Field& field, const Json& value, const std::string& where) const;
  Json read_one(const std::string& type, const Json& value, const std::string& where) const;
  Json read_enum(const std::string& name, const Json& value, const std::string& where) const;

  std::map<std::string, Fields, std::less<>> messages_;
  std::map<std::string, std::vector<std::string>> enums_;
  std::map<std::string, std::vector<std::string>> queries_;
};

}  // namespace tpuctl::emulator
