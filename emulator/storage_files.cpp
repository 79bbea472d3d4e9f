// SPDX-License-Identifier: Apache-2.0
#include "emulator/storage_files.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/text.hpp"
#include "emulator/digest.hpp"

namespace tpuctl::emulator {

namespace fs = std::filesystem;

namespace {
constexpr std::size_t kLongestPart = 240;  // of a file name, with room for the mark

std::string escape(const std::string& part) {
  if (part.empty()) return "%";
  if (part == "." || part == "..") return text::replace_all(part, ".", "%2E");
  std::string out;
  for (const char c : part) {
    char code[4];
    if (c == '%' || static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
      std::snprintf(code, sizeof code, "%%%02X", static_cast<unsigned>(static_cast<unsigned char>(c)));
      out += code;
    } else {
      out += c;
    }
  }
  return out;
}

std::string unescape(std::string part) {
  if (part == "%" || part == "%%") return {};  // an empty part, with or without the mark
  if (!part.empty() && part.back() == '%') part.pop_back();
  return text::percent_decode(part);
}

/// Parts of the name, "a/" giving {"a", ""}.
std::vector<std::string> escaped_parts(const std::string& name) {
  std::vector<std::string> out;
  std::size_t start = 0;
  for (;;) {
    const auto slash = name.find('/', start);
    out.push_back(escape(name.substr(start, slash - start)));
    if (out.back().size() > kLongestPart) throw Error(Kind::usage, "The object's name has a part that is too long.");
    if (slash == std::string::npos) return out;
    start = slash + 1;
  }
}

bool is_file(const std::string& path) {
  struct stat info = {};
  return lstat(path.c_str(), &info) == 0 && S_ISREG(info.st_mode);
}

void move_file(const std::string& from, const std::string& to) {
  if (std::rename(from.c_str(), to.c_str()) != 0) {
    throw Error(Kind::failure, "Cannot move [" + from + "] to [" + to + "]: " + std::strerror(errno) + ".");
  }
}

std::optional<ObjectInfo> info_of(const std::string& name, const std::string& path) {
  struct stat info = {};
  if (lstat(path.c_str(), &info) != 0 || !S_ISREG(info.st_mode)) return {};
#ifdef __APPLE__
  const timespec when = info.st_mtimespec;
#else
  const timespec when = info.st_mtim;
#endif
  return ObjectInfo{name, static_cast<std::uint64_t>(info.st_size),
                    static_cast<std::int64_t>(when.tv_sec) * 1000000 + when.tv_nsec / 1000, path};
}
}  // namespace

bool BucketFiles::is_bucket_name(const std::string& name) {
  auto plain = [](char c) { return std::islower(static_cast<unsigned char>(c)) != 0 || std::isdigit(static_cast<unsigned char>(c)) != 0; };
  return name.size() >= 3 && name.size() <= 222 && plain(name.front()) && plain(name.back()) &&
         name.find("..") == std::string::npos &&
         std::all_of(name.begin(), name.end(), [&](char c) { return plain(c) || c == '-' || c == '_' || c == '.'; });
}

std::string BucketFiles::bucket_dir(const std::string& bucket) const { return dir_ + "/buckets/" + bucket; }

bool BucketFiles::has_bucket(const std::string& bucket) const {
  return !dir_.empty() && is_bucket_name(bucket) && file::is_dir(bucket_dir(bucket));
}

void BucketFiles::make_bucket(const std::string& bucket) const { file::make_dirs(bucket_dir(bucket)); }

void BucketFiles::remove_bucket(const std::string& bucket) const {
  file::remove_tree(bucket_dir(bucket));
  file::remove_tree(dir_ + "/bucket-attributes/" + bucket);
}

std::vector<std::string> BucketFiles::buckets() const {
  std::vector<std::string> out;
  std::error_code ec;
  for (const auto& entry : fs::directory_iterator(dir_ + "/buckets", ec)) {
    if (entry.is_directory(ec) && is_bucket_name(entry.path().filename())) out.push_back(entry.path().filename());
  }
  std::sort(out.begin(), out.end());
  return out;
}

std::optional<ObjectInfo> BucketFiles::find(const std::string& bucket, const std::string& name) const {
  if (name.empty()) return {};
  std::string path = bucket_dir(bucket);
  for (const std::string& part : escaped_parts(name)) path += "/" + part;
  if (is_file(path)) return info_of(name, path);
  return info_of(name, path + "%");
}

namespace {
void collect(const std::string& dir, const std::string& name, const std::string& prefix, std::vector<ObjectInfo>& out) {
  std::error_code ec;
  for (const auto& entry : fs::directory_iterator(dir, ec)) {
    const std::string full = name + unescape(entry.path().filename());
    if (entry.is_symlink(ec)) continue;
    if (entry.is_directory(ec)) {
      const std::string inner = full + "/";
      const auto common = std::min(inner.size(), prefix.size());
      if (inner.compare(0, common, prefix, 0, common) == 0) collect(entry.path(), inner, prefix, out);
    } else if (full.rfind(prefix, 0) == 0) {
      if (auto info = info_of(full, entry.path())) out.push_back(std::move(*info));
    }
  }
}
}  // namespace

std::vector<ObjectInfo> BucketFiles::list(const std::string& bucket, const std::string& prefix) const {
  std::vector<ObjectInfo> out;
  collect(bucket_dir(bucket), "", prefix, out);
  std::sort(out.begin(), out.end(), [](const ObjectInfo& a, const ObjectInfo& b) { return a.name < b.name; });
  return out;
}

ObjectInfo BucketFiles::put_file(const std::string& bucket, const std::string& name, const std::string& source,
                                 const Json& attributes) {
  const auto parts = escaped_parts(name);
  std::string path = bucket_dir(bucket);
  for (std::size_t i = 0; i + 1 < parts.size(); ++i) {
    path += "/" + parts[i];
    if (is_file(path)) move_file(path, path + "%");
    file::make_dirs(path);
  }
  path += "/" + parts.back();
  if (file::is_dir(path)) path += "%";
  move_file(source, path);
  const std::string beside = attributes_path(bucket, name);
  if (attributes.size() > 0) {
    file::write_atomic(beside, attributes.dump());
  } else {
    file::remove(beside);
  }
  return *info_of(name, path);
}

void BucketFiles::remove(const std::string& bucket, const std::string& name) {
  const auto found = find(bucket, name);
  if (!found) return;
  file::remove(found->path);
  sums_.erase(found->path);
  file::remove(attributes_path(bucket, name));
  // Folders are no objects: one that has become empty goes too.
  std::error_code ec;
  for (fs::path up = fs::path(found->path).parent_path(); up != fs::path(bucket_dir(bucket)); up = up.parent_path()) {
    if (!fs::remove(up, ec)) break;
  }
}

std::string BucketFiles::attributes_path(const std::string& bucket, const std::string& name) const {
  return dir_ + "/bucket-attributes/" + bucket + "/" + text::sha256_hex(name) + ".json";
}

Json BucketFiles::attributes(const std::string& bucket, const std::string& name) const {
  Json out = Json::object();
  if (const auto text = file::read_if_exists(attributes_path(bucket, name))) Json::try_parse(*text, out);
  return out;
}

std::string BucketFiles::new_upload() const {
  file::make_dirs(dir_ + "/uploads");
  return dir_ + "/uploads/" + text::uuid4();
}

const BucketFiles::Sums& BucketFiles::sums(const ObjectInfo& object) {
  Sums& known = sums_[object.path];
  if (known.generation != object.generation || known.crc32c.empty()) {
    const std::string bytes = file::read(object.path);
    known = {object.generation, crc32c_base64(bytes), md5_base64(bytes)};
  }
  return known;
}

}  // namespace tpuctl::emulator
