// SPDX-License-Identifier: Apache-2.0
// The identity of a machine in AWS, from the environment or its metadata service (IMDSv2), as a signed request.
#include "api/errors.hpp"
#include "auth/aws_signature.hpp"
#include "auth/subject.hpp"
#include "auth/token_endpoint.hpp"
#include "auth/urls.hpp"
#include "base/error.hpp"
#include "base/secrets.hpp"
#include "base/text.hpp"

namespace tpuctl::auth {

namespace {

class FromAws : public SubjectSource {
 public:
  explicit FromAws(const Material& material)
      : audience_(material.required("audience")), env_(material.env), ways_(material.ways) {
    const Json& own = material.json["credential_source"];
    const std::string& version = own["environment_id"].text();
    if (!version.starts_with("aws") || !text::parse_int(std::string_view(version).substr(3))) {
      material.refuse("credential_source.environment_id [" + version + "] is not of AWS.");
    }
    if (version != "aws1") material.refuse("aws version '" + version.substr(3) + "' is not supported; only 1 is.");
    verify_url_ = own["regional_cred_verification_url"].text();
    if (verify_url_.empty()) material.refuse("credential_source.regional_cred_verification_url is missing.");
    const std::pair<const char*, std::string*> urls[] = {
        {"region_url", &region_url_}, {"url", &keys_url_}, {"imdsv2_session_token_url", &session_url_}};
    for (const auto& [name, into] : urls) {
      *into = own[name].text();
      if (!into->empty()) material.check_url(*into, name, is_aws_metadata_url(*into), "the metadata service of AWS");
    }
  }

  std::string token(TimePoint now) override {
    session_.clear();
    AwsRequest request;
    request.region = region();
    request.url = text::replace_all(verify_url_, "{region}", request.region);
    const std::string stamp = text::replace_all(text::replace_all(rfc3339(now), "-", ""), ":", "");
    request.date = stamp;
    const std::string out = aws_subject_token(request, keys(), audience_);
    secrets::remember(out);
    return out;
  }
  std::string name() const override { return "AWS"; }

 private:
  [[noreturn]] static void fail(const std::string& what, const std::string& hint = {}) {
    throw Error(Kind::denied, "No identity from AWS: " + what, hint);
  }

  std::string region() {
    for (const char* variable : {"AWS_REGION", "AWS_DEFAULT_REGION"}) {
      if (auto value = env_.get_nonempty(variable)) return *value;
    }
    if (region_url_.empty()) fail("the region is not known.", "Set AWS_REGION.");
    const std::string zone = metadata(region_url_);
    if (zone.size() < 2) fail("its metadata service names no region.");
    return zone.substr(0, zone.size() - 1);
  }

  AwsKeys keys() {
    const auto id = env_.get_nonempty("AWS_ACCESS_KEY_ID"), secret = env_.get_nonempty("AWS_SECRET_ACCESS_KEY");
    if (id && secret) return known({*id, *secret, env_.get("AWS_SESSION_TOKEN").value_or("")});
    if (keys_url_.empty()) fail("there are no access keys.", "Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.");
    const std::string role = metadata(keys_url_);
    const std::string text = metadata(keys_url_ + "/" + role);
    Json answer;
    if (!Json::try_parse(text, answer) || answer["AccessKeyId"].text().empty() ||
        answer["SecretAccessKey"].text().empty()) {
      fail("its metadata service gave no access keys for the role [" + role + "].");
    }
    return known({answer["AccessKeyId"].text(), answer["SecretAccessKey"].text(), answer["Token"].text()});
  }

  static AwsKeys known(AwsKeys keys) {
    secrets::remember(keys.secret);
    secrets::remember(keys.session);
    return keys;
  }

  // One answer of the metadata service. The session that IMDSv2 wants is opened with the first question.
  std::string metadata(const std::string& url) {
    if (!session_url_.empty() && session_.empty()) {
      session_ = ask("PUT", session_url_, {{"X-aws-ec2-metadata-token-ttl-seconds", "300"}});
      secrets::remember(session_);
    }
    return ask("GET", url, session_.empty() ? api::Headers{} : api::Headers{{"X-aws-ec2-metadata-token", session_}});
  }

  std::string ask(const std::string& method, const std::string& url, const api::Headers& headers) {
    api::Request request;
    request.method = method;
    request.url = url;
    request.headers = headers;
    request.authorize = false;
    const api::Response response = ways_.direct.send(request);
    if (response.status == 200) return std::string(text::trim(response.body));
    const Error reason = refusal_of(response, url);
    throw Error(reason.kind == Kind::unavailable ? Kind::unavailable : Kind::denied,
                std::string("No identity from AWS: ") + reason.what(),
                "On a machine of AWS its metadata service must be reachable; elsewhere set AWS_REGION, "
                "AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.");
  }

  std::string audience_;
  Environment env_;
  Ways ways_;
  std::string verify_url_, region_url_, keys_url_, session_url_, session_;
};

}  // namespace

std::unique_ptr<SubjectSource> subject_from_aws(const Material& material) {
  return std::make_unique<FromAws>(material);
}

}  // namespace tpuctl::auth
