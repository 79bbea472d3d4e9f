// SPDX-License-Identifier: Apache-2.0
#include "auth/kinds.hpp"
#include "auth/trusted_file.hpp"
#include "base/error.hpp"
#include "base/file.hpp"
#include "base/secrets.hpp"
#include "base/text.hpp"

namespace tpuctl::auth {

namespace {

constexpr Duration kMargin = std::chrono::seconds(300);
constexpr Duration kPatience = std::chrono::seconds(10);  // for another process that is asking for the same token
constexpr Duration kPause = std::chrono::milliseconds(100);

class Kept : public api::TokenSource {
 public:
  Kept(Source source, const std::string& directory, const std::string& key, Clock& clock)
      : source_(std::move(source)),
        directory_(directory),
        path_(file::join(directory, text::sha256_hex(key) + ".json")),
        clock_(clock) {}

  api::Token token(TimePoint now) override {
    if (fresh(current_, now)) return current_;
    if (const api::Token found = read(); fresh(found, now)) return current_ = found;
    const auto lock = wait_for_lock();
    if (api::Token found = read(); !found.value.empty()) current_ = std::move(found);
    if (fresh(current_, now)) return current_;
    try {
      current_ = source_->token(now);
      write();
    } catch (const Error& error) {  // an unexpired token survives, whichever process it is from
      const bool asked_to_end = error.kind == Kind::interrupted || error.kind == Kind::terminated;
      if (asked_to_end || !good(current_, now)) throw;
    }
    return current_;
  }

  bool refresh() override {
    refused_ = current_.value;
    current_ = {};
    return source_->refresh();
  }

 private:
  static bool good(const api::Token& token, TimePoint now) {
    return !token.value.empty() && token.expires && *token.expires > now;
  }
  static bool fresh(const api::Token& token, TimePoint now) { return good(token, now + kMargin); }

  api::Token read() const {
    Json json;
    const auto text = read_private(path_);
    if (!text || !Json::try_parse(*text, json)) return {};
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
