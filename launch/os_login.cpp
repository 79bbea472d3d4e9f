// SPDX-License-Identifier: Apache-2.0
#include "launch/os_login.hpp"

#include "base/error.hpp"
#include "base/text.hpp"

namespace tpuctl::launch {

namespace {

bool knows_key(const Json& profile, const std::string& key, TimePoint now) {
  for (const auto& member : profile["sshPublicKeys"].members()) {
    const Json* end = member.value.find("expirationTimeUsec");
    if (end && TimePoint(Duration(end->integer())) <= now) continue;
    if (std::string_view(member.value["key"].text()).starts_with(key)) return true;
  }
  return false;
}

std::string user_of(const Json& profile, const std::string& wished) {
  std::string first;
  for (const Json& account : profile["posixAccounts"].items()) {
    if (!wished.empty() && account["username"].text() == wished) return wished;
  }
  for (const Json& account : profile["posixAccounts"].items()) {
    if (account["primary"].boolean()) return account["username"].text();
    if (first.empty()) first = account["username"].text();
  }
  return first;
}

}  // namespace

std::string os_login_user(api::Client& oslogin, const std::string& account, const std::string& project, const std::string& wished,
                          const std::string& key, std::optional<TimePoint> expires, bool import) {
  const std::string base = "v1/users/" + text::replace_all(text::percent_encode(account), "%40", "@");
  api::Call call;
  call.path = base + "/loginProfile";
  call.query = {{"projectId", project}};
  Json profile = oslogin.send(call);
  if (import && (expires || !knows_key(profile, key, oslogin.clock().now()))) {
    api::Call add;
    add.method = "POST";
    add.path = base + ":importSshPublicKey";
    add.query = call.query;
    add.body = Json{{"key", key}};
    if (expires) add.body.member("expirationTimeUsec") = std::to_string(expires->time_since_epoch().count());
    const Json answer = oslogin.send(add);  // the same key again changes nothing, so it may be repeated
    if (answer["loginProfile"].is_object()) profile = answer["loginProfile"];
  }
  std::string user = user_of(profile, wished);
  if (user.empty()) {
    throw Error(Kind::failure, "The account [" + account + "] has no OS Login profile for project [" + project + "].",
                "Ask for the role roles/compute.osLogin.");
  }
  return user;
}

}  // namespace tpuctl::launch
