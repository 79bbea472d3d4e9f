// SPDX-License-Identifier: Apache-2.0
#include "launch/remake.hpp"

#include <gmock/gmock.h>

namespace tpuctl::test {
namespace {

using launch::remade_request;

const TimePoint kNow = *parse_rfc3339("2024-06-01T00:00:00Z");

Json node(const std::string& id) {
  return Json::parse(R"({"name": "projects/p/locations/z/nodes/)" + id + R"(", "acceleratorType": "v4-16", "runtimeVersion": "r", "state": "READY",
    "health": "HEALTHY", "id": "17)" + id + R"(", "networkEndpoints": [{"ipAddress": "10.0.0.1"}], "queuedResource": "q", "multisliceNode": true,
    "createTime": "2024-05-01T00:00:00Z", "autocheckpointEnabled": true, "labels": {"tpuctl-job": "j"}, "apiVersion": "V2",
    "metadata": {"ssh-keys": "me:ssh-rsa AAAA", "startup-script": "x"}, "schedulingConfig": {"spot": true, "terminationTimestamp": "t"}})");
}

Json queued(const Json& specs) {
  Json out = Json::parse(R"({"name": "projects/p/locations/z/queuedResources/q", "createTime": "2024-05-01T00:00:00Z", "spot": {},
    "state": {"state": "SUSPENDED"}, "provisioningModel": "SPOT", "runDuration": {"maxRunDuration": "3600s", "terminationTime": "2024-05-02T00:00:00Z"}})");
  out.set("/tpu/nodeSpec", specs);
  return out;
}

Json specs_of(int count) {
  Json out = Json::array();
  for (int i = 0; i < count; ++i) {
    const std::string id = "s-" + std::to_string(i);
    out.push(Json{{"parent", "projects/p/locations/z"}, {"nodeId", id}, {"node", node(id)}});
  }
  return out;
}

TEST(Remake, WhatOnlyTheServiceWritesIsGone) {
  const Json body = remade_request(queued(specs_of(1)), kNow);
  EXPECT_TRUE(body == Json::parse(R"({"spot": {}, "provisioningModel": "SPOT", "runDuration": {"maxRunDuration": "3600s"},
    "tpu": {"nodeSpec": [{"parent": "projects/p/locations/z", "nodeId": "s-0", "node": {"acceleratorType": "v4-16", "runtimeVersion": "r",
      "autocheckpointEnabled": true, "labels": {"tpuctl-job": "j"}, "metadata": {"startup-script": "x"}, "schedulingConfig": {"spot": true}}}]}})"))
      << body.pretty();
}

TEST(Remake, ANodeIsAskedForAsItWas) {
  Json was = node("s-0");
  was.member("acceleratorConfig") = Json{{"type", "V4"}, {"topology", "2x2x2"}};
  was.member("networkConfig") = Json{{"network", "default"}};
  was.member("networkConfigs") = Json::array();
  was.member("networkConfigs").push(Json{{"network", "default"}});
  EXPECT_TRUE(launch::remade_node(was) == Json::parse(R"({"acceleratorType": "v4-16", "runtimeVersion": "r", "autocheckpointEnabled": true,
    "labels": {"tpuctl-job": "j"}, "metadata": {"startup-script": "x"}, "schedulingConfig": {"spot": true}, "networkConfig": {"network": "default"}})"))
      << launch::remade_node(was).pretty();
  was.member("networkConfigs").push(Json{{"network", "other"}});
  EXPECT_EQ(launch::remade_node(was)["networkConfigs"].size(), 2u);
  EXPECT_TRUE(launch::remade_node(was)["networkConfig"].is_null());
}

TEST(Remake, NodesAreFoldedBackIntoAMultislice) {
  const Json spec = remade_request(queued(specs_of(3)), kNow).at("/tpu/nodeSpec");
  ASSERT_EQ(spec.size(), 1u);
  EXPECT_TRUE(spec[0]["multiNodeParams"] == Json::parse(R"({"nodeCount": 3, "nodeIdPrefix": "s"})")) << spec.dump();
  EXPECT_TRUE(spec[0]["nodeId"].is_null());
}

TEST(Remake, NodesThatDifferStayApart) {
  Json specs = specs_of(2);
  specs.mutable_items()[1].set("/node/acceleratorType", "v4-8");
  EXPECT_EQ(remade_request(queued(specs), kNow).at("/tpu/nodeSpec").size(), 2u);
  specs = specs_of(2);
  specs.mutable_items()[1].set("/nodeId", "other");
  EXPECT_EQ(remade_request(queued(specs), kNow).at("/tpu/nodeSpec").size(), 2u);
}

TEST(Remake, AMultisliceThatIsToldAsOneStaysOne) {
  Json specs = Json::array();
  specs.push(Json{{"parent", "p"}, {"multiNodeParams", Json{{"nodeCount", 2}, {"nodeIdPrefix", "s"}}}, {"node", node("")}});
  const Json spec = remade_request(queued(specs), kNow).at("/tpu/nodeSpec");
  EXPECT_TRUE(spec[0]["multiNodeParams"] == Json::parse(R"({"nodeCount": 2, "nodeIdPrefix": "s"})"));
  EXPECT_TRUE(spec[0].at("/node/state").is_null());
}

TEST(Remake, TheTimeItIsValidForBeginsAnew) {
  struct Row {
    const char* policy;
    const char* wanted;
  };
  for (const Row& row : {Row{R"({"validUntilTime": "2024-05-01T06:00:00Z"})", R"({"validUntilTime": "2024-06-01T06:00:00.000Z"})"},
                         Row{R"({"validUntilDuration": "7200s"})", R"({"validUntilDuration": "7200s"})"},
                         Row{R"({"validInterval": {"startTime": "2024-05-01T01:00:00Z", "endTime": "2024-05-01T02:00:00Z"}})", R"({"validUntilTime": "2024-06-01T02:00:00.000Z"})"},
                         Row{R"({"validAfterTime": "2024-05-01T01:00:00Z"})", "null"},
                         Row{R"({"validUntilTime": "2023-01-01T00:00:00Z"})", "null"}}) {
    Json old = queued(specs_of(1));
    old.set("/queueingPolicy", Json::parse(row.policy));
    EXPECT_TRUE(remade_request(old, kNow)["queueingPolicy"] == Json::parse(row.wanted)) << row.policy;
  }
}

}  // namespace
}  // namespace tpuctl::test
