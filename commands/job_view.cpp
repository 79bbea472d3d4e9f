// SPDX-License-Identifier: Apache-2.0
// A job as a resource: what jobs describe and jobs list print.
#include "base/error.hpp"
#include "commands/job_costs.hpp"
#include "launch/checkpoints.hpp"
#include "launch/outcome.hpp"

namespace tpuctl::commands {

namespace {

std::string worker_state(const launch::WorkerReport& report) {
  if (!report.reached) return "UNREACHABLE";
  if (!report.known) return "NOT_STARTED";
  if (report.running()) return "RUNNING";
  if (report.cut_off()) return "LOST";
  const launch::Attempt* end = report.finished(report.attempt);
  return end && end->code == 0 ? "ENDED" : "ENDED_WITH_ERROR";
}

Json worker_view(const launch::WorkerReport& report) {
  Json out{{"worker", report.worker.label()}, {"slice", report.worker.slice}, {"state", worker_state(report)}};
  if (!report.reached) out.member("reason") = report.trouble;
  if (report.known) out.member("attempt") = report.attempt;
  if (const launch::Attempt* end = report.finished(report.attempt)) out.member("exitCode") = end->code;
  if (report.running()) {
    out.member("holdsDevice") = report.holders > 0;
    out.member("catchesSigterm") = report.holders > 0 && report.catches_sigterm;
  }
  return out;
}

bool autocheckpoint_everywhere(const std::vector<launch::Slice>& slices) {
  for (const launch::Slice& slice : slices) {
    if (!slice.node["autocheckpointEnabled"].boolean()) return false;
  }
  return true;
}

}  // namespace

Json job_view(Context& context, const JobRecord& record, bool costs) {
  Json out{{"name", record.name}, {"project", record.project}, {"zone", record.zone}, {"target", record.target_text()}};
  if (!record.command.empty()) out.member("command") = record.command;
  out.member("framework") = record.framework;
  if (!record.checkpoint_dir.empty()) out.member("checkpointDir") = record.checkpoint_dir;
  if (!record.started.empty()) out.member("started") = record.started;
  JobWorld world(context, record);
  std::vector<launch::Slice> slices;
  try {
    slices = world.find_slices();
  } catch (const Error& error) {
    // Deleted, preempted, stopped: that is what there is to tell about the job. Trouble on our side is not.
    if (error.kind != tpuctl::Kind::not_found && error.kind != tpuctl::Kind::failure) throw;
    out.member("state") = "GONE";
    out.member("reason") = error.what();
    return out;
  }
  launch::Crew crew = world.crew_of(slices);
  crew.fanout.tries = 1;
  const auto reports = launch::ask_status(crew, record.name);
  std::vector<api::Name> names;
  for (const auto& slice : slices) names.push_back(slice.name);
  const auto verdict = launch::judge(reports, launch::slice_states(world.client(), names));
  out.member("state") = std::string(launch::outcome_name(verdict.outcome));
  if (!verdict.evidence.empty()) out.member("reason") = verdict.evidence;
  out.member("attempt") = verdict.attempt;
  out.member("autocheckpoint") = autocheckpoint_everywhere(slices);
  Json workers = Json::array();
  for (const auto& report : reports) workers.push(worker_view(report));
  out.member("workers") = std::move(workers);
  if (!costs) return out;
  auto progress = launch::ask_progress(crew, record.name, framework_of(record), record.checkpoint_dir);
  if (is_in_bucket(record) && !progress.empty()) progress[0].checkpoints = bucket_checkpoints(context, record);
  Json rows = Json::array();
  for (const auto& row : launch::interruptions(reports, progress)) rows.push(interruption_view(row));
  out.member("interruptions") = std::move(rows);
  return out;
}

}  // namespace tpuctl::commands
