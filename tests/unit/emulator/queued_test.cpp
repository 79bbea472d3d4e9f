// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/emulator/world.hpp"

namespace tpuctl::emulator::testing {
namespace {

using ::testing::HasSubstr;

std::string spec(const std::string& which, const std::string& type = "v4-8") {
  return "{\"parent\":\"projects/p/locations/us-central2-b\"," + which + ",\"node\":" + node_body(type) + "}";
}
std::string single(const std::string& node = "n", const std::string& more = {}) {
  return "{\"tpu\":{\"nodeSpec\":[" + spec("\"nodeId\":\"" + node + "\"") + "]}" + more + "}";
}
std::string multi(int count = 2, const std::string& field = "multiNodeParams") {
  return "{\"tpu\":{\"nodeSpec\":[" +
         spec("\"" + field + "\":{\"nodeCount\":" + std::to_string(count) + ",\"nodeIdPrefix\":\"s\"}", "v4-16") + "]}}";
}
const std::string kQr = "/queuedResources";

std::string state(World& world, const std::string& id = "q") {
  return world.get(kAlpha + kQr + "/" + id).at("/state/state").text();
}

constexpr double kToActive = kCreateQueued + kAccepted + kWaiting + kProvisioning;

TEST(Queued, GoesThroughItsStatesInOrder) {
  World world;
  const Json operation = world.post(kAlpha + kQr + "?queuedResourceId=q", single());
  EXPECT_EQ(state(world), "CREATING");
  world.pass(kCreateQueued);
  EXPECT_EQ(state(world), "ACCEPTED");
  EXPECT_TRUE(world.get("/v2alpha1/" + operation["name"].text())["done"].boolean());
  world.pass(kAccepted);
  EXPECT_EQ(state(world), "WAITING_FOR_RESOURCES");
  EXPECT_EQ(world.send("GET", kAlpha + "/nodes/n").status, 404);
  world.pass(kWaiting);
  EXPECT_EQ(state(world), "PROVISIONING");
  EXPECT_EQ(world.get(kAlpha + "/nodes/n")["state"].text(), "CREATING");
  world.pass(kProvisioning);
  EXPECT_EQ(state(world), "ACTIVE");
  const Json node = world.get(kAlpha + "/nodes/n");
  EXPECT_EQ(node["state"].text(), "READY");
  EXPECT_EQ(node["queuedResource"].text(), "projects/p/locations/us-central2-b/queuedResources/q");
  EXPECT_EQ(world.send("DELETE", kAlpha + "/nodes/n").status, 400) << "it belongs to a queued resource";
}

TEST(Queued, OneJumpOfTheClockTakesAllSteps) {
  World world;
  world.post(kAlpha + kQr + "?queuedResourceId=q", single());
  world.pass(kToActive);
  EXPECT_EQ(state(world), "ACTIVE");
}

TEST(Queued, AMultisliceShowsOneSpecUntilItIsActive) {
  World world;
  world.post(kAlpha + kQr + "?queuedResourceId=q", multi());
  EXPECT_EQ(world.get(kAlpha + kQr + "/q").at("/tpu/nodeSpec").size(), 1u);
  EXPECT_EQ(world.get(kGa + kQr + "/q").at("/tpu/nodeSpec/0/multisliceParams/nodeCount").integer(), 2);
  EXPECT_TRUE(world.get(kGa + kQr + "/q").at("/tpu/nodeSpec/0/multiNodeParams").is_null());
  world.pass(kToActive);
  const Json specs = world.get(kAlpha + kQr + "/q").at("/tpu/nodeSpec");
  ASSERT_EQ(specs.size(), 2u);
  EXPECT_EQ(specs[1]["nodeId"].text(), "s-1");
  EXPECT_TRUE(specs[1]["multiNodeParams"].is_null());
  EXPECT_TRUE(world.get(kAlpha + "/nodes/s-0")["multisliceNode"].boolean());
}

TEST(Queued, SlicesFindEachOther) {
  World world;
  world.post(kGa + kQr + "?queuedResourceId=q", multi(3, "multisliceParams"));
  world.pass(kToActive);
  const std::string coordinator = world.host.specs[world.host.id_of("s-0", 0)].address;
  const std::string environment =
      world.host.metadata[world.host.id_of("s-2", 1)].at("/instance/attributes/tpu-env").text();
  EXPECT_THAT(environment, HasSubstr("MEGASCALE_COORDINATOR_ADDRESS: '" + coordinator + ":8080'\n"));
  EXPECT_THAT(environment, HasSubstr("MEGASCALE_NUM_SLICES: '3'\n"));
  EXPECT_THAT(environment, HasSubstr("MEGASCALE_SLICE_ID: '2'\n"));
}

TEST(Queued, StockoutEndsInFailedWithTheReason) {
  World world;
  world.emulator->add_fault("stockout:1");
  world.post(kAlpha + kQr + "?queuedResourceId=q", single());
  world.post(kAlpha + kQr + "?queuedResourceId=q2", single("n2"));
  world.pass(kToActive);
  EXPECT_EQ(state(world), "FAILED");
  EXPECT_EQ(world.get(kAlpha + kQr + "/q").at("/state/failedData/error/code").integer(), 8);
  EXPECT_EQ(state(world, "q2"), "ACTIVE");
  EXPECT_EQ(world.send("DELETE", kAlpha + kQr + "/q").status, 200) << "FAILED goes without force";
}

TEST(Queued, DeleteNeedsForceWhileThereAreNodes) {
  World world;
  world.post(kAlpha + kQr + "?queuedResourceId=q", single());
  world.pass(kToActive);
  const auto refused = world.send("DELETE", kAlpha + kQr + "/q");
  EXPECT_EQ(refused.status, 400);
  EXPECT_EQ(World::body_of(refused).at("/error/status").text(), "FAILED_PRECONDITION");
  EXPECT_EQ(world.send("DELETE", kAlpha + kQr + "/q?force=True").status, 200);
  EXPECT_EQ(state(world), "DELETING");
  EXPECT_EQ(world.get(kAlpha + "/nodes/n")["state"].text(), "DELETING");
  world.pass(kDeleteQueued);
  EXPECT_EQ(world.send("GET", kAlpha + kQr + "/q").status, 404);
  EXPECT_EQ(world.send("GET", kAlpha + "/nodes/n").status, 404);
  EXPECT_EQ(world.host.calls.back(), "destroy n/0");
}

TEST(Queued, DeletedOnTheWayItStaysDeleted) {
  World world;
  world.post(kAlpha + kQr + "?queuedResourceId=q", single());
  world.pass(kCreateQueued + kAccepted);
  world.send("DELETE", kAlpha + kQr + "/q");
  world.pass(kToActive);
  EXPECT_EQ(world.send("GET", kAlpha + kQr + "/q").status, 404);
  EXPECT_TRUE(world.host.calls.empty());
}

TEST(Queued, ResetMakesNewNodes) {
  World world;
  world.post(kAlpha + kQr + "?queuedResourceId=q", single());
  EXPECT_EQ(world.send("POST", kAlpha + kQr + "/q:reset", "{}").status, 400);
  world.pass(kToActive);
  const std::string before = world.get(kAlpha + "/nodes/n")["id"].text();
  EXPECT_EQ(world.send("POST", kAlpha + kQr + "/q:reset", "{}").status, 200);
  EXPECT_EQ(world.send("POST", kAlpha + kQr + "/q:reset", "{}").status, 400) << "one at a time";
  world.pass(kDeleteQueued);
  EXPECT_EQ(state(world), "WAITING_FOR_RESOURCES");
  world.pass(kWaiting + kProvisioning);
  EXPECT_EQ(state(world), "ACTIVE");
  EXPECT_NE(world.get(kAlpha + "/nodes/n")["id"].text(), before);
}

TEST(Queued, PreemptionSuspendsIt) {
  World world;
  world.post(kAlpha + kQr + "?queuedResourceId=q", single("n", ",\"spot\":{}"));
  world.pass(kToActive);
  EXPECT_TRUE(world.get(kAlpha + "/nodes/n").at("/schedulingConfig/spot").boolean());
  world.emulator->add_fault("preempt:n");
  world.pass(0);
  world.pass(kPreemptionNotice);
  EXPECT_EQ(state(world), "SUSPENDING");
  world.pass(kDeleteQueued);
  EXPECT_EQ(state(world), "SUSPENDED");
  EXPECT_EQ(world.send("GET", kAlpha + "/nodes/n").status, 404);
  EXPECT_EQ(world.send("DELETE", kAlpha + kQr + "/q").status, 200);
}

TEST(Queued, AnUnseenPreemptionTakesTheMachinesAndTellsNobodyButThem) {
  World world;
  world.post(kAlpha + kQr + "?queuedResourceId=q", single("n", ",\"spot\":{}"));
  world.pass(kToActive);
  const WorkerId id = world.host.id_of("n", 0);
  world.host.calls.clear();
  world.host.holders[id] = 1;
  world.emulator->add_fault("preempt:n:unseen");
  world.pass(0);
  EXPECT_EQ(world.host.metadata[id].at("/instance/preempted").text(), "TRUE");
  EXPECT_EQ(world.host.calls, std::vector<std::string>{"signal 15 n/0"});
  world.pass(kPreemptionNotice);
  EXPECT_EQ(world.host.calls.back(), "halt n/0");
  world.pass(10000);
  EXPECT_EQ(world.get(kAlpha + "/nodes/n")["state"].text(), "READY");
  EXPECT_EQ(world.get(kAlpha + "/nodes/n")["health"].text(), "HEALTHY");
  EXPECT_EQ(state(world), "ACTIVE");
  EXPECT_EQ(world.send("DELETE", kAlpha + kQr + "/q?force=true").status, 200);
  world.pass(kDeleteQueued);
  EXPECT_EQ(world.send("GET", kAlpha + kQr + "/q").status, 404);
}

TEST(Queued, AReplacedSliceIsAnotherMachineAndTheOthersAreRestarted) {
  World world;
  world.post(kAlpha + kQr + "?queuedResourceId=q", multi());
  world.pass(kToActive);
  const Json before = world.get(kAlpha + "/nodes/s-0");
  const WorkerId other = world.host.id_of("s-1", 1);
  world.host.calls.clear();
  world.emulator->add_fault("shortage:10m");
  world.emulator->add_fault("replace:s-0");
  world.pass(0);
  EXPECT_THAT(world.host.calls, ::testing::ElementsAre("destroy s-0/0", "destroy s-0/1")) << "no notice, no signal";
  EXPECT_EQ(world.get(kAlpha + "/nodes/s-0")["state"].text(), "REPAIRING");
  world.pass(kCreateNode);
  EXPECT_EQ(world.get(kAlpha + "/nodes/s-0")["state"].text(), "REPAIRING") << "there is no capacity for another";
  world.pass(600);
  const Json after = world.get(kAlpha + "/nodes/s-0");
  EXPECT_EQ(after["state"].text(), "READY");
  EXPECT_EQ(after["queuedResource"].text(), before["queuedResource"].text());
  EXPECT_NE(after["id"].text(), before["id"].text());
  const std::string address = after.at("/networkEndpoints/0/ipAddress").text();
  EXPECT_NE(address, before.at("/networkEndpoints/0/ipAddress").text());
  EXPECT_EQ(world.get(kAlpha + "/nodes/s-1")["state"].text(), "RESTARTING");
  EXPECT_THAT(world.host.calls, ::testing::IsSupersetOf({"halt s-1/0", "halt s-1/1", "boot s-1/0", "boot s-1/1"}));
  EXPECT_THAT(world.host.metadata[other].at("/instance/attributes/tpu-env").text(),
              HasSubstr("MEGASCALE_COORDINATOR_ADDRESS: '" + address + ":8080'\n"));
  world.pass(kReboot);
  EXPECT_EQ(world.get(kAlpha + "/nodes/s-1")["state"].text(), "READY");
  EXPECT_EQ(state(world), "ACTIVE");
}

TEST(Queued, ValidityAndRunDurationHold) {
  World world;
  world.post(kAlpha + kQr + "?queuedResourceId=late", single("a", ",\"queueingPolicy\":{\"validUntilDuration\":\"30s\"}"));
  world.post(kAlpha + kQr + "?queuedResourceId=wait", single("b", ",\"queueingPolicy\":{\"validAfterDuration\":\"1000s\"}"));
  world.post(kAlpha + kQr + "?queuedResourceId=short", single("c", ",\"runDuration\":{\"maxRunDuration\":\"600s\"}"));
  world.pass(kToActive);
  EXPECT_EQ(state(world, "late"), "FAILED");
  EXPECT_EQ(state(world, "wait"), "ACCEPTED");
  EXPECT_EQ(state(world, "short"), "ACTIVE");
  world.pass(900);
  EXPECT_EQ(state(world, "wait"), "PROVISIONING");
  EXPECT_EQ(state(world, "short"), "SUSPENDED");
}

TEST(Queued, RefusesWhatTheServiceRefuses) {
  World world;
  auto status = [&](const std::string& body, const std::string& base = kAlpha) {
    return world.send("POST", base + kQr + "?queuedResourceId=q", body).status;
  };
  EXPECT_EQ(status("{}"), 400);
  EXPECT_EQ(status(multi(1)), 400);
  EXPECT_EQ(status(multi(2, "multisliceParams")), 400) << "v2's name";
  EXPECT_EQ(status(multi(2), kGa), 400) << "v2alpha1's name";
  EXPECT_EQ(status(single("n", ",\"spot\":{},\"guaranteed\":{}")), 400);
  EXPECT_EQ(status(single("n", ",\"bestEffort\":{}"), kGa), 400);
  EXPECT_EQ(status(single("n", ",\"queueingPolicy\":{\"validUntilDuration\":\"1h\"}")), 400);
  EXPECT_EQ(status(single("n", ",\"queueingPolicy\":{\"validUntilDuration\":\"9s\",\"validUntilTime\":\"2030-01-01T00:00:00Z\"}")), 400);
  EXPECT_EQ(status("{\"tpu\":{\"nodeSpec\":[{\"parent\":\"projects/p/locations/us-east1-d\",\"nodeId\":\"n\",\"node\":" +
                   node_body() + "}]}}"),
            400);
  EXPECT_EQ(status(single()), 200);
  EXPECT_EQ(status(single()), 409);
}

TEST(RequestId, TheSameIdIsTheSameOperation) {
  World world;
  const std::string id = "&requestId=11111111-2222-3333-4444-555555555555";
  const Json first = world.post(kAlpha + kQr + "?queuedResourceId=q" + id, single());
  const Json again = world.post(kAlpha + kQr + "?queuedResourceId=q" + id, single());
  EXPECT_EQ(first["name"].text(), again["name"].text());
  EXPECT_EQ(world.send("POST", kAlpha + kQr + "?queuedResourceId=q", single()).status, 409);
  const Json node = world.post(kAlpha + "/nodes?nodeId=x" + id, node_body());
  EXPECT_NE(node["name"].text(), first["name"].text()) << "another method";
  EXPECT_EQ(world.post(kAlpha + "/nodes?nodeId=x" + id, node_body())["name"].text(), node["name"].text());
}

TEST(RequestId, OnlyWhereTheMethodHasOneAndOnlyUuids) {
  World world;
  const std::string id = "requestId=11111111-2222-3333-4444-555555555555";
  EXPECT_EQ(world.send("POST", kGa + "/nodes?nodeId=x&" + id, node_body()).status, 400) << "v2 nodes have none";
  EXPECT_EQ(world.send("POST", kGa + kQr + "?queuedResourceId=q&" + id, single()).status, 200);
  EXPECT_EQ(world.send("POST", kAlpha + "/nodes?nodeId=x&requestId=abc", node_body()).status, 400);
}

}  // namespace
}  // namespace tpuctl::emulator::testing
