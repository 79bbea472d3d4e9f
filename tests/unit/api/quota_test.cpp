// SPDX-License-Identifier: Apache-2.0
#include "api/quota.hpp"

#include <gmock/gmock.h>

#include "tests/support/scripted_transport.hpp"

namespace tpuctl::test {
namespace {

constexpr const char* kHeader = "X-Goog-User-Project";
constexpr const char* kUrl = "https://tpu.example/v2/x";

Json info(const std::string& reason, const std::string& consumer = "") {
  Json out = Json::array();
  out.push(Json{{"@type", "type.googleapis.com/google.rpc.ErrorInfo"}, {"reason", reason}, {"domain", "googleapis.com"},
                {"metadata", Json{{"consumer", consumer}}}});
  return out;
}

class Quota : public ::testing::Test {
 protected:
  int send(std::vector<api::QuotaRule> rules, const std::string& rescue = "", bool authorize = true) {
    api::QuotaTransport quota(wire, std::move(rules), rescue, [this](const std::string& project) { told.push_back(project); });
    api::Request request;
    request.url = kUrl;
    request.authorize = authorize;
    return quota.send(request).status;
  }
  ScriptedTransport wire;
  std::vector<std::string> told;
};

TEST_F(Quota, WithoutARuleNobodyIsNamed) {
  wire.expect("GET", kUrl).without_header(kHeader).reply(200);
  EXPECT_EQ(send({}), 200);
}

TEST_F(Quota, TheFirstRuleForTheAddressHolds) {
  wire.expect("GET", kUrl).with_header(kHeader, "payer").reply(200);
  EXPECT_EQ(send({{"https://oslogin.example/", "me", false}, {"https://tpu.example/", "payer", false}, {"", "nobody", false}}), 200);
}

TEST_F(Quota, RequestsForTokensAreLeftAlone) {
  wire.expect("GET", kUrl).without_header(kHeader).reply(200);
  EXPECT_EQ(send({{"", "payer", false}}, "rescue", false), 200);
}

TEST_F(Quota, ADeniedProjectIsLeftOutWhereThatIsAllowed) {
  wire.expect("GET", kUrl).with_header(kHeader, "payer").reply_error(403, "PERMISSION_DENIED", "no", info("USER_PROJECT_DENIED"));
  wire.expect("GET", kUrl).without_header(kHeader).reply(200);
  EXPECT_EQ(send({{"", "payer", true}}), 200);
}

TEST_F(Quota, ADeniedProjectIsAnErrorWhereItWasSetOnPurpose) {
  wire.expect("GET", kUrl).with_header(kHeader, "payer").reply_error(403, "PERMISSION_DENIED", "no", info("USER_PROJECT_DENIED"));
  EXPECT_EQ(send({{"", "payer", false}}, "rescue"), 403);
}

TEST_F(Quota, GooglesOwnClientIsNotCharged) {
  wire.expect("GET", kUrl).without_header(kHeader).reply_error(403, "PERMISSION_DENIED", "no", info("SERVICE_DISABLED", "projects/764086051850"));
  wire.expect("GET", kUrl).with_header(kHeader, "mine").reply(200);
  EXPECT_EQ(send({}, "mine"), 200);
  EXPECT_THAT(told, ::testing::ElementsAre("mine"));
}

TEST_F(Quota, AProjectOfOnesOwnThatHasNotEnabledTheApiIsAnError) {
  wire.expect("GET", kUrl).reply_error(403, "PERMISSION_DENIED", "no", info("SERVICE_DISABLED", "projects/123"));
  EXPECT_EQ(send({}, "mine"), 403);
  EXPECT_THAT(told, ::testing::IsEmpty());
}

}  // namespace
}  // namespace tpuctl::test
