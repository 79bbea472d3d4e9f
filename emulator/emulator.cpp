// SPDX-License-Identifier: Apache-2.0
#include "emulator/emulator.hpp"

#include <set>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/text.hpp"
#include "emulator/api_error.hpp"
#include "emulator/metadata.hpp"

namespace tpuctl::emulator {

namespace {
ApiError unauthenticated() {
  Json details = Json::array();
  details.push(Json{{"@type", "type.googleapis.com/google.rpc.ErrorInfo"},
                    {"reason", "CREDENTIALS_MISSING"},
                    {"domain", "googleapis.com"},
                    {"metadata", Json{{"service", "tpu.googleapis.com"}}}});
  return ApiError(401,
                  "Request is missing required authentication credential. Expected OAuth 2 access token, login cookie "
                  "or other valid authentication credential. See "
                  "https://developers.google.com/identity/sign-in/web/devconsole-project.",
                  {}, details);
}

bool is_control(const Call& call) { return call.segments.size() >= 2 && call.segments[0] == "emulator"; }
}  // namespace

Emulator::Emulator(EmulatorOptions options, WorkerHost& host, Clock& clock)
    : options_(std::move(options)),
      host_(host),
      clock_(clock),
      store_(options_.dir),
      life_(store_, faults_, host, clock, options_.speed, options_.log),
      tpu_(life_, faults_),
      neighbours_(life_, [this](const api::Request& part) { return route(Call(part)); }),
      storage_(options_.dir, clock) {
  if (options_.speed <= 0) throw Error(Kind::usage, "The speed must be greater than 0.");
  life_.resume();
  for (const std::string& spec : options_.faults) add_fault(spec);
  store_.save();
}

api::Response Emulator::send(const api::Request& request) {
  advance();
  api::Response out = answer(request);
  advance();
  const std::string fault(out.header(kFaultHeader));
  if (fault.empty()) return out;
  api::Response lost;
  lost.failure = api::Failure{api::Failure::Phase::lost, false, false,
                              fault == "reset" ? "The connection was reset." : "The answer was cut short."};
  return lost;
}

api::Response Emulator::answer(const api::Request& request) {
  const Call call(request);
  if (is_control(call)) return control(call);
  Duration delay;
  std::optional<Fault> fault;
  {
    const std::lock_guard lock(mutex_);
    delay = faults_.delay(call.method, call.path);
    fault = faults_.take(call.method, call.path);
  }
  if (delay > Duration(0)) clock_.sleep(delay);
  api::Response out = fault ? apply(*fault, call) : route(call);
  options_.log(call.method + " " + call.path + " " + std::to_string(out.status) +
               (fault ? " (fault " + fault->spec + ")" : ""));
  return out;
}

api::Response Emulator::apply(const Fault& fault, const Call& call) {
  api::Response out;
  if (fault.kind == "http") {
    out = json_response(fault.status, ApiError(fault.status, "The emulator was told to answer with " +
                                                                 std::to_string(fault.status) + ".").body());
    if (!fault.retry_after.empty()) out.headers.emplace_back("Retry-After", fault.retry_after);
  } else if (fault.kind == "garbage") {
    out = json_response(200, {});
    out.body = "{\"name\": \"projects/";
  } else {
    if (fault.kind == "reset") {
      out.status = 200;
    } else {
      out = route(call);
    }
    out.headers.emplace_back(kFaultHeader, fault.kind == "truncate" ? "truncate" : "reset");
  }
  return out;
}

api::Response Emulator::route(const Call& call) {
  try {
    if (Neighbours::is_open(call)) return neighbours_.open(call);
    if (bearer_token(call).empty()) throw unauthenticated();
    if (StorageService::owns(call)) return storage_.handle(call);
    if (Neighbours::is_batch(call)) return neighbours_.batch(call);
    const std::lock_guard lock(mutex_);
    Json body;
    if (TpuService::owns(call)) {
      body = tpu_.handle(call);
    } else if (Neighbours::owns(call)) {
      body = neighbours_.handle(call);
    } else {
      throw ApiError(404, "The requested URL " + call.path + " was not found on this server.");
    }
    if (call.method != "GET") store_.changed();
    store_.save();
    return json_response(200, body);
  } catch (const ApiError& error) {
    return json_response(error.http, error.body());
  } catch (const std::exception& error) {
    options_.log("Internal error in " + call.method + " " + call.path + ": " + error.what());
    return json_response(500, ApiError(500, error.what()).body());
  }
}

api::Response Emulator::control(const Call& call) {
  // A page in the user's browser can reach loopback too; it says so, and has no business here.
  if (!call.header("Origin").empty()) return json_response(403, ApiError(403, "Not for web pages.").body());
  const std::string what = call.segments.size() == 3 && call.segments[1] == "v1" ? call.segments[2] : "";
  try {
    if (what == "health" && call.method == "GET") return json_response(200, Json{{"status", "ok"}});
    if (what == "faults" && call.method == "POST") {
      Json specs = call.json()["specs"];
      if (specs.is_null()) specs.push(call.json()["spec"]);
      for (const Json& spec : specs.items()) Faults::parse(spec.text());  // all or none
      for (const Json& spec : specs.items()) add_fault(spec.text());
    }
    if (what == "faults") {
      const std::lock_guard lock(mutex_);
      return json_response(200, Json{{"faults", faults_.list()}});
    }
    if (what == "shutdown" && call.method == "POST") {
      const std::lock_guard lock(mutex_);
      shutdown_ = true;
      return json_response(200, Json::object());
    }
  } catch (const ApiError& error) {
    return json_response(error.http, error.body());
  } catch (const Error& error) {
    Json body = ApiError(error.kind == Kind::not_found ? 404 : 400, error.what()).body();
    if (!error.hint.empty()) body.member("error").member("hint") = error.hint;
    return json_response(error.kind == Kind::not_found ? 404 : 400, body);
  }
  return json_response(404, no_method().body());
}

void Emulator::add_fault(const std::string& spec) {
  Fault fault = Faults::parse(spec);
  options_.log("Fault: " + spec);
  if (fault.kind == "shortage") fault.delay = life_.service(to_seconds(fault.delay));
  static const std::set<std::string_view> kMachines = {"hang", "full", "block", "heal", "refuse", "late", "keys"};
  const bool machines = kMachines.contains(fault.kind);
  if (machines || fault.kind == "none") afflict(fault);
  const std::lock_guard lock(mutex_);
  if (fault.kind == "preempt" || fault.kind == "replace") {
    const std::string name = node_called(fault.argument).doc["name"].text();
    life_.plan(Duration(0), Json{{"kind", fault.kind}, {"step", fault.kind == "preempt" ? "notice" : "fail"}, {"subject", name},
                                 {"op", ""}, {"unseen", fault.unseen}});
    store_.save();
  } else if (fault.kind == "announce") {
    announce_maintenance(life_, node_called(fault.argument).doc["name"].text(), fault.worker, fault.delay);
    store_.save();
  } else if (!machines) {
    faults_.add(std::move(fault), clock_.now());
  }
}

const Record& Emulator::node_called(const std::string& given) const {
  for (const auto& [name, record] : store_.nodes) {
    if (name == given || Name::parse(name).id == given) return record;
  }
  throw Error(Kind::not_found, "There is no node [" + given + "].");
}

void Emulator::afflict(const Fault& fault) {
  std::vector<WorkerId> ids;
  {
    const std::lock_guard lock(mutex_);
    auto add = [&](const Record& node) {
      const int count = node.hidden["up"].boolean() ? worker_count(node) : 0;
      if (fault.worker >= count) {
        throw Error(Kind::not_found, "Node [" + fault.argument + "] has no worker " + std::to_string(fault.worker) + ".");
      }
      for (int i = 0; i < count; ++i) {
        if (fault.worker < 0 || fault.worker == i) ids.push_back(worker_id(node, i));
      }
    };
    if (fault.kind == "none") {
      for (const auto& [name, node] : store_.nodes) add(node);
    } else {
      add(node_called(fault.argument));
    }
  }
  for (const WorkerId& id : ids) {
    if (fault.kind == "hang") host_.hang(id);
    if (fault.kind == "full") host_.fill(id, fault.bytes);
    if (fault.kind == "block") host_.block(id, fault.port);
    if (fault.kind == "refuse" || fault.kind == "late" || fault.kind == "keys") host_.hamper(id, fault.kind, fault.delay);
    if (fault.kind == "heal" || fault.kind == "none") host_.heal(id);
  }
}

void Emulator::advance() {
  const std::unique_lock turn(advance_mutex_, std::try_to_lock);
  if (!turn.owns_lock()) return;
  std::unique_lock lock(mutex_);
  while (life_.run_one(lock)) {
  }
}

void Emulator::halt_workers() {
  const std::lock_guard turn(advance_mutex_);
  const std::lock_guard lock(mutex_);
  for (const auto& [name, node] : store_.nodes) {
    for (int i = 0; node.hidden["up"].boolean() && i < worker_count(node); ++i) host_.halt(worker_id(node, i));
  }
  store_.save();
}

bool Emulator::shutdown_requested() {
  const std::lock_guard lock(mutex_);
  return shutdown_;
}

}  // namespace tpuctl::emulator
