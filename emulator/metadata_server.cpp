// SPDX-License-Identifier: Apache-2.0
#include "emulator/metadata_server.hpp"

#include <algorithm>
#include <chrono>
#include <optional>

#include "base/text.hpp"

namespace tpuctl::emulator {

namespace {

constexpr std::string_view kRoot = "/computeMetadata/v1";
constexpr std::int64_t kDefaultWait = 300;  // seconds
constexpr std::int64_t kLongestWait = 3600;

api::Response reply(int status, std::string_view type, std::string body) {
  api::Response out;
  out.status = status;
  out.headers = {{"Metadata-Flavor", "Google"}, {"Server", "Metadata Server for VM"}, {"Content-Type", std::string(type)}};
  out.body = std::move(body);
  return out;
}

bool is_container(const Json& value) { return value.is_object() || value.is_array(); }

/// A list of plain values (scopes, aliases) is itself a value, one a line; an access token is a value in JSON.
bool is_folder(std::string_view name, const Json& value) {
  if (value.is_object()) return name != "token";
  return std::any_of(value.items().begin(), value.items().end(), is_container);
}

std::string value_text(const Json& value) {
  if (value.is_object()) return value.dump();
  std::string out;
  for (const auto& item : value.items()) out += item.scalar() + "\n";
  return value.is_array() ? out : value.scalar();
}

/// Follows "instance/attributes/x"; nullptr when there is no such thing.
const Json* find(const Json& tree, std::string_view path) {
  const Json* at = &tree;
  for (const auto& part : text::split(path, '/')) {
    if (part.empty()) continue;
    if (at->is_array()) {
      const auto index = text::parse_int(part);
      if (!index || *index < 0 || static_cast<std::size_t>(*index) >= at->size()) return nullptr;
      at = &at->items()[static_cast<std::size_t>(*index)];
    } else {
      at = at->find(part);
    }
    if (!at) return nullptr;
  }
  return at;
}

std::string listing(const Json& folder) {
  std::string out;
  for (std::size_t i = 0; i < folder.items().size(); ++i) {
    out += std::to_string(i) + (is_folder("", folder.items()[i]) ? "/\n" : "\n");
  }
  for (const auto& member : folder.members()) out += member.name + (is_folder(member.name, member.value) ? "/\n" : "\n");
  return out;
}

/// The recursive JSON spells the service's own names in camelCase (maintenanceEvent); a user's attributes stay.
std::string camel(const std::string& name) {
  std::string out;
  bool up = false;
  for (const char c : name) {
    if (c == '-') {
      up = true;
    } else {
      out += up ? text::upper(std::string_view(&c, 1)) : std::string(1, c);
      up = false;
    }
  }
  return out;
}

Json recursive_json(const Json& value, bool user_names) {
  if (value.is_array()) {
    Json out = Json::array();
    for (const auto& item : value.items()) out.push(recursive_json(item, user_names));
    return out;
  }
  if (!value.is_object()) return value;
  Json out = Json::object();
  for (const auto& member : value.members()) {
    if (member.name == "token" && member.value.is_object()) continue;  // a token is given only when asked for by name
    out.member(user_names ? member.name : camel(member.name)) =
        recursive_json(member.value, user_names || member.name == "attributes");
  }
  return out;
}

void recursive_text(const Json& value, const std::string& path, std::string& out) {
  if (!is_container(value)) {
    out += path + " " + value.scalar() + "\n";
    return;
  }
  const std::string prefix = path.empty() ? "" : path + "/";
  for (std::size_t i = 0; i < value.items().size(); ++i) recursive_text(value.items()[i], prefix + std::to_string(i), out);
  for (const auto& member : value.members()) {
    if (is_folder(member.name, member.value) || !member.value.is_object()) {
      recursive_text(member.value, prefix + member.name, out);
    }
  }
}

/// The last part of "/a/b/".
std::string_view name_of(std::string_view path) {
  while (!path.empty() && path.back() == '/') path.remove_suffix(1);
  return path.substr(path.rfind('/') + 1);
}

std::string etag_of(const Json* value) { return value ? text::sha256_hex(value->dump()).substr(0, 16) : "0"; }

}  // namespace

struct MetadataServer::Query {
  bool recursive = false;
  bool wait = false;
  std::optional<std::string> last_etag;
  std::optional<std::int64_t> timeout_sec;
  std::string alt;
  std::string raw;

  explicit Query(std::string_view text) : raw(text) {
    for (const auto& pair : text::split(text, '&')) {
      const auto equal = pair.find('=');
      const std::string name = pair.substr(0, equal);
      const std::string value = equal == std::string::npos ? "" : text::percent_decode(pair.substr(equal + 1));
      if (name == "recursive") recursive = text::lower(value) == "true";
      if (name == "wait_for_change") wait = text::lower(value) == "true";
      if (name == "last_etag") last_etag = value;
      if (name == "timeout_sec") timeout_sec = text::parse_int(value);
      if (name == "alt") alt = text::lower(value);
    }
  }
};

namespace {

api::Response show(const Json& value, const std::string& path, bool recursive, std::string_view alt, const std::string& raw_query) {
  if (!is_folder(name_of(path), value)) {
    const bool json = alt == "json" || value.is_object();
    return reply(200, json ? "application/json" : "text/plain", json ? value.dump() : value_text(value));
  }
  if (alt == "json" || (recursive && alt != "text")) {
    const bool user_names = path.find("/attributes") != std::string::npos;
    return reply(200, "application/json", recursive_json(value, user_names).dump());
  }
  if (path.back() != '/') {
    auto out = reply(301, "text/plain", "");
    out.headers.emplace_back("Location", path + "/" + (raw_query.empty() ? "" : "?" + raw_query));
    return out;
  }
  if (!recursive) return reply(200, "text/plain", listing(value));
  std::string lines;
  recursive_text(value, "", lines);
  return reply(200, "text/plain", lines);
}

std::string_view path_of(std::string_view url) {
  const auto scheme = url.find("://");
  if (scheme == std::string_view::npos) return url;
  const auto slash = url.find('/', scheme + 3);
  return slash == std::string_view::npos ? "/" : url.substr(slash);
}

std::string_view header_of(const api::Request& request, std::string_view name) {
  for (const auto& [key, value] : request.headers) {
    if (text::lower(key) == name) return value;
  }
  return {};
}

}  // namespace

void MetadataServer::set(Json tree) {
  {
    const std::lock_guard lock(mutex_);
    tree_ = std::move(tree);
  }
  changed_.notify_all();
}

void MetadataServer::close() {
  {
    const std::lock_guard lock(mutex_);
    closed_ = true;
  }
  changed_.notify_all();
}

bool MetadataServer::wait_for_change(std::unique_lock<std::mutex>& lock, const std::string& path, const Query& query) {
  const std::string known = query.last_etag.value_or(etag_of(find(tree_, path)));
  const std::chrono::seconds limit{std::clamp<std::int64_t>(query.timeout_sec.value_or(kDefaultWait), 0, kLongestWait)};
  return changed_.wait_for(lock, limit, [&] { return closed_ || etag_of(find(tree_, path)) != known; });
}

api::Response MetadataServer::answer(const api::Request& request) {
  const std::string_view target = path_of(request.url);
  const auto question = target.find('?');
  const std::string path = text::percent_decode(target.substr(0, question));
  const Query query(question == std::string_view::npos ? "" : target.substr(question + 1));

  if (request.method != "GET" && request.method != "HEAD") return reply(405, "text/plain", "Method not allowed.\n");
  if (path == "/") return reply(200, "text/plain", "computeMetadata/\n");
  if (path == "/computeMetadata" || path == "/computeMetadata/") return reply(200, "text/plain", "v1/\n");
  if (!header_of(request, "x-forwarded-for").empty()) {
    return reply(403, "text/plain", "Requests with an X-Forwarded-For header are refused.\n");
  }
  if (header_of(request, "metadata-flavor") != "Google") {
    return reply(403, "text/plain", "Missing Metadata-Flavor:Google header.\n");
  }
  if (path.rfind(kRoot, 0) != 0 || (path.size() > kRoot.size() && path[kRoot.size()] != '/')) {
    return reply(404, "text/plain", "Not found: " + path + "\n");
  }

  const std::string inside = path.substr(kRoot.size());
  std::unique_lock lock(mutex_);
  if (query.wait && find(tree_, inside)) wait_for_change(lock, inside, query);
  const Json* value = find(tree_, inside);
  if (!value || (!is_folder(name_of(path), *value) && path.back() == '/')) {
    return reply(404, "text/plain", "Not found: " + path + "\n");
  }
  auto out = show(*value, path, query.recursive, query.alt, query.raw);
  out.headers.emplace_back("ETag", etag_of(value));
  return out;
}

}  // namespace tpuctl::emulator
