// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "auth/kinds.hpp"
#include "auth/urls.hpp"
#include "base/error.hpp"
#include "base/file.hpp"
#include "base/secrets.hpp"
#include "base/text.hpp"

namespace tpuctl::auth {

namespace {

struct Type {
  std::string_view name;
  Source (*make)(const Material&);
  bool in_any_universe;
};
constexpr std::array<Type, 5> kTypes = {{{"authorized_user", authorized_user, false},
                                         {"service_account", service_account, true},
                                         {"impersonated_service_account", impersonated_service_account, true},
                                         {"external_account", external_account, true},
                                         {"external_account_authorized_user", external_account_authorized_user, true}}};

struct Refused {
  std::string_view name;
  const char* reason;
  const char* hint;
};
constexpr std::array<Refused, 3> kRefused = {
    {{"gdch_service_account",
      "credentials of type gdch_service_account are not supported: Google Distributed Cloud has no Cloud TPU.",
      "Use a credential of Google Cloud."},
     {"service_account_p12", "PKCS#12 keys (p12) are not supported.",
      "Make a JSON key: gcloud iam service-accounts keys create FILE --iam-account=ACCOUNT"},
     {"gce", "it stands for a virtual machine's own service account.",
      "Unset it: on the machine itself that account is found without a file."}}};

std::string known_types() {
  std::string out;
  for (const Type& type : kTypes) out += (out.empty() ? "" : ", ") + std::string(type.name);
  return out;
}

// What a federation credential is called: the end of its audience says pool and provider.
std::string principal(const Json& json) {
  const std::string& audience = json["audience"].text();
  const auto at = audience.find("/locations/");
  return at == std::string::npos ? audience : audience.substr(at + 11);
}

}  // namespace

std::string readable(const std::string& path, const std::string& prefix, const std::string& hint) {
  try {
    if (auto text = file::read_if_exists(path)) return std::move(*text);
  } catch (const Error& error) {
    throw Error(Kind::denied, prefix + "cannot be read. " + error.what(), hint);
  }
  throw Error(Kind::denied, prefix + "was not found.", hint);
}

void Material::refuse(const std::string& reason, const std::string& hint) const {
  const bool of_user = hint.empty() && json["type"].text().ends_with("authorized_user");
  throw Error(Kind::denied, "Failed to load the credential file [" + path + "] (" + why + "): " + reason,
              of_user ? login : hint);
}

const std::string& Material::optional(const char* name) const {
  const Json* found = json.find(name);
  if (found != nullptr && !found->is_null() && !found->is_string()) refuse(std::string(name) + " is not a string.");
  return json[name].text();
}

const std::string& Material::required(const char* name) const {
  const std::string& value = optional(name);
  if (value.empty()) refuse(std::string(name) + " is missing or empty.");
  return value;
}

const std::string& Material::secret(const char* name) const {
  const std::string& value = required(name);
  secrets::remember(value);
  return value;
}

void Material::check_url(const std::string& url, const char* name, bool fine, const char* whose) const {
  const bool here = is_loopback_url(url) && parse_url(url).scheme == "http";
  if (fine || here || untrusted_urls_allowed(env)) return;
  refuse(std::string(name) + " [" + text::printable(url) + "] is not an address of " + whose +
             (wishes.universe == kDefaultUniverse ? "" : " in the universe " + wishes.universe) +
             ": a secret could be stolen there.",
         "If you trust whoever made this file: TPUCTL_ALLOW_UNTRUSTED_CREDENTIAL_URLS=1");
}

Source make_source(const Material& material) {
  const std::string& type = material.optional("type");
  for (const Refused& one : kRefused) {
    if (one.name == type) material.refuse(one.reason, one.hint);
  }
  for (const Type& one : kTypes) {
    if (one.name != type) continue;
    if (!one.in_any_universe && material.wishes.universe != kDefaultUniverse) {
      material.refuse("user credentials exist in the universe googleapis.com only, not in " + material.wishes.universe +
                      ".");
    }
    return one.make(material);
  }
  material.refuse(type.empty() ? "it names no type." : "the type [" + text::printable(type) + "] is not known.",
                  "Types that are read: " + known_types() + ".");
}

Identity identity_of(const Material& material) {
  Identity out;
  const Json& json = material.json;
  out.kind = json["type"].text();
  out.file = material.path;
  out.why = material.why;
  out.quota_project = json["quota_project_id"].text();
  out.project = json["project_id"].text();
  if (!json["universe_domain"].text().empty()) out.universe = json["universe_domain"].text();
  out.account = json["client_email"].text();
  if (out.account.empty()) out.account = json["account"].text();
  if (out.account.empty() && out.kind.starts_with("external_account")) out.account = principal(json);
  if (out.kind == "impersonated_service_account") {
    const Json& source = json["source_credentials"];
    out.account = source["client_email"].text().empty() ? source["account"].text() : source["client_email"].text();
    for (const Json& delegate : json["delegates"].items()) out.delegates.push_back(delegate.text());
  }
  out.impersonated = impersonation_target(json["service_account_impersonation_url"].text());
  return out;
}

}  // namespace tpuctl::auth
