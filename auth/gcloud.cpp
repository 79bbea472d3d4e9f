// SPDX-License-Identifier: Apache-2.0
// gcloud as a source of tokens, through the command it has for that.
#include <poll.h>

#include "auth/kinds.hpp"
#include "auth/tokens.hpp"
#include "base/error.hpp"
#include "base/process.hpp"
#include "base/secrets.hpp"
#include "base/signal.hpp"
#include "base/text.hpp"

namespace tpuctl::auth {

namespace {

class GcloudAccount : public RefreshingToken {
 public:
  GcloudAccount(std::string gcloud, std::string account, Environment env, bool at_terminal)
      : gcloud_(std::move(gcloud)), account_(std::move(account)), env_(std::move(env)), at_terminal_(at_terminal) {
    if (!at_terminal_) env_.set("CLOUDSDK_CORE_DISABLE_PROMPTS", "1");
    env_.set("CLOUDSDK_CORE_ACCOUNT", account_);
    // This account's own token is wanted: what else gcloud would use instead is not its business here.
    for (const char* name : {"CLOUDSDK_AUTH_ACCESS_TOKEN", "CLOUDSDK_AUTH_ACCESS_TOKEN_FILE",
                             "CLOUDSDK_AUTH_CREDENTIAL_FILE_OVERRIDE", "CLOUDSDK_AUTH_IMPERSONATE_SERVICE_ACCOUNT"}) {
      env_.set(name, "");  // which beats its configuration file, too
    }
  }

 protected:
  api::Token fetch(TimePoint) override {
    process::Spec spec;
    spec.argv = {gcloud_, "config", "config-helper", "--format=json", "--min-expiry=5m"};
    spec.env = env_.pairs();
    const process::Result result = at_terminal_ ? with_terminal(spec) : process::run(spec);
    Json answer;
    if (result.status == 0) Json::try_parse(result.out, answer);
    const std::string& value = answer["credential"]["access_token"].text();
    if (value.empty()) {
      const std::string first = std::string(text::trim(std::string_view(result.err).substr(0, result.err.find('\n'))));
      throw Error(Kind::denied,
                  "gcloud gave no access token for [" + account_ + "]" +
                      (result.timed_out ? ": no answer within a minute."
                       : first.empty()  ? "."
                                        : ": " + text::printable(secrets::redact(first))),
                  "Sign in again: tpuctl auth login");
    }
    return {value, parse_rfc3339(answer["credential"]["token_expiry"].text())};
  }

 private:
  // gcloud speaks with the user; it has all the time that takes.
  static process::Result with_terminal(process::Spec spec) {
    spec.in = process::Stream::inherit;
    spec.out = process::Stream::pipe;
    spec.err = process::Stream::inherit;
    process::Child child(spec);
    process::Result result;
    while (process::Child::drain(child.out(), result.out)) {
      pollfd readable{child.out(), POLLIN, 0};
      poll(&readable, 1, -1);
      signals::check();
    }
    result.status = child.wait();
    return result;
  }

  std::string gcloud_, account_;
  Environment env_;
  bool at_terminal_;
};

}  // namespace

Source gcloud_account(std::string gcloud, std::string account, const Environment& env, bool at_terminal) {
  return std::make_unique<GcloudAccount>(std::move(gcloud), std::move(account), env, at_terminal);
}

}  // namespace tpuctl::auth
