// SPDX-License-Identifier: Apache-2.0
#include "commands/wire.hpp"

#include "api/curl.hpp"
#include "api/errors.hpp"
#include "api/quota.hpp"
#include "api/retry.hpp"
#include "api/trace.hpp"
#include "auth/bearer.hpp"
#include "auth/credentials.hpp"
#include "base/error.hpp"
#include "base/file.hpp"
#include "base/text.hpp"
#include "cli/config.hpp"
#include "cli/streams.hpp"
#include "cli/verbosity.hpp"
#include "commands/endpoints.hpp"
#include "commands/network.hpp"

namespace tpuctl::commands {

std::string token_cache_directory(const Environment& env) {
  const auto base = env.get_nonempty("XDG_CACHE_HOME");
  return file::join(base && base->starts_with('/') ? *base : file::join(env.home(), ".cache"), "tpuctl/tokens");
}

namespace {

using cli::Verbosity;

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
  const bool mtls = uses_client_certificate(config);
  auto own = [&](const char* service) { return mtls ? endpoint(config, service) : config.get_or(std::string("api_endpoint_overrides/") + service, ""); };
  out.token_url = config.get_or("auth/token_host", mtls ? "https://oauth2.mtls." + universe(config) + "/token" : "");
  out.sts_endpoint = own("sts");
  out.iam_endpoint = own("iamcredentials");
  out.universe = universe(config);
  out.impersonate = text::split(config.get_or("auth/impersonate_service_account", ""), ',');
  out.self_signed = config.on("auth/service_account_use_self_signed_jwt");
  out.probe_metadata = config.on("core/check_gce_metadata");
  out.interactive = frame.io.in_tty && frame.io.err_tty && !config.on("core/disable_prompts");
  if (config.on("tpu/token_cache")) out.cache_directory = token_cache_directory(frame.env);
  return out;
}

// A person's credential: its calls are charged to a project that is named; others bring their own.
bool of_person(const auth::Identity& identity) {
  if (!identity.impersonated.empty()) return false;
  for (const char* kind : {"authorized_user", "external_account_authorized_user", "gcloud", "access_token"}) {
    if (identity.kind == kind) return true;
  }
  return false;
}

std::string current_project(const cli::Frame& frame) {
  return frame.config.get_or("core/project", frame.env.get_nonempty("GOOGLE_CLOUD_PROJECT").value_or(""));
}

// gcloud sends a quota project for TPU calls only when one was set on purpose; a credentials file may name one too. OS Login
// is for people, and has no other project to charge.
std::vector<api::QuotaRule> quota_rules(const cli::Frame& frame, const auth::Identity& identity) {
  const std::string project = quota_project(frame, identity);
  const auto setting = frame.config.lookup("billing/quota_project");
  if (setting.origin != cli::Origin::fallback) return {{"", project, setting.value == "CURRENT_PROJECT_WITH_FALLBACK"}};
  if (!project.empty()) return {{"", project, false}};
  if (!of_person(identity) || identity.kind == "access_token") return {};  // whose a bare token is nobody knows
  return {{endpoint(frame.config, "oslogin") + "v1/users/", current_project(frame), true}};  // the path, for one address may serve them all
}

// To metadata servers and this machine.
api::CurlOptions direct_options(Duration connect, Duration total) {
  api::CurlOptions options;
  options.proxy = "none";
  options.connect_limit = connect;
  options.total_limit = total;
  return options;
}

// Said once a command: whose name will stand in the audit log, as gcloud says it, and which credential that is.
void tell_identity(cli::Frame& frame, const auth::Identity& identity, const auth::Wishes& asked) {
  if (!asked.impersonate.empty() && !identity.impersonated.empty()) {
    cli::tell(frame.io, frame.config, Verbosity::warning,
              "This command is using service account impersonation. All API calls will be executed as [" + identity.impersonated + "].");
  }
  cli::tell(frame.io, frame.config, Verbosity::info, identity.sentence + ".");
}

}  // namespace

// The ways out, innermost decorator first. Token requests take the same way as all others, without the signature.
struct Exits::Ways {
  Ways(cli::Frame& frame, Duration patience)
      : curl(curl_options(frame.config, frame.env, patience)),
        curl_trace(curl, log(frame)),
        curl_wire(watched(frame, curl, curl_trace)),
        policy(patience > Duration{} ? api::RetryPolicy{.tries = 1} : api::RetryPolicy{}),
        plain(curl_wire.transport(), frame.clock, policy),
        near(direct_options(std::chrono::seconds(3), std::chrono::seconds(10))),
        near_trace(near, log(frame)),
        near_wire(watched(frame, near, near_trace)),
        direct(near_wire.transport(), frame.clock, near_policy(patience)),
        probe(direct_options(std::chrono::milliseconds(500), std::chrono::seconds(1))),
        clock(frame.clock) {}

  /// A transport with what --log-http and --verbosity=debug add to it.
  struct Watched {
    api::Transport& inner;
    std::unique_ptr<api::TimedTransport> timed;
    api::Transport& transport() { return timed ? *timed : inner; }
  };
  static Watched watched(cli::Frame& frame, api::Transport& curl, api::Transport& traced) {
    api::Transport& inner = frame.config.on("core/log_http") ? traced : curl;
    if (cli::verbosity(frame.config) != Verbosity::debug) return {inner, nullptr};
    return {inner, std::make_unique<api::TimedTransport>(inner, frame.clock, [&frame](const std::string& line) {
              cli::tell(frame.io, frame.config, Verbosity::debug, line);
            })};
  }
  static std::function<void(const std::string&)> log(cli::Frame& frame) {
    return [&io = frame.io](const std::string& line) { io.err(text::printable(line) + "\n"); };
  }
  // A metadata server is late when a machine has just started; its answers are quick otherwise.
  static api::RetryPolicy near_policy(Duration patience) {
    return patience > Duration{} ? api::RetryPolicy{.tries = 1} : api::RetryPolicy{.first = std::chrono::seconds(1)};
  }

  api::CurlTransport curl;
  api::TraceTransport curl_trace;
  Watched curl_wire;
  api::RetryPolicy policy;
  api::RetryTransport plain;
  api::CurlTransport near;
  api::TraceTransport near_trace;
  Watched near_wire;
  api::RetryTransport direct;
  api::CurlTransport probe;
  Clock& clock;
};

Exits::Exits(cli::Frame& frame, Duration patience) : ways_(std::make_unique<Ways>(frame, patience)) {}
Exits::~Exits() = default;
auth::Ways Exits::ways() { return {ways_->plain, ways_->direct, ways_->probe, ways_->clock}; }
api::Transport& Exits::once() { return ways_->curl_wire.transport(); }
const api::RetryPolicy& Exits::policy() const { return ways_->policy; }

struct Wire::Layers {
  Layers(cli::Frame& frame, Duration patience, const Signer& signer)
      : exits(frame, patience),
        asked(wishes(frame, signer)),
        credential(auth::find_credentials(asked, frame.env, exits.ways())),
        bearer(exits.once(), *credential.source, frame.clock, marks(frame.config)),
        quota(bearer, quota_rules(frame, credential.identity), current_project(frame), told_of_rescue(frame)),
        retry(quota, frame.clock, exits.policy(), [&frame](const api::Request& request, const api::Response& response, Duration wait) {
          const std::string reason = response.failure ? response.failure->message : "HTTP " + std::to_string(response.status);
          cli::tell(frame.io, frame.config, Verbosity::info, request.method + " " + api::origin(request.url) + ": " + reason +
                                                                 "; trying again in " + human_duration(wait));
        }) {
    if (patience == Duration{}) tell_identity(frame, credential.identity, asked);
  }

  static std::function<void(const std::string&)> told_of_rescue(cli::Frame& frame) {
    return [&frame](const std::string& project) {
      cli::tell(frame.io, frame.config, Verbosity::warning,
                "The credential names no quota project, and the API is not enabled in the one it came with: [" + project +
                    "] is charged instead. To set it for good: tpuctl config set billing/quota_project " + project);
    };
  }

  Exits exits;
  auth::Wishes asked;
  auth::Credential credential;
  auth::BearerTransport bearer;
  api::QuotaTransport quota;
  api::RetryTransport retry;
};

std::string quota_project(const cli::Frame& frame, const auth::Identity& identity) {
  const auto setting = frame.config.lookup("billing/quota_project");
  const std::string value = setting.value.value_or("");
  if (setting.origin == cli::Origin::fallback) {
    const bool file = !identity.file.empty() && identity.kind != "access_token";
    if (auto named = file ? frame.env.get_nonempty("GOOGLE_CLOUD_QUOTA_PROJECT") : std::nullopt) return *named;
    return identity.quota_project;
  }
  if (value == "LEGACY") return {};
  if (value.starts_with("CURRENT_PROJECT")) return of_person(identity) ? current_project(frame) : "";
  return value;
}

Wire::Wire(cli::Frame& frame, Duration patience, const Signer& signer)
    : layers_(std::make_unique<Layers>(frame, patience, signer)) {}
Wire::~Wire() = default;
api::Transport& Wire::transport() { return layers_->retry; }
const auth::Identity& Wire::identity() const { return layers_->credential.identity; }
api::TokenSource& Wire::tokens() { return *layers_->credential.source; }

}  // namespace tpuctl::commands
