// SPDX-License-Identifier: Apache-2.0
// What a machine's metadata server answers (http://metadata.google.internal/computeMetadata/v1/...): a tree of values,
// and readers that wait until what they watch differs. One object is one machine; whoever owns the socket calls answer().
#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>

#include "api/http.hpp"
#include "base/json.hpp"

namespace tpuctl::emulator {

/// Safe to use from several threads: answer() blocks only its own caller.
class MetadataServer {
 public:
  /// Replaces the tree under computeMetadata/v1 (objects and arrays are folders, the rest are values) and wakes the
  /// readers that watch something which differs now.
  void set(Json tree);

  /// Answers one request. As the service does: 403 without `Metadata-Flavor: Google` or with `X-Forwarded-For`, 404 for
  /// an unknown path, 301 to the path with a slash for a folder, names one a line ("attributes/" is a folder), and the
  /// queries recursive, alt=json|text, wait_for_change, last_etag, timeout_sec. A reader that names no time-out waits
  /// five minutes at most (so that one whose client has gone does not wait for ever) and is then told what it knows.
  api::Response answer(const api::Request& request);

  /// Answers all who wait with what is there; from now on nobody waits. For the end.
  void close();

 private:
  struct Query;
  bool wait_for_change(std::unique_lock<std::mutex>& lock, const std::string& path, const Query& query);

  std::mutex mutex_;
  std::condition_variable changed_;
  Json tree_ = Json::object();
  bool closed_ = false;
};

}  // namespace tpuctl::emulator
