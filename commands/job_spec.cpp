// SPDX-License-Identifier: Apache-2.0
// From the command line of `jobs run` and `jobs submit` to what the supervisors are given.
#include <fmt/format.h>
#include <sys/stat.h>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/text.hpp"
#include "commands/jobs.hpp"

namespace tpuctl::commands {

namespace {

using cli::Args;

// Lines NAME=VALUE; empty ones and comments are skipped.
cli::Pairs variables_of(const std::string& path) {
  cli::Pairs out;
  for (const std::string& line : text::split(file::read(path), '\n')) {
    const auto trimmed = text::trim(line);
    if (trimmed.empty() || trimmed[0] == '#') continue;
    const auto equals = trimmed.find('=');
    if (equals == std::string_view::npos) {
      throw Error(tpuctl::Kind::usage, "The file [" + path + "] has a line without NAME=VALUE.");
    }
    out.emplace_back(trimmed.substr(0, equals), trimmed.substr(equals + 1));
  }
  return out;
}

std::string lines_for_a_shell(const cli::Pairs& variables) {
  std::string out;
  for (const auto& [name, value] : variables) out += launch::env_line(name, value);
  return out;
}

cli::Pairs secrets_of(const Context& context) {
  if (!context.args.row("secret-file") || !context.args.has("secret-file")) return {};
  return variables_of(context.args.text("secret-file"));
}

}  // namespace

std::string command_text(const std::vector<std::string>& rest) { return rest.size() == 1 ? rest[0] : text::shell_join(rest); }

std::vector<std::string> secret_names(const Context& context) {
  std::vector<std::string> out;
  for (const auto& [name, value] : secrets_of(context)) out.push_back(name);
  return out;
}

void check_bucket(const std::string& bucket) {
  const std::string rest = bucket.starts_with("gs://") ? bucket.substr(5) : "";
  const bool plain = !rest.empty() && rest.front() != '/' && rest.back() != '/' && rest.find("//") == std::string::npos &&
                     rest.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./") == std::string::npos;
  if (!plain) throw Error(tpuctl::Kind::usage, "Invalid value for [--bucket]: [" + bucket + "].", "Use gs://BUCKET or gs://BUCKET/FOLDER.");
}

JobRecord new_job(Context& context, const std::string& name) {
  const Args& args = context.args;
  launch::check_job_name(name);
  JobRecord record;
  record.name = name;
  record.target = {args.row("tpu") ? args.list("tpu") : std::vector<std::string>(), args.row("queued-resource") ? args.text("queued-resource") : "",
                   args.row("prefix") ? args.text("prefix") : ""};
  record.project = context.project();
  record.zone = context.zone();
  record.command = command_text(args.rest());
  record.framework = args.text("framework");
  record.checkpoint_dir = args.text("checkpoint-dir");
  record.step_regex = args.text("step-regex");
  record.resume_regex = args.text("resume-regex");
  record.bucket = args.text("bucket");
  if (!record.bucket.empty()) check_bucket(record.bucket);
  record.delete_on = args.text("delete-on");
  record.started = rfc3339(context.frame.clock.now());
  const launch::Framework framework = framework_of(record);
  const launch::Release* release = launch::find_release(framework, args.row("workdir") ? args.text("workdir") : "");
  if (release && !release->trouble.empty()) context.warn(std::string(release->trouble) + ".");
  for (const std::string& missing : launch::lint(framework, record.command, release)) {
    context.warn("The command does not set " + missing + "; without it " + std::string(framework.name) +
                " saves nothing when maintenance comes.");
  }
  return record;
}

launch::JobSpec job_spec(const Context& context, const JobRecord& record, bool autocheckpoint, std::size_t workers) {
  const Args& args = context.args;
  launch::JobSpec spec;
  spec.name = record.name;
  spec.command = record.command;
  spec.env = launch::env_line("ENABLE_AUTOCHECKPOINT", autocheckpoint ? "true" : "false");
  if (args.has("env-file")) spec.env += lines_for_a_shell(variables_of(args.text("env-file")));
  spec.env += lines_for_a_shell(args.map("env"));
  spec.secrets = lines_for_a_shell(secrets_of(context));
  const launch::Framework framework = framework_of(record);
  if (framework.notice_decides) spec.options.emplace_back("marker", framework.notice);
  if (workers > 0) spec.options.emplace_back("workers", std::to_string(workers));
  spec.options.emplace_back("max-failures", std::to_string(args.integer("max-failures").value_or(0)));
  spec.options.emplace_back("max-preemptions", std::to_string(args.integer("max-preemptions").value_or(0)));
  if (!record.bucket.empty()) spec.options.emplace_back("bucket", record.bucket);
  if (record.boots) spec.options.emplace_back("boots", "yes");
  if (!spec.secrets.empty()) spec.options.emplace_back("secrets", "yes");
  spec.record = record.json().dump();
  return spec;
}

}  // namespace tpuctl::commands
