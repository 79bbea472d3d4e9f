// SPDX-License-Identifier: Apache-2.0
#include "launch/workers.hpp"

#include <gmock/gmock.h>

#include "tests/support/errors.hpp"
#include "tests/support/fake_clock.hpp"
#include "tests/support/scripted_transport.hpp"

namespace tpuctl::test {
namespace {

using namespace launch;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

struct ListCase {
  const char* text;
  int count;
  std::vector<int> chosen;
};

TEST(WorkerList, IsASortedSet) {
  const ListCase cases[] = {{"all", 4, {0, 1, 2, 3}}, {"all", 1, {0}},          {"0", 1, {0}},         {"3", 4, {3}},
                            {"0,2", 4, {0, 2}},       {"2,0,2", 4, {0, 2}},     {"0,2-3", 4, {0, 2, 3}}, {"0-2,1-3", 4, {0, 1, 2, 3}},
                            {"10-12", 20, {10, 11, 12}}};
  for (const ListCase& one : cases) EXPECT_EQ(parse_worker_list(one.text, one.count), one.chosen) << one.text;
}

TEST(WorkerList, NonsenseIsAUsageError) {
  for (const char* text : {"", "x", "ALL", "all,1", ",", "0,", ",0", "1-", "-1", "--1", "3-1", "1-2-3", "1 2", "0x1", "1.5", "+1", "9999999999999999999999"}) {
    EXPECT_EQ(error_of([&] { parse_worker_list(text, 4); }).kind, Kind::usage) << text;
  }
}

TEST(WorkerList, ANumberTooLargeIsAFailure) {
  for (const char* text : {"4", "0,9", "2-5", "0-99999999999"}) {
    const Error error = error_of([&] { parse_worker_list(text, 4); });
    EXPECT_EQ(error.kind, Kind::failure) << text;
    EXPECT_THAT(error.what(), HasSubstr("0 to 3")) << text;
  }
  error_of([] { parse_worker_list("0", 0); });
}

TEST(WorkerState, DecidesWhetherSshCanWork) {
  struct Row {
    const char* state;
    const char* health;
    bool fine;
    std::size_t warnings;
  };
  for (const Row& row : {Row{"READY", "HEALTHY", true, 0}, Row{"READY", "", true, 0}, Row{"RESTARTING", "", true, 0}, Row{"CREATING", "", true, 1}, Row{"REPAIRING", "", true, 1},
                         Row{"STARTING", "", true, 1}, Row{"READY", "UNHEALTHY_MAINTENANCE", true, 1}, Row{"REPAIRING", "UNHEALTHY_MAINTENANCE", true, 2},
                         Row{"STOPPED", "", false, 0}, Row{"STOPPING", "", false, 0}, Row{"DELETING", "", false, 0}, Row{"PREEMPTED", "", false, 0},
                         Row{"TERMINATED", "", false, 0}, Row{"HIDDEN", "", false, 0}}) {
    std::vector<std::string> warnings;
    const std::string complaint = complaint_of(
        [&] { check_reachable_state(Json{{"state", row.state}, {"health", row.health}}, "n1", [&](const std::string& line) { warnings.push_back(line); }); });
    EXPECT_EQ(complaint.empty(), row.fine) << row.state;
    EXPECT_EQ(warnings.size(), row.warnings) << row.state;
    if (!row.fine) {
      EXPECT_THAT(complaint, AllOf(HasSubstr("n1"), HasSubstr(row.state)));
    }
  }
}

// ---- workers of a node -----------------------------------------------------------------------------------------------

Json endpoint(const std::string& internal, const std::string& external) {
  Json out{{"ipAddress", internal}};
  if (!external.empty()) out.member("accessConfig") = Json{{"externalIp", external}};
  return out;
}

Json attributes(const std::string& ed25519) {
  return Json{{"queryValue",
               Json{{"items", Json(Json::Array{Json{{"namespace", "hostkeys"}, {"key", "ssh-rsa"}, {"value", "RSA" + ed25519}},
                                               Json{{"namespace", "hostkeys"}, {"key", "ssh-ed25519"}, {"value", ed25519 + "\n"}},
                                               Json{{"namespace", "other"}, {"key", "ssh-dss"}, {"value", "no host key"}}})}}}};
}

class Workers : public ::testing::Test {
 protected:
  std::vector<Worker> read(const Json& node, const std::string& chosen, bool internal = false) {
    return read_workers(client, name, node, chosen, internal);
  }
  ScriptedTransport::Step& attributes_call(const std::string& id) {
    return wire.expect("POST", "https://h/v2alpha1/projects/p/locations/z/nodes/n1:getGuestAttributes?alt=json")
        .with_json(Json{{"workerIds", Json::strings({id})}});
  }
  const api::Name name{"p", "z", "nodes", "n1"};
  const Json pod{{"id", "77"},
                 {"networkEndpoints", Json(Json::Array{endpoint("10.0.0.1", "203.0.0.1"), endpoint("10.0.0.2", "203.0.0.2"), endpoint("10.0.0.3", "")})}};
  /// Two workers with two interfaces each: every second endpoint is a worker's first.
  const Json multi{{"id", "88"},
                   {"networkConfigs", Json(Json::Array{Json{{"network", "a"}}, Json{{"network", "b"}}})},
                   {"networkEndpoints", Json(Json::Array{endpoint("10.0.7.2", "203.0.7.2"), endpoint("10.1.7.2", "203.0.7.3"), endpoint("10.0.7.3", "203.0.7.4"),
                                                         endpoint("10.1.7.3", "203.0.7.5")})}};
  ScriptedTransport wire;
  FakeClock clock;
  api::Client client{wire, clock, "https://h/", "v2alpha1"};
};

TEST_F(Workers, AllAreAskedForWithOneEmptyId) {
  attributes_call("").reply(200, Json{{"guestAttributes", Json(Json::Array{attributes("AAAAC3aaaaaa"), attributes("AAAAC3bbbbbb"), attributes("AAAAC3cccccc")})}});
  const auto workers = read(pod, "all");
  ASSERT_EQ(workers.size(), 3u);
  EXPECT_EQ(workers[0].address, "203.0.0.1");
  EXPECT_EQ(workers[2].address, "10.0.0.3") << "without an external address the internal one";
  EXPECT_EQ(workers[1].alias, "tpu.77-1-bbbbbb");
  EXPECT_EQ(workers[1].label(), "n1/1");
  ASSERT_EQ(workers[1].host_keys.size(), 2u) << "host keys only";
  EXPECT_EQ(workers[1].host_keys[1].type, "ssh-ed25519");
  EXPECT_EQ(workers[1].host_keys[1].data, "AAAAC3bbbbbb") << "no blanks around it";
}

TEST_F(Workers, OneOfManyIsAskedForByItsNumber) {
  attributes_call("2").reply(200, Json{{"guestAttributes", Json(Json::Array{attributes("AAAAC3cccccc")})}});
  const auto workers = read(pod, "2");
  ASSERT_EQ(workers.size(), 1u);
  EXPECT_EQ(workers[0].alias, "tpu.77-2-cccccc");
  EXPECT_EQ(workers[0].index, 2);
}

TEST_F(Workers, SomeOfManyTakeTheirOwnKeys) {
  attributes_call("").reply(200, Json{{"guestAttributes", Json(Json::Array{attributes("AAAAC3aaaaaa"), attributes("AAAAC3bbbbbb"), attributes("AAAAC3cccccc")})}});
  const auto workers = read(pod, "0,2");
  ASSERT_EQ(workers.size(), 2u);
  EXPECT_EQ(workers[1].alias, "tpu.77-2-cccccc");
}

TEST_F(Workers, FurtherInterfacesAreNoFurtherWorkers) {
  EXPECT_EQ(worker_count(multi), 2);
  EXPECT_EQ(worker_count(pod), 3);
  EXPECT_EQ(worker_count(Json::object()), 0);
  attributes_call("").reply(200, Json{{"guestAttributes", Json(Json::Array{attributes("AAAAC36d4f60"), attributes("AAAAC3a793dd")})}});
  const auto workers = read(multi, "all");
  ASSERT_EQ(workers.size(), 2u);
  EXPECT_EQ(workers[0].address, "203.0.7.2");
  EXPECT_EQ(workers[1].address, "203.0.7.4");
  EXPECT_EQ(workers[1].alias, "tpu.88-1-a793dd");
}

TEST_F(Workers, InternalAddressesOnRequest) {
  attributes_call("1").reply(200);
  EXPECT_EQ(read(pod, "1", true)[0].address, "10.0.0.2");
}

TEST_F(Workers, WithoutGuestAttributesTheAliasIsShorter) {
  attributes_call("0").reply_error(404, "NOT_FOUND", "not enabled");
  const auto workers = read(pod, "0");
  EXPECT_EQ(workers[0].alias, "tpu.77-0");
  EXPECT_THAT(workers[0].host_keys, IsEmpty());
  attributes_call("0").refuse();
  EXPECT_EQ(error_of([&] { read(pod, "0"); }).kind, Kind::unavailable) << "no service at all is another matter";
}

TEST_F(Workers, AWorkerWithoutAnAddressIsNamed) {
  Json fresh = pod;
  fresh.set("/networkEndpoints/1", Json::object());
  EXPECT_THAT(error_of([&] { read(fresh, "all"); }).what(), AllOf(HasSubstr("orker 1"), HasSubstr("n1"), HasSubstr("address")));
}

TEST_F(Workers, OddAttributesAreNoKeys) {
  attributes_call("").reply_text(200, R"({"guestAttributes":[{"queryValue":{"items":[{"namespace":"hostkeys","key":"ssh-ed25519","value":"short"}]}},{},null]})");
  EXPECT_EQ(read(pod, "all")[0].alias, "tpu.77-0") << "a key of fewer than six characters gives no suffix";
}

// ---- which nodes --------------------------------------------------------------------------------------------------------

class Nodes : public Workers {
 protected:
  std::vector<std::string> ids(const Target& target) {
    std::vector<std::string> out;
    for (const auto& one : find_nodes(client, target, "p", "z")) out.push_back(one.location + "/" + one.id);
    return out;
  }
  void queued(const Json& body) { wire.expect("GET", "https://h/v2alpha1/projects/p/locations/z/queuedResources/q?alt=json").reply(200, body); }
};

TEST_F(Nodes, ByName) {
  EXPECT_THAT(ids({{"b", "projects/o/locations/y/nodes/a"}, "", ""}), ElementsAre("z/b", "y/a")) << "in the order given; full names beat the zone";
}

TEST_F(Nodes, ByQueuedResourceInSliceOrder) {
  Json specs = Json::array();
  for (const char* id : {"s-10", "s-2", "s-0"}) specs.push(Json{{"nodeId", id}});
  specs.push(Json::object());
  queued(Json{{"state", Json{{"state", "ACTIVE"}}}, {"tpu", Json{{"nodeSpec", specs}}}});
  EXPECT_THAT(ids({{}, "q", ""}), ElementsAre("z/s-0", "z/s-2", "z/s-10"));
}

TEST_F(Nodes, AQueuedResourceThatIsNotActiveTellsItsState) {
  queued(Json::parse(R"({"state":{"state":"FAILED","failedData":{"error":{"message":"no capacity"}}}})"));
  const Error error = error_of([&] { ids({{}, "q", ""}); });
  EXPECT_THAT(error.what(), AllOf(HasSubstr("FAILED"), HasSubstr("no capacity")));
  queued(Json{{"state", Json{{"state", "ACTIVE"}}}});
  EXPECT_EQ(error_of([&] { ids({{}, "q", ""}); }).kind, Kind::not_found);
}

TEST_F(Nodes, ByPrefixWithNumbersOnly) {
  Json rows = Json::array();
  for (const char* id : {"s-10", "s", "s-x", "s-1", "st-1", "s-1-2", "other"}) rows.push(Json{{"name", std::string("projects/p/locations/z/nodes/") + id}});
  wire.expect("GET", "https://h/v2alpha1/projects/p/locations/z/nodes?alt=json").reply(200, Json{{"nodes", rows}});
  EXPECT_THAT(ids({{}, "", "s"}), ElementsAre("z/s-1", "z/s-10", "z/s"));
}

TEST_F(Nodes, SlicesMustBeOneMultislice) {
  const auto script = [this](const std::string& queue_of_second, bool multislice) {
    for (const char* id : {"n1", "n2"}) {
      Json node = pod;
      node.member("state") = "READY";
      node.member("multisliceNode") = multislice;
      node.member("queuedResource") = std::string(id) == "n1" ? "q" : queue_of_second;
      const std::string url = std::string("https://h/v2alpha1/projects/p/locations/z/nodes/") + id;
      wire.expect("GET", url + "?alt=json").reply(200, node);
      wire.expect("POST", url + ":getGuestAttributes?alt=json").reply(200);
    }
  };
  const std::vector<api::Name> both = {name, {"p", "z", "nodes", "n2"}};
  const auto silent = [](const std::string&) {};
  script("q", true);
  const auto slices = read_slices(client, both, false, silent);
  ASSERT_EQ(all_workers(slices).size(), 6u);
  EXPECT_EQ(all_workers(slices)[5].slice, 1);
  EXPECT_EQ(all_workers(slices)[5].label(), "n2/2");
  script("other", true);
  error_of([&] { read_slices(client, both, false, silent); });
  script("q", false);
  EXPECT_THAT(error_of([&] { read_slices(client, both, false, silent); }).what(), HasSubstr("not a slice of the same multislice"));
}

}  // namespace
}  // namespace tpuctl::test
