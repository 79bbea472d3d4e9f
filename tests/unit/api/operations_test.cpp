// SPDX-License-Identifier: Apache-2.0
#include "api/operations.hpp"

#include <gmock/gmock.h>

#include "tests/support/errors.hpp"
#include "tests/support/fake_clock.hpp"
#include "tests/support/scripted_transport.hpp"

namespace tpuctl::test {
namespace {

using api::StateRules;
using api::WaitLimits;
using ::testing::AllOf;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::Ge;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Le;

const std::string kOperation = "projects/p/locations/z/operations/op";
const std::string kPoll = "https://h/v2/" + kOperation + "?alt=json";
const std::string kNodeUrl = "https://h/v2/projects/p/locations/z/nodes/n?alt=json";

class WaitTest : public ::testing::Test {
 protected:
  Json pending() { return Json{{"name", kOperation}}; }
  Json done() { return Json{{"name", kOperation}, {"done", true}, {"response", Json{{"name", "x"}}}}; }
  double total() const {
    double out = 0;
    for (const double one : clock.slept) out += one;
    return out;
  }
  Json wait_node(const StateRules& rules, const WaitLimits& limits = {}) {
    return api::wait_for_state(client, {"p", "z", "nodes", "n"}, rules, limits, [this](const std::string& state) { seen.push_back(state); });
  }
  void node(const std::string& state, const Json& more = Json::object()) {
    Json body = more;
    body.member("state") = state;
    wire.expect("GET", kNodeUrl).reply(200, body);
  }
  ScriptedTransport wire;
  FakeClock clock;
  api::Client client{wire, clock, "https://h/", "v2"};
  std::vector<std::string> seen;
};

TEST_F(WaitTest, AFinishedOperationIsNotPolled) {
  wire.forbid();
  EXPECT_EQ(api::wait_for_operation(client, done(), {}).at("/response/name").text(), "x");
  EXPECT_THAT(clock.slept, IsEmpty());
}

TEST_F(WaitTest, PollsPolitely) {
  for (int i = 0; i < 15; ++i) wire.expect("GET", kPoll).reply(200, pending());
  wire.expect("GET", kPoll).reply(200, done());
  api::wait_for_operation(client, pending(), {});
  ASSERT_EQ(clock.slept.size(), 16u);
  EXPECT_THAT(clock.slept.front(), AllOf(Ge(0.9), Le(1.1))) << "the first after a second";
  EXPECT_THAT(clock.slept[1], AllOf(Ge(1.35), Le(1.65)));
  EXPECT_THAT(clock.slept, Each(Le(33)));
  EXPECT_THAT(clock.slept.back(), AllOf(Ge(27), Le(33))) << "growing to thirty, with jitter";
}

TEST_F(WaitTest, AFailedPollIsNotTheEnd) {
  wire.expect("GET", kPoll).reply_error(503, "UNAVAILABLE", "busy");
  wire.expect("GET", kPoll).lose();
  wire.expect("GET", kPoll).refuse();
  wire.expect("GET", kPoll).reply(200, done());
  EXPECT_TRUE(api::wait_for_operation(client, pending(), {})["done"].boolean());
}

TEST_F(WaitTest, ARefusedPollIs) {
  for (const int status : {403, 404}) {
    wire.expect("GET", kPoll).reply_error(status, "X", "no");
    EXPECT_EQ(error_of([&] { api::wait_for_operation(client, pending(), {}); }).http, status);
  }
}

TEST_F(WaitTest, TheOperationsErrorIsThrown) {
  wire.expect("GET", kPoll).reply(200, Json{{"done", true}, {"error", Json{{"code", 8}, {"message", "There is no more capacity in the zone"}}}});
  const Error error = error_of([&] { api::wait_for_operation(client, pending(), {}); });
  EXPECT_EQ(error.kind, Kind::capacity);
  EXPECT_EQ(error.status, "RESOURCE_EXHAUSTED");
}

TEST_F(WaitTest, ATimeLimitSaysThatItGoesOn) {
  for (int i = 0; i < 40; ++i) wire.expect("GET", kPoll).reply(200, pending());
  const Error error = error_of([&] { api::wait_for_operation(client, pending(), {.timeout = std::chrono::minutes(2)}); });
  EXPECT_EQ(error.kind, Kind::wait);
  EXPECT_THAT(error.what(), AllOf(HasSubstr(kOperation), HasSubstr("2m00s")));
  EXPECT_THAT(error.hint, HasSubstr("operations describe " + kOperation));
  EXPECT_DOUBLE_EQ(total(), 120) << "not longer, and a last look at the end";
  const auto polls = wire.sent.size();
  EXPECT_EQ(polls, clock.slept.size());
  while (wire.sent.size() < 40) wire.send({"GET", kPoll, {}, {}, {}, true});  // the rest of the script
}

TEST_F(WaitTest, ASignalEndsTheWait) {
  wire.forbid();
  clock.on_sleep = [] { throw Error(Kind::interrupted, "Interrupted."); };
  EXPECT_EQ(error_of([&] { api::wait_for_operation(client, pending(), {}); }).kind, Kind::interrupted);
}

// ---- states ------------------------------------------------------------------------------------------------------------

TEST_F(WaitTest, TheWishedStateEndsIt) {
  node("CREATING");
  node("READY", Json{{"id", "7"}});
  EXPECT_EQ(wait_node(api::node_rules("READY"))["id"].text(), "7");
  EXPECT_THAT(seen, ElementsAre("CREATING", "READY"));
}

TEST_F(WaitTest, AHopelessStateEndsItAtOnceWithItsReason) {
  node("PREEMPTED", Json{{"healthDescription", "taken back"}});
  const Error error = error_of([&] { wait_node(api::node_rules("READY")); });
  EXPECT_EQ(error.kind, Kind::wait);
  EXPECT_STREQ(error.what(), "[n] is PREEMPTED: taken back");
  EXPECT_THAT(clock.slept, IsEmpty());
}

TEST_F(WaitTest, ZeroLooksOnce) {
  node("CREATING");
  const Error error = error_of([&] { wait_node(api::node_rules("READY"), {.timeout = Duration{}}); });
  EXPECT_EQ(error.kind, Kind::wait);
  EXPECT_THAT(error.what(), HasSubstr("still CREATING"));
  node("READY");
  EXPECT_FALSE(wait_node(api::node_rules("READY"), {.timeout = Duration{}}).is_null());
}

TEST_F(WaitTest, DeletionIsAWishToo) {
  node("DELETING");
  wire.expect("GET", kNodeUrl).reply_error(404, "NOT_FOUND", "gone");
  EXPECT_TRUE(wait_node(api::node_rules("deleted")).is_null());
  wire.expect("GET", kNodeUrl).reply_error(404, "NOT_FOUND", "gone");
  EXPECT_EQ(error_of([&] { wait_node(api::node_rules("READY")); }).kind, Kind::not_found);
}

TEST_F(WaitTest, TroubleOnTheWayIsWaitedOut) {
  wire.expect("GET", kNodeUrl).reply_error(503, "UNAVAILABLE", "busy");
  node("READY");
  wait_node(api::node_rules("READY"));
  wire.expect("GET", kNodeUrl).refuse();
  EXPECT_THAT(error_of([&] { wait_node(api::node_rules("READY"), {.timeout = Duration{}}); }).what(), HasSubstr("still unknown"));
}

TEST(States, AreReadFromBothResources) {
  EXPECT_EQ(api::state_of(Json::parse(R"({"state":"READY"})")), "READY");
  EXPECT_EQ(api::state_of(Json::parse(R"({"state":{"state":"ACTIVE"}})")), "ACTIVE");
  EXPECT_EQ(api::state_of(Json::object()), "");
  EXPECT_EQ(api::state_reason(Json::parse(R"({"state":{"state":"FAILED","failedData":{"error":{"message":"why"}}}})")), "why");
  EXPECT_EQ(api::state_reason(Json::parse(R"({"healthDescription":"ill"})")), "ill");
}

struct RuleCase {
  StateRules rules;
  const char* state;
  bool hopeless;
};

TEST(States, HopeDependsOnTheWish) {
  const RuleCase cases[] = {
      {api::node_rules("READY"), "CREATING", false},    {api::node_rules("READY"), "REPAIRING", false},  {api::node_rules("READY"), "RESTARTING", false},
      {api::node_rules("READY"), "STOPPED", true},      {api::node_rules("READY"), "PREEMPTED", true},   {api::node_rules("READY"), "TERMINATED", true},
      {api::node_rules("READY"), "DELETING", true},     {api::node_rules("STOPPED"), "STOPPING", false}, {api::node_rules("STOPPED"), "READY", false},
      {api::node_rules("PREEMPTED"), "PREEMPTED", false}, {api::queued_resource_rules("ACTIVE"), "WAITING_FOR_RESOURCES", false},
      {api::queued_resource_rules("ACTIVE"), "PROVISIONING", false}, {api::queued_resource_rules("ACTIVE"), "FAILED", true},
      {api::queued_resource_rules("ACTIVE"), "SUSPENDED", true}, {api::queued_resource_rules("ACTIVE"), "SUSPENDING", true},
      {api::queued_resource_rules("SUSPENDED"), "SUSPENDING", false}, {api::queued_resource_rules("SUSPENDED"), "SUSPENDED", false},
      {api::queued_resource_rules("SUSPENDED"), "FAILED", true},
  };
  for (const RuleCase& one : cases) {
    EXPECT_EQ(one.rules.hopeless.contains(one.state), one.hopeless) << *one.rules.wished.begin() << " " << one.state;
  }
  EXPECT_TRUE(api::node_rules("deleted").wish_gone);
  EXPECT_THAT(api::queued_resource_rules("deleted").hopeless, IsEmpty());
}

}  // namespace
}  // namespace tpuctl::test
