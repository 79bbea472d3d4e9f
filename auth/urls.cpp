// SPDX-License-Identifier: Apache-2.0
#include "auth/urls.hpp"

#include "base/text.hpp"

namespace tpuctl::auth {

Url parse_url(std::string_view text) {
  for (const char c : text) {
    if (static_cast<unsigned char>(c) <= 0x20 || c == '\\' || c == '#' || c == 0x7F) return {};
  }
  const auto scheme_end = text.find("://");
  if (scheme_end == std::string_view::npos) return {};
  Url out;
  std::string_view rest = text.substr(scheme_end + 3);
  std::string_view authority = rest.substr(0, rest.find_first_of("/?"));
  rest.remove_prefix(authority.size());
  out.path = rest.substr(0, rest.find('?'));
  if (const auto query = rest.find('?'); query != std::string_view::npos) out.query = rest.substr(query + 1);
  if (const auto at = authority.rfind('@'); at != std::string_view::npos) {
    out.user = true;
    authority.remove_prefix(at + 1);
  }
  std::string_view port;
  if (authority.starts_with('[')) {
    const auto end = authority.find(']');
    if (end == std::string_view::npos) return {};
    out.host = text::lower(authority.substr(1, end - 1));
    port = authority.substr(end + 1);
    if (!port.empty() && port[0] != ':') return {};
  } else {
    const auto colon = authority.find(':');
    out.host = text::lower(authority.substr(0, colon));
    if (colon != std::string_view::npos) port = authority.substr(colon);
  }
  if (!port.empty() && port.find_first_not_of("0123456789", 1) != std::string_view::npos) return {};
  if (out.host.empty()) return {};
  out.scheme = text::lower(text.substr(0, scheme_end));
  return out;
}

namespace {

bool takes_suffix(std::string_view& text, std::string_view suffix) {
  if (!text.ends_with(suffix)) return false;
  text.remove_suffix(suffix.size());
  return true;
}

bool is_label(std::string_view text) { return !text.empty() && text.find('.') == std::string_view::npos; }

// The host without its universe: "sts", "X.sts", "sts.X", "X-sts", "sts-X.p".
bool is_service_host(std::string_view name, std::string_view service) {
  const std::string dashed = std::string(service) + "-", dotted = std::string(service) + ".";
  if (name == service) return true;
  if (name.starts_with(dotted) && is_label(name.substr(dotted.size()))) return true;
  std::string_view rest = name;
  if (takes_suffix(rest, "." + std::string(service)) || (rest = name, takes_suffix(rest, "-" + std::string(service)))) {
    return is_label(rest);
  }
  return name.starts_with(dashed) && takes_suffix(rest, ".p") && is_label(rest.substr(dashed.size()));
}

bool is_loopback_host(const std::string& host) {
  if (host == "localhost" || host == "::1") return true;
  return host.starts_with("127.") && host.find_first_not_of("0123456789.") == std::string::npos;
}

bool is_link_local_host(const std::string& host) { return host == "169.254.169.254" || host == "fd00:ec2::254"; }

bool is_web(const Url& url) { return (url.scheme == "https" || url.scheme == "http") && !url.user; }

}  // namespace

bool is_loopback_url(std::string_view text) {
  const Url url = parse_url(text);
  return !url.user && is_loopback_host(url.host);
}

bool is_service_url(std::string_view text, std::string_view service, std::string_view universe) {
  const Url url = parse_url(text);
  if (url.scheme != "https" || url.user) return false;
  std::string_view name = url.host;
  if (!takes_suffix(name, "." + std::string(universe))) return false;
  takes_suffix(name, ".mtls");
  return is_service_host(name, service);
}

bool is_aws_metadata_url(std::string_view text) {
  const Url url = parse_url(text);
  return is_web(url) && is_link_local_host(url.host);
}

bool is_token_url(std::string_view text, std::string_view universe) {
  const Url url = parse_url(text);
  if (url.scheme != "https" || url.user) return false;
  return url.host == "accounts.google.com" || url.host.ends_with("." + std::string(universe));
}

bool is_local_url(std::string_view text) {
  const Url url = parse_url(text);
  return is_web(url) && (is_loopback_host(url.host) || is_link_local_host(url.host));
}

bool is_subject_url(std::string_view text) {
  const Url url = parse_url(text);
  return (url.scheme == "https" && !url.user) || is_local_url(text);
}

bool untrusted_urls_allowed(const Environment& env) { return env.get("TPUCTL_ALLOW_UNTRUSTED_CREDENTIAL_URLS") == "1"; }

std::string redirected(const std::string& url, const std::string& endpoint) {
  if (endpoint.empty()) return url;
  const auto scheme = url.find("://");
  if (scheme == std::string::npos) return url;
  const auto path = url.find('/', scheme + 3);
  const std::string base = endpoint.ends_with('/') ? endpoint.substr(0, endpoint.size() - 1) : endpoint;
  return base + (path == std::string::npos ? "" : url.substr(path));
}

}  // namespace tpuctl::auth
