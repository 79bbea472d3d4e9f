// SPDX-License-Identifier: Apache-2.0
#include "commands/job_world.hpp"

#include <algorithm>
#include <filesystem>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/text.hpp"

namespace tpuctl::commands {

std::string JobRecord::target_text() const {
  if (!target.queued_resource.empty()) return "queued-resource " + target.queued_resource;
  if (!target.prefix.empty()) return "prefix " + target.prefix;
  return "tpu " + text::join(target.tpus, ",");
}

Json JobRecord::json() const {
  return Json{{"name", name},
              {"project", project},
              {"zone", zone},
              {"tpus", Json::strings(target.tpus)},
              {"queuedResource", target.queued_resource},
              {"prefix", target.prefix},
              {"command", command},
              {"framework", framework},
              {"checkpointDir", checkpoint_dir},
              {"stepRegex", step_regex},
              {"resumeRegex", resume_regex},
              {"started", started}};
}

JobRecord JobRecord::from(const Json& json) {
  JobRecord out;
  out.name = json["name"].text();
  out.project = json["project"].text();
  out.zone = json["zone"].text();
  for (const Json& tpu : json["tpus"].items()) out.target.tpus.push_back(tpu.text());
  out.target.queued_resource = json["queuedResource"].text();
  out.target.prefix = json["prefix"].text();
  out.command = json["command"].text();
  out.framework = json["framework"].text();
  out.checkpoint_dir = json["checkpointDir"].text();
  out.step_regex = json["stepRegex"].text();
  out.resume_regex = json["resumeRegex"].text();
  out.started = json["started"].text();
  return out;
}

JobStore::JobStore(const cli::Config& config) : dir_(config.directory() + "/tpuctl/jobs") {}
std::string JobStore::path(const std::string& name) const { return dir_ + "/" + name + ".json"; }
void JobStore::save(const JobRecord& record) { file::write_atomic(path(record.name), record.json().pretty() + "\n"); }
void JobStore::forget(const std::string& name) { file::remove(path(name)); }

std::optional<JobRecord> JobStore::load(const std::string& name) const {
  const auto body = file::read_if_exists(path(name));
  Json json;
  if (!body || !Json::try_parse(*body, json)) return {};
  return JobRecord::from(json);
}

std::vector<JobRecord> JobStore::all() const {
  std::vector<std::string> names;
  std::error_code none;
  for (const auto& entry : std::filesystem::directory_iterator(dir_, none)) {
    if (entry.path().extension() == ".json") names.push_back(entry.path().stem().string());
  }
  std::sort(names.begin(), names.end());
  std::vector<JobRecord> out;
  for (const auto& name : names) {
    if (auto record = load(name)) out.push_back(std::move(*record));
  }
  return out;
}

JobRecord job_record(Context& context, const std::string& name) {
  const cli::Args& args = context.args;
  launch::check_job_name(name);
  JobRecord record;
  launch::Target target{args.list("tpu"), args.text("queued-resource"), args.text("prefix")};
  auto remembered = JobStore(context.frame.config).load(name);
  if (remembered && target.empty()) {
    record = *remembered;
  } else if (target.empty()) {
    throw Error(tpuctl::Kind::not_found, "Job [" + name + "] is not known on this machine.",
                "Say where it runs: --tpu=TPU, --queued-resource=QUEUED_RESOURCE or --prefix=PREFIX");
  } else {
    record.name = name;
    record.target = std::move(target);
    record.project = context.project();
    record.zone = context.zone();
  }
  if (args.row("framework") && args.has("framework")) record.framework = args.text("framework");
  if (args.row("checkpoint-dir") && args.has("checkpoint-dir")) record.checkpoint_dir = args.text("checkpoint-dir");
  if (args.row("step-regex") && args.has("step-regex")) record.step_regex = args.text("step-regex");
  if (args.row("resume-regex") && args.has("resume-regex")) record.resume_regex = args.text("resume-regex");
  return record;
}

launch::Framework framework_of(const JobRecord& record) {
  const launch::Framework* row = launch::find_framework(record.framework);
  launch::Framework out = row ? *row : *launch::find_framework("generic");
  if (!record.step_regex.empty()) out.step = record.step_regex;
  if (!record.resume_regex.empty()) out.resume = record.resume_regex;
  return out;
}

JobWorld::JobWorld(Context& context, JobRecord record)
    : context_(context), record_(std::move(record)), client_(context.tpu("v2alpha1")), ssh_(ssh_settings(context, "")) {}

std::vector<launch::Slice> JobWorld::find_slices() {
  const auto names = launch::find_nodes(client_, record_.target, record_.project, record_.zone);
  auto slices = launch::read_slices(client_, names, context_.args.on("internal-ip"), warner(context_));
  prepare_workers(context_, client_, slices, ssh_);
  return slices;
}

launch::Crew JobWorld::crew_of(const std::vector<launch::Slice>& slices) const {
  return {launch::all_workers(slices), ssh_, fanout_options(context_)};
}

launch::WatchWorld JobWorld::watch_world() {
  return {client_, context_.frame.clock, [this] { return find_slices(); },
          [this](const std::vector<launch::Slice>& slices) { return crew_of(slices); },
          teller(context_),
          [this](std::string_view bytes) {
            context_.frame.io.out(bytes);
            context_.frame.io.flush();
          }};
}

}  // namespace tpuctl::commands
