// SPDX-License-Identifier: Apache-2.0
#include "auth/login.hpp"

#include <gmock/gmock.h>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/text.hpp"
#include "tests/support/fake_clock.hpp"
#include "tests/support/scripted_transport.hpp"
#include "tests/support/temporary_folder.hpp"

namespace tpuctl::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

const auth::ClientId kClient = {"my-client", "my-client-secret", "https://accounts.example/auth", ""};
constexpr const char* kRedirect = "http://127.0.0.1:1234/";

template <class Body>
std::string failure_of(Body&& body) {
  try {
    body();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

struct Challenge {
  const char* verifier;
  const char* challenge;  ///< null: the verifier is refused
};

TEST(Pkce, ChallengesAreThoseOfRfc7636) {
  const std::string mixed = "Z9-._~Z9-._~Z9-._~Z9-._~Z9-._~Z9-._~Z9-._~Z9-._~Z9-._~Z9-._~Z9-._~Z9-._~Z9-._~Z9-._~Z9-._~Z9-._~Z9-._~Z9-._~Z9-._~Z9-._~Z9-._~Zz";
  const std::string a43(43, 'a'), a42(42, 'a'), a129(129, 'a'), plus = std::string(42, 'a') + "+";
  const Challenge cases[] = {
      {"dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk", "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"},
      {a43.c_str(), "ZtNPunH49FD35FWYhT5Tv8I7vRKQJ8uxMaL0_9eHjNA"},
      {mixed.c_str(), "cFoZx6_v3wFLKTNH6jMRtKJhenc9g996FoKyTihD5xY"},
      {"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~", "RZ77XZltYSfl0BLxuGd8pHGJ4EoMoVDVuSWHgNq3RY8"},
      {a42.c_str(), nullptr},
      {a129.c_str(), nullptr},
      {plus.c_str(), nullptr},
  };
  for (const Challenge& one : cases) {
    if (one.challenge) {
      EXPECT_EQ(auth::challenge_of(one.verifier), one.challenge) << one.verifier;
    } else {
      EXPECT_THROW(auth::challenge_of(one.verifier), Error) << one.verifier;
    }
  }
}

class Login : public ::testing::Test {
 protected:
  auth::Authorization attempt{kClient, {"openid", "https://www.googleapis.com/auth/cloud-platform"}, kRedirect};
  std::string state() const {
    const std::string url = attempt.url();
    const auto at = url.find("state=") + 6;
    return url.substr(at, url.find('&', at) - at);
  }
  ScriptedTransport wire;
  FakeClock clock;
  auth::Ways ways{wire, wire, wire, clock};
};

TEST_F(Login, TheAddressHoldsTheChallengeAndNoSecret) {
  EXPECT_THAT(attempt.url(), AllOf(HasSubstr("https://accounts.example/auth?response_type=code&client_id=my-client"),
                                   HasSubstr("redirect_uri=http%3A%2F%2F127.0.0.1%3A1234%2F"), HasSubstr("code_challenge_method=S256"),
                                   HasSubstr("access_type=offline"), Not(HasSubstr("my-client-secret"))));
  EXPECT_GE(state().size(), 30u);
  EXPECT_NE(attempt.url(), auth::Authorization(kClient, {}, kRedirect).url());
}

TEST_F(Login, TheCodeIsTakenFromWhateverWasCopied) {
  for (const std::string& answer : {kRedirect + ("?state=" + state() + "&code=4%2Fabc&scope=x"), "state=" + state() + "&code=4%2Fabc",
                                    "  " + (kRedirect + ("?code=4%2Fabc&state=" + state() + "#_=_")) + "\n", std::string("4/abc")}) {
    EXPECT_EQ(attempt.code_in(answer), "4/abc") << answer;
  }
}

TEST_F(Login, AnAnswerToAnotherAttemptIsRefused) {
  EXPECT_THAT(failure_of([&] { attempt.code_in("?state=other&code=c-o-d-e"); }), HasSubstr("mismatching_state"));
  EXPECT_THAT(failure_of([&] { attempt.code_in("?code=c-o-d-e"); }), HasSubstr("mismatching_state"));
  EXPECT_THAT(failure_of([&] { attempt.code_in("?error=access_denied&state=" + state()); }), HasSubstr("access_denied"));
  EXPECT_THAT(failure_of([&] { attempt.code_in(""); }), HasSubstr("no code"));
}

TEST_F(Login, TheCodeIsExchangedWithItsVerifier) {
  wire.expect("POST", "https://t/token")
      .with_body(AllOf(HasSubstr("grant_type=authorization_code"), HasSubstr("code=4%2Fabc"), HasSubstr("client_secret=my-client-secret"),
                       HasSubstr("code_verifier=")))
      .reply(200, Json{{"access_token", "a-token"}, {"refresh_token", "r-token"}, {"scope", "openid https://www.googleapis.com/auth/cloud-platform"}});
  EXPECT_EQ(attempt.exchange("4/abc", "https://t/token", ways)["refresh_token"].text(), "r-token");
}

TEST_F(Login, LessThanCloudPlatformIsNotEnough) {
  wire.expect("POST", "https://t/token").reply(200, Json{{"access_token", "a-token"}, {"refresh_token", "r-token"}, {"scope", "openid"}});
  EXPECT_THAT(failure_of([&] { attempt.exchange("c", "https://t/token", ways); }), HasSubstr("cloud-platform is required"));
}

TEST_F(Login, ATokenIsWithdrawnInTheBodyAndNotInTheAddress) {
  wire.expect("POST", "https://t/revoke").with_body("token=r%2Ftoken").reply(200);
  EXPECT_TRUE(auth::revoke_token("r/token", "https://t/token", ways));
  wire.expect("POST", "https://t/revoke").reply(400, Json{{"error", "invalid_token"}});
  EXPECT_FALSE(auth::revoke_token("r/token", "https://t/token", ways));
}

TEST(ClientIdFile, OnlyThoseOfInstalledProgramsAreTaken) {
  const TemporaryFolder folder;
  const std::string path = folder / "client.json";
  const std::pair<const char*, const char*> cases[] = {
      {"{", "not a valid JSON object"},
      {R"({"web": {"client_id": "i", "client_secret": "s"}})", "Only client IDs of type 'installed' are allowed, but encountered type 'web'."},
      {R"({"installed": {}, "web": {}})", "exactly one"},
      {R"({"installed": {"client_id": "i"}})", "no client_secret"},
  };
  for (const auto& [text, reason] : cases) {
    file::write_atomic(path, text);
    EXPECT_THAT(failure_of([&] { auth::read_client_id_file(path); }), AllOf(HasSubstr(path), HasSubstr(reason))) << text;
  }
  EXPECT_THAT(failure_of([&] { auth::read_client_id_file(folder / "none"); }), HasSubstr("not found"));
  file::write_atomic(path, R"({"installed": {"client_id": "i", "client_secret": "some-secret", "token_uri": "https://oauth2.googleapis.com/token"}})");
  EXPECT_EQ(auth::read_client_id_file(path).id, "i");
}

TEST(Email, IsReadFromTheIdToken) {
  const std::string token = text::base64url("{}") + "." + text::base64url(R"({"email":"me@example.com"})") + ".sig";
  EXPECT_EQ(auth::email_in(Json{{"id_token", token}}), "me@example.com");
  EXPECT_EQ(auth::email_in(Json{{"id_token", "a.%%.c"}}), "");
  EXPECT_EQ(auth::email_in(Json::object()), "");
}

}  // namespace
}  // namespace tpuctl::test
