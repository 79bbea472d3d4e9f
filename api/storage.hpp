// SPDX-License-Identifier: Apache-2.0
// Cloud Storage over its JSON API: what is there, bytes out, bytes in. Bytes stream: of a file of any size no more than one
// piece of an upload (8 MiB) is in memory.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "api/http.hpp"
#include "api/retry.hpp"
#include "base/json.hpp"
#include "base/time.hpp"

namespace tpuctl::api {

/// An object's metadata. The checksums are base64, as on the wire; md5 is empty for composite objects.
struct StoredObject {
  std::string bucket;
  std::string name;
  std::string generation;
  std::int64_t size = 0;
  std::string crc32c;
  std::string md5;
  std::string content_encoding;
  std::string created;  ///< RFC 3339
  Json resource;        ///< as the service sent it
};

class Storage {
 public:
  /// `base` ends with a slash: "https://storage.googleapis.com/".
  Storage(Transport& transport, Clock& clock, std::string base)
      : transport_(transport), clock_(clock), base_(std::move(base)) {}

  /// The object, or nothing when it is not there.
  std::optional<StoredObject> find(const std::string& bucket, const std::string& name, const std::string& generation = {});
  /// The bucket's resource. Throws Error{not_found} naming it.
  Json bucket(const std::string& name);
  /// All buckets of a project.
  void buckets(const std::string& project, const std::function<void(Json)>& each);

  /// How an object is to be stored, besides its bytes.
  struct Keeping {
    Json fields = Json::object();     ///< of its resource: contentType, cacheControl, storageClass, metadata, ...
    std::string predefined_acl{};     ///< "publicRead"
    std::string if_generation{};      ///< what must be there: a generation, "0" nothing; empty: anything
    std::string if_metageneration{};
    bool only_if_absent = false;      ///< something else under that name stays, and that is no error
  };

  struct Query {
    std::string bucket;
    std::string prefix{};    ///< names begin with it
    bool one_level = false;  ///< what has a slash behind the prefix is told as a prefix, once, up to that slash
    bool versions = false;   ///< also what is no longer live
    int most = 1000;         ///< rows a page; the service gives no more than 1000
    bool full = false;       ///< `resource` with everything; else only what StoredObject has a member for
  };
  /// All pages; on each page first objects, then prefixes, each sorted by name. A callback returns false to stop.
  void list(const Query& query, const std::function<bool(StoredObject)>& object,
            const std::function<bool(const std::string&)>& prefix);

  /// What is gone already is fine: a lost answer must not make a false error. Throws Error{conflict} when the live generation
  /// is another than `if_generation`. `generation` deletes that one.
  void remove(const std::string& bucket, const std::string& name, const std::string& generation, const std::string& if_generation);
  void remove_bucket(const std::string& name);  ///< an empty one; gone already is fine

  /// Copies in the cloud, however many calls that takes; `moved` hears of every byte more. Without fields to keep the copy has
  /// those of its source. Nothing when `only_if_absent` and the target is there with other bytes. Throws Error{conflict} when
  /// another generation is there than must be.
  std::optional<StoredObject> rewrite(const StoredObject& source, const std::string& bucket, const std::string& name,
                                      const Keeping& keeping, const std::function<void(std::int64_t)>& moved);

  struct Range {
    std::int64_t first = 0;
    std::int64_t last = -1;  ///< inclusive; -1: the end
  };
  /// Hands the bytes over in order, each once; a connection that breaks is taken up where it broke. A whole object is
  /// checked against its checksums: Error{failure} after the last byte when they differ. What `sink` throws ends it.
  /// Objects stored as gzip come unpacked, and then cannot be checked: returns false, else true.
  bool download(const StoredObject& object, const std::function<void(std::string_view)>& sink, Range range);
  bool download(const StoredObject& object, const std::function<void(std::string_view)>& sink) {
    return download(object, sink, Range{});
  }

  struct Upload {
    std::string bucket;
    std::string name;
    Keeping keeping{};  ///< a contentType is always sent: application/octet-stream when there is none
    /// Up to `most` bytes from `offset` on; 0 at the end. Offsets go up without gaps.
    std::function<std::size_t(std::int64_t offset, char* to, std::size_t most)> read;
    /// `read` can begin at 0 again: an upload that the service forgot is then begun anew.
    bool rereadable = true;
    std::function<void(std::int64_t)> moved{};  ///< the count of bytes that have arrived, ever growing but for a new beginning
  };
  /// One request up to 8 MiB, above that a resumable upload in pieces, gone on with at the offset the service has after any
  /// trouble. The object's checksum is compared with that of the bytes read; a spoiled object is removed again and
  /// Error{failure} thrown. Nothing when `only_if_absent` and it is there with other bytes; Error{conflict} when another
  /// generation is there than must be.
  std::optional<StoredObject> upload(const Upload& upload);
  static constexpr std::size_t kPiece = std::size_t{8} << 20;

  /// What the calls above send, for --dry-run.
  std::string object_url(const std::string& bucket, const std::string& name) const;
  std::string upload_url(const std::string& bucket, const std::string& name) const;
  std::string rewrite_url(const StoredObject& source, const std::string& bucket, const std::string& name) const;

 private:
  struct Session;
  Json get(const std::string& url);
  static std::string conditions(const Keeping& keeping);  ///< as query parameters, each with & in front
  std::optional<StoredObject> taken(const Keeping& keeping, const std::string& bucket, const std::string& name, const std::string& crc32c);
  static Json about(const Upload& upload);
  std::optional<StoredObject> arrived(const std::string& bucket, const std::string& name, const std::string& crc32c);
  std::optional<StoredObject> upload_whole(const Upload& upload, std::string_view bytes);
  std::optional<StoredObject> upload_in_pieces(const Upload& upload, std::string buffer);
  std::string begin(const Upload& upload, Response& refusal);
  Response send_piece(Session& session, std::string_view bytes, bool last);
  void check(const StoredObject& object, const std::string& crc32c);

  Transport& transport_;
  Clock& clock_;
  std::string base_;
};

/// Parses an object resource.
StoredObject stored_object(Json resource);
/// The MIME type that a file's name suggests; application/octet-stream when it suggests none.
std::string content_type_of(std::string_view file_name);

}  // namespace tpuctl::api
