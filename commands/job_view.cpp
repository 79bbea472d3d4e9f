// SPDX-License-Identifier: Apache-2.0
// A job as a resource: what jobs describe and jobs list print.
#include <algorithm>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/text.hpp"
#include "commands/job_bucket.hpp"
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
  if (!report.refusal.empty()) out.member("reason") = report.refusal;
  if (report.known && !report.no_room.empty()) out.member("diskFull") = report.no_room;
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

// What is announced for its machines, the soonest first, and what it will do to the job.
Json announced(const std::vector<launch::Slice>& slices) {
  std::vector<Json> rows;
  for (const launch::Slice& slice : slices) {
    const Json& upcoming = slice.node["upcomingMaintenance"];
    if (upcoming.empty()) continue;
    Json row{{"node", slice.name.id}};
    for (const char* field : {"windowStartTime", "windowEndTime", "maintenanceStatus", "type"}) {
      if (!upcoming[field].empty()) row.member(field) = upcoming[field];
    }
    const bool saves = slice.node["autocheckpointEnabled"].boolean();
    row.member("effect") = saves ? "SIGTERM and five minutes to save, on all slices" : "processes end at once: no Autocheckpoint";
    rows.push_back(std::move(row));
  }
  std::stable_sort(rows.begin(), rows.end(), [](const Json& a, const Json& b) { return a["windowStartTime"].text() < b["windowStartTime"].text(); });
  Json out = Json::array();
  for (Json& row : rows) out.push(std::move(row));
  return out;
}

bool waits(const std::string& state) {
  for (const char* early : {"CREATING", "ACCEPTED", "WAITING_FOR_RESOURCES", "PROVISIONING"}) {
    if (state.starts_with(early)) return true;
  }
  return false;
}

// A worker that has just been silent for another job is not waited for again.
launch::Crew who_may_answer(launch::Crew crew, const std::set<std::string>* silent) {
  if (silent) std::erase_if(crew.workers, [silent](const launch::Worker& worker) { return silent->contains(worker.alias); });
  return crew;
}

void add_the_others(launch::Picture& picture, const launch::Crew& crew, std::set<std::string>* silent) {
  if (!silent) return;
  for (const launch::Worker& worker : crew.workers) {
    if (!silent->contains(worker.alias)) continue;
    picture.reports.emplace_back();
    picture.reports.back().worker = worker;
    picture.reports.back().trouble = "it did not answer a moment ago";
    if (!picture.progress.empty()) picture.progress.emplace_back();
  }
  for (const auto& report : picture.reports) {
    if (!report.reached) silent->insert(report.worker.alias);
  }
}

// What the workers' own record tells a machine that did not start the job.
bool learn(JobRecord& record, const std::vector<launch::WorkerReport>& reports) {
  for (const auto& report : reports) {
    Json told;
    if (report.record.empty() || !Json::try_parse(report.record, told)) continue;
    const JobRecord before = record;
    record.complete(JobRecord::from(told));
    return record.framework != before.framework || record.checkpoint_dir != before.checkpoint_dir || record.step_regex != before.step_regex ||
           record.resume_regex != before.resume_regex;
  }
  return false;
}

void set_text(Json& out, const char* name, const std::string& value) {
  if (!value.empty()) out.member(name) = value;
}

void describe_record(Json& out, const JobRecord& record) {
  set_text(out, "command", record.command);
  out.member("framework") = record.framework;
  set_text(out, "checkpointDir", record.checkpoint_dir);
  set_text(out, "started", record.started);
  set_text(out, "bucket", record.bucket);
  if (record.boots) out.member("startsAtBoot") = true;
}

void describe_reports(Json& out, const std::vector<launch::WorkerReport>& reports, const launch::Verdict& verdict) {
  out.member("state") = std::string(launch::outcome_name(verdict.outcome));
  set_text(out, "reason", verdict.evidence);
  out.member("attempt") = verdict.attempt;
  Json workers = Json::array();
  for (const auto& report : reports) workers.push(worker_view(report));
  out.member("workers") = std::move(workers);
}

// The machines are gone: what they have left in the bucket, or nothing.
void describe_gone(Context& context, Json& out, const JobRecord& record, const std::string& reason) {
  out.member("state") = "GONE";
  set_text(out, "reason", reason);
  if (record.bucket.empty()) return;
  try {
    std::vector<launch::WorkerReport> reports;
    for (auto& worker : kept_workers(context, record)) reports.push_back(std::move(worker.report));
    describe_reports(out, reports, launch::judge(reports, {}));
    out.member("source") = record.bucket;
  } catch (const Error& error) {
    if (error.kind != tpuctl::Kind::not_found) throw;
  }
}

void describe_incidents(Context& context, Json& out, const std::string& name) {
  constexpr std::size_t kLast = 20;
  const auto text = file::read_if_exists(JobStore(context.frame.config).incident_file(name));
  auto lines = text::split(text.value_or(""), '\n');
  if (!lines.empty() && lines.back().empty()) lines.pop_back();
  if (lines.empty()) return;
  if (lines.size() > kLast) lines.erase(lines.begin(), lines.end() - kLast);
  out.member("incidents") = Json::strings(lines);
}

}  // namespace

Json job_view(Context& context, const JobRecord& asked, bool costs, std::set<std::string>* silent) {
  JobRecord record = asked;
  Json out{{"name", record.name}, {"project", record.project}, {"zone", record.zone}, {"target", record.target.empty() ? "unknown" : record.target_text()}};
  describe_record(out, record);
  if (record.target.empty() || (context.args.row("bucket") && context.args.has("bucket"))) {
    describe_gone(context, out, record, "");
    return out;
  }
  JobWorld world(context, record);
  std::vector<launch::Slice> slices;
  try {
    if (const std::string state = machine_state(world.client(), record); !state.empty()) {
      out.member("state") = waits(state) ? "WAITING" : state.substr(0, state.find(':'));
      out.member("reason") = "queued resource [" + record.target.queued_resource + "] is " + state;
      return out;
    }
    slices = world.find_slices();
  } catch (const Error& error) {
    // Deleted, preempted, stopped: that is what there is to tell about the job. Trouble on our side is not.
    if (error.kind != tpuctl::Kind::not_found && error.kind != tpuctl::Kind::failure) throw;
    describe_gone(context, out, record, error.what());
    return out;
  }
  const launch::Crew all = launch::for_a_look(world.crew_of(slices));
  const launch::Crew crew = who_may_answer(all, silent);
  launch::Picture picture;
  if (costs) {
    picture = launch::ask_picture(crew, record.name, framework_of(record), record.checkpoint_dir);
  } else {
    picture.reports = launch::ask_status(crew, record.name);
  }
  add_the_others(picture, all, silent);
  const bool learned = learn(record, picture.reports);
  describe_record(out, record);
  std::vector<api::Name> names;
  for (const auto& slice : slices) names.push_back(slice.name);
  auto verdict = launch::judge(picture.reports, launch::slice_states(world.client(), names));
  if (const auto limit = context.args.row("stuck-after") ? context.args.duration("stuck-after") : std::nullopt) {
    verdict = launch::judge_silence(picture.reports, verdict, to_seconds(*limit));
  }
  describe_reports(out, picture.reports, verdict);
  out.member("autocheckpoint") = autocheckpoint_everywhere(slices);
  if (Json rows = announced(slices); !rows.empty()) out.member("maintenance") = std::move(rows);
  if (!costs) return out;
  if (learned) picture.progress = launch::ask_progress(crew, record.name, framework_of(record), record.checkpoint_dir);
  if (is_in_bucket(record) && !picture.progress.empty()) picture.progress[0].checkpoints = bucket_checkpoints(context, record);
  Json rows = Json::array();
  for (const auto& row : launch::interruptions(picture.reports, picture.progress)) rows.push(interruption_view(row));
  out.member("interruptions") = std::move(rows);
  describe_incidents(context, out, record.name);
  return out;
}

}  // namespace tpuctl::commands
