// SPDX-License-Identifier: Apache-2.0
#include "commands/iap.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <netdb.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <vector>

#include "api/iap.hpp"
#include "auth/urls.hpp"
#include "base/error.hpp"
#include "base/process.hpp"
#include "base/signal.hpp"
#include "base/text.hpp"
#include "commands/groups.hpp"
#include "commands/network.hpp"
#include "commands/node_flags.hpp"

namespace tpuctl::commands {

namespace {

using cli::Args;
using cli::Command;
using cli::Frame;
using cli::Positional;

// Flags that decide who asks whom; they go along to the program that ssh starts. All else reaches it through the
// environment and the configuration.
constexpr std::string_view kPassedOn[] = {"account", "configuration", "access-token-file", "impersonate-service-account",
                                          "billing-project", "iap-tunnel-url-override"};

std::vector<std::string> passed_on(const Args& args) {
  std::vector<std::string> out;
  for (const std::string_view name : kPassedOn) {
    if (args.row(name) && args.has(name)) out.push_back("--" + std::string(name) + "=" + args.text(name));
  }
  return out;
}

api::IapTarget target_of(const Context& context) {
  const Args& args = context.args;
  api::IapTarget target;
  target.project = context.project();
  const std::string port = args.positional("INSTANCE_PORT");
  target.port = static_cast<int>(text::parse_int(port).value_or(0));
  if (target.port < 1 || target.port > 65535) throw Error(tpuctl::Kind::usage, "[" + port + "] is no port.", "Use a number from 1 to 65535.");
  if (args.has("network")) {
    target.host = args.positional("INSTANCE_NAME");
    target.region = args.text("region");
    target.network = args.text("network");
    target.group = args.text("dest-group");
  } else {
    target.instance = args.positional("INSTANCE_NAME");
    target.zone = context.zone("instance");
  }
  return target;
}

api::IapOptions options_of(const Context& context) {
  const cli::Config& config = context.frame.config;
  api::IapOptions options;
  options.relay = context.args.has("iap-tunnel-url-override") ? context.args.text("iap-tunnel-url-override") : config.get_or("ssh/iap_relay", "");
  const bool safe = options.relay.starts_with("wss://") || options.relay.starts_with("https://");
  if (!options.relay.empty() && !safe && !auth::is_loopback_url(options.relay)) {
    throw Error(tpuctl::Kind::denied, "An access token is not sent over plain http to the relay [" + options.relay + "].", "Use wss://.");
  }
  options.wire = curl_options(config, context.frame.env, {});
  options.headers.emplace_back("User-Agent", options.wire.user_agent);
  if (auto reason = config.get("core/request_reason")) options.headers.emplace_back("X-Goog-Request-Reason", *reason);
  return options;
}

// A socket that listens at "HOST:PORT", "HOST" or ":PORT"; its port in `port`.
int listen_at(const std::string& where, std::string& port) {
  const auto colon = where.rfind(':');
  const bool has_port = colon != std::string::npos && where.find(']', colon) == std::string::npos;
  std::string host = where.substr(0, has_port ? colon : std::string::npos);
  port = has_port ? where.substr(colon + 1) : "0";
  if (host.starts_with('[') && host.ends_with(']')) host = host.substr(1, host.size() - 2);
  addrinfo hints = {}, *found = nullptr;
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_PASSIVE;
  const int problem = getaddrinfo(host.empty() ? "localhost" : host.c_str(), port.empty() ? "0" : port.c_str(), &hints, &found);
  if (problem != 0) throw Error(tpuctl::Kind::usage, "Invalid value for [--local-host-port]: [" + where + "]: " + gai_strerror(problem) + ".");
  int reason = EADDRNOTAVAIL, listener = -1;
  for (const addrinfo* at = found; at && listener < 0; at = at->ai_next) {
    const int fd = socket(at->ai_family, at->ai_socktype, at->ai_protocol);
    const int on = 1;
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (fd >= 0 && bind(fd, at->ai_addr, at->ai_addrlen) == 0 && listen(fd, 64) == 0) {
      listener = fd;
    } else {
      reason = errno;
      if (fd >= 0) close(fd);
    }
  }
  freeaddrinfo(found);
  if (listener < 0) throw Error(tpuctl::Kind::failure, "Cannot listen at [" + where + "]: " + std::strerror(reason) + ".");
  sockaddr_storage name = {};
  socklen_t size = sizeof name;
  char number[NI_MAXSERV] = {};
  getsockname(listener, reinterpret_cast<sockaddr*>(&name), &size);
  getnameinfo(reinterpret_cast<sockaddr*>(&name), size, nullptr, 0, number, sizeof number, NI_NUMERICSERV);
  port = number;
  fcntl(listener, F_SETFD, FD_CLOEXEC);
  return listener;
}

// Each connection gets a process of its own, so that one that hangs holds up none of the others.
int serve(Context& context, const api::IapTarget& target) {
  std::string port;
  const int listener = listen_at(context.args.text("local-host-port"), port);
  context.frame.io.out("Listening on port [" + port + "].\n");
  context.frame.io.flush();
  process::Spec spec;
  spec.argv = {process::self(), "compute", "start-iap-tunnel", context.args.positional("INSTANCE_NAME"), std::to_string(target.port),
               "--listen-on-stdin", "--project=" + target.project};
  for (const std::string_view name : {"zone", "region", "network", "dest-group"}) {
    const std::string value = name == "zone" ? target.zone : context.args.text(name);
    if (!value.empty()) spec.argv.push_back("--" + std::string(name) + "=" + value);
  }
  for (const std::string& flag : passed_on(context.args)) spec.argv.push_back(flag);
  std::vector<process::Child> tunnels;
  for (;;) {
    pollfd fds[] = {{listener, POLLIN, 0}, {signals::wake_fd(), POLLIN, 0}};
    poll(fds, 2, 1000);
    signals::check();
    std::erase_if(tunnels, [](process::Child& tunnel) { return tunnel.poll_exit().has_value(); });
    if (!(fds[0].revents & POLLIN)) continue;
    const int connection = accept(listener, nullptr, nullptr);
    if (connection < 0) continue;
    fcntl(connection, F_SETFD, FD_CLOEXEC);
    spec.in_fd = spec.out_fd = connection;
    tunnels.emplace_back(spec);
    close(connection);
  }
}

int run_start_iap_tunnel(Frame& frame, const Args& args) {
  if (args.on("listen-on-stdin") && args.has("local-host-port")) {
    throw Error(tpuctl::Kind::usage, "--listen-on-stdin and --local-host-port exclude each other.");
  }
  Context context(frame, args);
  const api::IapTarget target = target_of(context);
  api::IapTunnel tunnel(target, options_of(context), context.tokens(), frame.clock);
  const bool on_stdin = args.on("listen-on-stdin");
  if (!on_stdin && !args.on("iap-tunnel-disable-connection-check")) context.say("Testing if tunnel connection works.");
  if (on_stdin || !args.on("iap-tunnel-disable-connection-check")) tunnel.connect();
  if (!on_stdin) return serve(context, target);
  tunnel.run(STDIN_FILENO, STDOUT_FILENO);
  return 0;
}

constexpr Positional kTarget[] = {{.name = "INSTANCE_NAME", .help = "Name of the machine; with --network its address or host name."},
                                  {.name = "INSTANCE_PORT", .help = "Port to connect to."}};
constexpr Flag kTunnelFlags[] = {
    kZone,
    {.name = "local-host-port", .help = "Where to listen for connections; without a port, or with 0, a free one is taken.",
     .value = "LOCAL_HOST:LOCAL_PORT", .fallback = "localhost:0"},
    {.name = "region", .help = "Region of the address, with --network."},
    {.name = "network", .help = "Network in which the address is."},
    {.name = "dest-group", .help = "Destination group of the address."},
    {.name = "listen-on-stdin", .help = "Carry standard input and output instead of listening.", .kind = Kind::toggle, .hidden = true},
    {.name = "iap-tunnel-disable-connection-check", .help = "Listen without trying the connection first.", .kind = Kind::toggle},
    {.name = "iap-tunnel-url-override", .help = "Another relay than Google's.", .hidden = true},
};
constexpr cli::Rule kTunnelRules[] = {{.alternatives = {"region network : dest-group"}}};

}  // namespace

std::string iap_proxy_command(const Context& context, const std::string& project, const std::string& zone, const std::string& instance) {
  auto word = [](const std::string& text) { return text::replace_all(text::shell_quote(text), "%", "%%"); };
  std::string out = word(process::self()) + " compute start-iap-tunnel " + word(instance) + " '%p' --listen-on-stdin --project=" +
                    word(project) + " --zone=" + word(zone);
  for (const std::string& flag : passed_on(context.args)) out += " " + word(flag);
  return out;
}

constexpr Command kStartIapTunnel = {.name = "start-iap-tunnel",
                                     .help = "Reach a port of a machine through Identity-Aware Proxy",
                                     .positionals = kTarget,
                                     .flags = kTunnelFlags,
                                     .rules = kTunnelRules,
                                     .run = run_start_iap_tunnel,
                                     .hidden = true};

}  // namespace tpuctl::commands
