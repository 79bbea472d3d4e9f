// SPDX-License-Identifier: Apache-2.0
#include "api/client.hpp"

#include <gmock/gmock.h>

#include <regex>

#include "api/retry.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/fake_clock.hpp"
#include "tests/support/scripted_transport.hpp"

namespace tpuctl::test {
namespace {

using api::Name;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::MatchesRegex;
using ::testing::Not;

const std::string kBase = "https://tpu.googleapis.com/";
const std::string kZone = "projects/p/locations/z";
const Name kNode{"p", "z", "nodes", "n1"};
const Name kQueued{"p", "z", "queuedResources", "q1"};
const std::string kUuid = "[0-9a-f]+-[0-9a-f]+-4[0-9a-f]+-[0-9a-f]+-[0-9a-f]+";

Json running(const std::string& id, const Name& target, const std::string& verb = "create") {
  return Json{{"name", kZone + "/operations/" + id}, {"metadata", Json{{"target", target.full()}, {"verb", verb}}}};
}

class ClientTest : public ::testing::Test {
 protected:
  api::Client client(const std::string& version) { return {retry, clock, kBase, version}; }
  std::string node_url(const std::string& version) { return kBase + version + "/" + kZone + "/nodes/n1?alt=json"; }
  std::string operations_url(const std::string& version) { return kBase + version + "/" + kZone + "/operations?alt=json"; }
  std::string create_url(const std::string& version) { return kBase + version + "/" + kZone + "/nodes?alt=json&nodeId=n1"; }
  ScriptedTransport wire;
  FakeClock clock;
  api::RetryTransport retry{wire, clock};
};

TEST_F(ClientTest, UrlsAreEncoded) {
  wire.expect("GET", kBase + "v2/projects/a%3Ab/locations/z/nodes/n%2F1?alt=json").with_header("Accept", "application/json").without_header("Content-Type");
  client("v2").get({"a:b", "z", "nodes", "n/1"});
  api::Call call;
  call.path = "v1/x";
  call.query = {{"q", "a b&c"}, {"r", ""}};
  EXPECT_EQ(client("v2").url(call), kBase + "v1/x?alt=json&q=a%20b%26c&r=");
}

TEST_F(ClientTest, VerbsPostABody) {
  wire.expect("POST", kBase + "v2alpha1/" + kZone + "/nodes/n1:simulateMaintenanceEvent?alt=json")
      .with_json(Json{{"workerIds", Json::strings({"0"})}})
      .with_header("Content-Type", "application/json");
  auto alpha = client("v2alpha1");
  const auto call = alpha.verb_call(kNode, "simulateMaintenanceEvent", Json{{"workerIds", Json::strings({"0"})}});
  EXPECT_NE(call.repeat, api::Repeat::always) << "never sent again after a lost answer";
  alpha.send(call);
}

TEST_F(ClientTest, APatchNamesItsFields) {
  wire.expect("PATCH", kBase + "v2/" + kZone + "/nodes/n1?alt=json&updateMask=labels%2Cdata_disks").with_json(Json{{"labels", Json{{"a", "b"}}}});
  auto v2 = client("v2");
  v2.send(v2.patch_call(kNode, Json{{"labels", Json{{"a", "b"}}}}, {"labels", "data_disks"}));
}

// ---- create ------------------------------------------------------------------------------------------------------------

struct RequestIdCase {
  const char* version;
  Name name;
  bool has_id;
};

TEST_F(ClientTest, RequestIdsGoWhereTheMethodHasOne) {
  for (const RequestIdCase& one : {RequestIdCase{"v2", kNode, false}, RequestIdCase{"v2alpha1", kNode, true}, RequestIdCase{"v2", kQueued, true},
                                   RequestIdCase{"v2alpha1", kQueued, true}}) {
    const auto create = client(one.version).create_call(one.name, Json::object());
    const auto remove = client(one.version).remove_call(one.name, true);
    EXPECT_EQ(create.query[0].second, one.name.id);
    EXPECT_EQ(create.query[0].first, one.name.collection == "nodes" ? "nodeId" : "queuedResourceId");
    for (const auto& call : {create, remove}) {
      const bool found = std::any_of(call.query.begin(), call.query.end(), [](const auto& pair) {
        return pair.first == "requestId" && std::regex_match(pair.second, std::regex(kUuid));
      });
      EXPECT_EQ(found, one.has_id) << one.version << " " << one.name.full() << " " << call.method;
      EXPECT_EQ(call.repeat == api::Repeat::always, one.has_id);
    }
    EXPECT_THAT(remove.query, ::testing::Contains(std::pair<std::string, std::string>("force", "true")));
  }
}

TEST_F(ClientTest, ACreateWithARequestIdIsSentAgainWithTheSame) {
  const std::string url = "https://tpu.googleapis.com/v2/projects/p/locations/z/queuedResources.alt=json&queuedResourceId=q1&requestId=" + kUuid;
  wire.expect("POST", MatchesRegex(url)).with_json(Json{{"tpu", 1}}).lose();
  wire.expect("POST", MatchesRegex(url)).with_json(Json{{"tpu", 1}}).reply_error(500, "INTERNAL", "oops");
  wire.expect("POST", MatchesRegex(url)).with_json(Json{{"tpu", 1}}).reply(200, running("op", kQueued));
  EXPECT_EQ(client("v2").create(kQueued, Json{{"tpu", 1}})["name"].text(), kZone + "/operations/op");
  EXPECT_EQ(wire.sent[0].url, wire.sent[1].url);
  EXPECT_EQ(wire.sent[0].url, wire.sent[2].url);
}

TEST_F(ClientTest, TwoCreatesHaveTwoRequestIds) {
  wire.expect("POST", HasSubstr("requestId=")).reply(200, Json{{"name", "op1"}});
  wire.expect("POST", HasSubstr("requestId=")).reply(200, Json{{"name", "op2"}});
  auto alpha = client("v2alpha1");
  alpha.create(kNode, Json::object());
  alpha.create(kNode, Json::object());
  EXPECT_NE(wire.sent[0].url, wire.sent[1].url);
}

TEST_F(ClientTest, ALostCreateThatArrivedIsAdopted) {
  wire.expect("POST", create_url("v2")).lose();
  wire.expect("GET", node_url("v2")).reply(200, Json{{"name", kNode.full()}, {"state", "CREATING"}});
  wire.expect("GET", operations_url("v2"))
      .reply(200, Json{{"operations", Json(Json::Array{running("other", {"p", "z", "nodes", "n2"}), running("gone", kNode, "delete"), running("mine", kNode)})}});
  EXPECT_EQ(client("v2").create(kNode, Json::object())["name"].text(), kZone + "/operations/mine");
}

TEST_F(ClientTest, ALostCreateWhoseOperationIsOverStandsInFinished) {
  Json over = running("mine", kNode);
  over.member("done") = true;
  wire.expect("POST", create_url("v2")).lose();
  wire.expect("GET", node_url("v2")).reply(200, Json{{"name", kNode.full()}, {"state", "READY"}});
  wire.expect("GET", operations_url("v2")).reply(200, Json{{"operations", Json(Json::Array{over})}});
  const Json operation = client("v2").create(kNode, Json::object());
  EXPECT_TRUE(operation["done"].boolean());
  EXPECT_EQ(operation.at("/response/state").text(), "READY");
}

TEST_F(ClientTest, ALostCreateThatDidNotArriveIsSentAgain) {
  wire.expect("POST", create_url("v2")).lose();
  wire.expect("GET", node_url("v2")).reply_error(404, "NOT_FOUND", "no such node");
  wire.expect("POST", create_url("v2")).reply(200, running("second", kNode));
  EXPECT_EQ(client("v2").create(kNode, Json::object())["name"].text(), kZone + "/operations/second");
}

TEST_F(ClientTest, AConflictAfterALostAnswerIsOurOwn) {
  wire.expect("POST", create_url("v2")).lose();
  wire.expect("GET", node_url("v2")).reply_error(404, "NOT_FOUND", "not yet");
  wire.expect("POST", create_url("v2")).reply_error(409, "ALREADY_EXISTS", "there");
  wire.expect("GET", node_url("v2")).reply(200, Json{{"name", kNode.full()}});
  wire.expect("GET", operations_url("v2")).reply(200, Json{{"operations", Json(Json::Array{running("mine", kNode)})}});
  EXPECT_EQ(client("v2").create(kNode, Json::object())["name"].text(), kZone + "/operations/mine");
}

TEST_F(ClientTest, WhatWasNotAskedForIsSomebodyElses) {
  const Json body{{"acceleratorType", "v4-8"}, {"runtimeVersion", "v2-alpha"}};
  for (const bool ours : {false, true}) {
    wire.expect("POST", create_url("v2")).lose();
    const Json node{{"name", kNode.full()}, {"acceleratorType", ours ? kZone + "/acceleratorTypes/v4-8" : "v4-16"}, {"runtimeVersion", "v2-alpha"}};
    wire.expect("GET", node_url("v2")).reply(200, node);
    if (ours) {
      wire.expect("GET", operations_url("v2")).reply(200, Json::object());
      EXPECT_TRUE(client("v2").create(kNode, body)["done"].boolean());
    } else {
      wire.expect("POST", create_url("v2")).reply_error(409, "ALREADY_EXISTS", "there", Json(Json::Array{Json{{"resourceName", kNode.full()}}}));
      wire.expect("GET", node_url("v2")).reply(200, node);
      EXPECT_EQ(error_of([&] { client("v2").create(kNode, body); }).kind, Kind::conflict);
    }
  }
}

TEST_F(ClientTest, AConflictAtOnceIsSomebodyElses) {
  wire.expect("POST", create_url("v2")).reply_error(409, "ALREADY_EXISTS", "Resource already exists");
  wire.expect("GET", node_url("v2")).reply(200, Json{{"state", "READY"}});
  const Error error = error_of([&] { client("v2").create(kNode, Json::object()); });
  EXPECT_EQ(error.kind, Kind::conflict);
  EXPECT_STREQ(error.what(), "Resource already exists (it is READY)");
  EXPECT_EQ(error.status, "ALREADY_EXISTS");
}

TEST_F(ClientTest, AConflictWithNothingIsTriedAgain) {
  wire.expect("POST", create_url("v2")).reply_error(409, "ALREADY_EXISTS", "there");
  wire.expect("GET", node_url("v2")).reply_error(404, "NOT_FOUND", "not there");
  wire.expect("POST", create_url("v2")).reply(200, running("op", kNode));
  EXPECT_EQ(client("v2").create(kNode, Json::object())["name"].text(), kZone + "/operations/op");
  for (int i = 0; i < 5; ++i) {
    wire.expect("POST", create_url("v2")).reply_error(409, "ALREADY_EXISTS", "there");
    wire.expect("GET", node_url("v2")).reply_error(404, "NOT_FOUND", "not there");
  }
  EXPECT_EQ(error_of([&] { client("v2").create(kNode, Json::object()); }).kind, Kind::conflict);
}

TEST_F(ClientTest, ACreateGivesUpInTheEnd) {
  for (int i = 0; i < 5; ++i) {
    wire.expect("POST", create_url("v2")).lose(true);
    if (i < 4) wire.expect("GET", node_url("v2")).reply_error(404, "NOT_FOUND", "no");
  }
  EXPECT_EQ(error_of([&] { client("v2").create(kNode, Json::object()); }).kind, Kind::unavailable);
}

TEST_F(ClientTest, ACreateThatWasSurelyNotDoneIsSimplySentAgain) {
  wire.expect("POST", create_url("v2")).refuse();
  wire.expect("POST", create_url("v2")).reply_error(503, "UNAVAILABLE", "busy");
  wire.expect("POST", create_url("v2")).reply(200, running("op", kNode));
  EXPECT_EQ(client("v2").create(kNode, Json::object())["name"].text(), kZone + "/operations/op");
}

TEST_F(ClientTest, ARefusedCreateIsNotSentAgain) {
  for (const int status : {400, 403, 404}) {
    wire.expect("POST", create_url("v2")).reply_error(status, "X", "no");
    EXPECT_EQ(error_of([&] { client("v2").create(kNode, Json::object()); }).http, status);
  }
}

// ---- remove -----------------------------------------------------------------------------------------------------------

TEST_F(ClientTest, ADeleteThatIsGoneAfterALostAnswerIsDone) {
  wire.expect("DELETE", node_url("v2")).without_header("Content-Type").lose();
  wire.expect("DELETE", node_url("v2")).reply_error(404, "NOT_FOUND", "gone");
  EXPECT_TRUE(client("v2").remove(kNode, false)["done"].boolean());
}

TEST_F(ClientTest, ADeleteOfWhatWasNeverThereIsNotFound) {
  wire.expect("DELETE", node_url("v2")).reply_error(404, "NOT_FOUND", "never");
  EXPECT_EQ(error_of([&] { client("v2").remove(kNode, false); }).kind, Kind::not_found);
  // Nothing was carried out by a refused connection, so the 404 is the truth.
  wire.expect("DELETE", node_url("v2")).refuse();
  wire.expect("DELETE", node_url("v2")).reply_error(404, "NOT_FOUND", "never");
  EXPECT_EQ(error_of([&] { client("v2").remove(kNode, false); }).kind, Kind::not_found);
}

TEST_F(ClientTest, ADeleteWithARequestIdKeepsIt) {
  const auto url = MatchesRegex("https://tpu.googleapis.com/v2/projects/p/locations/z/queuedResources/q1.alt=json&force=true&requestId=" + kUuid);
  wire.expect("DELETE", url).lose();
  wire.expect("DELETE", url).reply(200, running("op", kQueued, "delete"));
  client("v2").remove(kQueued, true);
  EXPECT_EQ(wire.sent[0].url, wire.sent[1].url);
}

// ---- list --------------------------------------------------------------------------------------------------------------

Json page(const std::vector<std::string>& ids, const std::string& next = {}) {
  Json rows = Json::array();
  for (const auto& id : ids) rows.push(Json{{"name", id}});
  Json out{{"nodes", rows}};
  if (!next.empty()) out.member("nextPageToken") = next;
  return out;
}

class ListTest : public ClientTest {
 protected:
  std::vector<std::string> list(std::int64_t size = 0, std::size_t stop_after = 1000) {
    std::vector<std::string> out;
    client("v2").list({"p", "-", "nodes", ""}, size,
                      [&](const Json& row) {
                        out.push_back(row["name"].text());
                        return out.size() < stop_after;
                      },
                      unreachable);
    return out;
  }
  const std::string url = kBase + "v2/projects/p/locations/-/nodes?alt=json";
  std::vector<std::string> unreachable;
};

TEST_F(ListTest, ReadsAllPages) {
  wire.expect("GET", url + "&pageSize=2").reply(200, page({"a", "b"}, "t/1+="));
  wire.expect("GET", url + "&pageSize=2&pageToken=t%2F1%2B%3D").reply(200, page({}, "t2"));
  wire.expect("GET", url + "&pageSize=2&pageToken=t2").reply(200, page({"c"}));
  EXPECT_THAT(list(2), ElementsAre("a", "b", "c"));
}

TEST_F(ListTest, AnEmptyAnswerIsNoRows) {
  wire.expect("GET", url).reply_text(200, "");
  EXPECT_THAT(list(), IsEmpty());
}

TEST_F(ListTest, StopsPagingWhenNobodyWantsMore) {
  wire.expect("GET", url).reply(200, page({"a", "b", "c"}, "more"));
  EXPECT_THAT(list(0, 2), ElementsAre("a", "b"));
}

TEST_F(ListTest, UnreachablePlacesOfEveryPageAreTold) {
  Json first = page({"a"}, "t"), second = page({"b"});
  first.member("unreachable") = Json::strings({"projects/p/locations/x"});
  second.member("unreachable") = Json::strings({"projects/p/locations/y"});
  wire.expect("GET", url).reply(200, first);
  wire.expect("GET", url + "&pageToken=t").reply(200, second);
  EXPECT_THAT(list(), ElementsAre("a", "b"));
  EXPECT_THAT(unreachable, ElementsAre("projects/p/locations/x", "projects/p/locations/y"));
}

TEST_F(ListTest, AServiceThatTurnsInACircleEnds) {
  wire.expect("GET", url).reply(200, page({"a"}, "same"));
  wire.expect("GET", url + "&pageToken=same").reply(200, page({"b"}, "same"));
  const Error error = error_of([&] { list(); });
  EXPECT_EQ(error.kind, Kind::failure);
  EXPECT_THAT(error.what(), HasSubstr("not whole"));
}

TEST_F(ListTest, BadAnswersAreErrorsNotCrashes) {
  wire.expect("GET", url).reply_text(200, R"({"nodes":"what"})");
  error_of([&] { list(); });
  wire.expect("GET", url).reply_text(200, "[1,2]");
  EXPECT_THAT(error_of([&] { list(); }).what(), HasSubstr("no JSON object"));
  wire.expect("GET", url).reply_text(200, R"({"nodes":[null]})");
  EXPECT_THAT(error_of([&] { list(); }).what(), HasSubstr("list of nodes"));
  wire.expect("GET", url).reply_text(200, "<html>login</html>");
  EXPECT_THAT(error_of([&] { list(); }).what(), HasSubstr("not valid JSON"));
  wire.expect("GET", url).reply_error(403, "PERMISSION_DENIED", "no");
  EXPECT_EQ(error_of([&] { list(); }).kind, Kind::denied);
}

// ---- names -------------------------------------------------------------------------------------------------------------

TEST(Names, FullAndPath) {
  EXPECT_EQ(kNode.full(), "projects/p/locations/z/nodes/n1");
  EXPECT_EQ((Name{"p", "z", "nodes", ""}).full(), "projects/p/locations/z/nodes");
  EXPECT_EQ((Name{"p", "z", "", ""}).full(), "projects/p/locations/z");
  EXPECT_EQ((Name{"d:p", "z", "nodes", "a/b ?"}).path(), "projects/d%3Ap/locations/z/nodes/a%2Fb%20%3F");
  EXPECT_EQ((Name{"p", "", "locations", ""}).full(), "projects/p/locations");
}

TEST(Names, AreRead) {
  for (const char* text : {"projects/p/locations/z/nodes/n1", "https://tpu.googleapis.com/v2/projects/p/locations/z/nodes/n1",
                           "//tpu.googleapis.com/projects/p/locations/z/nodes/n1", "projects/p/zones/z/nodes/n1"}) {
    const auto name = api::parse_name(text);
    ASSERT_TRUE(name) << text;
    EXPECT_EQ(name->full(), kNode.full()) << text;
  }
  EXPECT_EQ(api::parse_name("projects/d%3Ap/locations/z/nodes/n1")->project, "d:p");
  for (const char* text : {"", "n1", "nodes/n1", "projects/p", "projects/p/locations/z", "projects/p/locations/z/nodes", "projects/p/locations/z/nodes/",
                           "projects/p/locations/z/nodes/n1/x", "projects//locations/z/nodes/n1", "projects/p/regions/z/nodes/n1",
                           "myprojects/p/locations/z/nodes/n1"}) {
    EXPECT_FALSE(api::parse_name(text)) << text;
  }
  EXPECT_EQ(api::short_id("a/b/c"), "c");
  EXPECT_EQ(api::short_id("c"), "c");
}

}  // namespace
}  // namespace tpuctl::test
