// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <chrono>
#include <future>

#include "base/file.hpp"
#include "emulator/metadata_server.hpp"
#include "emulator/worker_folder.hpp"
#include "tests/unit/emulator/worker_test.hpp"

namespace tpuctl::emulator {
namespace {

using testing::HasSubstr;

constexpr const char* kRoot = "http://127.1.2.3:99/computeMetadata/v1/";

api::Request ask(const std::string& path, bool flavor = true) {
  api::Request request;
  request.url = kRoot + path;
  if (flavor) request.headers.emplace_back("metadata-flavor", "Google");
  return request;
}

Json tree() {
  return Json::parse(R"({"instance": {"attributes": {"tpu-env": "A: 'b'\n", "agent-worker-number": "0"},
    "maintenance-event": "NONE", "network-interfaces": [{"ip": "10.0.0.2"}], "id": 17,
    "service-accounts": {"default": {"email": "a@b", "scopes": ["s1", "s2"], "token": {"access_token": "t"}}}},
    "project": {"project-id": "p"}})");
}

struct Row {
  const char* path;
  int status;
  const char* type;
  const char* body;
};

class MetadataServerTest : public testing::TestWithParam<Row> {};

TEST_P(MetadataServerTest, Answers) {
  MetadataServer server;
  server.set(tree());
  const auto answer = server.answer(ask(GetParam().path));
  EXPECT_EQ(answer.status, GetParam().status);
  EXPECT_EQ(answer.header("Content-Type"), GetParam().type);
  EXPECT_EQ(answer.header("Metadata-Flavor"), "Google");
  EXPECT_EQ(answer.body, GetParam().body);
}

INSTANTIATE_TEST_SUITE_P(
    Paths, MetadataServerTest,
    testing::Values(
        Row{"instance/maintenance-event", 200, "text/plain", "NONE"}, Row{"instance/id", 200, "text/plain", "17"},
        Row{"instance/maintenance-event?alt=json", 200, "application/json", "\"NONE\""},
        Row{"instance/attributes/tpu-env", 200, "text/plain", "A: 'b'\n"},
        Row{"", 200, "text/plain", "instance/\nproject/\n"},
        Row{"instance/", 200, "text/plain", "attributes/\nmaintenance-event\nnetwork-interfaces/\nid\nservice-accounts/\n"},
        Row{"instance/network-interfaces/0/ip", 200, "text/plain", "10.0.0.2"},
        Row{"instance/service-accounts/default/scopes", 200, "text/plain", "s1\ns2\n"},
        Row{"instance/service-accounts/default/token", 200, "application/json", R"({"access_token":"t"})"},
        Row{"instance/attributes/?recursive=true", 200, "application/json", R"({"tpu-env":"A: 'b'\n","agent-worker-number":"0"})"},
        Row{"instance/attributes?alt=json", 200, "application/json", R"({"tpu-env":"A: 'b'\n","agent-worker-number":"0"})"},
        Row{"instance/service-accounts/default/?recursive=true", 200, "application/json", R"({"email":"a@b","scopes":["s1","s2"]})"},
        Row{"instance/network-interfaces/?recursive=true&alt=text", 200, "text/plain", "0/ip 10.0.0.2\n"},
        Row{"instance/attributes", 301, "text/plain", ""}, Row{"instance/nothing", 404, "text/plain", "Not found: /computeMetadata/v1/instance/nothing\n"},
        Row{"instance/nothing?wait_for_change=true", 404, "text/plain", "Not found: /computeMetadata/v1/instance/nothing\n"},
        Row{"instance/network-interfaces/1/ip", 404, "text/plain", "Not found: /computeMetadata/v1/instance/network-interfaces/1/ip\n"}));

TEST(MetadataServer, RefusesWithoutTheHeader) {
  MetadataServer server;
  server.set(tree());
  EXPECT_EQ(server.answer(ask("instance/id", false)).status, 403);
  auto forwarded = ask("instance/id");
  forwarded.headers.emplace_back("X-Forwarded-For", "1.2.3.4");
  EXPECT_EQ(server.answer(forwarded).status, 403);
  auto put = ask("instance/id");
  put.method = "PUT";
  EXPECT_EQ(server.answer(put).status, 405);
  EXPECT_EQ(server.answer(ask("instance/attributes?recursive=false")).header("Location"),
            "/computeMetadata/v1/instance/attributes/?recursive=false");
  EXPECT_EQ(server.answer(ask("instance/?recursive=true")).status, 200);
  EXPECT_THAT(server.answer(ask("instance/?recursive=true")).body, HasSubstr(R"("maintenanceEvent":"NONE")"));
}

TEST(MetadataServer, WaitsForItsOwnChangeOnly) {
  MetadataServer server;
  server.set(tree());
  const std::string etag(server.answer(ask("instance/maintenance-event")).header("ETag"));
  ASSERT_FALSE(etag.empty());
  auto waiting = std::async(std::launch::async, [&] {
    return server.answer(ask("instance/maintenance-event?wait_for_change=true&timeout_sec=600&last_etag=" + etag));
  });
  Json changed = tree();
  changed.set("/instance/attributes/other", "x");  // nobody waits for this; a reader woken by it would answer NONE
  server.set(changed);
  changed.set("/instance/maintenance-event", "TERMINATE_ON_HOST_MAINTENANCE");
  server.set(changed);
  const bool answered = waiting.wait_for(std::chrono::seconds(60)) == std::future_status::ready;
  EXPECT_TRUE(answered);
  server.close();
  const auto answer = waiting.get();
  EXPECT_EQ(answer.body, "TERMINATE_ON_HOST_MAINTENANCE");
  EXPECT_NE(answer.header("ETag"), etag);

  // Who comes with the etag of an earlier value is answered at once, and so is one whose time is up.
  MetadataServer fresh;
  fresh.set(changed);
  EXPECT_EQ(fresh.answer(ask("instance/maintenance-event?wait_for_change=true&timeout_sec=600&last_etag=" + etag)).body,
            "TERMINATE_ON_HOST_MAINTENANCE");
  EXPECT_EQ(fresh.answer(ask("instance/id?wait_for_change=true&timeout_sec=0")).body, "17");
}

TEST(AuthorizedKeys, AreThoseOfTheUser) {
  Json metadata;
  metadata.set("/instance/attributes/ssh-keys", "ann:ssh-rsa AAA ann@x\nbob:ssh-rsa BBB\n\nbroken\r\nann:ssh-ed25519 CCC");
  metadata.set("/project/attributes/ssh-keys", "ann:ssh-rsa DDD google-ssh {\"userName\":\"ann\",\"expireOn\":\"2040-01-02T03:04:05+0000\"}");
  const std::string keys = authorized_keys(metadata, "ann");
  EXPECT_EQ(keys.find("BBB"), std::string::npos);
  EXPECT_EQ(keys.rfind("ssh-rsa AAA ann@x\nssh-ed25519 CCC\nexpiry-time=\"2040010", 0), 0U) << keys;
  EXPECT_THAT(keys, HasSubstr("\" ssh-rsa DDD google-ssh {"));
}

TEST_F(WorkerTest, MetadataIsReachedUnderAllItsNames) {
  start(2);
  const std::string get = "curl -sS -H 'Metadata-Flavor: Google' http://";
  const std::string path = "/computeMetadata/v1/instance/attributes/agent-worker-number; echo; ";
  const auto names = ssh(1, get + "$GCE_METADATA_HOST" + path + get + "$GCE_METADATA_IP" + path + get +
                                "metadata.google.internal" + path + get + "169.254.169.254" + path);
  EXPECT_EQ(names.out, "1\n1\n1\n1\n");
  EXPECT_EQ(ssh(0, "curl -s -o /dev/null -w '%{http_code}' http://$GCE_METADATA_HOST/computeMetadata/v1/").out, "403");

  const std::string event = get + "$GCE_METADATA_HOST/computeMetadata/v1/instance/maintenance-event";
  // The etag is read first: a change after "watching" is then a change that the waiting request must tell.
  auto watcher = ssh_started(0, "etag=$(" + event + " -o /dev/null -D - | tr -d '\\r' | sed -n 's/^[Ee][Tt][Aa][Gg]: //p'); "
                                    "echo watching; " + event + "'?wait_for_change=true&last_etag='$etag");
  std::string said;
  ASSERT_TRUE(eventually([&] { return !process::Child::drain(watcher.out(), said) || said == "watching\n"; }));
  auto changed = metadata(0, 2);
  changed.set("/instance/maintenance-event", "TERMINATE_ON_HOST_MAINTENANCE");
  if (said == "watching\n") pool_->set_metadata(spec(0).id, changed);
  EXPECT_TRUE(eventually([&] { return !process::Child::drain(watcher.out(), said); }));
  EXPECT_EQ(watcher.wait(), 0);
  EXPECT_EQ(said, "watching\nTERMINATE_ON_HOST_MAINTENANCE");
}

}  // namespace
}  // namespace tpuctl::emulator
