// SPDX-License-Identifier: Apache-2.0
#include "launch/outcome.hpp"

#include <gmock/gmock.h>

namespace tpuctl::test {
namespace {

using namespace launch;
using ::testing::HasSubstr;

// ---- the supervisors' lines ------------------------------------------------------------------------------------------

WorkerReport report_of(const std::vector<std::string>& lines) {
  WorkerReport out;
  for (const auto& line : lines) read_status_line(out, line);
  return out;
}

TEST(Report, ReadsWhatASupervisorTells) {
  const auto report = report_of({"tpuctl: now 1700000100.5", "tpuctl: state alive running 2 1700000050.25", "tpuctl: stopped 1700000090.5 requested",
                                 "tpuctl: attempt 1 1700000000.1 1700000040.2 137 0 512", "tpuctl: notice 1700000030.75 1 400 maintenance-event TERMINATE_ON_HOST_MAINTENANCE now",
                                 "tpuctl: boots", "tpuctl: refusal no secrets here",
                                 "tpuctl: record {\"name\": \"j\"}", "tpuctl: log 900 1700000099", "tpuctl: holder 11 0000000000004000", "tpuctl: holder 12 0000000180014a07"});
  EXPECT_TRUE(report.reached);
  EXPECT_DOUBLE_EQ(report.now, 1700000100.5);
  EXPECT_TRUE(report.known);
  EXPECT_TRUE(report.running());
  EXPECT_FALSE(report.cut_off());
  EXPECT_EQ(report.attempt, 2);
  EXPECT_DOUBLE_EQ(report.attempt_begin, 1700000050.25);
  EXPECT_DOUBLE_EQ(report.stopped_at, 1700000090.5);
  ASSERT_EQ(report.attempts.size(), 1u);
  EXPECT_EQ(report.attempts[0].code, 137);
  EXPECT_EQ(report.attempts[0].log_end, 512);
  EXPECT_EQ(report.finished(1), &report.attempts[0]);
  EXPECT_EQ(report.finished(2), nullptr);
  ASSERT_EQ(report.notices.size(), 1u);
  EXPECT_EQ(report.notices[0].attempt, 1);
  EXPECT_EQ(report.notices[0].log_bytes, 400);
  EXPECT_EQ(report.notices[0].source, "maintenance-event");
  EXPECT_EQ(report.notices[0].value, "TERMINATE_ON_HOST_MAINTENANCE now");
  EXPECT_TRUE(report.boots);
  EXPECT_EQ(report.refusal, "no secrets here");
  EXPECT_EQ(report.record, "{\"name\": \"j\"}");
  EXPECT_EQ(report.log_bytes, 900);
  EXPECT_EQ(report.holders, 2);
  EXPECT_TRUE(report.catches_sigterm);
}

TEST(Report, StatesOfASupervisor) {
  struct Row {
    const char* line;
    bool known, running, cut_off, ended;
  };
  for (const Row& row : {Row{"state none", false, false, false, false}, Row{"state alive running 1 10", true, true, false, false},
                         Row{"state dead running 1 10", true, false, true, false}, Row{"state dead ended 1 10 20 0", true, false, false, true},
                         Row{"state alive ended 1 10 20 0", true, false, false, true}}) {
    const auto report = report_of({"tpuctl: now 5", std::string("tpuctl: ") + row.line});
    EXPECT_EQ(report.known, row.known) << row.line;
    EXPECT_EQ(report.running(), row.running) << row.line;
    EXPECT_EQ(report.cut_off(), row.cut_off) << row.line;
    EXPECT_EQ(report.ended, row.ended) << row.line;
  }
}

TEST(Report, TheStateTellsOfAnEndThatFoundNoRoomElsewhere) {
  const auto report = report_of({"tpuctl: now 40", "tpuctl: state dead ended 2 10 30 7 100 200 full /a place", "tpuctl: attempt 1 1 9 75 0 100"});
  ASSERT_NE(report.finished(2), nullptr);
  EXPECT_EQ(report.finished(2)->code, 7);
  EXPECT_EQ(report.finished(2)->log_end, 200);
  EXPECT_EQ(report.no_room, "/a place");
  EXPECT_EQ(report.attempts.at(0).number, 1) << "in their order";
  EXPECT_EQ(report_of({"tpuctl: state dead ended 1 10 30 7", "tpuctl: attempt 1 10 30 7 0 99"}).attempts.size(), 1u);
  EXPECT_EQ(report_of({"tpuctl: state alive running 1 10", "tpuctl: full /p"}).no_room, "/p");
}

TEST(Report, AllHoldersMustCatchTheSignal) {
  EXPECT_FALSE(report_of({"tpuctl: holder 1 0000000000004000", "tpuctl: holder 2 0000000000000000"}).catches_sigterm);
  EXPECT_FALSE(report_of({"tpuctl: holder 1 0000000000000000", "tpuctl: holder 2 0000000000004000"}).catches_sigterm);
  EXPECT_FALSE(report_of({"tpuctl: holder 1 "}).catches_sigterm);
  EXPECT_FALSE(report_of({}).catches_sigterm) << "nobody catches nothing";
}

TEST(Report, AStopThatClearsAwayIsNoStop) {
  EXPECT_EQ(report_of({"tpuctl: stopped 17 clearing"}).stopped_at, 0);
  EXPECT_EQ(report_of({"tpuctl: stopped 17 clearing"}).cleared_at, 17);
  EXPECT_EQ(report_of({"tpuctl: stopped 17"}).stopped_at, 0);
  EXPECT_EQ(report_of({"tpuctl: stopped 17 requested"}).stopped_at, 17);
}

TEST(Report, StrangeLinesDoNothing) {
  const auto report = report_of({"", "hello", "state alive running 1 10", "tpuctl:", "tpuctl: ", "tpuctl: new things", "Tpuctl: now 5", " tpuctl: now 5", "tpuctl: attempt", "tpuctl: notice x y z"});
  EXPECT_FALSE(report.reached);
  EXPECT_FALSE(report.known);
  EXPECT_EQ(report.attempts.size(), 1u) << "broken numbers read as zero";
  EXPECT_EQ(report.attempts[0].number, 0);
}

// ---- the verdict -------------------------------------------------------------------------------------------------------

/// One worker's report, written down step by step. The attempt begins at 1000.
struct Told : WorkerReport {
  explicit Told(const std::string& node, int number = 1) {
    worker.node = node;
    reached = known = supervisor_alive = true;
    attempt = number;
    attempt_begin = 1000;
    now = 9000;
  }
  Told& end(double time, int code) { return past(attempt, time, code).over(); }
  Told& past(int number, double time, int code) {
    attempts.push_back({number, 1000, time, code, 0, 0});
    return *this;
  }
  Told& over() {
    ended = true;
    supervisor_alive = false;
    return *this;
  }
  Told& notice(double time, const std::string& source = "maintenance-event", int of = 0) {
    notices.push_back({time, of == 0 ? attempt : of, 0, source, "VALUE"});
    return *this;
  }
  Told& stop(double time) {
    stopped_at = time;
    return *this;
  }
  Told& reboot() {
    supervisor_alive = false;
    return *this;
  }
  Told& cleared(double time) {
    cleared_at = time;
    return *this;
  }
  Told& logged(double time) {
    log_time = time;
    return *this;
  }
  Told& silent() {
    const Worker who = worker;
    static_cast<WorkerReport&>(*this) = WorkerReport{};
    worker = who;
    trouble = "connection refused";
    return *this;
  }
  Told& ignorant() {
    known = supervisor_alive = false;
    attempt = 0;
    attempt_begin = 0;
    return *this;
  }
};
Told a() { return Told("a"); }
Told b() { return Told("b"); }

SliceState slice(const std::string& node, const std::string& state = "READY", const std::string& health = "HEALTHY", bool pending = false) {
  return {node, state, health, pending};
}
const std::vector<SliceState> kWell = {slice("a"), slice("b")};
const std::vector<SliceState> kMaintained = {slice("a"), slice("b", "READY", "UNHEALTHY_MAINTENANCE")};
const std::vector<SliceState> kPending = {slice("a"), slice("b", "READY", "HEALTHY", true)};
const std::vector<SliceState> kPreempted = {slice("a"), slice("b", "PREEMPTED")};
const std::vector<SliceState> kGone = {slice("a"), slice("b", "")};

struct Case {
  const char* what;
  std::vector<WorkerReport> reports;
  std::vector<SliceState> slices;
  double silence;
  Outcome outcome;
  const char* worker = "";  ///< who decided; "" when it does not matter
  int code = 0;
};

void PrintTo(const Case& one, std::ostream* out) { *out << one.what; }

class Judge : public ::testing::TestWithParam<Case> {};

TEST_P(Judge, NamesTheFirstCause) {
  const Case& one = GetParam();
  const Verdict verdict = judge(one.reports, one.slices, one.silence);
  EXPECT_EQ(outcome_name(verdict.outcome), outcome_name(one.outcome)) << one.what << ": " << verdict.evidence;
  if (*one.worker) {
    EXPECT_THAT(verdict.worker, ::testing::StartsWith(one.worker)) << one.what;
  }
  EXPECT_EQ(verdict.exit_code, one.code) << one.what;
  const bool conclusive = one.outcome != Outcome::running && one.outcome != Outcome::ending && one.outcome != Outcome::unknown;
  if (conclusive) {
    EXPECT_FALSE(verdict.evidence.empty()) << one.what << ": a verdict says what it rests on";
  }
}

const Case kCases[] = {
    // nothing, running, finished
    {"nobody knows the job", {a().ignorant(), b().ignorant()}, kWell, 0, Outcome::unknown},
    {"nobody at all", {}, {}, 0, Outcome::unknown},
    {"all run", {a(), b()}, kWell, 0, Outcome::running},
    {"one has ended", {a().end(2000, 0), b()}, kWell, 0, Outcome::ending},
    {"all ended with 0", {a().end(2000, 0), b().end(2100, 0)}, kWell, 0, Outcome::finished},
    {"one worker", {a().end(2000, 0)}, {slice("a")}, 0, Outcome::finished},
    {"a worker that knows nothing has not finished", {a().end(2000, 0), b().ignorant()}, kWell, 0, Outcome::lost, "b"},
    {"a worker left at an older attempt has not finished", {Told("a", 2).end(2000, 0), b().end(1500, 0)}, kWell, 0, Outcome::lost, "b"},

    // failures
    {"one failed", {a().end(2000, 0), b().end(2000, 7)}, kWell, 0, Outcome::failed, "b", 7},
    {"the earliest failure decides", {a().end(2000, 7), b().end(1990, 3)}, kWell, 0, Outcome::failed, "b", 3},
    {"whatever the order of the reports", {b().end(1990, 3), a().end(2000, 7)}, kWell, 0, Outcome::failed, "b", 3},
    {"a failure ends nothing while others run", {a().end(2000, 7), b()}, kWell, 0, Outcome::ending, "a", 7},
    {"a signal is a failure too", {a().end(2000, 139), b().end(2001, 1)}, kWell, 0, Outcome::failed, "a", 139},
    {"only the newest attempt counts", {Told("a", 2).past(1, 1500, 9).end(2000, 0), Told("b", 2).end(2000, 0)}, kWell, 0, Outcome::finished},

    // maintenance: exit codes lie
    {"MaxText saves and exits 0", {a().notice(1900).end(2000, 0), b().end(2000, 0)}, kWell, 0, Outcome::maintained, "a"},
    {"Pax saves and exits 1", {a().notice(1900).end(2000, 1), b().end(2000, 1)}, kWell, 0, Outcome::maintained, "a"},
    {"SIGTERM with nothing to catch it", {a().notice(1900).end(1900.2, 143), b().end(1910, 1)}, kWell, 0, Outcome::maintained, "a"},
    {"one worker's mark counts for all", {a().end(2000, 1), b().notice(1950).end(2000, 0)}, kWell, 0, Outcome::maintained, "b"},
    {"a failure just before the notice was noted", {a().end(2000, 134), b().notice(2003).end(2010, 0)}, kWell, 0, Outcome::maintained, "b"},
    {"a failure well before the notice", {a().end(2000, 134), b().notice(2100).end(2110, 0)}, kWell, 0, Outcome::failed, "a", 134},
    {"a failure within five minutes is a consequence", {a().notice(2000).end(2010, 0), b().end(2299, 1)}, kWell, 0, Outcome::maintained, "a"},
    {"a failure long after is the job's own", {a().notice(2000).end(9000, 1), b().end(9001, 1)}, kWell, 0, Outcome::failed, "a", 1},
    {"a notice of an earlier attempt", {Told("a", 2).notice(900, "maintenance-event", 1).end(2000, 5), Told("b", 2).end(2001, 0)}, kWell, 0, Outcome::failed, "a", 5},
    {"a notice ends nothing", {a().notice(1900), b()}, kWell, 0, Outcome::running},
    {"a notice, and one has ended", {a().notice(1900).end(2000, 0), b()}, kWell, 0, Outcome::ending},

    // preemption
    {"preempted", {a().notice(1900, "preempted").end(1920, 143), b().end(1930, 1)}, kWell, 0, Outcome::preempted, "a"},
    {"the first of two notices", {a().notice(1900).end(1920, 0), b().notice(1910, "preempted").end(1930, 0)}, kWell, 0, Outcome::maintained, "a"},
    {"a slice that is PREEMPTED explains failures", {a().end(2000, 1), b().silent()}, kPreempted, 0, Outcome::preempted, "b"},
    {"and silence", {a().end(2000, 0), b().silent()}, kPreempted, 0, Outcome::preempted, "b"},
    {"a node that is gone", {a().end(2000, 1), b().silent()}, kGone, 0, Outcome::preempted, "b"},
    {"the others still run", {a(), b().silent()}, kPreempted, 0, Outcome::ending, "b"},

    // stops
    {"stopped", {a().stop(1900).end(1910, 143), b().stop(1900).end(1911, 0)}, kWell, 0, Outcome::stopped},
    {"stopping", {a().stop(1900), b().stop(1900).end(1911, 0)}, kWell, 0, Outcome::ending},
    {"a stop of an earlier attempt", {a().stop(900).end(1910, 5), b().stop(900).end(1911, 0)}, kWell, 0, Outcome::failed, "a", 5},
    {"a stop after the end changes nothing", {a().end(1500, 0).stop(1900), b().end(1501, 0).stop(1900)}, kWell, 0, Outcome::finished},
    {"nor does it hide a failure", {a().end(1500, 0).stop(1900), b().end(1501, 4).stop(1900)}, kWell, 0, Outcome::failed, "b", 4},
    {"but after a notice nobody is to start it again", {a().notice(1400).end(1500, 0).stop(1900), b().end(1501, 1).stop(1900)}, kWell, 0, Outcome::stopped},
    {"failed before it was stopped", {a().end(1500, 9), b().stop(1900).end(1911, 143)}, kWell, 0, Outcome::failed, "a", 9},

    // machines that go without a word
    {"rebooted", {a().reboot(), b().end(2000, 0)}, kWell, 0, Outcome::lost, "a"},
    {"rebooted, the others run", {a().reboot(), b()}, kWell, 0, Outcome::ending, "a"},
    {"rebooted after a notice", {a().notice(1900).reboot(), b().end(2000, 1)}, kWell, 0, Outcome::maintained, "a"},
    {"rebooted, and the service tells why", {a().end(2000, 0), b().reboot()}, kMaintained, 0, Outcome::maintained, "b"},

    // silence
    {"not reached for a moment", {a(), b().silent()}, kWell, 5, Outcome::running, "b"},
    {"not reached for long", {a(), b().silent()}, kWell, 121, Outcome::lost, "b"},
    {"nobody reached", {a().silent(), b().silent()}, kWell, 500, Outcome::unknown},
    {"nobody reached for a moment", {a().silent(), b().silent()}, kWell, 5, Outcome::running},
    {"nobody reached at the first look", {a().silent()}, kWell, 0, Outcome::unknown},
    {"the only slice is maintained for long", {a().silent()}, {{"s-0", "READY", "UNHEALTHY_MAINTENANCE", true}}, 500, Outcome::running},
    {"the only slice reboots for long", {a().silent()}, {{"s-0", "RESTARTING", "", false}}, 500, Outcome::running},
    {"the only slice is taken", {a().silent()}, {{"s-0", "PREEMPTED", "", false}}, 500, Outcome::preempted},
    {"not reached, under maintenance, the others ended", {a().end(2000, 0), b().silent()}, kMaintained, 0, Outcome::maintained, "b"},
    {"not reached, maintenance announced", {a().end(2000, 0), b().silent()}, kPending, 0, Outcome::maintained, "b"},
    {"a failure is known, a worker is silent, maintenance announced", {a().end(2000, 1), b().silent()}, kPending, 5, Outcome::ending, "a", 1},
    {"not reached, under maintenance, the others run", {a(), b().silent()}, kMaintained, 0, Outcome::ending, "b"},
    {"not reached, under maintenance, the others failed for it", {a().end(2000, 1), b().silent()}, kMaintained, 0, Outcome::maintained, "b"},
    {"a failure is known, a worker is silent", {a().end(2000, 7), b().silent()}, kWell, 5, Outcome::ending, "a", 7},
    {"a failure is known, a worker is silent for long", {a().end(2000, 7), b().silent()}, kWell, 121, Outcome::failed, "a", 7},
    {"a stop after a notice is a stop", {a().notice(1900).stop(1950).end(2000, 0), b().end(2001, 0)}, kWell, 0, Outcome::stopped, "a"},
    {"its own words tell of a notice elsewhere", {a().notice(2000, "log").end(2000, 0), b().end(2001, 0)}, kWell, 0, Outcome::maintained, "a"},
    {"others fail for want of a lost worker", {a().logged(1500).reboot(), b().end(1600, 1)}, kWell, 0, Outcome::lost, "a"},
    {"what was ended for another's sake did not fail", {a().cleared(1700).end(1701, 143), b().reboot()}, kWell, 0, Outcome::lost, "b"},
    {"a failure before the clearing decides", {a().cleared(1700).end(1701, 143), b().end(1600, 9)}, kWell, 0, Outcome::failed, "b", 9},
    {"a silent log is no older than its attempt", {a().logged(999).reboot(), b().end(1600, 1)}, kWell, 0, Outcome::lost, "a"},
    {"what failed before a worker was lost failed by itself", {a().logged(1700).reboot(), b().end(1600, 9)}, kWell, 0, Outcome::failed, "b", 9},
    {"maintenance elsewhere does not excuse a failure", {a().end(2000, 7), b().end(2001, 0)}, kPending, 0, Outcome::failed, "a", 7},
};
std::string name_of(const ::testing::TestParamInfo<Case>& row) {
  std::string name = row.param.what;
  for (char& c : name) c = isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
  return name;
}
INSTANTIATE_TEST_SUITE_P(Outcome, Judge, ::testing::ValuesIn(kCases), name_of);

TEST(Outcome, TimesAreThoseOfTheAttempt) {
  const Verdict verdict = judge({a().notice(1950).notice(1900, "preempted").end(2000, 0), b().notice(500, "preempted", 7).end(2100, 0)}, kWell);
  EXPECT_EQ(verdict.attempt, 1);
  EXPECT_EQ(verdict.notice_time, 1900);
  EXPECT_EQ(verdict.end_time, 2100);
  EXPECT_THAT(verdict.evidence, HasSubstr("metadata preempted = VALUE on a/0"));
  EXPECT_EQ(verdict.cause, Outcome::preempted);
  EXPECT_FALSE(verdict.out_of_reach);
}

TEST(Outcome, AnExitCodeIsToldInWords) {
  struct Row {
    int code;
    const char* words;
  };
  for (const Row& row : {Row{7, "a/0 exited with 7"}, Row{143, "a/0 was ended by SIGTERM, and not by Cloud TPU"}, Row{137, "perhaps for want of memory"},
                         Row{139, "crashed with SIGSEGV"}, Row{134, "aborted"}}) {
    const Verdict verdict = judge({a().end(2000, row.code), b().end(2001, 0)}, kWell);
    EXPECT_EQ(verdict.outcome, Outcome::failed) << row.code;
    EXPECT_EQ(verdict.exit_code, row.code);
    EXPECT_THAT(verdict.evidence, HasSubstr(row.words));
  }
}

TEST(Outcome, AFullDiskIsNamed) {
  Told told("n");
  told.end(1100, 3).no_room = "/var/lib/tpuctl/jobs/j";
  const Verdict verdict = judge({told}, {});
  EXPECT_EQ(verdict.outcome, Outcome::failed);
  EXPECT_EQ(verdict.exit_code, 3);
  EXPECT_EQ(verdict.evidence, "n/0 exited with 3; its disk is full: /var/lib/tpuctl/jobs/j");
  EXPECT_EQ(verdict.no_room, "/var/lib/tpuctl/jobs/j");
  told.no_room = "-";
  EXPECT_EQ(judge({told}, {}).evidence, "n/0 exited with 3; its log says that a disk was full");
}

TEST(Outcome, TheLogsWordsAreQuoted) {
  WorkerReport report = a().end(2000, 1);
  read_status_line(report, "tpuctl: notice 1999 1 400 log Reached preemption sync point");
  EXPECT_THAT(judge({report}, kWell).evidence, HasSubstr("the log of a/0 says \"Reached preemption sync point\""));
}

TEST(Outcome, SilenceOfAllIsStuck) {
  const auto judged = [](const std::vector<WorkerReport>& reports, double limit) { return judge_silence(reports, judge(reports, kWell), limit); };
  EXPECT_EQ(judged({a().logged(8000), b().logged(8100)}, 600).outcome, Outcome::stuck);
  EXPECT_THAT(judged({a().logged(8000), b().logged(8100)}, 600).evidence, HasSubstr("no worker has logged anything for 15m"));
  EXPECT_EQ(judged({a().logged(8000), b().logged(8950)}, 600).outcome, Outcome::running) << "one that speaks is enough";
  EXPECT_EQ(judged({a().logged(0), b().logged(0)}, 8001).outcome, Outcome::running) << "silence begins with the attempt";
  EXPECT_EQ(judged({a().logged(0), b().logged(0)}, 7000).outcome, Outcome::stuck);
  EXPECT_EQ(judged({a().logged(2000), b().silent()}, 600).outcome, Outcome::running) << "what a worker that cannot be asked does is not known";
  EXPECT_EQ(judged({a().logged(2000).end(2000, 3), b().logged(2000)}, 600).outcome, Outcome::ending);
  EXPECT_EQ(judge_silence({}, {}, 1).outcome, Outcome::unknown);
}

TEST(Outcome, HasANameForEach) {
  std::vector<std::string_view> names;
  for (int i = 0; i <= static_cast<int>(Outcome::unknown); ++i) names.push_back(outcome_name(static_cast<Outcome>(i)));
  EXPECT_THAT(names, ::testing::ElementsAre("RUNNING", "ENDING", "FINISHED", "FAILED", "MAINTAINED", "PREEMPTED", "STOPPED", "STUCK", "LOST", "UNKNOWN"));
}

}  // namespace
}  // namespace tpuctl::test
