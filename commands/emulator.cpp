// SPDX-License-Identifier: Apache-2.0
// emulator: a Cloud TPU on this machine.
#include "emulator/faults.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include "api/curl.hpp"
#include "api/errors.hpp"
#include "base/error.hpp"
#include "base/file.hpp"
#include "base/process.hpp"
#include "base/text.hpp"
#include "cli/progress.hpp"
#include "commands/context.hpp"
#include "commands/groups.hpp"
#include "commands/node_flags.hpp"
#include "emulator/service.hpp"
#include "emulator/worker_process.hpp"

namespace tpuctl::commands {

namespace {

using cli::Args;
using cli::Command;
using cli::Example;
using cli::Frame;
using cli::Positional;

constexpr Flag kDir = {.name = "dir",
                       .help = "Folder of the emulator: its state, its workers, its configuration. Default: "
                               "$TPUCTL_EMULATOR_DIR, else ~/.local/state/tpuctl/emulator.",
                       .source = Source::directory};

std::string directory(const Frame& frame, const Args& args) {
  if (args.has("dir")) return file::absolute(args.text("dir"));
  if (auto dir = frame.env.get_nonempty("TPUCTL_EMULATOR_DIR")) return file::absolute(*dir);
  if (auto state = frame.env.get_nonempty("XDG_STATE_HOME")) return *state + "/tpuctl/emulator";
  return frame.env.home() + "/.local/state/tpuctl/emulator";
}

Json running(const std::string& dir) {
  if (auto found = emulator::find_running(dir)) return *found;
  throw Error(tpuctl::Kind::not_found, "No emulator runs in [" + dir + "].", "Start it: tpuctl emulator start");
}

// "http://127.0.0.1:PORT/"
std::string endpoint(const Json& info) { return info["url"].text(); }

// The variables that point a shell, and everything started from it, at the emulator.
std::vector<std::pair<std::string, std::string>> variables(const std::string& dir, const Json& info) {
  const std::string url = endpoint(info);
  return {
      {"TPUCTL_EMULATOR_DIR", dir},
      {"CLOUDSDK_CONFIG", dir + "/gcloud"},
      {"CLOUDSDK_AUTH_ACCESS_TOKEN_FILE", dir + "/gcloud/emulator-token"},
      {"CLOUDSDK_API_ENDPOINT_OVERRIDES_TPU", url},
      {"CLOUDSDK_API_ENDPOINT_OVERRIDES_COMPUTE", url + "compute/v1/"},
      {"CLOUDSDK_API_ENDPOINT_OVERRIDES_CLOUDRESOURCEMANAGER", url},
      {"CLOUDSDK_API_ENDPOINT_OVERRIDES_OSLOGIN", url},
      {"CLOUDSDK_API_ENDPOINT_OVERRIDES_STORAGE", url + "storage/v1/"},
      {"CLOUDSDK_SSH_PORT", info["ssh_port"].scalar()},
      {"CLOUDSDK_SSH_KEY_FILE", dir + "/ssh/key"},
      {"CLOUDSDK_SSH_KNOWN_HOSTS_FILE", dir + "/ssh/known_hosts"},
  };
}

// A configuration of its own, so that the user's stays untouched and the first command needs no flags.
void write_configuration(const std::string& dir) {
  const std::string path = dir + "/gcloud/configurations/config_default";
  file::make_dirs(dir + "/ssh");
  if (!file::exists(dir + "/gcloud/emulator-token")) file::write_atomic(dir + "/gcloud/emulator-token", "ya29.of-the-emulator\n");
  if (file::exists(path)) return;
  file::write_atomic(path, "[core]\nproject = emulator\n\n[compute]\nzone = us-central2-b\n\n", 0644);
  file::write_atomic(dir + "/gcloud/active_config", "default", 0644);
}

emulator::ServeOptions serve_options(Frame& frame, const Args& args) {
  emulator::ServeOptions options;
  options.dir = directory(frame, args);
  options.port = static_cast<int>(args.integer("port").value_or(0));
  options.ssh_port = static_cast<int>(args.integer("ssh-port").value_or(0));
  for (const auto& [flag, port] : {std::pair{"port", options.port}, std::pair{"ssh-port", options.ssh_port}}) {
    if (port >= 0 && port <= 65535) continue;
    throw Error(tpuctl::Kind::usage, fmt::format("Invalid value for [--{}]: [{}].", flag, port), "Use a port from 1 to 65535, or 0.");
  }
  const std::string speed = args.text("speed");
  char* end = nullptr;
  options.speed = std::strtod(speed.c_str(), &end);
  if (*end != '\0' || !(options.speed > 0 && options.speed <= 100000)) {
    throw Error(tpuctl::Kind::usage, "Invalid value for [--speed]: [" + speed + "].", "Use a number above 0, e.g. 60.");
  }
  options.faults = args.list("fault");
  for (const std::string& fault : options.faults) emulator::Faults::parse(fault);
  options.buckets = args.list("bucket");
  options.program = process::self();
  return options;
}

int run_serve(Frame& frame, const Args& args) { return emulator::serve(serve_options(frame, args)); }

int run_worker(Frame&, const Args& args) { return emulator::worker_main(args.text("config")); }

int run_start(Frame& frame, const Args& args) {
  const emulator::ServeOptions options = serve_options(frame, args);
  if (auto found = emulator::find_running(options.dir)) {
    throw Error(tpuctl::Kind::conflict, "An emulator runs in [" + options.dir + "] already, at " + endpoint(*found) + ".",
                fmt::format("Use it: eval \"$(tpuctl emulator env{0})\", or stop it: tpuctl emulator stop{0}",
                            args.has("dir") ? " --dir=" + text::shell_quote(options.dir) : ""));
  }
  file::make_dirs(options.dir);
  write_configuration(options.dir);
  process::Spec spec;
  spec.argv = {options.program, "emulator", "serve", "--dir=" + options.dir, "--port=" + std::to_string(options.port),
               "--ssh-port=" + std::to_string(options.ssh_port), "--speed=" + args.text("speed")};
  for (const std::string& fault : options.faults) spec.argv.push_back("--fault=" + fault);
  for (const std::string& bucket : options.buckets) spec.argv.push_back("--bucket=" + bucket);
  spec.out = process::Stream::null;
  const std::string errors = options.dir + "/emulator.err";
  spec.err_fd = open(errors.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (spec.err_fd < 0) throw Error(tpuctl::Kind::failure, "The folder [" + options.dir + "] is not writable.", "Choose another: --dir=DIR");
  spec.own_session = true;
  process::Child child(spec);
  close(spec.err_fd);
  for (;;) {
    if (auto found = emulator::find_running(options.dir)) {
      child.release();
      frame.io.say(fmt::format("The emulator runs at {} (folder {}).\n"
                               "Commands on its workers run on this machine, as you.\n"
                               "Point this shell at it:  eval \"$(tpuctl emulator env{})\"\n",
                               endpoint(*found), options.dir, args.has("dir") ? " --dir=" + text::shell_quote(options.dir) : ""));
      return 0;
    }
    if (child.poll_exit()) {
      std::string words = file::read_if_exists(errors).value_or("");
      if (words.starts_with("ERROR: ")) words.erase(0, words.find(") ") == std::string::npos ? 7 : words.find(") ") + 2);
      throw Error(tpuctl::Kind::failure, words.empty() ? "The emulator ended at once." : std::string(text::trim(words)));
    }
    frame.clock.sleep(seconds(0.05));
  }
}

int run_stop(Frame& frame, const Args& args) {
  const std::string dir = directory(frame, args);
  const Json info = running(dir);
  const auto pid = static_cast<pid_t>(info["pid"].integer());
  kill(pid, SIGTERM);
  cli::Progress progress(frame.io, frame.clock, "Stopping the emulator");
  // Its port is free only when the process has gone; where nobody reaps, a dead one stays for ever.
  for (int i = 0; emulator::find_running(dir) || (i < 50 && kill(pid, 0) == 0); ++i) {
    if (i == 600) {
      progress.failed();
      throw Error(tpuctl::Kind::wait, "The emulator (pid " + std::to_string(pid) + ") has not stopped in 60 s.", "End it with: kill -9 " + std::to_string(pid));
    }
    frame.clock.sleep(seconds(0.1));
  }
  progress.done();
  return 0;
}

int run_status(Frame& frame, const Args& args) {
  Context context(frame, args);
  const std::string dir = directory(frame, args);
  Json info = running(dir);
  info.member("dir") = dir;
  context.print(std::move(info), "yaml");
  return 0;
}

int run_env(Frame& frame, const Args& args) {
  const std::string dir = directory(frame, args);
  const bool fish = args.text("shell") == "fish";
  const bool unset = args.on("unset");
  for (const auto& [name, value] : variables(dir, unset ? Json() : running(dir))) {
    if (unset) {
      frame.io.out((fish ? "set -e " : "unset ") + name + "\n");
    } else {
      frame.io.out((fish ? "set -gx " + name + " " : "export " + name + "=") + text::shell_quote(value) + "\n");
    }
  }
  return 0;
}

int run_fault(Frame& frame, const Args& args) {
  const Json info = running(directory(frame, args));
  api::CurlOptions direct;
  direct.proxy = "none";
  api::CurlTransport wire(direct);
  for (const std::string& spec : args.positionals("FAULT")) {
    emulator::Faults::parse(spec);
    api::Request request;
    request.method = "POST";
    request.url = endpoint(info) + "emulator/v1/faults";
    request.headers = {{"Content-Type", "application/json"}};
    request.body = Json{{"spec", spec}}.dump();
    const api::Response response = wire.send(request);
    if (response.status != 200) throw api::to_error(response, request.url);
    frame.io.say("Set fault [" + spec + "].\n");
  }
  return 0;
}

constexpr Flag kServeFlags[] = {
    kDir,
    {.name = "port", .help = "Port of the control plane on 127.0.0.1; 0 takes a free one.", .kind = Kind::integer, .fallback = "0"},
    {.name = "ssh-port", .help = "Port of the workers' ssh; 0 takes a free one.", .kind = Kind::integer, .fallback = "0"},
    {.name = "speed", .help = "How many times faster than the cloud its waits go by; processes on workers run in real time.",
     .fallback = "1"},
    {.name = "fault", .help = "Trouble to begin with, e.g. stockout or http:503:2. See `tpuctl emulator fault --help`.",
     .kind = Kind::repeated},
    {.name = "bucket", .help = "Cloud Storage bucket that is there from the beginning.", .kind = Kind::repeated},
};
constexpr Flag kDirFlags[] = {kDir};
constexpr Flag kEnvFlags[] = {
    kDir,
    {.name = "shell", .help = "Which shell reads it.", .kind = Kind::choice, .choices = "sh,fish", .fallback = "sh"},
    {.name = "unset", .help = "Take the variables back.", .kind = Kind::toggle}};
constexpr Flag kWorkerFlags[] = {{.name = "config", .help = "The worker's file.", .required = true, .hidden = true}};
constexpr Positional kFaults[] = {{.name = "FAULT", .help = "What shall go wrong: one of those above.", .many = true}};
constexpr Example kStartExamples[] = {
    {"A first try without a cloud, sixty times faster than real:",
     "tpuctl emulator start --speed=60; eval \"$(tpuctl emulator env)\""}};

constexpr Example kFaultExamples[] = {
    {"Reclaim a spot slice, and let nobody have machines for ten minutes:", "tpuctl emulator fault preempt:slice-0 shortage:10m"},
    {"A bucket that refuses, and one that is slow:",
     "tpuctl emulator fault 'http:403@*:/b/my-bucket/' 'slow:3s@*:/b/other/'"}};

constexpr Command kVerbs[] = {
    {.name = "env", .help = "Print the variables that point a shell at the emulator", .flags = kEnvFlags, .run = run_env},
    {.name = "fault", .help = "Make trouble on demand", .about = emulator::kFaultHelp, .examples = kFaultExamples, .positionals = kFaults, .flags = kDirFlags, .run = run_fault},
    {.name = "serve", .help = "Run the emulator in the foreground", .flags = kServeFlags, .run = run_serve, .hidden = true},
    {.name = "start", .help = "Start the emulator in the background", .examples = kStartExamples, .flags = kServeFlags,
     .run = run_start},
    {.name = "status", .help = "Show where the emulator runs", .flags = kDirFlags, .run = run_status},
    {.name = "stop", .help = "Stop the emulator and everything on its workers", .flags = kDirFlags, .run = run_stop},
    {.name = "worker", .help = "Run one worker", .flags = kWorkerFlags, .run = run_worker, .hidden = true},
};

}  // namespace

constexpr Command kEmulator = {.name = "emulator",
                               .help = "Run a Cloud TPU on this machine",
                               .about = "A Cloud TPU on your machine: the API, metadata, storage, and workers that are real "
                                        "processes with ssh. Try everything, and rehearse maintenance, with no project, no bill "
                                        "and no network.",
                               .commands = kVerbs};

}  // namespace tpuctl::commands
