// SPDX-License-Identifier: Apache-2.0
#include "commands/auth_login.hpp"

#include "auth/accounts.hpp"
#include "auth/kinds.hpp"
#include "auth/login.hpp"
#include "auth/loopback.hpp"
#include "auth/urls.hpp"
#include "base/error.hpp"
#include "base/file.hpp"
#include "base/process.hpp"
#include "base/text.hpp"
#include "cli/args.hpp"
#include "cli/config.hpp"
#include "cli/prompt.hpp"
#include "cli/streams.hpp"
#include "cli/verbosity.hpp"
#include "commands/endpoints.hpp"
#include "commands/node_flags.hpp"
#include "commands/wire.hpp"

namespace tpuctl::commands {

namespace {

using cli::Args;
using cli::Command;
using cli::Frame;
using cli::Positional;

const std::vector<std::string> kScopes = {"openid", "https://www.googleapis.com/auth/userinfo.email", auth::kCloudScope};
constexpr Duration kPatience = std::chrono::minutes(5);
constexpr const char* kAuthorizationUrl = "https://accounts.google.com/o/oauth2/auth";

std::string default_file(const Frame& frame) { return file::join(frame.config.directory(), "application_default_credentials.json"); }

// A program that shows a page: what BROWSER names, else what the desktop has; empty without a desktop.
std::vector<std::string> browser(const Environment& env) {
  const std::string path = env.get("PATH").value_or("");
  if (const auto named = env.get_nonempty("BROWSER")) {
    if (const auto words = text::shell_split(*named); words && !words->empty()) return *words;
  }
  if (const std::string open = process::find_program("open", path); !open.empty() && file::is_dir("/Applications")) return {open};
  if (!env.get_nonempty("DISPLAY") && !env.get_nonempty("WAYLAND_DISPLAY") && !env.get_nonempty("MIR_SOCKET")) return {};
  for (const char* name : {"xdg-open", "sensible-browser", "x-www-browser", "firefox", "chromium"}) {
    if (const std::string found = process::find_program(name, path); !found.empty()) return {found};
  }
  return {};
}

// What the browser brought back. Without a browser here, the user carries it from another machine.
std::string answer_of_browser(Frame& frame, const auth::Authorization& attempt, auth::LoopbackPage& page, std::vector<std::string> program) {
  if (program.empty()) {
    frame.io.err("Open this address in a browser, on any machine:\n\n    " + attempt.url() +
                 "\n\nAt the end the browser is sent to an address of this machine, which it may not reach. Copy that whole address from it.\n\n");
    return cli::ask(frame.io, frame.config, "The address, or the code in it", "", "--access-token-file=FILE");
  }
  frame.io.err("Your browser has been opened to visit:\n\n    " + attempt.url() + "\n\n");
  program.push_back(attempt.url());
  process::Spec spec;
  spec.argv = std::move(program);
  spec.out = spec.err = process::Stream::null;
  spec.own_session = true;
  process::Child(spec).release();
  return page.wait(kPatience);
}

struct SignedIn {
  auth::ClientId client;
  Json answer;
};

SignedIn sign_in(Frame& frame, const Args& args, auth::ClientId client) {
  const bool at_machine = args.toggle("launch-browser").value_or(true) && args.toggle("browser").value_or(true);
  if (client.auth_uri.empty()) client.auth_uri = kAuthorizationUrl;
  auth::LoopbackPage page;
  const auth::Authorization attempt(client, kScopes, page.address());
  auto program = at_machine ? browser(frame.env) : std::vector<std::string>();
  if (program.empty() && frame.config.on("core/disable_prompts")) {
    throw Error(tpuctl::Kind::denied, "Signing in without a browser on this machine needs an answer, and questions are off.", "Leave out --quiet.");
  }
  const std::string code = attempt.code_in(answer_of_browser(frame, attempt, page, std::move(program)));
  Exits exits(frame);
  Json answer = attempt.exchange(code, token_address(frame, client.token_uri), exits.ways());
  return {std::move(client), std::move(answer)};
}

// The user's own client id: of the flag, or of the properties.
std::optional<auth::ClientId> own_client(const Frame& frame, const Args& args) {
  if (args.has("client-id-file")) return auth::read_client_id_file(args.text("client-id-file"));
  const auto id = frame.config.get("auth/client_id"), secret = frame.config.get("auth/client_secret");
  if (!id || !secret) return {};
  return auth::ClientId{*id, *secret, "", ""};
}

void pass(std::vector<std::string>& words, const Args& args, std::string_view flag) {
  if (const auto on = args.toggle(flag)) words.push_back((*on ? "--" : "--no-") + std::string(flag));
}

constexpr const char* kNoGcloud = "There is no gcloud here to sign in with.";

void say_signed_in(Frame& frame, const std::string& account) {
  frame.io.say("\nYou are now logged in as [" + account + "].\nYour current project is [" + frame.config.get_or("core/project", "None") +
               "].  You can change this setting by running:\n  $ tpuctl config set project PROJECT_ID\n");
}

int run_login(Frame& frame, const Args& args) {
  std::string account = args.positional("ACCOUNT");
  if (args.has("cred-file")) {
    account = keep_credential_file(frame, args.text("cred-file"), account, "");
  } else if (const auto client = own_client(frame, args)) {
    const SignedIn got = sign_in(frame, args, *client);
    const std::string email = auth::email_in(got.answer);
    if (!email.empty() && !account.empty() && email != account) {
      throw Error(tpuctl::Kind::denied, "You attempted to log in as account [" + account + "] but the received credentials were for account [" + email + "].");
    }
    if (account.empty()) account = email;
    if (account.empty()) throw Error(tpuctl::Kind::denied, "The service did not say whose credentials these are.", "Name the account: tpuctl auth login ACCOUNT");
    auth::keep_account(frame.config.directory(), account, auth::authorized_user_file(got.client, got.answer, account));
  } else {
    std::vector<std::string> words = {"auth", "login"};
    if (!account.empty()) words.push_back(account);
    for (const char* flag : {"launch-browser", "browser", "activate", "brief", "force", "update-adc"}) pass(words, args, flag);
    return run_gcloud(frame, std::move(words), kNoGcloud);
  }
  if (args.toggle("activate").value_or(true)) frame.config.set("core/account", account);
  if (args.has("project")) frame.config.set("core/project", args.text("project"));
  say_signed_in(frame, account);
  return 0;
}

void say_saved(Frame& frame, const std::string& path) {
  frame.io.say("\nCredentials saved to file: [" + path +
               "]\n\nThese credentials will be used by any library that requests Application Default Credentials (ADC).\n");
}

int run_default_login(Frame& frame, const Args& args) {
  const auto client = own_client(frame, args);
  if (!client) {
    std::vector<std::string> words = {"auth", "application-default", "login"};
    for (const char* flag : {"launch-browser", "browser"}) pass(words, args, flag);
    return run_gcloud(frame, std::move(words), kNoGcloud);
  }
  const SignedIn got = sign_in(frame, args, *client);
  Json content = auth::authorized_user_file(got.client, got.answer, "");
  const std::string path = default_file(frame);
  file::write_atomic(path, content.pretty() + "\n", 0600);
  say_saved(frame, path);
  if (const auto variable = frame.env.get_nonempty("GOOGLE_APPLICATION_CREDENTIALS")) {
    cli::tell(frame.io, frame.config, cli::Verbosity::warning,
              "The environment variable [GOOGLE_APPLICATION_CREDENTIALS] is set to [" + *variable + "] and goes before that file: unset it to use them.");
  }
  return 0;
}

Json default_content(const std::string& path) {
  Json content;
  if (Json::try_parse(file::read_if_exists(path).value_or(""), content) && content.is_object()) return content;
  throw Error(tpuctl::Kind::denied, "The file [" + path + "] is not a valid JSON object.", "Make it anew: tpuctl auth application-default login");
}

int run_default_revoke(Frame& frame, const Args&) {
  const std::string path = default_file(frame);
  if (!file::exists(path)) {
    frame.io.say("Application Default Credentials have not been set up, nothing to revoke.\n");
    return 0;
  }
  const Json content = default_content(path);
  if (content["type"].text() == "service_account") {
    throw Error(tpuctl::Kind::failure, "The given credential file is a service account credential, and cannot be revoked.", "Remove the file by hand: " + path);
  }
  cli::require_confirmation(frame.io, frame.config, "You are about to revoke the credentials stored in: [" + path + "]");
  bool revoked = false;
  if (const std::string token = content["refresh_token"].text(); content["type"].text() == "authorized_user" && !token.empty()) {
    Exits exits(frame);
    revoked = auth::revoke_token(token, token_address(frame, content["token_uri"].text()), exits.ways());
  }
  file::remove(path);
  file::remove_tree(token_cache_directory(frame.env));
  if (revoked) {
    frame.io.say("Credentials revoked.\n");
  } else {
    cli::tell(frame.io, frame.config, cli::Verbosity::warning,
              "The credentials stored in: [" + path + "] are not revocable from the server but have been deleted from the file system.");
  }
  return 0;
}

int run_default_quota(Frame& frame, const Args& args) {
  const std::string path = default_file(frame), project = args.positional("QUOTA_PROJECT_ID");
  if (!file::exists(path)) {
    throw Error(tpuctl::Kind::denied, "Application default credentials have not been set up.", "Make them: tpuctl auth application-default login");
  }
  Json content = default_content(path);
  if (content["type"].text() == "service_account") {
    throw Error(tpuctl::Kind::denied, "The credentials in [" + path + "] are of a service account, which brings its own project.");
  }
  content.member("quota_project_id") = Json(project);
  file::write_atomic(path, content.pretty() + "\n", 0600);
  say_saved(frame, path);
  frame.io.say("\nQuota project \"" + project + "\" was added to ADC which can be used by Google client libraries for billing and quota. Note that "
               "some services may still bill the project owning the resource.\n");
  return 0;
}

constexpr Positional kAccount[] = {{.name = "ACCOUNT", .help = "The account to sign in as.", .required = false}};
constexpr Positional kQuota[] = {{.name = "QUOTA_PROJECT_ID", .help = "The project whose quota is charged.", .source = Source::project}};
constexpr Flag kBrowserFlags[] = {
    {.name = "client-id-file", .help = "Sign in for this OAuth client of your own (type \"Desktop app\") instead of through gcloud.",
     .value = "FILE", .source = Source::file},
    {.name = "launch-browser", .help = "Open a browser on this machine; --no-launch-browser prints the address to open anywhere.", .kind = Kind::toggle},
    {.name = "browser", .help = "As --launch-browser; with gcloud, --no-browser signs in on another machine that has gcloud.", .kind = Kind::toggle}};
constexpr Flag kLoginMore[] = {
    {.name = "cred-file", .help = "Take up the account of this file: a service account's key or a configuration of workload identity federation.",
     .value = "FILE", .source = Source::file},
    {.name = "activate", .help = "Make the account the active one.", .kind = Kind::toggle},
    {.name = "brief", .help = "Say less; for gcloud.", .kind = Kind::toggle, .hidden = true},
    {.name = "force", .help = "Sign in even when the account is signed in already; for gcloud.", .kind = Kind::toggle, .hidden = true},
    {.name = "update-adc", .help = "Write the application default credentials too; for gcloud.", .kind = Kind::toggle, .hidden = true}};
constexpr auto kLoginFlags = cli::join(kBrowserFlags, kLoginMore);

}  // namespace

int run_gcloud(Frame& frame, std::vector<std::string> words, const std::string& otherwise) {
  const std::string gcloud = auth::find_gcloud(frame.env);
  if (gcloud.empty()) {
    throw Error(tpuctl::Kind::denied, otherwise,
                "Install the Google Cloud CLI, or sign in without it:\n"
                "  with an OAuth client of your own: tpuctl auth login --client-id-file=FILE\n"
                "  as a service account: tpuctl auth activate-service-account --key-file=FILE\n"
                "  by workload identity federation: tpuctl auth login --cred-file=FILE, GOOGLE_APPLICATION_CREDENTIALS\n"
                "  with a token: --access-token-file=FILE, CLOUDSDK_AUTH_ACCESS_TOKEN");
  }
  if (frame.config.on("core/disable_prompts")) words.emplace_back("--quiet");
  process::Spec spec;
  spec.argv = std::move(words);
  spec.argv.insert(spec.argv.begin(), gcloud);
  spec.env = frame.env.pairs();
  spec.in = process::Stream::inherit;
  frame.io.flush();
  return process::Child(spec).wait();
}

std::string keep_credential_file(Frame& frame, const std::string& path, const std::string& account, const std::string& type) {
  Exits exits(frame);
  auth::Wishes wishes;
  wishes.credential_file_override = file::absolute(path);
  wishes.universe = universe(frame.config);
  wishes.config_directory = frame.config.directory();
  wishes.probe_metadata = false;
  const auth::Credential found = auth::find_credentials(wishes, Environment(), exits.ways());
  const Json content = Json::parse(file::read(path));
  if (!type.empty() && found.identity.kind != type) {
    throw Error(tpuctl::Kind::denied, "The file [" + path + "] is of the type " + found.identity.kind + ", not " + type + ".",
                "Use: tpuctl auth login --cred-file=" + path);
  }
  const std::string& name = found.identity.account.empty() ? found.identity.impersonated : found.identity.account;
  if (name.empty() && account.empty()) throw Error(tpuctl::Kind::denied, "The file [" + path + "] does not say whose it is.", "Name the account too.");
  if (!name.empty() && !account.empty() && name != account) {
    throw Error(tpuctl::Kind::failure, "Invalid value for [ACCOUNT]: The given account name does not match the account name in the key file.  This argument can "
                               "be omitted when using .json keys.");
  }
  const std::string kept = name.empty() ? account : name;
  auth::keep_account(frame.config.directory(), kept, content);
  return kept;
}

std::string token_address(const Frame& frame, const std::string& own) {
  if (auto host = frame.config.get("auth/token_host")) return *host;
  if (own.empty()) return auth::kTokenUrl;
  if (auth::is_token_url(own, universe(frame.config))) return own;
  throw Error(tpuctl::Kind::denied, "A token is not sent to [" + own + "]: it is no token endpoint of Google's.",
              "If it is right, set it: tpuctl config set auth/token_host " + own);
}

constexpr Command kLogin = {.name = "login", .help = "Sign in", .about =
    "With gcloud on PATH, gcloud signs in, and tpuctl uses its accounts. Without it, or with --client-id-file, tpuctl signs in itself for "
    "an OAuth client of your own.", .positionals = kAccount, .flags = kLoginFlags, .run = run_login,
    .elsewhere = "enable-gdrive-access login-config"};
constexpr Command kDefaultLogin = {.name = "login", .help = "Make the application default credentials", .flags = kBrowserFlags, .run = run_default_login,
                                   .elsewhere = "disable-quota-project login-config scopes"};
constexpr Command kDefaultRevoke = {.name = "revoke", .help = "Withdraw and remove the application default credentials", .run = run_default_revoke};
constexpr Command kDefaultQuota = {.name = "set-quota-project", .help = "Name the project whose quota they are charged to", .positionals = kQuota,
                                   .run = run_default_quota};

}  // namespace tpuctl::commands
