// SPDX-License-Identifier: Apache-2.0
// The Cloud TPU API, and Google's REST APIs like it, as calls that return Json or throw an Error.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "api/http.hpp"
#include "api/names.hpp"
#include "base/json.hpp"
#include "base/time.hpp"

namespace tpuctl::api {

using Query = std::vector<std::pair<std::string, std::string>>;

/// What --dry-run prints and send() sends.
struct Call {
  std::string method = "GET";
  std::string path;  ///< below the base URL, e.g. "v2/projects/P/locations/Z/nodes/N:start", already encoded
  Query query;
  Json body;  ///< null: none
  Repeat repeat = Repeat::always;
};

class Client {
 public:
  /// `base` ends with a slash ("https://tpu.googleapis.com/"). `version` is the path prefix of the TPU calls.
  Client(Transport& transport, Clock& clock, std::string base, std::string version)
      : transport_(transport), clock_(clock), base_(std::move(base)), version_(std::move(version)) {}

  const std::string& version() const { return version_; }
  Clock& clock() const { return clock_; }
  std::string url(const Call& call) const;

  /// Sends and returns the parsed answer; throws Error for anything that is no success.
  Json send(const Call& call);

  Json get(const Name& name);
  Json get_operation(const std::string& full_name);
  /// POST name:verb.
  Call verb_call(const Name& name, std::string_view verb, Json body = Json::object()) const;
  Call create_call(const Name& name, Json body) const;
  Call remove_call(const Name& name, bool force) const;
  /// PATCH of the fields in `mask` ("labels", "data_disks", ...). Setting them twice changes nothing, so it may be repeated.
  Call patch_call(const Name& name, Json body, const std::vector<std::string>& mask) const;

  /// Creates so that a lost answer never makes a second resource nor a false ALREADY_EXISTS: with a requestId where the
  /// method has one (queued resources; nodes of v2alpha1), else by looking at the resource before trying again: what was not
  /// asked for so is not ours, and a conflict. So is a 409 about a resource that can be seen, and its state is told; a 409
  /// about nothing is tried again. Returns the operation; when the resource turns out to be there and its
  /// operation is gone, a finished operation stands in.
  Json create(const Name& name, const Json& body);
  /// The same for DELETE: a lost answer followed by NOT_FOUND is a success.
  Json remove(const Name& name, bool force);

  /// All pages of a collection, oldest page first. `item` returns false to stop. Locations that could not be reached are
  /// appended to `unreachable`.
  void list(const Name& collection, std::int64_t page_size, const std::function<bool(Json)>& item,
            std::vector<std::string>& unreachable);

 private:
  /// As send, but the items of the answer's member `list` are handed out as they are read and kept nowhere.
  Json send(const Call& call, std::string_view list, const std::function<bool(Json)>& item);
  bool takes_request_id(const std::string& collection) const;
  Response look(const Name& name);
  Json adopt(const Name& name, const Json& body);
  Transport& transport_;
  Clock& clock_;
  std::string base_;
  std::string version_;
};

}  // namespace tpuctl::api
