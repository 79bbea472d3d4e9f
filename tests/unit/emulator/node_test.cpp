// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/emulator/world.hpp"

namespace tpuctl::emulator::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(Nodes, CreateTakesTheServiceTimeAndBootsEveryWorker) {
  World world;
  const Json operation = world.post(kGa + "/nodes?nodeId=n1", node_body("v4-16"));
  EXPECT_TRUE(operation["done"].is_null());
  EXPECT_EQ(world.get(kGa + "/nodes/n1")["state"].text(), "CREATING");
  EXPECT_TRUE(world.host.calls.empty());
  world.pass(kCreateNode - 1);
  EXPECT_TRUE(world.get("/v2/" + operation["name"].text())["done"].is_null());
  world.pass(1);
  const Json done = world.get("/v2/" + operation["name"].text());
  EXPECT_TRUE(done["done"].boolean());
  EXPECT_EQ(done.at("/response/@type").text(), "type.googleapis.com/google.cloud.tpu.v2.Node");
  EXPECT_EQ(done.at("/response/state").text(), "READY");
  EXPECT_EQ(world.get(kGa + "/nodes/n1")["health"].text(), "HEALTHY");
  EXPECT_THAT(world.host.calls, ElementsAre("create new/0", "create new/1"));
}

TEST(Nodes, SpeedDividesServiceTime) {
  World world(EmulatorOptions{.dir = "", .speed = 10, .faults = {}});
  world.post(kGa + "/nodes?nodeId=n1", node_body());
  world.pass(kCreateNode / 10 - 0.1);
  EXPECT_EQ(world.get(kGa + "/nodes/n1")["state"].text(), "CREATING");
  world.pass(0.1);
  EXPECT_EQ(world.get(kGa + "/nodes/n1")["state"].text(), "READY");
}

TEST(Nodes, DescribeLooksLikeTheService) {
  World world;
  world.post(kAlpha + "/nodes?nodeId=n1",
             node_body("v5litepod-8", ",\"autocheckpointEnabled\":true,\"networkConfig\":{\"enableExternalIps\":true}"));
  const Json node = world.get(kAlpha + "/nodes/n1");
  EXPECT_EQ(node["name"].text(), "projects/p/locations/us-central2-b/nodes/n1");
  EXPECT_EQ(node.at("/acceleratorConfig/type").text(), "V5LITE_POD");
  EXPECT_EQ(node.at("/acceleratorConfig/topology").text(), "2x4");
  EXPECT_TRUE(node["autocheckpointEnabled"].boolean());
  EXPECT_TRUE(node["id"].is_string());
  EXPECT_GT(node["id"].integer(), 0);
  EXPECT_EQ(node["networkEndpoints"].size(), 1u);
  EXPECT_THAT(node.at("/networkEndpoints/0/ipAddress").text(), HasSubstr("127."));
  EXPECT_EQ(node.at("/networkEndpoints/0/accessConfig/externalIp"), node.at("/networkEndpoints/0/ipAddress"));
  EXPECT_TRUE(world.get(kGa + "/nodes/n1")["autocheckpointEnabled"].is_null()) << "v2 does not know the field";
}

TEST(Nodes, DeleteEndsTheMachines) {
  World world;
  world.post(kGa + "/nodes?nodeId=n1", node_body());
  world.pass(kCreateNode);
  const Json operation = World::body_of(world.send("DELETE", kGa + "/nodes/n1"));
  EXPECT_EQ(world.get(kGa + "/nodes/n1")["state"].text(), "DELETING");
  world.pass(kDeleteNode);
  EXPECT_EQ(world.send("GET", kGa + "/nodes/n1").status, 404);
  EXPECT_EQ(world.get("/v2/" + operation["name"].text()).at("/response/@type").text(),
            "type.googleapis.com/google.protobuf.Empty");
  EXPECT_EQ(world.host.calls.back(), "destroy n1/0");
}

TEST(Nodes, ANodeMadeAgainIsAnotherMachine) {
  World world;
  world.post(kGa + "/nodes?nodeId=n1", node_body());
  world.pass(kCreateNode);
  const Json first = world.get(kGa + "/nodes/n1");
  world.send("DELETE", kGa + "/nodes/n1");
  world.pass(kDeleteNode);
  world.post(kGa + "/nodes?nodeId=n1", node_body());
  const Json second = world.get(kGa + "/nodes/n1");
  EXPECT_NE(first["id"].text(), second["id"].text());
  EXPECT_NE(first.at("/networkEndpoints/0/ipAddress").text(), second.at("/networkEndpoints/0/ipAddress").text());
}

TEST(Nodes, RefusalsAreGoogleShaped) {
  World world;
  EXPECT_EQ(world.send("GET", kGa + "/nodes/none").status, 404);
  world.post(kGa + "/nodes?nodeId=n1", node_body());
  const auto twice = world.send("POST", kGa + "/nodes?nodeId=n1", node_body());
  EXPECT_EQ(twice.status, 409);
  EXPECT_EQ(World::body_of(twice).at("/error/status").text(), "ALREADY_EXISTS");
  EXPECT_EQ(World::body_of(twice).at("/error/details/0/resourceName").text(),
            "projects/p/locations/us-central2-b/nodes/n1");
  EXPECT_EQ(world.send("POST", kGa + "/nodes?nodeId=N1", node_body()).status, 400);
  EXPECT_EQ(world.send("POST", kGa + "/nodes?nodeId=n2", node_body("v9-8")).status, 404);
  EXPECT_EQ(world.send("GET", "/v2/projects/p/locations/mars-1/nodes").status, 403);
  EXPECT_EQ(world.send("POST", "/v2/projects/p/locations/-/nodes?nodeId=x", node_body()).status, 400);
  api::Request bare;
  bare.url = "http://127.0.0.1:1" + kGa + "/nodes";
  EXPECT_EQ(world.emulator->send(bare).status, 401);
}

TEST(Nodes, MachinesThatCannotStartFailTheOperation) {
  World world;
  const Json operation = world.post(kGa + "/nodes?nodeId=n1", node_body());
  world.host.refuse = true;
  world.pass(kCreateNode);
  EXPECT_EQ(world.get("/v2/" + operation["name"].text()).at("/error/message").text(), "sshd is missing.");
  EXPECT_EQ(world.send("GET", kGa + "/nodes/n1").status, 404);
}

TEST(Nodes, ListPagesAndSpansZones) {
  World world;
  for (const char* id : {"a", "b", "c"}) world.post(kGa + "/nodes?nodeId=" + id, node_body());
  world.post("/v2/projects/p/locations/us-east1-d/nodes?nodeId=d", node_body());
  world.post("/v2/projects/other/locations/us-east1-d/nodes?nodeId=e", node_body());
  const Json first = world.get("/v2/projects/p/locations/-/nodes?pageSize=3");
  EXPECT_EQ(first["nodes"].size(), 3u);
  const Json second = world.get("/v2/projects/p/locations/-/nodes?pageSize=3&pageToken=" +
                                text::percent_encode(first["nextPageToken"].text()));
  EXPECT_EQ(second["nodes"].size(), 1u);
  EXPECT_TRUE(second["nextPageToken"].is_null());
  EXPECT_EQ(world.get(kGa + "/nodes")["nodes"].size(), 3u);
}

TEST(Nodes, PatchReachesTheMetadataServers) {
  World world;
  world.post(kGa + "/nodes?nodeId=n1", node_body("v4-16", ",\"metadata\":{\"a\":\"1\"},\"labels\":{\"x\":\"y\"}"));
  world.pass(kCreateNode);
  world.send("PATCH", kGa + "/nodes/n1?updateMask=metadata", "{\"metadata\":{\"ssh-keys\":\"me:key\"}}");
  world.pass(kUpdateNode);
  const Json node = world.get(kGa + "/nodes/n1");
  EXPECT_EQ(node["metadata"], (Json{{"ssh-keys", "me:key"}}));
  EXPECT_EQ(node.at("/labels/x").text(), "y");
  EXPECT_EQ(world.host.metadata[world.host.id_of("n1", 1)].at("/instance/attributes/ssh-keys").text(), "me:key");
  EXPECT_EQ(world.send("PATCH", kAlpha + "/nodes/n1?updateMask=autocheckpoint_enabled", "{}").status, 400)
      << "Autocheckpoint is chosen at creation";
  EXPECT_EQ(world.send("PATCH", kGa + "/nodes/n1", "{}").status, 400);
}

TEST(Nodes, StopAndStart) {
  World world;
  world.post(kGa + "/nodes?nodeId=n1", node_body());
  world.post(kGa + "/nodes?nodeId=pod", node_body("v4-16"));
  world.pass(kCreateNode);
  EXPECT_EQ(world.send("POST", kGa + "/nodes/n1:start", "{}").status, 400);
  EXPECT_EQ(world.send("POST", kGa + "/nodes/pod:stop", "{}").status, 400);
  world.post(kGa + "/nodes/n1:stop", "{}");
  EXPECT_EQ(world.get(kGa + "/nodes/n1")["state"].text(), "STOPPING");
  world.pass(kStopNode);
  EXPECT_EQ(world.get(kGa + "/nodes/n1")["state"].text(), "STOPPED");
  world.post(kGa + "/nodes/n1:start", "{}");
  world.pass(kReboot);
  EXPECT_EQ(world.get(kGa + "/nodes/n1")["state"].text(), "READY");
  EXPECT_EQ(world.host.calls.back(), "boot n1/0");
}

TEST(Nodes, GuestAttributesHoldHostKeysOfTheChosenWorkers) {
  World world;
  world.post(kGa + "/nodes?nodeId=n1", node_body("v4-16"));
  world.pass(kCreateNode);
  const Json all = world.post(kGa + "/nodes/n1:getGuestAttributes", "{\"workerIds\":[\"\"]}");
  EXPECT_EQ(all["guestAttributes"].size(), 2u);
  const Json one = world.post(kGa + "/nodes/n1:getGuestAttributes", "{\"workerIds\":[\"1\"],\"queryPath\":\"hostkeys/\"}");
  EXPECT_EQ(one["guestAttributes"].size(), 1u);
  EXPECT_EQ(one.at("/guestAttributes/0/queryValue/items").size(), 1u);
  EXPECT_EQ(one.at("/guestAttributes/0/queryValue/items/0/value").text(), "KEY" + world.host.id_of("n1", 1));
  EXPECT_EQ(world.send("POST", kGa + "/nodes/n1:getGuestAttributes", "{\"workerIds\":[\"2\"]}").status, 400);
}

TEST(Nodes, MetadataIsWhatJaxReads) {
  World world;
  world.post(kGa + "/nodes?nodeId=n1", node_body("v4-16"));
  world.pass(kCreateNode);
  const Json& tree = world.host.metadata[world.host.id_of("n1", 1)];
  EXPECT_EQ(tree.at("/instance/attributes/agent-worker-number").text(), "1");
  const std::string endpoints = tree.at("/instance/attributes/worker-network-endpoints").text();
  EXPECT_EQ(text::split(endpoints, ',').size(), 2u);
  EXPECT_THAT(endpoints, HasSubstr(world.host.specs[world.host.id_of("n1", 0)].address));
  const std::string environment = tree.at("/instance/attributes/tpu-env").text();
  EXPECT_THAT(environment, HasSubstr("ACCELERATOR_TYPE: 'v4-16'\n"));
  EXPECT_THAT(environment, HasSubstr("WORKER_ID: '1'\n"));
  EXPECT_THAT(environment, ::testing::Not(HasSubstr("MEGASCALE")));
  EXPECT_EQ(tree.at("/instance/maintenance-event").text(), "NONE");
  EXPECT_EQ(tree.at("/instance/preempted").text(), "FALSE");
  EXPECT_TRUE(tree.at("/instance/upcoming-maintenance").is_null());
}

TEST(Nodes, ReclaimSignalsWaitsAndPreempts) {
  World world;
  world.post(kGa + "/nodes?nodeId=n1", node_body("v4-8", ",\"schedulingConfig\":{\"spot\":true}"));
  world.pass(kCreateNode);
  world.host.holders[world.host.id_of("n1", 0)] = 1;
  world.host.calls.clear();
  world.emulator->add_fault("preempt:n1");
  world.pass(0);
  EXPECT_THAT(world.host.calls, ElementsAre("signal 15 n1/0"));
  EXPECT_EQ(world.host.metadata[world.host.id_of("n1", 0)].at("/instance/preempted").text(), "TRUE");
  EXPECT_EQ(world.get(kGa + "/nodes/n1")["state"].text(), "READY");
  world.pass(kPreemptionNotice);
  EXPECT_EQ(world.get(kGa + "/nodes/n1")["state"].text(), "PREEMPTED");
  EXPECT_EQ(world.host.calls.back(), "halt n1/0");
  EXPECT_THROW(world.emulator->add_fault("preempt:nobody"), Error);
}

TEST(Operations, CancelUndoesACreate) {
  World world;
  const std::string name = world.post(kGa + "/nodes?nodeId=n1", node_body())["name"].text();
  EXPECT_EQ(world.send("DELETE", "/v2/" + name).status, 400) << "not done yet";
  EXPECT_EQ(world.send("POST", "/v2/" + name + ":cancel", "{}").status, 200);
  world.pass(0);
  EXPECT_EQ(world.get("/v2/" + name).at("/error/code").integer(), 1);
  EXPECT_EQ(world.send("GET", kGa + "/nodes/n1").status, 404);
  EXPECT_EQ(world.get(kGa + "/operations")["operations"].size(), 1u);
  EXPECT_EQ(world.send("DELETE", "/v2/" + name).status, 200);
  EXPECT_EQ(world.send("GET", "/v2/" + name).status, 404);
}

TEST(State, ANewProcessFindsItAgain) {
  const TemporaryFolder folder;
  std::string operation;
  std::string address;
  {
    World world(EmulatorOptions{.dir = folder.path, .speed = 1, .faults = {}});
    world.post(kGa + "/nodes?nodeId=n1", node_body());
    world.pass(kCreateNode);
    address = world.get(kGa + "/nodes/n1").at("/networkEndpoints/0/ipAddress").text();
    operation = world.post(kGa + "/nodes?nodeId=n2", node_body())["name"].text();
  }
  World world(EmulatorOptions{.dir = folder.path, .speed = 1, .faults = {}});
  EXPECT_THAT(world.host.calls, ElementsAre("create new/0")) << "n1 runs again, n2 is still being made";
  EXPECT_EQ(world.host.specs.begin()->second.address, address);
  world.pass(2 * kCreateNode);
  EXPECT_EQ(world.get("/v2/" + operation).at("/response/state").text(), "READY");
}

TEST(State, AStrangeFileIsRefusedByName) {
  const TemporaryFolder folder;
  file::write_atomic(folder.path + "/state.json", "[1]");
  try {
    World world(EmulatorOptions{.dir = folder.path, .speed = 1, .faults = {}});
    FAIL() << "accepted";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("state.json"));
  }
}

}  // namespace
}  // namespace tpuctl::emulator::testing
