// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/emulator/world.hpp"

namespace tpuctl::emulator::testing {
namespace {

using ::testing::HasSubstr;

TEST(Compute, ProjectMetadataIsGuardedByItsFingerprintAndReachesWorkers) {
  World world;
  world.post(kGa + "/nodes?nodeId=n", node_body());
  world.pass(kCreateNode);
  const std::string before = world.get("/compute/v1/projects/p").at("/commonInstanceMetadata/fingerprint").text();
  const std::string body = "{\"fingerprint\":\"" + before + "\",\"items\":[{\"key\":\"ssh-keys\",\"value\":\"me:k\"}]}";
  const Json operation = world.post("/compute/v1/projects/p/setCommonInstanceMetadata", body);
  EXPECT_EQ(operation["kind"].text(), "compute#operation");
  EXPECT_EQ(world.get("/compute/v1/projects/p/global/operations/" + operation["name"].text())["status"].text(), "DONE");
  EXPECT_EQ(world.send("POST", "/compute/v1/projects/p/setCommonInstanceMetadata", body).status, 412);
  EXPECT_EQ(world.get("/compute/v1/projects/p").at("/commonInstanceMetadata/items/0/value").text(), "me:k");
  EXPECT_EQ(world.host.metadata[world.host.id_of("n", 0)].at("/project/attributes/ssh-keys").text(), "me:k");
}

TEST(Compute, ABatchIsAnsweredPartByPart) {
  World world;
  const auto answer = world.send(
      "POST", "/batch/compute/v1",
      "--b\r\nContent-Type: application/http\r\nContent-ID: <one+1>\r\n\r\nGET /compute/v1/projects/p HTTP/1.1\r\n"
      "Host: x\r\n\r\n\r\n--b\r\nContent-Type: application/http\r\nContent-ID: <one+2>\r\n\r\n"
      "GET /compute/v1/projects/p/zones HTTP/1.1\r\nHost: x\r\n\r\n\r\n--b--",
      {{"Content-Type", "multipart/mixed; boundary=\"b\""}});
  EXPECT_EQ(answer.status, 200);
  EXPECT_THAT(answer.body, HasSubstr("Content-ID: <response-one+1>\r\n\r\nHTTP/1.1 200"));
  EXPECT_THAT(answer.body, HasSubstr("Content-ID: <response-one+2>\r\n\r\nHTTP/1.1 404"));
}

TEST(OsLogin, KeysAreImportedIntoTheProfile) {
  World world;
  EXPECT_TRUE(world.get("/v1/users/me%40example.com/loginProfile?projectId=p")["sshPublicKeys"].is_null());
  const Json answer = world.post("/v1/users/me%40example.com:importSshPublicKey?projectId=p", "{\"key\":\"ssh-rsa A me\"}");
  EXPECT_EQ(answer.at("/loginProfile/posixAccounts/0/username").text(), "me_example_com");
  const Json profile = world.get("/v1/users/me%40example.com/loginProfile?projectId=p");
  EXPECT_EQ(profile["sshPublicKeys"].members().at(0).value["key"].text(), "ssh-rsa A me");
}

TEST(ResourceManager, TheNumberIsAnotherNameOfTheProject) {
  World world;
  world.post(kGa + "/nodes?nodeId=n", node_body());
  const std::string number = world.get("/v1/projects/p")["projectNumber"].text();
  EXPECT_EQ(number.size(), 12u);
  EXPECT_EQ(world.send("GET", "/v2/projects/" + number + "/locations/us-central2-b/nodes/n").status, 200);
}

TEST(OAuth, TheTokenEndpointNeedsNoToken) {
  World world;
  api::Request request;
  request.method = "POST";
  request.url = "http://127.0.0.1:1/token";
  request.body = "grant_type=refresh_token";
  const auto answer = world.emulator->send(request);
  EXPECT_EQ(answer.status, 200);
  EXPECT_FALSE(World::body_of(answer)["access_token"].empty());
}

TEST(Tpu, SmallCollections) {
  World world;
  EXPECT_GT(world.get("/v1/projects/p/locations")["locations"].size(), 10u);
  EXPECT_EQ(world.get("/v1/projects/p/locations/us-east1-d")["locationId"].text(), "us-east1-d");
  const std::string zone = "/v1/projects/p/locations/us-east1-d";
  const Json types = world.get(zone + "/acceleratorTypes?pageSize=2")["acceleratorTypes"];
  EXPECT_EQ(types.size(), 2u);
  EXPECT_TRUE(types.items()[0]["acceleratorConfigs"].is_null()) << "version 1 knows no shapes";
  EXPECT_EQ(world.get(zone + "/tensorflowVersions/2.12.0")["version"].text(), "2.12.0");
  EXPECT_EQ(world.send("GET", zone + "/runtimeVersions").status, 404);
  EXPECT_EQ(world.send("GET", "/v2/projects/p/locations/us-east1-d/tensorflowVersions").status, 404);
  EXPECT_EQ(world.get(kGa + "/acceleratorTypes/v5p-8").at("/acceleratorConfigs/0/type").text(), "V5P");
  EXPECT_EQ(world.get(kGa + "/runtimeVersions/v2-alpha")["version"].text(), "v2-alpha");
  EXPECT_EQ(world.send("GET", kAlpha + "/reservations").status, 200);
  EXPECT_EQ(world.send("GET", kGa + "/reservations").status, 404);
  EXPECT_THAT(world.post(kGa + ":generateServiceIdentity", "{}").at("/identity/email").text(),
              HasSubstr("@cloud-tpu.iam.gserviceaccount.com"));
  EXPECT_EQ(world.send("GET", "/v3/projects/p/locations").status, 404);
  EXPECT_EQ(world.send("GET", kGa + "/nodes?colour=red").status, 400);
}

}  // namespace
}  // namespace tpuctl::emulator::testing
