// SPDX-License-Identifier: Apache-2.0
#include "emulator/neighbours.hpp"

#include <cctype>

#include "base/text.hpp"
#include "emulator/api_error.hpp"
#include "emulator/metadata.hpp"

namespace tpuctl::emulator {

namespace {
/// The path's segments start with these words; "*" is any.
bool starts(const Call& call, std::initializer_list<std::string_view> words) {
  if (call.segments.size() < words.size()) return false;
  std::size_t i = 0;
  for (const std::string_view word : words) {
    if (word != "*" && call.segments[i] != word) return false;
    ++i;
  }
  return true;
}

bool is_os_login(const Call& call) { return starts(call, {"*", "users", "*"}); }

std::string self_link(const Call& call, const std::string& rest) {
  return call.origin + "/compute/" + call.segments[1] + "/" + rest;
}

Json operation(const Call& call, const std::string& project, const std::string& name, bool done) {
  return Json{{"kind", "compute#operation"},
              {"id", "777"},
              {"name", name},
              {"operationType", "compute.projects.setCommonInstanceMetadata"},
              {"status", done ? "DONE" : "RUNNING"},
              {"progress", done ? 100 : 0},
              {"targetLink", self_link(call, "projects/" + project)},
              {"selfLink", self_link(call, "projects/" + project + "/global/operations/" + name)}};
}
}  // namespace

bool Neighbours::is_open(const Call& call) { return call.path == "/token" && call.method == "POST"; }

api::Response Neighbours::open(const Call&) {
  return json_response(200, Json{{"access_token", kAccessToken},
                                 {"expires_in", 3599},
                                 {"scope", "https://www.googleapis.com/auth/cloud-platform"},
                                 {"token_type", "Bearer"}});
}

bool Neighbours::owns(const Call& call) {
  return starts(call, {"compute", "*", "projects", "*"}) || is_os_login(call) ||
         (starts(call, {"v1", "projects", "*"}) && call.segments.size() == 3);
}

Json Neighbours::handle(const Call& call) {
  if (is_os_login(call)) return os_login(call);
  if (call.segments[0] == "compute") return compute(call);
  if (call.method != "GET") throw no_method();
  const Json& project = life_.store().project(call.segments[2]);
  return Json{{"projectNumber", project["number"]},
              {"projectId", project["id"]},
              {"name", project["id"]},
              {"lifecycleState", "ACTIVE"},
              {"createTime", "2024-01-01T00:00:00.000Z"}};
}

Json Neighbours::compute(const Call& call) {
  const auto& parts = call.segments;
  const Json& project = life_.store().project(parts[3]);
  const std::string id = project["id"].text();
  const std::string what = parts.size() > 4 ? parts[4] : "";
  if (what.empty() && call.method == "GET") {
    Json items = Json::array();
    for (const auto& [key, value] : project["metadata"].members()) items.push(Json{{"key", key}, {"value", value}});
    Json metadata{{"kind", "compute#metadata"}, {"fingerprint", project["fingerprint"]}};
    if (items.size() > 0) metadata.member("items") = items;
    return Json{{"kind", "compute#project"},
                {"id", project["number"]},
                {"name", id},
                {"commonInstanceMetadata", metadata},
                {"defaultServiceAccount", project["number"].text() + "-compute@developer.gserviceaccount.com"},
                {"selfLink", self_link(call, "projects/" + id)}};
  }
  if (what == "setCommonInstanceMetadata" && call.method == "POST") return set_metadata(call, id);
  if (what == "global" && parts.size() >= 7 && parts[5] == "operations") return operation(call, id, parts[6], true);
  if (what == "zones" && parts.size() == 6 && call.method == "GET") {
    return Json{{"kind", "compute#zone"},
                {"name", parts[5]},
                {"status", "UP"},
                {"selfLink", self_link(call, "projects/" + id + "/zones/" + parts[5])}};
  }
  throw ApiError(404, "The resource '" + call.path + "' was not found");
}

Json Neighbours::set_metadata(const Call& call, const std::string& project_id) {
  const Json body = call.json();
  Json& project = life_.store().project(project_id);
  if (!body["fingerprint"].empty() && body["fingerprint"].text() != project["fingerprint"].text()) {
    throw ApiError(412, "Supplied fingerprint does not match current metadata fingerprint.", "CONDITION_NOT_MET");
  }
  Json metadata = Json::object();
  for (const Json& item : body["items"].items()) {
    if (!item["key"].is_string()) throw bad_field("items", "Every item needs a key.");
    metadata.member(item["key"].text()) = item["value"].text();
  }
  project.member("metadata") = metadata;
  const std::int64_t change = life_.store().next();
  project.member("fingerprint") = text::sha256_hex(project_id + std::to_string(change)).substr(0, 12);
  life_.plan(Duration(0), Json{{"kind", "push-metadata"}, {"step", "push"}, {"subject", project_id}, {"op", ""}});
  return operation(call, project_id, "operation-metadata-" + std::to_string(change), false);
}

Json Neighbours::os_login(const Call& call) {
  std::string user = call.segments[2];
  const auto colon = user.rfind(":importSshPublicKey");
  const bool import = colon != std::string::npos && call.method == "POST";
  if (import) user.erase(colon);
  const bool read = call.method == "GET" && call.segments.back() == "loginProfile";
  if (!import && !read) throw no_method();
  Json& own = life_.store().users[user];
  if (import) {
    const Json body = call.json();
    const std::string& key = body["key"].text();
    if (key.empty()) throw bad_field("ssh_public_key.key", "Field key is required.");
    const std::string print = text::sha256_hex(key);
    Json entry{{"key", key}, {"fingerprint", print}};
    if (const Json* expires = body.find("expirationTimeUsec")) entry.member("expirationTimeUsec") = *expires;
    own.member(print) = entry;
    life_.plan(Duration(0), Json{{"kind", "push-metadata"}, {"step", "push"}, {"subject", call.param("projectId")}, {"op", ""}});
  }
  std::string login = own["username"].text();
  if (login.empty()) login = life_.host().login();
  if (login.empty()) {
    for (const char c : user) login += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
  }
  Json account{{"primary", true},        {"username", login},     {"uid", "2000"}, {"gid", "2000"},
               {"homeDirectory", "/home/" + login}, {"operatingSystemType", "LINUX"}};
  Json accounts = Json::array();
  accounts.push(account);
  Json profile{{"name", user}, {"posixAccounts", accounts}};
  Json keys = Json::object();
  for (const auto& [print, entry] : own.members()) {
    if (entry.is_object()) keys.member(print) = entry;
  }
  if (keys.size() > 0) profile.member("sshPublicKeys") = keys;
  return import ? Json{{"loginProfile", profile}} : profile;
}

bool Neighbours::is_batch(const Call& call) { return call.method == "POST" && starts(call, {"batch"}); }

namespace {
/// One part: an HTTP request as text. The outer request's headers stand in for what it lacks.
api::Request parse_part(const std::string& text, const Call& outer) {
  const auto gap = text.find("\n\n");
  const std::string head = text.substr(0, gap);
  const auto lines = text::split(head, '\n');
  const auto words = text::split(lines.empty() ? "" : lines[0], ' ');
  if (words.size() < 2) throw ApiError(400, "A part of the batch is no request.");
  api::Request out;
  out.method = words[0];
  const auto scheme = words[1].find("://");
  const auto slash = scheme == std::string::npos ? 0 : words[1].find('/', scheme + 3);
  out.url = outer.origin + words[1].substr(std::min(slash, words[1].size()));
  out.headers = outer.request->headers;
  out.body = gap == std::string::npos ? "" : std::string(text::trim(text.substr(gap + 2)));
  return out;
}

std::string header_of(const std::string& head, const std::string& name) {
  for (const std::string& line : text::split(head, '\n')) {
    const auto colon = line.find(':');
    if (colon != std::string::npos && text::lower(line.substr(0, colon)) == name) {
      return std::string(text::trim(line.substr(colon + 1)));
    }
  }
  return {};
}
}  // namespace

api::Response Neighbours::batch(const Call& call) {
  const std::string type = call.header("Content-Type");
  const auto at = type.find("boundary=");
  if (at == std::string::npos) throw ApiError(400, "The batch has no boundary.");
  const std::string boundary = text::replace_all(type.substr(at + 9, type.find(';', at) - at - 9), "\"", "");
  const std::string body = text::replace_all(call.request->body, "\r\n", "\n");
  std::string out;
  std::size_t start = body.find("--" + boundary);
  while (start != std::string::npos) {
    start = body.find('\n', start);
    const std::size_t end = start == std::string::npos ? start : body.find("--" + boundary, start);
    if (end == std::string::npos) break;
    const std::string part = body.substr(start + 1, end - start - 1);
    const auto gap = part.find("\n\n");
    if (gap == std::string::npos) throw ApiError(400, "A part of the batch is no request.");
    std::string id = header_of(part.substr(0, gap), "content-id");
    if (!id.empty() && id[0] == '<') id.insert(1, "response-");
    const api::Response answer = route_(parse_part(part.substr(gap + 2), call));
    out += "--batch\r\nContent-Type: application/http\r\nContent-ID: " + id + "\r\n\r\nHTTP/1.1 " +
           std::to_string(answer.status) + " OK\r\nContent-Type: application/json; charset=UTF-8\r\n\r\n" +
           answer.body + "\r\n";
    start = end;
  }
  api::Response response;
  response.status = 200;
  response.headers = {{"Content-Type", "multipart/mixed; boundary=batch"}};
  response.body = out + "--batch--\r\n";
  return response;
}

}  // namespace tpuctl::emulator
