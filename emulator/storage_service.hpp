// SPDX-License-Identifier: Apache-2.0
// Cloud Storage's JSON API over files: buckets get, list, insert, delete; objects list, get (alt=media, Range), insert
// (media, multipart, resumable), delete, copy, rewrite, compose, patch of attributes. Preconditions on the generation hold.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <string>

#include "api/http.hpp"
#include "base/json.hpp"
#include "base/time.hpp"
#include "emulator/call.hpp"
#include "emulator/storage_files.hpp"

namespace tpuctl::emulator {

class StorageService {
 public:
  /// `dir` empty: there is no bucket and none can be made.
  StorageService(std::string dir, Clock& clock) : dir_(dir), files_(std::move(dir)), clock_(clock) {}

  static bool owns(const Call& call);
  /// Thread-safe. Throws ApiError.
  api::Response handle(const Call& call);

 private:
  struct Upload {
    std::string bucket, name, path;
    Json attributes;
    std::string generation_match;  ///< what ifGenerationMatch said, or empty
    std::uint64_t received = 0;
  };

  api::Response buckets(const Call& call, const std::vector<std::string>& parts);
  api::Response features(const Call& call, const std::vector<std::string>& parts);
  api::Response objects(const Call& call, const std::vector<std::string>& parts);
  api::Response list(const Call& call, const std::string& bucket);
  api::Response media(const Call& call, const ObjectInfo& object);
  api::Response copy(const Call& call, const std::vector<std::string>& parts, const ObjectInfo& source);
  api::Response compose(const Call& call, const std::string& bucket, const std::string& name);
  api::Response patch(const Call& call, const std::string& bucket, const std::string& name);

  // storage_upload.cpp
  api::Response upload(const Call& call, const std::vector<std::string>& parts);
  api::Response upload_multipart(const Call& call, const std::string& bucket);
  api::Response begin_resumable(const Call& call, const std::string& bucket);
  api::Response resume(const Call& call, const std::string& id);
  api::Response keep(const Call& call, const std::string& bucket, const std::string& name, std::string_view bytes,
                     const Json& attributes);

  ObjectInfo existing(const std::string& bucket, const std::string& name) const;
  void need_bucket(const std::string& bucket) const;
  void check_generation(const std::string& wanted, const std::string& bucket, const std::string& name) const;
  Json resource(const Call& call, const std::string& bucket, const ObjectInfo& object);
  Json bucket_resource(const Call& call, const std::string& bucket) const;

  std::string dir_;
  BucketFiles files_;
  Clock& clock_;
  std::mutex mutex_;
  std::map<std::string, Upload> uploads_;
};

/// What an object resource in a request body says about the object: contentType, metadata, cacheControl, ...
Json object_attributes(const Json& body, const std::string& content_type);

}  // namespace tpuctl::emulator
