// SPDX-License-Identifier: Apache-2.0
// auth: which accounts there are, and their access tokens. Signing in is gcloud's part.
#include <algorithm>
#include <filesystem>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/text.hpp"
#include "cli/globals.hpp"
#include "commands/context.hpp"
#include "commands/groups.hpp"

namespace tpuctl::commands {

namespace {

using cli::Args;
using cli::Command;
using cli::Example;
using cli::Frame;
using cli::Positional;

int print_token(Context& context, api::TokenSource& source) {
  const api::Token token = source.token(context.frame.clock.now());
  if (token.value.empty()) {
    throw Error(Kind::denied, "There is no access token. " + context.credential_sentence());
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

// The accounts gcloud has signed in: folders of its copies for gsutil, beside the database that only gcloud reads.
std::vector<std::string> accounts(const std::string& config_directory) {
  std::vector<std::string> out;
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(config_directory + "/legacy_credentials", ignored)) {
    if (entry.is_directory(ignored)) out.push_back(entry.path().filename().string());
  }
  std::sort(out.begin(), out.end());
  return out;
}

int run_list(Frame& frame, const Args& args) {
  Context context(frame, args);
  const std::string active = frame.config.get_or("core/account", "");
  const std::string wanted = args.text("filter-account");
  cli::output::Pipeline pipeline(frame.io, context.output(),
                                 "table[title='Credentialed Accounts'](status.yesno(yes='*', no=''):label=ACTIVE, account)");
  std::size_t shown = 0;
  for (const std::string& account : accounts(frame.config.directory())) {
    if (!wanted.empty() && account != wanted) continue;
    ++shown;
    pipeline.push(Json{{"account", account}, {"status", account == text::replace_all(active, ":", "") ? "ACTIVE" : ""}});
  }
  if (shown > 0) {
    pipeline.finish();
    frame.io.err("\nTo choose another account: tpuctl config set account ACCOUNT\n\n");
  } else {
    if (args.has("format")) pipeline.finish();
    frame.io.err("\nNo account is signed in. To sign in: gcloud auth login\n\n");
  }
  return 0;
}

constexpr Positional kAccount[] = {
    {.name = "ACCOUNT", .help = "Account whose token to print; default: the active one.", .required = false}};
constexpr cli::Flag kListMore[] = {{.name = "filter-account", .help = "Show only this account.", .value = "ACCOUNT"}};
constexpr auto kListFlags = cli::join(kListMore, cli::kListFlags);
constexpr Example kExamples[] = {
    {"A call that tpuctl has no word for:", "curl -H \"Authorization: Bearer $(tpuctl auth print-access-token)\" https://..."}};

constexpr Command kDefaultVerbs[] = {
    {.name = "print-access-token", .help = "Print an access token of the application default credentials", .run = run_print_default_token},
};
constexpr Command kVerbs[] = {
    {.name = "application-default", .help = "The credentials that programs find by themselves", .commands = kDefaultVerbs},
    {.name = "list", .help = "List the accounts that gcloud has signed in", .flags = kListFlags, .run = run_list},
    {.name = "print-access-token", .help = "Print an access token", .examples = kExamples, .positionals = kAccount,
     .run = run_print_access_token},
};

}  // namespace

constexpr Command kAuth = {.name = "auth", .help = "Show accounts and print access tokens", .commands = kVerbs};

}  // namespace tpuctl::commands
