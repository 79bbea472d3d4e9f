// SPDX-License-Identifier: Apache-2.0
#include "cli/properties.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"

namespace tpuctl::cli {

namespace {

// clang-format off
constexpr Property kRows[] = {
    {.section = "accessibility", .name = "screen_reader",
     .help = "No animation and no tables: output that reads well aloud.", .fallback = "False", .boolean = true},
    {.section = "api_endpoint_overrides", .name = "cloudresourcemanager", .help = "Address of the Resource Manager API."},
    {.section = "api_endpoint_overrides", .name = "compute", .help = "Address of the Compute Engine API."},
    {.section = "api_endpoint_overrides", .name = "iamcredentials", .help = "Address of the IAM Credentials API."},
    {.section = "api_endpoint_overrides", .name = "iap", .help = "Address of the Identity-Aware Proxy API."},
    {.section = "api_endpoint_overrides", .name = "oslogin", .help = "Address of the OS Login API.", .hidden = true},
    {.section = "api_endpoint_overrides", .name = "serviceusage", .help = "Address of the Service Usage API.", .hidden = true},
    {.section = "api_endpoint_overrides", .name = "storage", .help = "Address of the Cloud Storage API."},
    {.section = "api_endpoint_overrides", .name = "sts", .help = "Address of the Security Token Service."},
    {.section = "api_endpoint_overrides", .name = "tpu", .help = "Address of the Cloud TPU API.", .hidden = true},
    {.section = "auth", .name = "access_token_file",
     .help = "File with the access token to sign requests with.", .flag = "access-token-file"},
    {.section = "auth", .name = "client_id", .help = "OAuth client id for logging in.", .hidden = true},
    {.section = "auth", .name = "client_secret", .help = "OAuth client secret for logging in.", .secret = true, .hidden = true},
    {.section = "auth", .name = "credential_file_override",
     .help = "Key file to use instead of the account's credentials.", .hidden = true},
    {.section = "auth", .name = "disable_credentials",
     .help = "Send requests without signing them.", .fallback = "False", .boolean = true},
    {.section = "auth", .name = "disable_ssl_validation",
     .help = "gcloud's switch; certificates are always checked here.", .boolean = true, .hidden = true},
    {.section = "auth", .name = "impersonate_service_account",
     .help = "Service account to act as.", .flag = "impersonate-service-account"},
    {.section = "auth", .name = "service_account_use_self_signed_jwt",
     .help = "Sign requests with the key itself, without asking for a token.", .fallback = "False", .boolean = true},
    {.section = "auth", .name = "token_host", .help = "Address that gives access tokens."},
    {.section = "billing", .name = "quota_project",
     .help = "Project whose quota is charged.", .flag = "billing-project", .fallback = "CURRENT_PROJECT"},
    {.section = "compute", .name = "region", .help = "Region to use when none is given."},
    {.section = "compute", .name = "zone", .help = "Zone to use when --zone is not given.", .flag = "zone"},
    {.section = "context_aware", .name = "use_client_certificate",
     .help = "Present a client certificate to the APIs.", .fallback = "False", .boolean = true},
    {.section = "core", .name = "account", .help = "Account to sign requests with.", .flag = "account"},
    {.section = "core", .name = "check_gce_metadata",
     .help = "Whether to ask for a metadata server.", .fallback = "True", .boolean = true, .hidden = true},
    {.section = "core", .name = "custom_ca_certs_file", .help = "File with the certificates of the authorities to trust."},
    {.section = "core", .name = "default_format", .help = "How commands print when neither they nor --format say so."},
    {.section = "core", .name = "disable_color", .help = "No colour.", .boolean = true},
    {.section = "core", .name = "disable_prompts",
     .help = "Ask nothing: every question gets its default answer.", .flag = "quiet", .boolean = true},
    {.section = "core", .name = "format", .help = "How every command prints.", .flag = "format"},
    {.section = "core", .name = "http_timeout", .help = "Seconds that one request may take.", .hidden = true},
    {.section = "core", .name = "interactive_ux_style",
     .help = "TESTING writes prompts and progress as lines of JSON.", .hidden = true},
    {.section = "core", .name = "log_http",
     .help = "Show requests and answers on standard error.", .flag = "log-http", .fallback = "False", .boolean = true},
    {.section = "core", .name = "log_http_redact_token",
     .help = "Leave tokens out of that; always so here.", .fallback = "True", .boolean = true, .hidden = true},
    {.section = "core", .name = "log_http_show_request_body",
     .help = "Show request bodies too.", .fallback = "False", .boolean = true, .hidden = true},
    {.section = "core", .name = "project", .help = "Project to work in.", .flag = "project"},
    {.section = "core", .name = "request_reason",
     .help = "Reason that is sent with every request, for audit logs.", .hidden = true},
    {.section = "core", .name = "trace_token",
     .help = "Token that marks requests for the service's support.", .flag = "trace-token"},
    {.section = "core", .name = "universe_domain",
     .help = "Domain of the Google Cloud universe.", .fallback = "googleapis.com", .hidden = true},
    {.section = "core", .name = "user_output_enabled",
     .help = "Whether commands print what they are for.", .flag = "user-output-enabled", .fallback = "True", .boolean = true},
    {.section = "core", .name = "verbosity", .help = "debug, info, warning, error, critical or none.", .flag = "verbosity"},
    {.section = "jobs", .name = "bucket",
     .help = "gs:// folder through which jobs send their files and keep their records.", .flag = "bucket"},
    {.section = "proxy", .name = "address", .help = "Host of the proxy."},
    {.section = "proxy", .name = "password", .help = "Password for the proxy.", .secret = true},
    {.section = "proxy", .name = "port", .help = "Port of the proxy."},
    {.section = "proxy", .name = "rdns", .help = "Whether the proxy resolves names.", .fallback = "True", .boolean = true},
    {.section = "proxy", .name = "type", .help = "http, http_no_tunnel, socks4 or socks5."},
    {.section = "proxy", .name = "username", .help = "User name for the proxy."},
    {.section = "ssh", .name = "iap_relay", .help = "Address of another relay than Google's for --tunnel-through-iap.", .hidden = true},
    {.section = "ssh", .name = "key_file",
     .help = "Private key for ssh; ~/.ssh/google_compute_engine when unset.", .flag = "ssh-key-file"},
    {.section = "ssh", .name = "known_hosts_file", .help = "Host keys for ssh; ~/.ssh/google_compute_known_hosts when unset."},
    {.section = "ssh", .name = "port", .help = "Port of ssh on the workers.", .fallback = "22"},
    {.section = "tpu", .name = "api_version",
     .help = "v2 or v2alpha1; by default gcloud's spelling of the release track decides."},
    {.section = "tpu", .name = "token_cache",
     .help = "Keep access tokens between commands, in files that only you can read.", .boolean = true},
};
// clang-format on

[[noreturn]] void refuse(const std::string& message, std::string hint = {}) {
  throw Error(tpuctl::Kind::failure, message, std::move(hint));
}

const Property* find_in(std::span<const Property> rows, std::string_view section, std::string_view name) {
  const auto found = std::find_if(rows.begin(), rows.end(),
                                  [&](const Property& row) { return row.section == section && row.name == name; });
  return found == rows.end() ? nullptr : &*found;
}

std::pair<std::string_view, std::string_view> halves(std::string_view name) {
  const auto slash = name.find('/');
  if (slash == std::string_view::npos) return {"core", name};
  return {name.substr(0, slash), name.substr(slash + 1)};
}

}  // namespace

std::span<const Property> properties() { return kRows; }

std::string full_name(const Property& property) { return fmt::format("{}/{}", property.section, property.name); }

const Property* find_property(std::string_view name) {
  const auto [section, rest] = halves(name);
  if (const Property* own = find_in(kRows, section, rest)) return own;
  return find_in(all_properties(), section, rest);
}

void require_section(std::string_view section) {
  for (const Property& row : all_properties()) {
    if (row.section == section) return;
  }
  refuse(fmt::format("Section \"{}\" does not exist.", section));
}

const Property& require_property(std::string_view name) {
  if (const Property* found = find_property(name)) return *found;
  if (name.empty() || name.ends_with('/')) {
    refuse("Invalid value for [property]: Must be in the form: [SECTION/]PROPERTY");
  }
  const auto [section, rest] = halves(name);
  require_section(section);
  std::string hint;
  for (const Property& row : properties()) {
    if (row.name == rest && !row.hidden) hint = fmt::format("Did you mean [{}]?", full_name(row));
  }
  refuse(fmt::format("Section [{}] has no property [{}].", section, rest), hint);
}

}  // namespace tpuctl::cli
