// SPDX-License-Identifier: Apache-2.0
#include "emulator/storage_service.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/text.hpp"
#include "emulator/api_error.hpp"

namespace tpuctl::emulator {

namespace {
bool is_upload(const Call& call) {
  const auto& all = call.segments;
  return all.size() > 1 && (all[0] == "upload" || (all[0] == "resumable" && all[1] == "upload"));
}

/// The path from "b" on, without what stands before: storage/v1, and in front of that perhaps upload, resumable/upload
/// (gcloud) or download.
std::vector<std::string> parts_of(const Call& call) {
  const auto& all = call.segments;
  std::size_t at = 0;
  if (is_upload(call)) at = all[0] == "upload" ? 1 : 2;
  if (!all.empty() && all[0] == "download") at = 1;
  if (all.size() < at + 3 || all[at] != "storage" || all[at + 1] != "v1" || all[at + 2] != "b") return {};
  return {all.begin() + static_cast<std::ptrdiff_t>(at) + 2, all.end()};
}

ApiError no_object(const std::string& bucket, const std::string& name) {
  return ApiError(404, "No such object: " + bucket + "/" + name);
}

/// An object's attributes, as far as they are more than the file.
constexpr const char* kAttributes[] = {"contentType",     "metadata",           "cacheControl",
                                       "contentEncoding", "contentDisposition", "contentLanguage", "storageClass"};
}  // namespace

Json object_attributes(const Json& body, const std::string& content_type) {
  Json out = Json::object();
  if (!content_type.empty()) out.member("contentType") = content_type;
  for (const char* name : kAttributes) {
    if (const Json* value = body.find(name); value && !value->empty()) out.member(name) = *value;
  }
  return out;
}

bool StorageService::owns(const Call& call) { return !parts_of(call).empty(); }

api::Response StorageService::handle(const Call& call) {
  const std::lock_guard lock(mutex_);
  const auto parts = parts_of(call);
  try {
    if (is_upload(call)) return upload(call, parts);
    if (parts.size() <= 2) return buckets(call, parts);
    if (parts[2] == "o") return objects(call, parts);
    if (call.method == "GET" && parts.size() == 3) return features(call, parts);
  } catch (const Error& error) {
    throw ApiError(error.kind == Kind::usage ? 400 : 500, error.what());
  }
  throw no_method();
}

void StorageService::need_bucket(const std::string& bucket) const {
  if (!files_.has_bucket(bucket)) throw ApiError(404, "The specified bucket does not exist.");
}

ObjectInfo StorageService::existing(const std::string& bucket, const std::string& name) const {
  need_bucket(bucket);
  const auto found = files_.find(bucket, name);
  if (!found) throw no_object(bucket, name);
  return *found;
}

void StorageService::check_generation(const std::string& wanted, const std::string& bucket,
                                      const std::string& name) const {
  if (wanted.empty()) return;
  const auto found = files_.find(bucket, name);
  if (std::to_string(found ? found->generation : 0) != wanted) {
    throw ApiError(412, "At least one of the pre-conditions you specified did not hold.", "conditionNotMet");
  }
}

Json StorageService::bucket_resource(const Call& call, const std::string& bucket) const {
  return Json{{"kind", "storage#bucket"},
              {"id", bucket},
              {"name", bucket},
              {"selfLink", call.origin + "/storage/v1/b/" + bucket},
              {"location", "US"},
              {"storageClass", "STANDARD"},
              {"metageneration", "1"},
              {"timeCreated", "2024-01-01T00:00:00.000Z"},
              {"updated", "2024-01-01T00:00:00.000Z"},
              {"etag", "CAE="}};
}

api::Response StorageService::buckets(const Call& call, const std::vector<std::string>& parts) {
  if (parts.size() == 1 && call.method == "GET") {
    Json items = Json::array();
    for (const std::string& bucket : files_.buckets()) items.push(bucket_resource(call, bucket));
    Json out{{"kind", "storage#buckets"}};
    if (items.size() > 0) out.member("items") = items;
    return json_response(200, out);
  }
  if (parts.size() == 1 && call.method == "POST") {
    const std::string name = call.json()["name"].text();
    if (!BucketFiles::is_bucket_name(name) || dir_.empty()) throw ApiError(400, "Invalid bucket name: '" + name + "'");
    if (files_.has_bucket(name)) {
      throw ApiError(409, "Your previous request to create the named bucket succeeded and you already own it.");
    }
    files_.make_bucket(name);
    return json_response(200, bucket_resource(call, name));
  }
  if (parts.size() != 2) throw no_method();
  need_bucket(parts[1]);
  if (call.method == "GET") return json_response(200, bucket_resource(call, parts[1]));
  if (call.method != "DELETE") throw no_method();
  if (!files_.list(parts[1], "").empty()) throw ApiError(409, "The bucket you tried to delete is not empty.", "conflict");
  files_.remove_bucket(parts[1]);
  api::Response out;
  out.status = 204;
  return out;
}

/// What gcloud asks before it works on folders: there are none, names are flat.
api::Response StorageService::features(const Call&, const std::vector<std::string>& parts) {
  need_bucket(parts[1]);
  if (parts[2] == "storageLayout") {
    return json_response(200, Json{{"kind", "storage#storageLayout"},
                                   {"bucket", parts[1]},
                                   {"location", "US"},
                                   {"locationType", "multi-region"}});
  }
  if (parts[2] == "folders" || parts[2] == "managedFolders") {
    return json_response(200, Json{{"kind", "storage#" + parts[2]}});
  }
  throw no_method();
}

Json StorageService::resource(const Call& call, const std::string& bucket, const ObjectInfo& object) {
  const std::string generation = std::to_string(object.generation);
  const std::string path = "/b/" + bucket + "/o/" + text::percent_encode(object.name);
  const std::string time = rfc3339(TimePoint(Duration(object.generation)), 3);
  Json out{{"kind", "storage#object"},
           {"id", bucket + "/" + object.name + "/" + generation},
           {"selfLink", call.origin + "/storage/v1" + path},
           {"mediaLink", call.origin + "/download/storage/v1" + path + "?generation=" + generation + "&alt=media"},
           {"name", object.name},
           {"bucket", bucket},
           {"generation", generation},
           {"metageneration", "1"},
           {"contentType", "application/octet-stream"},
           {"storageClass", "STANDARD"},
           {"size", std::to_string(object.size)},
           {"crc32c", files_.sums(object).crc32c},
           {"md5Hash", files_.sums(object).md5},
           {"etag", text::sha256_hex(object.name + generation).substr(0, 16)},
           {"timeCreated", time},
           {"updated", time},
           {"timeStorageClassUpdated", time}};
  const Json attributes = files_.attributes(bucket, object.name);
  for (const auto& [name, value] : attributes.members()) out.member(name) = value;
  return out;
}

api::Response StorageService::objects(const Call& call, const std::vector<std::string>& parts) {
  const std::string& bucket = parts[1];
  need_bucket(bucket);
  if (parts.size() == 3) {
    if (call.method == "GET") return list(call, bucket);
    throw no_method();
  }
  const std::string& name = parts[3];
  if (parts.size() == 5 && parts[4] == "compose" && call.method == "POST") return compose(call, bucket, name);
  const ObjectInfo object = existing(bucket, name);
  if (parts.size() == 9 && call.method == "POST") return copy(call, parts, object);
  if (parts.size() != 4) throw no_method();
  check_generation(call.param("ifGenerationMatch"), bucket, name);
  if (const std::string wanted = call.param("generation"); !wanted.empty() && wanted != std::to_string(object.generation)) {
    throw no_object(bucket, name);
  }
  if (call.method == "GET" && call.param("alt") == "media") return media(call, object);
  if (call.method == "GET") return json_response(200, resource(call, bucket, object));
  if (call.method == "PATCH") return patch(call, bucket, name);
  if (call.method != "DELETE") throw no_method();
  files_.remove(bucket, name);
  api::Response out;
  out.status = 204;
  return out;
}

api::Response StorageService::media(const Call& call, const ObjectInfo& object) {
  api::Response out;
  out.status = 200;
  out.body = file::read(object.path);
  const std::string type = files_.attributes(call.segments[call.segments.size() - 3], object.name)["contentType"].text();
  out.headers = {{"Content-Type", type.empty() ? "application/octet-stream" : type},
                 {"X-Goog-Generation", std::to_string(object.generation)},
                 {"X-Goog-Hash", "crc32c=" + files_.sums(object).crc32c + ",md5=" + files_.sums(object).md5},
                 {"X-Goog-Stored-Content-Length", std::to_string(out.body.size())},
                 {"Accept-Ranges", "bytes"}};
  const std::string range = call.header("Range");
  if (range.rfind("bytes=", 0) != 0) return out;
  const auto dash = range.find('-', 6);
  if (dash == std::string::npos) return out;
  const auto first = text::parse_int(range.substr(6, dash - 6));
  const auto last = text::parse_int(range.substr(dash + 1));
  const auto size = static_cast<std::int64_t>(out.body.size());
  std::int64_t from = first.value_or(last ? std::max<std::int64_t>(0, size - *last) : 0);
  std::int64_t to = first && last ? std::min(*last, size - 1) : size - 1;
  if (from >= size || to < from) {
    out.status = 416;
    out.body.clear();
    out.headers.emplace_back("Content-Range", "bytes */" + std::to_string(size));
    return out;
  }
  out.status = 206;
  out.headers.emplace_back("Content-Range", "bytes " + std::to_string(from) + "-" + std::to_string(to) + "/" +
                                                std::to_string(size));
  out.body = out.body.substr(static_cast<std::size_t>(from), static_cast<std::size_t>(to - from + 1));
  return out;
}

api::Response StorageService::list(const Call& call, const std::string& bucket) {
  const std::string prefix = call.param("prefix");
  const std::string delimiter = call.param("delimiter");
  const std::string after = text::percent_decode(call.param("pageToken"));
  const std::string start = call.param("startOffset");
  const std::string end = call.param("endOffset");
  const std::int64_t wish = text::parse_int(call.param("maxResults")).value_or(1000);
  if (wish < 1) throw ApiError(400, "Invalid value for maxResults.");
  const auto most = static_cast<std::size_t>(std::min<std::int64_t>(wish, 1000));
  Json items = Json::array();
  Json prefixes = Json::array();
  std::string last;  // the name or prefix that came last
  std::string next;
  for (const ObjectInfo& object : files_.list(bucket, prefix)) {
    if ((!start.empty() && object.name < start) || (!end.empty() && object.name >= end)) continue;
    const auto cut = delimiter.empty() ? std::string::npos : object.name.find(delimiter, prefix.size());
    const std::string shown = cut == std::string::npos ? object.name : object.name.substr(0, cut + delimiter.size());
    if (shown == last || (!after.empty() && shown <= after)) continue;
    if (items.size() + prefixes.size() == most) {
      next = text::percent_encode(last);
      break;
    }
    last = shown;
    if (cut == std::string::npos) {
      items.push(resource(call, bucket, object));
    } else {
      prefixes.push(shown);
    }
  }
  Json out{{"kind", "storage#objects"}};
  if (!next.empty()) out.member("nextPageToken") = next;
  if (prefixes.size() > 0) out.member("prefixes") = prefixes;
  if (items.size() > 0) out.member("items") = items;
  return json_response(200, out);
}

api::Response StorageService::copy(const Call& call, const std::vector<std::string>& parts, const ObjectInfo& source) {
  const bool rewrite = parts[4] == "rewriteTo";
  if ((!rewrite && parts[4] != "copyTo") || parts[5] != "b" || parts[7] != "o") throw no_method();
  const std::string& bucket = parts[6];
  const std::string& name = parts[8];
  need_bucket(bucket);
  check_generation(call.param("ifGenerationMatch"), bucket, name);
  Json attributes = object_attributes(call.json(), {});
  if (attributes.size() == 0) attributes = files_.attributes(parts[1], source.name);
  const std::string path = files_.new_upload();
  file::write_atomic(path, file::read(source.path));
  const Json out = resource(call, bucket, files_.put_file(bucket, name, path, attributes));
  if (!rewrite) return json_response(200, out);
  return json_response(200, Json{{"kind", "storage#rewriteResponse"},
                                 {"totalBytesRewritten", out["size"]},
                                 {"objectSize", out["size"]},
                                 {"done", true},
                                 {"resource", out}});
}

api::Response StorageService::compose(const Call& call, const std::string& bucket, const std::string& name) {
  const Json body = call.json();
  check_generation(call.param("ifGenerationMatch"), bucket, name);
  std::string bytes;
  for (const Json& source : body["sourceObjects"].items()) bytes += file::read(existing(bucket, source["name"].text()).path);
  return keep(call, bucket, name, bytes, object_attributes(body["destination"], {}));
}

api::Response StorageService::patch(const Call& call, const std::string& bucket, const std::string& name) {
  Json attributes = files_.attributes(bucket, name);
  const Json given = object_attributes(call.json(), {});
  for (const auto& [key, value] : given.members()) attributes.member(key) = value;
  const std::string path = files_.new_upload();
  file::write_atomic(path, file::read(existing(bucket, name).path));
  return json_response(200, resource(call, bucket, files_.put_file(bucket, name, path, attributes)));
}

}  // namespace tpuctl::emulator
