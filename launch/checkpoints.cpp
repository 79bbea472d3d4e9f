// SPDX-License-Identifier: Apache-2.0
#include "launch/checkpoints.hpp"

#include <algorithm>
#include <limits>

#include "base/text.hpp"

namespace tpuctl::launch {

namespace {

// The last number in a text.
std::optional<long> last_number(std::string_view text) {
  const auto end = text.find_last_of("0123456789");
  if (end == std::string_view::npos) return {};
  auto begin = end;
  while (begin > 0 && text[begin - 1] >= '0' && text[begin - 1] <= '9') --begin;
  return text::parse_int(text.substr(begin, end - begin + 1));
}

// The bytes of the log that belong to an attempt. The end of one that was cut off is the beginning of the next.
struct Range {
  long begin = 0;
  long end = 0;
};

std::optional<Range> range_of(const WorkerReport& report, int attempt) {
  if (const Attempt* row = report.finished(attempt)) return Range{row->log_begin, row->log_end};
  Range out{0, report.log_bytes};
  bool found = attempt == report.attempt;
  for (const Attempt& row : report.attempts) {
    if (row.number < attempt) out.begin = std::max(out.begin, row.log_end);
    if (row.number > attempt) {
      out.end = std::min(out.end, row.log_begin);
      found = true;
    }
  }
  return found ? std::optional(out) : std::nullopt;
}

// Lines at the same place as a resume or a save tell that, not a step: the line begins no later than they do.
bool tells_something_else(const Progress& progress, const Mark& mark) {
  auto covers = [&mark](const Mark& other) { return other.at <= mark.at && mark.at < other.at + 200 && other.step == mark.step; };
  return std::any_of(progress.resumes.begin(), progress.resumes.end(), covers) ||
         std::any_of(progress.saves.begin(), progress.saves.end(), covers);
}

std::vector<long> steps_in(const Progress& progress, Range range) {
  std::vector<long> out;
  for (const Mark& mark : progress.steps) {
    if (mark.at >= range.begin && mark.at < range.end && !tells_something_else(progress, mark)) out.push_back(mark.step);
  }
  return out;
}

std::optional<long> last_step_before(const Progress& progress, Range range, long limit) {
  const auto steps = steps_in(progress, {range.begin, std::min(range.end, limit)});
  return steps.empty() ? std::nullopt : std::optional(steps.back());
}

// A step may be told twice ("Reached preemption sync point, step=7").
bool tells_every_step(const std::vector<long>& steps) {
  for (std::size_t i = 1; i < steps.size(); ++i) {
    if (steps[i] != steps[i - 1] && steps[i] != steps[i - 1] + 1) return false;
  }
  return steps.size() > 1;
}

// What the log says; else, for a log that tells each step, the step before the first of the attempt.
std::optional<long> begin_of(const Progress& progress, Range range) {
  for (const Mark& mark : progress.resumes) {
    if (mark.at >= range.begin && mark.at < range.end) return mark.step;
  }
  const auto steps = steps_in(progress, range);
  return tells_every_step(steps) ? std::optional(steps.front() - 1) : std::nullopt;
}

// The first notice of an attempt on any worker, and whose it is.
struct Found {
  const Notice* notice = nullptr;
  std::size_t worker = 0;
};
Found first_notice(const std::vector<WorkerReport>& reports, int attempt) {
  Found out;
  for (std::size_t i = 0; i < reports.size(); ++i) {
    for (const Notice& notice : reports[i].notices) {
      if (notice.attempt == attempt && (!out.notice || notice.time < out.notice->time)) out = {&notice, i};
    }
  }
  return out;
}

// When the first worker began an attempt; after all times when none has.
double begin_time(const std::vector<WorkerReport>& reports, int attempt) {
  double out = std::numeric_limits<double>::max();
  for (const WorkerReport& report : reports) {
    if (report.attempt == attempt && report.attempt_begin > 0) out = std::min(out, report.attempt_begin);
    if (const Attempt* row = report.finished(attempt)) out = std::min(out, row->begin);
  }
  return out;
}

Interruption describe(const std::vector<WorkerReport>& reports, const std::vector<Progress>& progress, int attempt,
                      const Found& found) {
  Interruption out;
  out.attempt = attempt;
  for (std::size_t i = 0; i < reports.size(); ++i) {
    if (const auto range = range_of(reports[i], attempt)) {
      const auto steps = steps_in(progress[i], *range);
      if (!steps.empty()) out.last_step = std::min(out.last_step.value_or(steps.back()), steps.back());
      out.every_step = out.every_step || tells_every_step(steps);
    }
    if (const auto range = range_of(reports[i], attempt + 1)) {
      const auto step = begin_of(progress[i], *range);
      if (step && !out.resumed_at) out.resumed_at = step;
    }
  }
  if (found.notice) {
    out.source = found.notice->source;
    if (const auto range = range_of(reports[found.worker], attempt)) {
      out.step_at_notice = last_step_before(progress[found.worker], *range, found.notice->log_bytes);
    }
    const double next = begin_time(reports, attempt + 1);
    for (const Progress& worker : progress) {
      for (const Checkpoint& checkpoint : worker.checkpoints) {
        if (checkpoint.time >= next) continue;
        auto& known = checkpoint.time < found.notice->time ? out.last_regular : out.saved_at;
        known = std::max(known.value_or(0), checkpoint.step);
      }
    }
    if (const auto range = range_of(reports[found.worker], attempt)) {
      for (const Mark& mark : progress[found.worker].saves) {
        const bool after = mark.at >= std::max(range->begin, found.notice->log_bytes) && mark.at < range->end;
        if (after) out.saved_at = std::max(out.saved_at.value_or(0), mark.step);
      }
    }
    for (const WorkerReport& report : reports) {
      const Attempt* end = report.finished(attempt);
      if (!end || end->end < found.notice->time) continue;
      out.seconds_to_exit = std::max(out.seconds_to_exit.value_or(0), end->end - found.notice->time);
    }
  }
  if (out.last_step && out.resumed_at) out.lost = std::max(0L, *out.last_step - *out.resumed_at);
  return out;
}

}  // namespace

void read_progress_line(Progress& progress, std::string_view line) {
  constexpr std::string_view kMark = "tpuctl: ";
  if (!line.starts_with(kMark)) return;
  line.remove_prefix(kMark.size());
  const auto space = line.find(' ');
  if (space == std::string_view::npos) return;
  const std::string_view what = line.substr(0, space);
  const std::string_view rest = line.substr(space + 1);
  const auto second = rest.find(' ');
  if (second == std::string_view::npos) return;
  if (what == "checkpoint") {
    Checkpoint row;
    row.step = text::parse_int(rest.substr(0, second)).value_or(0);
    row.time = text::parse_number(rest.substr(second + 1)).value_or(0);
    progress.checkpoints.push_back(row);
    return;
  }
  const auto step = last_number(rest.substr(second + 1));
  if (!step) return;
  const Mark mark{text::parse_int(rest.substr(0, second)).value_or(0), *step};
  if (what == "step") progress.steps.push_back(mark);
  if (what == "resume") progress.resumes.push_back(mark);
  if (what == "saved") progress.saves.push_back(mark);
}

std::optional<long> last_step(const WorkerReport& report, const Progress& progress, int attempt) {
  const auto range = range_of(report, attempt);
  return range ? last_step_before(progress, *range, range->end) : std::nullopt;
}

std::vector<Interruption> interruptions(const std::vector<WorkerReport>& reports, const std::vector<Progress>& progress) {
  int newest = 0;
  for (const WorkerReport& report : reports) newest = std::max(newest, report.attempt);
  std::vector<Interruption> out;
  for (int attempt = 1; attempt <= newest; ++attempt) {
    const Found found = first_notice(reports, attempt);
    if (found.notice || attempt < newest) out.push_back(describe(reports, progress, attempt, found));
  }
  return out;
}

}  // namespace tpuctl::launch
