// SPDX-License-Identifier: Apache-2.0
#include "launch/archive.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <isa-l/igzip_lib.h>
#include <openssl/evp.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <memory>

#include "base/error.hpp"
#include "base/signal.hpp"

namespace tpuctl::launch {

namespace {

constexpr std::size_t kBlock = 512;
constexpr std::size_t kPiece = std::size_t{256} << 10;

/// Bytes in, gzip into a file, the checksum of what was written besides.
class GzipFile {
 public:
  explicit GzipFile(int fd) : fd_(fd), digest_(EVP_MD_CTX_new(), EVP_MD_CTX_free), out_(kPiece), level_(ISAL_DEF_LVL1_DEFAULT) {
    EVP_DigestInit_ex(digest_.get(), EVP_sha256(), nullptr);
    isal_deflate_init(&stream_);
    stream_.gzip_flag = IGZIP_GZIP;
    stream_.level = 1;
    stream_.level_buf = level_.data();
    stream_.level_buf_size = static_cast<std::uint32_t>(level_.size());
  }

  void write(std::string_view bytes, bool last = false) {
    stream_.next_in = reinterpret_cast<std::uint8_t*>(const_cast<char*>(bytes.data()));  // it only reads
    stream_.avail_in = static_cast<std::uint32_t>(bytes.size());
    stream_.end_of_stream = last ? 1 : 0;
    do {
      stream_.next_out = out_.data();
      stream_.avail_out = static_cast<std::uint32_t>(out_.size());
      isal_deflate(&stream_);
      put(out_.data(), out_.size() - stream_.avail_out);
    } while (stream_.avail_in > 0 || stream_.avail_out == 0 || (last && stream_.internal_state.state != ZSTATE_END));
  }

  std::int64_t size() const { return size_; }
  std::string sum() {
    std::array<unsigned char, EVP_MAX_MD_SIZE> bytes = {};
    unsigned length = 0;
    EVP_DigestFinal_ex(digest_.get(), bytes.data(), &length);
    std::string out;
    for (unsigned i = 0; i < length; ++i) out += fmt::format("{:02x}", bytes[i]);
    return out;
  }

 private:
  void put(const std::uint8_t* bytes, std::size_t count) {
    EVP_DigestUpdate(digest_.get(), bytes, count);
    size_ += static_cast<std::int64_t>(count);
    while (count > 0) {
      const ssize_t n = ::write(fd_, bytes, count);
      if (n < 0 && errno == EINTR) continue;
      if (n < 0) throw Error(Kind::failure, std::string("The archive of the files cannot be written: ") + std::strerror(errno) + ".",
                             "Another place for it: TMPDIR=FOLDER tpuctl ...");
      bytes += n;
      count -= static_cast<std::size_t>(n);
    }
  }

  int fd_;
  std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> digest_;
  std::vector<std::uint8_t> out_, level_;
  isal_zstream stream_ = {};
  std::int64_t size_ = 0;
};

// ---- tar: POSIX.1-2001 (pax), header by header ------------------------------------------------------------------------

void put_text(char* field, std::size_t size, std::string_view value) { std::memcpy(field, value.data(), std::min(size, value.size())); }
void put_octal(char* field, std::size_t size, std::int64_t value) { put_text(field, size, fmt::format("{:0{}o}", value, size - 1)); }

std::string header(std::string_view name, char type, int mode, std::int64_t size, std::string_view target) {
  std::string block(kBlock, '\0');
  char* at = block.data();
  put_text(at, 100, name);
  put_octal(at + 100, 8, mode);
  put_octal(at + 108, 8, 0);  // owner, group: whoever unpacks it
  put_octal(at + 116, 8, 0);
  put_octal(at + 124, 12, size);
  put_octal(at + 136, 12, 0);  // time: when it is unpacked
  at[156] = type;
  put_text(at + 157, 100, target);
  put_text(at + 257, 8, std::string_view("ustar\00000", 8));
  std::memset(at + 148, ' ', 8);
  unsigned sum = 0;
  for (const char c : block) sum += static_cast<unsigned char>(c);
  put_text(at + 148, 7, fmt::format("{:06o}", sum));
  at[154] = '\0';
  return block;
}

// "LENGTH KEY=VALUE\n"; the length counts itself.
std::string record(std::string_view key, std::string_view value) {
  const std::size_t rest = key.size() + value.size() + 3;
  std::size_t length = rest + 1;
  while (fmt::format("{}", length).size() + rest != length) length = fmt::format("{}", length).size() + rest;
  return fmt::format("{} {}={}\n", length, key, value);
}

std::string padding(std::int64_t size) {
  const auto over = static_cast<std::size_t>(size) % kBlock;
  return std::string(over == 0 ? 0 : kBlock - over, '\0');
}

}  // namespace

// The header, after one with what does not fit into it.
std::string tar_headers(const ArchiveEntry& entry) {
  constexpr std::int64_t kLargest = (std::int64_t{1} << 33) - 1;
  constexpr std::size_t kLongest = 100;
  const std::string name = entry.type == ArchiveEntry::Type::folder ? entry.name + "/" : entry.name;
  std::string more;
  if (name.size() > kLongest) more += record("path", name);
  if (entry.target.size() > kLongest) more += record("linkpath", entry.target);
  if (entry.size > kLargest) more += record("size", fmt::format("{}", entry.size));
  std::string out;
  if (!more.empty()) {
    const auto size = static_cast<std::int64_t>(more.size());
    out = header("more", 'x', 0644, size, "") + more + padding(size);
  }
  const char type = entry.type == ArchiveEntry::Type::folder ? '5' : entry.type == ArchiveEntry::Type::link ? '2' : '0';
  return out + header(name.substr(0, kLongest), type, entry.mode, entry.size > kLargest ? 0 : entry.size,
                      entry.target.substr(0, std::min(entry.target.size(), kLongest)));
}

namespace {

void add_content(GzipFile& to, const ArchiveEntry& entry, std::string& buffer) {
  const int fd = open(entry.path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) throw Error(Kind::failure, "Cannot read [" + entry.path + "]: " + std::strerror(errno) + ".");
  std::int64_t left = entry.size;
  while (left > 0) {
    const ssize_t n = ::read(fd, buffer.data(), std::min<std::size_t>(buffer.size(), static_cast<std::size_t>(left)));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) {
      const std::string why = n < 0 ? std::strerror(errno) : "it became shorter meanwhile";
      close(fd);
      throw Error(Kind::failure, "Cannot read [" + entry.path + "]: " + why + ".");
    }
    to.write({buffer.data(), static_cast<std::size_t>(n)});
    left -= n;
  }
  close(fd);
  to.write(padding(entry.size));
}

}  // namespace

Archive::Archive(const std::vector<ArchiveEntry>& entries) {
  std::string path = (std::filesystem::temp_directory_path() / "tpuctl-files-XXXXXX").string();
  fd_ = mkstemp(path.data());
  if (fd_ < 0) throw Error(Kind::failure, "Cannot write [" + path + "]: " + std::strerror(errno) + ".");
  unlink(path.c_str());
  fcntl(fd_, F_SETFD, FD_CLOEXEC);
  try {
    GzipFile out(fd_);
    std::string buffer(kPiece, '\0');
    for (const ArchiveEntry& entry : entries) {
      signals::check();
      out.write(tar_headers(entry));
      if (entry.type == ArchiveEntry::Type::file) add_content(out, entry, buffer);
      if (entry.name.find('/') == std::string::npos) tops_.push_back(entry);
      content_ += entry.size;
      files_ += entry.type == ArchiveEntry::Type::folder ? 0 : 1;
    }
    out.write(std::string(2 * kBlock, '\0'), true);
    size_ = out.size();
    sum_ = out.sum();
  } catch (...) {
    close(fd_);
    throw;
  }
}

Archive::~Archive() { close(fd_); }

std::size_t Archive::read(std::int64_t offset, char* to, std::size_t most) const {
  for (;;) {
    const ssize_t n = pread(fd_, to, most, offset);
    if (n >= 0) return static_cast<std::size_t>(n);
    if (errno != EINTR) throw Error(Kind::failure, std::string("The archive of the files cannot be read: ") + std::strerror(errno) + ".");
  }
}

void put_object(api::Storage& storage, const std::string& bucket, const std::string& name, const Archive& archive,
                const std::function<void(std::int64_t)>& moved) {
  const auto there = storage.find(bucket, name);
  if (there && there->size == archive.size()) return;
  api::Storage::Upload upload;
  upload.bucket = bucket;
  upload.name = name;
  upload.keeping.fields = {{"contentType", "application/gzip"}};
  upload.moved = moved;
  upload.read = [&archive](std::int64_t offset, char* to, std::size_t most) { return archive.read(offset, to, most); };
  storage.upload(upload);
  moved(archive.size());
}

}  // namespace tpuctl::launch
