// SPDX-License-Identifier: Apache-2.0
#include "launch/workers.hpp"

#include <algorithm>
#include <set>

#include "api/operations.hpp"
#include "base/error.hpp"
#include "base/text.hpp"

namespace tpuctl::launch {

std::string first_and_more(const std::vector<Worker>& workers) {
  if (workers.empty()) return {};
  return workers[0].label() + (workers.size() > 1 ? " and " + std::to_string(workers.size() - 1) + " more" : "");
}

namespace {

[[noreturn]] void bad_list(std::string_view text, const std::string& noun) {
  throw Error(Kind::usage, "Invalid value for [--" + noun + "]: [" + std::string(text) + "].",
              "Use a number, a list of numbers and ranges like 0,2-5, or all.");
}

// Number after the last '-' of a node id, for ordering; a large one when there is none.
std::int64_t suffix(const std::string& id) {
  return text::parse_int(std::string_view(id).substr(id.rfind('-') + 1)).value_or(1 << 30);
}

void sort_by_suffix(std::vector<api::Name>& names) {
  std::stable_sort(names.begin(), names.end(), [](const api::Name& a, const api::Name& b) {
    return std::pair(suffix(a.id), a.id) < std::pair(suffix(b.id), b.id);
  });
}

}  // namespace

std::vector<int> parse_index_list(std::string_view text, int count, const std::string& noun) {
  std::set<int> chosen;
  auto add = [&](std::int64_t index) {
    if (index < 0) bad_list(text, noun);
    if (index >= count) {
      throw Error(Kind::failure, "There is no " + noun + " " + std::to_string(index) + ": there " +
                                     (count == 1 ? "is one, number 0."
                                                 : "are " + std::to_string(count) + ", numbers 0 to " + std::to_string(count - 1) + "."));
    }
    chosen.insert(static_cast<int>(index));
  };
  if (text == "all") {
    for (int i = 0; i < count; ++i) add(i);
    return {chosen.begin(), chosen.end()};
  }
  for (const std::string& piece : text::split(text, ',')) {
    const auto dash = piece.find('-');
    const auto first = text::parse_int(piece.substr(0, dash));
    if (!first) bad_list(text, noun);
    if (dash == std::string::npos) {
      add(*first);
      continue;
    }
    const auto last = text::parse_int(std::string_view(piece).substr(dash + 1));
    if (!last || *first >= *last) bad_list(text, noun);
    for (auto i = *first; i <= *last; ++i) add(i);
  }
  if (chosen.empty()) bad_list(text, noun);
  return {chosen.begin(), chosen.end()};
}

void check_reachable_state(const Json& node, const std::string& id, const Warn& warn) {
  const std::string& state = node["state"].text();
  static const std::set<std::string> kTerminal = {"PREEMPTED", "TERMINATED"};
  static const std::set<std::string> kOff = {"STOPPED", "STOPPING", "DELETING", "HIDDEN"};
  static const std::set<std::string> kBetween = {"CREATING", "STARTING", "REPAIRING", "HIDING", "UNHIDING", "STATE_UNSPECIFIED"};
  if (kTerminal.contains(state)) {
    throw Error(Kind::failure, "TPU VM [" + id + "] is " + state + " and will not come back.",
                "Delete it and create it again: tpuctl tpu-vm delete " + id);
  }
  if (kOff.contains(state)) throw Error(Kind::failure, "TPU VM [" + id + "] is " + state + "; ssh needs it READY.");
  if (kBetween.contains(state)) warn("TPU VM [" + id + "] is " + state + "; ssh may not work yet.");
  if (node["health"].text() == "UNHEALTHY_MAINTENANCE") {
    warn("TPU VM [" + id + "] is under maintenance; ssh may not work until it is over.");
  }
}

int worker_count(const Json& node) {
  const auto interfaces = std::max<std::size_t>(1, node["networkConfigs"].size());
  return static_cast<int>((node["networkEndpoints"].size() + interfaces - 1) / interfaces);
}

std::vector<Worker> read_workers(api::Client& client, const api::Name& name, const Json& node, const std::string& chosen,
                                 bool internal_ip) {
  const int count = worker_count(node);
  const auto interfaces = std::max<std::size_t>(1, node["networkConfigs"].size());
  std::vector<Worker> workers;
  for (const int index : parse_worker_list(chosen, count)) {
    const Json& endpoint = node["networkEndpoints"][static_cast<std::size_t>(index) * interfaces];
    Worker worker;
    worker.node = name.id;
    worker.owner = name.full();
    worker.index = index;
    const std::string& external = endpoint["accessConfig"]["externalIp"].text();
    worker.internal_address = endpoint["ipAddress"].text();
    worker.external = !external.empty();
    worker.address = internal_ip || external.empty() ? worker.internal_address : external;
    worker.alias = "tpu." + node["id"].scalar() + "-" + std::to_string(index);
    if (worker.address.empty()) {
      throw Error(Kind::failure, "Worker " + std::to_string(index) + " of TPU VM [" + name.id + "] has no address yet.");
    }
    workers.push_back(std::move(worker));
  }

  api::Call call = client.verb_call(name, "getGuestAttributes", Json::object());
  call.repeat = api::Repeat::always;
  // gcloud asks for all workers with one empty id.
  const bool one_of_many = workers.size() == 1 && node["networkEndpoints"].size() > 1;
  call.body.set("/workerIds", Json::strings({one_of_many ? std::to_string(workers[0].index) : ""}));
  Json answer;
  try {
    answer = client.send(call);
  } catch (const Error& error) {
    if (error.http == 0) throw;  // the service answers, but not with guest attributes: go on without
    return workers;
  }
  for (std::size_t i = 0; i < workers.size(); ++i) {
    const std::size_t position = one_of_many ? 0 : static_cast<std::size_t>(workers[i].index);
    for (const Json& item : answer["guestAttributes"][position].at("/queryValue/items").items()) {
      if (item["key"].text() == "hostname") workers[i].hostname = item["value"].text();
      if (item["namespace"].text() != "hostkeys") continue;
      const std::string data(text::trim(item["value"].text()));
      workers[i].host_keys.push_back({item["key"].text(), data});
      if (item["key"].text() == "ssh-ed25519" && data.size() >= 6) workers[i].alias += "-" + data.substr(data.size() - 6);
    }
  }
  return workers;
}

namespace {

std::vector<api::Name> nodes_of_queued_resource(api::Client& client, const std::string& id, const std::string& project,
                                                const std::string& zone) {
  const api::Name name = api::parse_name(id).value_or(api::Name{project, zone, "queuedResources", id});
  const Json resource = client.get(name);
  const std::string state = api::state_of(resource);
  if (state != "ACTIVE" && state != "SUSPENDING") {
    const std::string reason = api::state_reason(resource);
    throw Error(Kind::failure, "Queued resource [" + name.id + "] is " + state + (reason.empty() ? "." : ": " + reason),
                state == "SUSPENDED" || state == "FAILED"
                    ? "It does not come back by itself. Delete it, and ask again: tpuctl queued-resources delete " + name.id + " --force"
                    : "Wait until its nodes are there: tpuctl queued-resources wait " + name.id);
  }
  std::vector<api::Name> out;
  for (const Json& spec : resource.at("/tpu/nodeSpec").items()) {
    if (!spec["nodeId"].text().empty()) out.push_back({name.project, name.location, "nodes", spec["nodeId"].text()});
  }
  sort_by_suffix(out);
  return out;
}

std::vector<api::Name> nodes_of_prefix(api::Client& client, const std::string& prefix, const std::string& project,
                                       const std::string& zone) {
  std::vector<api::Name> out;
  std::vector<std::string> unreachable;
  client.list({project, zone, "nodes", ""}, 0,
              [&](const Json& node) {
                const std::string id = api::short_id(node["name"].text());
                const bool numbered = id.starts_with(prefix + "-") && text::parse_int(id.substr(prefix.size() + 1));
                if (id == prefix || numbered) out.push_back({project, zone, "nodes", id});
                return true;
              },
              unreachable);
  sort_by_suffix(out);
  return out;
}

}  // namespace

std::vector<api::Name> find_nodes(api::Client& client, const Target& target, const std::string& project,
                                  const std::string& zone) {
  std::vector<api::Name> out;
  std::string what;
  if (!target.queued_resource.empty()) {
    out = nodes_of_queued_resource(client, target.queued_resource, project, zone);
    what = "queued resource [" + target.queued_resource + "]";
  } else if (!target.prefix.empty()) {
    out = nodes_of_prefix(client, target.prefix, project, zone);
    what = "prefix [" + target.prefix + "]";
  } else {
    for (const std::string& tpu : target.tpus) {
      out.push_back(api::parse_name(tpu).value_or(api::Name{project, zone, "nodes", tpu}));
    }
  }
  if (out.empty()) throw Error(Kind::not_found, "No TPU VM belongs to the " + what + ".", "See: tpuctl tpu-vm list");
  return out;
}

std::vector<Slice> read_slices(api::Client& client, const std::vector<api::Name>& names, bool internal_ip, const Warn& warn) {
  std::vector<Slice> slices;
  for (const api::Name& name : names) {
    Slice slice{name, client.get(name), {}};
    check_reachable_state(slice.node, name.id, warn);
    slice.workers = read_workers(client, name, slice.node, "all", internal_ip);
    for (Worker& worker : slice.workers) worker.slice = static_cast<int>(slices.size());
    slices.push_back(std::move(slice));
  }
  for (const Slice& slice : slices) {
    const bool one_multislice = slice.node["multisliceNode"].boolean() &&
                                slice.node["queuedResource"].text() == slices[0].node["queuedResource"].text();
    if (slices.size() > 1 && !one_multislice) {
      throw Error(Kind::failure, "TPU VM [" + slice.name.id + "] is not a slice of the same multislice as [" + slices[0].name.id + "].",
                  "Slices must come from one queued resource made with --node-count.");
    }
  }
  return slices;
}

std::vector<Worker> all_workers(const std::vector<Slice>& slices) {
  std::vector<Worker> out;
  for (const Slice& slice : slices) out.insert(out.end(), slice.workers.begin(), slice.workers.end());
  return out;
}

}  // namespace tpuctl::launch
