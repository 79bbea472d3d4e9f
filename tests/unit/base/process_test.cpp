// SPDX-License-Identifier: Apache-2.0
#include "base/process.hpp"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include "base/environment.hpp"
#include "base/signal.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/temporary_folder.hpp"

namespace tpuctl::test {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

process::Spec shell(const std::string& script) {
  process::Spec spec;
  spec.argv = {"/bin/sh", "-c", script};
  return spec;
}

bool alive(pid_t pid) { return ::kill(pid, 0) == 0 && file::read_if_exists("/proc/" + std::to_string(pid) + "/stat").value_or("").find(") Z") == std::string::npos; }

/// Waits until `what` holds; tests do not depend on how long that takes.
template <class What>
bool eventually(What&& what) {
  for (int i = 0; i < 1500; ++i) {
    if (what()) return true;
    usleep(20'000);
  }
  return what();
}

class Process : public ::testing::Test {
 protected:
  void SetUp() override { signals::install(); }
};

TEST_F(Process, ExitCodesAndSignals) {
  EXPECT_EQ(process::run(shell("exit 0")).status, 0);
  EXPECT_EQ(process::run(shell("exit 7")).status, 7);
  EXPECT_EQ(process::run(shell("kill -TERM $$")).status, 143);
  EXPECT_EQ(process::run(shell("kill -KILL $$")).status, 137);
}

TEST_F(Process, StreamsAreCapturedApart) {
  const auto result = process::run(shell("echo out; echo err >&2; cat"), "fed");
  EXPECT_EQ(result.out, "out\nfed");
  EXPECT_EQ(result.err, "err\n");
  EXPECT_FALSE(result.timed_out);
  EXPECT_EQ(process::run(shell("cat")).out, "") << "without input stdin is empty, not the terminal";
}

TEST_F(Process, MuchGoesThroughBothWays) {
  const std::string much(3'000'000, 'm');
  const auto result = process::run(shell("cat; head -c 2000000 /dev/zero >&2"), much);
  EXPECT_EQ(result.out, much);
  EXPECT_EQ(result.err.size(), 2'000'000u);
}

TEST_F(Process, AProgramThatReadsNothingDoesNotHangUs) {
  const auto result = process::run(shell("exec <&-; echo done"), std::string(1'000'000, 'x'));
  EXPECT_EQ(result.out, "done\n");
  EXPECT_EQ(result.status, 0);
}

TEST_F(Process, TheLimitEndsTheProgramAndWhatItStarted) {
  const TemporaryFolder folder;
  const auto result = process::run(shell("sleep 1000 & echo $! >" + folder.path + "/pid; echo told; wait"), {}, seconds(3));
  EXPECT_TRUE(result.timed_out);
  EXPECT_EQ(result.status, 124);
  EXPECT_EQ(result.out, "told\n");
  const auto pid = static_cast<pid_t>(std::stol(file::read(folder / "pid")));
  EXPECT_TRUE(eventually([&] { return !alive(pid); })) << "a child of the program was left behind";
}

TEST_F(Process, TheLimitHoldsForAProgramThatClosedItsStreams) {
  const auto result = process::run(shell("exec >&- 2>&-; sleep 20"), {}, seconds(0.3));
  EXPECT_TRUE(result.timed_out);
  EXPECT_EQ(result.status, 124);
}

TEST_F(Process, AProgramThatIsNotThereIsNamed) {
  process::Spec spec;
  spec.argv = {"tpuctl-no-such-program", "x"};
  const Error error = error_of([&] { process::run(spec); });
  EXPECT_EQ(error.kind, Kind::failure);
  EXPECT_THAT(error.what(), AllOf(HasSubstr("tpuctl-no-such-program"), HasSubstr("No such file")));
  const TemporaryFolder folder;
  spec.argv = {folder.put("plain", "no program", 0600)};
  EXPECT_THAT(error_of([&] { process::run(spec); }).what(), HasSubstr("Permission denied"));
}

TEST_F(Process, EnvironmentAndFolderAreThoseAskedFor) {
  const TemporaryFolder folder;
  process::Spec spec = shell("echo \"$A|${HOME-unset}|$(pwd -P)\"");
  spec.env = process::Environment{"A=b c"};
  spec.directory = folder.path;
  EXPECT_EQ(process::run(spec).out, "b c|unset|" + folder.path + "\n");
}

TEST_F(Process, DescriptorsStayWithUs) {
  const int fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
  const std::string probe = "if [ -e /proc/self/fd/" + std::to_string(fd) + " ]; then echo there; else echo gone; fi";
  EXPECT_EQ(process::run(shell(probe)).out, "gone\n");
  process::Spec spec = shell(probe);
  spec.pass_fds = {fd};
  EXPECT_EQ(process::run(spec).out, "there\n");
  close(fd);
  process::Spec with_pipes = shell("cat");
  with_pipes.in = with_pipes.out = process::Stream::pipe;
  process::Child child(with_pipes);
  for (const int end : {child.in(), child.out()}) {
    EXPECT_EQ(process::run(shell("[ -e /proc/self/fd/" + std::to_string(end) + " ] && echo inherited || echo gone")).out, "gone\n");
  }
  child.close_in();
  EXPECT_EQ(child.wait(), 0);
}

TEST_F(Process, SignalsAreAsAFreshProgramFindsThem) {
  // This process ignores SIGPIPE and catches SIGTERM; a child must do neither.
  const auto ignored = std::stoull(process::run(shell("sed -n 's/^SigIgn:[[:space:]]*//p' /proc/self/status")).out, nullptr, 16);
  for (const int signal : {SIGPIPE, SIGTERM, SIGINT, SIGHUP}) EXPECT_EQ(ignored & (1ULL << (signal - 1)), 0u) << signal;
  EXPECT_EQ(process::run(shell("kill -PIPE $$; echo survived")).status, 128 + SIGPIPE);
}

TEST_F(Process, OutputGoesToAGivenDescriptor) {
  const TemporaryFolder folder;
  const std::string path = folder / "log";
  const int fd = open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  process::Spec spec = shell("echo one; echo two >&2");
  spec.out_fd = fd;
  spec.err_fd = fd;
  process::Child child(spec);
  EXPECT_EQ(child.wait(), 0);
  EXPECT_EQ(file::read(path), "one\ntwo\n");
  EXPECT_GE(fcntl(fd, F_GETFD), 0) << "it stays open here";
  close(fd);
}

TEST_F(Process, AChildIsFedDrainedAndPolled) {
  process::Spec spec = shell("read line; echo \"got $line\"; read line; exit 3");
  spec.in = spec.out = process::Stream::pipe;
  process::Child child(spec);
  EXPECT_TRUE(child.running());
  EXPECT_FALSE(child.poll_exit());
  EXPECT_EQ(child.feed("hello\n"), 6u);
  std::string out;
  EXPECT_TRUE(eventually([&] {
    process::Child::drain(child.out(), out);
    return out == "got hello\n";
  })) << out;
  child.close_in();
  EXPECT_EQ(child.wait(), 3);
  EXPECT_EQ(child.poll_exit(), 3);
  EXPECT_FALSE(child.running());
  EXPECT_FALSE(process::Child::drain(child.out(), out)) << "the end of the file";
}

TEST_F(Process, FeedingTakesOnlyWhatFitsAndAllOfItWhenNobodyReads) {
  process::Spec spec = shell("read line; exec <&-; echo closed; sleep 1000");
  spec.in = spec.out = process::Stream::pipe;
  spec.own_group = true;
  process::Child child(spec);
  const std::string much(1'000'000, 'x');
  EXPECT_LT(child.feed(much), much.size()) << "a pipe takes less, and feed does not block";
  child.feed("\n");
  std::string out;
  std::size_t taken = 0;
  EXPECT_TRUE(eventually([&] {
    taken = child.feed(taken == 0 ? "x\n" : much);
    return taken == much.size();
  }));
}

TEST_F(Process, AGroupIsEndedWhole) {
  const TemporaryFolder folder;
  process::Spec spec = shell("sh -c 'echo $$ >" + folder.path + "/inner; exec sleep 1000' & wait");
  spec.own_group = true;
  pid_t outer = 0, inner = 0;
  {
    process::Child child(spec);
    outer = child.pid();
    ASSERT_TRUE(eventually([&] { return !file::read_if_exists(folder / "inner").value_or("").empty(); }));
    inner = static_cast<pid_t>(std::stol(file::read(folder / "inner")));
    EXPECT_TRUE(alive(inner));
  }  // destroying it kills the group
  EXPECT_FALSE(alive(outer)) << "it is reaped";
  EXPECT_TRUE(eventually([&] { return !alive(inner); }));
}

TEST_F(Process, KillWithoutAGroupOfItsOwnMeansTheProcess) {
  process::Child child(shell("exec sleep 1000"));
  child.kill(SIGTERM);
  EXPECT_EQ(child.wait(), 143);
  child.kill(SIGTERM);  // nobody there: nothing happens
}

TEST_F(Process, ReleasedChildrenGoOn) {
  process::Spec spec = shell("exec sleep 1000");
  spec.own_session = true;
  pid_t pid = 0;
  {
    process::Child child(spec);
    pid = child.release();
    EXPECT_FALSE(child.running());
  }
  EXPECT_TRUE(alive(pid));
  EXPECT_EQ(getsid(pid), pid) << "a session of its own";
  ::kill(pid, SIGKILL);
  process::Child none;
  EXPECT_FALSE(none.running());
}

TEST_F(Process, MovingHandsTheChildOver) {
  process::Child first(shell("exit 5"));
  const pid_t pid = first.pid();
  process::Child second = std::move(first);
  EXPECT_EQ(second.pid(), pid);
  EXPECT_EQ(first.pid(), -1);
  EXPECT_EQ(second.wait(), 5);
}

TEST_F(Process, ASignalEndsARun) {
  const TemporaryFolder folder;
  const pid_t self = getpid();
  // The child itself tells us to end, so nothing depends on time.
  const std::string script = "sh -c 'echo $$ >" + folder.path + "/inner; exec sleep 1000' & while [ ! -s " + folder.path +
                             "/inner ]; do :; done; kill -INT " + std::to_string(self) + "; wait";
  const Error error = error_of([&] { process::run(shell(script)); });
  signals::clear();
  EXPECT_EQ(error.kind, Kind::interrupted);
  const auto inner = static_cast<pid_t>(std::stol(file::read(folder / "inner")));
  EXPECT_TRUE(eventually([&] { return !alive(inner); }));
}

TEST_F(Process, SignalsAreSeenByWaits) {
  ::raise(SIGTERM);
  EXPECT_EQ(signals::pending(), SIGTERM);
  pollfd fd{signals::wake_fd(), POLLIN, 0};
  EXPECT_EQ(poll(&fd, 1, 0), 1);
  EXPECT_EQ(error_of([] { signals::check(); }).kind, Kind::terminated);
  EXPECT_EQ(error_of([] { SystemClock().sleep(seconds(3600)); }).kind, Kind::terminated) << "it ends at once";
  signals::clear();
  EXPECT_EQ(signals::pending(), 0);
  EXPECT_EQ(poll(&fd, 1, 0), 0);
  signals::check();
}

TEST_F(Process, ProgramsAreFoundOnAPath) {
  const TemporaryFolder folder;
  folder.put_script("a/prog", "exit 0");
  folder.put("b/prog", "not executable");
  folder.put_script("c/prog", "exit 0");
  file::make_dirs(folder / "d/prog");
  EXPECT_EQ(process::find_program("prog", folder / "b" + ":" + (folder / "d") + ":" + (folder / "c") + ":" + (folder / "a")), folder / "c/prog");
  EXPECT_EQ(process::find_program("prog", folder / "b"), "");
  EXPECT_EQ(process::find_program("prog", ""), "");
  EXPECT_EQ(process::find_program(folder / "a/prog", ""), folder / "a/prog") << "a path is taken as it is";
  EXPECT_EQ(process::find_program(folder / "b/prog", "/bin"), "");
}

TEST(Environment, IsAValue) {
  Environment env({{"A", "1"}, {"EMPTY", ""}, {"HOME", "/h"}, {"USER", "u"}});
  EXPECT_EQ(env.get("A"), "1");
  EXPECT_EQ(env.get("EMPTY"), "");
  EXPECT_FALSE(env.get_nonempty("EMPTY"));
  EXPECT_FALSE(env.get("NONE"));
  EXPECT_EQ(env.home(), "/h");
  EXPECT_EQ(env.user(), "u");
  env.set("LOGNAME", "l");
  EXPECT_EQ(env.user(), "l") << "LOGNAME goes first";
  env.unset("A");
  EXPECT_THAT(env.pairs(), ElementsAre("EMPTY=", "HOME=/h", "LOGNAME=l", "USER=u"));
  EXPECT_FALSE(Environment().home().empty());
  setenv("TPUCTL_TEST_VARIABLE", "a=b", 1);
  EXPECT_EQ(Environment::of_process().get("TPUCTL_TEST_VARIABLE"), "a=b");
  unsetenv("TPUCTL_TEST_VARIABLE");
}

}  // namespace
}  // namespace tpuctl::test
