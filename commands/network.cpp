// SPDX-License-Identifier: Apache-2.0
#include "commands/network.hpp"

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/json.hpp"
#include "base/secrets.hpp"
#include "base/text.hpp"
#include "commands/endpoints.hpp"
#include "embedded/version.hpp"

namespace tpuctl::commands {

namespace {

// "host:port" of a proxy's address, without scheme, user and password.
std::string place_of(std::string_view url) {
  if (const auto scheme = url.find("://"); scheme != std::string_view::npos) url.remove_prefix(scheme + 3);
  if (const auto at = url.rfind('@'); at != std::string_view::npos) {
    const std::string_view login = url.substr(0, at);
    if (const auto colon = login.find(':'); colon != std::string_view::npos) {
      secrets::remember(login.substr(colon + 1));
      secrets::remember(text::percent_decode(login.substr(colon + 1)));
    }
    url.remove_prefix(at + 1);
  }
  return std::string(url.substr(0, url.find('/')));
}

// As libcurl looks for the proxy of an https request.
Proxy environment_proxy(const Environment& env) {
  for (const char* name : {"https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"}) {
    if (const auto url = env.get_nonempty(name)) return {place_of(*url), name};
  }
  return {};
}

constexpr const char* kSources =
    "The file must name cert_configs.workload with cert_path and key_path; other sources of client certificates are not "
    "supported: use gcloud, or unset context_aware/use_client_certificate.";

std::string certificate_config(const cli::Config& config, const Environment& env) {
  if (auto path = env.get_nonempty("GOOGLE_API_CERTIFICATE_CONFIG")) return *path;
  if (auto path = config.get("context_aware/certificate_config_file_path")) return *path;
  return file::join(config.directory(), "certificate_config.json");
}

std::string readable(const Json& workload, const char* name, const std::string& config_file) {
  const std::string& path = workload[name].text();
  if (path.empty()) throw Error(Kind::denied, "No client certificate: [" + config_file + "] names no " + name + ".", kSources);
  if (!file::exists(path)) {
    throw Error(Kind::denied, "No client certificate: [" + path + "], named by [" + config_file + "], was not found.");
  }
  return path;
}

}  // namespace

Proxy proxy(const cli::Config& config, const Environment& env) {
  const std::string type = config.get_or("proxy/type", ""), address = config.get_or("proxy/address", ""),
                    port = config.get_or("proxy/port", "");
  if (type.empty() && address.empty() && port.empty()) return environment_proxy(env);
  if (type.empty() || address.empty() || port.empty()) {
    throw Error(Kind::failure, "Please set all or none of the following properties: proxy/type, proxy/address and proxy/port");
  }
  const bool remote_names = config.on("proxy/rdns");
  std::string scheme = "http";
  if (type == "socks5") scheme = remote_names ? "socks5h" : "socks5";
  if (type == "socks4") scheme = remote_names ? "socks4a" : "socks4";
  const std::string user = config.get_or("proxy/username", ""), password = config.get_or("proxy/password", "");
  secrets::remember(password);
  const std::string login = user.empty() ? "" : text::percent_encode(user) + ":" + text::percent_encode(password) + "@";
  return {address + ":" + port, "the property proxy/address", scheme + "://" + login + address + ":" + port};
}

Authorities authorities(const cli::Config& config, const Environment& env) {
  Authorities found;
  if (auto path = config.get("core/custom_ca_certs_file")) {
    found = {*path, "the property core/custom_ca_certs_file"};
  } else {
    for (const char* name : {"CURL_CA_BUNDLE", "REQUESTS_CA_BUNDLE", "SSL_CERT_FILE"}) {
      auto named = env.get_nonempty(name);
      if (!named) continue;
      found = {*named, name};
      break;
    }
  }
  if (!found.file.empty() && (!file::exists(found.file) || file::is_dir(found.file))) {
    throw Error(Kind::failure, "The certificates to trust are not there: [" + found.file + "], named by " + found.origin + ".",
                "Correct it, or unset it to trust the system's authorities.");
  }
  return found;
}

ClientCertificate client_certificate(const cli::Config& config, const Environment& env) {
  if (!uses_client_certificate(config)) return {};
  const std::string path = certificate_config(config, env);
  const auto text = file::read_if_exists(path);
  if (!text) throw Error(Kind::denied, "No client certificate: [" + path + "] was not found.", kSources);
  Json content;
  if (!Json::try_parse(*text, content)) {
    throw Error(Kind::denied, "No client certificate: [" + path + "] is not valid JSON.", kSources);
  }
  const Json& workload = content["cert_configs"]["workload"];
  return {readable(workload, "cert_path", path), readable(workload, "key_path", path), path};
}

api::CurlOptions curl_options(const cli::Config& config, const Environment& env, Duration patience) {
  api::CurlOptions options;
  options.total_limit = patience;
  options.user_agent = "tpuctl/" + std::string(kVersion) + " (gzip)";
  options.ca_file = authorities(config, env).file;
  const Proxy through = proxy(config, env);
  options.proxy = through.url;
  options.proxy_origin = through.origin;
  options.proxy_place = through.place;
  const ClientCertificate shown = client_certificate(config, env);
  options.certificate = shown.certificate;
  options.key = shown.key;
  if (const auto limit = text::parse_int(config.get_or("core/http_timeout", "")); limit && *limit > 0) {
    options.stall_limit = std::chrono::seconds(*limit);
  }
  return options;
}

api::Headers marks(const cli::Config& config) {
  api::Headers headers;
  if (auto reason = config.get("core/request_reason")) headers.emplace_back("X-Goog-Request-Reason", *reason);
  if (auto token = config.get("core/trace_token")) {
    secrets::remember(*token);
    headers.emplace_back("Cookie", *token);
  }
  return headers;
}

}  // namespace tpuctl::commands
