// SPDX-License-Identifier: Apache-2.0
#include "launch/report.hpp"

#include <algorithm>
#include <charconv>

#include "base/text.hpp"

namespace tpuctl::launch {

namespace {
// Words of a line, with numbers that cannot fail: a broken line reads as zeros.
class Words {
 public:
  explicit Words(std::string_view line) : words_(text::split(line, ' ')) {}
  std::string text() { return at_ < words_.size() ? words_[at_++] : std::string(); }
  long whole() { return text::parse_int(text()).value_or(0); }
  int small() { return static_cast<int>(whole()); }
  double real() { return text::parse_number(text()).value_or(0); }
  std::string rest() {
    std::string out;
    while (at_ < words_.size()) out += (out.empty() ? "" : " ") + words_[at_++];
    return out;
  }

 private:
  std::vector<std::string> words_;
  std::size_t at_ = 0;
};

Attempt read_attempt(Words& words, int number, double begin) {
  Attempt row;
  row.number = number;
  row.begin = begin;
  row.end = words.real();
  row.code = words.small();
  row.log_begin = words.whole();
  row.log_end = words.whole();
  return row;
}

// By number; a row stands once, whoever tells of it.
void add(std::vector<Attempt>& attempts, const Attempt& row) {
  const auto at = std::lower_bound(attempts.begin(), attempts.end(), row,
                                   [](const Attempt& a, const Attempt& b) { return a.number < b.number; });
  if (at != attempts.end() && at->number == row.number) {
    *at = row;
  } else {
    attempts.insert(at, row);
  }
}

// SIGTERM in the mask that /proc/PID/status prints in hexadecimal.
bool catches_sigterm(const std::string& mask) {
  unsigned long long bits = 0;
  std::from_chars(mask.data(), mask.data() + mask.size(), bits, 16);
  return (bits & 0x4000U) != 0;
}
}  // namespace

const Attempt* WorkerReport::finished(int number) const {
  for (const Attempt& row : attempts) {
    if (row.number == number) return &row;
  }
  return nullptr;
}

void read_status_line(WorkerReport& report, std::string_view line) {
  constexpr std::string_view kMark = "tpuctl: ";
  if (!line.starts_with(kMark)) return;
  Words words(line.substr(kMark.size()));
  const std::string what = words.text();
  if (what == "now") {
    report.reached = true;
    report.now = words.real();
  } else if (what == "state") {
    const std::string living = words.text();
    report.known = living != "none";
    report.supervisor_alive = living == "alive";
    report.ended = words.text() == "ended";
    report.attempt = words.small();
    report.attempt_begin = words.real();
    if (!report.ended) return;
    add(report.attempts, read_attempt(words, report.attempt, report.attempt_begin));
    if (words.text() == "full") report.no_room = words.rest();
  } else if (what == "full") {
    report.no_room = words.rest();
  } else if (what == "stopped") {
    const double time = words.real();
    const std::string reason = words.text();
    if (reason == kRequested) report.stopped_at = time;
    if (reason == kClearing) report.cleared_at = time;
  } else if (what == "attempt") {
    const int number = words.small();
    add(report.attempts, read_attempt(words, number, words.real()));
  } else if (what == "notice") {
    Notice row;
    row.time = words.real();
    row.attempt = words.small();
    row.log_bytes = words.whole();
    row.source = words.text();
    row.value = words.rest();
    report.notices.push_back(row);
  } else if (what == "boots") {
    report.boots = true;
  } else if (what == "refusal") {
    report.refusal = words.rest();
  } else if (what == "record") {
    report.record = words.rest();
  } else if (what == "log") {
    report.log_bytes = words.whole();
    report.log_time = words.real();
  } else if (what == "holder") {
    words.text();
    const bool catches = catches_sigterm(words.text());
    report.catches_sigterm = catches && (report.holders == 0 || report.catches_sigterm);
    report.holders += 1;
  }
}

void keep_what_was_said(std::vector<WorkerReport>& now, const std::vector<WorkerReport>& before) {
  for (WorkerReport& report : now) {
    if (report.reached) continue;
    for (const WorkerReport& old : before) {
      if (old.worker.label() != report.worker.label()) continue;
      const std::string trouble = report.trouble;
      report = old;
      report.reached = false;
      report.trouble = trouble;
    }
  }
}

}  // namespace tpuctl::launch
