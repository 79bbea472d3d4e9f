// SPDX-License-Identifier: Apache-2.0
// Values as Python's str() writes them, which is what gcloud prints in a cell.
#include <fmt/format.h>

#include "base/text.hpp"
#include "cli/output/transforms.hpp"

namespace tpuctl::cli::output {

namespace {

std::string python_quoted(const std::string& text) {
  const char quote = text.find('\'') != std::string::npos && text.find('"') == std::string::npos ? '"' : '\'';
  std::string out(1, quote);
  for (const char c : text) {
    if (c == '\n') {
      out += "\\n";
    } else if (c == '\t') {
      out += "\\t";
    } else if (c == '\r') {
      out += "\\r";
    } else {
      if (c == quote || c == '\\') out += '\\';
      out += c;
    }
  }
  return out + quote;
}

std::string python_repr(const Json& value) {
  if (value.is_null()) return "None";
  if (value.is_string()) return python_quoted(value.text());
  if (!value.is_array() && !value.is_object()) return display(value);
  std::vector<std::string> parts;
  for (const Json& item : value.items()) parts.push_back(python_repr(item));
  for (const Json::Member& one : value.members()) {
    parts.push_back(fmt::format("{}: {}", python_quoted(one.name), python_repr(one.value)));
  }
  const std::string all = text::join(parts, ", ");
  return value.is_array() ? "[" + all + "]" : "{" + all + "}";
}

}  // namespace

std::string display(const Json& value) {
  if (value.is_null()) return "";
  if (value.is_bool()) return value.boolean() ? "True" : "False";
  if (value.is_string() || value.is_number()) return value.text();
  return python_repr(value);
}

}  // namespace tpuctl::cli::output
