// SPDX-License-Identifier: Apache-2.0
#include "auth/subject.hpp"

#include "api/errors.hpp"
#include "auth/token_endpoint.hpp"
#include "auth/urls.hpp"
#include "base/error.hpp"
#include "base/file.hpp"
#include "base/secrets.hpp"
#include "base/text.hpp"

namespace tpuctl::auth {

SubjectFormat::SubjectFormat(const Material& material) {
  const Json& format = material.json["credential_source"]["format"];
  const std::string& type = format["type"].text();
  if (type.empty() || type == "text") return;
  if (type != "json") material.refuse("credential_source.format.type [" + type + "] is neither text nor json.");
  field_ = format["subject_token_field_name"].text();
  if (field_.empty()) material.refuse("credential_source.format.subject_token_field_name is missing.");
}

std::string SubjectFormat::read(const std::string& text, const std::string& name) const {
  std::string out;
  if (field_.empty()) {
    out = text.substr(0, text.find_last_not_of("\r\n") + 1);
  } else {
    Json json;
    if (!Json::try_parse(text, json) || !json[field_].is_string()) {
      throw Error(Kind::denied, "Unable to parse the subject token from " + name +
                                    ": it is no JSON object with the field '" + field_ + "'.");
    }
    out = json[field_].text();
  }
  if (out.empty()) throw Error(Kind::denied, "The subject token in " + name + " is empty.");
  secrets::remember(out);
  return out;
}

namespace {

class FromFile : public SubjectSource {
 public:
  explicit FromFile(const Material& material)
      : path_(material.json["credential_source"]["file"].text()), format_(material) {
    if (path_.empty()) material.refuse("credential_source.file is empty.");
  }
  std::string token(TimePoint) override {
    return format_.read(readable(path_, "The file with the subject token [" + path_ + "] "), name());
  }
  std::string name() const override { return "the file [" + path_ + "]"; }

 private:
  std::string path_;
  SubjectFormat format_;
};

class FromUrl : public SubjectSource {
 public:
  explicit FromUrl(const Material& material)
      : url_(material.json["credential_source"]["url"].text()),
        format_(material),
        way_(is_local_url(url_) ? material.ways.direct : material.ways.plain) {
    if (!is_subject_url(url_) && !untrusted_urls_allowed(material.env)) {
      material.refuse("credential_source.url [" + text::printable(url_) + "] is not an https address.",
                      "If you trust whoever made this file: TPUCTL_ALLOW_UNTRUSTED_CREDENTIAL_URLS=1");
    }
    for (const auto& [name, value] : material.json["credential_source"]["headers"].members()) {
      headers_.emplace_back(name, value.scalar());
      if (text::lower(name) != "metadata") secrets::remember(value.scalar());
      if (value.text().starts_with("Bearer ")) secrets::remember(value.text().substr(7));
    }
  }
  std::string token(TimePoint) override {
    api::Request request;
    request.url = url_;
    request.headers = headers_;
    request.authorize = false;
    const api::Response response = way_.send(request);
    if (response.status == 200) return format_.read(response.body, name());
    const Error reason = refusal_of(response, url_);
    const bool refused = response.status == 401 || response.status == 403;
    throw Error(reason.kind == Kind::unavailable ? Kind::unavailable : Kind::denied,
                "No subject token from " + name() + ": " + reason.what(),
                refused ? "The headers in credential_source were refused. In GitHub Actions the job needs "
                          "`permissions: id-token: write`, and the file "
                          "is good for that job only."
                        : reason.hint);
  }
  std::string name() const override { return api::origin(url_); }

 private:
  std::string url_;
  SubjectFormat format_;
  api::Transport& way_;
  api::Headers headers_;
};

}  // namespace

std::unique_ptr<SubjectSource> subject_from_file(const Material& material) {
  return std::make_unique<FromFile>(material);
}
std::unique_ptr<SubjectSource> subject_from_url(const Material& material) {
  return std::make_unique<FromUrl>(material);
}

std::unique_ptr<SubjectSource> subject_source(const Material& material) {
  const Json& source = material.json["credential_source"];
  if (!source.is_object()) material.refuse("credential_source is missing.");
  if (material.json["subject_token_type"].text() == "urn:ietf:params:aws:token-type:aws4_request") {
    return subject_from_aws(material);
  }
  if (source.find("environment_id") != nullptr) {
    material.refuse("credential_source.environment_id belongs to AWS, but subject_token_type is another.");
  }
  if (source.find("certificate") != nullptr) {
    material.refuse("X.509 certificates as credential_source are not supported yet.",
                    "Use a file, URL or executable source, or hand over a token: --access-token-file=FILE");
  }
  struct Row {
    const char* member;
    std::unique_ptr<SubjectSource> (*make)(const Material&);
  };
  const Row rows[] = {{"executable", subject_from_program}, {"file", subject_from_file}, {"url", subject_from_url}};
  const Row* found = nullptr;
  for (const Row& row : rows) {
    if (source.find(row.member) == nullptr) continue;
    if (found != nullptr) material.refuse("credential_source names more than one source.");
    found = &row;
  }
  if (found == nullptr) material.refuse("credential_source names neither file, url, executable nor AWS.");
  return found->make(material);
}

}  // namespace tpuctl::auth
