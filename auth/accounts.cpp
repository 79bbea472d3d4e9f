// SPDX-License-Identifier: Apache-2.0
#include "auth/accounts.hpp"

#include <filesystem>
#include <map>

#include "auth/credentials.hpp"
#include "base/error.hpp"
#include "base/file.hpp"
#include "base/process.hpp"
#include "base/text.hpp"

namespace tpuctl::auth {

namespace {

// As gcloud names its folders; what would leave the folder is no account.
std::string file_name(const std::string& account) {
  const std::string name = text::replace_all(account, ":", "");
  if (name.empty() || name.find("..") != std::string::npos || name.starts_with('/')) {
    throw Error(Kind::failure, "[" + account + "] is not the name of an account.");
  }
  return name;
}

Account account_of(const std::string& path, std::string name, bool own) {
  Json content;
  Json::try_parse(file::read_if_exists(path).value_or(""), content);
  for (const char* field : {"account", "client_email"}) {
    if (own && !content[field].text().empty()) name = content[field].text();
  }
  const std::string& universe = content["universe_domain"].text();
  return {std::move(name), own, universe.empty() ? kDefaultUniverse : universe};
}

}  // namespace

std::vector<Account> accounts(const std::string& directory) {
  std::map<std::string, Account> found;
  std::error_code none;
  for (const auto& entry : std::filesystem::directory_iterator(directory + "/tpuctl/credentials", none)) {
    if (entry.path().extension() != ".json") continue;
    Account one = account_of(entry.path().string(), entry.path().stem().string(), true);
    found.emplace(one.name, one);
  }
  for (const auto& entry : std::filesystem::directory_iterator(directory + "/legacy_credentials", none)) {
    if (!entry.is_directory(none)) continue;
    Account one = account_of((entry.path() / "adc.json").string(), entry.path().filename().string(), false);
    found.emplace(one.name, one);
  }
  std::vector<Account> out;
  out.reserve(found.size());
  for (auto& [name, one] : found) out.push_back(std::move(one));
  return out;
}

std::string own_account_file(const std::string& directory, const std::string& account) {
  return directory + "/tpuctl/credentials/" + file_name(account) + ".json";
}

std::string gcloud_account_file(const std::string& directory, const std::string& account) {
  return directory + "/legacy_credentials/" + file_name(account) + "/adc.json";
}

void keep_account(const std::string& directory, const std::string& account, const Json& content) {
  file::write_atomic(own_account_file(directory, account), content.pretty() + "\n", 0600);
}

std::string find_gcloud(const Environment& env) {
  const std::string found = process::find_program("gcloud", env.get("PATH").value_or(""));
  std::error_code ignored;
  return !found.empty() && std::filesystem::equivalent(found, process::self(), ignored) ? "" : found;
}

}  // namespace tpuctl::auth
