// SPDX-License-Identifier: Apache-2.0
#include "commands/remote.hpp"

#include <algorithm>
#include <optional>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/process.hpp"
#include "base/text.hpp"
#include "commands/groups.hpp"
#include "commands/iap.hpp"
#include "launch/keys.hpp"
#include "launch/os_login.hpp"

namespace tpuctl::commands {

launch::Warn warner(const Context& context) {
  return [&context](const std::string& line) { context.warn(line); };
}
launch::Warn teller(const Context& context) {
  return [&context](const std::string& line) { context.say(line); };
}

std::pair<std::string, std::string> split_user(const std::string& text) {
  const auto at = text.find('@');
  if (at == std::string::npos) return {"", text};
  return {text.substr(0, at), text.substr(at + 1)};
}

namespace {

// The login name, as gcloud takes it: the account's where the local one is nothing that a Linux user could be called.
std::string default_user(const Context& context) {
  const std::string user = context.frame.env.user();
  const bool plain = std::all_of(user.begin(), user.end(), [](unsigned char c) { return c > ' ' && c < 127; });
  const std::string account = context.frame.config.get_or("core/account", "");
  return plain || account.empty() ? user : account.substr(0, account.find('@'));
}

}  // namespace

launch::SshSettings ssh_settings(const Context& context, const std::string& user, const std::string& program) {
  const cli::Config& config = context.frame.config;
  const cli::Args& args = context.args;
  const std::string ssh_folder = file::join(context.frame.env.home(), ".ssh");
  launch::SshSettings settings;
  settings.program = process::find_program(program, context.frame.env.get("PATH").value_or(""));
  if (settings.program.empty()) throw Error(tpuctl::Kind::failure, "There is no " + program + " on PATH.", "Install the OpenSSH client.");
  settings.user = user.empty() ? default_user(context) : user;
  settings.user_named = !user.empty();
  settings.key_file = args.has("ssh-key-file") ? args.text("ssh-key-file")
                                               : config.get_or("ssh/key_file", file::join(ssh_folder, "google_compute_engine"));
  if (settings.key_file.starts_with("~/")) settings.key_file = context.frame.env.home() + settings.key_file.substr(1);
  settings.known_hosts_file = config.get_or("ssh/known_hosts_file", file::join(ssh_folder, "google_compute_known_hosts"));
  settings.port = static_cast<int>(text::parse_int(config.get_or("ssh/port", "22")).value_or(22));
  settings.strict = args.text("strict-host-key-checking");
  settings.plain = args.row("plain") && args.on("plain");
  const bool dry_run = args.row("dry-run") && args.on("dry-run");
  if (!dry_run) settings.control_dir = launch::control_directory(context.frame.env.get("XDG_RUNTIME_DIR").value_or(""));
  return settings;
}

namespace {

std::optional<TimePoint> key_expiry(const Context& context) {
  const TimePoint now = context.frame.clock.now();
  if (const auto after = context.args.duration("ssh-key-expire-after")) return now + *after;
  return context.args.timestamp("ssh-key-expiration", now);
}

// The user name under OS Login, when the node or else the project asks for it; empty otherwise.
std::string os_login(Context& context, const launch::Slice& slice, const Json& project, const std::string& wished, const std::string& key, bool import) {
  std::string wish = slice.node.at("/metadata/enable-oslogin").text();
  if (wish.empty()) wish = launch::metadata_item(project, "enable-oslogin");
  if (text::upper(wish) != "TRUE") return {};
  const std::string account = context.frame.config.get_or("core/account", "");
  if (account.empty()) {
    throw Error(tpuctl::Kind::failure, "TPU VM [" + slice.name.id + "] uses OS Login, and no account is set.",
                "Set it: tpuctl config set account ACCOUNT");
  }
  api::Client oslogin = context.service("oslogin", "v1");
  return launch::os_login_user(oslogin, account, slice.name.project, wished, key, key_expiry(context), import);
}

// The relay knows a worker by its host name.
void route_through_iap(const Context& context, launch::Slice& slice) {
  for (launch::Worker& worker : slice.workers) {
    if (worker.hostname.empty()) {
      throw Error(tpuctl::Kind::failure, "IAP needs the host name of worker " + worker.label() + ", and the guest attributes do not tell it.",
                  "Wait until the TPU VM has started; are guest attributes switched off for it?");
    }
    worker.proxy = iap_proxy_command(context, slice.name.project, slice.name.location, worker.hostname);
  }
}

}  // namespace

void prepare_workers(Context& context, api::Client& client, std::vector<launch::Slice>& slices, launch::SshSettings& settings) {
  const bool dry_run = context.args.row("dry-run") && context.args.on("dry-run");
  const bool changes = !dry_run && !settings.plain;
  std::string key;
  if (!settings.plain) {
    const launch::KeyPair pair{settings.key_file, context.frame.env.get("PATH").value_or(""), !dry_run,
                               context.args.on("force-key-file-overwrite")};
    key = launch::public_key(pair, teller(context));
  }
  api::Client compute = context.service("compute", "v1");
  for (launch::Slice& slice : slices) {
    if (context.args.on("tunnel-through-iap")) route_through_iap(context, slice);
    api::Call call;
    call.path = "v1/projects/" + text::percent_encode(slice.name.project);
    const Json project = compute.send(call);
    if (settings.plain) continue;
    if (const std::string user = os_login(context, slice, project, settings.user, key, changes); !user.empty() && user != settings.user) {
      if (settings.user_named) context.say("Using OS Login user [" + user + "] instead of requested user [" + settings.user + "].");
      settings.user = user;
    }
    if (!changes) continue;
    const std::string before = slice.node.at("/metadata/ssh-keys").text();
    slice.node = launch::propagate_key(client, slice.name, slice.node, project, settings.user, key, teller(context));
    settings.fresh_key = settings.fresh_key || slice.node.at("/metadata/ssh-keys").text() != before;
  }
  if (!changes) return;
  const launch::Pinned pinned = launch::pin_host_keys(settings.known_hosts_file, launch::all_workers(slices));
  for (const std::string& node : pinned.remade) context.say("TPU VM [" + node + "] was made anew since the last time: it has other host keys, which are checked.");
  for (const std::string& worker : pinned.changed) {
    context.warn("Worker " + worker + " has another host key than the last time; the service tells it.");
  }
}

std::vector<launch::Slice> session_slices(Context& context, const std::string& name, bool queued_resource, const std::string& single) {
  const cli::Args& args = context.args;
  api::Client& client = context.tpu();
  std::vector<api::Name> names;
  if (queued_resource) {
    const api::Name resource = context.name(name, "queuedResources", "queued_resource");
    launch::Target target;
    target.queued_resource = resource.full();
    const auto nodes = launch::find_nodes(client, target, resource.project, resource.location);
    for (const int index : launch::parse_index_list(args.text("node"), static_cast<int>(nodes.size()), "node")) {
      names.push_back(nodes[static_cast<std::size_t>(index)]);
    }
  } else {
    names.push_back(context.name(name, "nodes", "tpu"));
  }
  std::vector<launch::Slice> slices;
  for (const api::Name& node_name : names) {
    launch::Slice slice{node_name, queued_resource ? client.get(node_name) : read(kNode, client, node_name), {}};
    if (slice.node["apiVersion"].text().starts_with("V1")) {
      throw Error(tpuctl::Kind::failure, "[" + node_name.id + "] is a TPU Node of the retired architecture, which tpuctl does not handle.");
    }
    launch::check_reachable_state(slice.node, node_name.id, warner(context));
    const bool several = launch::parse_worker_list(args.text("worker"), launch::worker_count(slice.node)).size() > 1;
    if (!single.empty() && (several || names.size() > 1)) {
      throw Error(tpuctl::Kind::usage, single, "Or choose one worker: --worker=0");
    }
    slice.workers = launch::read_workers(client, node_name, slice.node, args.text("worker"), args.on("internal-ip"));
    const bool outside = !args.on("internal-ip") && !args.on("tunnel-through-iap") && !args.on("dry-run");
    if (outside && std::any_of(slice.workers.begin(), slice.workers.end(), [](const auto& worker) { return !worker.external; })) {
      context.say("TPU VM [" + node_name.id + "] has no external address: connecting to the internal one. From outside of its network: --tunnel-through-iap");
    }
    slices.push_back(std::move(slice));
  }
  return slices;
}

void settle_questions(const Context& context, launch::SshSettings& settings, std::size_t workers) {
  settings.asks = workers == 1 && (context.frame.io.in_tty || context.frame.io.err_tty);
  if (settings.asks || settings.plain || !launch::has_passphrase(settings.key_file)) return;
  const std::string add = process::find_program("ssh-add", context.frame.env.get("PATH").value_or(""));
  const std::string key = launch::public_key({settings.key_file, "", false, false}, {});
  if (!add.empty() && context.frame.env.get_nonempty("SSH_AUTH_SOCK")) {
    process::Spec list;
    list.argv = {add, "-L"};
    if (!key.empty() && process::run(list).out.find(key) != std::string::npos) return;
  }
  throw Error(tpuctl::Kind::failure, "The ssh key [" + settings.key_file + "] has a passphrase, and ssh-agent does not hold the key.",
              "Hand it over once: ssh-add " + text::shell_quote(settings.key_file));
}

bool is_checked(const launch::SshSettings& settings, const launch::Worker& worker, bool dry_run) {
  if (!dry_run && !worker.host_keys.empty()) return true;
  return launch::is_known_host(settings.known_hosts_file, worker.alias);
}

std::vector<std::string> extra_flags(const std::vector<std::string>& flags, const launch::Worker& worker,
                                     const launch::SshSettings& settings) {
  std::vector<std::string> out;
  for (std::string flag : flags) {
    flag = text::replace_all(std::move(flag), "%USER%", settings.user);
    flag = text::replace_all(std::move(flag), "%INSTANCE%", worker.address);
    flag = text::replace_all(std::move(flag), "%INTERNAL%", worker.internal_address);
    for (const auto& word : text::split(flag, ' ')) {
      if (!word.empty()) out.push_back(word);
    }
  }
  return out;
}

launch::FanoutOptions fanout_options(const Context& context) {
  launch::FanoutOptions options;
  options.limit = context.args.duration("worker-timeout");
  options.parallel = 1 << 20;
  if (context.args.row("batch-size") && context.args.text("batch-size") != "all") {
    const std::string batch = context.args.text("batch-size");
    options.parallel = static_cast<int>(text::parse_int(batch).value_or(0));
    if (options.parallel < 1) {
      throw Error(tpuctl::Kind::usage, "Invalid value for [--batch-size]: [" + batch + "].", "Use a number of at least 1, or all.");
    }
  }
  options.parallel = launch::parallel_limit(options.parallel);
  options.fail_fast = context.args.row("fail-fast") && context.args.on("fail-fast");
  return options;
}

}  // namespace tpuctl::commands
