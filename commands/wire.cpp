// SPDX-License-Identifier: Apache-2.0
#include "commands/wire.hpp"

#include "api/curl.hpp"
#include "api/errors.hpp"
#include "api/retry.hpp"
#include "api/trace.hpp"
#include "auth/bearer.hpp"
#include "auth/credentials.hpp"
#include "base/error.hpp"
#include "base/file.hpp"
#include "base/text.hpp"
#include "cli/config.hpp"
#include "cli/streams.hpp"
#include "embedded/version.hpp"

namespace tpuctl::commands {

namespace {

std::string cache_directory(const Environment& env) {
  const auto base = env.get_nonempty("XDG_CACHE_HOME");
  return file::join(base && base->starts_with('/') ? *base : file::join(env.home(), ".cache"), "tpuctl/tokens");
}

auth::Wishes wishes(const cli::Frame& frame, const Signer& signer) {
  const cli::Config& config = frame.config;
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
  out.sts_endpoint = config.get_or("api_endpoint_overrides/sts", "");
  out.iam_endpoint = config.get_or("api_endpoint_overrides/iamcredentials", "");
  out.universe = config.get_or("core/universe_domain", auth::kDefaultUniverse);
  out.impersonate = text::split(config.get_or("auth/impersonate_service_account", ""), ',');
  out.self_signed = config.on("auth/service_account_use_self_signed_jwt");
  out.probe_metadata = config.get_or("core/check_gce_metadata", "true") != "false";
  out.interactive = frame.io.in_tty && frame.io.err_tty && !config.on("core/disable_prompts");
  if (config.on("tpu/token_cache")) out.cache_directory = cache_directory(frame.env);
  return out;
}

// What is set and would be ignored is refused: a command must not run as somebody else than it was told.
void refuse_unsupported(const cli::Config& config) {
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

// To metadata servers and this machine.
api::CurlOptions direct_options(Duration connect, Duration total) {
  api::CurlOptions options;
  options.proxy = "none";
  options.connect_limit = connect;
  options.total_limit = total;
  return options;
}

// Said once a command, as gcloud does: whose name will stand in the audit log.
void tell_impersonation(cli::Frame& frame, const auth::Identity& identity, const auth::Wishes& asked) {
  if (asked.impersonate.empty() || identity.impersonated.empty()) return;
  const std::string level = frame.config.get_or("core/verbosity", "warning");
  if (level == "error" || level == "critical" || level == "none") return;
  frame.io.err("WARNING: This command is using service account impersonation. All API calls will be executed as [" +
               text::printable(identity.impersonated) + "].\n");
}

}  // namespace

api::CurlOptions curl_options(const cli::Config& config, Duration patience) {
  api::CurlOptions options;
  options.total_limit = patience;
  options.user_agent = "tpuctl/" + std::string(kVersion) + " (gzip)";
  options.ca_file = config.get_or("core/custom_ca_certs_file", "");
  options.proxy = proxy_url(config);
  return options;
}

// The decorators, innermost first. Token requests take the same way without the signature.
struct Wire::Layers {
  Layers(cli::Frame& frame, Duration patience, const Signer& signer)
      : curl(curl_options(frame.config, patience)),
        trace(curl, log(frame)),
        plain_wire(traced(frame) ? static_cast<api::Transport&>(trace) : curl),
        policy(patience > Duration{} ? api::RetryPolicy{.tries = 1} : api::RetryPolicy{}),
        plain(plain_wire, frame.clock, policy),
        near(direct_options(std::chrono::seconds(3), std::chrono::seconds(10))),
        near_trace(near, log(frame)),
        direct(traced(frame) ? static_cast<api::Transport&>(near_trace) : near, frame.clock, near_policy(patience)),
        probe(direct_options(std::chrono::milliseconds(500), std::chrono::seconds(1))),
        asked(wishes(frame, signer)),
        credential(auth::find_credentials(asked, frame.env, {plain, direct, probe, frame.clock})),
        bearer(plain_wire, *credential.source, frame.clock, extra_headers(frame.config)),
        retry(bearer, frame.clock, policy, [&frame](const api::Request& request, const api::Response& response, Duration wait) {
          const std::string level = frame.config.get_or("core/verbosity", "warning");
          if (level != "info" && level != "debug") return;
          const std::string reason = response.failure ? response.failure->message : "HTTP " + std::to_string(response.status);
          frame.io.err("INFO: " + request.method + " " + api::origin(request.url) + ": " + reason + "; trying again in " +
                       human_duration(wait) + "\n");
        }) {
    if (patience == Duration{}) tell_impersonation(frame, credential.identity, asked);
  }

  static std::function<void(const std::string&)> log(cli::Frame& frame) {
    return [&io = frame.io](const std::string& line) { io.err(text::printable(line) + "\n"); };
  }
  static bool traced(const cli::Frame& frame) { return frame.config.on("core/log_http"); }
  // A metadata server is late when a machine has just started; its answers are quick otherwise.
  static api::RetryPolicy near_policy(Duration patience) {
    return patience > Duration{} ? api::RetryPolicy{.tries = 1} : api::RetryPolicy{.first = std::chrono::seconds(1)};
  }

  api::CurlTransport curl;
  api::TraceTransport trace;
  api::Transport& plain_wire;
  api::RetryPolicy policy;
  api::RetryTransport plain;
  api::CurlTransport near;
  api::TraceTransport near_trace;
  api::RetryTransport direct;
  api::CurlTransport probe;
  auth::Wishes asked;
  auth::Credential credential;
  auth::BearerTransport bearer;
  api::RetryTransport retry;
};

Wire::Wire(cli::Frame& frame, Duration patience, const Signer& signer) {
  refuse_unsupported(frame.config);
  layers_ = std::make_unique<Layers>(frame, patience, signer);
}
Wire::~Wire() = default;
api::Transport& Wire::transport() { return layers_->retry; }
const auth::Identity& Wire::identity() const { return layers_->credential.identity; }
api::TokenSource& Wire::tokens() { return *layers_->credential.source; }

}  // namespace tpuctl::commands
