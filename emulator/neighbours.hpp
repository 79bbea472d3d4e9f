// SPDX-License-Identifier: Apache-2.0
// The services beside Cloud TPU that ssh and sign-in need: Compute Engine (project metadata), OS Login, Resource Manager,
// the OAuth token endpoint, and Compute's batch endpoint, which gcloud uses.
#pragma once

#include <functional>
#include <string>

#include "api/http.hpp"
#include "base/json.hpp"
#include "emulator/call.hpp"
#include "emulator/lifecycle.hpp"

namespace tpuctl::emulator {

class Neighbours {
 public:
  using Route = std::function<api::Response(const api::Request&)>;

  /// `route` answers the parts of a batch; it takes the emulator's lock itself.
  Neighbours(Lifecycle& life, Route route) : life_(life), route_(std::move(route)) {}

  /// Needs no token: POST /token.
  static bool is_open(const Call& call);
  api::Response open(const Call& call);

  static bool is_batch(const Call& call);
  /// A multipart/mixed body of requests, answered in order. Called without the lock.
  api::Response batch(const Call& call);

  static bool owns(const Call& call);
  /// Called with the lock held. Throws ApiError.
  Json handle(const Call& call);

 private:
  Json compute(const Call& call);
  Json set_metadata(const Call& call, const std::string& project);
  Json os_login(const Call& call);

  Lifecycle& life_;
  Route route_;
};

}  // namespace tpuctl::emulator
