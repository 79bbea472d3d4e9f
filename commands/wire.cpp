// SPDX-License-Identifier: Apache-2.0
#include "commands/wire.hpp"

#include "api/curl.hpp"
#include "api/errors.hpp"
#include "api/retry.hpp"
#include "api/trace.hpp"
#include "auth/bearer.hpp"
#include "auth/credentials.hpp"
#include "base/error.hpp"
#include "base/text.hpp"
#include "cli/config.hpp"
#include "cli/streams.hpp"
#include "embedded/version.hpp"

namespace tpuctl::commands {

namespace {

auth::Wishes wishes(const cli::Config& config, const Signer& signer) {
  auth::Wishes out;
  out.application_default = signer.application_default;
  out.disabled = config.on("auth/disable_credentials");
  const auto token_file = config.lookup("auth/access_token_file");
  out.access_token_file = token_file.value.value_or("");
  out.access_token_file_by_flag = token_file.origin == cli::Origin::flag;
  out.credential_file_override = config.get_or("auth/credential_file_override", "");
  const auto account = config.lookup("core/account");
  out.account = account.value.value_or("");
  out.account_by_flag = account.origin == cli::Origin::flag || !signer.account.empty();
  if (!signer.account.empty()) out.account = signer.account;
  out.config_directory = config.directory();
  out.token_url = config.get_or("auth/token_host", "");
  out.probe_metadata = config.get_or("core/check_gce_metadata", "true") != "false";
  return out;
}

// What is set and would be ignored is refused: a command must not run as somebody else than it was told.
void refuse_unsupported(const cli::Config& config) {
  if (auto target = config.get("auth/impersonate_service_account")) {
    throw Error(Kind::denied, "Impersonation of [" + *target + "] is not done by this version.",
                "Hand over its token: gcloud auth print-access-token --impersonate-service-account=" + *target +
                    " > FILE, then --access-token-file=FILE");
  }
  if (config.on("context_aware/use_client_certificate")) {
    throw Error(Kind::denied, "Client certificates (context_aware/use_client_certificate) are not used by this version.");
  }
  if (const auto universe = config.get_or("core/universe_domain", "googleapis.com"); universe != "googleapis.com") {
    throw Error(Kind::denied, "The universe [" + universe + "] (core/universe_domain) is not served by this version.");
  }
}

// proxy/* as libcurl wants it; empty: the environment decides.
std::string proxy_url(const cli::Config& config) {
  const std::string type = config.get_or("proxy/type", ""), address = config.get_or("proxy/address", ""),
                    port = config.get_or("proxy/port", "");
  if (type.empty() && address.empty() && port.empty()) return {};
  if (type.empty() || address.empty() || port.empty()) {
    throw Error(Kind::failure, "Please set all or none of the following properties: proxy/type, proxy/address and proxy/port.");
  }
  const bool remote_names = config.get_or("proxy/rdns", "true") != "false";
  std::string scheme = "http";
  if (type == "socks5") scheme = remote_names ? "socks5h" : "socks5";
  if (type == "socks4") scheme = remote_names ? "socks4a" : "socks4";
  const std::string user = config.get_or("proxy/username", "");
  const std::string login = user.empty() ? "" : text::percent_encode(user) + ":" + text::percent_encode(config.get_or("proxy/password", "")) + "@";
  return scheme + "://" + login + address + ":" + port;
}

// gcloud sends the quota project for TPU calls only when it was set on purpose.
api::Headers extra_headers(const cli::Config& config) {
  api::Headers headers;
  const auto quota = config.lookup("billing/quota_project");
  std::string project = quota.origin == cli::Origin::fallback ? "" : quota.value.value_or("");
  if (project.starts_with("CURRENT_PROJECT")) project = config.get_or("core/project", "");
  if (!project.empty() && project != "LEGACY") headers.emplace_back("X-Goog-User-Project", project);
  if (auto reason = config.get("core/request_reason")) headers.emplace_back("X-Goog-Request-Reason", *reason);
  return headers;
}

api::CurlOptions curl_options(const cli::Config& config, Duration patience) {
  api::CurlOptions options;
  options.total_limit = patience;
  options.user_agent = "tpuctl/" + std::string(kVersion) + " (gzip)";
  options.ca_file = config.get_or("core/custom_ca_certs_file", "");
  options.proxy = proxy_url(config);
  return options;
}

api::CurlOptions probe_options() {
  api::CurlOptions options;
  options.proxy = "none";
  options.connect_limit = std::chrono::milliseconds(500);
  options.total_limit = std::chrono::seconds(1);
  return options;
}

}  // namespace

// The decorators, innermost first. Token requests take the same way without the signature.
struct Wire::Layers {
  Layers(cli::Frame& frame, Duration patience, const Signer& signer)
      : curl(curl_options(frame.config, patience)),
        trace(curl, [&io = frame.io](const std::string& line) { io.err(text::printable(line) + "\n"); }),
        plain_wire(frame.config.on("core/log_http") ? static_cast<api::Transport&>(trace) : curl),
        policy(patience > Duration{} ? api::RetryPolicy{.tries = 1} : api::RetryPolicy{}),
        plain(plain_wire, frame.clock, policy),
        probe(probe_options()),
        source(auth::find_credentials(wishes(frame.config, signer), frame.env, plain, probe)),
        bearer(plain_wire, *source, frame.clock, extra_headers(frame.config)),
        retry(bearer, frame.clock, policy, [&frame](const api::Request& request, const api::Response& response, Duration wait) {
          const std::string level = frame.config.get_or("core/verbosity", "warning");
          if (level != "info" && level != "debug") return;
          const std::string reason = response.failure ? response.failure->message : "HTTP " + std::to_string(response.status);
          frame.io.err("INFO: " + request.method + " " + api::origin(request.url) + ": " + reason + "; trying again in " +
                       human_duration(wait) + "\n");
        }) {}

  api::CurlTransport curl;
  api::TraceTransport trace;
  api::Transport& plain_wire;
  api::RetryPolicy policy;
  api::RetryTransport plain;
  api::CurlTransport probe;
  std::unique_ptr<api::TokenSource> source;
  auth::BearerTransport bearer;
  api::RetryTransport retry;
};

Wire::Wire(cli::Frame& frame, Duration patience, const Signer& signer) {
  refuse_unsupported(frame.config);
  layers_ = std::make_unique<Layers>(frame, patience, signer);
}
Wire::~Wire() = default;
api::Transport& Wire::transport() { return layers_->retry; }
std::string Wire::credential() const { return layers_->source->describe(); }
api::TokenSource& Wire::tokens() { return *layers_->source; }

}  // namespace tpuctl::commands
