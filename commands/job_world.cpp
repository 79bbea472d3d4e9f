// SPDX-License-Identifier: Apache-2.0
#include "commands/job_world.hpp"

#include <algorithm>
#include <filesystem>
#include <functional>

#include "api/operations.hpp"
#include "base/error.hpp"
#include "base/file.hpp"
#include "base/text.hpp"
#include "launch/startup.hpp"

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
              {"started", started},
              {"bucket", bucket},
              {"deleteOn", delete_on},
              {"boots", boots}};
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
  out.bucket = json["bucket"].text();
  if (!json["deleteOn"].text().empty()) out.delete_on = json["deleteOn"].text();
  out.boots = json["boots"].boolean();
  return out;
}

void JobRecord::complete(const JobRecord& other) {
  auto take = [](std::string& mine, const std::string& theirs) {
    if (mine.empty()) mine = theirs;
  };
  take(command, other.command);
  take(checkpoint_dir, other.checkpoint_dir);
  take(step_regex, other.step_regex);
  take(resume_regex, other.resume_regex);
  take(bucket, other.bucket);
  take(started, other.started);
  if (framework == "generic" && !other.framework.empty()) framework = other.framework;
  boots = boots || other.boots;
}

JobStore::JobStore(const cli::Config& config) : dir_(config.directory() + "/tpuctl/jobs") {}
std::string JobStore::path(const std::string& name) const { return dir_ + "/" + name + ".json"; }
void JobStore::save(const JobRecord& record) { file::write_atomic(path(record.name), record.json().pretty() + "\n"); }
void JobStore::forget(const std::string& name) {
  file::remove(path(name));
  file::remove(incident_file(name));
}
std::string JobStore::incident_file(const std::string& name) const { return dir_ + "/" + name + ".incidents"; }
void JobStore::note_incident(const std::string& name, TimePoint time, const std::string& line) {
  file::make_dirs(dir_);
  file::append(incident_file(name), rfc3339(time) + " " + line + "\n");
}

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

namespace {

// The job that a queued resource's label tells of; no name: none.
JobRecord labelled(const Json& queued) {
  JobRecord out;
  const auto name = api::parse_name(queued["name"].text());
  const Json& node = queued.at("/tpu/nodeSpec/0/node");
  out.name = node["labels"][std::string(kJobLabel)].text();
  if (!name || out.name.empty()) return {};
  out.project = name->project;
  out.zone = name->location;
  out.target.queued_resource = name->id;
  out.started = queued["createTime"].text();
  out.boots = !launch::job_of_script(node["metadata"]["startup-script"].text()).empty();
  return out;
}

void each_labelled(Context& context, const std::function<bool(JobRecord)>& job) {
  const auto project = context.frame.config.get("core/project");
  const bool zone_given = context.args.row("zone") && context.args.has("zone");
  if (!project || !(zone_given || context.frame.config.get("compute/zone"))) return;
  api::Client client = context.tpu("v2alpha1");
  std::vector<std::string> unreachable;
  client.list({*project, context.zone(), "queuedResources", ""}, 0,
              [&](const Json& row) {
                JobRecord found = labelled(row);
                return found.name.empty() || job(std::move(found));
              },
              unreachable);
}

}  // namespace

std::vector<JobRecord> labelled_jobs(Context& context) {
  std::vector<JobRecord> out;
  each_labelled(context, [&out](JobRecord found) {
    out.push_back(std::move(found));
    return true;
  });
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
  } else if (!target.empty()) {
    record.name = name;
    record.target = std::move(target);
    record.project = context.project();
    record.zone = context.zone();
  } else {
    each_labelled(context, [&](JobRecord found) {
      if (found.name != name) return true;
      record = std::move(found);
      return false;
    });
    if (record.name.empty() && args.row("bucket") && args.has("bucket")) {
      record.name = name;  // its machines may be gone; what it left is in the bucket
    } else if (record.name.empty()) {
      throw Error(tpuctl::Kind::not_found, "Job [" + name + "] is not known on this machine, and no queued resource of the zone carries its label.",
                  "Say where it runs: --tpu=TPU, --queued-resource=QUEUED_RESOURCE or --prefix=PREFIX");
    }
  }
  auto given = [&](std::string_view flag, std::string& into) {
    if (args.row(flag) && args.has(flag)) into = args.text(flag);
  };
  given("framework", record.framework);
  given("checkpoint-dir", record.checkpoint_dir);
  given("step-regex", record.step_regex);
  given("resume-regex", record.resume_regex);
  given("bucket", record.bucket);
  given("delete-on", record.delete_on);
  return record;
}

std::optional<api::Name> queued_resource_of(const JobRecord& record) {
  if (record.target.queued_resource.empty()) return {};
  return api::parse_name(record.target.queued_resource)
      .value_or(api::Name{record.project, record.zone, "queuedResources", record.target.queued_resource});
}

std::string machine_state(api::Client& client, const JobRecord& record) {
  const auto name = queued_resource_of(record);
  if (!name) return {};
  const Json resource = client.get(*name);
  const std::string state = api::state_of(resource);
  if (state == "ACTIVE" || state == "SUSPENDING") return {};
  const std::string reason = api::state_reason(resource);
  return state + (reason.empty() ? "" : ": " + reason);
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

void JobWorld::note_incident(const std::string& line) const {
  JobStore(context_.frame.config).note_incident(record_.name, context_.frame.clock.now(), line);
}

launch::WatchWorld JobWorld::watch_world() {
  return {client_, context_.frame.clock, [this] { return find_slices(); },
          [this](const std::vector<launch::Slice>& slices) { return crew_of(slices); },
          [this](const std::string& line) {
            context_.say(line);
            note_incident(line);
          },
          [this](const std::string& line) {
            context_.warn(line);
            note_incident("WARNING: " + line);
          },
          [this](std::string_view bytes) {
            context_.frame.io.out(bytes);
            context_.frame.io.flush();
          },
          queued_resource_of(record_),
          spec_,
          deliver_};
}

std::vector<api::Name> JobWorld::node_names() {
  if (queued_resource_of(record_)) return {};
  return launch::find_nodes(client_, record_.target, record_.project, record_.zone);
}

std::string JobWorld::taken() {
  if (const auto queued = queued_resource_of(record_)) {
    const bool suspended = api::state_of(client_.get(*queued)) == "SUSPENDED";
    return suspended ? "queued resource [" + queued->id + "] is SUSPENDED" : "";
  }
  for (const launch::SliceState& slice : launch::slice_states(client_, node_names())) {
    if (slice.state == "PREEMPTED" || slice.state == "TERMINATED") return "TPU VM [" + slice.node + "] is " + slice.state;
  }
  return {};
}

bool JobWorld::boots_by_itself() {
  const auto queued = queued_resource_of(record_);
  const Json resource = client_.get(queued ? *queued : node_names().at(0));
  const Json& node = queued ? resource.at("/tpu/nodeSpec/0/node") : resource;
  return launch::job_of_script(node.at("/metadata/startup-script").text()) == record_.name;
}

void JobWorld::wait_for_machines(std::optional<Duration> timeout) {
  const std::string state = machine_state(client_, record_);
  if (state.empty()) return;
  const api::Name name = *queued_resource_of(record_);
  api::WaitLimits limits;
  limits.timeout = timeout;
  std::string told;
  api::wait_for_state(client_, name, api::queued_resource_rules("ACTIVE"), limits, [&](const std::string& now) {
    const bool over = now == "ACTIVE" || now == "FAILED" || now == "SUSPENDED";  // which is told another way
    if (now != told && !over) context_.say("Job [" + record_.name + "] waits for its machines: queued resource [" + name.id + "] is " + now + ".");
    told = now;
  });
}

}  // namespace tpuctl::commands
