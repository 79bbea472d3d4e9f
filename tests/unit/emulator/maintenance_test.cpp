// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/emulator/world.hpp"

namespace tpuctl::emulator::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// A pod of two workers, ready, with a training process on each.
class Maintenance : public ::testing::Test {
 protected:
  void make(bool autocheckpoint) {
    world.post(kAlpha + "/nodes?nodeId=n",
               node_body("v4-16", autocheckpoint ? ",\"autocheckpointEnabled\":true" : ""));
    world.pass(kCreateNode);
    world.host.calls.clear();
    for (int i : {0, 1}) world.host.holders[worker(i)] = 1;
  }
  WorkerId worker(int index) { return world.host.id_of("n", index); }
  Json node() { return world.get(kAlpha + "/nodes/n"); }
  Json metadata(int index) { return world.host.metadata[worker(index)]["instance"]; }
  std::string simulate(const std::string& body = "{}") {
    return world.post(kAlpha + "/nodes/n:simulateMaintenanceEvent", body)["name"].text();
  }
  Json operation(const std::string& name) { return world.get("/v2alpha1/" + name); }

  World world;
};

TEST_F(Maintenance, WhatIsAnnouncedDisturbsNobodyUntilItComes) {
  make(true);
  world.emulator->add_fault("announce:n/1:2h");
  EXPECT_EQ(node().at("/upcomingMaintenance/maintenanceStatus").text(), "PENDING");
  EXPECT_TRUE(node().at("/upcomingMaintenance/canReschedule").boolean());
  EXPECT_EQ(metadata(1)["maintenance-event"].text(), "NONE");
  world.pass(7100);
  EXPECT_TRUE(world.host.calls.empty());
  world.pass(200);
  EXPECT_EQ(world.host.calls.at(0), "signal 15 n/1");
  EXPECT_EQ(metadata(1)["maintenance-event"].text(), "TERMINATE_ON_HOST_MAINTENANCE");
}

TEST_F(Maintenance, WhatIsBroughtForwardDoesNotComeTwice) {
  make(true);
  world.emulator->add_fault("announce:n:2h");
  const std::string name = world.post(kAlpha + "/nodes/n:performMaintenance", "{}")["name"].text();
  for (int i : {0, 1}) world.host.holders[worker(i)] = 0;
  for (int i = 0; i < 100 && !operation(name)["done"].boolean(); ++i) world.pass(10);
  EXPECT_TRUE(operation(name)["done"].boolean());
  EXPECT_TRUE(node()["upcomingMaintenance"].is_null());
  world.host.calls.clear();
  world.pass(8000);
  EXPECT_TRUE(world.host.calls.empty());
}

TEST_F(Maintenance, WithAutocheckpointProcessesAreAskedAndAwaited) {
  make(true);
  const std::string name = simulate("{\"workerIds\":[\"1\"]}");
  EXPECT_THAT(world.host.calls, ElementsAre("signal 15 n/1"));
  EXPECT_EQ(node().at("/upcomingMaintenance/maintenanceStatus").text(), "PENDING");
  EXPECT_EQ(node()["health"].text(), "HEALTHY");
  EXPECT_EQ(metadata(1)["maintenance-event"].text(), "TERMINATE_ON_HOST_MAINTENANCE");
  EXPECT_EQ(metadata(1).at("/upcoming-maintenance/maintenanceStatus").text(), "PENDING");
  EXPECT_EQ(metadata(0)["maintenance-event"].text(), "NONE") << "worker 0 is not affected";

  world.pass(10);
  EXPECT_THAT(world.host.calls, ElementsAre("signal 15 n/1")) << "still saving";
  world.host.holders[worker(1)] = 0;
  world.pass(1);
  EXPECT_EQ(world.host.calls.size(), 1u) << "supervisors get a moment to write down the exit";
  world.pass(kPauseBeforeHalt);
  EXPECT_THAT(world.host.calls, ElementsAre("signal 15 n/1", "halt n/1"));
  EXPECT_EQ(node()["health"].text(), "UNHEALTHY_MAINTENANCE");
  EXPECT_EQ(node()["state"].text(), "READY");
  EXPECT_EQ(node().at("/upcomingMaintenance/maintenanceStatus").text(), "ONGOING");

  world.pass(kMaintenance);
  EXPECT_EQ(node()["state"].text(), "RESTARTING");
  EXPECT_EQ(world.host.calls.back(), "boot n/1");
  EXPECT_EQ(metadata(1)["maintenance-event"].text(), "NONE") << "a boot is not greeted with the old notice";
  EXPECT_TRUE(operation(name)["done"].is_null());
  world.pass(kReboot);
  EXPECT_EQ(node()["state"].text(), "READY");
  EXPECT_EQ(node()["health"].text(), "HEALTHY");
  EXPECT_TRUE(node()["upcomingMaintenance"].is_null());
  EXPECT_TRUE(operation(name)["done"].boolean());
  EXPECT_THAT(operation(name).at("/metadata/statusDetail").text(), HasSubstr("SIGTERM was sent to 1"));
}

TEST_F(Maintenance, TheGraceEndsAfterFiveMinutes) {
  make(true);
  const std::string name = simulate();
  world.pass(kGrace - 1);
  EXPECT_THAT(world.host.calls, ElementsAre("signal 15 n/0"));
  world.pass(1);
  world.pass(kPauseBeforeHalt);
  EXPECT_EQ(world.host.calls.back(), "halt n/0");
  EXPECT_THAT(operation(name).at("/metadata/statusDetail").text(), HasSubstr("did not end within the grace"));
}

TEST_F(Maintenance, WithoutAutocheckpointProcessesDieAtOnce) {
  make(false);
  simulate();
  EXPECT_THAT(world.host.calls, ElementsAre("signal 9 n/0"));
  world.pass(kPauseBeforeHalt);
  EXPECT_THAT(world.host.calls, ElementsAre("signal 9 n/0", "halt n/0")) << "no grace";
}

TEST_F(Maintenance, ANoticeThatReachesNobodyIsSaidAloud) {
  make(true);
  world.host.holders.clear();
  const std::string name = simulate();
  EXPECT_THAT(operation(name).at("/metadata/statusDetail").text(), HasSubstr("No process held the TPU device"));
  EXPECT_EQ(world.logged("No process held the TPU device"), 1);
  world.pass(kPauseBeforeHalt);
  EXPECT_EQ(world.host.calls.back(), "halt n/0");
}

TEST_F(Maintenance, PerformMaintenanceTakesTheWholeNode) {
  make(true);
  world.post(kAlpha + "/nodes/n:performMaintenance", "{}");
  EXPECT_THAT(world.host.calls, ElementsAre("signal 15 n/0", "signal 15 n/1"));
  EXPECT_EQ(node().at("/upcomingMaintenance/type").text(), "SCHEDULED");
}

TEST_F(Maintenance, IsRefusedTwiceAndInV2AndForUnknownWorkers) {
  make(true);
  EXPECT_EQ(world.send("POST", kGa + "/nodes/n:simulateMaintenanceEvent", "{}").status, 404);
  EXPECT_EQ(world.send("POST", kAlpha + "/nodes/n:simulateMaintenanceEvent", "{\"workerIds\":[\"7\"]}").status, 400);
  EXPECT_EQ(world.send("POST", kAlpha + "/nodes/n:simulateMaintenanceEvent", "{\"workers\":[]}").status, 400);
  simulate();
  EXPECT_EQ(world.send("POST", kAlpha + "/nodes/n:simulateMaintenanceEvent", "{}").status, 400);
}

TEST(MaintenanceSpeed, TheGraceIsNeverShorterThanTwentySeconds) {
  World world(EmulatorOptions{.dir = "", .speed = 600, .faults = {}});
  world.post(kAlpha + "/nodes?nodeId=n", node_body("v4-8", ",\"autocheckpointEnabled\":true"));
  world.pass(1);
  world.host.holders[world.host.id_of("n", 0)] = 1;
  world.host.calls.clear();
  world.post(kAlpha + "/nodes/n:simulateMaintenanceEvent", "{}");
  world.pass(kLeastGrace - 1);
  world.pass(kPauseBeforeHalt - 1);
  EXPECT_THAT(world.host.calls, ElementsAre("signal 15 n/0"));
  world.pass(2);
  world.pass(kPauseBeforeHalt);
  EXPECT_THAT(world.host.calls, ElementsAre("signal 15 n/0", "halt n/0"));
}

TEST(MaintenanceOfASlice, RestartsTheOtherSlices) {
  World world;
  world.post(kAlpha + "/queuedResources?queuedResourceId=q",
             "{\"tpu\":{\"nodeSpec\":[{\"parent\":\"projects/p/locations/us-central2-b\",\"multiNodeParams\":{"
             "\"nodeCount\":2,\"nodeIdPrefix\":\"s\"},\"node\":" +
                 node_body("v4-8", ",\"autocheckpointEnabled\":true") + "}]}}");
  world.pass(1000);
  world.host.calls.clear();
  const std::string name =
      world.post(kAlpha + "/queuedResources/q:performMaintenanceQueuedResource", "{\"nodeNames\":[\"s-0\"]}")["name"].text();
  world.pass(kPauseBeforeHalt);
  world.pass(kMaintenance + kReboot);
  EXPECT_THAT(world.host.calls,
              ElementsAre("signal 15 s-0/0", "halt s-0/0", "boot s-0/0", "halt s-1/0", "boot s-1/0"));
  EXPECT_EQ(world.get(kAlpha + "/nodes/s-0")["state"].text(), "READY");
  EXPECT_EQ(world.get(kAlpha + "/nodes/s-1")["state"].text(), "RESTARTING");
  EXPECT_TRUE(world.get("/v2alpha1/" + name)["done"].is_null());
  world.pass(kReboot);
  EXPECT_EQ(world.get(kAlpha + "/nodes/s-1")["state"].text(), "READY");
  EXPECT_TRUE(world.get("/v2alpha1/" + name)["done"].boolean());
}

TEST(MaintenanceAndDeletion, ADeletedNodeEndsTheOperationWithAnError) {
  World world;
  world.post(kAlpha + "/nodes?nodeId=n", node_body());
  world.pass(kCreateNode);
  const std::string name = world.post(kAlpha + "/nodes/n:simulateMaintenanceEvent", "{}")["name"].text();
  world.send("DELETE", kAlpha + "/nodes/n");
  world.pass(kDeleteNode);
  world.pass(kMaintenance + kReboot);
  EXPECT_TRUE(world.get("/v2alpha1/" + name)["done"].boolean());
  EXPECT_FALSE(world.get("/v2alpha1/" + name)["error"].is_null());
}

}  // namespace
}  // namespace tpuctl::emulator::testing
