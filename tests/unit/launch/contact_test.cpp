// SPDX-License-Identifier: Apache-2.0
// How far ssh got, and how a command is ended on its worker.
#include <gmock/gmock.h>
#include <unistd.h>

#include "base/process.hpp"
#include "launch/ssh.hpp"
#include "tests/support/temporary_folder.hpp"

namespace tpuctl::test {
namespace {

using namespace launch;
using ::testing::ElementsAre;

// ---- what 255 means ------------------------------------------------------------------------------------------------

class ContactOf : public ::testing::Test {
 protected:
  TemporaryFolder folder;
  std::vector<std::string> argv{"ssh", "-o", "ControlPath=" + (folder / "socket"), "me@203.0.1.2", "--", "true"};
};

TEST_F(ContactOf, IsToldBySshsLastWords) {
  const std::vector<std::pair<std::string, Contact>> kWords = {
      {"ssh: connect to host 203.0.1.2 port 22: Connection refused", Contact::none},
      {"ssh: Could not resolve hostname tpu: Name or service not known", Contact::none},
      {"kex_exchange_identification: read: Connection reset by peer", Contact::none},
      {"Connection reset by 203.0.1.2 port 22", Contact::none},
      {"Connection closed by UNKNOWN port 65535", Contact::none},
      {"Connection to 203.0.1.2 port 22 timed out", Contact::none},
      {"Host key verification failed.", Contact::refused},
      {"me@203.0.1.2: Permission denied (publickey).", Contact::refused},
      {"client_loop: send disconnect: Broken pipe", Contact::lost},
      {"Timeout, server 203.0.1.2 not responding.", Contact::lost},
      {"Connection to 203.0.1.2 closed by remote host.", Contact::lost},
      {"", Contact::none},
  };
  for (const auto& [words, contact] : kWords) EXPECT_EQ(contact_of(argv, words, false, false), contact) << words;
  EXPECT_EQ(contact_of(argv, "me@203.0.1.2: Permission denied (publickey).", true, false), Contact::none) << "a fresh key takes a moment";
}

TEST_F(ContactOf, AConnectionThatIsSharedTellsThatTheCodeIsTheCommandsOwn) {
  folder.put("socket", "");
  EXPECT_EQ(contact_of(argv, "", false, false), Contact::made);
  EXPECT_EQ(contact_of(argv, "ssh: connect to host other port 22: Connection refused", false, false), Contact::made) << "an ssh that ran there said it";
  EXPECT_TRUE(may_have_connected(argv));
}

TEST_F(ContactOf, WithoutOneSilenceIsTheCommands) {
  argv = {"ssh", "me@203.0.1.2", "--", "true"};
  EXPECT_EQ(contact_of(argv, "", false, false), Contact::made);
  EXPECT_EQ(contact_of(argv, "ssh: connect to host 203.0.1.2 port 22: Connection refused", false, false), Contact::none);
  EXPECT_TRUE(may_have_connected(argv)) << "nobody knows";
}

TEST_F(ContactOf, WhatWasThereAndIsGoneBroke) {
  EXPECT_EQ(contact_of(argv, "", false, true), Contact::lost) << "who shares a connection is told nothing";
  EXPECT_EQ(contact_of(argv, "step 17", false, true), Contact::lost) << "the command's words";
  EXPECT_EQ(contact_of(argv, "ssh: connect to host 203.0.1.2 port 22: Connection refused", false, true), Contact::none) << "it was an old one";
}

TEST_F(ContactOf, NobodyHasConnectedYet) { EXPECT_FALSE(may_have_connected(argv)); }

// ---- the end of a command on its worker ---------------------------------------------------------------------------------

TEST(Sessions, TheLocalLocaleStaysHere) {
  const Environment env({{"LC_ALL", "pt_PT.UTF-8"}, {"LANG", "pt_PT"}, {"LANGUAGE", "pt"}, {"TERM", "xterm"}});
  EXPECT_THAT(session_environment(env, "m-1"), ElementsAre("LC_TPUCTL_SESSION=m-1", "TERM=xterm"));
}

// A process that a session has left on this machine.
process::Child left_over(const TemporaryFolder& folder, const std::string& name, const std::string& mark, const std::string& script) {
  process::Spec spec;
  spec.env = session_environment(Environment::of_process(), mark);
  spec.argv = {"/bin/sh", "-c", "trap 'echo INT >>" + folder / name + "; exit 0' INT; " + script + "touch " + folder / (name + ".up") + "; while :; do sleep 0.05; done"};
  process::Child child(spec);
  while (!file::exists(folder / (name + ".up"))) usleep(5000);
  return child;
}

TEST(Sessions, AreEndedGentlyAndThenByForce) {
  const TemporaryFolder folder;
  const std::string mark = text::uuid4();
  auto gentle = left_over(folder, "gentle", mark, "");
  auto stubborn = left_over(folder, "stubborn", mark, "trap '' INT; ");
  auto another = left_over(folder, "another", text::uuid4(), "");
  process::Spec stop;
  stop.argv = {"/bin/sh", "-c", stop_command(mark)};
  EXPECT_EQ(process::run(stop).status, 0);
  EXPECT_EQ(gentle.wait(), 0);
  EXPECT_EQ(file::read(folder / "gentle"), "INT\n");
  EXPECT_EQ(stubborn.wait(), 143);
  EXPECT_FALSE(another.poll_exit()) << "not of this session";
}

TEST(Contact, APatternForTheSharedConnectionIsReadBySshAlone) {
  for (const char* path : {"none", "~/.ssh/cm-%C", "/run/%u/x"}) {
    const std::vector<std::string> argv = {"ssh", "-o", std::string("ControlPath=") + path, "me@host"};
    EXPECT_EQ(contact_of(argv, "", false, false), Contact::made) << path << ": a command may have run";
    EXPECT_TRUE(may_have_connected(argv)) << path;
  }
}

}  // namespace
}  // namespace tpuctl::test
