// SPDX-License-Identifier: Apache-2.0
// Transfers with real porters. In the place of ssh stands a script that runs the command here, each address with a home of
// its own: "down..." refuses the connection, "full..." can write but a little. From worker to worker another script goes, which lets in whom
// the source's authorized_keys name; "shut..." lets in nobody.
#include "launch/transfer.hpp"

#include <gmock/gmock.h>
#include <unistd.h>

#include "api/checksum.hpp"
#include "base/process.hpp"
#include "base/signal.hpp"
#include "tests/support/archive.hpp"
#include "tests/support/fake_clock.hpp"
#include "tests/support/scripted_transport.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/unit/launch/crew.hpp"

namespace tpuctl::test {
namespace {

using namespace launch;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

class Transfers : public ::testing::Test {
 protected:
  Transfers() {
    signals::install();
    const std::string here = folder.path;
    const std::string address = "for last; do case $last in *@*) [ -n \"${to-}\" ] || to=${last#*@} ;; esac; done\n";
    ssh = folder.put_script("ssh", address + "case $to in\n  down*) echo \"ssh: connect to host $to port 22: Connection refused\" >&2; exit 255 ;;\n" +
                                       "  full*) trap '' XFSZ; ulimit -f 20 ;;\nesac\n" + "export PATH=" + here + "/bin:/usr/bin:/bin HOME=" + here +
                                       "/home-$to ADDRESS=$to\nmkdir -p \"$HOME\"; cd\nexec /bin/sh -c \"$last\"");
    folder.put_script("bin/ssh", address + "case $to in shut*) echo 'ssh: connect to host x port 22: No route to host' >&2; exit 255 ;; esac\n" +
                                     "grep -q \"from=\\\"[^\\\"]*$ADDRESS[,\\\"].*tpuctl-files\\$\" " + here + "/home-$to/.ssh/authorized_keys || { echo denied >&2; exit 255; }\n" +
                                     "ssh-add -L | grep -q ssh-ed25519 || { echo 'no key' >&2; exit 255; }\n" +
                                     "echo \"$ADDRESS from $to: $*\" >>" + here + "/relayed\ncd " + here + "/home-$to && exec /bin/sh -c \"$last\"");
    report.say = [this](const std::string& line) { said.push_back(line); };
    report.warn = [this](const std::string& line) { warnings.push_back(line); };
  }
  Crew crew(const std::vector<std::string>& addresses) const { return crew_of(ssh, addresses); }
  Archive pack() const { return Archive(entries_of_workdir(folder / "code", [](const std::string&) {})); }
  /// Bytes that no compression makes smaller.
  static std::string noise(std::size_t size) {
    std::string out;
    while (out.size() < size) {
      const std::string hex = text::sha256_hex(std::to_string(out.size()));
      for (std::size_t i = 0; i < hex.size(); i += 2) out += static_cast<char>(std::stoi(hex.substr(i, 2), nullptr, 16));
    }
    return out.substr(0, size);
  }
  TransferResult send(const Crew& to, const Carriers& carriers = {}) { return send_files(to, pack(), {"work/j", true}, carriers, report); }
  std::string content(const std::string& worker, const std::string& name) const {
    return file::read_if_exists(folder / ("home-" + worker + "/work/j/" + name)).value_or("(none)");
  }
  std::string relayed() const { return file::read_if_exists(folder / "relayed").value_or(""); }

  TemporaryFolder folder;
  std::string ssh;
  std::vector<std::string> said, warnings;
  TransferReport report;
};

const std::vector<std::string> kSix = {"w0", "w1", "w2", "w3", "w4", "w5"};

TEST_F(Transfers, EachByteLeavesThisMachineOnce) {
  const std::string big = noise(1'500'000);
  folder.put("code/big", big);
  const auto result = send(crew(kSix));
  EXPECT_THAT(result.troubles, IsEmpty());
  for (const std::string& worker : kSix) EXPECT_EQ(content(worker, "big"), big) << worker;
  EXPECT_EQ(result.copied, 1u);
  EXPECT_EQ(result.relayed, 5u);
  EXPECT_GE(result.sent, 1'500'000);
  EXPECT_LE(result.sent, 1'650'000) << "all told, the scripts too";
  EXPECT_THAT(warnings, IsEmpty());
  EXPECT_THAT(relayed(), Not(HasSubstr("PRIVATE"))) << "the key is in no command line";
  for (const std::string& worker : kSix) {
    EXPECT_THAT(file::read_if_exists(folder / ("home-" + worker + "/.ssh/authorized_keys")).value_or(""), IsEmpty()) << "nobody is let in any more";
  }
  process::Spec search;
  search.argv = {"grep", "-rl", "PRIVATE KEY", folder.path};
  EXPECT_THAT(process::run(search).out, IsEmpty());
}

TEST_F(Transfers, UnchangedContentIsNotSentAgain) {
  folder.put("code/a.py", noise(200'000));
  folder.put("code/sub/b.py", "two");
  folder.put("code/.git/config", "not for the workers");
  const Crew two = crew({"w0", "w1"});
  send(two);
  EXPECT_EQ(content("w1", "sub/b.py"), "two");
  EXPECT_EQ(content("w1", ".git/config"), "(none)");
  auto result = send(two);
  EXPECT_EQ(result.kept, 2u);
  EXPECT_LT(result.sent, 60'000);
  file::remove(folder / "code/sub/b.py");
  folder.put("code/a.py", "changed");
  result = send(two);
  EXPECT_EQ(result.kept, 0u);
  EXPECT_EQ(content("w1", "a.py"), "changed");
  EXPECT_EQ(content("w1", "sub/b.py"), "(none)") << "what is gone here is gone there";
}

TEST_F(Transfers, OneThatLacksItGetsItAlone) {
  folder.put("code/a", noise(300'000));
  send(crew({"w0", "w1", "w2"}));
  folder.put("home-w1/work/j/a", "spoiled by hand");
  const auto result = send(crew({"w0", "w1", "w2"}));
  EXPECT_EQ(result.kept, 2u);
  EXPECT_EQ(result.copied, 1u);
  EXPECT_EQ(content("w1", "a"), noise(300'000));
}

TEST_F(Transfers, SmallFilesAreJustCopied) {
  folder.put("code/a", "one");
  const auto result = send(crew(kSix));
  EXPECT_EQ(result.copied, 6u);
  EXPECT_THAT(warnings, IsEmpty());
  EXPECT_THAT(relayed(), IsEmpty());
}

TEST_F(Transfers, DeadAndFullWorkersAreNamedAndHinderNobody) {
  folder.put("code/a", noise(300'000));
  const auto result = send(crew({"down0", "full1", "w2", "w3", "w4"}));
  ASSERT_THAT(result.troubles, SizeIs(2));
  EXPECT_EQ(result.troubles[0].worker, 0u);
  EXPECT_FALSE(result.troubles[0].connected);
  EXPECT_THAT(result.troubles[0].why, HasSubstr("Connection refused"));
  EXPECT_EQ(result.troubles[1].worker, 1u);
  EXPECT_TRUE(result.troubles[1].connected);
  EXPECT_THAT(result.troubles[1].why, HasSubstr("File too large"));
  for (const char* worker : {"w2", "w3", "w4"}) EXPECT_EQ(content(worker, "a"), noise(300'000)) << worker;
  EXPECT_FALSE(file::exists(folder / "home-full1/work")) << "nothing is half there";
}

TEST_F(Transfers, WorkersThatCannotReachEachOtherGetCopiesAndThatIsSaid) {
  folder.put("code/a", noise(200'000));
  const auto result = send(crew({"shut0", "shut1", "shut2", "shut3", "shut4"}));
  EXPECT_THAT(result.troubles, IsEmpty());
  EXPECT_EQ(result.copied, 5u);
  const Archive archive = pack();
  EXPECT_THAT(warnings, ElementsAre(AllOf(HasSubstr("cannot fetch the files from each other"), HasSubstr("No route to host"),
                                          HasSubstr(std::to_string(4 * archive.size()) + " bytes in all"))));
  EXPECT_EQ(content("shut3", "a"), noise(200'000));
}

TEST_F(Transfers, OneUnreachableNeighbourIsGoneRound) {
  folder.put("code/a", noise(200'000));
  const auto result = send(crew({"shut0", "w1", "w2", "w3"}));
  EXPECT_THAT(result.troubles, IsEmpty());
  for (const char* worker : {"shut0", "w1", "w2", "w3"}) EXPECT_EQ(content(worker, "a"), noise(200'000)) << worker;
}

TEST_F(Transfers, WithFewConversationsAtATimeToo) {
  folder.put("code/a", noise(200'000));
  Crew some = crew(kSix);
  some.fanout.parallel = 2;
  const auto result = send(some);
  EXPECT_THAT(result.troubles, IsEmpty());
  EXPECT_EQ(result.copied, 1u);
  EXPECT_EQ(content("w5", "a"), noise(200'000));
}

TEST_F(Transfers, WhatHadArrivedBeforeACutIsNotSentAgain) {
  folder.put("code/a", noise(1'000'000));
  const Archive archive = pack();
  send(crew({"w0"}));
  // As after a cut: nothing in its place, most of the archive there.
  const std::string key = text::sha256_hex("work/j").substr(0, 16);
  file::remove_tree(folder / "home-w0/work");
  file::write_atomic(folder / ("home-w0/.tpuctl/files/" + key + "/" + archive.sum() + ".part"),
                     bytes_of(archive).substr(0, static_cast<std::size_t>(archive.size()) - 5000));
  const auto result = send(crew({"w0"}));
  EXPECT_THAT(result.troubles, IsEmpty());
  EXPECT_LT(result.sent, 40'000);
  EXPECT_EQ(content("w0", "a"), noise(1'000'000));
}

// ---- through a bucket ----------------------------------------------------------------------------------------------------

class ThroughABucket : public Transfers {
 protected:
  ThroughABucket() { carriers = {&storage, "b", "tpuctl/files/"}; }
  /// A worker's curl: the metadata server's token, then the object.
  void curl_gives(const std::string& path) const {
    folder.put_script("bin/curl", "case \"$*\" in *computeMetadata*) echo '{\"access_token\":\"t0k\",\"expires_in\":99}'; exit ;; esac\n" +
                                      std::string("grep -q 'Bearer t0k' || exit 9\necho \"$*\" >>") + folder.path + "/curls\n" +
                                      "while [ \"$1\" != -o ]; do shift; done\n" + "cp " + path + " \"$2\"");
  }
  static Json resource(const Archive& archive) {
    api::Crc32c sum;
    sum.update(bytes_of(archive));
    return Json{{"name", "x"}, {"bucket", "b"}, {"size", std::to_string(archive.size())}, {"crc32c", sum.base64()}};
  }
  void expect_upload(const Archive& archive) {
    wire.expect("GET", HasSubstr("/o/tpuctl%2Ffiles%2F" + archive.sum() + ".tar.gz")).reply_text(404, "");
    wire.expect("POST", HasSubstr("/upload/")).reply(200, resource(archive));
  }
  ScriptedTransport wire;
  FakeClock clock;
  api::Storage storage{wire, clock, "https://s/"};
  Carriers carriers;
};

TEST_F(ThroughABucket, WorkersFetchItThemselves) {
  folder.put("code/a", noise(200'000));
  const Archive archive = pack();
  curl_gives(folder.put("object", bytes_of(archive)));
  expect_upload(archive);
  const auto result = send_files(crew(kSix), archive, {"work/j", true}, carriers, report);
  EXPECT_EQ(result.from_bucket, 6u);
  EXPECT_GE(result.sent, archive.size());
  EXPECT_EQ(content("w5", "a"), noise(200'000));
  EXPECT_THAT(file::read(folder / "curls"), AllOf(Not(HasSubstr("t0k")), HasSubstr("alt=media"))) << "no token in a command line";
  EXPECT_THAT(relayed(), IsEmpty());
}

TEST_F(ThroughABucket, WithoutAnybodyInNeedNothingIsAsked) {
  folder.put("code/a", noise(200'000));
  send(crew({"w0"}));
  EXPECT_EQ(send(crew({"w0"}), carriers).kept, 1u);
}

TEST_F(ThroughABucket, WhatIsThereAlreadyIsNotUploaded) {
  folder.put("code/a", noise(200'000));
  const Archive archive = pack();
  curl_gives(folder.put("object", bytes_of(archive)));
  wire.expect("GET", HasSubstr(archive.sum())).reply(200, resource(archive));
  const auto result = send_files(crew({"w0", "w1"}), archive, {"work/j", true}, carriers, report);
  EXPECT_EQ(result.from_bucket, 2u);
  EXPECT_LT(result.sent, 60'000);
}

TEST_F(ThroughABucket, ABucketThatRefusesLeavesTheRelay) {
  folder.put("code/a", noise(200'000));
  wire.expect("GET", HasSubstr("/o/")).reply_text(403, "{\"error\":{\"code\":403,\"message\":\"no\"}}");
  const auto result = send(crew({"w0", "w1", "w2"}), carriers);
  EXPECT_EQ(result.relayed, 2u);
  EXPECT_THAT(warnings, ElementsAre(HasSubstr("cannot go through the bucket")));
}

TEST_F(ThroughABucket, WorkersThatMayNotReadItGetItFromEachOther) {
  folder.put("code/a", noise(200'000));
  const Archive archive = pack();
  folder.put_script("bin/curl", "echo 'curl: (22) The requested URL returned error: 403' >&2; exit 22");
  expect_upload(archive);
  const auto result = send_files(crew({"w0", "w1", "w2"}), archive, {"work/j", true}, carriers, report);
  EXPECT_EQ(result.copied, 1u);
  EXPECT_EQ(result.relayed, 2u);
  EXPECT_THAT(warnings, ElementsAre(AllOf(HasSubstr("can read the bucket [b]"), HasSubstr("403"))));
}

TEST_F(ThroughABucket, AnObjectThatIsNotTheArchiveIsNotUnpacked) {
  folder.put("code/a", noise(200'000));
  const Archive archive = pack();
  curl_gives(folder.put("other", std::string(static_cast<std::size_t>(archive.size()), 'x')));
  expect_upload(archive);
  const auto result = send_files(crew({"w0", "w1"}), archive, {"work/j", true}, carriers, report);
  EXPECT_EQ(result.from_bucket, 0u);
  EXPECT_EQ(content("w0", "a"), noise(200'000));
}

}  // namespace
}  // namespace tpuctl::test
