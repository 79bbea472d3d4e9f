// SPDX-License-Identifier: Apache-2.0
#include "auth/credentials.hpp"

#include <filesystem>

#include "auth/sources.hpp"
#include "base/error.hpp"
#include "base/file.hpp"
#include "base/process.hpp"
#include "base/text.hpp"

namespace tpuctl::auth {

namespace {

using Source = std::unique_ptr<api::TokenSource>;

constexpr const char* kTokenUrl = "https://oauth2.googleapis.com/token";
constexpr const char* kUserLogin = "Sign in again: gcloud auth login";
constexpr const char* kDefaultLogin = "Sign in again: gcloud auth application-default login";

Source token_file(const std::string& path) {
  const auto body = file::read_if_exists(path);
  if (!body) throw Error(Kind::denied, "The access token file [" + path + "] was not found.");
  const std::string token(text::trim(*body));
  if (token.empty()) throw Error(Kind::denied, "The access token file [" + path + "] is empty.");
  return std::make_unique<StaticToken>(
      token, "This command is authenticated with an access token from " + path +
                 " specified by the [auth/access_token_file] property");
}

Source credential_file(const std::string& path, const std::string& origin, const char* hint, const Wishes& wishes,
                       api::Transport& plain) {
  const std::string prefix = "Failed to load the credential file [" + path + "] (" + origin + "): ";
  const auto body = file::read_if_exists(path);
  if (!body) throw Error(Kind::denied, prefix + "it was not found.", "Unset it, or put the file there.");
  Json content;
  if (!Json::try_parse(*body, content) || !content.is_object()) {
    throw Error(Kind::denied, prefix + "it is not a valid JSON object.");
  }
  const std::string& type = content["type"].text();
  if (type == "authorized_user") {
    return authorized_user(content, wishes.token_url.empty() ? kTokenUrl : wishes.token_url,
                           "This command is authenticated using the credentials in " + path + ", from " + origin, hint, plain);
  }
  throw Error(Kind::denied,
              prefix + (type.empty() ? "it names no type." : "credentials of type " + type + " are not read by this version."),
              "Hand over a token instead: gcloud auth print-access-token --cred-file-override=" + path +
                  " > FILE, then --access-token-file=FILE");
}

// gcloud's own store without its databases: the copy it keeps for gsutil, else gcloud itself.
Source gcloud_store(const Wishes& wishes, const Environment& env, api::Transport& plain) {
  const std::string folder = text::replace_all(wishes.account, ":", "");
  const std::string path = wishes.config_directory + "/legacy_credentials/" + folder + "/adc.json";
  Json content;
  if (const auto body = file::read_if_exists(path); body && Json::try_parse(*body, content)) {
    if (content["type"].text() == "authorized_user") {
      return credential_file(path, "the active account " + wishes.account, kUserLogin, wishes, plain);
    }
  }
  const std::string gcloud = process::find_program("gcloud", env.get("PATH").value_or(""));
  std::error_code ignored;  // tpuctl may stand in gcloud's place through a symlink: not asked for its own token
  if (!gcloud.empty() && !std::filesystem::equivalent(gcloud, process::self(), ignored)) return gcloud_account(gcloud, wishes.account, env);
  throw Error(Kind::denied, "Your current active account [" + wishes.account + "] does not have any valid credentials.",
              "Sign in with gcloud auth login, or hand over a token with --access-token-file.");
}

// The address somebody asserts, or the one to probe.
std::string asserted_metadata_host(const Environment& env) {
  for (const char* name : {"GCE_METADATA_HOST", "GCE_METADATA_ROOT", "GCE_METADATA_IP"}) {
    if (auto host = env.get_nonempty(name)) return *host;
  }
  return {};
}

Source metadata(const Wishes& wishes, const Environment& env, api::Transport& plain, api::Transport& probe) {
  if (const std::string host = asserted_metadata_host(env); !host.empty()) return metadata_server(host, plain);
  if (!wishes.probe_metadata || env.get("NO_GCE_CHECK") == "true") return nullptr;
  const auto product = file::read_if_exists("/sys/class/dmi/id/product_name");
  if (product && product->starts_with("Google")) return metadata_server("metadata.google.internal", plain);
  if (metadata_server_answers("169.254.169.254", probe)) return metadata_server("metadata.google.internal", plain);
  return nullptr;
}

Source well_known(const Wishes& wishes, api::Transport& plain) {
  const std::string path = wishes.config_directory + "/application_default_credentials.json";
  return file::exists(path) ? credential_file(path, "application default credentials", kDefaultLogin, wishes, plain) : nullptr;
}

Source application_default(const Wishes& wishes, const Environment& env, api::Transport& plain, api::Transport& probe) {
  if (auto path = env.get_nonempty("GOOGLE_APPLICATION_CREDENTIALS")) {
    return credential_file(*path, "GOOGLE_APPLICATION_CREDENTIALS", kDefaultLogin, wishes, plain);
  }
  if (Source source = well_known(wishes, plain)) return source;
  if (Source source = metadata(wishes, env, plain, probe)) return source;
  throw Error(Kind::denied, "There are no application default credentials.",
              "Make them: gcloud auth application-default login");
}

}  // namespace

std::unique_ptr<api::TokenSource> find_credentials(const Wishes& wishes, const Environment& env, api::Transport& plain,
                                                   api::Transport& probe) {
  if (wishes.application_default) return application_default(wishes, env, plain, probe);
  if (wishes.disabled) {
    return std::make_unique<StaticToken>(
        "", "This command is unauthenticated because the [auth/disable_credentials] property is True");
  }
  if (wishes.access_token_file_by_flag) return token_file(wishes.access_token_file);
  if (auto token = env.get_nonempty("CLOUDSDK_AUTH_ACCESS_TOKEN")) {
    return std::make_unique<StaticToken>(std::string(text::trim(*token)),
                                         "This command is authenticated with an access token from the "
                                         "CLOUDSDK_AUTH_ACCESS_TOKEN environment variable");
  }
  if (!wishes.access_token_file.empty()) return token_file(wishes.access_token_file);
  if (!wishes.account_by_flag) {
    if (!wishes.credential_file_override.empty()) {
      return credential_file(wishes.credential_file_override, "property auth/credential_file_override", kDefaultLogin, wishes,
                             plain);
    }
    if (auto path = env.get_nonempty("GOOGLE_APPLICATION_CREDENTIALS")) {
      return credential_file(*path, "GOOGLE_APPLICATION_CREDENTIALS", kDefaultLogin, wishes, plain);
    }
  }
  if (!wishes.account.empty()) return gcloud_store(wishes, env, plain);
  if (Source source = well_known(wishes, plain)) return source;
  if (Source source = metadata(wishes, env, plain, probe)) return source;
  throw Error(Kind::denied, "You do not currently have an active account selected.",
              "Sign in with one of:\n"
              "  gcloud auth login\n"
              "  gcloud auth application-default login\n"
              "or hand over a token: --access-token-file=FILE, CLOUDSDK_AUTH_ACCESS_TOKEN\n"
              "To try without a cloud: tpuctl emulator start");
}

}  // namespace tpuctl::auth
