// SPDX-License-Identifier: Apache-2.0
// The Cloud TPU API, v2 and v2alpha1, and v1's locations. Called with the emulator's lock held.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/json.hpp"
#include "emulator/call.hpp"
#include "emulator/faults.hpp"
#include "emulator/lifecycle.hpp"
#include "emulator/schema.hpp"
#include "emulator/store.hpp"

namespace tpuctl::emulator {

/// A request to one collection of the TPU API.
struct TpuCall {
  const Call& call;
  std::string version;  ///< v1, v2, v2alpha1
  Name name;            ///< project, location ("-" possible), collection, id ("" for the collection itself)
  std::string verb;     ///< custom method after ':', or empty
  std::vector<std::pair<std::string, std::string>> query;  ///< checked, camelCase

  bool alpha() const { return version == "v2alpha1"; }
  const Schema& schema() const { return Schema::of(version); }
  std::string param(std::string_view key) const;
  bool is(std::string_view http_method, std::string_view custom = {}) const {
    return call.method == http_method && verb == custom;
  }
};

class TpuService {
 public:
  TpuService(Lifecycle& life, Faults& faults) : life_(life), faults_(faults), store_(life.store()) {}

  /// Whether the path is one of this API's.
  static bool owns(const Call& call);
  /// The answer's body (always status 200). Throws ApiError.
  Json handle(const Call& call);

 private:
  TpuCall parse(const Call& call) const;
  Json route(const TpuCall& call);

  // tpu_service.cpp
  Json locations(const TpuCall& call);
  Json catalog(const TpuCall& call);
  Json reservations(const TpuCall& call);
  Json operations(const TpuCall& call);
  Json cancel(Record& operation);

  // node_service.cpp
  Json nodes(const TpuCall& call);
  Json create_node(const TpuCall& call);
  Json delete_node(const TpuCall& call, Record& node);
  Json patch_node(const TpuCall& call, Record& node);
  Json start_or_stop(const TpuCall& call, Record& node);
  Json guest_attributes(const TpuCall& call, const Record& node);
  Json maintain_node(const TpuCall& call, Record& node);
  void check_node(const TpuCall& call, const Json& node, const std::string& where);

  // queued_service.cpp
  Json queued_resources(const TpuCall& call);
  Json create_queued(const TpuCall& call);
  Json plan_specs(const TpuCall& call, const Json& body);
  Json delete_queued(const TpuCall& call, Record& queued);
  Json reset_queued(const TpuCall& call, Record& queued);
  Json maintain_queued(const TpuCall& call, Record& queued);

  /// An operation's document as a poll shows it.
  Json operation_view(const std::string& name) const;
  /// Starts an operation of `kind` on the resource and answers with it. `more` is added to the task.
  Json start(const TpuCall& call, const std::string& verb, const std::string& kind, const char* step,
             const std::string& subject, Duration in, const Json& more = Json::object());
  /// pageSize and pageToken over `items` (sorted by name); unreachable zones are named when the location is "-".
  Json page(const TpuCall& call, const std::string& key, const std::vector<Json>& items) const;
  /// As page, over records: only those of the page are shown, so that a long list costs no more than its pages.
  Json page_records(const TpuCall& call, const std::string& key, const std::map<std::string, Record>& records,
                    const std::function<Json(const Record&)>& show) const;
  /// The records of a collection that a list over the call's location shows.
  std::vector<const Record*> visible(const TpuCall& call, const std::map<std::string, Record>& records) const;

  Lifecycle& life_;
  Faults& faults_;
  Store& store_;
};

/// Throws ApiError 400 unless `id` is a resource id: [a-z]([-a-z0-9]{0,61}[a-z0-9])?
void check_id(const std::string& id, const std::string& field);

}  // namespace tpuctl::emulator
