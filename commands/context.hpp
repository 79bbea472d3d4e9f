// SPDX-License-Identifier: Apache-2.0
// What a handler may reach of the cloud, made when first asked for: a command that needs no credential never looks for one.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "api/client.hpp"
#include "api/http.hpp"
#include "api/token_source.hpp"
#include "cli/args.hpp"
#include "cli/config.hpp"
#include "cli/frame.hpp"
#include "cli/output/pipeline.hpp"
#include "cli/streams.hpp"
#include "commands/wire.hpp"

namespace tpuctl::commands {

class Context {
 public:
  /// `patience` other than zero: each request is tried once and given up after that time (completion).
  Context(cli::Frame& frame_in, const cli::Args& args_in, Duration patience = {});
  ~Context();

  cli::Frame& frame;
  const cli::Args& args;

  /// "v2" in gcloud's GA spelling, else "v2alpha1"; tpu/api_version overrides both.
  std::string api_version() const;
  /// The Cloud TPU API in that version, or in the given one.
  api::Client& tpu();
  api::Client tpu(const std::string& version);
  /// Another Google API; `service` is the name in api_endpoint_overrides ("compute", "oslogin", ...).
  api::Client service(const std::string& service, const std::string& version);
  api::Transport& transport();  ///< retries, signs, traces
  /// The credential behind it. With another signer than the configuration's: to be called before any request of this Context,
  /// which are signed by it too then.
  api::TokenSource& tokens(const Signer& signer = {});
  std::string endpoint(const std::string& service) const;

  /// The property, or Error{failure} as gcloud words it: `attribute` "project" or "zone" of `what`.
  std::string project(const std::string& what = "project") const;
  std::string zone(const std::string& what = "zone") const;
  /// A positional as a resource name: a full name or URL stands as it is (it beats --zone and --project), a bare id is
  /// completed. `what` is the resource in messages.
  api::Name name(const std::string& text, const std::string& collection, const std::string& what) const;

  /// Which credential signs the requests; asks nobody for a token.
  const auth::Identity& identity();
  /// The credential sentence of gcloud after 401, 403 and 404.
  std::string credential_sentence();
  /// Output options of this command line.
  cli::output::Options output() const;
  /// Prints one resource (or operation) in --format, or in the given default; an empty default prints nothing.
  void print(Json value, const std::string& default_format) const;
  /// A line on stderr; nothing when the user has switched the command's own words off.
  void say(const std::string& line) const;
  /// "WARNING: ..." on stderr, which --verbosity decides about.
  void warn(const std::string& line) const;
  /// Says which locations a list is without, each once; false when it is whole.
  bool warn_unreachable(const std::vector<std::string>& places) const;
  /// Prints a call as --dry-run does; nothing is sent.
  void print_call(const api::Client& client, const api::Call& call) const;

 private:
  Duration patience_;
  std::unique_ptr<Wire> wire_;
  std::optional<api::Client> tpu_;
};

/// Runs `body`, adding to an Error{denied|not_found} of the service which credential was used.
int with_credential_words(Context& context, const std::function<int()>& body);

}  // namespace tpuctl::commands
