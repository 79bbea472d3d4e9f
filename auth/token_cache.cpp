// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "auth/kinds.hpp"
#include "base/error.hpp"
#include "base/file.hpp"
#include "base/secrets.hpp"
#include "base/text.hpp"

namespace tpuctl::auth {

namespace {

constexpr Duration kMargin = std::chrono::seconds(300);
constexpr Duration kPatience = std::chrono::seconds(10);  // for another process that is asking for the same token
constexpr Duration kPause = std::chrono::milliseconds(100);

// This user's own file that nobody else can read or write, and no link to one.
bool is_private(const std::string& path) {
  struct stat info = {};
  return lstat(path.c_str(), &info) == 0 && S_ISREG(info.st_mode) && info.st_uid == geteuid() && (info.st_mode & 077) == 0;
}

class Kept : public api::TokenSource {
 public:
  Kept(Source source, const std::string& directory, const std::string& key, Clock& clock)
      : source_(std::move(source)), directory_(directory), path_(file::join(directory, text::sha256_hex(key) + ".json")), clock_(clock) {}

  api::Token token(TimePoint now) override {
    if (fresh(current_, now)) return current_;
    if (const api::Token found = read(); fresh(found, now)) return current_ = found;
    const auto lock = wait_for_lock();
    if (const api::Token found = read(); fresh(found, now)) return current_ = found;
    current_ = source_->token(now);
    write();
    return current_;
  }

  bool refresh() override {
    refused_ = current_.value;
    current_ = {};
    return source_->refresh();
  }

 private:
  static bool fresh(const api::Token& token, TimePoint now) { return !token.value.empty() && token.expires && *token.expires - kMargin > now; }

  api::Token read() const {
    Json json;
    try {
      if (!is_private(path_) || !Json::try_parse(file::read(path_), json)) return {};
    } catch (const Error&) {  // gone meanwhile
      return {};
    }
    api::Token out{json["access_token"].text(), parse_rfc3339(json["expires"].text())};
    if (out.value == refused_) return {};
    secrets::remember(out.value);
    return out;
  }

  void write() const {
    if (!current_.expires) return;
    try {
      file::make_dirs(directory_);
      file::write_atomic(path_, Json{{"access_token", current_.value}, {"expires", rfc3339(*current_.expires)}}.dump());
    } catch (const Error&) {  // a full or read-only disk: the next command asks again
    }
  }

  // One process asks, the others find its answer. A lock that cannot be had only costs a request more.
  std::unique_ptr<file::Lock> wait_for_lock() const {
    try {
      for (Duration waited{}; waited < kPatience; waited += kPause) {
        if (auto lock = file::Lock::try_take(path_ + ".lock")) return lock;
        clock_.sleep(kPause);
      }
    } catch (const Error& error) {
      if (error.kind != Kind::failure) throw;
    }
    return nullptr;
  }

  Source source_;
  std::string directory_, path_;
  Clock& clock_;
  api::Token current_;
  std::string refused_;
};

}  // namespace

Source kept(Source source, const std::string& directory, const std::string& key, Clock& clock) {
  return std::make_unique<Kept>(std::move(source), directory, key, clock);
}

}  // namespace tpuctl::auth
