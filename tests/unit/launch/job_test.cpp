// SPDX-License-Identifier: Apache-2.0
// Rounds with real supervisors. In the place of ssh stands a script that runs the command here, each address with a state
// folder of its own; addresses that begin with "down" refuse the connection, those with "stale" are not fit for a job. Both take
// longer to say so than the others take to be ready.
#include "launch/job.hpp"

#include "tests/support/errors.hpp"
#include "tests/unit/launch/crew.hpp"
#include "tests/unit/launch/supervised.hpp"

namespace tpuctl::test {
namespace {

using namespace launch;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

class Job : public Supervised {
 protected:
  Job() {
    const std::string here = folder.path;
    ssh = folder.put_script("ssh", "to=\nfor last; do case $last in *@*) [ -n \"$to\" ] || to=${last#*@} ;; esac; done\necho \"$*\" >>" + here + "/argv\n" +
                                       "case $to in\n" + "  down*) sleep 0.3; echo \"ssh: connect to host $to port 22: Connection refused\" >&2; exit 255 ;;\n" +
                                       "  stale*) sleep 0.5; export MEGASCALE_NUM_SLICES=2 ;;\nesac\n" + "export PATH=" + here + "/bin:/usr/bin:/bin HOME=" + here + "/home-$to TPUCTL_STATE_DIR=" + here +
                                       "/state-$to TPUCTL_ACCEL_DEVICE=" + here + "/device-$to\nmkdir -p \"$HOME\"; cd; touch \"$TPUCTL_ACCEL_DEVICE\"\nexec /bin/sh -c \"$last\"");
  }
  Crew crew(const std::vector<std::string>& addresses) const { return crew_of(ssh, addresses); }
  bool all(const Crew& with, const std::string& job, const std::function<bool(const WorkerReport&)>& holds) const {
    return eventually([&] {
      const auto reports = ask_status(with, job);
      return std::all_of(reports.begin(), reports.end(), holds);
    });
  }
  bool any_state(const std::vector<std::string>& addresses) const {
    return std::any_of(addresses.begin(), addresses.end(), [this](const std::string& address) { return file::exists(folder / ("state-" + address + "/jobs/j/status")); });
  }
  std::string ssh;
};

const auto kEnded = [](const WorkerReport& report) { return report.ended && !report.supervisor_alive; };

TEST_F(Job, StartsOnEveryWorker) {
  const Crew three = crew({"w0", "w1", "w2"});
  start_job(three, {"j", "echo \"on $HOME with $A\"; exit 4", "", env_line("A", "it's")}, 1);
  ASSERT_TRUE(all(three, "j", kEnded));
  const auto reports = ask_status(three, "j");
  ASSERT_EQ(reports.size(), 3u);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(reports[i].worker.label(), "n/" + std::to_string(i));
    EXPECT_EQ(reports[i].attempts[0].code, 4);
    const std::string name = "w" + std::to_string(i);
    EXPECT_EQ(file::read(folder / ("state-" + name + "/jobs/j/log")), "on " + (folder / ("home-" + name)) + " with it's\n");
  }
  EXPECT_THAT(file::read(folder / "argv"), Not(HasSubstr("it's"))) << "nothing of the environment is in a command line";
}

TEST_F(Job, OneRefusalKeepsAllAtHome) {
  const std::vector<std::string> addresses = {"w0", "stale1", "w2"};
  const Error error = error_of([&] { start_job(crew(addresses), {"j", "true", "", ""}, 1); });
  EXPECT_EQ(error.kind, Kind::failure);
  EXPECT_THAT(error.what(), AllOf(HasSubstr("not started on any worker"), HasSubstr("n/1: MEGASCALE_NUM_SLICES is set"), Not(HasSubstr("n/0")), Not(HasSubstr("n/2"))));
  EXPECT_FALSE(any_state(addresses));
}

TEST_F(Job, EveryRefusalIsNamed) {
  const Crew two = crew({"w0", "w1"});
  start_job(two, {"j", "touch $HOME/up; exec sleep 1000", "", ""}, 1);
  ASSERT_TRUE(all(two, "j", [](const WorkerReport& report) { return report.running(); }));
  const Error error = error_of([&] { start_job(two, {"j", "true", "", ""}, 2); });
  EXPECT_THAT(error.what(), HasSubstr("running already"));
  stop_job(two, "j", std::chrono::seconds(20), std::string(kRequested), {});
  EXPECT_TRUE(all(two, "j", kEnded));
}

TEST_F(Job, AnUnreachableWorkerKeepsAllAtHome) {
  const std::vector<std::string> addresses = {"w0", "down1"};
  const Error error = error_of([&] { start_job(crew(addresses), {"j", "true", "", ""}, 1); });
  EXPECT_EQ(error.kind, Kind::no_connection);
  EXPECT_THAT(error.what(), AllOf(HasSubstr("n/1: could not connect"), HasSubstr("Connection refused")));
  EXPECT_FALSE(any_state(addresses));
}

TEST_F(Job, AnotherAttemptKeepsCommandAndEnvironment) {
  const Crew two = crew({"w0", "w1"});
  start_job(two, {"j", "echo \"$A $TPUCTL_ATTEMPT\"", "", env_line("A", "kept")}, 1);
  ASSERT_TRUE(all(two, "j", kEnded));
  start_job(two, {"j", "", "", ""}, 2);
  ASSERT_TRUE(all(two, "j", [](const WorkerReport& report) { return report.attempt == 2 && report.ended; }));
  EXPECT_EQ(file::read(folder / "state-w1/jobs/j/log"), "kept 1\nkept 2\n");
}

TEST_F(Job, StatusTellsOfThoseNotReached) {
  const auto reports = ask_status(crew({"w0", "down1"}), "j");
  EXPECT_TRUE(reports[0].reached);
  EXPECT_FALSE(reports[0].known);
  EXPECT_FALSE(reports[1].reached);
  EXPECT_THAT(reports[1].trouble, AllOf(HasSubstr("could not connect"), HasSubstr("Connection refused")));
}

TEST_F(Job, ProgressIsAskedOfAll) {
  const Crew two = crew({"w0", "w1"});
  start_job(two, {"j", "echo 'step 3'; echo 'resumed at step 2'; mkdir -p ck/7 ck/8.tmp", "", ""}, 1);
  ASSERT_TRUE(all(two, "j", kEnded));
  const auto progress = ask_progress(two, "j", *find_framework("generic"), folder / "home-w1/ck");
  ASSERT_EQ(progress.size(), 2u);
  for (const Progress& one : progress) {
    ASSERT_FALSE(one.steps.empty());
    EXPECT_EQ(one.steps[0].step, 3);
    ASSERT_EQ(one.resumes.size(), 1u);
    EXPECT_EQ(one.resumes[0].step, 2);
    ASSERT_EQ(one.checkpoints.size(), 1u);
    EXPECT_EQ(one.checkpoints[0].step, 7);
  }
}

TEST_F(Job, StopTellsWhoWasKilledAndWhoWasNotReached) {
  const Crew two = crew({"w0", "w1"});
  start_job(two, {"j", "case $HOME in *w1) trap '' TERM ;; esac; touch $HOME/up; while :; do sleep 0.05; done", "", ""}, 1);
  ASSERT_TRUE(eventually([&] { return file::exists(folder / "home-w0/up") && file::exists(folder / "home-w1/up"); }));
  std::vector<std::string> said;
  stop_job(two, "j", std::chrono::seconds(4), std::string(kRequested), [&said](const std::string& line) { said.push_back(line); });
  EXPECT_THAT(said, ElementsAre(HasSubstr("[n/1] did not end within the grace period")));
  ASSERT_TRUE(all(two, "j", kEnded));
  EXPECT_GT(ask_status(two, "j")[0].stopped_at, 0);
  EXPECT_THAT(error_of([&] { stop_job(crew({"w0", "down1"}), "j", std::chrono::seconds(1), std::string(kRequested), {}); }).what(), AllOf(HasSubstr("n/1: could not connect"), Not(HasSubstr("n/0"))));
}

TEST_F(Job, Names) {
  for (const char* fine : {"a", "my-run", "a1", "run-2026-01"}) EXPECT_EQ(complaint_of([&] { check_job_name(fine); }), "") << fine;
  for (const std::string wrong : {"", "A", "1a", "-a", "a-", "a_b", "a.b", "a/b", "../x", "a b", "é"}) {
    EXPECT_EQ(error_of([&] { check_job_name(wrong); }).kind, Kind::usage) << wrong;
  }
  EXPECT_EQ(complaint_of([] { check_job_name(std::string(63, 'a')); }), "");
  EXPECT_EQ(error_of([] { check_job_name(std::string(64, 'a')); }).kind, Kind::usage);
}

TEST_F(Job, EnvironmentLinesAreForAShell) {
  EXPECT_EQ(env_line("A", "b"), "A=b\n");
  EXPECT_EQ(env_line("_A1", ""), "_A1=''\n");
  for (const char* wrong : {"", "1A", "A-B", "A B", "A=B", "A\nB", "$A", "é"}) EXPECT_EQ(error_of([&] { env_line(wrong, "x"); }).kind, Kind::usage) << wrong;
  for (const std::string value : {"a b", "it's", "$(touch x)", "`id`", "a\nb", "\\", "\"", "#", "한글", "  "}) {
    process::Spec spec;
    spec.argv = {"/bin/sh", "-c", env_line("V", value) + "printf '%s' \"$V\""};
    EXPECT_EQ(process::run(spec).out, value);
  }
}

}  // namespace
}  // namespace tpuctl::test
