// SPDX-License-Identifier: Apache-2.0
#include "api/iap.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.hpp"

namespace tpuctl::api::testing {
namespace {

using namespace std::string_literals;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::string number(std::uint64_t value) {
  std::string out;
  for (int shift = 56; shift >= 0; shift -= 8) out += static_cast<char>(value >> shift & 0xff);
  return out;
}
const std::string kConnected = "\0\1\0\0\0\3sid"s;
std::string reconnected(std::uint64_t upto) { return "\0\2"s + number(upto); }
std::string ack(std::uint64_t upto) { return "\0\7"s + number(upto); }
std::string data(const std::string& bytes) { return "\0\4\0\0"s + static_cast<char>(bytes.size() >> 8) + static_cast<char>(bytes.size()) + bytes; }

IapStream connected() {
  IapStream stream;
  stream.take(kConnected);
  return stream;
}

TEST(IapStream, LearnsItsSessionAndPassesDataThrough) {
  IapStream stream = connected();
  EXPECT_TRUE(stream.connected());
  EXPECT_EQ(stream.session(), "sid");
  EXPECT_EQ(stream.take(data("hello")), "hello");
  EXPECT_EQ(stream.take(data("")), "");
  EXPECT_EQ(stream.received(), 5u);
  EXPECT_EQ(stream.data("ab"), data("ab"));
}

TEST(IapStream, ConfirmsAfterTwoPiecesOrWhenIdle) {
  IapStream stream = connected();
  EXPECT_THAT(stream.ack(true), IsEmpty());
  stream.take(data(std::string(16384, 'x')));
  stream.take(data(std::string(16384, 'x')));
  EXPECT_THAT(stream.ack(false), IsEmpty());
  stream.take(data("y"));
  EXPECT_EQ(stream.ack(false), ack(32769));
  EXPECT_THAT(stream.ack(true), IsEmpty());
  stream.take(data("z"));
  EXPECT_EQ(stream.ack(true), ack(32770));
}

TEST(IapStream, SendsAgainWhatWasNotConfirmed) {
  IapStream stream = connected();
  stream.data("abc");
  stream.data("def");
  EXPECT_EQ(stream.unconfirmed(), 6u);
  stream.take(ack(1));
  EXPECT_THAT(stream.resend(), IsEmpty()) << "only after a new connection";
  stream.reconnecting();
  EXPECT_FALSE(stream.connected());
  stream.take(reconnected(4));
  EXPECT_THAT(stream.resend(), ::testing::ElementsAre(data("ef")));
  EXPECT_THAT(stream.resend(), IsEmpty()) << "once";
  stream.take(ack(6));
  EXPECT_EQ(stream.unconfirmed(), 0u);
}

TEST(IapStream, PassesOverWhatItDoesNotKnow) {
  IapStream stream = connected();
  EXPECT_EQ(stream.take("\0\x0a\0\0"s), "");
  EXPECT_TRUE(stream.connected());
}

struct Broken {
  const char* what;
  std::vector<std::string> messages;
};
class BrokenRelays : public ::testing::TestWithParam<Broken> {};

TEST_P(BrokenRelays, AreToldFrom) {
  IapStream stream;
  stream.data("abc");
  const auto& messages = GetParam().messages;
  for (std::size_t i = 0; i + 1 < messages.size(); ++i) stream.take(messages[i]);
  try {
    stream.take(messages.back());
    FAIL() << GetParam().what;
  } catch (const Error& error) {
    EXPECT_EQ(error.kind, Kind::failure);
    EXPECT_THAT(error.what(), HasSubstr(GetParam().what));
  }
}

INSTANTIATE_TEST_SUITE_P(All, BrokenRelays,
                         ::testing::Values(Broken{"before it was connected", {data("x")}}, Broken{"before it was connected", {ack(1)}},
                                           Broken{"connected twice", {kConnected, kConnected}},
                                           Broken{"connected twice", {kConnected, reconnected(0)}},
                                           Broken{"more than was sent", {kConnected, ack(4)}},
                                           Broken{"took a confirmation back", {kConnected, ack(2), ack(1)}},
                                           Broken{"cut short", {"\0"s}}, Broken{"cut short", {"\0\1\0\0\0\7sid"s}},
                                           Broken{"cut short", {kConnected, "\0\4\xff\xff\xff\xffx"s}},
                                           Broken{"cut short", {kConnected, "\0\7\0\0\0"s}}));

TEST(IapUrls, NameTheMachineAsGcloudDoes) {
  IapTarget machine;
  machine.project = "p";
  machine.zone = "us-central2-b";
  machine.instance = "t1v-n-0-w-1";
  EXPECT_EQ(iap_connect_url(machine, ""),
            "wss://tunnel.cloudproxy.app/v4/connect?project=p&port=22&newWebsocket=True&zone=us-central2-b&instance=t1v-n-0-w-1&interface=nic0");
  EXPECT_EQ(iap_reconnect_url(machine, "", "a/b", 17),
            "wss://tunnel.cloudproxy.app/v4/reconnect?sid=a%2Fb&ack=17&newWebsocket=True&zone=us-central2-b");
  EXPECT_THAT(iap_connect_url(machine, "wss://relay.example:1/"), HasSubstr("wss://relay.example:1/v4/connect?"));
  EXPECT_THAT(iap_connect_url(machine, "wss://relay.example/own"), HasSubstr("wss://relay.example/own/connect?"));
  IapTarget host;
  host.project = "p";
  host.port = 443;
  host.host = "10.0.0.1";
  host.region = "r";
  host.network = "n";
  host.group = "g";
  EXPECT_EQ(iap_connect_url(host, ""), "wss://tunnel.cloudproxy.app/v4/connect?project=p&port=443&newWebsocket=True&region=r&network=n&host=10.0.0.1&group=g");
  EXPECT_EQ(iap_reconnect_url(host, "", "s", 0), "wss://tunnel.cloudproxy.app/v4/reconnect?sid=s&ack=0&newWebsocket=True&region=r");
}

TEST(IapCloseCodes, BecomeWordsWithTheNextStep) {
  IapTarget target;
  target.instance = "m";
  const Error backend = iap_close_error({4003, "failed"}, target);
  EXPECT_STREQ(backend.what(), "IAP cannot reach port 22 of [m] (4003: failed).");
  EXPECT_THAT(backend.hint, HasSubstr("firewall"));
  EXPECT_EQ(iap_close_error({4033, ""}, target).kind, Kind::denied);
  EXPECT_THAT(iap_close_error({4033, ""}, target).hint, HasSubstr("roles/iap.tunnelResourceAccessor"));
  EXPECT_EQ(iap_close_error({4047, ""}, target).kind, Kind::not_found);
  EXPECT_STREQ(iap_close_error({4999, ""}, target).what(), "IAP ended the connection to port 22 of [m] (4999).");
}

}  // namespace
}  // namespace tpuctl::api::testing
