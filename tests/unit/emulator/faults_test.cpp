// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/emulator/world.hpp"

namespace tpuctl::emulator::testing {
namespace {

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
                      Spec{"preempt", false}, Spec{"unreachable:us-east1-d", true}, Spec{"none", true},
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
