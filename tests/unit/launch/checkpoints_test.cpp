// SPDX-License-Identifier: Apache-2.0
#include "launch/checkpoints.hpp"

#include <gmock/gmock.h>

#include "base/process.hpp"
#include "launch/frameworks.hpp"
#include "tests/support/temporary_folder.hpp"

namespace tpuctl::test {
namespace {

using namespace launch;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

Progress progress_of(const std::vector<std::string>& lines) {
  Progress out;
  for (const auto& line : lines) read_progress_line(out, "tpuctl: " + line);
  return out;
}

TEST(Progress, ReadsWhatASupervisorTells) {
  const auto progress = progress_of({"step 0 step 1", "step 100 completed step: 27", "resume 20 Resuming from step 12", "saved 50 Saved checkpoint 5 of 10", "checkpoint 17 1700000000.125"});
  ASSERT_EQ(progress.steps.size(), 2u);
  EXPECT_EQ(progress.steps[1].at, 100);
  EXPECT_EQ(progress.steps[1].step, 27);
  EXPECT_EQ(progress.resumes[0].step, 12);
  EXPECT_EQ(progress.saves[0].step, 10) << "the last number";
  EXPECT_EQ(progress.checkpoints[0].step, 17);
  EXPECT_DOUBLE_EQ(progress.checkpoints[0].time, 1700000000.125);
}

TEST(Progress, StrangeLinesDoNothing) {
  Progress progress;
  for (const char* line : {"", "step 0 step 1", "tpuctl: step", "tpuctl: step 5", "tpuctl: step 5 no number", "tpuctl: other 1 2", "tpuctl: checkpoint"}) read_progress_line(progress, line);
  EXPECT_TRUE(progress.steps.empty() && progress.resumes.empty() && progress.saves.empty() && progress.checkpoints.empty());
}

// ---- what an interruption cost -----------------------------------------------------------------------------------------

/// A worker with two attempts: log bytes 0..1000 and 1000..now.
WorkerReport worker(double notice_time = 150, const std::string& source = "maintenance-event") {
  WorkerReport out;
  out.reached = out.known = true;
  out.attempt = 2;
  out.attempts = {{1, 100, 200, 143, 0, 1000}};
  if (notice_time > 0) out.notices = {{notice_time, 1, 800, source, "TERMINATE"}};
  out.log_bytes = 5000;
  return out;
}

TEST(Interruptions, TellStepsAndTimes) {
  const auto progress = progress_of({"step 100 step 10", "step 700 step 16", "step 900 step 18", "resume 1100 resuming at step 18", "step 1200 step 19", "checkpoint 10 120", "checkpoint 15 149",
                                     "checkpoint 18 160"});
  const auto all = interruptions({worker()}, {progress});
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].attempt, 1);
  EXPECT_EQ(all[0].source, "maintenance-event");
  EXPECT_EQ(all[0].last_regular, 15);
  EXPECT_EQ(all[0].step_at_notice, 16);
  EXPECT_EQ(all[0].last_step, 18);
  EXPECT_EQ(all[0].resumed_at, 18);
  EXPECT_EQ(all[0].lost, 0);
  EXPECT_DOUBLE_EQ(*all[0].seconds_to_exit, 50);
}

TEST(Interruptions, ACheckpointAfterTheNoticeIsToldApart) {
  auto all = interruptions({worker()}, {progress_of({"checkpoint 10 120", "checkpoint 18 160"})});
  EXPECT_EQ(all[0].last_regular, 10);
  EXPECT_EQ(all[0].saved_at, 18);
  auto again = worker();
  again.attempt_begin = 300;
  all = interruptions({again}, {progress_of({"checkpoint 10 120", "checkpoint 20 301"})});
  EXPECT_FALSE(all[0].saved_at) << "that one is of the next attempt";
  all = interruptions({worker()}, {progress_of({"saved 700 saved checkpoint at step 10", "saved 900 saved checkpoint at step 18", "saved 1200 saved checkpoint at step 20"})});
  EXPECT_EQ(all[0].saved_at, 18) << "the log says so too";
}

TEST(Interruptions, ALogThatTellsEachStepTellsWhereItWentOn) {
  auto all = interruptions({worker()}, {progress_of({"step 800 step 17", "step 900 step 18", "step 1100 step 16", "step 1200 step 17"})});
  EXPECT_TRUE(all[0].every_step);
  EXPECT_EQ(all[0].resumed_at, 15);
  EXPECT_EQ(all[0].lost, 3);
  all = interruptions({worker()}, {progress_of({"step 800 step 10", "step 900 step 20", "step 1100 step 30", "step 1200 step 40"})});
  EXPECT_FALSE(all[0].every_step);
  EXPECT_FALSE(all[0].resumed_at) << "somewhere between 20 and 30";
  EXPECT_FALSE(all[0].lost);
}

TEST(Interruptions, LostStepsAreCounted) {
  const auto all = interruptions({worker()}, {progress_of({"step 900 step 18", "resume 1100 resuming at step 5"})});
  EXPECT_EQ(all[0].lost, 13);
}

TEST(Interruptions, WhatIsNotKnownIsAbsentNotZero) {
  auto all = interruptions({worker()}, {Progress{}});
  ASSERT_EQ(all.size(), 1u);
  EXPECT_FALSE(all[0].last_regular);
  EXPECT_FALSE(all[0].step_at_notice);
  EXPECT_FALSE(all[0].last_step);
  EXPECT_FALSE(all[0].resumed_at);
  EXPECT_FALSE(all[0].lost);
  all = interruptions({worker()}, {progress_of({"step 900 step 18"})});
  EXPECT_EQ(all[0].last_step, 18);
  EXPECT_FALSE(all[0].lost) << "nobody told where it went on";
}

TEST(Interruptions, StepsOfTheNextAttemptDoNotCount) {
  const auto all = interruptions({worker()}, {progress_of({"step 900 step 18", "step 1000 step 99", "resume 999 at step 1", "resume 1000 at step 17"})});
  EXPECT_EQ(all[0].last_step, 18);
  EXPECT_EQ(all[0].resumed_at, 17);
}

TEST(Interruptions, AResumeOrASaveIsNoStep) {
  // The same line matches both expressions.
  const auto all = interruptions({worker()}, {progress_of({"step 500 step 7", "step 905 step 40", "saved 900 Saved checkpoint at step 40"})});
  EXPECT_EQ(all[0].last_step, 7);
}

TEST(Interruptions, TheSlowestWorkerDecidesTheStep) {
  const auto all = interruptions({worker(), worker(0)}, {progress_of({"step 900 step 18", "resume 1100 step 16"}), progress_of({"step 900 step 17"})});
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].last_step, 17) << "what every worker had done";
  EXPECT_EQ(all[0].lost, 1);
}

TEST(Interruptions, TheFirstNoticeOfAnyWorkerCounts) {
  const auto all = interruptions({worker(160), worker(140, "preempted")}, {Progress{}, progress_of({"step 790 step 3", "step 810 step 4"})});
  EXPECT_EQ(all[0].source, "preempted");
  EXPECT_EQ(all[0].step_at_notice, 3);
  EXPECT_DOUBLE_EQ(*all[0].seconds_to_exit, 60);
}

TEST(Interruptions, TheLastWorkerDecidesTheTime) {
  auto slow = worker(0);
  slow.attempts[0].end = 290;
  auto early = worker(0);
  early.attempts[0].end = 120;  // before the notice: no answer to it
  const auto all = interruptions({worker(), slow, early}, {Progress{}, Progress{}, Progress{}});
  EXPECT_DOUBLE_EQ(*all[0].seconds_to_exit, 140);
}

TEST(Interruptions, AnAttemptThatWasCutOffEndsWhereTheNextBegins) {
  WorkerReport report;
  report.reached = report.known = true;
  report.attempt = 3;
  report.attempts = {{1, 100, 200, 0, 0, 1000}, {3, 400, 500, 0, 2000, 3000}};  // the second was not written down
  report.log_bytes = 3000;
  const auto all = interruptions({report}, {progress_of({"step 1500 step 30", "step 2500 step 31", "resume 2100 step 29"})});
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[1].attempt, 2);
  EXPECT_EQ(all[1].last_step, 30);
  EXPECT_EQ(all[1].resumed_at, 29);
  EXPECT_EQ(all[1].lost, 1);
  EXPECT_EQ(all[1].source, "") << "without a notice, but another attempt came";
}

TEST(Interruptions, AFinishedJobHasNone) {
  WorkerReport report;
  report.attempt = 1;
  report.attempts = {{1, 100, 200, 0, 0, 1000}};
  EXPECT_THAT(interruptions({report}, {Progress{}}), IsEmpty());
  EXPECT_THAT(interruptions({}, {}), IsEmpty());
  report.notices = {{150, 1, 10, "maintenance-event", "x"}};
  EXPECT_EQ(interruptions({report}, {Progress{}}).size(), 1u) << "announced, though no attempt followed yet";
}

// ---- frameworks --------------------------------------------------------------------------------------------------------

struct LintCase {
  const char* framework;
  const char* command;
  std::vector<std::string> missing;
};

TEST(Frameworks, LintNamesWhatIsMissing) {
  const LintCase cases[] = {
      {"generic", "python3 train.py", {}},
      {"orbax", "python3 train.py", {}},
      {"maxtext", "python3 -m MaxText.train base.yml enable_checkpointing=true enable_autocheckpoint=true", {}},
      {"maxtext", "python3 train.py enable_checkpointing=True ENABLE_AUTOCHECKPOINT=true", {}},
      {"maxtext", "python3 train.py enable_checkpointing=true", {"enable_autocheckpoint=true"}},
      {"maxtext", "python3 train.py", {"enable_checkpointing=true", "enable_autocheckpoint=true"}},
      {"maxtext", "python3 train.py enable_checkpointing=false enable_autocheckpoint=true", {"enable_checkpointing=true"}},
      {"pax", "python3 main.py --jax_fully_async_checkpoint=1 --exit_after_ondemand_checkpoint=1 --job_log_dir=gs://b", {}},
      {"pax", "python3 main.py --jax_fully_async_checkpoint=true --exit_after_ondemand_checkpoint", {}},
      {"pax", "python3 main.py --jax_fully_async_checkpoint=0 --exit_after_ondemand_checkpoint=1", {"jax_fully_async_checkpoint=1"}},
      {"pax", "python3 main.py", {"jax_fully_async_checkpoint=1", "exit_after_ondemand_checkpoint=1"}},
  };
  for (const LintCase& one : cases) {
    const Framework* row = find_framework(one.framework);
    ASSERT_TRUE(row) << one.framework;
    EXPECT_EQ(lint(*row, one.command), one.missing) << one.framework << ": " << one.command;
  }
  EXPECT_EQ(find_framework("tensorflow"), nullptr);
  EXPECT_EQ(find_framework(""), nullptr);
}

TEST(Frameworks, TheReleaseInAFolderDecidesWhatIsNeeded) {
  test::TemporaryFolder folder;
  const Framework& maxtext = *find_framework("maxtext");
  EXPECT_EQ(find_release(maxtext, ""), nullptr);
  EXPECT_EQ(find_release(maxtext, folder / "none"), nullptr);
  EXPECT_EQ(find_release(*find_framework("generic"), folder / "old"), nullptr);

  folder.put("old/MaxText/configs/base.yml", "enable_checkpointing: True\n");
  EXPECT_THAT(lint(maxtext, "train.py", find_release(maxtext, folder / "old")), ElementsAre("enable_checkpointing=true"));
  EXPECT_TRUE(find_release(maxtext, folder / "old")->trouble.empty());

  folder.put("between/src/MaxText/configs/base.yml", "enable_checkpointing: True\nenable_continuous_checkpointing: False\n");
  EXPECT_THAT(lint(maxtext, "train.py enable_checkpointing=true", find_release(maxtext, folder / "between")), IsEmpty());
  EXPECT_THAT(find_release(maxtext, folder / "between")->trouble, HasSubstr("saves nothing"));

  folder.put("new/src/maxtext/configs/base.yml", "enable_continuous_checkpointing: False\nenable_autocheckpoint: False\n");
  EXPECT_THAT(lint(maxtext, "train.py enable_checkpointing=true", find_release(maxtext, folder / "new")), ElementsAre("enable_autocheckpoint=true"));
  EXPECT_TRUE(find_release(maxtext, folder / "new")->trouble.empty());
}

struct LogCase {
  const char* framework;
  const char* line;
  bool step, resume, saved, notice;
};

// The expressions are grep's; grep itself is asked.
bool grep(std::string_view expression, const std::string& line) {
  process::Spec spec;
  spec.argv = {"grep", "-E", "-q", "-e", std::string(expression)};
  return process::run(spec, line + "\n").status == 0;
}

TEST(Frameworks, LogLinesAreKnown) {
  const LogCase cases[] = {
      {"generic", "step 12 loss 0.5", true, false, false, false},
      {"generic", "Step: 12", true, false, false, false},
      {"generic", "Resuming from step 12", true, true, false, false},
      {"generic", "saved checkpoint at step 12", true, false, true, false},
      {"generic", "caught SIGTERM", false, false, false, true},
      {"generic", "loss 0.5", false, false, false, false},
      {"maxtext", "completed step: 27, seconds: 1.204, TFLOP/s/device: 80.1, loss: 5.5", true, false, false, false},
      {"maxtext", "restoring from this run's directory latest step 27", false, true, false, false},
      {"maxtext", "Saved a checkpoint at step 27.", false, false, true, false},
      {"orbax", "step 5 loss 1", true, false, false, false},
      {"orbax", "Finished async_save (blocking + background) for checkpoint 5", false, false, true, false},
      {"pax", "step = 41", true, false, false, false},
  };
  for (const LogCase& one : cases) {
    const Framework& row = *find_framework(one.framework);
    EXPECT_EQ(grep(row.step, one.line), one.step) << one.framework << " step: " << one.line;
    EXPECT_EQ(grep(row.resume, one.line), one.resume) << one.framework << " resume: " << one.line;
    EXPECT_EQ(grep(row.saved, one.line), one.saved) << one.framework << " saved: " << one.line;
    EXPECT_EQ(grep(row.notice, one.line), one.notice) << one.framework << " notice: " << one.line;
  }
}

TEST(Frameworks, EveryRowIsWhole) {
  for (const Framework& row : frameworks()) {
    EXPECT_FALSE(row.name.empty() || row.help.empty());
    for (const std::string_view expression : {row.step, row.resume, row.saved, row.notice}) {
      EXPECT_FALSE(expression.empty()) << row.name;
      EXPECT_FALSE(grep(expression, "")) << row.name << ": matches nothing at all: " << expression;
    }
    EXPECT_EQ(find_framework(row.name), &row);
  }
}

}  // namespace
}  // namespace tpuctl::test
