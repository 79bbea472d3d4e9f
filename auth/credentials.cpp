// SPDX-License-Identifier: Apache-2.0
#include "auth/credentials.hpp"

#include "auth/accounts.hpp"
#include "auth/kinds.hpp"
#include "auth/tokens.hpp"
#include "auth/urls.hpp"
#include "base/error.hpp"
#include "base/file.hpp"
#include "base/secrets.hpp"
#include "base/text.hpp"

namespace tpuctl::auth {

namespace {

constexpr const char* kLogin = "Sign in again: tpuctl auth login";
constexpr const char* kDefaultLogin = "Sign in again: tpuctl auth application-default login";
constexpr const char* kOverride = "property auth/credential_file_override";
constexpr const char* kVariable = "GOOGLE_APPLICATION_CREDENTIALS";
constexpr const char* kWellKnown = "application default credentials";

/// One look-up: what was asked for, and the steps that may answer.
class Finder {
 public:
  Finder(const Wishes& wishes, const Environment& env, const Ways& ways) : wishes_(wishes), env_(env), ways_(ways) {}

  Credential find() {
    if (wishes_.application_default) return application_default();
    if (wishes_.disabled) {
      return made(std::make_unique<StaticToken>(""), "none", "property auth/disable_credentials",
                  "This command is unauthenticated because the [auth/disable_credentials] property is True");
    }
    if (wishes_.access_token_file_by_flag) return token_file("--access-token-file");
    for (const char* name : {"CLOUDSDK_AUTH_ACCESS_TOKEN", "GOOGLE_OAUTH_ACCESS_TOKEN"}) {
      if (auto token = env_.get_nonempty(name)) return token_variable(name, *token);
    }
    if (!wishes_.access_token_file.empty()) return token_file("property auth/access_token_file");
    if (!wishes_.account_by_flag) {
      if (!wishes_.credential_file_override.empty()) {
        return from_file(wishes_.credential_file_override, kOverride, kDefaultLogin,
                         "specified by the [auth/credential_file_override] property");
      }
      if (auto path = env_.get_nonempty(kVariable)) return by_variable(*path);
    }
    if (!wishes_.account.empty()) return account();
    if (file::exists(well_known_path())) return well_known();
    if (auto found = metadata()) return std::move(*found);
    throw Error(Kind::denied, "You do not currently have an active account selected.",
                "Looked for, in this order:\n" + looked_for() +
                    "Sign in with one of:\n"
                    "  tpuctl auth login\n"
                    "  tpuctl auth application-default login\n"
                    "To try without a cloud: tpuctl emulator start");
  }

 private:
  std::string well_known_path() const { return wishes_.config_directory + "/application_default_credentials.json"; }

  std::string looked_for() const {
    return "  a token: --access-token-file=FILE, CLOUDSDK_AUTH_ACCESS_TOKEN, property auth/access_token_file\n"
           "  a credential file: property auth/credential_file_override, GOOGLE_APPLICATION_CREDENTIALS\n"
           "  an account: --account, property core/account\n"
           "  application default credentials: " +
           well_known_path() +
           "\n"
           "  the service account of this machine (metadata server)\n";
  }

  static Credential made(Source source, const char* kind, const std::string& why, const std::string& sentence,
                         const std::string& path = {}) {
    Credential out{{}, std::move(source)};
    out.identity.kind = kind;
    out.identity.why = why;
    out.identity.file = path;
    out.identity.sentence = sentence;
    if (out.identity.kind == "access_token") out.identity.remedy = "The token may have expired: hand over a new one.";
    return out;
  }

  Credential token_variable(const std::string& name, const std::string& value) const {
    const std::string token(text::trim(value));
    if (token.empty()) throw Error(Kind::denied, "The environment variable " + name + " holds no token.");
    return made(std::make_unique<StaticToken>(token), "access_token", name,
                "This command is authenticated with an access token from the " + name + " environment variable");
  }

  Credential token_file(const std::string& why) const {
    const std::string& path = wishes_.access_token_file;
    return made(std::make_unique<TokenFile>(path), "access_token", why,
                "This command is authenticated with an access token from " + path +
                    " specified by the [auth/access_token_file] property",
                path);
  }

  static Json content(const std::string& path, const std::string& why, const std::string& hint) {
    const std::string prefix = "Failed to load the credential file [" + path + "] (" + why + "): it ";
    const std::string body = readable(path, prefix, hint);
    if (body.starts_with("\x30\x82")) {
      throw Error(Kind::denied, prefix + "is a PKCS#12 key (p12), which is not supported.",
                  "Make a JSON key: gcloud iam service-accounts keys create FILE --iam-account=ACCOUNT");
    }
    Json out;
    if (!Json::try_parse(body, out) || !out.is_object()) {
      throw Error(Kind::denied, prefix + "is not a valid JSON object.", hint);
    }
    return out;
  }

  Credential from_file(const std::string& path, const std::string& why, const char* login, const std::string& clause,
                       Source reauth = nullptr) const {
    const bool given = why == kOverride || why == kVariable;
    const Json json = content(path, why, given ? "Unset it, or put a credential file there." : login);
    const Material material{.json = json,
                            .path = path,
                            .why = why,
                            .login = login,
                            .wishes = wishes_,
                            .env = env_,
                            .ways = ways_,
                            .reauth = std::move(reauth)};
    Credential out{identity_of(material), make_source(material)};
    if (out.identity.universe != wishes_.universe) {
      material.refuse(
          "it is of the universe " + out.identity.universe + ", but core/universe_domain is " + wishes_.universe + ".",
          "Set the property core/universe_domain, or use another credential.");
    }
    const std::string& who = out.identity.account;
    out.identity.sentence = "This command is authenticated" + (who.empty() ? "" : " as " + who) +
                            " using the credentials in " + path + ", " + clause;
    const bool key = out.identity.kind == "service_account";
    out.identity.remedy = key ? "The key in [" + path + "] may have been deleted or disabled: make a new one." : login;
    if (!wishes_.cache_directory.empty()) out.source = keep(out, json);
    return out;
  }

  // Whatever decides who the token is for is part of its name.
  Source keep(Credential& found, const Json& json) const {
    const bool signs_itself = wishes_.self_signed || wishes_.universe != kDefaultUniverse;
    if (found.identity.kind == "service_account" && signs_itself) return std::move(found.source);
    std::string key = json.dump();
    for (const std::string& part : {wishes_.universe, wishes_.token_url, wishes_.sts_endpoint, wishes_.iam_endpoint}) {
      key += "\n" + part;
    }
    for (const char* name : {"AWS_ACCESS_KEY_ID", "AWS_REGION", "AWS_DEFAULT_REGION"}) {
      key += "\n" + env_.get(name).value_or("");
    }
    return kept(std::move(found.source), wishes_.cache_directory, key, ways_.clock);
  }

  Credential by_variable(const std::string& path) const {
    return from_file(path, kVariable, kDefaultLogin, "specified by GOOGLE_APPLICATION_CREDENTIALS");
  }

  Credential well_known() const {
    return from_file(well_known_path(), kWellKnown, kDefaultLogin, "the application default credentials");
  }

  Credential application_default() {
    if (auto path = env_.get_nonempty(kVariable)) return by_variable(*path);
    if (file::exists(well_known_path())) return well_known();
    if (auto found = metadata()) return std::move(*found);
    throw Error(Kind::denied, "There are no application default credentials.",
                "Make them: tpuctl auth application-default login");
  }

  // Three places, none of them gcloud's databases: what tpuctl was given, the copy that gcloud keeps for gsutil, gcloud
  // itself.
  Credential account() {
    const std::string& name = wishes_.account;
    const std::string why = wishes_.account_by_flag ? "--account" : "property core/account";
    const std::string program = find_gcloud(env_);
    for (const std::string& path :
         {own_account_file(wishes_.config_directory, name), gcloud_account_file(wishes_.config_directory, name)}) {
      if (!file::exists(path)) continue;
      Source reauth = program.empty() ? nullptr : gcloud_account(program, name, env_, wishes_.interactive);
      return as_account(from_file(path, why, kLogin, "", std::move(reauth)));
    }
    if (!program.empty()) {
      Credential out{{}, gcloud_account(program, name, env_, false)};
      out.identity.kind = "gcloud";
      out.identity.why = why;
      out.identity.remedy = kLogin;
      return as_account(std::move(out));
    }
    if (name.ends_with(".gserviceaccount.com")) {
      if (auto found = metadata(name)) return as_account(std::move(*found));
    }
    throw Error(Kind::denied, "Your current active account [" + name + "] does not have any valid credentials.",
                "Sign in: tpuctl auth login\n"
                "For a service account: tpuctl auth activate-service-account --key-file=FILE\n"
                "Or hand over a token: --access-token-file=FILE");
  }

  Credential as_account(Credential found) const {
    found.identity.account = wishes_.account;
    found.identity.sentence = "This command is authenticated as " + wishes_.account +
                              " which is the active account specified by the [core/account] property";
    return found;
  }

  std::optional<Credential> metadata(const std::string& account = "default") {
    const std::string host = find_metadata_server(wishes_, env_, ways_);
    if (host.empty()) return {};
    Credential out{{}, metadata_server(host, account, wishes_.universe, ways_)};
    out.identity.kind = "metadata";
    out.identity.why = "metadata server " + host;
    out.identity.remedy = "Make the VM with --scopes=cloud-platform, or sign in: tpuctl auth login";
    out.identity.sentence =
        "This command is authenticated as the service account of this machine (metadata server " + host + ")";
    return out;
  }

  const Wishes& wishes_;
  const Environment& env_;
  const Ways& ways_;
};

// The user's own word is taken for the host, but secrets do not go out in the clear.
void check_endpoint(const char* property, const std::string& url) {
  if (url.empty() || parse_url(url).scheme == "https" || is_loopback_url(url)) return;
  throw Error(Kind::denied,
              "The property " + std::string(property) + " must be an https address, not [" + text::printable(url) +
                  "]: secrets are sent there.",
              "Plain http is taken for this machine only (http://127.0.0.1:PORT/).");
}

void impersonate(Credential& found, const Wishes& wishes, const Ways& ways) {
  std::vector<std::string> chain;
  for (const std::string& name : wishes.impersonate) {
    if (const auto trimmed = text::trim(name); !trimmed.empty()) chain.emplace_back(trimmed);
  }
  if (chain.empty() || found.identity.kind == "none") return;
  const std::string target = chain.back();
  chain.pop_back();
  found.source = impersonated(std::move(found.source),
                              {.url = impersonation_url(wishes, target), .target = target, .delegates = chain}, ways);
  found.identity.impersonated = target;
  found.identity.delegates = chain;
}

}  // namespace

Credential find_credentials(const Wishes& wishes, const Environment& env, const Ways& ways) {
  check_endpoint("auth/token_host", wishes.token_url);
  check_endpoint("api_endpoint_overrides/sts", wishes.sts_endpoint);
  check_endpoint("api_endpoint_overrides/iamcredentials", wishes.iam_endpoint);
  Credential out = Finder(wishes, env, ways).find();
  impersonate(out, wishes, ways);
  if (!out.identity.impersonated.empty()) {
    out.identity.sentence += ". Impersonation is used to impersonate " + out.identity.impersonated;
    if (!out.identity.delegates.empty()) {
      out.identity.sentence += " via delegate chain: " + text::join(out.identity.delegates, ", ");
    }
  }
  return out;
}

}  // namespace tpuctl::auth
