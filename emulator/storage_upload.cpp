// SPDX-License-Identifier: Apache-2.0
// The three ways an object comes in: media, multipart/related, resumable.
#include <algorithm>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/text.hpp"
#include "emulator/api_error.hpp"
#include "emulator/protojson.hpp"
#include "emulator/storage_service.hpp"

namespace tpuctl::emulator {

api::Response StorageService::upload(const Call& call, const std::vector<std::string>& parts) {
  if (parts.size() < 3 || parts[2] != "o") throw no_method();
  const std::string& bucket = parts[1];
  need_bucket(bucket);
  if (const std::string id = call.param("upload_id"); !id.empty()) return resume(call, id);
  if (call.method != "POST") throw no_method();
  const std::string type = call.param("uploadType");
  if (type == "multipart") return upload_multipart(call, bucket);
  if (type == "resumable") return begin_resumable(call, bucket);
  if (type != "media") throw ApiError(400, "uploadType must be media, multipart or resumable.");
  return keep(call, bucket, call.param("name"), call.request->body, object_attributes({}, call.header("Content-Type")));
}

api::Response StorageService::keep(const Call& call, const std::string& bucket, const std::string& name,
                                   std::string_view bytes, const Json& attributes) {
  if (name.empty()) throw ApiError(400, "Required");
  check_generation(call.param("ifGenerationMatch"), bucket, name);
  const std::string path = files_.new_upload();
  file::write_atomic(path, bytes);
  return json_response(200, resource(call, bucket, files_.put_file(bucket, name, path, attributes)));
}

namespace {
struct Part {
  std::string head;
  std::string_view body;
};

/// The parts of a multipart body. Throws ApiError 400 when it has not two of them.
std::vector<Part> split_parts(std::string_view body, const std::string& content_type) {
  const auto at = content_type.find("boundary=");
  if (at == std::string::npos) throw ApiError(400, "The multipart body has no boundary.");
  std::string boundary = content_type.substr(at + 9, content_type.find(';', at) - at - 9);
  boundary.erase(std::remove_if(boundary.begin(), boundary.end(), [](char c) { return c == '"' || c == '\''; }),
                 boundary.end());
  const std::string mark = "--" + boundary;
  std::vector<Part> out;
  std::size_t start = body.find(mark);
  while (start != std::string_view::npos) {
    start = body.find('\n', start + mark.size());
    const std::size_t end = start == std::string_view::npos ? start : body.find("\n" + mark, start);
    if (end == std::string_view::npos) break;
    std::string_view part = body.substr(start + 1, end > start ? end - start - 1 : 0);
    if (!part.empty() && part.back() == '\r') part.remove_suffix(1);
    const auto wide = part.find("\r\n\r\n");
    const auto narrow = part.find("\n\n");
    const auto gap = std::min(wide, narrow);
    if (gap == std::string_view::npos) throw ApiError(400, "A part of the multipart body has no header.");
    out.push_back({std::string(part.substr(0, gap)), part.substr(gap + (gap == wide ? 4 : 2))});
    start = end + 1;
  }
  if (out.size() < 2) throw ApiError(400, "A multipart upload needs two parts.");
  return out;
}

std::string content_type(const Part& part) {
  for (const std::string& line : text::split(part.head, '\n')) {
    const auto colon = line.find(':');
    if (colon != std::string::npos && text::lower(text::trim(line.substr(0, colon))) == "content-type") {
      return std::string(text::trim(line.substr(colon + 1)));
    }
  }
  return {};
}
}  // namespace

api::Response StorageService::upload_multipart(const Call& call, const std::string& bucket) {
  const auto parts = split_parts(call.request->body, call.header("Content-Type"));
  const Json about = read_proto_json(parts[0].body);
  const std::string name = about["name"].empty() ? call.param("name") : about["name"].text();
  return keep(call, bucket, name, parts[1].body, object_attributes(about, content_type(parts[1])));
}

api::Response StorageService::begin_resumable(const Call& call, const std::string& bucket) {
  const Json about = call.json();
  Upload upload;
  upload.bucket = bucket;
  upload.name = about["name"].empty() ? call.param("name") : about["name"].text();
  if (upload.name.empty()) throw ApiError(400, "Required");
  upload.generation_match = call.param("ifGenerationMatch");
  check_generation(upload.generation_match, bucket, upload.name);
  upload.attributes = object_attributes(about, call.header("X-Upload-Content-Type"));
  upload.path = files_.new_upload();
  file::write_atomic(upload.path, "");
  const std::string id = text::uuid4();
  uploads_[id] = upload;
  api::Response out;
  out.status = 200;
  out.headers = {{"Location", call.origin + "/upload/storage/v1/b/" + bucket + "/o?uploadType=resumable&upload_id=" + id},
                 {"X-GUploader-UploadID", id}};
  return out;
}

namespace {
struct ContentRange {
  bool query = false;  ///< "bytes */...": how much is there?
  std::uint64_t first = 0;
  std::optional<std::uint64_t> total;
};

ContentRange parse_range(const std::string& text, std::size_t body_size) {
  ContentRange out;
  if (text.empty()) {
    out.total = body_size;
    return out;
  }
  const auto slash = text.find('/');
  if (text.rfind("bytes ", 0) != 0 || slash == std::string::npos) throw ApiError(400, "Bad Content-Range.");
  if (const auto total = text::parse_int(text.substr(slash + 1))) out.total = static_cast<std::uint64_t>(*total);
  const std::string range = text.substr(6, slash - 6);
  out.query = range == "*";
  if (out.query) return out;
  const auto first = text::parse_int(range.substr(0, range.find('-')));
  if (!first || *first < 0) throw ApiError(400, "Bad Content-Range.");
  out.first = static_cast<std::uint64_t>(*first);
  return out;
}

api::Response incomplete(std::uint64_t received) {
  api::Response out;
  out.status = 308;
  if (received > 0) out.headers.emplace_back("Range", "bytes=0-" + std::to_string(received - 1));
  return out;
}
}  // namespace

api::Response StorageService::resume(const Call& call, const std::string& id) {
  const auto found = uploads_.find(id);
  if (found == uploads_.end()) throw ApiError(404, "The upload is not known, or it has ended.");
  Upload& upload = found->second;
  if (call.method == "DELETE") {
    file::remove(upload.path);
    uploads_.erase(found);
    api::Response out;
    out.status = 499;
    return out;
  }
  if (call.method != "PUT" && call.method != "POST") throw no_method();
  std::string_view bytes = call.request->body;
  const ContentRange range = parse_range(call.header("Content-Range"), bytes.size());
  if (!range.query) {
    if (range.first > upload.received) return incomplete(upload.received);  // a gap: nothing of it is kept
    const auto known = upload.received - range.first;                      // sent again after a lost answer
    bytes.remove_prefix(static_cast<std::size_t>(std::min<std::uint64_t>(known, bytes.size())));
    file::append(upload.path, bytes);
    upload.received += bytes.size();
  }
  if (!range.total || upload.received < *range.total) return incomplete(upload.received);
  const Upload done = upload;
  uploads_.erase(found);
  check_generation(done.generation_match, done.bucket, done.name);
  return json_response(200, resource(call, done.bucket, files_.put_file(done.bucket, done.name, done.path, done.attributes)));
}

}  // namespace tpuctl::emulator
