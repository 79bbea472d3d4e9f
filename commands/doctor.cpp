// SPDX-License-Identifier: Apache-2.0
// doctor: everything between a command and the Cloud TPU API, looked at one after the other.
#include <sys/stat.h>

#include <algorithm>

#include "api/errors.hpp"
#include "auth/accounts.hpp"
#include "base/error.hpp"
#include "base/file.hpp"
#include "base/process.hpp"
#include "base/secrets.hpp"
#include "base/text.hpp"
#include "cli/run.hpp"
#include "commands/context.hpp"
#include "commands/endpoints.hpp"
#include "commands/groups.hpp"
#include "commands/network.hpp"
#include "commands/wire.hpp"
#include "embedded/version.hpp"

namespace tpuctl::commands {

namespace {

using cli::Args;
using cli::Command;
using cli::Example;
using cli::Frame;

constexpr Duration kPatience = std::chrono::seconds(10);

enum class Verdict { ok, warn, fail };
constexpr const char* kVerdicts[] = {"ok", "warn", "FAIL"};

struct Finding {
  std::string check;
  Verdict verdict = Verdict::ok;
  std::string detail;
  std::string hint;
  int code = 0;  ///< exit code of a failure
};

class Doctor {
 public:
  Doctor(Frame& frame, const Args& args) : frame_(frame), context_(frame, args, kPatience) {}

  std::vector<Finding> examine() {
    fine("tpuctl", "version " + std::string(kVersion));
    const bool readable = look("configuration", [&] { configuration(); });
    if (!readable) return std::move(findings_);  // everything else hangs on it
    look("project", [&] { project(); });
    look("zone", [&] { zone(); });
    look("endpoint", [&] { endpoint(); });
    bool network = look("proxy", [&] { proxy(); });
    network = look("certificates", [&] { certificates(); }) && network;
    network = look("client certificate", [&] { client_certificate(); }) && network;
    const bool known = network && look("credential", [&] { credential(); });
    const bool signs = known && look("token", [&] { token(); });
    if (signs) look("API", [&] { api(); });
    look("ssh", [&] { ssh(); });
    look("gcloud", [&] { gcloud(); });
    return std::move(findings_);
  }

 private:
  void add(Finding finding) {
    finding.detail = secrets::redact(finding.detail);
    finding.hint = secrets::redact(finding.hint);
    findings_.push_back(std::move(finding));
  }
  void fine(const std::string& check, const std::string& detail) { add({check, Verdict::ok, detail, "", 0}); }
  void warn(const std::string& check, const std::string& detail, const std::string& hint) { add({check, Verdict::warn, detail, hint, 0}); }

  /// False when the look ended in an Error, which is a finding then. Signals pass.
  template <class Look>
  bool look(const std::string& check, Look&& body) {
    try {
      body();
      return true;
    } catch (const Error& error) {
      if (error.kind == Kind::interrupted || error.kind == Kind::terminated) throw;
      const std::string words = (error.status.empty() ? "" : error.status + ": ") + error.what();
      add({check, Verdict::fail, words, error.hint, cli::exit_code(error.kind, false)});
      return false;
    }
  }

  // The property's value and who sets it; empty when it is not set.
  std::string told(const std::string& property) const {
    const auto setting = frame_.config.lookup(property);
    if (!setting.value || setting.value->empty()) return {};
    return *setting.value + (setting.where.empty() ? "" : " (" + setting.where + ")");
  }

  void configuration() {
    const std::string& name = frame_.config.active_name();
    frame_.config.lookup("core/project");  // reads the file
    const std::string path = name == "NONE" ? "" : frame_.config.active_path();
    if (!path.empty() && !file::exists(path) && name != "default") {
      throw Error(Kind::failure, "The active configuration [" + name + "] does not exist.", "Choose one: tpuctl config configurations list, ... activate NAME");
    }
    fine("configuration", name + (path.empty() ? "" : " (" + path + (file::exists(path) ? ")" : ", not written yet)")));
  }

  void project() {
    const std::string set = told("core/project");
    if (!set.empty()) return fine("project", set);
    fine("project", context_.project() + " (GOOGLE_CLOUD_PROJECT)");
  }

  void zone() {
    const std::string set = told("compute/zone");
    if (set.empty()) return warn("zone", "none is set", "Give --zone=ZONE each time, or: tpuctl config set compute/zone ZONE");
    fine("zone", set);
  }

  void endpoint() {
    const std::string set = told("api_endpoint_overrides/tpu");
    const std::string address = context_.endpoint("tpu");
    const std::string where = set.empty() ? "" : set.substr(set.find(' ') == std::string::npos ? set.size() : set.find(' '));
    fine("endpoint", address + where + (universe(frame_.config) == auth::kDefaultUniverse ? "" : ", universe " + universe(frame_.config)));
  }

  void proxy() {
    const Proxy through = commands::proxy(frame_.config, frame_.env);
    std::string except;
    for (const char* name : {"no_proxy", "NO_PROXY"}) {
      if (auto list = frame_.env.get_nonempty(name); list && through.url.empty() && except.empty()) except = ", except for " + *list;
    }
    fine("proxy", through.place.empty() ? "none" : through.place + " (" + through.origin + ")" + except);
  }

  void certificates() {
    const Authorities trusted = authorities(frame_.config, frame_.env);
    fine("certificates", trusted.file.empty() ? "of the system" : trusted.file + " (" + trusted.origin + ")");
  }

  void client_certificate() {
    const ClientCertificate shown = commands::client_certificate(frame_.config, frame_.env);
    if (!shown.certificate.empty()) fine("client certificate", shown.certificate + " (" + shown.origin + ")");
  }

  void credential() {
    const auth::Identity& who = context_.identity();
    std::string detail = who.sentence;
    constexpr std::string_view kOpening = "This command is ";
    if (detail.starts_with(kOpening)) detail.erase(0, kOpening.size());
    fine("credential", detail);
    if (!who.file.empty()) open_to_others(who.file, who.kind);
    const std::string payer = quota_project(frame_, who);
    fine("quota project", payer.empty() ? "none: the credential's own" : payer);
  }

  // A file with a secret that others on this machine can read.
  void open_to_others(const std::string& path, const std::string& kind) {
    struct stat status = {};
    const bool open = stat(path.c_str(), &status) == 0 && (status.st_mode & 077) != 0;
    if (!open || kind == "external_account") return fine("credential file", path);
    warn("credential file", path + " can be read by others", "chmod 600 " + text::shell_quote(path));
  }

  void token() {
    const TimePoint now = frame_.clock.now();
    const api::Token got = context_.tokens().token(now);
    secrets::remember(got.value);
    if (got.value.empty()) return warn("token", "none: requests are not signed", "tpuctl config unset auth/disable_credentials");
    fine("token", got.expires ? "good for " + human_duration(*got.expires - now) : "without an expiry that is known");
  }

  void api() {
    api::Request request;
    request.url = context_.endpoint("tpu") + context_.api_version() + "/projects/" + text::percent_encode(context_.project()) + "/locations?pageSize=1&alt=json";
    const TimePoint start = frame_.clock.now();
    const api::Response response = context_.transport().send(request);
    const auto took = std::chrono::duration_cast<std::chrono::milliseconds>(frame_.clock.now() - start).count();
    if (response.failure || response.status != 200) throw api::to_error(response, request.url);
    api::parse_answer(response, request.url);
    const std::string skew = api::clock_hint(response, frame_.clock.now(), request.url);
    if (!skew.empty()) return warn("API", "answers in " + std::to_string(took) + " ms", skew);
    fine("API", "answers in " + std::to_string(took) + " ms");
  }

  void ssh() {
    const std::string path = frame_.env.get("PATH").value_or("");
    for (const char* name : {"ssh", "ssh-keygen", "scp"}) {
      if (process::find_program(name, path).empty()) {
        return warn("ssh", std::string(name) + " is not on PATH", "Install the OpenSSH client; without it tpuctl ssh, scp and jobs cannot reach a worker.");
      }
    }
    process::Spec spec;
    spec.argv = {process::find_program("ssh", path), "-V"};
    const auto answer = process::run(spec);
    const std::string version(text::trim(answer.err.empty() ? answer.out : answer.err));
    const std::string key = frame_.config.get_or("ssh/key_file", file::join(frame_.env.home(), ".ssh/google_compute_engine"));
    fine("ssh", version.substr(0, version.find(',')) + ", key " + key + (file::exists(key) ? "" : " (made at the first use)"));
  }

  void gcloud() {
    const std::string found = auth::find_gcloud(frame_.env);
    fine("gcloud", found.empty() ? "not here, and not needed" : found);
  }

  Frame& frame_;
  Context context_;
  std::vector<Finding> findings_;
};

std::string screen(const std::vector<Finding>& findings, bool colour) {
  constexpr const char* kColours[] = {"\x1b[32m", "\x1b[33m", "\x1b[31m"};
  std::size_t width = 0;
  for (const Finding& one : findings) width = std::max(width, one.check.size());
  std::string out;
  for (const Finding& one : findings) {
    const auto at = static_cast<std::size_t>(one.verdict);
    const std::string word = kVerdicts[at];
    out += (colour ? kColours[at] : "") + word + (colour ? "\x1b[0m" : "") + std::string(6 - word.size(), ' ');
    out += one.check + std::string(width + 2 - one.check.size(), ' ') + text::printable(one.detail) + "\n";
    for (const std::string& line : text::split(one.hint, '\n')) out += std::string(6 + width + 2, ' ') + text::printable(line) + "\n";
  }
  return out;
}

int run_doctor(Frame& frame, const Args& args) {
  const std::vector<Finding> findings = Doctor(frame, args).examine();
  int code = 0;
  for (const Finding& one : findings) {
    if (code == 0) code = one.code;
  }
  if (args.has("format")) {
    cli::output::Pipeline pipeline(frame.io, Context(frame, args).output(), "json");
    for (const Finding& one : findings) {
      pipeline.push(Json{{"check", one.check}, {"status", text::lower(kVerdicts[static_cast<std::size_t>(one.verdict)])}, {"detail", one.detail}, {"hint", one.hint}});
    }
    pipeline.finish();
  } else {
    frame.io.out(screen(findings, frame.io.out_colour));
  }
  return code;
}

constexpr Example kExamples[] = {{"What a script wants to know:", "tpuctl doctor --format='value(check, status)'"}};

}  // namespace

constexpr Command kDoctor = {
    .name = "doctor", .help = "Check the configuration, the credential, the network and the API", .about =
    "Tells which credential would be used and from which file, for which project, through which proxy, and whether the Cloud TPU API answers. "
    "Each line is ok, warn or FAIL, with what to do. It changes nothing and prints no secret. The exit code is 0 without a FAIL, else the one "
    "that a command would end with for the first of them.",
    .examples = kExamples, .run = run_doctor, .bare = true};

}  // namespace tpuctl::commands
