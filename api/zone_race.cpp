// SPDX-License-Identifier: Apache-2.0
#include "api/zone_race.hpp"

#include <algorithm>
#include <map>
#include <optional>

#include "api/errors.hpp"
#include "api/pace.hpp"
#include "base/error.hpp"

namespace tpuctl::api {

namespace {

class Race {
 public:
  Race(Client& client, const std::vector<Entry>& entries, const WaitLimits& limits, const RaceWords& words)
      : client_(client), limits_(limits), words_(words) {
    for (const Entry& entry : entries) runners_.push_back({&entry, {}, {}, {}, {}, true, false});
  }

  Json run() {
    try {
      for (Runner& runner : runners_) enter(runner);
      Runner& winner = first_active();
      words_.say("[" + winner.entry->name.id + "] is ACTIVE in " + winner.entry->name.location + ".");
      dismiss_all_but(winner);
      return winner.found;
    } catch (Error& error) {
      if (const std::string left = deletions(); !left.empty()) error.hint += (error.hint.empty() ? "" : "\n") + left;
      throw;
    }
  }

 private:
  struct Runner {
    const Entry* entry;
    std::string operation;  // its creation
    std::string state;
    Json found;  // as it was last seen
    std::optional<Error> refusal;
    bool runs;    // it may still be ACTIVE
    bool queued;  // the service has it, and it would stay there
  };

  static bool is_ours(const Error& error) { return error.kind != Kind::interrupted && error.kind != Kind::terminated; }

  void drop(Runner& runner, const Error& why) {
    runner.runs = false;
    runner.refusal = why;
    words_.warn("Zone " + runner.entry->name.location + " drops out: " + why.what());
  }

  void enter(Runner& runner) {
    runner.queued = true;  // an answer that is lost, or not waited for, leaves it there
    try {
      runner.operation = client_.create(runner.entry->name, runner.entry->body)["name"].text();
      words_.say("Create request issued for: [" + runner.entry->name.id + "] in " + runner.entry->name.location);
    } catch (const Error& error) {
      if (!is_ours(error)) throw;
      runner.queued = error.kind == Kind::unavailable;
      drop(runner, error);
    }
  }

  void look(Runner& runner) {
    try {
      look_at(runner);
    } catch (const Error& error) {
      if (error.kind != Kind::unavailable) throw;  // the next poll may do better
    }
  }

  void look_at(Runner& runner) {
    Json found;
    try {
      found = client_.get(runner.entry->name);
    } catch (const Error& error) {
      if (error.kind != Kind::not_found) throw;
      return look_for_refusal(runner);
    }
    runner.state = state_of(found);
    if (queued_resource_rules("ACTIVE").hopeless.contains(runner.state)) {
      const std::string reason = state_reason(found);
      const Json& failure = found.at("/state/failedData/error");
      const Kind kind = failure["code"].is_null() ? Kind::failure : to_error(failure).kind;
      drop(runner, Error(kind, "[" + runner.entry->name.id + "] is " + runner.state + (reason.empty() ? "." : ": " + reason)));
    }
    runner.found = std::move(found);
  }

  // It is not there: not yet, or its creation has failed, or somebody has deleted it.
  void look_for_refusal(Runner& runner) {
    std::optional<Error> why;
    if (!runner.state.empty()) {
      why = Error(Kind::failure, "[" + runner.entry->name.id + "] was deleted while it was waited for.");
    } else if (!runner.operation.empty()) {
      const Json operation = client_.get_operation(runner.operation);
      if (!operation["error"].is_null()) why = to_error(operation["error"]);
    }
    if (!why) return;
    runner.queued = false;
    drop(runner, *why);
  }

  Runner& first_active() {
    Pace pace(client_.clock(), limits_);
    for (;;) {
      if (std::none_of(runners_.begin(), runners_.end(), [](const Runner& runner) { return runner.runs; })) throw nobody();
      for (Runner& runner : runners_) {
        if (runner.runs) look(runner);
        if (runner.runs && runner.state == "ACTIVE") return runner;
      }
      if (words_.on_states) words_.on_states(states());
      if (!pace.next()) throw Error(Kind::wait, "No zone had the machines within " + human_duration(*limits_.timeout) + ": " + states() + ".");
    }
  }

  // "PROVISIONING in 1 zone, WAITING_FOR_RESOURCES in 2".
  std::string states() const {
    std::map<std::string, int> counts;
    for (const Runner& runner : runners_) {
      if (runner.runs) ++counts[runner.state.empty() ? "requested" : runner.state];
    }
    std::string out;
    for (const auto& [state, count] : counts) {
      out += (out.empty() ? "" : ", ") + state + " in " + std::to_string(count) + (out.empty() ? (count == 1 ? " zone" : " zones") : "");
    }
    return out;
  }

  Error nobody() const {
    const Kind kind = runners_.front().refusal->kind;
    const bool alike = std::all_of(runners_.begin(), runners_.end(), [kind](const Runner& runner) { return runner.refusal->kind == kind; });
    return Error(alike ? kind : Kind::failure, "The request came to nothing in every zone, " + std::to_string(runners_.size()) + " in all.");
  }

  void dismiss_all_but(Runner& winner) {
    winner.queued = false;  // it is to stay, whatever comes
    std::vector<std::pair<Runner*, std::string>> pending;
    for (Runner& runner : runners_) {
      if (runner.queued) tolerate(runner, [&] { pending.emplace_back(&runner, client_.remove(runner.entry->name, true)["name"].text()); });
    }
    for (auto& [runner, operation] : pending) {
      tolerate(*runner, [&, loser = runner, &name = operation] {
        if (!name.empty()) wait_for_operation(client_, Json{{"name", name}}, {});
        loser->queued = false;
        words_.say("Deleted [" + loser->entry->name.id + "] in " + loser->entry->name.location + ".");
      });
    }
  }

  // The machines are there: what goes wrong with the others is told, and does not spoil that.
  void tolerate(Runner& runner, const std::function<void()>& step) {
    try {
      step();
    } catch (const Error& error) {
      if (!is_ours(error)) throw;
      runner.queued = false;
      if (error.kind != Kind::not_found) words_.warn(std::string(error.what()) + " " + deletion(runner));
    }
  }

  static std::string deletion(const Runner& runner) {
    return "Delete the one in " + runner.entry->name.location + ": tpuctl queued-resources delete " + runner.entry->name.full() + " --force";
  }
  std::string deletions() const {
    std::string out;
    for (const Runner& runner : runners_) {
      if (runner.queued) out += (out.empty() ? "" : "\n") + deletion(runner);
    }
    return out;
  }

  Client& client_;
  WaitLimits limits_;
  RaceWords words_;
  std::vector<Runner> runners_;
};

}  // namespace

Json race_zones(Client& client, const std::vector<Entry>& entries, const WaitLimits& limits, const RaceWords& words) {
  return Race(client, entries, limits, words).run();
}

}  // namespace tpuctl::api
