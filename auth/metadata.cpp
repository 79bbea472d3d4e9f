// SPDX-License-Identifier: Apache-2.0
// The metadata server of a virtual machine (https://cloud.google.com/compute/docs/metadata/overview): is there one, and
// the tokens it gives out. It is never spoken to through a proxy.
#include <sys/stat.h>

#include "auth/kinds.hpp"
#include "auth/token_endpoint.hpp"
#include "auth/tokens.hpp"
#include "base/error.hpp"
#include "base/file.hpp"
#include "base/text.hpp"

namespace tpuctl::auth {

namespace {

constexpr const char* kNoToken = "The metadata server gave no token: ";
constexpr const char* kName = "metadata.google.internal";
constexpr const char* kAddress = "169.254.169.254";      // needs no name service
constexpr Duration kLate = std::chrono::seconds(225);    // the server itself hands out a new one below 240 s
constexpr Duration kMemory = std::chrono::seconds(600);  // of gcloud's file

api::Request question(const std::string& host, const std::string& path) {
  api::Request request;
  request.url = "http://" + host + path;
  request.headers = {{"Metadata-Flavor", "Google"}};
  request.authorize = false;
  return request;
}

bool from_google(const api::Response& response) { return response.header("Metadata-Flavor") == "Google"; }

class MetadataServer : public RefreshingToken {
 public:
  MetadataServer(std::string host, std::string account, std::string universe, const Ways& ways)
      : RefreshingToken(kLate),
        host_(std::move(host)),
        account_(std::move(account)),
        universe_(std::move(universe)),
        ways_(ways) {}

 protected:
  api::Token fetch(TimePoint now) override {
    if (universe_ != kDefaultUniverse) check_universe();
    const auto request =
        question(host_, "/computeMetadata/v1/instance/service-accounts/" + text::percent_encode(account_) + "/token");
    const api::Response response = ways_.direct.send(request);
    if (!response.failure && !from_google(response)) {
      throw Error(Kind::denied,
                  "What answers at " + host_ + " is no metadata server: it does not say Metadata-Flavor: Google.",
                  "Check GCE_METADATA_HOST, GCE_METADATA_ROOT and GCE_METADATA_IP.");
    }
    if (response.status == 200) {
      const Json answer = success_of(response, request.url, kNoToken);
      if (answer["access_token"].text().empty()) {
        throw Error(Kind::denied, std::string(kNoToken) + "there is none in the answer of " + host_ + ".");
      }
      return read_token(answer, now);
    }
    if (response.status == 404) {
      const std::string which = account_ == "default" ? "" : " [" + account_ + "]";
      throw Error(Kind::denied, "This machine has no service account" + which + ".",
                  "Sign in (tpuctl auth login), or make the VM with one.");
    }
    if (response.status == 403) {
      throw Error(Kind::denied,
                  "The metadata server " + host_ + " refused the request: it may be concealed from this workload.",
                  "Use workload identity, or sign in: tpuctl auth login");
    }
    const Error reason = refusal_of(response, request.url);
    throw Error(reason.kind, std::string(kNoToken) + reason.what(), reason.hint);
  }

 private:
  void check_universe() const {
    const api::Response response = ways_.direct.send(question(host_, "/computeMetadata/v1/universe/universe-domain"));
    std::string own = response.status == 200 && from_google(response) ? std::string(text::trim(response.body)) : "";
    if (own.empty()) own = kDefaultUniverse;
    if (own == universe_) return;
    throw Error(
        Kind::denied,
        "This machine is of the universe " + text::printable(own) + ", but core/universe_domain is " + universe_ + ".",
        "Set the property core/universe_domain, or use another credential.");
  }

  std::string host_, account_, universe_;
  Ways ways_;
};

bool answers(const Ways& ways) {
  auto request = question(kAddress, "/");
  request.repeat = api::Repeat::never;
  const api::Response response = ways.probe.send(request);
  return response.status == 200 && from_google(response);
}

// What gcloud found out in the last minutes.
std::optional<bool> remembered(const std::string& path, TimePoint now) {
  struct stat info = {};
  if (stat(path.c_str(), &info) != 0) return {};
  const Duration age = now - TimePoint(std::chrono::seconds(info.st_mtime));
  if (age < Duration{} || age > kMemory) return {};
  const auto text = file::read_if_exists(path);
  if (!text || (*text != "True" && *text != "False")) return {};
  return *text == "True";
}

}  // namespace

Source metadata_server(std::string host, std::string account, std::string universe, const Ways& ways) {
  return std::make_unique<MetadataServer>(std::move(host), std::move(account), std::move(universe), ways);
}

std::string find_metadata_server(const Wishes& wishes, const Environment& env, const Ways& ways) {
  for (const char* name : {"GCE_METADATA_HOST", "GCE_METADATA_ROOT", "GCE_METADATA_IP"}) {
    if (auto host = env.get_nonempty(name)) return *host;
  }
  if (!wishes.probe_metadata || text::lower(env.get("NO_GCE_CHECK").value_or("")) == "true") return {};
  const auto product = file::read_if_exists("/sys/class/dmi/id/product_name");
  if (product && product->starts_with("Google")) return kName;
  if (const auto known = remembered(wishes.config_directory + "/gce", ways.clock.now())) return *known ? kName : "";
  return answers(ways) ? kName : "";
}

}  // namespace tpuctl::auth
