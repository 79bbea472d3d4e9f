// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/emulator/worker_test.hpp"

#include <gmock/gmock.h>
#include <signal.h>
#include <unistd.h>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/text.hpp"
#include "emulator/worker_folder.hpp"
#include "emulator/worker_process.hpp"
#include "tests/support/errors.hpp"

namespace tpuctl::emulator {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST_F(WorkerTest, CommandsKeepExitCodeQuotesAndStreams) {
  start(1);
  const auto result = ssh(0, R"(echo "it's  two" 'q"q' $((1+1)); echo oops >&2; exit 7)");
  EXPECT_EQ(result.status, 7);
  EXPECT_EQ(result.out, "it's  two q\"q 2\n");
  EXPECT_EQ(result.err, "oops\n");
  const auto script = ssh(0, "bash -s one", "echo from $1\ncat; exit 4\nrest of the input\n");
  EXPECT_EQ(script.status, 4);
  EXPECT_EQ(script.out, "from one\nrest of the input\n");
  EXPECT_EQ(ssh(0, "", "echo plain; exit 5\n").status, 5);
}

TEST_F(WorkerTest, EveryWorkerIsItself) {
  start(3);
  for (int i = 0; i < 3; ++i) {
    const auto result = ssh(i, "hostname; hostname -I; pwd; echo $HOME $TMPDIR; echo $TPUCTL_STATE_DIR; "
                               "echo $TPUCTL_ACCEL_DEVICE; id -un; echo $USER; echo $JAX_PLATFORMS");
    EXPECT_EQ(text::split(result.out, '\n'),
              (std::vector<std::string>{spec(i).hostname, spec(i).address, home(i), home(i) + " " + file_of(i, "tmp"),
                                        file_of(i, "state"), file_of(i, "dev/accel0"), user_, user_, "cpu", ""}));
  }
  const auto keys = file::read(dir_ + "/known_hosts");
  for (int i = 0; i < 3; ++i) {
    const auto host = pool_->host_keys(spec(i).id);
    ASSERT_EQ(host.size(), 1U);
    EXPECT_EQ(host[0].type, "ssh-ed25519");
    EXPECT_THAT(keys, HasSubstr("[" + spec(i).address + "]:" + std::to_string(port_) + " ssh-ed25519 " + host[0].data + "\n"));
  }
}

TEST_F(WorkerTest, TerminalHasPromptAndOneGreeting) {
  start(1);
  process::Spec terminal;
  terminal.argv = ssh_words(0, {"-tt"});
  terminal.argv.insert(terminal.argv.begin() + 1, {"-o", "LogLevel=INFO"});  // the first one counts
  const auto first = process::run(terminal, "echo $((40+2))\nexit 3\n");
  if (!terminals_granted()) {  // said by ssh in words, and a shell without one is there
    EXPECT_THAT(first.err, HasSubstr("PTY allocation request failed"));
    EXPECT_EQ(ssh(0, "", "echo $((40+2))\nexit 3\n").out, "42\n");
    return;
  }
  EXPECT_EQ(first.status, 3);
  EXPECT_THAT(first.out, HasSubstr(user_ + "@demo-w-0:~"));
  EXPECT_THAT(first.out, HasSubstr("42"));
  EXPECT_THAT(first.out, HasSubstr("commands run on your own machine"));
  const auto second = process::run(terminal, "exit\n");
  EXPECT_THAT(second.out, HasSubstr(user_ + "@demo-w-0:~"));
  EXPECT_THAT(second.out, Not(HasSubstr("commands run on your own machine")));
}

TEST_F(WorkerTest, FilesAreCopiedBothWays) {
  start(1);
  file::append(dir_ + "/hello", "some text\n");
  const std::string far = user_ + "@" + spec(0).address + ":";
  for (const char* protocol : {"-s", "-O"}) {  // SFTP, and the old one
    process::Spec copy;
    copy.argv = ssh_words(0);
    copy.argv.pop_back();
    copy.argv[0] = "scp";
    copy.argv[3] = "-P";
    copy.argv.insert(copy.argv.end(), {protocol, dir_ + "/hello", far + "there"});
    EXPECT_EQ(process::run(copy).err, "");
    EXPECT_EQ(file::read(home(0) + "/there"), "some text\n");
    file::remove(home(0) + "/there");
    copy.argv.resize(copy.argv.size() - 2);
    copy.argv.insert(copy.argv.end(), {far + ".ssh/../made", dir_ + "/back"});
    EXPECT_EQ(ssh(0, "echo answer > made").status, 0);
    EXPECT_EQ(process::run(copy).status, 0);
    EXPECT_EQ(file::read(dir_ + "/back"), "answer\n");
    file::remove(dir_ + "/back");
  }
}

TEST_F(WorkerTest, ConnectionsCanBeShared) {
  start(1);
  const std::string socket = "ControlPath=" + dir_ + "/s";
  process::Spec first;
  first.argv = ssh_words(0, {"-o", "ControlMaster=yes", "-o", socket, "-N"});
  first.own_group = true;
  process::Child master(first);
  ASSERT_TRUE(eventually([&] { return file::exists(dir_ + "/s"); }));
  process::Spec second;
  // Without a key of its own it can only come in through the first one's connection.
  second.argv = ssh_words(0, {"-o", "ControlMaster=no", "-o", socket, "-o", "PubkeyAuthentication=no"});
  second.argv.push_back("exit 9");
  EXPECT_EQ(process::run(second).status, 9);
}

TEST_F(WorkerTest, OnlyTheKeysOfTheMoment) {
  start(1);
  ASSERT_EQ(ssh(0, "true").status, 0);
  auto changed = metadata(0);
  changed.set("/instance/attributes/ssh-keys", "somebody-else:" + file::read(key_ + ".pub"));
  pool_->set_metadata(spec(0).id, changed);
  const auto refused = ssh(0, "true");
  EXPECT_EQ(refused.status, 255);
  EXPECT_THAT(refused.err, HasSubstr("Permission denied"));

  file::append(home(0) + "/.ssh/authorized_keys", file::read(key_ + ".pub"));
  EXPECT_EQ(ssh(0, "true").status, 0) << "a key in the worker's own home counts";
  file::remove(home(0) + "/.ssh/authorized_keys");

  changed.set("/instance/attributes/ssh-keys", "");
  changed.set("/project/attributes/ssh-keys", "a:ssh-rsa AAAA a\n" + user_ + ":" + file::read(key_ + ".pub"));
  pool_->set_metadata(spec(0).id, changed);
  EXPECT_EQ(ssh(0, "true").status, 0) << "and the project's";
  changed.set("/instance/attributes/block-project-ssh-keys", "TRUE");
  pool_->set_metadata(spec(0).id, changed);
  EXPECT_EQ(ssh(0, "true").status, 255);
}

TEST_F(WorkerTest, HaltKillsDaemonsAndBootRunsTheStartupScript) {
  pool_ = make_worker_pool(options());
  auto data = metadata(0);
  data.set("/instance/attributes/startup-script", "echo up $USER >> boots\nexit 6\n");  // no #! line: a shell's
  pool_->create(spec(0), data);
  const std::string log = file_of(0, "startup.log");
  ASSERT_TRUE(eventually([&] { return text::trim(file::read_if_exists(log).value_or("")) == "startup-script exit status 6"; }));

  const std::string sleeper = "sleep 7654." + std::to_string(getpid());
  ASSERT_EQ(ssh(0, "setsid nohup sh -c '" + sleeper + " & " + sleeper + "' >/dev/null 2>&1 </dev/null &").status, 0);
  ASSERT_TRUE(eventually([&] { return processes_with(sleeper) == 3; }));
  pool_->halt(spec(0).id);
  EXPECT_EQ(processes_with(sleeper), 0);
  EXPECT_EQ(ssh(0, "true").status, 255);
  pool_->boot(spec(0).id);
  EXPECT_EQ(ssh(0, "true").status, 0);
  EXPECT_TRUE(eventually([&] { return file::read(home(0) + "/boots") == "up " + user_ + "\nup " + user_ + "\n"; }));
}

TEST_F(WorkerTest, SignalReachesTheHoldersOfTheDeviceOnly) {
  start(2);
  const std::string wait = "trap 'echo got; exit 3' TERM; while :; do read -t 0.1 x <>/dev/zero; done";
  auto holder = ssh_started(0, "exec 7<>$TPUCTL_ACCEL_DEVICE; echo open; " + wait);
  auto other = ssh_started(0, "echo open; " + wait);
  auto neighbour = ssh_started(1, "exec 7<>$TPUCTL_ACCEL_DEVICE; echo open; " + wait);
  for (auto* child : {&holder, &other, &neighbour}) {
    std::string said;
    ASSERT_TRUE(eventually([&] { return !process::Child::drain(child->out(), said) || said == "open\n"; }));
    ASSERT_EQ(said, "open\n");
  }
  EXPECT_EQ(pool_->signal_holders(spec(0).id, 0), 1);
  EXPECT_EQ(pool_->signal_holders(spec(0).id, SIGTERM), 1);
  EXPECT_EQ(holder.wait(), 3);
  EXPECT_TRUE(eventually([&] { return pool_->signal_holders(spec(0).id, 0) == 0; }));
  EXPECT_TRUE(other.running() && !other.poll_exit());
  EXPECT_EQ(pool_->signal_holders(spec(1).id, 0), 1);
}

TEST_F(WorkerTest, AHangingWorkerTakesConnectionsAndAnswersNone) {
  start(1);
  auto counter = ssh_started(0, "exec 7<>$TPUCTL_ACCEL_DEVICE; trap 'echo got; exit 3' TERM; echo open; "
                                "while :; do echo x >>ticks; read -t 0.05 x <>/dev/zero; done");
  ASSERT_TRUE(eventually([&] { return file::exists(home(0) + "/ticks"); }));
  pool_->hang(spec(0).id);
  const auto ticks = file::read(home(0) + "/ticks").size();
  process::Spec banner;
  banner.argv = ssh_words(0, {"-o", "ConnectTimeout=1"});
  banner.argv.push_back("true");
  const auto refused = process::run(banner);
  EXPECT_EQ(refused.status, 255);
  EXPECT_THAT(refused.err, HasSubstr("timed out"));
  EXPECT_EQ(pool_->signal_holders(spec(0).id, SIGTERM), 1) << "a signal waits for it";
  EXPECT_EQ(file::read(home(0) + "/ticks").size(), ticks);
  pool_->heal(spec(0).id);
  EXPECT_EQ(counter.wait(), 3);
  EXPECT_EQ(ssh(0, "true").status, 0);

  pool_->hang(spec(0).id);
  pool_->halt(spec(0).id);
  pool_->boot(spec(0).id);
  EXPECT_EQ(ssh(0, "true").status, 0) << "a reboot helps too";
}

TEST_F(WorkerTest, AFullDiskTakesWhatIsLeftAndNoMore) {
  start(1);
  ASSERT_EQ(ssh(0, "echo before >old").status, 0);
  try {
    pool_->fill(spec(0).id, 8192);
  } catch (const Error& error) {
    EXPECT_THAT(error.hint, HasSubstr("namespace"));
    GTEST_SKIP() << error.what();
  }
  const auto first = ssh(0, "cat old; head -c 8000 /dev/zero >new && head -c 9000 /dev/zero >more");
  EXPECT_EQ(first.out, "before\n");
  EXPECT_THAT(first.err, HasSubstr("No space left on device"));
  EXPECT_THAT(ssh(0, "stat -c %s new; echo after >>old").err, HasSubstr("No space left on device")) << "all logins share the room";
  for (const char* place : {"$TPUCTL_STATE_DIR", "$TMPDIR", "$HOME"}) {
    EXPECT_THAT(ssh(0, std::string("echo x >") + place + "/x").err, HasSubstr("No space left on device")) << place;
  }
  EXPECT_EQ(ssh(0, "id -un").out, user_ + "\n");
  pool_->heal(spec(0).id);
  EXPECT_EQ(ssh(0, "cat old; ls; echo x >x && echo fits").out, "before\nold\nfits\n");
  pool_->fill(spec(0).id, 0);
  EXPECT_NE(ssh(0, "echo x >y").status, 0);
  pool_->halt(spec(0).id);
  pool_->boot(spec(0).id);
  EXPECT_EQ(ssh(0, "echo x >y").status, 0);
}

TEST_F(WorkerTest, DiskAndHostKeyOutliveThePool) {
  start(1);
  const auto key = pool_->host_keys(spec(0).id)[0].data;
  ASSERT_EQ(ssh(0, "echo kept > file; echo kept > $TPUCTL_STATE_DIR/file").status, 0);
  pool_.reset();
  EXPECT_EQ(ssh(0, "true").status, 255);
  start(1);
  EXPECT_EQ(pool_->host_keys(spec(0).id)[0].data, key);
  EXPECT_EQ(ssh(0, "cat file $TPUCTL_STATE_DIR/file").out, "kept\nkept\n");
  EXPECT_EQ(ssh(0, "mkdir -p a/b && touch a/b/c && chmod 500 a/b").status, 0);
  pool_->destroy(spec(0).id);
  EXPECT_FALSE(file::exists(file_of(0, "")));
  pool_->destroy(spec(0).id);  // unknown now, which is fine
}

TEST_F(WorkerTest, APortInUseIsNamed) {
  start(1);
  auto twin = spec(0);
  twin.id = "8999999999/0";
  try {
    pool_->create(twin, metadata(0));
    FAIL() << "two workers on one address";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr(twin.address + ":" + std::to_string(port_)));
  }
  EXPECT_EQ(ssh(0, "true").status, 0);
}

TEST_F(WorkerTest, WithoutSshdItSaysWhatToInstall) {
  const std::string before = getenv("PATH");
  setenv("PATH", dir_.c_str(), 1);
  PoolOptions here = options();
  here.program_folders.clear();
  const Error error = tpuctl::test::error_of([&] { make_worker_pool(here); });
  setenv("PATH", before.c_str(), 1);
  EXPECT_STREQ(error.what(), "The emulator's workers need sshd, which is not installed.");
  EXPECT_EQ(error.hint, "Install openssh-server; it need not be started.");
}

TEST_F(WorkerTest, KillingTheEmulatorLeavesNothing) {
  process::Spec self;
  self.argv = {options().program, "pool", dir_, network_, std::to_string(port_), key_};
  self.out = process::Stream::pipe;
  process::Child emulator(self);
  std::string said;
  ASSERT_TRUE(eventually([&] { return !process::Child::drain(emulator.out(), said) || said == "ready\n"; }));
  ASSERT_EQ(said, "ready\n");
  const std::string sleeper = "sleep 7655." + std::to_string(getpid());
  ASSERT_EQ(ssh(0, "setsid nohup " + sleeper + " >/dev/null 2>&1 </dev/null &").status, 0);
  auto session = ssh_started(0, "exec " + sleeper);
  ASSERT_TRUE(eventually([&] { return processes_with(dir_ + "/workers/") == 1; }));
  ASSERT_TRUE(eventually([&] { return processes_with(sleeper) >= 3; })) << "two sleepers, and the ssh that asked for one";
  emulator.kill(SIGKILL);
  EXPECT_EQ(session.wait(), 255);
  EXPECT_TRUE(eventually([&] { return processes_with(sleeper) == 0 && processes_with(dir_ + "/workers/") == 0; }));
}

}  // namespace
}  // namespace tpuctl::emulator

int main(int argc, char** argv) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  if (words.size() == 4 && words[0] == "emulator" && words[1] == "worker") return tpuctl::emulator::worker_main(words[3]);
  if (words.size() == 5 && words[0] == "pool") return tpuctl::emulator::hold_pool({words.begin() + 1, words.end()});
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
