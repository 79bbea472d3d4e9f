// SPDX-License-Identifier: Apache-2.0
#include "api/storage.hpp"

#include <algorithm>

#include "api/checksum.hpp"
#include "api/errors.hpp"
#include "base/error.hpp"
#include "base/text.hpp"

namespace tpuctl::api {

namespace {

constexpr const char* kFields =
    "items(bucket,name,generation,metageneration,size,crc32c,md5Hash,contentEncoding,timeCreated),prefixes,nextPageToken";

std::string joint(const std::string& url) { return url.find('?') == std::string::npos ? "?" : "&"; }

bool is_success(const Response& response) { return !response.failure && response.status >= 200 && response.status < 300; }

Error no_bucket(const std::string& bucket) {
  Error error(Kind::not_found, "The bucket gs://" + bucket + " does not exist.");
  error.http = 404;
  return error;
}

}  // namespace

StoredObject stored_object(Json resource) {
  StoredObject out;
  out.bucket = resource["bucket"].text();
  out.name = resource["name"].text();
  out.generation = resource["generation"].scalar();
  out.size = resource["size"].integer();
  out.crc32c = resource["crc32c"].text();
  out.md5 = resource["md5Hash"].text();
  out.content_encoding = resource["contentEncoding"].text();
  out.created = resource["timeCreated"].text();
  out.resource = std::move(resource);
  return out;
}

std::string Storage::object_url(const std::string& bucket, const std::string& name) const {
  return base_ + "storage/v1/b/" + text::percent_encode(bucket) + "/o/" + text::percent_encode(name);
}

std::string Storage::rewrite_url(const StoredObject& source, const std::string& bucket, const std::string& name) const {
  return object_url(source.bucket, source.name) + "/rewriteTo/b/" + text::percent_encode(bucket) + "/o/" +
         text::percent_encode(name);
}

Json Storage::get(const std::string& url) {
  Request request;
  request.url = url;
  const Response response = transport_.send(request);
  if (!is_success(response)) throw to_error(response, url);
  return parse_answer(response, url);
}

std::optional<StoredObject> Storage::find(const std::string& bucket, const std::string& name, const std::string& generation) {
  std::string url = object_url(bucket, name) + "?alt=json&projection=noAcl";
  if (!generation.empty()) url += "&generation=" + text::percent_encode(generation);
  try {
    return stored_object(get(url));
  } catch (const Error& error) {
    if (error.http != 404) throw;
    return {};
  }
}

Json Storage::bucket(const std::string& name) {
  try {
    return get(base_ + "storage/v1/b/" + text::percent_encode(name) + "?alt=json&projection=noAcl");
  } catch (const Error& error) {
    if (error.http == 404) throw no_bucket(name);
    throw;
  }
}

void Storage::buckets(const std::string& project, const std::function<void(Json)>& each) {
  std::string token;
  do {
    const Json page = get(base_ + "storage/v1/b?alt=json&projection=noAcl&maxResults=1000&project=" + text::percent_encode(project) +
                          (token.empty() ? "" : "&pageToken=" + text::percent_encode(token)));
    for (const Json& item : page["items"].items()) each(item);
    token = page["nextPageToken"].text();
  } while (!token.empty());
}

void Storage::list(const Query& query, const std::function<bool(StoredObject)>& object,
                   const std::function<bool(const std::string&)>& prefix) {
  std::string url = base_ + "storage/v1/b/" + text::percent_encode(query.bucket) + "/o?alt=json&projection=noAcl&maxResults=" +
                    std::to_string(query.most);
  if (!query.prefix.empty()) url += "&prefix=" + text::percent_encode(query.prefix);
  if (query.one_level) url += "&delimiter=%2F&includeFoldersAsPrefixes=true";
  if (query.versions) url += "&versions=true";
  if (!query.full) url += "&fields=" + text::percent_encode(kFields);
  std::string token;
  do {
    Json page;
    try {
      page = get(url + (token.empty() ? "" : "&pageToken=" + text::percent_encode(token)));
    } catch (const Error& error) {
      if (error.http == 404) throw no_bucket(query.bucket);
      throw;
    }
    for (const Json& item : page["items"].items()) {
      StoredObject found = stored_object(item);
      if (!query.full) found.resource = {};
      if (found.bucket.empty()) found.bucket = query.bucket;
      if (!object(std::move(found))) return;
    }
    for (const Json& item : page["prefixes"].items()) {
      if (!prefix(item.text())) return;
    }
    token = page["nextPageToken"].text();
  } while (!token.empty());
}

void Storage::remove(const std::string& bucket, const std::string& name, const std::string& generation,
                     const std::string& if_generation) {
  Request request;
  request.method = "DELETE";
  request.url = object_url(bucket, name);
  if (!generation.empty()) request.url += joint(request.url) + "generation=" + text::percent_encode(generation);
  if (!if_generation.empty()) request.url += joint(request.url) + "ifGenerationMatch=" + text::percent_encode(if_generation);
  const Response response = transport_.send(request);
  if (is_success(response) || response.status == 404) return;
  if (response.status != 412) throw to_error(response, request.url);
  throw Error(Kind::conflict, "The object gs://" + bucket + "/" + name + " was changed meanwhile; it stays.");
}

void Storage::remove_bucket(const std::string& name) {
  Request request;
  request.method = "DELETE";
  request.url = base_ + "storage/v1/b/" + text::percent_encode(name);
  const Response response = transport_.send(request);
  if (!is_success(response) && response.status != 404) throw to_error(response, request.url);
}

std::string Storage::conditions(const Keeping& keeping) {
  std::string out;
  auto add = [&out](const char* name, const std::string& value) {
    if (!value.empty()) out += "&" + std::string(name) + "=" + text::percent_encode(value);
  };
  add("ifGenerationMatch", keeping.only_if_absent ? "0" : keeping.if_generation);
  add("ifMetagenerationMatch", keeping.if_metageneration);
  add("predefinedAcl", keeping.predefined_acl);
  return out;
}

std::optional<StoredObject> Storage::taken(const Keeping& keeping, const std::string& bucket, const std::string& name, const std::string& crc32c) {
  // Who asked for a generation may have made a lock of it: then the same bytes by someone else must not pass for ours.
  if (keeping.only_if_absent) return crc32c.empty() ? std::nullopt : arrived(bucket, name, crc32c);
  throw Error(Kind::conflict, "The object gs://" + bucket + "/" + name + " is not as it must be: its generation or metageneration is another. It stays.",
              "See what is there: tpuctl storage ls -a gs://" + bucket + "/" + name);
}

// After "it is there already": perhaps it is ours, made by a try whose answer was lost. The checksum tells.
std::optional<StoredObject> Storage::arrived(const std::string& bucket, const std::string& name, const std::string& crc32c) {
  auto there = find(bucket, name);
  if (there && there->crc32c != crc32c) there.reset();
  return there;
}

std::optional<StoredObject> Storage::rewrite(const StoredObject& source, const std::string& bucket, const std::string& name,
                                             const Keeping& keeping, const std::function<void(std::int64_t)>& moved) {
  std::string url = rewrite_url(source, bucket, name) + "?alt=json&projection=noAcl" + conditions(keeping);
  if (!source.generation.empty()) url += "&sourceGeneration=" + text::percent_encode(source.generation);
  std::string token;
  for (;;) {
    Request request;
    request.method = "POST";
    request.url = url + (token.empty() ? "" : "&rewriteToken=" + text::percent_encode(token));
    if (keeping.fields.size() > 0) {
      request.headers = {{"Content-Type", "application/json; charset=UTF-8"}};
      request.body = keeping.fields.dump();
    }
    const Response response = transport_.send(request);
    if (response.status == 412) return taken(keeping, bucket, name, source.crc32c);
    if (!is_success(response)) throw to_error(response, url);
    const Json answer = parse_answer(response, url);
    if (moved) moved(answer["totalBytesRewritten"].integer());
    if (answer["done"].boolean()) return stored_object(answer["resource"]);
    if (answer["rewriteToken"].text().empty() || answer["rewriteToken"].text() == token) {
      throw Error(Kind::failure, "The copy to gs://" + bucket + "/" + name + " does not come to an end.");
    }
    token = answer["rewriteToken"].text();
  }
}

namespace {

// Of an answer that was unpacked on its way: its bytes are not those that are stored.
bool was_unpacked(const StoredObject& object, const Response& head) {
  const bool stored_packed = object.content_encoding == "gzip" || head.header("X-Goog-Stored-Content-Encoding") == "gzip";
  return head.header("Warning").find("gunzipped") != std::string_view::npos ||
         (stored_packed && head.header("Content-Encoding") != "gzip");
}

// "crc32c=...,md5=..." of X-Goog-Hash, which may come as several headers.
std::string hash_header(const Response& head, std::string_view name) {
  for (const auto& [header, value] : head.headers) {
    if (text::lower(header) != "x-goog-hash") continue;
    for (const std::string& pair : text::split(value, ',')) {
      const std::string_view one = text::trim(pair);
      if (one.starts_with(name)) return std::string(one.substr(name.size()));
    }
  }
  return {};
}

// What has come of an object, and what is still wanted.
struct Incoming {
  Incoming(const StoredObject& of, const std::function<void(std::string_view)>& to, Storage::Range wanted)
      : object(of), sink(to), range(wanted) {}

  const StoredObject& object;
  const std::function<void(std::string_view)>& sink;
  Storage::Range range;
  std::int64_t taken = 0;    ///< bytes handed over
  std::int64_t skip = 0;     ///< of this answer, because they were handed over before
  bool first_piece = true;   ///< of this answer
  bool unpacked = false;
  Crc32c crc32c{};
  std::optional<Md5> md5{};  ///< only when there is something to compare it with
  std::string wanted_crc32c = object.crc32c;
  std::string wanted_md5 = object.md5;

  bool whole() const { return range.first == 0 && range.last < 0; }
  std::int64_t expected() const {
    const std::int64_t end = range.last < 0 || range.last >= object.size ? object.size : range.last + 1;
    return end > range.first ? end - range.first : 0;
  }
  void take(const Response& head, std::string_view piece);
  void verify();
};

void Incoming::take(const Response& head, std::string_view piece) {
  if (first_piece) {
    first_piece = false;
    unpacked = unpacked || was_unpacked(object, head);
    if (wanted_crc32c.empty()) wanted_crc32c = hash_header(head, "crc32c=");
    if (wanted_md5.empty()) wanted_md5 = hash_header(head, "md5=");
    if (taken == 0 && whole() && !wanted_md5.empty()) md5.emplace();
    skip = head.status == 206 ? 0 : range.first + taken;  // a whole answer to a question for a part
  }
  const auto known = static_cast<std::size_t>(std::min<std::int64_t>(skip, static_cast<std::int64_t>(piece.size())));
  skip -= static_cast<std::int64_t>(known);
  piece.remove_prefix(known);
  if (range.last >= 0) piece = piece.substr(0, static_cast<std::size_t>(std::max<std::int64_t>(0, range.last + 1 - range.first - taken)));
  if (piece.empty()) return;
  sink(piece);
  taken += static_cast<std::int64_t>(piece.size());
  crc32c.update(piece);
  if (md5) md5->update(piece);
}

void Incoming::verify() {
  const std::string name = "gs://" + object.bucket + "/" + object.name;
  const bool wrong_crc = !wanted_crc32c.empty() && crc32c.base64() != wanted_crc32c;
  const bool wrong_md5 = md5 && md5->base64() != wanted_md5;
  if (!wrong_crc && !wrong_md5) return;
  throw Error(Kind::failure, std::string("What came of ") + name + " is not what is stored: its " + (wrong_crc ? "CRC32C" : "MD5") +
                                 " checksum is another.",
              "Try again; if it stays so, something between you and Cloud Storage changes the bytes.");
}

}  // namespace

bool Storage::download(const StoredObject& object, const std::function<void(std::string_view)>& sink, Range range) {
  Incoming incoming(object, sink, range);
  if (incoming.expected() == 0 && object.size > 0) return true;
  const std::string url = base_ + "download/storage/v1/b/" + text::percent_encode(object.bucket) + "/o/" +
                          text::percent_encode(object.name) + "?alt=media" +
                          (object.generation.empty() ? "" : "&generation=" + text::percent_encode(object.generation));
  Tries tries(clock_);
  for (;;) {
    Request request;
    request.url = url;
    request.repeat = Repeat::by_caller;
    const std::int64_t first = range.first + incoming.taken;
    if (first > 0 || range.last >= 0) {
      request.headers.emplace_back("Range", "bytes=" + std::to_string(first) + "-" + (range.last < 0 ? "" : std::to_string(range.last)));
    }
    request.sink = [&incoming](const Response& head, std::string_view piece) { incoming.take(head, piece); };
    const std::int64_t before = incoming.taken;
    incoming.first_piece = true;
    Response response = transport_.send(request);
    sink_left(request, response);
    if (incoming.taken > before) tries.moved();
    const bool complete = incoming.unpacked || incoming.taken >= incoming.expected();
    if (is_success(response) && complete) break;
    if (is_success(response)) {  // it ended early without saying so
      response.failure = Failure{Failure::Phase::lost, false, false, "the answer was cut short"};
    }
    if (!tries.again(response)) throw to_error(response, url);
  }
  if (incoming.whole() && !incoming.unpacked) incoming.verify();
  return !incoming.unpacked;
}

}  // namespace tpuctl::api
