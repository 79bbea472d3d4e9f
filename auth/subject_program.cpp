// SPDX-License-Identifier: Apache-2.0
// Subject tokens from a program of the user's (https://google.aip.dev/auth/4117, executable sources). It is run only
// when the user allows it, for a credential's file from elsewhere must not be able to start anything.
#include <sys/stat.h>

#include "auth/subject.hpp"
#include "auth/trusted_file.hpp"
#include "base/error.hpp"
#include "base/process.hpp"
#include "base/secrets.hpp"
#include "base/text.hpp"

namespace tpuctl::auth {

namespace {

constexpr const char* kGate = "GOOGLE_EXTERNAL_ACCOUNT_ALLOW_EXECUTABLES";
constexpr std::int64_t kFastest = 5'000, kUsual = 30'000, kSlowest = 120'000;  // milliseconds
constexpr std::size_t kLongest = std::size_t{1} << 20;
constexpr const char* kJwt = "urn:ietf:params:oauth:token-type:jwt";
constexpr const char* kIdToken = "urn:ietf:params:oauth:token-type:id_token";
constexpr const char* kSaml = "urn:ietf:params:oauth:token-type:saml2";

class FromProgram : public SubjectSource {
 public:
  explicit FromProgram(const Material& material)
      : audience_(material.json["audience"].text()),
        type_(material.json["subject_token_type"].text()),
        impersonated_(impersonation_target(material.json["service_account_impersonation_url"].text())),
        env_(material.env) {
    const Json& own = material.json["credential_source"]["executable"];
    const auto words = text::shell_split(own["command"].text());
    if (!words || words->empty()) {
      material.refuse("credential_source.executable.command is missing, or a quote in it has no end.");
    }
    argv_ = *words;
    if (!argv_[0].starts_with('/')) {
      material.refuse("the program of credential_source.executable must be an absolute path, not [" + argv_[0] + "].");
    }
    const std::int64_t limit = own["timeout_millis"].integer(kUsual);
    if (limit < kFastest || limit > kSlowest) {
      material.refuse("credential_source.executable.timeout_millis must be between 5000 and 120000.");
    }
    limit_ = std::chrono::milliseconds(limit);
    output_file_ = own["output_file"].text();
  }

  std::string token(TimePoint now) override {
    if (env_.get(kGate) != "1") {
      throw Error(Kind::denied,
                  "The credential wants to run [" + argv_[0] + "] for a subject token; programs need to be allowed.",
                  std::string("If you trust it: ") + kGate + "=1");
    }
    if (const auto kept = from_output_file(now)) return *kept;
    process::Spec spec;
    spec.argv = argv_;
    spec.env = environment();
    spec.output_limit = kLongest;
    if (process::find_program(argv_[0], "").empty()) fail("cannot be run: it is not there, or is no program");
    const process::Result result = process::run(spec, {}, limit_);
    if (result.timed_out) fail("gave no answer within " + human_duration(limit_) + " and was ended");
    if (result.too_long) fail("wrote more than 1 MiB and was ended");
    const std::string complaint = one_line(result.err);
    if (result.status != 0) {
      fail("exited with code " + std::to_string(result.status) + (complaint.empty() ? "" : " (" + complaint + ")"));
    }
    return read(result.out, now, "its answer", !output_file_.empty());
  }
  std::string name() const override { return "the program [" + argv_[0] + "]"; }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw Error(Kind::denied, "No subject token from " + name() + ": it " + what + ".");
  }

  // Without the full stop that follows.
  static std::string one_line(const std::string& text) {
    std::string line = secrets::redact(text::clip(text::trim(text.substr(0, text.find('\n'))), 200));
    while (line.ends_with('.')) line.pop_back();
    return line;
  }

  std::vector<std::string> environment() const {
    Environment out = env_;
    out.set("GOOGLE_EXTERNAL_ACCOUNT_AUDIENCE", audience_);
    out.set("GOOGLE_EXTERNAL_ACCOUNT_TOKEN_TYPE", type_);
    out.set("GOOGLE_EXTERNAL_ACCOUNT_ID", "");
    out.set("GOOGLE_EXTERNAL_ACCOUNT_INTERACTIVE", "0");
    out.set("GOOGLE_EXTERNAL_ACCOUNT_REVOKE", "0");
    if (!impersonated_.empty()) out.set("GOOGLE_EXTERNAL_ACCOUNT_IMPERSONATED_EMAIL", impersonated_);
    if (!output_file_.empty()) out.set("GOOGLE_EXTERNAL_ACCOUNT_OUTPUT_FILE", output_file_);
    return out.pairs();
  }

  // What the program left there the last time, while it is good. A link or a file that others may write is not
  // believed.
  std::optional<std::string> from_output_file(TimePoint now) const {
    if (output_file_.empty()) return {};
    const auto text = read_trusted(output_file_, S_IWOTH);
    if (!text || text::trim(*text).empty()) return {};
    Json json;
    if (!Json::try_parse(*text, json) || !json.is_object()) {
      fail("left no JSON object in its output_file [" + output_file_ + "]");
    }
    const std::int64_t expires = json["expiration_time"].integer(0);
    if (!json["success"].boolean() || TimePoint(std::chrono::seconds(expires)) <= now) return {};
    return read(*text, now, "its output_file", true);
  }

  std::string read(const std::string& text, TimePoint now, const std::string& where, bool must_expire) const {
    Json json;
    if (!Json::try_parse(text, json) || !json.is_object()) fail("wrote no JSON object");
    if (!json["version"].is_number()) fail("named no version in " + where);
    if (json["version"].integer() > 1) {
      fail("speaks version " + json["version"].scalar() + ", and only 1 is understood");
    }
    if (!json["success"].is_bool()) fail("did not say in " + where + " whether it succeeded");
    if (!json["success"].boolean()) fail("said: " + json["code"].scalar() + " " + one_line(json["message"].text()));
    const std::string& kind = json["token_type"].text();
    if (kind != kJwt && kind != kIdToken && kind != kSaml) fail("gave a token of the unknown type [" + kind + "]");
    const Json* expires = json.find("expiration_time");
    if (must_expire && expires == nullptr) fail("named no expiration_time, which an output_file needs");
    if (expires != nullptr && TimePoint(std::chrono::seconds(expires->integer())) <= now) {
      fail("gave a subject token that has expired");
    }
    const std::string& token = json[kind == kSaml ? "saml_response" : "id_token"].text();
    if (token.empty()) fail("gave no token");
    secrets::remember(token);
    return token;
  }

  std::string audience_, type_, impersonated_;
  Environment env_;
  std::vector<std::string> argv_;
  Duration limit_{};
  std::string output_file_;
};

}  // namespace

std::unique_ptr<SubjectSource> subject_from_program(const Material& material) {
  return std::make_unique<FromProgram>(material);
}

}  // namespace tpuctl::auth
