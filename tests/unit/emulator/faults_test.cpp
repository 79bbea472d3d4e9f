// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/emulator/world.hpp"

namespace tpuctl::emulator::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

struct Spec {
  const char* text;
  bool fine;
};
class FaultSpecs : public ::testing::TestWithParam<Spec> {};

TEST_P(FaultSpecs, AreUnderstoodOrRefusedByName) {
  try {
    Faults::parse(GetParam().text);
    EXPECT_TRUE(GetParam().fine) << GetParam().text;
  } catch (const Error& error) {
    EXPECT_FALSE(GetParam().fine) << GetParam().text;
    EXPECT_EQ(error.kind, Kind::usage);
    EXPECT_THAT(error.what(), HasSubstr(GetParam().text));
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, FaultSpecs,
    ::testing::Values(Spec{"stockout", true}, Spec{"stockout:2", true}, Spec{"stockout:0", false},
                      Spec{"stockout:many", false}, Spec{"http:503:3", true}, Spec{"http:429:1:retry-after=1", true},
                      Spec{"http:403", true}, Spec{"http:200", false}, Spec{"http", false}, Spec{"http:503:1:x", false},
                      Spec{"reset:1", true}, Spec{"truncate:1", true}, Spec{"garbage", true}, Spec{"lost:1", true},
                      Spec{"slow:2s", true}, Spec{"slow:2", false}, Spec{"slow", false}, Spec{"preempt:n", true},
                      Spec{"preempt", false}, Spec{"preempt:n:unseen", true}, Spec{"preempt:n:twice", false},
                      Spec{"shortage", true}, Spec{"shortage:5m", true}, Spec{"shortage:5", false}, Spec{"shortage:us-east1-d", true}, Spec{"shortage:us-east1-d:5m", true},
                      Spec{"shortage:us-east1-d:x", false}, Spec{"replace:n", true},
                      Spec{"replace:n:1", false}, Spec{"hang:n", true}, Spec{"hang:n/1", true}, Spec{"hang:n/one", false},
                      Spec{"hang:n/-1", false}, Spec{"hang", false}, Spec{"full:n/0:4096", true}, Spec{"full:n", true},
                      Spec{"full:n:lots", false}, Spec{"full:n:1:2", false}, Spec{"refuse:n", true}, Spec{"refuse:n/1:5s", true}, Spec{"late:n:2s", true},
                      Spec{"late:n", false}, Spec{"keys:n/0:2", false}, Spec{"keys:n:1:2", false}, Spec{"mute:n", true}, Spec{"mute", false},
                      Spec{"heal:n/1", true}, Spec{"block:n/0:8482", true}, Spec{"block:n", false}, Spec{"block:n:0", false}, Spec{"block:n:x", false}, Spec{"hang:n@GET:x", false},
                      Spec{"unreachable:us-east1-d", true}, Spec{"none", true},
                      Spec{"none:1", false}, Spec{"http:503:2@POST:/nodes$", true}, Spec{"http:503@*:x", true},
                      Spec{"http:503@POST", false}, Spec{"http:503@POST:(", false}, Spec{"stockout@POST:x", false},
                      Spec{"", false}, Spec{"flood:1", false}));

TEST(Faults, HttpStrikesAsOftenAsToldAndOnlyWhereTold) {
  World world;
  world.emulator->add_fault("http:429:2:retry-after=7@GET:/nodes$");
  EXPECT_EQ(world.send("POST", kGa + "/nodes?nodeId=n", node_body()).status, 200);
  for (int i = 0; i < 2; ++i) {
    const auto answer = world.send("GET", kGa + "/nodes");
    EXPECT_EQ(answer.status, 429);
    EXPECT_EQ(answer.header("Retry-After"), "7");
    EXPECT_EQ(World::body_of(answer).at("/error/status").text(), "RESOURCE_EXHAUSTED");
  }
  EXPECT_EQ(world.send("GET", kGa + "/nodes").status, 200);
}

TEST(Faults, ResetDoesNothingAndLostDoesTheWork) {
  World world;
  world.emulator->add_fault("reset:1");
  const auto reset = world.send("POST", kGa + "/nodes?nodeId=n", node_body());
  ASSERT_TRUE(reset.failure.has_value());
  EXPECT_EQ(reset.status, 0);
  EXPECT_EQ(reset.failure->phase, api::Failure::Phase::lost);
  EXPECT_EQ(world.send("GET", kGa + "/nodes/n").status, 404);
  world.emulator->add_fault("lost:1");
  EXPECT_TRUE(world.send("POST", kGa + "/nodes?nodeId=n", node_body()).failure.has_value());
  EXPECT_EQ(world.send("GET", kGa + "/nodes/n").status, 200);
}

TEST(Faults, TruncateAndGarbage) {
  World world;
  world.emulator->add_fault("truncate:1");
  EXPECT_TRUE(world.send("GET", kGa + "/nodes").failure.has_value());
  world.emulator->add_fault("garbage:1");
  const auto answer = world.send("GET", kGa + "/nodes");
  Json parsed;
  EXPECT_EQ(answer.status, 200);
  EXPECT_FALSE(Json::try_parse(answer.body, parsed));
}

TEST(Faults, SlowTakesTime) {
  World world;
  world.emulator->add_fault("slow:90s");
  world.send("POST", kGa + "/nodes?nodeId=n", node_body());
  world.send("GET", kGa + "/nodes");
  EXPECT_EQ(world.get(kGa + "/nodes/n")["state"].text(), "READY") << "the clock went on meanwhile";
}

TEST(Faults, StockoutEndsACreateWithCode8) {
  World world;
  world.emulator->add_fault("stockout:1");
  const std::string name = world.post(kGa + "/nodes?nodeId=n", node_body())["name"].text();
  world.pass(kCreateNode);
  EXPECT_EQ(world.get("/v2/" + name).at("/error/code").integer(), 8);
  EXPECT_EQ(world.send("GET", kGa + "/nodes/n").status, 404);
}

TEST(Faults, AnUnreachableZoneIsNamedByLists) {
  World world;
  world.post(kGa + "/nodes?nodeId=n", node_body());
  world.emulator->add_fault("unreachable:us-central2-b");
  const Json list = world.get("/v2/projects/p/locations/-/nodes");
  EXPECT_TRUE(list["nodes"].is_null());
  EXPECT_EQ(list.at("/unreachable/0").text(), "projects/p/locations/us-central2-b");
  EXPECT_EQ(world.send("GET", kGa + "/nodes").status, 503);
  world.emulator->add_fault("none");
  EXPECT_EQ(world.send("GET", kGa + "/nodes").status, 200);
}

TEST(Faults, AShortageKeepsQueuedResourcesWaitingAndRefusesNodes) {
  World world;
  world.emulator->add_fault("shortage:10m");
  world.post(kAlpha + "/queuedResources?queuedResourceId=q",
             "{\"tpu\":{\"nodeSpec\":[{\"parent\":\"projects/p/locations/us-central2-b\",\"nodeId\":\"s\",\"node\":" +
                 node_body() + "}]}}");
  const std::string name = world.post(kAlpha + "/nodes?nodeId=n", node_body())["name"].text();
  auto state = [&] { return world.get(kAlpha + "/queuedResources/q").at("/state/state").text(); };
  world.pass(kCreateQueued + kAccepted + kWaiting);
  EXPECT_EQ(state(), "WAITING_FOR_RESOURCES");
  world.pass(kCreateNode);
  EXPECT_EQ(world.get("/v2alpha1/" + name).at("/error/code").integer(), 8);
  world.pass(430);
  EXPECT_EQ(state(), "WAITING_FOR_RESOURCES");
  world.pass(kLookForCapacity + 10);
  EXPECT_EQ(state(), "PROVISIONING");
  world.pass(kProvisioning);
  EXPECT_EQ(state(), "ACTIVE");
  EXPECT_FALSE(world.post(kAlpha + "/nodes?nodeId=n", node_body())["name"].empty());
}

TEST(Faults, AShortageMayBeThatOfOneZone) {
  World world;
  world.emulator->add_fault("shortage:us-east1-d");
  auto made_in = [&](const std::string& zone) {
    const std::string nodes = "/v2alpha1/projects/p/locations/" + zone + "/nodes";
    world.post(nodes + "?nodeId=n", node_body());
    world.pass(kCreateNode);
    return world.send("GET", nodes + "/n").status;
  };
  EXPECT_EQ(made_in("us-central2-b"), 200);
  EXPECT_EQ(made_in("us-east1-d"), 404);
}

TEST(Faults, AShortageWithoutAnEndLastsUntilItIsTakenBack) {
  World world;
  world.emulator->add_fault("shortage");
  world.post(kAlpha + "/nodes?nodeId=n", node_body());
  world.pass(100000);
  EXPECT_EQ(world.send("GET", kAlpha + "/nodes/n").status, 404);
  world.emulator->add_fault("none");
  world.post(kAlpha + "/nodes?nodeId=n", node_body());
  world.pass(kCreateNode);
  EXPECT_EQ(world.get(kAlpha + "/nodes/n")["state"].text(), "READY");
}

TEST(Faults, ABucketMayRefuseOrBeSlowWhileTheRestIsWell) {
  TemporaryFolder folder;
  World world(EmulatorOptions{.dir = folder.path, .speed = 1, .faults = {}});
  for (const char* name : {"refusing", "slow"}) world.post("/storage/v1/b?project=p", std::string("{\"name\":\"") + name + "\"}");
  world.emulator->add_fault("http:403@*:/b/refusing(/|$)");
  world.emulator->add_fault("slow:3s@*:/b/slow(/|$)");
  EXPECT_EQ(world.send("GET", "/storage/v1/b/refusing/o").status, 403);
  EXPECT_EQ(world.send("POST", "/upload/storage/v1/b/refusing/o?uploadType=media&name=x", "text").status, 403);
  const TimePoint before = world.clock.now();
  EXPECT_EQ(world.send("GET", "/storage/v1/b/slow/o").status, 200);
  EXPECT_EQ(world.clock.now() - before, seconds(3));
  EXPECT_EQ(world.send("GET", kAlpha + "/nodes").status, 200);
  EXPECT_EQ(world.clock.now() - before, seconds(3));
}

TEST(Faults, GuestAttributesCanBeSwitchedOff) {
  World world;
  world.post(kAlpha + "/nodes?nodeId=n", node_body());
  world.post(kAlpha + "/nodes?nodeId=m", node_body());
  world.pass(kCreateNode);
  world.emulator->add_fault("mute:n");
  EXPECT_EQ(world.send("POST", kAlpha + "/nodes/n:getGuestAttributes", "{}").status, 403);
  EXPECT_EQ(world.send("POST", kAlpha + "/nodes/m:getGuestAttributes", "{}").status, 200);
  world.emulator->add_fault("none");
  EXPECT_EQ(world.send("POST", kAlpha + "/nodes/n:getGuestAttributes", "{}").status, 200);
}

TEST(Faults, TroubleOfWorkersReachesThemAndIsTakenBack) {
  World world;
  world.post(kAlpha + "/nodes?nodeId=n", node_body("v4-16"));
  EXPECT_THROW(world.emulator->add_fault("hang:n/0"), Error) << "it has no machines yet";
  world.pass(kCreateNode);
  world.host.calls.clear();
  world.emulator->add_fault("hang:n/1");
  world.emulator->add_fault("full:n:4096");
  world.emulator->add_fault("block:n/1:8482");
  world.emulator->add_fault("heal:n/0");
  EXPECT_THAT(world.host.calls, ElementsAre("hang n/1", "fill 4096 n/0", "fill 4096 n/1", "block 8482 n/1", "heal n/0"));
  world.host.calls.clear();
  world.emulator->add_fault("refuse:n/0:5s");
  world.emulator->add_fault("late:n/1:250ms");
  EXPECT_THAT(world.host.calls, ElementsAre("refuse 5000 ms n/0", "late 250 ms n/1"));
  world.host.calls.clear();
  world.emulator->add_fault("none");
  EXPECT_THAT(world.host.calls, ElementsAre("heal n/0", "heal n/1"));
  for (const char* nobody : {"hang:n/2", "hang:m", "preempt:m", "replace:m"}) {
    try {
      world.emulator->add_fault(nobody);
      ADD_FAILURE() << nobody;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind, Kind::not_found) << nobody;
    }
  }
}

TEST(Control, TakesFaultsAndShutdownButNotFromWebPages) {
  World world;
  EXPECT_EQ(world.send("GET", "/emulator/v1/health").status, 200);
  const auto refused = world.send("POST", "/emulator/v1/faults", "{\"specs\":[\"reset:1\",\"flood\"]}");
  EXPECT_EQ(refused.status, 400);
  EXPECT_THAT(refused.body, HasSubstr("flood"));
  EXPECT_EQ(world.get("/emulator/v1/faults")["faults"].size(), 0u) << "all or none";
  const Json list = world.post("/emulator/v1/faults", "{\"spec\":\"http:503:2\"}");
  EXPECT_EQ(list.at("/faults/0/left").integer(), 2);
  EXPECT_EQ(world.send("POST", "/emulator/v1/shutdown", "", {{"Origin", "https://example.com"}}).status, 403);
  EXPECT_FALSE(world.emulator->shutdown_requested());
  EXPECT_EQ(world.send("POST", "/emulator/v1/shutdown").status, 200);
  EXPECT_TRUE(world.emulator->shutdown_requested());
}

}  // namespace
}  // namespace tpuctl::emulator::testing
