// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "emulator/api_error.hpp"
#include "emulator/catalog.hpp"
#include "emulator/protojson.hpp"
#include "emulator/schema.hpp"

namespace tpuctl::emulator {
namespace {

using ::testing::HasSubstr;

Json read(const char* version, const std::string& message, const std::string& text) {
  return Schema::of(version).read(message, read_proto_json(text), "node");
}

/// The message of the refusal, or "accepted".
std::string refusal(const char* version, const std::string& message, const std::string& text) {
  try {
    read(version, message, text);
  } catch (const ApiError& error) {
    EXPECT_EQ(error.http, 400);
    EXPECT_EQ(error.body().at("/error/details/0/@type").text(), "type.googleapis.com/google.rpc.BadRequest");
    return error.what();
  }
  return "accepted";
}

TEST(Schema, ReadsLenientlyAsProtobufDoes) {
  EXPECT_EQ(read("v2", "Node", "{accelerator_type: 'v4-8', 'tags': ['a','b',], network_config: {queue_count: \"4\"},}"),
            Json::parse(R"({"acceleratorType":"v4-8","tags":["a","b"],"networkConfig":{"queueCount":4}})"));
  EXPECT_EQ(read("v2", "Tpu", "{nodeSpec: {nodeId: 'n'}}"), Json::parse(R"({"nodeSpec":[{"nodeId":"n"}]})"));
  EXPECT_EQ(read("v2", "Node", R"({"description":null})"), Json::object());
  EXPECT_EQ(read("v2", "AcceleratorConfig", R"({"type":3})"), Json::parse(R"({"type":"V4"})"));
}

TEST(Schema, TextInQuotesIsNeverTouched) {
  EXPECT_EQ(read_proto_json(R"({"a":"x: ,} 'y' \"z\""})")["a"].text(), "x: ,} 'y' \"z\"");
  EXPECT_EQ(read_proto_json(R"({'a':'it\'s "so"'})")["a"].text(), "it's \"so\"");
  EXPECT_THROW(read_proto_json("{\"a\":"), ApiError);
  EXPECT_THROW(read_proto_json("{\"a\":\"b"), ApiError);
}

TEST(Schema, RefusesAsStrictly) {
  EXPECT_THAT(refusal("v2", "Node", R"({"acelerator_type":"v4-8"})"),
              HasSubstr("Unknown name \"acelerator_type\" at 'node': Cannot find field."));
  EXPECT_THAT(refusal("v2", "Node", R"({"acceleratorType":4})"), HasSubstr("'node.accelerator_type' (TYPE_STRING)"));
  EXPECT_THAT(refusal("v2", "Node", R"({"tags":"a"})"), HasSubstr("'node.tags' (list)"));
  EXPECT_THAT(refusal("v2", "Node", R"({"tags":["a",1]})"), HasSubstr("'node.tags[1]'"));
  EXPECT_THAT(refusal("v2", "Node", R"({"labels":{"a":1}})"), HasSubstr("node.labels[a]"));
  EXPECT_THAT(refusal("v2", "Node", R"({"schedulingConfig":{"spot":"yes"}})"), HasSubstr("TYPE_BOOL"));
  EXPECT_THAT(refusal("v2", "Node", R"({"networkConfig":{"queueCount":1.5}})"), HasSubstr("TYPE_INT32"));
  EXPECT_THAT(refusal("v2", "Node", R"({"networkConfig":[]})"), HasSubstr("node.network_config"));
  EXPECT_THAT(refusal("v2", "AcceleratorConfig", R"({"type":"V9"})"), HasSubstr("TYPE_ENUM"));
  EXPECT_THAT(refusal("v2", "Node", "[]"), HasSubstr("Invalid value at 'node'"));
}

struct Difference {
  const char* message;
  const char* text;
  bool ga, alpha;
};

class Versions : public ::testing::TestWithParam<Difference> {};

TEST_P(Versions, KnowTheirOwnFields) {
  const Difference& row = GetParam();
  EXPECT_EQ(refusal("v2", row.message, row.text) == "accepted", row.ga);
  EXPECT_EQ(refusal("v2alpha1", row.message, row.text) == "accepted", row.alpha);
}

INSTANTIATE_TEST_SUITE_P(
    Fields, Versions,
    ::testing::Values(
        Difference{"Node", R"({"autocheckpointEnabled":true})", false, true},
        Difference{"Node", R"({"bootDiskConfig":{"customerEncryptionKey":{"kmsKeyName":"k"}}})", false, true},
        Difference{"Node", R"({"networkConfigs":[{"network":"a"}]})", true, true},
        Difference{"Node", R"({"upcomingMaintenance":{"maintenanceStatus":"ONGOING"}})", true, true},
        Difference{"Node", R"({"dataDisks":[{"workerIds":["0"]}]})", false, true},
        Difference{"Node", R"({"schedulingConfig":{"provisioningModel":"SPOT"}})", false, true},
        Difference{"Node", R"({"schedulingConfig":{"provisioningModel":"FLEX_START"}})", false, false},
        Difference{"AcceleratorConfig", R"({"type":"TPU7X"})", false, true},
        Difference{"QueuedResource", R"({"provisioningModel":"FLEX_START"})", false, true},
        Difference{"QueuedResource", R"({"runDuration":{"maxRunDuration":"60s"}})", false, true},
        Difference{"QueuedResource", R"({"runDuration":{"maxRunDuration":"1m"}})", false, false},
        Difference{"QueuedResource", R"({"bestEffort":{}})", false, true},
        Difference{"QueuedResource", R"({"guaranteed":{"reserved":true}})", false, true},
        Difference{"QueuedResource", R"({"queueingPolicy":{"validUntilTime":"tomorrow"}})", false, false},
        Difference{"QueuedResource", R"({"queueingPolicy":{"validInterval":{"startTime":"2026-01-01T00:00:00.5Z"}}})", true, true},
        Difference{"NodeSpec", R"({"multisliceParams":{"nodeCount":2}})", true, false},
        Difference{"NodeSpec", R"({"multiNodeParams":{"workloadType":"AVAILABILITY_OPTIMIZED"}})", false, true}));

TEST(Schema, OutputOnlyFieldsAreReadAndForgotten) {
  EXPECT_EQ(read("v2", "Node", R"({"state":"READY","id":"12","name":"x","description":"d"})"),
            Json::parse(R"({"description":"d"})"));
  EXPECT_NE(refusal("v2", "Node", R"({"state":"BUSY"})"), "accepted");
}

TEST(Schema, QueryParametersBelongToMethods) {
  const Schema& ga = Schema::of("v2");
  const Schema& alpha = Schema::of("v2alpha1");
  EXPECT_EQ(ga.query("create nodes", {{"node_id", "x"}, {"alt", "json"}, {"$.xgafv", "2"}}).at(0).first, "nodeId");
  EXPECT_THROW(ga.query("create nodes", {{"requestId", "x"}}), ApiError);
  EXPECT_EQ(alpha.query("create nodes", {{"requestId", "x"}}).size(), 1u);
  EXPECT_THROW(ga.query("list nodes", {{"filter", "x"}}), ApiError);
  EXPECT_THROW(ga.query("list nodes", {{"pageSize", "ten"}}), ApiError);
  EXPECT_THROW(ga.query("delete queuedResources", {{"force", "maybe"}}), ApiError);
  EXPECT_EQ(ga.query("delete queuedResources", {{"force", "True"}}).size(), 1u);
}

TEST(Catalog, WorkersAndChipsFollowTheType) {
  struct Row {
    const char* type;
    int chips, workers;
  };
  for (const Row& row : {Row{"v2-8", 4, 1}, Row{"v3-32", 16, 4}, Row{"v4-8", 4, 1}, Row{"v4-16", 8, 2},
                         Row{"v5litepod-1", 1, 1}, Row{"v5litepod-8", 8, 1}, Row{"v5litepod-16", 16, 4},
                         Row{"v5p-32", 16, 4}, Row{"v6e-256", 256, 64}}) {
    const Accelerator* found = find_accelerator(row.type);
    ASSERT_NE(found, nullptr) << row.type;
    EXPECT_EQ(found->chips, row.chips) << row.type;
    EXPECT_EQ(found->workers, row.workers) << row.type;
  }
}

TEST(Catalog, ATopologyHasAsManyChipsAsItsType) {
  for (const Accelerator& accelerator : accelerators()) {
    int product = 1;
    std::string digits;
    for (const char c : accelerator.topology + "x") {
      if (c == 'x') {
        product *= std::stoi(digits);
        digits.clear();
      } else {
        digits += c;
      }
    }
    EXPECT_EQ(product, accelerator.chips) << accelerator.type;
  }
}

}  // namespace
}  // namespace tpuctl::emulator
