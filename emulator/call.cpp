// SPDX-License-Identifier: Apache-2.0
#include "emulator/call.hpp"

#include "base/text.hpp"
#include "emulator/api_error.hpp"
#include "emulator/protojson.hpp"

namespace tpuctl::emulator {

namespace {
std::string form_decode(std::string_view text) {
  return text::percent_decode(text::replace_all(std::string(text), "+", " "));
}
}  // namespace

Call::Call(const api::Request& source) : method(source.method), request(&source) {
  std::string_view url = source.url;
  std::size_t start = 0;
  if (const auto scheme = url.find("://"); scheme != std::string_view::npos) {
    start = url.find_first_of("/?", scheme + 3);
    if (start == std::string_view::npos) start = url.size();
  }
  origin = std::string(url.substr(0, start));
  std::string_view rest = url.substr(start);
  rest = rest.substr(0, rest.find('#'));
  const auto mark = rest.find('?');
  path = std::string(rest.substr(0, mark));
  if (path.empty() || path[0] != '/') path.insert(0, "/");
  for (const std::string& segment : text::split(std::string_view(path).substr(1), '/')) {
    segments.push_back(text::percent_decode(segment));
  }
  if (mark == std::string_view::npos) return;
  for (const std::string& pair : text::split(rest.substr(mark + 1), '&')) {
    if (pair.empty()) continue;
    const auto equals = pair.find('=');
    query.emplace_back(form_decode(std::string_view(pair).substr(0, equals)),
                       equals == std::string::npos ? "" : form_decode(std::string_view(pair).substr(equals + 1)));
  }
}

std::string Call::header(std::string_view name) const {
  for (const auto& [key, value] : request->headers) {
    if (text::lower(key) == text::lower(name)) return value;
  }
  return {};
}

std::string Call::param(std::string_view name) const {
  for (const auto& [key, value] : query) {
    if (key == name) return value;
  }
  return {};
}

bool Call::has_param(std::string_view name) const {
  for (const auto& [key, value] : query) {
    if (key == name) return true;
  }
  return false;
}

Json Call::json() const {
  if (text::trim(request->body).empty()) return Json::object();
  return read_proto_json(request->body);
}

std::string bearer_token(const Call& call) {
  const std::string value = call.header("Authorization");
  const std::string scheme = "bearer ";
  if (text::lower(value.substr(0, scheme.size())) != scheme) return call.param("access_token");
  return std::string(text::trim(std::string_view(value).substr(scheme.size())));
}

}  // namespace tpuctl::emulator
