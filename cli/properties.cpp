// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/text.hpp"
#include "cli/config.hpp"

namespace tpuctl::cli {

namespace {

constexpr Property kRows[] = {
    {.section = "accessibility",
     .name = "screen_reader",
     .help = "No animation and no tables: output that reads well aloud.",
     .boolean = true},
    {.section = "api_endpoint_overrides",
     .name = "cloudresourcemanager",
     .help = "Address of the Resource Manager API."},
    {.section = "api_endpoint_overrides", .name = "compute", .help = "Address of the Compute Engine API."},
    {.section = "api_endpoint_overrides", .name = "iamcredentials", .help = "Address of the IAM Credentials API."},
    {.section = "api_endpoint_overrides", .name = "iap", .help = "Address of the Identity-Aware Proxy API."},
    {.section = "api_endpoint_overrides", .name = "oslogin", .help = "Address of the OS Login API."},
    {.section = "api_endpoint_overrides", .name = "serviceusage", .help = "Address of the Service Usage API."},
    {.section = "api_endpoint_overrides", .name = "storage", .help = "Address of the Cloud Storage API."},
    {.section = "api_endpoint_overrides", .name = "sts", .help = "Address of the Security Token Service."},
    {.section = "api_endpoint_overrides", .name = "tpu", .help = "Address of the Cloud TPU API."},
    {.section = "auth",
     .name = "access_token_file",
     .help = "File with the access token to sign requests with.",
     .flag = "access-token-file"},
    {.section = "auth", .name = "client_id", .help = "OAuth client id for logging in.", .hidden = true},
    {.section = "auth",
     .name = "client_secret",
     .help = "OAuth client secret for logging in.",
     .secret = true,
     .hidden = true},
    {.section = "auth",
     .name = "credential_file_override",
     .help = "Key file to use instead of the account's credentials.",
     .hidden = true},
    {.section = "auth", .name = "disable_credentials", .help = "Send requests without signing them.", .boolean = true},
    {.section = "auth",
     .name = "disable_ssl_validation",
     .help = "gcloud's switch; certificates are always checked here.",
     .boolean = true,
     .hidden = true},
    {.section = "auth",
     .name = "impersonate_service_account",
     .help = "Service account to act as.",
     .flag = "impersonate-service-account"},
    {.section = "auth",
     .name = "service_account_use_self_signed_jwt",
     .help = "Sign requests with the key itself, without asking for a token.",
     .boolean = true},
    {.section = "auth", .name = "token_host", .help = "Address that gives access tokens."},
    {.section = "billing",
     .name = "quota_project",
     .help = "Project whose quota is charged.",
     .flag = "billing-project"},
    {.section = "component_manager",
     .name = "disable_update_check",
     .help = "gcloud's check for updates; none is made here.",
     .boolean = true},
    {.section = "compute", .name = "region", .help = "Region to use when none is given."},
    {.section = "compute", .name = "zone", .help = "Zone to use when --zone is not given.", .flag = "zone"},
    {.section = "context_aware",
     .name = "use_client_certificate",
     .help = "Present a client certificate to the APIs.",
     .boolean = true},
    {.section = "core", .name = "account", .help = "Account to sign requests with.", .flag = "account"},
    {.section = "core",
     .name = "check_gce_metadata",
     .help = "Whether to ask for a metadata server.",
     .fallback = "true",
     .boolean = true,
     .hidden = true},
    {.section = "core", .name = "console_log_format", .help = "gcloud's log format.", .hidden = true},
    {.section = "core",
     .name = "custom_ca_certs_file",
     .help = "File with the certificates of the authorities to trust."},
    {.section = "core", .name = "default_format", .help = "How commands print when neither they nor --format say so."},
    {.section = "core",
     .name = "default_regional_backend_service",
     .help = "gcloud's; not used here.",
     .boolean = true,
     .hidden = true},
    {.section = "core", .name = "disable_color", .help = "No colour.", .boolean = true},
    {.section = "core",
     .name = "disable_file_logging",
     .help = "gcloud's log files; none are written here.",
     .boolean = true},
    {.section = "core",
     .name = "disable_prompts",
     .help = "Ask nothing: every question gets its default answer.",
     .flag = "quiet",
     .boolean = true},
    {.section = "core",
     .name = "disable_usage_reporting",
     .help = "gcloud's usage reports; none are sent here.",
     .boolean = true},
    {.section = "core", .name = "format", .help = "How every command prints.", .flag = "format"},
    {.section = "core", .name = "http_timeout", .help = "Seconds that one request may take.", .hidden = true},
    {.section = "core",
     .name = "interactive_ux_style",
     .help = "TESTING writes prompts and progress as lines of JSON.",
     .hidden = true},
    {.section = "core",
     .name = "log_http",
     .help = "Show requests and answers on standard error.",
     .flag = "log-http",
     .boolean = true},
    {.section = "core",
     .name = "log_http_redact_token",
     .help = "Leave tokens out of that; always so here.",
     .fallback = "true",
     .boolean = true,
     .hidden = true},
    {.section = "core",
     .name = "log_http_show_request_body",
     .help = "Show request bodies too.",
     .boolean = true,
     .hidden = true},
    {.section = "core", .name = "max_log_days", .help = "gcloud's log files; none are written here."},
    {.section = "core",
     .name = "parse_error_details",
     .help = "gcloud's; details are always printed here.",
     .boolean = true,
     .hidden = true},
    {.section = "core", .name = "pass_credentials_to_gsutil", .help = "gcloud's; not used here.", .boolean = true},
    {.section = "core", .name = "project", .help = "Project to work in.", .flag = "project"},
    {.section = "core",
     .name = "request_reason",
     .help = "Reason that is sent with every request, for audit logs.",
     .hidden = true},
    {.section = "core", .name = "show_structured_logs", .help = "gcloud's structured logs."},
    {.section = "core",
     .name = "trace_token",
     .help = "Token that marks requests for the service's support.",
     .flag = "trace-token"},
    {.section = "core",
     .name = "universe_domain",
     .help = "Domain of the Google Cloud universe.",
     .fallback = "googleapis.com",
     .hidden = true},
    {.section = "core",
     .name = "user_output_enabled",
     .help = "Whether commands print what they are for.",
     .flag = "user-output-enabled",
     .fallback = "true",
     .boolean = true},
    {.section = "core",
     .name = "verbosity",
     .help = "debug, info, warning, error, critical or none.",
     .flag = "verbosity",
     .fallback = "warning"},
    {.section = "jobs",
     .name = "bucket",
     .help = "gs:// folder through which jobs send their files and keep their records.",
     .flag = "bucket"},
    {.section = "proxy", .name = "address", .help = "Host of the proxy."},
    {.section = "proxy", .name = "password", .help = "Password for the proxy.", .secret = true},
    {.section = "proxy", .name = "port", .help = "Port of the proxy."},
    {.section = "proxy",
     .name = "rdns",
     .help = "Whether the proxy resolves names.",
     .fallback = "true",
     .boolean = true},
    {.section = "proxy", .name = "type", .help = "http, http_no_tunnel, socks4 or socks5."},
    {.section = "proxy", .name = "username", .help = "User name for the proxy."},
    {.section = "ssh",
     .name = "iap_relay",
     .help = "Address of another relay than Google's for --tunnel-through-iap.",
     .hidden = true},
    {.section = "ssh",
     .name = "key_file",
     .help = "Private key for ssh; ~/.ssh/google_compute_engine when unset.",
     .flag = "ssh-key-file"},
    {.section = "ssh",
     .name = "known_hosts_file",
     .help = "Host keys for ssh; ~/.ssh/google_compute_known_hosts when unset."},
    {.section = "ssh", .name = "port", .help = "Port of ssh on the workers.", .fallback = "22"},
    {.section = "storage",
     .name = "parallel_composite_upload_enabled",
     .help = "gcloud's; not used here.",
     .boolean = true,
     .hidden = true},
    {.section = "tpu",
     .name = "api_version",
     .help = "v2 or v2alpha1; by default gcloud's spelling of the release track decides."},
    {.section = "tpu",
     .name = "token_cache",
     .help = "Keep access tokens between commands, in files that only you can read.",
     .boolean = true},
};

[[noreturn]] void refuse(std::string message, std::string hint = {}) {
  throw Error(tpuctl::Kind::failure, std::move(message), std::move(hint));
}

constexpr std::string_view kTrueWords[] = {"true", "1", "on", "yes", "y"};
constexpr std::string_view kFalseWords[] = {"false", "0", "off", "no", "n", "", "none"};

template <class Words>
bool contains(const Words& words, std::string_view word) {
  return std::find(std::begin(words), std::end(words), word) != std::end(words);
}

bool valid_project(std::string_view id) {
  if (const auto colon = id.find(':'); colon != std::string_view::npos) {  // example.com:project
    if (colon == 0) return false;
    id.remove_prefix(colon + 1);
  }
  auto word = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); };
  if (id.empty() || id.size() > 63 || !word(id.front()) || !word(id.back())) return false;
  return std::all_of(id.begin(), id.end(), [&](char c) { return word(c) || c == '-'; });
}

void check_project(const std::string& value) {
  constexpr std::string_view kHint =
      "To set your project, run:\n\n  $ tpuctl config set project PROJECT_ID\n\nor to unset it, run:\n\n  $ tpuctl "
      "config "
      "unset project";
  if (value.empty()) refuse("The project property is set to the empty string, which is invalid.", std::string(kHint));
  if (!valid_project(value)) {
    refuse(fmt::format("The project property must be set to a valid project ID, not the project name [{}]", value),
           std::string(kHint));
  }
}

void check_endpoint(const Property& property, const std::string& value) {
  const bool scheme = value.starts_with("http://") || value.starts_with("https://");
  const auto host = value.find("//") + 2;
  if (scheme && value.size() > host + 1 && value[host] != '/' && value.ends_with('/')) return;
  refuse(fmt::format(
      "Invalid value for property [{}/{}]: The endpoint_overrides property must be an absolute URI beginning "
      "with http:// or https:// and ending with a trailing '/'. [{}] is not a valid endpoint override.",
      property.section, property.name, value));
}

void check_ca_file(const std::string& value) {
  constexpr std::string_view kPrefix = "Invalid value for property [core/custom_ca_certs_file]: ";
  if (!file::exists(value)) refuse(fmt::format("{}The provided path must exist.", kPrefix));
  if (!value.starts_with('/')) refuse(fmt::format("{}The provided path must be absolute.", kPrefix));
}

void check_one_of(const Property& property, const std::string& value, std::initializer_list<std::string_view> valid) {
  if (contains(valid, value)) return;
  refuse(fmt::format(
      "Invalid value for property [{}/{}]: The {} {} property value [{}] is not valid. Possible values: [{}].",
      property.section, property.name, property.section, property.name, value, fmt::join(valid, ", ")));
}

}  // namespace

std::span<const Property> properties() { return kRows; }

const Property* find_property(std::string_view name) {
  const auto slash = name.find('/');
  const std::string_view section = slash == std::string_view::npos ? "core" : name.substr(0, slash);
  if (slash != std::string_view::npos) name.remove_prefix(slash + 1);
  for (const Property& row : kRows) {
    if (row.section == section && row.name == name) return &row;
  }
  return nullptr;
}

const Property& require_property(std::string_view name) {
  if (const Property* found = find_property(name)) return *found;
  const auto slash = name.find('/');
  if (name.empty() || name.ends_with('/'))
    refuse("Invalid value for [property]: Must be in the form: [SECTION/]PROPERTY");
  const std::string_view section = slash == std::string_view::npos ? "core" : name.substr(0, slash);
  const bool known =
      std::any_of(std::begin(kRows), std::end(kRows), [&](const Property& row) { return row.section == section; });
  if (!known) refuse(fmt::format("Section \"{}\" does not exist.", section));
  std::string hint;
  for (const Property& row : kRows) {
    if (row.name == name && !row.hidden) hint = fmt::format("Did you mean [{}/{}]?", row.section, row.name);
  }
  refuse(fmt::format("Section [{}] has no property [{}].", section,
                     slash == std::string_view::npos ? name : name.substr(slash + 1)),
         hint);
}

void check_property_value(const Property& property, const std::string& value) {
  if (property.section == "core" && property.name == "project") check_project(value);
  if (property.section == "core" && property.name == "custom_ca_certs_file") check_ca_file(value);
  if (property.section == "api_endpoint_overrides") check_endpoint(property, value);
  if (property.section == "proxy" && property.name == "type") {
    check_one_of(property, value, {"http", "http_no_tunnel", "socks4", "socks5"});
  }
  if (property.section == "tpu" && property.name == "api_version") check_one_of(property, value, {"v2", "v2alpha1"});
  if ((property.section == "ssh" || property.section == "proxy") && property.name == "port") {
    const auto port = text::parse_int(value);
    if (!port || *port < 1 || *port > 65535) {
      refuse(fmt::format("Invalid value for property [{}/{}]: [{}] is no port number.", property.section, property.name,
                         value));
    }
  }
  const std::string word = text::lower(value);
  if (property.boolean && !contains(kTrueWords, word) && !contains(kFalseWords, word)) {
    refuse(fmt::format(
        "Invalid value for property [{}/{}]: The [{}] value [{}] is not valid. Possible values: [true, 1, on, "
        "yes, y, false, 0, off, no, n, '', none]. (See http://yaml.org/type/bool.html)",
        property.section, property.name, property.name, value));
  }
}

bool valid_configuration_name(std::string_view name) {
  if (name.empty() || name[0] < 'a' || name[0] > 'z') return false;
  return std::all_of(name.begin(), name.end(),
                     [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-'; });
}

}  // namespace tpuctl::cli
