// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/launch/supervised.hpp"

#include "launch/checkpoints.hpp"

namespace tpuctl::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::MatchesRegex;
using ::testing::Not;
using ::testing::StartsWith;

const std::string kUntil = "while [ ! -e \"$HOME/go\" ]; do sleep 0.02; done";

class Supervisor : public Supervised {};

TEST_F(Supervisor, StartsWhenToldTo) {
  EXPECT_EQ(start("j", files("echo hello; exit 3")), "tpuctl: ready\ntpuctl: started\n");
  ASSERT_TRUE(ended("j"));
  const auto report = status("j");
  EXPECT_TRUE(report.reached);
  EXPECT_TRUE(report.known);
  EXPECT_EQ(report.attempt, 1);
  ASSERT_EQ(report.attempts.size(), 1u);
  EXPECT_EQ(report.attempts[0].number, 1);
  EXPECT_EQ(report.attempts[0].code, 3);
  EXPECT_EQ(report.attempts[0].log_begin, 0);
  EXPECT_EQ(report.attempts[0].log_end, 6);
  EXPECT_LE(report.attempts[0].begin, report.attempts[0].end);
  EXPECT_EQ(report.log_bytes, 6);
  EXPECT_EQ(text_of("j", "log"), "hello\n");
}

TEST_F(Supervisor, StartsNothingWhenAbandoned) {
  for (const char* answer : {"", "no\n", "gone\n"}) {
    EXPECT_EQ(verb({"start", "j"}, files("touch $HOME/started") + answer).out, "tpuctl: ready\n");
    EXPECT_EQ(text_of("j", "command"), "(none)") << "what was sent is thrown away";
    EXPECT_FALSE(status("j").known);
  }
  EXPECT_FALSE(file::exists(folder / "home/started"));
  EXPECT_TRUE(std::filesystem::is_empty(folder / "state/jobs/j"));
}

TEST_F(Supervisor, FilesThatDidNotArriveWholeAreRefused) {
  const std::string whole = files("true");
  EXPECT_THAT(verb({"start", "j"}, whole.substr(0, whole.size() - 5)).out, HasSubstr("refused the job's files did not arrive whole"));
  EXPECT_THAT(verb({"start", "j"}, "").out, HasSubstr("refused"));
  EXPECT_EQ(text_of("j", "command"), "(none)");
}

TEST_F(Supervisor, AStateFolderThatCannotBeMadeIsRefused) {
  env.set("TPUCTL_STATE_DIR", folder.put("plain", "x") + "/below");
  EXPECT_THAT(verb({"start", "j"}, files("true") + "go\n").out, HasSubstr("refused cannot make the folder"));
}

TEST_F(Supervisor, AnotherAttemptNeedsAJob) {
  const std::string again = block("number", "644", "2\n") + "end\n";
  EXPECT_THAT(start("j", again), HasSubstr("refused there is no job of this name"));
}

TEST_F(Supervisor, OnlyOneAtATime) {
  start("j", files(kUntil));
  EXPECT_TRUE(eventually([&] { return status("j").running(); }));
  EXPECT_THAT(start("j", files("echo second")), AllOf(HasSubstr("refused a job of this name is running already"), Not(HasSubstr("tpuctl: ready"))));
  folder.put("home/go", "");
  ASSERT_TRUE(ended("j"));
  EXPECT_EQ(text_of("j", "command"), kUntil + "\n") << "the command of the one that runs is left alone";
}

TEST_F(Supervisor, ADeviceThatIsHeldIsRefusedWithItsHolder) {
  process::Spec spec;
  spec.argv = {"/bin/sh", "-c", "exec 9<" + (folder / "device") + "; exec sleep 1000"};
  spec.own_group = true;
  const process::Child holder(spec);
  EXPECT_TRUE(eventually([&] { return verb({"status", "j"}).out.find("state none") != std::string::npos && file::read_if_exists("/proc/" + std::to_string(holder.pid()) + "/cmdline").value_or("").starts_with("sleep"); }));
  EXPECT_THAT(start("j", files("true")), AllOf(HasSubstr("refused the TPU is in use by pid " + std::to_string(holder.pid())), HasSubstr("sleep 1000")));
  EXPECT_FALSE(status("j").known);
}

TEST_F(Supervisor, WhatHoldsTheTpuIsEndedWhenThatIsAskedFor) {
  for (const char* program : {"sleep 1000", "trap '' TERM; while :; do sleep 1; done"}) {
    process::Spec spec;
    spec.argv = {"/bin/sh", "-c", "exec 3<" + env.get("TPUCTL_ACCEL_DEVICE").value() + "; : >" + (folder / "holds") + "; " + program};
    spec.own_group = true;
    process::Child holder(spec);
    ASSERT_TRUE(eventually([&] { return file::exists(folder / "holds"); }));
    const std::string sent = block("options", "644", "clear-device 1\n") + files("true");
    EXPECT_THAT(start("j", sent), AllOf(HasSubstr("note ended what held the TPU: pid " + std::to_string(holder.pid())), HasSubstr("tpuctl: started"))) << program;
    EXPECT_NE(holder.wait(), 0);
    ASSERT_TRUE(ended("j"));
    file::remove(folder / "holds");
  }
}

TEST_F(Supervisor, AnotherJobThatRunsIsRefusedByName) {
  start("first", files(kUntil));
  ASSERT_TRUE(eventually([&] { return status("first").running(); }));
  EXPECT_EQ(start("j", files("true")), "tpuctl: refused job [first] is running on this worker\n");
  folder.put("home/go", "");
  ASSERT_TRUE(ended("first"));
  EXPECT_THAT(start("j", files("true")), HasSubstr("tpuctl: started"));
}

TEST_F(Supervisor, AStaleLockFileIsRemovedUnlessTheDeviceIsHeld) {
  env.set("TMPDIR", folder / "tmp");
  const std::string lock = folder.put("tmp/libtpu_lockfile", "");
  process::Spec spec;
  spec.argv = {"/bin/sh", "-c", "exec 9<" + (folder / "device") + "; exec sleep 1000"};
  spec.own_group = true;
  {
    const process::Child holder(spec);
    ASSERT_TRUE(eventually([&] { return start("j", files("true")).find("refused the TPU is in use") != std::string::npos; }));
    EXPECT_TRUE(file::exists(lock));
  }
  EXPECT_THAT(start("j", files("true")), HasSubstr("tpuctl: note removed the stale " + lock));
  EXPECT_FALSE(file::exists(lock));
}

TEST_F(Supervisor, StaleMultisliceVariablesAreRefused) {
  env.set("MEGASCALE_NUM_SLICES", "2");
  EXPECT_THAT(start("j", files("true")), HasSubstr("refused MEGASCALE_NUM_SLICES is set"));
}

// ---- what the job sees -------------------------------------------------------------------------------------------------

TEST_F(Supervisor, TheJobHasItsEnvironmentFolderAndSession) {
  file::make_dirs(folder / "home/code");
  start("j", files("echo \"$A|$SECRET|$TPUCTL_JOB|$TPUCTL_ATTEMPT|$(pwd)\"; cat; ps -o sid= -p $$ | tr -d ' ' >sid; echo $$ >pid; echo err >&2", 4, "A='b c'\nSECRET='it'\\''s'\n", "code"));
  ASSERT_TRUE(ended("j"));
  EXPECT_EQ(text_of("j", "log"), "b c|it's|j|4|" + (folder / "home/code") + "\nerr\n");
  EXPECT_EQ(file::read(folder / "home/code/sid"), file::read(folder / "home/code/pid")) << "a session of its own";
}

TEST_F(Supervisor, WithoutAFolderItRunsAtHome) {
  start("a", files("pwd"));
  ASSERT_TRUE(ended("a"));
  EXPECT_EQ(text_of("a", "log"), (folder / "home") + "\n");
  start("b", files("pwd", 1, "", "/"));
  ASSERT_TRUE(ended("b"));
  EXPECT_EQ(text_of("b", "log"), "/\n") << "an absolute folder is taken as it is";
  start("c", files("echo never", 1, "", "no/such/folder"));
  ASSERT_TRUE(ended("c"));
  EXPECT_EQ(status("c").attempts[0].code, 127);
  EXPECT_THAT(text_of("c", "log"), Not(HasSubstr("never")));
}

TEST_F(Supervisor, SecretsAreForTheOwnerAlone) {
  start("j", files("true", 1, "SECRET='x'\n"));
  ASSERT_TRUE(ended("j"));
  EXPECT_EQ(mode_of(state("j", "env")), 0600u);
  EXPECT_EQ(mode_of(state("j", "log")), 0644u);
  EXPECT_EQ(text_of("j", "env"), "SECRET='x'\n");
}

TEST_F(Supervisor, SecretsLieInAFileOfTheirOwn) {
  launch::JobSpec spec{.name = "j", .command = "echo \"$A ${#TOKEN}\"", .env = "A='a'\n", .secrets = "TOKEN='t0p'\n", .options = {{"marker", "bye"}}, .record = "{\"name\": \"j\"}"};
  start("j", launch::job_files(spec, 1));
  ASSERT_TRUE(ended("j"));
  EXPECT_EQ(text_of("j", "log"), "a 3\n");
  EXPECT_EQ(mode_of(state("j", "secrets")), 0600u);
  EXPECT_EQ(status("j").record, "{\"name\": \"j\"}");
  EXPECT_THAT(launch::job_files(spec, 1, false), Not(HasSubstr("t0p")));
  start("j", files("true"));
  ASSERT_TRUE(ended("j"));
  EXPECT_FALSE(file::exists(state("j", "secrets"))) << "a new job of this name does not get them";
}

TEST_F(Supervisor, ACommandIsShellText) {
  start("j", files("for i in 1 2; do echo \"n $i\"; done | tac\nfalse || echo 'quotes \"stay\"'"));
  ASSERT_TRUE(ended("j"));
  EXPECT_EQ(text_of("j", "log"), "n 2\nn 1\nquotes \"stay\"\n");
}

TEST_F(Supervisor, GoesOnWithoutTheClient) {
  start("j", files(kUntil + "; echo over"));
  EXPECT_TRUE(eventually([&] { return status("j").running(); })) << "the round that started it is over";
  folder.put("home/go", "");
  ASSERT_TRUE(ended("j"));
  EXPECT_EQ(text_of("j", "log"), "over\n");
}

// ---- attempts -----------------------------------------------------------------------------------------------------------

TEST_F(Supervisor, AnotherAttemptGoesOnInTheSameLog) {
  start("j", files("echo attempt $TPUCTL_ATTEMPT; exit $((TPUCTL_ATTEMPT - 1))"));
  ASSERT_TRUE(ended("j"));
  start("j", block("number", "644", "2\n") + "end\n");
  ASSERT_TRUE(eventually([&] { return status("j").attempt == 2 && status("j").ended; }));
  EXPECT_EQ(text_of("j", "log"), "attempt 1\nattempt 2\n");
  const auto report = status("j");
  ASSERT_EQ(report.attempts.size(), 2u);
  EXPECT_EQ(report.attempts[1].number, 2);
  EXPECT_EQ(report.attempts[1].code, 1);
  EXPECT_EQ(report.attempts[1].log_begin, 10);
  EXPECT_EQ(report.attempts[1].log_end, 20);
}

TEST_F(Supervisor, ANewJobOfTheSameNamePutsTheOldAside) {
  start("j", files("echo old"));
  ASSERT_TRUE(ended("j"));
  start("j", files("echo new"));
  ASSERT_TRUE(eventually([&] { return text_of("j", "log") == "new\n" && status("j").ended; }));
  EXPECT_EQ(text_of("j", "log.before"), "old\n");
  EXPECT_THAT(text_of("j", "attempts.before"), StartsWith("1 "));
  EXPECT_EQ(status("j").attempts.size(), 1u) << "the old attempts are not its own";
}

TEST_F(Supervisor, AnEndWithoutRoomIsWrittenInPlace) {
  start("j", files(kUntil + "; exit 5"));
  // No new file can be made from now on, as on a full disk where others were quicker than the reserve.
  folder.put_script("bin/mv", "case $* in *status*) exit 1 ;; esac\nexec /bin/mv \"$@\"");
  file::remove(state("j", "attempts"));
  std::filesystem::create_directory(state("j", "attempts"));
  folder.put("home/go", "");
  ASSERT_TRUE(ended("j"));
  EXPECT_THAT(text_of("j", "status"), StartsWith("ended 1 "));
  ASSERT_NE(status("j").finished(1), nullptr);
  EXPECT_EQ(status("j").finished(1)->code, 5);
}

TEST_F(Supervisor, ALogThatTellsOfAFullDiskIsBelieved) {
  start("j", files("echo 'write: No space left on device' >&2; exit 5"));
  ASSERT_TRUE(ended("j"));
  EXPECT_EQ(status("j").no_room, "-");
  start("k", files("echo 'write: No space left on device' >&2; exit 0"));
  ASSERT_TRUE(ended("k"));
  EXPECT_EQ(status("k").no_room, "");
}

TEST_F(Supervisor, AKilledSupervisorIsSeen) {
  start("j", files(kUntil));
  ASSERT_TRUE(eventually([&] { return status("j").running(); }));
  const auto pid = text::parse_int(text::split(text_of("j", "pid"), ' ')[0]);
  ::kill(static_cast<pid_t>(*pid), SIGKILL);
  EXPECT_TRUE(eventually([&] { return status("j").cut_off(); }));
  folder.put("home/go", "");
}

TEST_F(Supervisor, APidUsedByAnotherIsNotTakenForIt) {
  start("j", files("true"));
  ASSERT_TRUE(ended("j"));
  for (const std::string& pid : {std::to_string(getpid()) + " 1", std::to_string(getpid()), std::string(), std::string("999999999 1"), std::string("999999999"), std::string("0"), std::string("rubbish")}) {
    folder.put("state/jobs/j/pid", pid + "\n");
    EXPECT_FALSE(status("j").supervisor_alive) << "[" << pid << "]";
  }
  folder.put("state/jobs/j/pid", "");
  EXPECT_FALSE(status("j").supervisor_alive) << "an empty file";
}

// ---- notices -------------------------------------------------------------------------------------------------------------

TEST_F(Supervisor, NoticesAreNotedOnceWithTheLength) {
  metadata("maintenance-event", "NONE");
  metadata("preempted", "FALSE");
  start("j", files("echo before; " + kUntil));
  ASSERT_TRUE(eventually([&] { return text_of("j", "log") == "before\n"; }));
  metadata("maintenance-event", "TERMINATE_ON_HOST_MAINTENANCE");
  ASSERT_TRUE(eventually([&] { return status("j").notices.size() == 1; }));
  metadata("preempted", "TRUE");
  ASSERT_TRUE(eventually([&] { return status("j").notices.size() == 2; }));
  metadata("maintenance-event", "NONE");
  metadata("preempted", "FALSE");
  folder.put("home/go", "");
  ASSERT_TRUE(ended("j"));
  const auto report = status("j");
  ASSERT_EQ(report.notices.size(), 2u) << "the way back is no notice";
  EXPECT_EQ(report.notices[0].source, "maintenance-event");
  EXPECT_EQ(report.notices[0].value, "TERMINATE_ON_HOST_MAINTENANCE");
  EXPECT_EQ(report.notices[0].attempt, 1);
  EXPECT_EQ(report.notices[0].log_bytes, 7);
  EXPECT_EQ(report.notices[1].source, "preempted");
  EXPECT_GE(report.notices[1].time, report.notices[0].time);
}

TEST_F(Supervisor, TheFrameworksOwnWordsAreEvidence) {
  launch::JobSpec spec{.name = "j", .command = "echo \"I0101 SIGTERM caught at 5 ago\"; exit 1", .options = {{"marker", "SIGTERM caught at|sync point"}}};
  start("j", launch::job_files(spec, 1));
  ASSERT_TRUE(ended("j"));
  const auto report = status("j");
  ASSERT_EQ(report.notices.size(), 1u);
  EXPECT_EQ(report.notices[0].source, "log");
  EXPECT_EQ(report.notices[0].value, "SIGTERM caught at");
  spec.command = "echo fine";
  spec.options = {{"marker", "SIGTERM caught at|sync point"}};
  start("j", launch::job_files(spec, 1));
  ASSERT_TRUE(ended("j"));
  EXPECT_TRUE(status("j").notices.empty());
}

TEST_F(Supervisor, AFrameworkThatWasStoppedTellsOfNoNotice) {
  launch::JobSpec spec{.name = "j", .command = "trap 'echo SIGTERM caught at 1; exit 0' TERM; touch $HOME/up; while :; do sleep 0.02; done", .options = {{"marker", "SIGTERM caught at"}}};
  start("j", launch::job_files(spec, 1));
  ASSERT_TRUE(eventually([&] { return file::exists(folder / "home/up"); }));
  verb({"stop", "j", "20", "requested"});
  ASSERT_TRUE(ended("j"));
  EXPECT_TRUE(status("j").notices.empty());
}

TEST_F(Supervisor, NobodyWatchesOnceTheJobHasEnded) {
  metadata("maintenance-event", "NONE");
  start("j", files("true"));
  ASSERT_TRUE(ended("j"));
  ASSERT_TRUE(eventually([&] { return !status("j").supervisor_alive; }));
  metadata("maintenance-event", "TERMINATE_ON_HOST_MAINTENANCE");
  usleep(300'000);
  EXPECT_TRUE(status("j").notices.empty());
}

// ---- stop ---------------------------------------------------------------------------------------------------------------

TEST_F(Supervisor, StopIsATermToTheHoldersOfTheDevice) {
  // The job has a helper without the device, which must not be asked.
  start("j", files("(trap 'touch $HOME/helper' TERM; while [ ! -e $HOME/end ]; do sleep 0.02; done) & exec 9<$TPUCTL_ACCEL_DEVICE; trap 'echo saved; touch $HOME/end; wait; exit 0' TERM; "
                   "touch $HOME/up; while :; do sleep 0.02 9<&-; done"));
  ASSERT_TRUE(eventually([&] { return file::exists(folder / "home/up"); }));
  EXPECT_EQ(verb({"stop", "j", "20", "requested"}).out, "tpuctl: stopped ended\n");
  ASSERT_TRUE(ended("j"));
  EXPECT_THAT(text_of("j", "log"), HasSubstr("saved"));
  EXPECT_FALSE(file::exists(folder / "home/helper")) << "only those who hold the device are asked";
  const auto report = status("j");
  EXPECT_EQ(report.attempts[0].code, 0);
  EXPECT_GT(report.stopped_at, 0);
}

TEST_F(Supervisor, WithoutHoldersTheJobItselfIsAsked) {
  start("j", files("trap 'echo caught; exit 5' TERM; touch $HOME/up; while :; do sleep 0.02; done"));
  ASSERT_TRUE(eventually([&] { return file::exists(folder / "home/up"); }));
  EXPECT_EQ(verb({"stop", "j", "20", "requested"}).out, "tpuctl: stopped ended\n");
  ASSERT_TRUE(ended("j"));
  EXPECT_EQ(status("j").attempts[0].code, 5);
  EXPECT_THAT(text_of("j", "log"), HasSubstr("caught"));
}

TEST_F(Supervisor, AStopWaitsForAllOfAPipeline) {
  folder.put("home/t.sh", "trap 'sleep 0.5; touch $HOME/saved; exit 0' TERM; touch $HOME/up; while :; do sleep 0.05; done");
  start("j", files("sh t.sh | cat"));
  ASSERT_TRUE(eventually([&] { return file::exists(folder / "home/up"); }));
  EXPECT_EQ(verb({"stop", "j", "20", "requested"}).out, "tpuctl: stopped ended\n");
  EXPECT_TRUE(file::exists(folder / "home/saved")) << "the shell of the pipeline is gone at once, the program is still saving";
}

TEST_F(Supervisor, AStopIsForItsOwnProcesses) {
  process::Spec spec;
  spec.argv = {"/bin/sh", "-c", "trap 'touch " + (folder / "signalled") + "' TERM; sleep 0.2; exec 9<" + (folder / "device") + "; touch " + (folder / "holds") + "; while :; do sleep 0.05 9<&-; done"};
  spec.own_group = true;
  start("j", files("touch $HOME/up; exec sleep 1000"));
  ASSERT_TRUE(eventually([&] { return file::exists(folder / "home/up"); }));
  process::Child other(spec);
  ASSERT_TRUE(eventually([&] { return file::exists(folder / "holds"); }));
  EXPECT_EQ(verb({"stop", "j", "20", "requested"}).out, "tpuctl: stopped ended\n");
  EXPECT_FALSE(file::exists(folder / "signalled")) << "it holds the device, but is not of this job";
  EXPECT_TRUE(other.running() && !other.poll_exit());
}

TEST_F(Supervisor, AStopDoesNotTrustADamagedFile) {
  start("j", files("touch $HOME/up; exec sleep 1000"));
  ASSERT_TRUE(eventually([&] { return file::exists(folder / "home/up"); }));
  const std::string child = text_of("j", "child");
  for (const char* rubbish : {"", "0 1", "1 1", "-1 5", "all of them"}) {
    folder.put("state/jobs/j/child", std::string(rubbish) + "\n");
    EXPECT_THAT(verb({"stop", "j", "1", "requested"}).out, HasSubstr("stopped not: ")) << rubbish;
  }
  folder.put("state/jobs/j/child", child);
  EXPECT_EQ(verb({"stop", "j", "20", "requested"}).out, "tpuctl: stopped ended\n");
}

TEST_F(Supervisor, WhatDoesNotEndIsKilledAfterTheGrace) {
  start("j", files("trap '' TERM; touch $HOME/up; while :; do sleep 0.05; done"));
  ASSERT_TRUE(eventually([&] { return file::exists(folder / "home/up"); }));
  EXPECT_EQ(verb({"stop", "j", "1", "clearing"}).out, "tpuctl: stopped killed\n");
  ASSERT_TRUE(ended("j"));
  EXPECT_EQ(status("j").attempts[0].code, 137);
  EXPECT_EQ(status("j").stopped_at, 0) << "nobody asked for it";
}

TEST_F(Supervisor, AStopOfNothingSaysSo) {
  EXPECT_EQ(verb({"stop", "none", "1", "requested"}).out, "tpuctl: stopped unknown\n");
  start("j", files("true"));
  ASSERT_TRUE(eventually([&] { return status("j").ended && !status("j").supervisor_alive; }));
  EXPECT_EQ(verb({"stop", "j", "1", "requested"}).out, "tpuctl: stopped already\n");
  const double first = status("j").stopped_at;
  EXPECT_GT(first, 0) << "whoever would start it again has to know";
  verb({"stop", "j", "1", "requested"});
  EXPECT_EQ(status("j").stopped_at, first);
}

TEST_F(Supervisor, AStopHoldsUntilTheJobIsRunAnew) {
  start("j", files("touch $HOME/up; while :; do sleep 0.02; done"));
  ASSERT_TRUE(eventually([&] { return file::exists(folder / "home/up"); }));
  verb({"stop", "j", "5", "requested"});
  ASSERT_TRUE(eventually([&] { return status("j").ended && !status("j").supervisor_alive; }));
  EXPECT_GT(status("j").stopped_at, 0);
  EXPECT_THAT(start("j", block("number", "644", "2\n") + "end\n"), HasSubstr("refused a stop of the job was asked for"));
  EXPECT_EQ(status("j").attempt, 1);
  start("j", files("exit 0"));
  ASSERT_TRUE(ended("j"));
  EXPECT_EQ(status("j").stopped_at, 0);
}

// ---- questions -----------------------------------------------------------------------------------------------------------

TEST_F(Supervisor, StatusTellsOfHoldersAndTheirSignals) {
  EXPECT_THAT(verb({"status", "j"}).out, MatchesRegex("tpuctl: now [0-9.]+\ntpuctl: state none\n"));
  start("j", files("exec 9<$TPUCTL_ACCEL_DEVICE; trap 'exit 0' TERM; touch $HOME/up; while :; do sleep 0.05 9<&-; done"));
  ASSERT_TRUE(eventually([&] { return file::exists(folder / "home/up"); }));
  auto report = status("j");
  EXPECT_EQ(report.holders, 1);
  EXPECT_TRUE(report.catches_sigterm);
  verb({"stop", "j", "10", "requested"});
  ASSERT_TRUE(ended("j"));
  start("k", files("exec 9<$TPUCTL_ACCEL_DEVICE; touch $HOME/up2; exec sleep 1000"));
  ASSERT_TRUE(eventually([&] { return status("k").holders == 1 && file::read("/proc/" + text::split(text_of("k", "child"), ' ')[0] + "/cmdline").starts_with("sleep"); }));
  EXPECT_FALSE(status("k").catches_sigterm) << "nothing will be saved";
}

TEST_F(Supervisor, TheLogIsReadFromAnyByte) {
  start("j", files("printf 'one\\ntwo\\nthree\\n'"));
  ASSERT_TRUE(ended("j"));
  EXPECT_EQ(verb({"log", "j", "0", "once"}).out, "one\ntwo\nthree\n");
  EXPECT_EQ(verb({"log", "j", "4", "once"}).out, "two\nthree\n");
  EXPECT_EQ(verb({"log", "j", "14", "once"}).out, "");
  EXPECT_EQ(verb({"log", "j", "0", "once", "2"}).out, "two\nthree\n") << "the last lines";
  const auto none = verb({"log", "none", "0", "once"});
  EXPECT_EQ(none.out, "");
  EXPECT_EQ(none.status, 0);
}

TEST_F(Supervisor, WhoFollowsIsFollowedNoLongerThanItLives) {
  start("j", files("echo one; " + kUntil + "; echo two"));
  ASSERT_TRUE(eventually([&] { return text_of("j", "log") == "one\n"; }));
  process::Spec spec;
  spec.argv = {"/bin/sh", "-c", launch::supervisor_text(), "tpuctl", "log", "j", "0", "follow"};
  spec.env = env.pairs();
  spec.in = spec.out = process::Stream::pipe;
  process::Child follower(spec);
  std::string seen;
  ASSERT_TRUE(eventually([&] { return process::Child::drain(follower.out(), seen) && seen == "one\n"; }));
  folder.put("home/go", "");
  ASSERT_TRUE(eventually([&] { return process::Child::drain(follower.out(), seen) && seen == "one\ntwo\n"; }));
  follower.close_in();
  EXPECT_EQ(follower.wait(), 0);
  ASSERT_TRUE(ended("j"));
  EXPECT_TRUE(eventually([&] { return !process::Child::drain(follower.out(), seen); })) << "its tail is gone too";
}

TEST_F(Supervisor, TheLogIsReadFromATime) {
  start("j", files("printf 'old\nnew\n'"));
  ASSERT_TRUE(ended("j"));
  const auto now = std::chrono::duration_cast<std::chrono::seconds>(std::chrono::system_clock::now().time_since_epoch()).count();
  folder.put("state/jobs/j/clock", std::to_string(now - 5000) + " 0\n" + std::to_string(now - 4000) + " 4\n" + std::to_string(now - 2) + " 8\n");
  EXPECT_EQ(verb({"log", "j", "0", "once", "", "3600"}).out, "new\n");
  EXPECT_EQ(verb({"log", "j", "0", "once", "", "9000"}).out, "old\nnew\n");
  EXPECT_EQ(verb({"log", "j", "0", "once", "1", "9000"}).out, "new\n");
  EXPECT_EQ(verb({"log", "j", "0", "once", "", "0"}).out, "");
}

TEST_F(Supervisor, StepsAreFoundByTheirBytes) {
  start("j", files("echo 'step 1'; echo other; echo 'resuming from step 7'; echo 'saved step 9'"));
  ASSERT_TRUE(ended("j"));
  for (const char* name : {"checkpoints/10", "checkpoints/step_0020", "checkpoints/30.tmp", "checkpoints/40.orbax-checkpoint-tmp-1", "checkpoints/notes"}) {
    file::make_dirs(folder / name);
  }
  launch::Progress progress;
  for (const auto& line : text::split(verb({"steps", "j", "step [0-9]+", "resuming.*[0-9]+", "saved.*[0-9]+", folder / "checkpoints"}).out, '\n')) launch::read_progress_line(progress, line);
  ASSERT_EQ(progress.steps.size(), 3u);
  EXPECT_EQ(progress.steps[0].at, 0);
  EXPECT_EQ(progress.steps[1].at, 27) << "the match, not the line";
  ASSERT_EQ(progress.resumes.size(), 1u);
  EXPECT_EQ(progress.resumes[0].at, 13);
  EXPECT_EQ(progress.resumes[0].step, 7);
  ASSERT_EQ(progress.saves.size(), 1u);
  EXPECT_EQ(progress.saves[0].step, 9);
  ASSERT_EQ(progress.checkpoints.size(), 2u) << "what has anything behind its number is not committed";
  EXPECT_EQ(progress.checkpoints[0].step, 10);
  EXPECT_EQ(progress.checkpoints[1].step, 20);
  EXPECT_GT(progress.checkpoints[0].time, 1.6e9);
  EXPECT_EQ(verb({"steps", "none", "step", "resume", "saved", ""}).status, 0);
}

TEST_F(Supervisor, StepsOfALogWithBinaryRubbish) {
  start("j", files("printf 'step 1\\n\\000\\377\\nstep 2\\n'"));
  ASSERT_TRUE(ended("j"));
  launch::Progress progress;
  for (const auto& line : text::split(verb({"steps", "j", "step [0-9]+", "nothing", "nothing", ""}).out, '\n')) launch::read_progress_line(progress, line);
  EXPECT_EQ(progress.steps.size(), 2u);
}

}  // namespace
}  // namespace tpuctl::test
