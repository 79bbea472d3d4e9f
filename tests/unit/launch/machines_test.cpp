// SPDX-License-Identifier: Apache-2.0
#include "launch/machines.hpp"

#include <gmock/gmock.h>

#include "tests/support/errors.hpp"
#include "tests/support/fake_clock.hpp"
#include "tests/support/scripted_transport.hpp"

namespace tpuctl::test {
namespace {

using ::testing::ContainsRegex;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr const char* kParent = "projects/p/locations/z/";

api::Name node_name(const std::string& id) { return {"p", "z", "nodes", id}; }
api::Name queue_name() { return {"p", "z", "queuedResources", "q"}; }

Json node(const std::string& state, const Json& more = Json::object()) {
  Json out{{"name", std::string(kParent) + "nodes/n"}, {"state", state}, {"acceleratorType", "v4-8"}, {"schedulingConfig", Json{{"spot", true}}}};
  for (const auto& member : more.members()) out.member(member.name) = member.value;
  return out;
}

Json queue(const std::string& state, int nodes = 1) {
  Json specs = Json::array();
  for (int i = 0; i < nodes; ++i) specs.push(Json{{"nodeId", "n-" + std::to_string(i)}, {"node", Json{{"acceleratorType", "v4-8"}}}});
  return Json{{"name", std::string(kParent) + "queuedResources/q"}, {"state", Json{{"state", state}}}, {"tpu", Json{{"nodeSpec", specs}}}};
}

const char* const kDone = R"({"name": "projects/p/locations/z/operations/o", "done": true, "response": {}})";

class MachinesOfAJob : public ::testing::Test {
 protected:
  ScriptedTransport::Step& get(const std::string& what) { return wire.expect("GET", HasSubstr(what + "?")); }
  ScriptedTransport::Step& done(const std::string& method, const std::string& part) { return wire.expect(method, ContainsRegex(part)).reply(200, Json::parse(kDone)); }
  launch::Machines machines(std::optional<api::Name> queued = {}, std::function<void()> before = {}) {
    return {client, clock, [this](const std::string& line) { said.push_back(line); }, std::move(queued), std::move(before)};
  }
  std::vector<launch::SliceState> states() { return launch::slice_states(client, {node_name("n")}); }

  ScriptedTransport wire;
  FakeClock clock{"2026-01-01T00:00:00Z"};
  api::Client client{wire, clock, "http://x/", "v2alpha1"};
  std::vector<std::string> said;
  const std::vector<api::Name> names{node_name("n")};
};

TEST_F(MachinesOfAJob, MaintenanceIsPendingWhenItIsUponThem) {
  struct Row {
    const char* upcoming;
    bool pending;
  };
  for (const Row& row : {Row{R"({})", false}, Row{R"({"maintenanceStatus": "PENDING", "windowStartTime": "2026-01-08T00:00:00Z"})", false},
                         Row{R"({"maintenanceStatus": "PENDING", "windowStartTime": "2026-01-01T00:04:00Z"})", true},
                         Row{R"({"maintenanceStatus": "PENDING", "windowStartTime": "2025-12-31T00:00:00Z"})", true},
                         Row{R"({"maintenanceStatus": "ONGOING", "windowStartTime": "2026-01-08T00:00:00Z"})", true},
                         Row{R"({"maintenanceStatus": "PENDING"})", true}, Row{R"({"windowStartTime": "soon"})", true}}) {
    get("nodes/n").reply(200, node("READY", Json{{"upcomingMaintenance", Json::parse(row.upcoming)}}));
    EXPECT_EQ(states().at(0).maintenance_pending, row.pending) << row.upcoming;
  }
}

TEST_F(MachinesOfAJob, OneThatIsNotThereHasNoState) {
  get("nodes/n").reply_error(404, "NOT_FOUND", "no");
  EXPECT_EQ(states().at(0).state, "");
}

TEST_F(MachinesOfAJob, AWindowThatIsDaysAwayHoldsUpNobody) {
  auto job = machines();
  get("nodes/n").reply(200, node("READY", Json::parse(R"({"upcomingMaintenance": {"maintenanceStatus": "PENDING", "windowStartTime": "2026-01-08T00:00:00Z"}})")));
  EXPECT_TRUE(job.wait_until_ready(names, {}));
  EXPECT_TRUE(clock.slept.empty());
}

TEST_F(MachinesOfAJob, ANodeOfItsOwnIsMadeAnewFromItsDescription) {
  auto job = machines();
  get("nodes/n").reply(200, node("READY", Json::parse(R"({"labels": {"a": "b"}, "networkEndpoints": [{}], "health": "HEALTHY"})")));
  job.remember(names);
  get("nodes/n").reply(200, node("PREEMPTED"));
  done("DELETE", "nodes/n");
  done("POST", "/nodes[?].*nodeId=n&").with_json(Json::parse(R"({"acceleratorType": "v4-8", "schedulingConfig": {"spot": true}, "labels": {"a": "b"}})"));
  get("nodes/n").reply(200, node("READY"));
  EXPECT_TRUE(job.wait_until_ready(names, {}));
  EXPECT_TRUE(job.take_made_anew());
  EXPECT_FALSE(job.take_made_anew());
  EXPECT_THAT(said, ElementsAre("Deleting the TPU VM [n] and making it anew."));
}

TEST_F(MachinesOfAJob, ANodeIsAskedForUntilThereIsCapacity) {
  auto job = machines();
  get("nodes/n").reply(200, node("READY"));
  job.remember(names);
  get("nodes/n").reply(200, node("PREEMPTED"));
  done("DELETE", "nodes/n");
  const Json stockout = Json::parse(R"({"name": "projects/p/locations/z/operations/o", "done": true, "error": {"code": 8, "message": "There is no more capacity in the zone"}})");
  for (int i = 0; i < 3; ++i) wire.expect("POST", ContainsRegex("/nodes[?].*nodeId=n&")).reply(200, stockout);
  const Error error = error_of([&] { job.wait_until_ready(names, clock.now() + seconds(20)); });
  EXPECT_EQ(error.kind, Kind::wait) << error.what();
  EXPECT_THAT(clock.slept, ElementsAre(5, 10)) << "another 20 s would be too late";
  EXPECT_EQ(said.size(), 2u) << "said once";
}

TEST_F(MachinesOfAJob, ADeletedNodeIsNotMadeAgainUnlessAReclaimWasAnnounced) {
  auto job = machines();
  get("nodes/n").reply(200, node("READY"));
  job.remember(names);
  get("nodes/n").reply_error(404, "NOT_FOUND", "no");
  EXPECT_FALSE(job.wait_until_ready(names, {}));
  job.expect_reclaim();
  get("nodes/n").reply_error(404, "NOT_FOUND", "no");
  wire.expect("DELETE", HasSubstr("nodes/n")).reply_error(404, "NOT_FOUND", "no");
  done("POST", "/nodes[?].*nodeId=n&");
  get("nodes/n").reply(200, node("READY"));
  EXPECT_TRUE(job.wait_until_ready(names, {}));
}

TEST_F(MachinesOfAJob, WhoIsInterruptedInTheMiddleGoesOn) {
  auto job = machines();
  get("nodes/n").reply(200, node("READY"));
  job.remember(names);
  get("nodes/n").reply(200, node("PREEMPTED"));
  done("DELETE", "nodes/n[?]");
  wire.expect("POST", HasSubstr("nodes?")).reply_error(503, "UNAVAILABLE", "later");
  EXPECT_EQ(error_of([&] { job.wait_until_ready(names, {}); }).kind, Kind::unavailable);
  get("nodes/n").reply_error(404, "NOT_FOUND", "no");
  wire.expect("DELETE", HasSubstr("nodes/n")).reply_error(404, "NOT_FOUND", "no");
  done("POST", "/nodes[?].*nodeId=n&");
  get("nodes/n").reply(200, node("READY"));
  EXPECT_TRUE(job.wait_until_ready(names, {})) << "it was not somebody else who deleted it";
  EXPECT_TRUE(job.take_made_anew());
}

TEST_F(MachinesOfAJob, NothingIsDeletedThatWouldBeOfNoUse) {
  auto job = machines({}, [] { throw Error(Kind::preempted, "of no use"); });
  get("nodes/n").reply(200, node("READY"));
  job.remember(names);
  get("nodes/n").reply(200, node("PREEMPTED"));
  EXPECT_EQ(error_of([&] { job.wait_until_ready(names, {}); }).kind, Kind::preempted);
}

TEST_F(MachinesOfAJob, TheQueuedResourceOfANamedNodeIsRememberedWhenNobodyElseUsesIt) {
  const Json of_q = node("READY", Json{{"queuedResource", std::string(kParent) + "queuedResources/q"}});
  auto alone = machines();
  get("nodes/n").reply(200, of_q);
  get("queuedResources/q").reply(200, queue("ACTIVE"));
  alone.remember(names);
  EXPECT_TRUE(alone.can_be_made_anew());
  auto shared = machines();
  get("nodes/n").reply(200, of_q);
  get("queuedResources/q").reply(200, queue("ACTIVE", 2));
  shared.remember(names);
  EXPECT_FALSE(shared.can_be_made_anew());
}

TEST_F(MachinesOfAJob, SuspendingIsWaitedForAndSuspendedMadeAnew) {
  auto job = machines(queue_name());
  get("queuedResources/q").reply(200, queue("ACTIVE"));
  job.remember(names);
  for (const char* state : {"SUSPENDING", "SUSPENDED"}) {
    get("nodes/n").reply(200, node("PREEMPTED"));
    get("queuedResources/q").reply(200, queue(state));
  }
  done("DELETE", "queuedResources/q[?].*force=true");
  done("POST", "queuedResources[?].*queuedResourceId=q&");
  get("queuedResources/q").reply(200, queue("ACTIVE"));
  EXPECT_TRUE(job.wait_until_ready(names, {}));
  EXPECT_THAT(said, ElementsAre("Waiting for all slices to be READY: n=PREEMPTED queued resource q=SUSPENDING",
                                "Waiting for all slices to be READY: n=PREEMPTED queued resource q=SUSPENDED",
                                "Deleting the queued resource [q] and making it anew.", "Queued resource [q] is ACTIVE."));
}

TEST_F(MachinesOfAJob, AQueuedResourceThatNobodyDescribedIsLeftAlone) {
  auto job = machines(queue_name());
  get("nodes/n").reply(200, node("PREEMPTED"));
  get("queuedResources/q").reply(200, queue("SUSPENDED"));
  EXPECT_FALSE(job.wait_until_ready(names, {}));
}

}  // namespace
}  // namespace tpuctl::test
