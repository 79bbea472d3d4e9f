// SPDX-License-Identifier: Apache-2.0
#include "api/names.hpp"

#include "base/text.hpp"

namespace tpuctl::api {

std::string Name::full() const {
  std::string out = location.empty() ? "projects/" + project : parent();
  if (!collection.empty()) out += "/" + collection;
  if (!id.empty()) out += "/" + id;
  return out;
}

std::string Name::path() const {
  using text::percent_encode;
  std::string out = "projects/" + percent_encode(project);
  if (!location.empty()) out += "/locations/" + percent_encode(location);
  if (!collection.empty()) out += "/" + collection;
  if (!id.empty()) out += "/" + percent_encode(id);
  return out;
}

std::optional<Name> parse_name(std::string_view text) {
  const auto at = text.find("projects/");
  if (at == std::string_view::npos || (at > 0 && text[at - 1] != '/')) return {};
  const auto parts = text::split(text.substr(at), '/');
  if (parts.size() != 6 || (parts[2] != "locations" && parts[2] != "zones")) return {};
  for (const auto& part : parts) {
    if (part.empty()) return {};
  }
  return Name{text::percent_decode(parts[1]), text::percent_decode(parts[3]), parts[4], text::percent_decode(parts[5])};
}

std::string short_id(std::string_view name) {
  const auto slash = name.rfind('/');
  return std::string(slash == std::string_view::npos ? name : name.substr(slash + 1));
}

}  // namespace tpuctl::api
