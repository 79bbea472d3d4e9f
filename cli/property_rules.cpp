// SPDX-License-Identifier: Apache-2.0
// Which values a property may have; the words are gcloud's.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <initializer_list>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/text.hpp"
#include "cli/properties.hpp"

namespace tpuctl::cli {

namespace {

[[noreturn]] void refuse(const std::string& message, std::string hint = {}) {
  throw Error(tpuctl::Kind::failure, message, std::move(hint));
}

[[noreturn]] void refuse_value(const Property& property, std::string_view reason) {
  refuse(fmt::format("Invalid value for property [{}]: {}", full_name(property), reason));
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

void check_project(const Property&, const std::string& value) {
  constexpr const char* kHint =
      "To set your project, run:\n\n  $ tpuctl config set project PROJECT_ID\n\nor to unset it, run:\n\n"
      "  $ tpuctl config unset project";
  if (value.empty()) refuse("The project property is set to the empty string, which is invalid.", kHint);
  if (!valid_project(value)) {
    refuse(fmt::format("The project property must be set to a valid project ID, not the project name [{}]", value), kHint);
  }
}

// http(s)://HOST[:PORT]/ or with a path that ends in a slash too.
bool valid_endpoint(std::string_view url) {
  const std::string lowered = text::lower(url);
  const auto start = lowered.starts_with("https://") ? 8u : lowered.starts_with("http://") ? 7u : 0u;
  if (start == 0 || !url.ends_with('/') || url.find_first_of(" \t\r\n") != std::string_view::npos) return false;
  std::string_view host = url.substr(start, url.find_first_of("/?", start) - start);
  const auto colon = host.rfind(':');
  if (colon != std::string_view::npos && !host.ends_with(']')) {
    const std::string_view port = host.substr(colon + 1);
    if (port.empty() || port.find_first_not_of("0123456789") != std::string_view::npos) return false;
    host = host.substr(0, colon);
  }
  const bool address = host.size() > 3 && host.starts_with('[') && host.ends_with(']');
  if (address) host = host.substr(1, host.size() - 2);
  return host.size() > 1 && std::all_of(host.begin(), host.end(), [&](char c) {
           return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '.' || c == '-' || (address && c == ':');
         });
}

void check_endpoint(const Property& property, const std::string& value) {
  if (valid_endpoint(value)) return;
  refuse_value(property, fmt::format("The endpoint_overrides property must be an absolute URI beginning with http:// or "
                                     "https:// and ending with a trailing '/'. [{}] is not a valid endpoint override.",
                                     value));
}

void check_file(const Property& property, const std::string& value) {
  if (!file::exists(value)) refuse_value(property, "The provided path must exist.");
  if (!value.starts_with('/')) refuse_value(property, "The provided path must be absolute.");
}

void check_port(const Property& property, const std::string& value) {
  const auto port = text::parse_int(value);
  if (!port || *port < 1 || *port > 65535) refuse_value(property, fmt::format("[{}] is no port number.", value));
}

void check_days(const Property& property, const std::string& value) {
  const auto days = text::parse_int(value);
  if (!days) refuse_value(property, "Max number of days must be an integer");
  if (*days < 0) refuse_value(property, "Max number of days must be at least 0");
}

void check_quota_project(const Property& property, const std::string& value) {
  constexpr std::string_view kWords[] = {"CURRENT_PROJECT", "CURRENT_PROJECT_WITH_FALLBACK", "LEGACY"};
  if (!contains(kWords, value) && !valid_project(value)) {
    refuse_value(property, fmt::format("[{}] is no project id, nor one of {}.", value, fmt::join(kWords, ", ")));
  }
}

// The name of a format, whatever projection follows.
void check_format(const Property&, const std::string& value) {
  constexpr std::string_view kFormats[] = {"config", "csv",  "default", "disable", "flattened", "get",   "json", "list",
                                           "multi",  "none", "object",  "table",   "text",      "value", "yaml"};
  const std::string_view name = std::string_view(value).substr(0, value.find_first_of("([ "));
  if (value.empty() || contains(kFormats, name)) return;
  refuse(fmt::format("Format must be one of {}; received [{}].", fmt::join(kFormats, ", "), value),
         "For information on output formats:\n  $ tpuctl help formats");
}

struct Rule {
  std::string_view property;  ///< "section/name", or "section/" for all of it
  void (*check)(const Property&, const std::string& value);
};
constexpr Rule kRules[] = {
    {"core/project", check_project},
    {"core/custom_ca_certs_file", check_file},
    {"core/default_format", check_format},
    {"core/format", check_format},
    {"core/max_log_days", check_days},
    {"context_aware/certificate_config_file_path", check_file},
    {"context_aware/auto_discovery_file_path", check_file},
    {"api_endpoint_overrides/", check_endpoint},
    {"billing/quota_project", check_quota_project},
    {"ssh/port", check_port},
    {"proxy/port", check_port},
};

struct Choice {
  std::string_view property;
  std::string_view message;  ///< gcloud's, {0} the value, {1} the choices
  std::initializer_list<std::string_view> choices;
};
const Choice kChoices[] = {
    {"proxy/type", "The proxy type property value [{0}] is not valid. Possible values: [{1}].",
     {"http", "http_no_tunnel", "socks4", "socks5"}},
    {"tpu/api_version", "The tpu api_version property value [{0}] is not valid. Possible values: [{1}].", {"v2", "v2alpha1"}},
    {"core/show_structured_logs", "show_structured_logs must be one of: [{1}]", {"always", "log", "terminal", "never"}},
    {"core/console_log_format", "console_log_format must be one of: [{1}]", {"standard", "detailed"}},
};

}  // namespace

void check_property_value(const Property& property, const std::string& value) {
  const std::string name = full_name(property);
  for (const Rule& rule : kRules) {
    if (rule.property == name || (rule.property.ends_with('/') && name.starts_with(rule.property))) rule.check(property, value);
  }
  for (const Choice& row : kChoices) {
    if (row.property != name || contains(row.choices, value)) continue;
    refuse_value(property, fmt::format(fmt::runtime(row.message), value, fmt::join(row.choices, ", ")));
  }
  const std::string word = text::lower(value);
  if (property.boolean && !contains(kTrueWords, word) && !contains(kFalseWords, word)) {
    refuse_value(property, fmt::format("The [{}] value [{}] is not valid. Possible values: [true, 1, on, yes, y, false, 0, "
                                       "off, no, n, '', none]. (See http://yaml.org/type/bool.html)",
                                       property.name, value));
  }
}

bool valid_configuration_name(std::string_view name) {
  if (name.empty() || name[0] < 'a' || name[0] > 'z') return false;
  return std::all_of(name.begin(), name.end(),
                     [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-'; });
}

}  // namespace tpuctl::cli
