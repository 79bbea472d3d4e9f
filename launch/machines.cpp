// SPDX-License-Identifier: Apache-2.0
#include "launch/machines.hpp"

#include <algorithm>

#include "api/operations.hpp"
#include "base/error.hpp"
#include "launch/remake.hpp"

namespace tpuctl::launch {

namespace {

constexpr Duration kPoll = std::chrono::milliseconds(1500);
constexpr Duration kReclaim = std::chrono::seconds(45);  // about 30 s of notice are given
// The service takes a while to see that nodes it took away make their queued resource useless; sometimes it never does.
constexpr Duration kAbsence = std::chrono::minutes(10);

constexpr Duration kUpon = std::chrono::minutes(5);  // who starts later than that before a window has little of it
constexpr Duration kFirstTry = std::chrono::seconds(5);  // between requests that found no capacity: doubled up to the last
constexpr Duration kLastTry = std::chrono::minutes(2);

// Windows are announced days before. Without a time that can be read it is taken for the present.
bool is_upon(const Json& upcoming, TimePoint now) {
  if (upcoming.empty()) return false;
  const auto start = parse_rfc3339(upcoming["windowStartTime"].text());
  return !start || upcoming["maintenanceStatus"].text() == "ONGOING" || *start <= now + kUpon;
}

bool is_gone(const SliceState& slice) { return slice.state.empty() || slice.state == "PREEMPTED" || slice.state == "TERMINATED"; }

}  // namespace

std::vector<SliceState> slice_states(api::Client& client, const std::vector<api::Name>& names) {
  std::vector<SliceState> out;
  for (const api::Name& name : names) {
    SliceState state;
    state.node = name.id;
    try {
      const Json node = client.get(name);
      state.state = node["state"].text();
      state.health = node["health"].text();
      state.maintenance_pending = is_upon(node["upcomingMaintenance"], client.clock().now());
    } catch (const Error& error) {
      if (error.kind != Kind::not_found) throw;
    }
    out.push_back(std::move(state));
  }
  return out;
}

bool on_spot(const std::vector<Slice>& slices) {
  return std::any_of(slices.begin(), slices.end(), [](const Slice& slice) {
    const Json& scheduling = slice.node["schedulingConfig"];
    return scheduling["spot"].boolean() || scheduling["preemptible"].boolean() || scheduling["provisioningModel"].text() == "SPOT";
  });
}

Machines::Machines(api::Client& client, Clock& clock, Say say, std::optional<api::Name> queued_resource, std::function<void()> before_anew)
    : client_(client), clock_(clock), say_(std::move(say)), queued_resource_(std::move(queued_resource)), before_anew_(std::move(before_anew)) {}

void Machines::remember(const std::vector<api::Name>& names) {
  if (queued_resource_) {
    description_ = client_.get(*queued_resource_);
    return;
  }
  const Json node = client_.get(names.at(0));  // of several, all belong to the queued resource of the first (read_slices)
  const auto owner = api::parse_name(node["queuedResource"].text());
  if (!owner) {
    if (names.size() > 1) return;
    node_ = names[0];
    description_ = node;
    return;
  }
  const Json queued = client_.get(*owner);
  if (queued.at("/tpu/nodeSpec").size() != names.size()) return;  // others use it, too
  queued_resource_ = owner;
  description_ = queued;
}

bool Machines::take_made_anew() {
  const bool out = made_anew_;
  made_anew_ = false;
  return out;
}

void Machines::pause(std::optional<TimePoint> deadline, const std::string& words) {
  if (deadline && clock_.now() >= *deadline) {
    throw Error(Kind::wait, "The machines of the job are not ready yet:" + words + ".");
  }
  clock_.sleep(kPoll);
}

Machines::Look Machines::look(const std::vector<api::Name>& names, std::string& words) {
  bool ready = true;
  bool gone = false;
  for (const SliceState& slice : slice_states(client_, names)) {
    const bool healthy = slice.health.empty() || slice.health == "HEALTHY";
    gone = gone || is_gone(slice);
    if (slice.quiet()) continue;
    ready = false;
    words += " " + slice.node + "=" + (slice.state.empty() ? "gone" : slice.state) + (healthy ? "" : "/" + slice.health) +
             (slice.maintenance_pending && healthy ? "/maintenance announced" : "");
  }
  return gone ? Look::gone : ready ? Look::ready : Look::waiting;
}

std::string Machines::queued_state() {
  if (!queued_resource_) return {};
  try {
    return api::state_of(client_.get(*queued_resource_));
  } catch (const Error& error) {
    if (error.kind != Kind::not_found) throw;
    return "gone";
  }
}

void Machines::wait_for_reclaim(const std::vector<api::Name>& names) {
  const TimePoint limit = clock_.now() + kReclaim;
  for (;;) {
    std::string words;
    const std::string state = queued_state();
    if (look(names, words) != Look::ready || (!state.empty() && state != "ACTIVE") || clock_.now() >= limit) return;
    clock_.sleep(kPoll);
  }
}

bool Machines::wait_until_ready(const std::vector<api::Name>& names, std::optional<TimePoint> deadline) {
  std::string told;
  std::optional<TimePoint> gone_since;
  for (;;) {
    std::string words;
    const Look seen = look(names, words);
    const std::string state = queued_state();
    const bool active = state.empty() || state == "ACTIVE";
    if (!active) words += " queued resource " + queued_resource_->id + "=" + state;
    if (seen == Look::ready && active) return true;
    if (seen == Look::gone && !queued_resource_) {
      if (!can_be_made_anew() || (words.ends_with("=gone") && !reclaim_)) return false;
      make_anew(deadline);
      continue;
    }
    if (!words.empty() && words != told) say_("Waiting for all slices to be READY:" + words);
    told = words;
    if (seen == Look::gone && !gone_since) gone_since = clock_.now();
    const bool hopeless = state == "SUSPENDED" || state == "FAILED" || state == "gone" || (gone_since && clock_.now() - *gone_since > kAbsence);
    if (hopeless) {
      if (!can_be_made_anew()) return false;
      make_anew(deadline);
      return true;
    }
    pause(deadline, words);
  }
}

void Machines::make_anew(std::optional<TimePoint> deadline) {
  if (before_anew_) before_anew_();
  made_anew_ = reclaim_ = true;  // from here on what is gone was taken away here: whoever is interrupted and comes back goes on
  if (node_) {
    make_node_anew(deadline);
  } else {
    make_queued_anew(deadline);
  }
  reclaim_ = false;
}

void Machines::remove(const api::Name& name, const std::string& noun) {
  say_("Deleting the " + noun + " [" + name.id + "] and making it anew.");
  try {
    const Json operation = client_.remove(name, name.collection == "queuedResources");
    if (!operation["name"].text().empty()) api::wait_for_operation(client_, operation, {});
  } catch (const Error& error) {
    if (error.kind != Kind::not_found) throw;
  }
}

// Unlike a queued resource it has no place in a queue.
void Machines::make_node_anew(std::optional<TimePoint> deadline) {
  remove(*node_, "TPU VM");
  for (Duration wait = kFirstTry;; wait = std::min(2 * wait, kLastTry)) {
    try {
      const Json operation = client_.create(*node_, remade_node(description_));
      if (!operation["name"].text().empty()) api::wait_for_operation(client_, operation, {});
      return;
    } catch (const Error& error) {
      if (error.kind != Kind::capacity) throw;
      if (wait == kFirstTry) say_("There is no capacity for the TPU VM [" + node_->id + "] now. It is asked for until there is.");
    }
    if (deadline && clock_.now() + wait >= *deadline) throw Error(Kind::wait, "There was no capacity for the TPU VM [" + node_->id + "] within the time limit.");
    clock_.sleep(wait);
  }
}

void Machines::make_queued_anew(std::optional<TimePoint> deadline) {
  const api::Name& name = *queued_resource_;
  remove(name, "queued resource");
  const Json operation = client_.create(name, remade_request(description_, clock_.now()));
  if (!operation["name"].text().empty()) api::wait_for_operation(client_, operation, {});
  api::WaitLimits limits;
  if (deadline) limits.timeout = std::max(Duration(0), *deadline - clock_.now());
  std::string told;
  api::wait_for_state(client_, name, api::queued_resource_rules("ACTIVE"), limits, [&](const std::string& state) {
    if (state != told) say_("Queued resource [" + name.id + "] is " + state + ".");
    told = state;
  });
}

}  // namespace tpuctl::launch
