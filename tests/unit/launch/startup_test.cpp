// SPDX-License-Identifier: Apache-2.0
// A machine that boots with a job's startup script in its metadata.
#include "launch/startup.hpp"

#include "tests/support/errors.hpp"
#include "tests/unit/launch/supervised.hpp"

namespace tpuctl::test {
namespace {

using namespace launch;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

class Startup : public Supervised {
 protected:
  /// What the boot said; the job runs on.
  std::string boot(const JobSpec& spec, const char* shell = "/bin/sh") {
    jobs.push_back(spec.name);
    process::Spec run;
    run.argv = {shell, folder.put("startup-script", startup_script(spec))};
    run.env = env.pairs();
    run.directory = "/";
    const auto result = process::run(run);
    EXPECT_EQ(result.status, 0) << result.err;
    return result.out + result.err;
  }
  /// As a reboot: the supervisor and all it started are gone, with no time to write anything down.
  void pull_the_plug(const std::string& job) {
    std::optional<std::int64_t> pid, child;
    ASSERT_TRUE(eventually([&] {
      pid = text::parse_int(text::split(text_of(job, "pid"), ' ')[0]);
      child = text::parse_int(text::split(text_of(job, "child"), ' ')[0]);
      return pid.value_or(0) > 1 && child.value_or(0) > 1;  // no signal may go anywhere else
    }));
    ::kill(static_cast<pid_t>(-*pid), SIGKILL);
    ::kill(static_cast<pid_t>(-*child), SIGKILL);
    ASSERT_TRUE(eventually([&] { return status(job).cut_off(); }));
  }
  static JobSpec spec(const std::string& command, std::vector<std::pair<std::string, std::string>> options = {}) {
    return {.name = "j", .command = command, .env = "A='it'\\''s'\n", .options = std::move(options)};
  }
  const std::string until = "echo attempt $TPUCTL_ATTEMPT; while [ ! -e \"$HOME/go\" ]; do sleep 0.02; done";
};

TEST_F(Startup, TheFirstBootStartsTheJob) {
  for (const char* shell : {"/bin/sh", "/bin/bash"}) {
    JobSpec first = spec("echo \"$A $TPUCTL_JOB $TPUCTL_ATTEMPT\" \"line\n'two'\"");
    first.name = std::string("j") + (shell[5] == 's' ? "s" : "b");
    EXPECT_EQ(boot(first, shell), "tpuctl: started attempt 1\n");
    ASSERT_TRUE(ended(first.name));
    EXPECT_EQ(text_of(first.name, "log"), "it's " + first.name + " 1 line\n'two'\n");
    EXPECT_TRUE(status(first.name).boots);
  }
}

TEST_F(Startup, AJobThatIsAliveIsNotStartedTwice) {
  boot(spec(until));
  ASSERT_TRUE(eventually([&] { return status("j").running(); }));
  EXPECT_EQ(boot(spec(until)), "tpuctl: not started: running\n");
  folder.put("home/go", "");
  ASSERT_TRUE(ended("j"));
  EXPECT_EQ(text_of("j", "log"), "attempt 1\n");
}

TEST_F(Startup, AfterARebootUnderItTheNextAttemptBegins) {
  boot(spec(until));
  ASSERT_TRUE(eventually([&] { return text_of("j", "log") == "attempt 1\n"; }));
  pull_the_plug("j");
  EXPECT_EQ(boot(spec(until)), "tpuctl: started attempt 2\n");
  ASSERT_TRUE(eventually([&] { return text_of("j", "log") == "attempt 1\nattempt 2\n"; }));
  folder.put("home/go", "");
  ASSERT_TRUE(ended("j"));
  EXPECT_EQ(boot(spec(until)), "tpuctl: not started: finished\n");
}

TEST_F(Startup, AnEndWithANoticeIsNotTheEnd) {
  metadata("maintenance-event", "TERMINATE_ON_HOST_MAINTENANCE");
  boot(spec("exit 0"));
  ASSERT_TRUE(ended("j"));
  metadata("maintenance-event", "NONE");
  EXPECT_EQ(boot(spec("exit 0")), "tpuctl: started attempt 2\n");
  ASSERT_TRUE(eventually([&] { return status("j").attempt == 2 && status("j").ended; }));
  EXPECT_EQ(boot(spec("exit 0")), "tpuctl: not started: finished\n");
}

TEST_F(Startup, WhatItsLogSaysOfANoticeElsewhereCounts) {
  const JobSpec leaves = spec("[ $TPUCTL_ATTEMPT = 2 ] || echo Reached preemption sync point; exit 0", {{"marker", "Reached preemption sync point"}});
  boot(leaves);
  ASSERT_TRUE(ended("j"));
  EXPECT_EQ(boot(leaves), "tpuctl: started attempt 2\n");
  ASSERT_TRUE(eventually([&] { return status("j").attempt == 2 && status("j").ended; }));
  EXPECT_EQ(boot(leaves), "tpuctl: not started: finished\n");
}

TEST_F(Startup, FailuresHaveABudget) {
  for (const auto& [allowed, attempts] : {std::pair(0, 1), std::pair(2, 3)}) {
    JobSpec fails = spec("exit 3", {{"workers", "1"}, {"max-failures", std::to_string(allowed)}});
    fails.name = "j" + std::to_string(allowed);
    for (int i = 1; i <= attempts; ++i) {
      EXPECT_EQ(boot(fails), "tpuctl: started attempt " + std::to_string(i) + "\n");
      ASSERT_TRUE(eventually([&] { return status(fails.name).attempt == i && status(fails.name).ended; }));
    }
    EXPECT_EQ(boot(fails), "tpuctl: not started: failed\n");
  }
}

TEST_F(Startup, OneOfManyThatFailedAndIsRebootedSoonFailedForAnother) {
  const JobSpec fails = spec("exit 3", {{"workers", "8"}});
  boot(fails);
  ASSERT_TRUE(ended("j"));
  EXPECT_EQ(boot(fails), "tpuctl: started attempt 2\n");
  ASSERT_TRUE(eventually([&] { return status("j").attempt == 2 && status("j").ended; }));
  folder.put("state/jobs/j/status", "ended 2 1000.5 2000.5 3\n");
  EXPECT_EQ(boot(fails), "tpuctl: not started: failed\n") << "long ago: by itself";
}

TEST_F(Startup, InterruptionsHaveABudgetToo) {
  const JobSpec often = spec(until, {{"max-preemptions", "1"}});
  boot(often);
  for (int i = 1; i <= 2; ++i) {
    ASSERT_TRUE(eventually([&] { return status("j").running() && status("j").attempt == i; }));
    pull_the_plug("j");
    EXPECT_EQ(boot(often), i == 1 ? "tpuctl: started attempt 2\n" : "tpuctl: not started: interrupted too often\n");
  }
}

TEST_F(Startup, WhatWasStoppedStaysStopped) {
  boot(spec(until));
  ASSERT_TRUE(eventually([&] { return status("j").running(); }));
  verb({"stop", "j", "20", "requested"});
  ASSERT_TRUE(ended("j"));
  EXPECT_EQ(boot(spec(until)), "tpuctl: not started: stopped\n");
}

TEST_F(Startup, AStopBetweenTwoBootsHoldsToo) {
  boot(spec(until));
  ASSERT_TRUE(eventually([&] { return status("j").running(); }));
  pull_the_plug("j");
  EXPECT_EQ(verb({"stop", "j", "20", "requested"}).out, "tpuctl: stopped already\n");
  EXPECT_EQ(boot(spec(until)), "tpuctl: not started: stopped\n");
}

TEST_F(Startup, AScriptThatWasRenewedReplacesWhatWasKept) {
  boot(spec(until));
  ASSERT_TRUE(eventually([&] { return status("j").running(); }));
  pull_the_plug("j");
  boot(spec("echo renewed"));
  ASSERT_TRUE(ended("j"));
  EXPECT_THAT(text_of("j", "log"), HasSubstr("renewed"));
}

/// What the service says of the job's machines, and where it notes a deletion.
class Aftermath : public Startup {
 protected:
  Aftermath() {
    folder.put_script("bin/gcloud", "case \"$*\" in *queued-resources*delete*) echo \"$*\" >>" + (folder / "deleted") + " ;; *) cat " + (folder / "machines") + " ;; esac");
    folder.put("metadata/tpu-env", "NODE_ID: 'n-0'\nZONE: 'z'\n");
    folder.put("metadata/agent-worker-number", "0");
    well();
  }
  void well() const { folder.put("machines", "n-0,READY,HEALTHY,,\nn-1,READY,,,\n"); }
  void trouble() const { folder.put("machines", "n-0,READY,HEALTHY,,\nn-1,READY,UNHEALTHY_MAINTENANCE,,\n"); }
  void announced(const std::string& status, const std::string& start) const { folder.put("machines", "n-0,READY,HEALTHY,,\nn-1,READY,HEALTHY," + status + "," + start + "\n"); }
  bool over(const std::string& job) {
    return eventually([&] { return status(job).ended && !status(job).supervisor_alive; });
  }
  std::string deleted() const { return file::read_if_exists(folder / "deleted").value_or(""); }
};

TEST_F(Aftermath, AnotherMachinesMaintenanceIsWaitedForAndTheNextAttemptBegun) {
  trouble();
  boot(spec("echo attempt $TPUCTL_ATTEMPT", {{"settle-seconds", "0"}, {"aftermath-seconds", "2"}}));
  ASSERT_TRUE(ended("j"));
  usleep(200'000);
  EXPECT_EQ(status("j").attempt, 1) << "the other is still being maintained";
  well();
  ASSERT_TRUE(eventually([&] { return status("j").attempt == 2 && status("j").ended; }));
  EXPECT_EQ(text_of("j", "log"), "attempt 1\nattempt 2\n");
  const auto report = status("j");
  ASSERT_EQ(report.notices.size(), 1u);
  EXPECT_EQ(report.notices[0].source, "node");
  EXPECT_EQ(report.notices[0].value, "n-1,READY,UNHEALTHY_MAINTENANCE");
  ASSERT_TRUE(over("j"));
  EXPECT_EQ(status("j").attempt, 2);
}

TEST_F(Aftermath, AWindowThatIsDaysAwayIsNoTroubleUntilItIsUponThem) {
  announced("PENDING", rfc3339(SystemClock().now() + std::chrono::hours(72)));
  boot(spec("exit 0", {{"delete-on", "success"}, {"queued-resource", "q"}, {"aftermath-seconds", "1"}}));
  ASSERT_TRUE(over("j"));
  EXPECT_THAT(deleted(), HasSubstr("delete q"));
  EXPECT_EQ(status("j").attempt, 1);
  announced("PENDING", rfc3339(SystemClock().now()));
  JobSpec upon = spec("exit 0", {{"settle-seconds", "0"}, {"aftermath-seconds", "2"}});
  upon.name = "upon";
  boot(upon);
  ASSERT_TRUE(ended("upon"));
  usleep(500'000);
  well();
  EXPECT_TRUE(eventually([&] { return status("upon").attempt == 2; }));
}

TEST_F(Aftermath, MaintenanceThatBeganAfterTheEndIsNoReasonForIt) {
  boot(spec("exit 0", {{"settle-seconds", "0"}, {"aftermath-seconds", "6"}}));
  ASSERT_TRUE(ended("j"));
  const std::string later = rfc3339(SystemClock().now() + std::chrono::seconds(60));
  folder.put("machines", "n-0,READY,HEALTHY,,\nn-1,READY,UNHEALTHY_MAINTENANCE,PENDING," + later + "\n");
  usleep(4'000'000);
  well();
  ASSERT_TRUE(over("j"));
  EXPECT_EQ(status("j").attempt, 1);
}

TEST_F(Aftermath, TheMachinesAreDeletedByTheRule) {
  struct Row {
    const char* rule;
    int code;
    bool deletes;
  };
  int number = 0;
  for (const Row& row : {Row{"success", 0, true}, Row{"success", 3, false}, Row{"failure", 3, true}, Row{"failure", 0, false}, Row{"always", 3, true}, Row{"never", 0, false}}) {
    file::remove(folder / "deleted");
    JobSpec one = spec("exit " + std::to_string(row.code), {{"delete-on", row.rule}, {"queued-resource", "q"}, {"aftermath-seconds", "1"}});
    one.name = "j" + std::to_string(++number);
    boot(one);
    ASSERT_TRUE(over(one.name));
    EXPECT_EQ(!deleted().empty(), row.deletes) << row.rule << " " << row.code;
    if (row.deletes) {
      EXPECT_THAT(deleted(), HasSubstr("queued-resources delete q --zone=z --force --quiet --async"));
    }
  }
}

TEST_F(Aftermath, NothingIsDeletedAfterAnInterruptionNorUnseen) {
  const std::vector<std::pair<std::string, std::string>> always = {{"delete-on", "always"}, {"queued-resource", "q"}, {"aftermath-seconds", "1"}};
  metadata("maintenance-event", "TERMINATE_ON_HOST_MAINTENANCE");
  boot(spec("exit 0", always));
  ASSERT_TRUE(over("j"));
  EXPECT_EQ(deleted(), "");
  metadata("maintenance-event", "NONE");
  folder.put_script("bin/gcloud", "echo \"$*\" >>" + (folder / "deleted") + "; exit 1");
  JobSpec blind = spec("exit 0", always);
  blind.name = "blind";
  boot(blind);
  ASSERT_TRUE(over("blind"));
  EXPECT_THAT(deleted(), Not(HasSubstr("delete q"))) << "without the right to look nothing is known of the others";
  folder.put("metadata/agent-worker-number", "1");
  JobSpec second = spec("exit 0", always);
  second.name = "second";
  well();
  boot(second);
  ASSERT_TRUE(over("second"));
  EXPECT_THAT(deleted(), Not(HasSubstr("delete q"))) << "only the first worker deletes";
}

TEST_F(Startup, NoSecretIsInIt) {
  JobSpec secret = spec("echo ${#TOKEN}", {{"secrets", "yes"}});
  secret.secrets = "TOKEN='s3cr3t'\n";
  EXPECT_THAT(startup_script(secret), Not(HasSubstr("s3cr3t")));
  EXPECT_THAT(boot(secret), HasSubstr("not started: the job's secrets are gone with the machine"));
  EXPECT_THAT(status("j").refusal, HasSubstr("secrets are gone"));
  start("j", job_files(secret, 1));
  ASSERT_TRUE(ended("j"));
  EXPECT_EQ(text_of("j", "log"), "6\n");
  folder.put("state/jobs/j/status", "running 1 1000.5\n");
  EXPECT_EQ(boot(secret), "tpuctl: started attempt 2\n") << "the machine that has them boots the job again";
}

TEST_F(Startup, ItFitsIntoTheMetadata) {
  EXPECT_LT(startup_script(spec("true")).size(), 40'000u);
  const Error error = error_of([] { startup_script(spec(std::string(262'000, 'x'))); });
  EXPECT_THAT(error.what(), AllOf(HasSubstr("[j] would have"), HasSubstr("262144")));
}

TEST_F(Startup, ItTellsWhoseItIs) {
  EXPECT_EQ(job_of_script(startup_script(spec("true"))), "j");
  for (const char* other : {"", "#!/bin/sh\necho mine\n", "#!/bin/sh\n# tpuctl"}) EXPECT_EQ(job_of_script(other), "");
}

}  // namespace
}  // namespace tpuctl::test
