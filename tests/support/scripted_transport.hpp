// SPDX-License-Identifier: Apache-2.0
// A wire with a script: exactly these requests, in this order, and these answers. Anything else fails the test.
#pragma once

#include <gmock/gmock.h>

#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "api/http.hpp"
#include "base/json.hpp"

namespace tpuctl::test {

class ScriptedTransport : public api::Transport {
 public:
  using Text = ::testing::Matcher<const std::string&>;

  class Step {
   public:
    Step(std::string method, Text url) : method_(std::move(method)), url_(std::move(url)) {}
    /// The request carries this header (and no other of its name).
    Step& with_header(const std::string& name, Text value) {
      headers_.emplace_back(name, std::move(value));
      return *this;
    }
    Step& without_header(const std::string& name) { return with_header(name, Text("")); }
    /// The body is this JSON, whatever the order of its members.
    Step& with_json(Json body) {
      json_ = std::move(body);
      return *this;
    }
    Step& with_body(Text body) {
      body_ = std::move(body);
      return *this;
    }
    Step& reply(int status, const Json& body = Json::object(), api::Headers headers = {}) {
      return reply_text(status, body.dump(), std::move(headers));
    }
    Step& reply_text(int status, std::string body, api::Headers headers = {}) {
      answer_ = {};
      answer_.status = status;
      answer_.body = std::move(body);
      answer_.headers = std::move(headers);
      return *this;
    }
    /// The shape of a Google API error.
    Step& reply_error(int status, const std::string& name, const std::string& message, const Json& details = {}) {
      Json inner{{"code", status}, {"status", name}, {"message", message}};
      if (!details.is_null()) inner.member("details") = details;
      return reply(status, Json{{"error", inner}});
    }
    /// The request arrived, perhaps; its answer did not.
    Step& lose(bool timed_out = false) { return fail({api::Failure::Phase::lost, timed_out, false, "the connection was reset"}); }
    Step& refuse() { return fail({api::Failure::Phase::not_sent, false, false, "connection refused"}); }
    Step& fail(api::Failure failure) {
      answer_ = {};
      answer_.failure = std::move(failure);
      return *this;
    }
    /// What else happens when the request comes.
    Step& doing(std::function<void()> effect) {
      effect_ = std::move(effect);
      return *this;
    }

   private:
    friend class ScriptedTransport;
    std::string method_;
    Text url_;
    std::vector<std::pair<std::string, Text>> headers_;
    std::optional<Json> json_;
    std::optional<Text> body_;
    std::function<void()> effect_{};
    api::Response answer_{200, {}, "{}", {}};
  };

  ~ScriptedTransport() override {
    if (!verified_) verify();
  }

  /// The next request. `url` is the whole URL, or a matcher for it.
  Step& expect(const std::string& method, Text url) {
    verified_ = false;
    return script_.emplace_back(method, std::move(url));
  }
  /// From now on nothing may be sent.
  void forbid() {
    verify();
    forbidden_ = true;
  }
  /// Fails the test for requests that were never made. Happens by itself at the end.
  void verify() {
    verified_ = true;
    for (std::size_t i = next_; i < script_.size(); ++i) {
      ADD_FAILURE() << "never sent: " << script_[i].method_ << " " << described(script_[i].url_);
    }
    next_ = script_.size();
  }

  api::Response send(const api::Request& request) override {
    sent.push_back(request);
    const std::string line = request.method + " " + request.url;
    if (forbidden_ || next_ >= script_.size()) {
      ADD_FAILURE() << (forbidden_ ? "forbidden: " : "not expected: ") << line;
      api::Response out;
      out.failure = api::Failure{api::Failure::Phase::not_sent, false, true, "not in the script"};  // ends every retry
      return out;
    }
    Step& step = script_[next_++];
    EXPECT_EQ(request.method, step.method_) << line;
    EXPECT_THAT(request.url, step.url_) << "request number " << next_;
    for (const auto& [name, value] : step.headers_) EXPECT_THAT(header(request, name), value) << name << " of " << line;
    if (step.body_) {
      EXPECT_THAT(request.body, *step.body_) << line;
    }
    if (step.json_) {
      Json body;
      Json::try_parse(request.body, body);
      EXPECT_TRUE(body == *step.json_) << line << "\n  sent   " << body.dump() << "\n  wanted " << step.json_->dump();
    }
    if (step.effect_) step.effect_();
    return step.answer_;
  }

  /// All values of a header, joined: two of a kind are seen.
  static std::string header(const api::Request& request, const std::string& name) {
    std::string out;
    for (const auto& [key, value] : request.headers) {
      if (::testing::internal::String::CaseInsensitiveCStringEquals(key.c_str(), name.c_str())) out += (out.empty() ? "" : ", ") + value;
    }
    return out;
  }

  std::vector<api::Request> sent;  ///< every request that came

 private:
  static std::string described(const Text& matcher) {
    std::ostringstream out;
    matcher.DescribeTo(&out);
    return out.str();
  }
  std::deque<Step> script_;  // references to steps stay good
  std::size_t next_ = 0;
  bool forbidden_ = false;
  bool verified_ = true;
};

}  // namespace tpuctl::test
