// SPDX-License-Identifier: Apache-2.0
// auth: which accounts there are, their access tokens, and taking accounts up and giving them away. Signing in is auth_login.cpp.
#include <algorithm>

#include "auth/accounts.hpp"
#include "auth/login.hpp"
#include "base/error.hpp"
#include "base/file.hpp"
#include "base/process.hpp"
#include "base/text.hpp"
#include "cli/globals.hpp"
#include "cli/verbosity.hpp"
#include "commands/auth_login.hpp"
#include "commands/context.hpp"
#include "commands/groups.hpp"
#include "commands/node_flags.hpp"

namespace tpuctl::commands {

namespace {

using cli::Args;
using cli::Command;
using cli::Example;
using cli::Frame;
using cli::Positional;
using cli::Verbosity;

int print_token(Context& context, api::TokenSource& source) {
  const api::Token token = source.token(context.frame.clock.now());
  if (token.value.empty()) {
    throw Error(tpuctl::Kind::denied, "There is no access token. " + context.credential_sentence());
  }
  context.print(Json{{"token", token.value}}, "value(token)");
  return 0;
}

int run_print_access_token(Frame& frame, const Args& args) {
  Context context(frame, args);
  return print_token(context, context.tokens({.account = args.positional("ACCOUNT")}));
}

int run_print_default_token(Frame& frame, const Args& args) {
  Context context(frame, args);
  return print_token(context, context.tokens({.application_default = true}));
}

int run_list(Frame& frame, const Args& args) {
  Context context(frame, args);
  const std::string active = text::replace_all(frame.config.get_or("core/account", ""), ":", "");
  const std::string wanted = args.text("filter-account");
  std::vector<auth::Account> shown;
  std::string universe;
  for (const auth::Account& account : auth::accounts(frame.config.directory())) {
    if (!wanted.empty() && account.name != wanted) continue;
    if (account.universe != auth::kDefaultUniverse) universe = ", universe_domain:label=UNIVERSE_DOMAIN";
    shown.push_back(account);
  }
  cli::output::Pipeline pipeline(frame.io, context.output(),
                                 "table[title='Credentialed Accounts'](status.yesno(yes='*', no=''):label=ACTIVE, account" + universe + ")");
  for (const auth::Account& account : shown) {
    Json row{{"account", account.name}, {"status", text::replace_all(account.name, ":", "") == active ? "ACTIVE" : ""}};
    if (!universe.empty()) row.member("universe_domain") = Json(account.universe);
    pipeline.push(std::move(row));
  }
  if (!shown.empty() || args.has("format")) pipeline.finish();
  frame.io.say(shown.empty() ? "\nNo credentialed accounts.\n\nTo login, run:\n  $ tpuctl auth login `ACCOUNT`\n\n"
                             : "\nTo set the active account, run:\n    $ tpuctl config set account `ACCOUNT`\n\n");
  return 0;
}

int run_activate_service_account(Frame& frame, const Args& args) {
  const std::string path = args.text("key-file");
  const std::string account = keep_credential_file(frame, path, args.positional("ACCOUNT"), "service_account");
  frame.config.set("core/account", account);
  if (args.has("project")) frame.config.set("core/project", args.text("project"));
  frame.io.say("Activated service account credentials for: [" + account + "]\n");
  return 0;
}

// Withdraws a refresh token from the service where there is one; a key file is only forgotten.
void revoke_own(Frame& frame, const auth::Account& account) {
  const std::string path = auth::own_account_file(frame.config.directory(), account.name);
  Json content;
  Json::try_parse(file::read_if_exists(path).value_or(""), content);
  const std::string type = content["type"].text();
  if (type == "authorized_user") {
    Exits exits(frame);
    if (!auth::revoke_token(content["refresh_token"].text(), token_address(frame, content["token_uri"].text()), exits.ways())) {
      cli::tell(frame.io, frame.config, Verbosity::warning, "[" + account.name + "] already inactive (previously revoked?)");
    }
  } else if (type == "service_account") {
    cli::tell(frame.io, frame.config, Verbosity::warning,
              "[" + account.name + "] appears to be a service account. Service account tokens cannot be revoked, but they will expire "
              "automatically. To prevent use of the service account token earlier than the expiration, delete or disable the parent "
              "service account. To explicitly delete the key associated with the service account use `gcloud iam service-accounts keys "
              "delete` instead`.");
  } else {
    cli::tell(frame.io, frame.config, Verbosity::warning,
              "[" + account.name + "] appears to be an external account. External account tokens cannot be revoked, but they will expire automatically.");
  }
  file::remove(path);
}

int run_revoke(Frame& frame, const Args& args) {
  const auto there = auth::accounts(frame.config.directory());
  const std::string active = frame.config.get_or("core/account", "");
  std::vector<std::string> wanted = args.positionals("ACCOUNT");
  if (args.on("all")) {
    for (const auth::Account& account : there) wanted.push_back(account.name);
  }
  if (wanted.empty() && !active.empty()) wanted.push_back(active);
  if (wanted.empty()) throw Error(tpuctl::Kind::failure, "Invalid value for [accounts]: No credentials available to revoke.");
  std::vector<auth::Account> chosen;
  for (const std::string& name : wanted) {
    const auto found = std::find_if(there.begin(), there.end(), [&](const auth::Account& one) { return one.name == name; });
    if (found == there.end()) throw Error(tpuctl::Kind::failure, "Unknown value for [accounts]: " + name);
    chosen.push_back(*found);
  }
  for (const auth::Account& account : chosen) {
    if (account.own) {
      revoke_own(frame, account);
    } else if (const int code = run_gcloud(frame, {"auth", "revoke", account.name, "--quiet"}, "Account [" + account.name + "] is gcloud's."); code != 0) {
      return code;
    }
    if (account.name == active) frame.config.unset("core/account");
  }
  file::remove_tree(token_cache_directory(frame.env));
  std::string text = "Revoked credentials:\n";
  for (const std::string& name : wanted) text += " - " + name + "\n";
  frame.io.out(text);
  return 0;
}

constexpr Positional kAccount[] = {
    {.name = "ACCOUNT", .help = "Account whose token to print; default: the active one.", .required = false}};
constexpr Positional kServiceAccount[] = {
    {.name = "ACCOUNT", .help = "E-mail address of the service account; the key file names it too.", .required = false}};
constexpr Positional kAccounts[] = {
    {.name = "ACCOUNT", .help = "Accounts to give up; default: the active one.", .required = false, .many = true}};
constexpr Flag kListMore[] = {{.name = "filter-account", .help = "Show only this account.", .value = "ACCOUNT"}};
constexpr auto kListFlags = cli::join(kListMore, cli::kListFlags);
constexpr Flag kKeyFlags[] = {
    {.name = "key-file", .help = "The service account's key, as JSON.", .value = "FILE", .required = true, .source = Source::file}};
constexpr Flag kRevokeFlags[] = {{.name = "all", .help = "Give up all accounts.", .kind = Kind::toggle}};
constexpr Example kExamples[] = {
    {"A call that tpuctl has no word for:", "curl -H \"Authorization: Bearer $(tpuctl auth print-access-token)\" https://..."}};

const Command kDefaultVerbs[] = {
    kDefaultLogin,
    {.name = "print-access-token", .help = "Print an access token of the application default credentials", .run = run_print_default_token,
     .elsewhere = "lifetime scopes"},
    kDefaultRevoke,
    kDefaultQuota,
};
const Command kVerbs[] = {
    {.name = "activate-service-account", .help = "Take up a service account by its key", .positionals = kServiceAccount, .flags = kKeyFlags,
     .run = run_activate_service_account, .elsewhere = "password-file prompt-for-password"},
    {.name = "application-default", .help = "The credentials that programs find by themselves", .commands = kDefaultVerbs},
    {.name = "list", .help = "List the accounts that are signed in", .flags = kListFlags, .run = run_list},
    kLogin,
    {.name = "print-access-token", .help = "Print an access token", .examples = kExamples, .positionals = kAccount,
     .run = run_print_access_token, .elsewhere = "lifetime"},
    {.name = "revoke", .help = "Give up accounts, and withdraw their tokens", .positionals = kAccounts, .flags = kRevokeFlags, .run = run_revoke},
};

}  // namespace

const Command kAuth = {.name = "auth", .help = "Sign in, show accounts and print access tokens", .commands = kVerbs};

}  // namespace tpuctl::commands
