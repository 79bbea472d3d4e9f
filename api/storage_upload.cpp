// SPDX-License-Identifier: Apache-2.0
// Bytes into Cloud Storage: in one request, or resumable in pieces.
// https://cloud.google.com/storage/docs/performing-resumable-uploads
#include <algorithm>

#include "api/checksum.hpp"
#include "api/errors.hpp"
#include "api/storage.hpp"
#include "base/error.hpp"
#include "base/text.hpp"

namespace tpuctl::api {

namespace {

bool is_success(const Response& response) { return !response.failure && response.status >= 200 && response.status < 300; }

// Reads until `buffer` has `wanted` bytes or the source ends.
void fill(const Storage::Upload& upload, std::string& buffer, std::int64_t offset, std::size_t wanted, Crc32c& sum) {
  std::size_t have = buffer.size();
  buffer.resize(wanted);
  while (have < wanted) {
    const std::size_t got = upload.read(offset + static_cast<std::int64_t>(have), buffer.data() + have, wanted - have);
    if (got == 0) break;
    sum.update(std::string_view(buffer).substr(have, got));
    have += got;
  }
  buffer.resize(have);
}

struct MimeRow {
  std::string_view ending;
  std::string_view type;
};
// As gcloud tells them, for what people keep beside their models.
constexpr MimeRow kMime[] = {
    {".txt", "text/plain"},        {".log", "text/plain"},          {".md", "text/markdown"},      {".csv", "text/csv"},
    {".tsv", "text/tab-separated-values"},                          {".html", "text/html"},        {".css", "text/css"},
    {".py", "text/x-python"},      {".js", "text/javascript"},      {".sh", "application/x-sh"},   {".json", "application/json"},
    {".xml", "text/xml"},          {".yaml", "application/yaml"},   {".yml", "application/yaml"},  {".pdf", "application/pdf"},
    {".png", "image/png"},         {".jpg", "image/jpeg"},          {".jpeg", "image/jpeg"},       {".gif", "image/gif"},
    {".svg", "image/svg+xml"},     {".mp4", "video/mp4"},           {".wav", "audio/x-wav"},       {".zip", "application/zip"},
    {".tar", "application/x-tar"}, {".tar.gz", "application/x-tar"}, {".tgz", "application/x-tar"}, {".h5", "application/x-hdf5"}};

}  // namespace

std::string content_type_of(std::string_view file_name) {
  const std::string lowered = text::lower(file_name);
  for (const MimeRow& row : kMime) {
    if (lowered.ends_with(row.ending) && lowered.size() > row.ending.size()) return std::string(row.type);
  }
  return "application/octet-stream";
}

std::string Storage::upload_url(const std::string& bucket, const std::string& name) const {
  return base_ + "upload/storage/v1/b/" + text::percent_encode(bucket) + "/o?name=" + text::percent_encode(name);
}

std::optional<StoredObject> Storage::upload(const Upload& upload) {
  // One byte more than a piece tells whether there is more.
  Crc32c sum;
  std::string first;
  fill(upload, first, 0, kPiece + 1, sum);
  if (first.size() <= kPiece) return upload_whole(upload, first);
  return upload_in_pieces(upload, std::move(first));
}

void Storage::check(const StoredObject& object, const std::string& crc32c) {
  if (object.crc32c.empty() || object.crc32c == crc32c) return;
  try {
    remove(object.bucket, object.name, object.generation, {});
  } catch (const Error&) {  // what is wrong is told below
  }
  throw Error(Kind::failure, "gs://" + object.bucket + "/" + object.name +
                                 " arrived spoiled: its CRC32C checksum is another than that of the bytes sent. It was removed again.",
              "Was the file changed meanwhile? Try again.");
}

// The object's resource as it is to be.
Json Storage::about(const Upload& upload) {
  Json out{{"name", upload.name}, {"contentType", "application/octet-stream"}};
  for (const auto& [name, value] : upload.keeping.fields.members()) out.member(name) = value;
  return out;
}

std::optional<StoredObject> Storage::upload_whole(const Upload& upload, std::string_view bytes) {
  Crc32c sum;
  sum.update(bytes);
  const std::string crc32c = sum.base64();
  Json resource = about(upload);
  resource.member("bucket") = upload.bucket;
  resource.member("crc32c") = crc32c;
  const std::string mark = "tpuctl-" + text::uuid4();
  Request request;
  request.method = "POST";
  request.url = base_ + "upload/storage/v1/b/" + text::percent_encode(upload.bucket) + "/o?alt=json&uploadType=multipart" + conditions(upload.keeping);
  request.headers = {{"Content-Type", "multipart/related; boundary=\"" + mark + "\""}};
  request.body = "--" + mark + "\r\nContent-Type: application/json; charset=UTF-8\r\n\r\n" + resource.dump() + "\r\n--" + mark +
                 "\r\nContent-Type: " + resource["contentType"].text() + "\r\n\r\n";
  request.body.append(bytes).append("\r\n--" + mark + "--\r\n");
  // The same bytes under the same name: sending them twice does no harm.
  const Response response = transport_.send(request);
  if (response.status == 412) return taken(upload.keeping, upload.bucket, upload.name, crc32c);
  if (!is_success(response)) throw to_error(response, base_);
  StoredObject object = stored_object(parse_answer(response, base_));
  check(object, crc32c);
  if (upload.moved) upload.moved(static_cast<std::int64_t>(bytes.size()));
  return object;
}

// A resumable upload under way.
struct Storage::Session {
  std::string url;
  bool foreign = false;  ///< its address is on another host: no token goes there, the address is the key
  std::int64_t held = 0;  ///< bytes the service has
};

// The address of a new session; empty with `refusal` set when the object is there and must not be.
std::string Storage::begin(const Upload& upload, Response& refusal) {
  Request request;
  request.method = "POST";
  request.url = base_ + "upload/storage/v1/b/" + text::percent_encode(upload.bucket) + "/o?alt=json&uploadType=resumable&name=" +
                text::percent_encode(upload.name) + conditions(upload.keeping);
  const Json resource = about(upload);
  request.headers = {{"Content-Type", "application/json; charset=UTF-8"}, {"X-Upload-Content-Type", resource["contentType"].text()}};
  request.body = resource.dump();
  refusal = transport_.send(request);  // nothing but a session comes of it: may be repeated
  if (refusal.status == 412) return {};
  if (!is_success(refusal)) throw to_error(refusal, request.url);
  std::string location(refusal.header("Location"));
  if (location.empty()) throw Error(Kind::failure, "The answer of " + origin(request.url) + " names no address for the upload.");
  return location;
}

namespace {
// What the service has, by a 308's Range header ("bytes=0-99"): 100 here.
std::int64_t held_by(const Response& response) {
  const std::string range(response.header("Range"));
  const auto dash = range.rfind('-');
  return dash == std::string::npos ? 0 : text::parse_int(range.substr(dash + 1)).value_or(-1) + 1;
}

bool is_gone(const Response& response) { return response.status == 404 || response.status == 410; }
}  // namespace

// Sends bytes [session.held, ...) until the service has them all: the answer is a 308, a success for the last piece, or a
// failure that trying again does not heal.
Response Storage::send_piece(Session& session, std::string_view bytes, bool last) {
  const std::int64_t start = session.held;
  const std::int64_t end = start + static_cast<std::int64_t>(bytes.size());
  const std::string total = last ? std::to_string(end) : "*";
  Tries tries(clock_);
  bool ask = false;  // after trouble: how much is there?
  for (;;) {
    Request request;
    request.method = "PUT";
    request.url = session.url;
    request.authorize = !session.foreign;
    request.repeat = Repeat::by_caller;
    if (ask) {
      request.headers = {{"Content-Range", "bytes */" + total}};
    } else {
      request.body = std::string(bytes.substr(static_cast<std::size_t>(session.held - start)));
      request.headers = {{"Content-Range", "bytes " + std::to_string(session.held) + "-" + std::to_string(end - 1) + "/" + total},
                         {"Content-Type", "application/octet-stream"}};
    }
    Response response = transport_.send(request);
    if (response.status == 308 && !response.failure) {
      const std::int64_t now = held_by(response);
      if (now < start || now > end) {  // what it had acknowledged is gone
        response.status = 410;
        return response;
      }
      if (now > session.held) tries.moved();
      const bool stuck = now <= session.held && !ask;
      session.held = now;
      if (session.held == end && !last) return response;
      ask = false;
      if (!stuck) continue;
      response = {};
      response.failure = Failure{Failure::Phase::lost, false, false, "the upload does not move on"};
    }
    if (is_success(response) || !is_transient(response)) return response;
    if (!tries.again(response)) return response;
    ask = true;
  }
}

std::optional<StoredObject> Storage::upload_in_pieces(const Upload& upload, std::string buffer) {
  constexpr int kBeginnings = 3;
  for (int beginning = 1;; ++beginning) {
    Crc32c sum;
    sum.update(buffer);
    Response response;
    Session session;
    session.url = begin(upload, response);
    if (session.url.empty()) return taken(upload.keeping, upload.bucket, upload.name, {});
    session.foreign = origin(session.url) != origin(base_);
    for (;;) {
      const bool last = buffer.size() <= kPiece;
      response = send_piece(session, std::string_view(buffer).substr(0, kPiece), last);
      if (last || response.status != 308) break;
      if (upload.moved) upload.moved(session.held);
      buffer.erase(0, kPiece);
      fill(upload, buffer, session.held, kPiece + 1, sum);
    }
    if (is_success(response)) {
      StoredObject object = stored_object(parse_answer(response, session.url));
      check(object, sum.base64());
      if (upload.moved) upload.moved(object.size);
      return object;
    }
    if (response.status == 412) return taken(upload.keeping, upload.bucket, upload.name, sum.base64());
    // The last answer may have been lost and the session with it: then the object is there.
    if (is_gone(response) && buffer.size() <= kPiece) {
      if (auto object = arrived(upload.bucket, upload.name, sum.base64())) return object;
    }
    if (!is_gone(response) || !upload.rereadable || beginning == kBeginnings) throw to_error(response, session.url);
    buffer.clear();
    Crc32c unused;
    fill(upload, buffer, 0, kPiece + 1, unused);
  }
}

}  // namespace tpuctl::api
