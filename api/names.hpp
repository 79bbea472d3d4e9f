// SPDX-License-Identifier: Apache-2.0
// projects/P/locations/Z/COLLECTION/ID: the names of the Cloud TPU API.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace tpuctl::api {

struct Name {
  std::string project;
  std::string location;    ///< empty for the collection of locations itself, and for one of its members
  std::string collection;  ///< "nodes", "queuedResources", ...; empty for a location
  std::string id;          ///< empty for a whole collection

  std::string parent() const { return "projects/" + project + "/locations/" + location; }
  std::string full() const;
  /// As a URL path: each segment percent-encoded.
  std::string path() const;
};

/// A full name or a URL ending in one (".../v2/projects/P/locations/Z/nodes/N"); zones/Z is read as locations/Z.
std::optional<Name> parse_name(std::string_view text);

/// The part after the last slash.
std::string short_id(std::string_view name);

}  // namespace tpuctl::api
