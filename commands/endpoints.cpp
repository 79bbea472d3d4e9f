// SPDX-License-Identifier: Apache-2.0
#include "commands/endpoints.hpp"

#include <algorithm>

#include "base/error.hpp"

namespace tpuctl::commands {

namespace {

struct Service {
  std::string_view name;
  std::string_view path{};     ///< before the version of every call
  std::string_view version{};  ///< what gcloud's address and its overrides have besides
};
constexpr Service kServices[] = {
    {"cloudresourcemanager"}, {"compute", "compute/", "v1/"}, {"iamcredentials"}, {"iap"}, {"oslogin"},
    {"serviceusage"},         {"storage", "", "storage/v1/"}, {"sts"},            {"tpu"},
};

const Service* find(std::string_view name) {
  const auto row = std::find_if(std::begin(kServices), std::end(kServices), [&](const Service& one) { return one.name == name; });
  return row == std::end(kServices) ? nullptr : row;
}

std::string host(const cli::Config& config, std::string_view service) {
  return std::string(service) + (uses_client_certificate(config) ? ".mtls." : ".") + universe(config);
}

// An override names gcloud's version too; here the version is part of each call. One without a path keeps Google's.
std::string without_version(std::string address, const Service& service) {
  const bool bare = address.find('/', address.find("://") + 3) + 1 == address.size();
  if (bare) return address + std::string(service.path);
  for (const char* version : {"v1/", "beta/", "alpha/"}) {
    if (service.name == "compute" && address.ends_with("/" + std::string(version))) {
      address.resize(address.size() - std::string_view(version).size());
      return address;
    }
  }
  if (service.name == "storage" && address.ends_with("/storage/v1/")) address.resize(address.size() - service.version.size());
  return address;
}

}  // namespace

std::string universe(const cli::Config& config) { return config.get_or("core/universe_domain", "googleapis.com"); }

bool uses_client_certificate(const cli::Config& config) {
  const auto setting = config.lookup("context_aware/use_client_certificate");
  if (setting.origin != cli::Origin::unset) return config.on("context_aware/use_client_certificate");
  return config.environment().get("GOOGLE_API_USE_CLIENT_CERTIFICATE") == "true";
}

std::string default_endpoint(const cli::Config& config, std::string_view service) {
  const Service* row = find(service);
  if (!row) return {};
  return "https://" + host(config, service) + "/" + std::string(row->path) + std::string(row->version);
}

std::string endpoint(const cli::Config& config, std::string_view service) {
  const Service* row = find(service);
  if (!row) throw Error(Kind::failure, "There is no address for the service [" + std::string(service) + "].");
  const std::string property = "api_endpoint_overrides/" + std::string(service);
  const auto address = config.get(property);
  if (!address) return "https://" + host(config, service) + "/" + std::string(row->path);
  if (!address->ends_with('/') || !(address->starts_with("https://") || address->starts_with("http://"))) {
    throw Error(Kind::failure, "The property " + property + " must be an http(s) URL ending in /, not [" + *address + "].");
  }
  return without_version(*address, *row);
}

}  // namespace tpuctl::commands
