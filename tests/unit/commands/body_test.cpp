// SPDX-License-Identifier: Apache-2.0
#include "commands/body.hpp"

#include <gmock/gmock.h>

#include "commands/shapes.hpp"
#include "emulator/api_error.hpp"
#include "emulator/schema.hpp"
#include "tests/support/errors.hpp"
#include "tests/unit/commands/program.hpp"

namespace tpuctl::test {
namespace {

using commands::BodyPlace;
using ::testing::AllOf;
using ::testing::HasSubstr;
using Words = std::vector<std::string>;

// ---- a row of each kind ---------------------------------------------------------------------------------------------

constexpr cli::Key kKeys[] = {{.name = "text", .field = "/a/text"},
                              {.name = "flag", .field = "/flag", .kind = cli::Kind::toggle},
                              {.name = "mode", .field = "/mode", .kind = cli::Kind::choice, .choices = "read-write,odd=IRREGULAR"}};
constexpr cli::Flag kRows[] = {
    {.name = "toggle", .help = "x.", .kind = cli::Kind::toggle, .field = "toggle"},
    {.name = "always", .help = "x.", .kind = cli::Kind::toggle, .field = "always", .always = true},
    {.name = "inverse", .help = "x.", .kind = cli::Kind::inverse, .field = "inverse"},
    {.name = "marker", .help = "x.", .kind = cli::Kind::marker, .field = "/marker"},
    {.name = "text", .help = "x.", .field = "deep/text"},
    {.name = "fallback", .help = "x.", .field = "fallback", .fallback = "usual"},
    {.name = "lowered", .help = "x.", .kind = cli::Kind::lowered, .field = "lowered"},
    {.name = "integer", .help = "x.", .kind = cli::Kind::integer, .field = "integer"},
    {.name = "choice", .help = "x.", .kind = cli::Kind::choice, .field = "choice", .choices = "two-words,odd=IRREGULAR", .alpha_choices = "new=BRAND_NEW"},
    {.name = "list", .help = "x.", .kind = cli::Kind::list, .field = "list"},
    {.name = "repeated", .help = "x.", .kind = cli::Kind::repeated, .field = "repeated"},
    {.name = "map", .help = "x.", .kind = cli::Kind::map, .field = "map"},
    {.name = "dict", .help = "x.", .kind = cli::Kind::dict, .field = "dict", .keys = kKeys},
    {.name = "dicts", .help = "x.", .kind = cli::Kind::dicts, .field = "dicts", .keys = kKeys},
    {.name = "duration", .help = "x.", .kind = cli::Kind::duration, .field = "/duration"},
    {.name = "no-field", .help = "x."},
    {.name = "later", .help = "x.", .field = "later", .track = cli::Track::alpha},
};
constexpr cli::Command kCommands[] = {{.name = "make", .help = "Make", .flags = kRows, .run = [](cli::Frame&, const cli::Args&) { return 0; }}};
constexpr cli::Command kTree = {.name = "tpuctl", .help = "Test", .commands = kCommands};

Json body(Words words, const std::string& version = "v2alpha1", std::string_view prefix = "/node") {
  words.insert(words.begin(), "make");
  cli::Parsed parsed;
  cli::parse(kTree, {}, "tpuctl", words, parsed);
  return commands::build_body(parsed.args, BodyPlace{prefix, version});
}

struct KindCase {
  Words words;
  const char* pointer;
  const char* value;  ///< JSON; "null": not sent
};

TEST(Body, EachKindIsWrittenInItsWay) {
  const KindCase cases[] = {
      {{}, "/node/toggle", "null"},
      {{"--toggle"}, "/node/toggle", "true"},
      {{"--no-toggle"}, "/node/toggle", "false"},
      {{}, "/node/always", "false"},
      {{"--always"}, "/node/always", "true"},
      {{}, "/node/inverse", "null"},
      {{"--inverse"}, "/node/inverse", "false"},
      {{"--no-inverse"}, "/node/inverse", "true"},
      {{}, "/marker", "null"},
      {{"--marker"}, "/marker", "{}"},
      {{"--no-marker"}, "/marker", "null"},
      {{"--text=a b"}, "/node/deep/text", "\"a b\""},
      {{"--text="}, "/node/deep/text", "\"\""},
      {{}, "/node/fallback", "\"usual\""},
      {{"--fallback=mine"}, "/node/fallback", "\"mine\""},
      {{"--lowered=V4-8"}, "/node/lowered", "\"v4-8\""},
      {{"--integer=07"}, "/node/integer", "7"},
      {{"--choice=two-words"}, "/node/choice", "\"TWO_WORDS\""},
      {{"--choice=TWO_WORDS"}, "/node/choice", "\"TWO_WORDS\""},
      {{"--choice=odd"}, "/node/choice", "\"IRREGULAR\""},
      {{"--choice=new"}, "/node/choice", "\"BRAND_NEW\""},
      {{"--list=a,b"}, "/node/list", R"(["a","b"])"},
      {{"--list=^:^a,b:c"}, "/node/list", R"(["a,b","c"])"},
      {{"--repeated=a,b", "--repeated=c"}, "/node/repeated", R"(["a,b","c"])"},
      {{"--map=k=v,x=y=z"}, "/node/map", R"({"k":"v","x":"y=z"})"},
      {{"--dict=text=t,flag=TRUE,mode=read_write"}, "/node/dict", R"({"a":{"text":"t"},"flag":true,"mode":"READ_WRITE"})"},
      {{"--dict=mode=odd,flag=false"}, "/node/dict", R"({"mode":"IRREGULAR","flag":false})"},
      {{"--dicts=text=a", "--dicts=text=b"}, "/node/dicts", R"([{"a":{"text":"a"}},{"a":{"text":"b"}}])"},
      {{"--duration=1h30m"}, "/duration", "\"5400s\""},
      {{"--later=x"}, "/node/later", "\"x\""},
  };
  for (const KindCase& one : cases) {
    EXPECT_TRUE(body(one.words).at(one.pointer) == Json::parse(one.value)) << text::join(one.words, " ") << ": " << body(one.words).dump();
  }
  EXPECT_FALSE(body({"--no-field=x"}).dump().find("no-field") != std::string::npos);
}

TEST(Body, ThePrefixIsTheOnlyDifference) {
  EXPECT_EQ(body({"--text=t"}, "v2alpha1", "").at("/deep/text").text(), "t");
  EXPECT_EQ(body({"--text=t"}, "v2alpha1", "/tpu/nodeSpec/0/node").at("/tpu/nodeSpec/0/node/deep/text").text(), "t");
  EXPECT_TRUE(body({}, "v2alpha1", "/tpu/nodeSpec/0/node")["tpu"]["nodeSpec"].is_array());
}

TEST(Body, V2CarriesNoAlphaRows) {
  EXPECT_TRUE(body({}, "v2").at("/node/later").is_null());
  const Error error = error_of([] { body({"--later=x"}, "v2"); });
  EXPECT_EQ(error.kind, Kind::usage);
  EXPECT_THAT(error.what(), AllOf(HasSubstr("--later"), HasSubstr("v2alpha1")));
}

// ---- whole requests, as gcloud sends them ---------------------------------------------------------------------------------

class Create : public Program {
 protected:
  Json with(Json json, const std::string& pointer, Json value) {
    json.set(pointer, std::move(value));
    return json;
  }
  const Json kNode = Json::parse(R"({"acceleratorType":"v2-8","metadata":{},"networkConfig":{"enableExternalIps":true,"network":"default"},"runtimeVersion":"r",
      "schedulingConfig":{"preemptible":false,"reserved":false,"spot":false},"shieldedInstanceConfig":{"enableSecureBoot":false}})");
  const Json kQueued = Json::parse(R"({"tpu":{"nodeSpec":[{"nodeId":"n1","parent":"projects/test-project/locations/us-central2-b","node":{"acceleratorType":"v4-8",
      "metadata":{},"networkConfig":{"enableExternalIps":true,"network":"default"},"runtimeVersion":"r","serviceAccount":{}}}]}})");
  const Words kGaNode = {"compute", "tpus", "tpu-vm", "create", "n1", "--version=r"};
  const Words kAlphaNode = {"tpu-vm", "create", "n1", "--version=r"};
  const Words kGaQueued = {"compute", "tpus", "queued-resources", "create", "q1", "--runtime-version=r", "--accelerator-type=v4-8"};
  const Words kAlphaQueued = {"queued-resources", "create", "q1", "--runtime-version=r", "--accelerator-type=v4-8"};
  static Words plus(Words words, const Words& more) {
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }
  void expect(const Words& words, const Json& wanted) {
    const Json got = body_of(words);
    EXPECT_TRUE(got == wanted) << text::join(words, " ") << "\n  got    " << got.dump() << "\n  wanted " << wanted.dump();
  }
  std::string refusal(const Words& words, int code = 2) {
    EXPECT_EQ(run(plus(words, {"--dry-run"})), code) << text::join(words, " ") << "\n" << io->out_text;
    EXPECT_EQ(io->out_text, "");
    return io->err_text;
  }
};

TEST_F(Create, ATpuVm) {
  expect(kGaNode, kNode);
  EXPECT_EQ(line, "POST http://127.0.0.1:1/v2/projects/test-project/locations/us-central2-b/nodes?alt=json&nodeId=n1");
  expect(kAlphaNode, with(with(kNode, "/autocheckpointEnabled", false), "/schedulingConfig/provisioningModel", "STANDARD"));
  EXPECT_THAT(line, ::testing::StartsWith("POST http://127.0.0.1:1/v2alpha1/projects/test-project/locations/us-central2-b/nodes?alt=json&nodeId=n1&requestId="));
}

TEST_F(Create, Autocheckpoint) {
  EXPECT_TRUE(body_of(plus(kAlphaNode, {"--autocheckpoint-enabled"}))["autocheckpointEnabled"].boolean());
  EXPECT_TRUE(body_of(plus(kAlphaQueued, {"--node-id=n1", "--autocheckpoint-enabled"})).at("/tpu/nodeSpec/0/node/autocheckpointEnabled").boolean());
  EXPECT_THAT(refusal(plus(kGaNode, {"--autocheckpoint-enabled"})), HasSubstr("--autocheckpoint-enabled"));
}

TEST_F(Create, SpotIsReallySpot) {
  const Json node = body_of(plus(kAlphaNode, {"--spot"}));
  EXPECT_TRUE(node.at("/schedulingConfig/spot").boolean());
  EXPECT_EQ(node.at("/schedulingConfig/provisioningModel").text(), "SPOT");
  const Json queued = body_of(plus(kAlphaQueued, {"--node-id=n1", "--spot"}));
  EXPECT_TRUE(queued.at("/spot").is_object());
  EXPECT_EQ(queued["provisioningModel"].text(), "SPOT");
  EXPECT_EQ(body_of(plus(kAlphaNode, {"--provisioning-model=reservation-bound"})).at("/schedulingConfig/provisioningModel").text(), "RESERVATION_BOUND");
  EXPECT_EQ(body_of(plus(kAlphaQueued, {"--node-id=n1", "--provisioning-model=flex-start"}))["provisioningModel"].text(), "FLEX_START");
}

TEST_F(Create, ATopologyTakesThePlaceOfTheType) {
  const Json node = body_of(plus(kGaNode, {"--type=v4", "--topology=2x2x2"}));
  EXPECT_TRUE(node["acceleratorType"].is_null());
  EXPECT_TRUE(node["acceleratorConfig"] == Json::parse(R"({"type":"V4","topology":"2x2x2"})"));
  EXPECT_EQ(body_of(plus(kAlphaNode, {"--type=v5litepod", "--topology=2x4"})).at("/acceleratorConfig/type").text(), "V5LITE_POD");
  refusal(plus(kGaNode, {"--topology=2x2x2"}));
  refusal(plus(kGaNode, {"--type=v5p", "--topology=2x2x2"}));
}

TEST_F(Create, AQueuedResource) {
  expect(plus(kGaQueued, {"--node-id=n1"}), kQueued);
  expect(plus(kAlphaQueued, {"--node-id=n1"}), with(with(kQueued, "/tpu/nodeSpec/0/node/autocheckpointEnabled", false), "/provisioningModel", "STANDARD"));
  EXPECT_THAT(line, HasSubstr("queuedResources?alt=json&queuedResourceId=q1&requestId="));
}

TEST_F(Create, SeveralNodesUnderTheNameOfTheVersion) {
  Json wanted = Json::parse(R"({"nodeCount":2,"nodeIdPrefix":"pre"})");
  Json ga = body_of(plus(kGaQueued, {"--node-count=2", "--node-prefix=pre"}));
  EXPECT_TRUE(ga.at("/tpu/nodeSpec/0/multisliceParams") == wanted);
  EXPECT_TRUE(ga.at("/tpu/nodeSpec/0/nodeId").is_null());
  wanted.member("workloadType") = "AVAILABILITY_OPTIMIZED";
  Json alpha = body_of(plus(kAlphaQueued, {"--node-count=2", "--node-prefix=pre", "--workload-type=availability-optimized"}));
  EXPECT_TRUE(alpha.at("/tpu/nodeSpec/0/multiNodeParams") == wanted);
  for (const char* count : {"1", "0", "-1"}) EXPECT_THAT(refusal(plus(kGaQueued, {std::string("--node-count=") + count})), HasSubstr("--node-count")) << count;
  refusal(kGaQueued);
  refusal(plus(kGaQueued, {"--node-id=n1", "--node-count=2"}));
  refusal(plus(kGaQueued, {"--node-id=n1", "--node-prefix=p"}));
  refusal(plus(kGaQueued, {"--node-id=n1", "--spot", "--guaranteed"}));
}

TEST_F(Create, NetworkConfigsExcludeTheOneNetwork) {
  const Json body = body_of(plus(kAlphaQueued, {"--node-id=n1", "--network-config=network=a,subnetwork=b,external-ips=true", "--network-config=network=c"}));
  EXPECT_TRUE(body.at("/tpu/nodeSpec/0/node/networkConfigs") == Json::parse(R"([{"network":"a","subnetwork":"b","enableExternalIps":true},{"network":"c"}])"));
  EXPECT_TRUE(body.at("/tpu/nodeSpec/0/node/networkConfig").is_null());
}

struct ReservationCase {
  Words flags;
  bool alpha;
  const char* name;
};

TEST_F(Create, ReservationsHaveFullNames) {
  const ReservationCase cases[] = {
      {{"--reservation=r1"}, true, "projects/test-project/locations/us-central2-b/reservations/r1"},
      {{"--reservation=r1", "--zone=z9"}, true, "projects/test-project/locations/z9/reservations/r1"},
      {{"--reservation=projects/o/locations/l/reservations/r"}, true, "projects/o/locations/l/reservations/r"},
      {{"--reserved"}, false, "projects/test-project/locations/us-central2-b/reservations/-"},
      {{"--reserved", "--reservation-host-project=o"}, false, "projects/o/locations/us-central2-b/reservations/-"},
      {{"--reservation-host-folder=7"}, false, "folders/7/locations/us-central2-b/reservations/-"},
      {{"--reservation-host-organization=8"}, false, "organizations/8/locations/us-central2-b/reservations/-"},
  };
  for (const ReservationCase& one : cases) {
    const Json body = body_of(plus(plus(one.alpha ? kAlphaQueued : kGaQueued, {"--node-id=n1"}), one.flags));
    EXPECT_EQ(body["reservationName"].text(), one.name) << text::join(one.flags, " ");
  }
  EXPECT_TRUE(body_of(plus(kAlphaQueued, {"--node-id=n1", "--reserved"})).at("/guaranteed/reserved").boolean());
}

TEST_F(Create, AQueueingPolicyOfTwoEndsIsOneInterval) {
  const auto policy = [this](const Words& flags) { return body_of(plus(plus(kGaQueued, {"--node-id=n1"}), flags))["queueingPolicy"]; };
  EXPECT_TRUE(policy({}).is_null());
  EXPECT_TRUE(policy({"--valid-until-duration=6h"}) == Json::parse(R"({"validUntilDuration":"21600s"})"));
  EXPECT_TRUE(policy({"--valid-after-duration=1d"}) == Json::parse(R"({"validAfterDuration":"86400s"})"));
  EXPECT_TRUE(policy({"--valid-until-time=2029-01-02T00:00:00Z"}) == Json::parse(R"({"validUntilTime":"2029-01-02T00:00:00.000Z"})"));
  const Json interval = Json::parse(R"({"validInterval":{"startTime":"2026-01-01T01:00:00.000Z","endTime":"2026-01-01T03:00:00.000Z"}})");
  EXPECT_TRUE(policy({"--valid-after-duration=1h", "--valid-until-duration=3h"}) == interval) << "counted from now";
  EXPECT_TRUE(policy({"--valid-after-time=2026-01-01T01:00:00Z", "--valid-until-duration=3h"}) == interval);
  EXPECT_THAT(refusal(plus(kGaQueued, {"--node-id=n1", "--valid-after-duration=3h", "--valid-until-duration=1h"})), HasSubstr("ends before it begins"));
  refusal(plus(kGaQueued, {"--node-id=n1", "--valid-until-duration=3h", "--valid-until-time=2029-01-01T00:00:00Z"}));
}

TEST_F(Create, ConfidentialComputeNeedsAKey) {
  EXPECT_THAT(refusal(plus(kAlphaNode, {"--boot-disk=confidential-compute=true"})), HasSubstr("kms-key"));
  EXPECT_TRUE(body_of(plus(kAlphaNode, {"--boot-disk=confidential-compute=true,kms-key=k"}))["bootDiskConfig"] ==
              Json::parse(R"({"enableConfidentialCompute":true,"customerEncryptionKey":{"kmsKeyName":"k"}})"));
}

// Every flag at once, read by the API's own field lists: what the shape functions write is there too.
TEST_F(Create, TheApiReadsEverythingThatCanBeSaid) {
  const Words common = {"--network=net", "--subnetwork=sub", "--internal-ips", "--range=10.0.0.0/8", "--description=d", "--labels=a=b", "--tags=t,u", "--metadata=k=v",
                        "--service-account=s@x", "--scopes=a,b", "--data-disk=source=projects/p/zones/z/disks/d,mode=read-only", "--shielded-secure-boot"};
  const Words alpha = {"--autocheckpoint-enabled", "--boot-disk=confidential-compute=true,kms-key=k"};
  const auto read = [](const char* version, const char* message, const Json& body) {
    try {
      emulator::Schema::of(version).read(message, body, "body");
      return std::string();
    } catch (const emulator::ApiError& error) {
      return std::string(error.what()) + " in " + body.dump();
    }
  };
  EXPECT_EQ(read("v2", "Node", body_of(plus(plus(kGaNode, common), {"--spot", "--preemptible", "--reserved", "--queue-count=2"}))), "");
  EXPECT_EQ(read("v2", "Node", body_of(plus(plus(kGaNode, common), {"--type=v4", "--topology=2x2x2"}))), "");
  EXPECT_EQ(read("v2alpha1", "Node", body_of(plus(plus(plus(kAlphaNode, common), alpha), {"--spot"}))), "");
  EXPECT_EQ(read("v2", "QueuedResource", body_of(plus(plus(kGaQueued, common), {"--node-count=3", "--node-prefix=p", "--guaranteed", "--min-duration=3600s", "--reserved",
                                                                                "--valid-after-duration=1h", "--valid-until-duration=2h"}))),
            "");
  EXPECT_EQ(read("v2alpha1", "QueuedResource",
                 body_of(plus(plus(plus(kAlphaQueued, common), alpha), {"--node-count=3", "--node-prefix=p", "--workload-type=throughput-optimized", "--best-effort", "--reservation=r",
                                                                        "--max-run-duration=1d", "--valid-until-time=2029-01-01T00:00:00Z", "--provisioning-model=spot"}))),
            "");
  EXPECT_EQ(read("v2alpha1", "QueuedResource", body_of(plus(kAlphaQueued, {"--node-id=n", "--network-config=network=a,external-ips=false", "--reserved", "--guaranteed"}))), "");
  EXPECT_NE(read("v2", "Node", body_of(plus(kAlphaNode, alpha))), "") << "the check sees what v2 does not know";
}

// ---- metadata ----------------------------------------------------------------------------------------------------------------

TEST_F(Create, MetadataComesFromBothFlags) {
  folder.put("script", "#!/bin/sh\necho 'a=b,c'\n");
  const Json node = body_of(plus(kGaNode, {"--metadata=a=1,b=x=y", "--metadata-from-file=startup-script=" + (folder / "script")}));
  EXPECT_TRUE(node["metadata"] == (Json{{"a", "1"}, {"b", "x=y"}, {"startup-script", "#!/bin/sh\necho 'a=b,c'\n"}})) << node["metadata"].dump();
}

TEST_F(Create, MetadataIsRefusedWhereTheServiceWould) {
  const std::string file = folder.put("f", "x");
  EXPECT_THAT(refusal(plus(kGaNode, {"--metadata=a=1", "--metadata-from-file=a=" + file})), HasSubstr("duplicate metadata key [a]"));
  EXPECT_THAT(refusal(plus(kGaNode, {"--metadata-from-file=a=" + (folder / "none")}), 1), AllOf(HasSubstr("none"), HasSubstr("No such file")));
  folder.put("big", std::string(262145, 'x'));
  EXPECT_THAT(refusal(plus(kGaNode, {"--metadata-from-file=a=" + (folder / "big")})), AllOf(HasSubstr("[a]"), HasSubstr("262145"), HasSubstr("262144")));
  folder.put("most", std::string(262144, 'x'));
  const std::string most = folder / "most";
  body_of(plus(kGaNode, {"--metadata-from-file=a=" + most}));
  EXPECT_THAT(refusal(plus(kGaNode, {"--metadata-from-file=a=" + most + ",b=" + most})), HasSubstr("in all"));
}

}  // namespace
}  // namespace tpuctl::test
