// SPDX-License-Identifier: Apache-2.0
#include "api/zone_race.hpp"

#include <gmock/gmock.h>

#include "tests/support/errors.hpp"
#include "tests/support/fake_clock.hpp"
#include "tests/support/scripted_transport.hpp"

namespace tpuctl::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

class RaceTest : public ::testing::Test {
 protected:
  static std::string in(const std::string& zone) { return "projects/p/locations/" + zone; }
  void accepted(const std::string& zone) {
    wire.expect("POST", HasSubstr(in(zone) + "/queuedResources?")).reply(200, Json{{"name", in(zone) + "/operations/o"}});
  }
  void is(const std::string& zone, const std::string& state, const Json& more = Json::object()) {
    Json body = more;
    body.member("name") = in(zone) + "/queuedResources/q";
    body.set("/state/state", state);
    wire.expect("GET", HasSubstr(in(zone) + "/queuedResources/q")).reply(200, body);
  }
  void is_absent(const std::string& zone) {
    wire.expect("GET", HasSubstr(in(zone) + "/queuedResources/q")).reply_error(404, "NOT_FOUND", "no such thing");
  }
  void deleted(const std::string& zone) {
    wire.expect("DELETE", HasSubstr(in(zone) + "/queuedResources/q?alt=json&force=true")).reply(200, Json{{"name", in(zone) + "/operations/d"}});
  }
  void deletion_done(const std::string& zone) {
    wire.expect("GET", HasSubstr(in(zone) + "/operations/d")).reply(200, Json{{"name", in(zone) + "/operations/d"}, {"done", true}});
  }
  Json race(const std::vector<std::string>& zones, const api::WaitLimits& limits = {}) {
    std::vector<api::Entry> entries;
    for (const std::string& zone : zones) entries.push_back({{"p", zone, "queuedResources", "q"}, Json::object()});
    return api::race_zones(client, entries, limits,
                           {.say = [this](const std::string& line) { said.push_back(line); },
                            .warn = [this](const std::string& line) { warned.push_back(line); },
                            .on_states = [this](const std::string& line) { states.push_back(line); }});
  }

  ScriptedTransport wire;
  FakeClock clock;
  api::Client client{wire, clock, "https://h/", "v2alpha1"};
  std::vector<std::string> said, warned, states;
};

TEST_F(RaceTest, TheFirstThatIsActiveStaysAndTheOthersGo) {
  accepted("a");
  accepted("b");
  accepted("c");
  is("a", "WAITING_FOR_RESOURCES");
  is("b", "PROVISIONING");
  is_absent("c");
  wire.expect("GET", HasSubstr(in("c") + "/operations/o")).reply(200, Json{{"name", in("c") + "/operations/o"}});
  is("a", "WAITING_FOR_RESOURCES");
  is("b", "ACTIVE");
  deleted("a");
  deleted("c");
  deletion_done("a");
  deletion_done("c");
  EXPECT_EQ(race({"a", "b", "c"})["name"].text(), in("b") + "/queuedResources/q");
  EXPECT_THAT(states, ElementsAre("PROVISIONING in 1 zone, WAITING_FOR_RESOURCES in 1, requested in 1"));
  EXPECT_THAT(warned, IsEmpty());
  EXPECT_THAT(said, ::testing::Contains("Deleted [q] in c."));
}

TEST_F(RaceTest, AZoneThatRefusesOrFailsDropsOut) {
  wire.expect("POST", HasSubstr(in("a"))).reply_error(403, "PERMISSION_DENIED", "not here");
  accepted("b");
  accepted("c");
  accepted("d");
  is("b", "FAILED", Json{{"state", Json{{"failedData", Json{{"error", Json{{"message", "no capacity"}}}}}}}});
  is_absent("c");
  wire.expect("GET", HasSubstr(in("c") + "/operations/o"))
      .reply(200, Json{{"name", "o"}, {"done", true}, {"error", Json{{"code", 8}, {"message", "Quota limit"}}}});
  is("d", "ACTIVE");
  deleted("b");
  deletion_done("b");
  race({"a", "b", "c", "d"});
  EXPECT_THAT(warned, ElementsAre(HasSubstr("Zone a drops out: "), "Zone b drops out: [q] is FAILED: no capacity", HasSubstr("Zone c drops out: ")));
}

TEST_F(RaceTest, WhenAllDropOutForTheSameReasonThatIsTheReason) {
  for (const char* zone : {"a", "b"}) wire.expect("POST", HasSubstr(in(zone))).reply_error(403, "PERMISSION_DENIED", "not here");
  const Error error = error_of([&] { race({"a", "b"}); });
  EXPECT_EQ(error.kind, Kind::denied);
  EXPECT_THAT(error.hint, Not(HasSubstr("Delete it")));
}

TEST_F(RaceTest, WhatIsLeftIsToldWithItsDeletion) {
  accepted("a");
  accepted("b");
  is("a", "FAILED");
  is("b", "WAITING_FOR_RESOURCES");
  api::WaitLimits once;
  once.timeout = Duration(0);
  const Error late = error_of([&] { race({"a", "b"}, once); });
  EXPECT_EQ(late.kind, Kind::wait);
  EXPECT_THAT(late.hint, HasSubstr("delete " + in("a") + "/queuedResources/q --force\nDelete the one in b: tpuctl queued-resources delete " + in("b")));
  accepted("a");
  is("a", "FAILED", Json{{"state", Json{{"failedData", Json{{"error", Json{{"code", 8}, {"message", "There is no more capacity"}}}}}}}});
  EXPECT_EQ(error_of([&] { race({"a"}); }).kind, Kind::capacity);
}

TEST_F(RaceTest, WhatMayHaveBeenMadeIsDeletedToo) {
  wire.expect("POST", HasSubstr(in("a"))).reply_error(503, "UNAVAILABLE", "later");
  accepted("b");
  is("b", "ACTIVE");
  deleted("a");
  deletion_done("a");
  race({"a", "b"});
  EXPECT_THAT(said, ::testing::Contains("Deleted [q] in a."));
}

TEST_F(RaceTest, APollThatFailsEndsNothing) {
  accepted("a");
  wire.expect("GET", HasSubstr("queuedResources/q")).reply_error(503, "UNAVAILABLE", "later");
  is_absent("a");
  wire.expect("GET", HasSubstr("operations/o")).reply_error(503, "UNAVAILABLE", "later");
  is("a", "ACTIVE");
  EXPECT_EQ(race({"a"}).at("/state/state").text(), "ACTIVE");
}

TEST_F(RaceTest, ALoserThatCannotBeDeletedDoesNotSpoilTheMachines) {
  accepted("a");
  accepted("b");
  is("a", "ACTIVE");
  wire.expect("DELETE", HasSubstr(in("b"))).reply_error(403, "PERMISSION_DENIED", "not you");
  race({"a", "b"});
  EXPECT_THAT(warned, ElementsAre(HasSubstr("Delete the one in b: tpuctl queued-resources delete " + in("b"))));
}

}  // namespace
}  // namespace tpuctl::test
