// SPDX-License-Identifier: Apache-2.0
#include "cli/run.hpp"

#include <fmt/format.h>
#include <embedded/version.hpp>

#include <algorithm>

#include "base/file.hpp"
#include "base/secrets.hpp"
#include "base/text.hpp"
#include "cli/frame.hpp"
#include "cli/globals.hpp"
#include "cli/help.hpp"
#include "cli/output/yaml.hpp"
#include "cli/parse.hpp"

namespace tpuctl::cli {

namespace {

struct KindRow {
  tpuctl::Kind kind;
  int code;
  bool own;  ///< tpuctl's own failure: 125 where the codes are the remote program's
  std::string_view name;
};
constexpr KindRow kKinds[] = {
    {tpuctl::Kind::failure, 1, true, "FAILURE"},
    {tpuctl::Kind::usage, 2, false, "USAGE"},
    {tpuctl::Kind::not_found, 3, true, "NOT_FOUND"},
    {tpuctl::Kind::denied, 4, true, "DENIED"},
    {tpuctl::Kind::conflict, 5, true, "CONFLICT"},
    {tpuctl::Kind::wait, 6, false, "WAIT"},
    {tpuctl::Kind::unavailable, 7, true, "UNAVAILABLE"},
    {tpuctl::Kind::capacity, 8, true, "CAPACITY"},
    {tpuctl::Kind::quota, 9, true, "QUOTA"},
    {tpuctl::Kind::preempted, 75, false, "PREEMPTED"},
    {tpuctl::Kind::stopped, 143, false, "STOPPED"},
    {tpuctl::Kind::no_connection, 255, false, "NO_CONNECTION"},
    {tpuctl::Kind::interrupted, 130, false, "INTERRUPTED"},
    {tpuctl::Kind::terminated, 143, false, "TERMINATED"},
};
constexpr int kOwnFailure = 125;

const KindRow& row_of(tpuctl::Kind kind) {
  return *std::find_if(std::begin(kKinds), std::end(kKinds), [&](const KindRow& row) { return row.kind == kind; });
}

// Before parsing succeeded the words themselves must tell how errors are wanted.
bool wants_json(const Parsed& parsed, const std::vector<std::string>& argv, const Environment& env) {
  if (env.get("TPUCTL_ERROR_FORMAT") == "json") return true;
  if (parsed.args.has("format")) return parsed.args.text("format").starts_with("json");
  bool json = false;
  for (std::size_t i = 1; i < argv.size() && argv[i] != "--"; ++i) {
    if (argv[i].starts_with("--format=")) json = argv[i].starts_with("--format=json");
    if (argv[i] == "--format" && i + 1 < argv.size()) json = argv[i + 1].starts_with("json");
  }
  return json;
}

bool silent(const Parsed& parsed) {
  const std::string verbosity = parsed.args.text("verbosity");
  return verbosity == "none" || verbosity == "critical";
}

std::string indented_hint(const std::string& hint) { return hint.empty() ? "" : text::printable(hint) + "\n"; }

int answer(const Parsed& parsed, const Command& root, Streams& io) {
  if (parsed.want == Want::version) {
    io.out(fmt::format("tpuctl {}\n", kVersion));
  } else {
    const bool brief = parsed.want == Want::short_help;
    io.out(help_text(root, *parsed.at, parsed.args, kGlobalFlags, {io.width, io.out_colour, brief}));
  }
  io.flush();
  return 0;
}

int call(const Command& root, Parsed& parsed, Streams& io, const Environment& env, Clock& clock) {
  Config config(env);
  config.apply(parsed.args);
  if (parsed.args.has("color")) io.choose_colour(env, parsed.args.text("color"));
  if (!parsed.args.command->hidden && !parsed.args.command->bare) {  // completion must work with a broken configuration file
    const bool alpha = uses_alpha(parsed.args, config);
    check_track(parsed.args, alpha, config.get("tpu/api_version") ? "The property tpu/api_version is set to v2." : "");
    if (!parsed.args.has("color") && config.on("core/disable_color")) io.choose_colour(env, "never");
    if (!config.on("core/user_output_enabled")) {  // the flag is among its sources
      io.out_closed = true;
      io.talks = false;
    }
  }
  Frame frame{io, env, clock, root, config};
  const int code = parsed.args.command->run(frame, parsed.args);
  io.flush();
  return code;
}

int report(const Error& error, const Parsed& parsed, const std::vector<std::string>& argv, Streams& io,
           const Environment& env) {
  const bool remote = parsed.args.command && parsed.args.command->remote_codes;
  const int code = exit_code(error.kind, remote);
  try {
    io.flush();
  } catch (const Error&) {  // stdout is broken; what is told here is told anyway
  }
  if (silent(parsed)) return code;
  if (wants_json(parsed, argv, env)) {
    io.err(secrets::redact(error_json(error, code)));
  } else if (error.kind == tpuctl::Kind::interrupted || error.kind == tpuctl::Kind::terminated) {
    io.err(fmt::format("{}{}\n{}", io.err_tty ? "\n" : "", text::printable(error.what()), indented_hint(error.hint)));
  } else {
    io.err(secrets::redact(error_text(error, parsed.args.dotted(), io.err_colour)));
  }
  return code;
}

}  // namespace

bool uses_alpha(const Args& args, const Config& config) {
  if (const auto version = config.get("tpu/api_version")) return *version != "v2";
  return args.spelling != Spelling::ga;
}

int exit_code(tpuctl::Kind kind, bool remote) {
  const KindRow& row = row_of(kind);
  return remote && row.own ? kOwnFailure : row.code;
}

std::string warning_text(std::string_view message, bool colour) {
  return fmt::format("{}WARNING:{} {}\n", colour ? "\x1b[1;33m" : "", colour ? "\x1b[0m" : "",
                     text::printable(message));
}

std::string error_text(const Error& error, const std::string& dotted, bool colour) {
  std::string out = fmt::format("{}ERROR:{} ({}) ", colour ? "\x1b[1;31m" : "", colour ? "\x1b[0m" : "", dotted);
  if (!error.status.empty()) out += text::printable(error.status) + ": ";
  out += text::printable(error.what()) + "\n";
  if (error.details.size() != 0) out += output::yaml(error.details);
  return out + indented_hint(error.hint);
}

std::string error_json(const Error& error, int code) {
  Json inner{
      {"code", Json(code)}, {"kind", Json(row_of(error.kind).name)}, {"message", Json(std::string(error.what()))}};
  inner.member("status") = Json(error.status.empty() ? std::string(row_of(error.kind).name) : error.status);
  inner.member("hint") = Json(error.hint);
  inner.member("details") = error.details.is_null() ? Json::array() : error.details;
  if (error.http != 0) inner.member("http") = Json(error.http);
  std::string out = Json{{"error", std::move(inner)}}.dump();
  // What JSON itself does not escape and a terminal obeys: DEL and U+0080 to U+009F.
  out = text::replace_all(std::move(out), "\x7f", "\\u007f");
  for (int c = 0x80; c < 0xA0; ++c) {
    out = text::replace_all(std::move(out), std::string("\xC2") + static_cast<char>(c), fmt::format("\\u00{:02x}", c));
  }
  return out + "\n";
}

int run(const Command& root, std::vector<std::string> argv, Streams& io, const Environment& env, Clock& clock, Rewrite rewrite) {
  Parsed parsed;
  parsed.at = &root;
  try {
    if (rewrite) argv = rewrite(std::move(argv), clock.now());
    const std::string program = argv.empty() ? "tpuctl" : file::base_name(argv[0]);
    const std::vector<std::string> words(argv.begin() + (argv.empty() ? 0 : 1), argv.end());
    parse(root, kGlobalFlags, program, words, parsed);
    if (parsed.want != Want::command) return answer(parsed, root, io);
    return call(root, parsed, io, env, clock);
  } catch (const Error& error) {
    return report(error, parsed, argv, io, env);
  } catch (const std::exception& error) {
    Error bug(tpuctl::Kind::failure, fmt::format("This is a bug in tpuctl: {}", error.what()),
              "Please report it with the command line and the output of --log-http.");
    return report(bug, parsed, argv, io, env);
  }
}

}  // namespace tpuctl::cli
