// SPDX-License-Identifier: Apache-2.0
#include "commands/context.hpp"

#include "api/errors.hpp"
#include "base/error.hpp"
#include "base/text.hpp"
#include "cli/verbosity.hpp"
#include "commands/endpoints.hpp"
#include "commands/wire.hpp"

namespace tpuctl::commands {

Context::Context(cli::Frame& frame_in, const cli::Args& args_in, Duration patience)
    : frame(frame_in), args(args_in), patience_(patience) {}
Context::~Context() = default;

std::string Context::api_version() const {
  if (auto version = frame.config.get("tpu/api_version")) {
    if (*version != "v2" && *version != "v2alpha1") {
      throw Error(Kind::usage, "The property tpu/api_version must be v2 or v2alpha1, not [" + *version + "].");
    }
    return *version;
  }
  return args.spelling == cli::Spelling::ga ? "v2" : "v2alpha1";
}

std::string Context::endpoint(const std::string& service) const {
  return commands::endpoint(frame.config, service);
}

api::Transport& Context::transport() {
  if (!wire_) wire_ = std::make_unique<Wire>(frame, patience_);
  return wire_->transport();
}

api::TokenSource& Context::tokens(const Signer& signer) {
  if (!wire_) wire_ = std::make_unique<Wire>(frame, patience_, signer);
  return wire_->tokens();
}

api::Client Context::tpu(const std::string& version) { return {transport(), frame.clock, endpoint("tpu"), version}; }

api::Client& Context::tpu() {
  if (!tpu_) tpu_.emplace(tpu(api_version()));
  return *tpu_;
}

api::Client Context::service(const std::string& service, const std::string& version) {
  return {transport(), frame.clock, endpoint(service), version};
}

namespace {
// An empty variable in a script must not turn into the project or zone of the configuration.
void refuse_empty(const cli::Args& args, std::string_view flag) {
  if (!args.has(flag) || !args.text(flag).empty()) return;
  throw Error(Kind::usage, "argument --" + std::string(flag) + ": the value is empty.", "Is a variable not set? Leave the flag away, or give it a value.");
}
}  // namespace

std::string Context::project(const std::string& what) const {
  refuse_empty(args, "project");
  if (auto value = frame.config.get("core/project")) return *value;
  if (auto value = frame.env.get_nonempty("GOOGLE_CLOUD_PROJECT")) return *value;
  throw Error(Kind::failure, "The [" + what + "] resource is not properly specified: no project is set.",
              "Set it with --project=PROJECT or CLOUDSDK_CORE_PROJECT, or for all commands: tpuctl config set project PROJECT");
}

std::string Context::zone(const std::string& what) const {
  if (args.row("all-zones") && args.on("all-zones")) return "-";
  refuse_empty(args, "zone");
  if (args.row("zone") && args.has("zone")) return args.text("zone");
  if (auto value = frame.config.get("compute/zone")) return *value;
  throw Error(Kind::failure, "The [" + what + "] resource is not properly specified: no zone is set.",
              "Set it with --zone=ZONE or CLOUDSDK_COMPUTE_ZONE, or for all commands: tpuctl config set compute/zone ZONE");
}

api::Name Context::name(const std::string& text, const std::string& collection, const std::string& what) const {
  if (text.find('/') == std::string::npos) {
    if (text.empty()) throw Error(Kind::usage, "The name of the " + what + " is empty.");
    return {project(what), zone(what), collection, text};
  }
  auto full = api::parse_name(text);
  if (!full || full->collection != collection) {
    throw Error(Kind::usage, "[" + text + "] is not the name of a " + what + ".",
                "Use a bare name, or projects/PROJECT/locations/ZONE/" + collection + "/NAME.");
  }
  return *full;
}

const auth::Identity& Context::identity() {
  transport();
  return wire_->identity();
}

std::string Context::credential_sentence() { return identity().sentence + "."; }

cli::output::Options Context::output() const {
  cli::output::Options options;
  auto text = [this](std::string_view flag) { return args.row(flag) ? args.text(flag) : std::string(); };
  options.format = frame.config.get_or("core/format", "");  // the flag --format among its sources
  options.filter = text("filter");
  options.sort_by = text("sort-by");
  options.flatten = text("flatten");
  options.uri = args.row("uri") && args.on("uri");
  if (args.row("limit")) options.limit = args.integer("limit").value_or(0);
  options.default_name = frame.config.get_or("core/default_format", "");
  options.screen_reader = frame.config.on("accessibility/screen_reader");
  options.flags = args.typed_flags();
  return options;
}

void Context::print(Json value, const std::string& default_format) const {
  const std::string plain = default_format == "yaml" ? frame.config.get_or("core/default_format", "yaml") : default_format;
  cli::output::Pipeline pipeline(frame.io, output(), plain, true);
  pipeline.push(std::move(value));
  pipeline.finish();
}

void Context::say(const std::string& line) const { frame.io.say(text::printable(line) + "\n"); }

void Context::warn(const std::string& line) const { cli::tell(frame.io, frame.config, cli::Verbosity::warning, line); }

bool Context::warn_unreachable(const std::vector<std::string>& places) const {
  std::vector<std::string> zones;
  for (const auto& place : places) {
    std::string zone = api::short_id(place);
    if (std::find(zones.begin(), zones.end(), zone) == zones.end()) zones.push_back(std::move(zone));
  }
  if (!zones.empty()) warn("The list is not whole. These locations could not be reached: " + text::join(zones, ", ") + ".");
  return !zones.empty();
}

void Context::print_call(const api::Client& client, const api::Call& call) const {
  std::string out = call.method + " " + client.url(call) + "\n";
  if (!call.body.is_null()) out += call.body.pretty() + "\n";
  frame.io.out(out);
}

int with_credential_words(Context& context, const std::function<int()>& body) {
  try {
    return body();
  } catch (Error& error) {
    if (error.http != 401 && error.http != 403 && error.http != 404) throw;
    std::string words = error.what();
    if (!words.ends_with('.')) words += '.';
    // What the service's answer tells (a clock that is wrong) goes before what the credential would suggest.
    const bool suggests = error.http == 401 && error.hint.starts_with("Sign in again") && !context.identity().remedy.empty();
    if (suggests) error.hint = context.identity().remedy;
    throw error.saying(words + " " + context.credential_sentence());
  }
}

}  // namespace tpuctl::commands
