// SPDX-License-Identifier: Apache-2.0
#include "api/client.hpp"

#include <set>

#include "api/errors.hpp"
#include "api/operations.hpp"
#include "api/retry.hpp"
#include "base/error.hpp"
#include "base/text.hpp"
#include "base/utf8.hpp"

namespace tpuctl::api {

namespace {
// nodes -> nodeId, queuedResources -> queuedResourceId
std::string id_parameter(const std::string& collection) { return collection.substr(0, collection.size() - 1) + "Id"; }

Request to_request(const Call& call, std::string url) {
  Request request;
  request.method = call.method;
  request.url = std::move(url);
  request.repeat = call.repeat;
  request.headers.emplace_back("Accept", "application/json");
  if (!call.body.is_null()) {
    request.headers.emplace_back("Content-Type", "application/json");
    request.body = call.body.dump();
  }
  return request;
}

// Whether a node can be what `body` asked for; what the service does not tell, or rewrites, does not speak against it.
bool is_what_was_asked(const Json& resource, const Json& body) {
  for (const char* field : {"acceleratorType", "runtimeVersion", "description", "labels"}) {
    const Json &asked = body[field], &there = resource[field];
    if (asked.is_null() || there.is_null()) continue;
    if (asked.is_string() ? short_id(asked.text()) != short_id(there.text()) : !(asked == there)) return false;
  }
  return true;
}

// JSON is UTF-8: anything else would reach the service as something else.
Json checked(Json body, const std::string& place = {}) {
  if (!utf8::is_valid(body.is_string() ? body.text() : std::string_view())) {
    throw Error(Kind::usage, "The value of [" + place + "] is not UTF-8 text.", "Encode what is no text, for example with base64.");
  }
  for (const Json& item : body.items()) checked(item, place);
  for (const Json::Member& member : body.members()) {
    const std::string below = place.empty() ? member.name : place + "." + member.name;
    if (!utf8::is_valid(member.name)) throw Error(Kind::usage, "The name [" + utf8::mended_json(below) + "] is not UTF-8 text.");
    checked(member.value, below);
  }
  return body;
}

Json finished_operation(Json resource) {
  return Json{{"done", true}, {"response", std::move(resource)}};
}
}  // namespace

std::string Client::url(const Call& call) const {
  std::string out = base_ + call.path + "?alt=json";
  for (const auto& [name, value] : call.query) out += "&" + name + "=" + text::percent_encode(value);
  return out;
}

Json Client::send(const Call& call) {
  const std::string target = url(call);
  const Response response = transport_.send(to_request(call, target));
  if (response.failure || response.status < 200 || response.status >= 300) throw to_error(response, target);
  return parse_answer(response, target);
}

Json Client::send(const Call& call, std::string_view list, const std::function<bool(Json)>& item) {
  const std::string target = url(call);
  const Response response = transport_.send(to_request(call, target));
  if (response.failure || response.status < 200 || response.status >= 300) throw to_error(response, target);
  std::size_t seen = 0;
  bool stopped = false;
  const std::function<bool(Json)> hand_out = [&](Json row) {
    if (!row.is_object()) throw Error(Kind::failure, "The answer's list of " + std::string(list) + " holds something that is no object.");
    ++seen;
    stopped = !item(std::move(row));
    return !stopped;
  };
  Json rest;
  if (Json::try_parse(response.body, list, hand_out, rest) && (stopped || rest.is_object())) return rest;
  // Broken text is mended and read again, past what was handed out.
  std::size_t known = seen;
  const std::function<bool(Json)> hand_out_new = [&](Json row) {
    if (known == 0) return hand_out(std::move(row));
    --known;
    return true;
  };
  if (Json::try_parse(utf8::mended_json(response.body), list, hand_out_new, rest) && (stopped || rest.is_object())) return rest;
  return parse_answer(response, target);  // says what is wrong with it
}

Json Client::get(const Name& name) {
  Call call;
  call.path = version_ + "/" + name.path();
  return send(call);
}

Json Client::get_operation(const std::string& full_name) {
  Call call;
  call.path = version_ + "/" + full_name;
  return send(call);
}

Call Client::verb_call(const Name& name, std::string_view verb, Json body) const {
  Call call;
  call.method = "POST";
  call.path = version_ + "/" + name.path() + ":" + std::string(verb);
  call.body = checked(std::move(body));
  call.repeat = Repeat::unless_carried_out;
  return call;
}

bool Client::takes_request_id(const std::string& collection) const {
  return collection == "queuedResources" || (collection == "nodes" && version_ == "v2alpha1");
}

Call Client::create_call(const Name& name, Json body) const {
  Call call;
  call.method = "POST";
  Name collection = name;
  collection.id.clear();
  call.path = version_ + "/" + collection.path();
  call.query = {{id_parameter(name.collection), name.id}};
  call.body = checked(std::move(body));
  call.repeat = Repeat::unless_carried_out;
  if (takes_request_id(name.collection)) {
    call.query.emplace_back("requestId", text::uuid4());
    call.repeat = Repeat::always;
  }
  return call;
}

Call Client::remove_call(const Name& name, bool force) const {
  Call call;
  call.method = "DELETE";
  call.path = version_ + "/" + name.path();
  call.repeat = Repeat::unless_carried_out;
  if (force) call.query.emplace_back("force", "true");
  if (takes_request_id(name.collection)) {
    call.query.emplace_back("requestId", text::uuid4());
    call.repeat = Repeat::always;
  }
  return call;
}

Call Client::patch_call(const Name& name, Json body, const std::vector<std::string>& mask) const {
  Call call;
  call.method = "PATCH";
  call.path = version_ + "/" + name.path();
  call.query = {{"updateMask", text::join(mask, ",")}};
  call.body = checked(std::move(body));
  return call;
}

Response Client::look(const Name& name) {
  Call call;
  call.path = version_ + "/" + name.path();
  const std::string target = url(call);
  Response response = transport_.send(to_request(call, target));
  const bool answered = !response.failure && ((response.status >= 200 && response.status < 300) || response.status == 404);
  if (!answered) throw to_error(response, target);
  return response;
}

// After a lost answer: the operation of the create that did arrive, or a stand-in when only its result is left; null when
// the resource is not there, or is not what was asked for: somebody else's, from before.
Json Client::adopt(const Name& name, const Json& body) {
  const Response response = look(name);
  if (response.status == 404) return {};
  Json resource = parse_answer(response, name.full());
  if (!is_what_was_asked(resource, body)) return {};
  Json found;
  std::vector<std::string> unreachable;
  Name operations{name.project, name.location, "operations", ""};
  list(operations, 0,
       [&](Json operation) {
         const Json& metadata = operation["metadata"];
         if (metadata["target"].text() == name.full() && metadata["verb"].text() == "create" && !operation["done"].boolean()) {
           found = std::move(operation);
         }
         return found.is_null();
       },
       unreachable);
  return found.is_null() ? finished_operation(std::move(resource)) : found;
}

Json Client::create(const Name& name, const Json& body) {
  const Call call = create_call(name, body);
  const std::string target = url(call);
  const RetryPolicy policy;
  bool perhaps_done = false;
  for (int attempt = 1;; ++attempt) {
    const Response response = transport_.send(to_request(call, target));
    if (!response.failure && response.status >= 200 && response.status < 300) return operation_answer(parse_answer(response, target));
    if (response.status == 409) {
      // Ours from an earlier try, whose answer was lost.
      if (perhaps_done) {
        if (Json operation = adopt(name, body); !operation.is_null()) return operation;
      }
      // The service has been seen to say so about nothing. An answer that names the resource is believed.
      const Error conflict = to_error(response, target);
      if (!conflict.details.is_null()) throw conflict;
      const Response there = look(name);
      if (there.status != 404) {
        throw conflict.saying(std::string(conflict.what()) + " (it is " + state_of(parse_answer(there, name.full())) + ")");
      }
      if (attempt >= policy.tries) throw conflict;
      clock_.sleep(backoff(policy, attempt));
      continue;
    }
    if (call.repeat == Repeat::always || !is_transient(response) || surely_not_done(response) || attempt >= policy.tries) {
      throw to_error(response, target);
    }
    perhaps_done = true;
    clock_.sleep(seconds(0.5));
    if (Json operation = adopt(name, body); !operation.is_null()) return operation;
    clock_.sleep(backoff(policy, attempt));
  }
}

Json Client::remove(const Name& name, bool force) {
  const Call call = remove_call(name, force);
  const std::string target = url(call);
  const RetryPolicy policy;
  for (int attempt = 1;; ++attempt) {
    const Response response = transport_.send(to_request(call, target));
    if (!response.failure && response.status >= 200 && response.status < 300) return operation_answer(parse_answer(response, target));
    if (response.status == 404 && attempt > 1) return finished_operation(Json::object());
    if (call.repeat == Repeat::always || !is_transient(response) || surely_not_done(response) || attempt >= policy.tries) {
      throw to_error(response, target);
    }
    clock_.sleep(backoff(policy, attempt));
  }
}

void Client::list(const Name& collection, std::int64_t page_size, const std::function<bool(Json)>& item,
                  std::vector<std::string>& unreachable) {
  Call call;
  call.path = version_ + "/" + collection.path();
  std::string token;
  std::set<std::string> seen;
  for (;;) {
    call.query.clear();
    if (page_size > 0) call.query.emplace_back("pageSize", std::to_string(page_size));
    if (!token.empty()) call.query.emplace_back("pageToken", token);
    bool stopped = false;
    const Json page = send(call, collection.collection, [&](Json row) {
      stopped = !item(std::move(row));
      return !stopped;
    });
    const Json& rows = page[collection.collection];
    if (!rows.is_array() && !rows.is_null()) throw Error(Kind::failure, "The answer holds no list of " + collection.collection + ".");
    for (const Json& place : page["unreachable"].items()) unreachable.push_back(place.text());
    std::string next = page["nextPageToken"].text();
    if (stopped || next.empty()) return;
    if (!seen.insert(next).second) {
      throw Error(Kind::failure, "The list is not whole: the service gave the same page of " + collection.collection + " again.");
    }
    token = std::move(next);
  }
}

}  // namespace tpuctl::api
