// SPDX-License-Identifier: Apache-2.0
// jobs logs: from the workers, or from the bucket once they are gone.
#include <algorithm>

#include "base/error.hpp"
#include "base/text.hpp"
#include "commands/job_bucket.hpp"
#include "commands/jobs.hpp"

namespace tpuctl::commands {

namespace {

using cli::Args;
using cli::Frame;

struct ReaderGone {};

[[noreturn]] void no_such_worker(const std::string& wanted) {
  throw Error(tpuctl::Kind::failure, "The job has no worker [" + wanted + "].", "Workers are named TPU/NUMBER.");
}

int print_from_workers(Context& context, JobWorld& world) {
  const Args& args = context.args;
  cli::Streams& io = context.frame.io;
  launch::Crew crew = world.crew_of(world.find_slices());
  const std::string wanted = args.text("worker");
  if (wanted.empty()) crew.workers.resize(1);
  if (!wanted.empty() && wanted != "all") {
    std::erase_if(crew.workers, [&wanted](const launch::Worker& worker) { return worker.label() != wanted; });
    if (crew.workers.empty()) no_such_worker(wanted);
  }
  const auto since = args.duration("since");
  const std::vector<std::string> words = {"log", world.record().name, "0", args.on("follow") ? "follow" : "once",
                                          args.has("tail") ? std::to_string(*args.integer("tail")) : "",
                                          since ? std::to_string(static_cast<long>(to_seconds(*since))) : ""};
  std::vector<launch::Task> tasks;
  for (const auto& worker : crew.workers) {
    tasks.push_back(launch::supervisor_task(crew, worker, words));
    tasks.back().keep_open = args.on("follow");
  }
  launch::Fanout fanout(std::move(tasks), crew.fanout, [&](std::size_t i, launch::Channel channel, std::string_view line) {
    const std::string prefix = crew.workers.size() == 1 ? "" : "[" + crew.workers[i].label() + "] ";
    if (channel == launch::Channel::out) io.out(prefix + std::string(line) + "\n");
    if (channel == launch::Channel::err) context.say(prefix + std::string(line));
    if (args.on("follow")) io.flush();
    if (io.out_closed) throw ReaderGone{};
  });
  try {
    const auto endings = fanout.run();
    for (std::size_t i = 0; i < endings.size(); ++i) {
      const launch::Ending& ending = endings[i];
      if (ending.code == 0) continue;
      throw Error(ending.connected ? tpuctl::Kind::failure : tpuctl::Kind::no_connection,
                  "The log of " + crew.workers[i].label() + " cannot be read any further: " +
                      (ending.complaint.empty() ? "the connection broke." : ending.complaint));
    }
    return 0;
  } catch (const ReaderGone&) {
    return 0;  // whoever read has seen enough
  }
}

int print_from_bucket(Context& context, const JobRecord& record) {
  const Args& args = context.args;
  const std::string wanted = args.text("worker");
  auto workers = kept_workers(context, record);
  if (wanted.empty()) workers.resize(1);
  if (!wanted.empty() && wanted != "all") {
    std::erase_if(workers, [&wanted](const KeptWorker& worker) { return worker.label() != wanted; });
    if (workers.empty()) no_such_worker(wanted);
  }
  const auto since = args.duration("since");
  const auto from = since ? std::optional(context.frame.clock.now() - *since) : std::nullopt;
  for (const KeptWorker& worker : workers) {
    auto lines = text::split(kept_log(context, worker, from), '\n');
    if (!lines.empty() && lines.back().empty()) lines.pop_back();
    const auto tail = static_cast<std::size_t>(args.has("tail") ? *args.integer("tail") : -1);
    const std::size_t first = lines.size() > tail ? lines.size() - tail : 0;
    const std::string prefix = workers.size() == 1 ? "" : "[" + worker.label() + "] ";
    for (std::size_t i = first; i < lines.size(); ++i) context.frame.io.out(prefix + lines[i] + "\n");
  }
  return 0;
}

}  // namespace

int run_jobs_logs(Frame& frame, const Args& args) {
  Context context(frame, args);
  return with_credential_words(context, [&] {
    const JobRecord record = job_record(context, args.positional("JOB"));
    if (!record.bucket.empty()) check_bucket(record.bucket);
    if (args.has("bucket")) return print_from_bucket(context, record);
    JobWorld world(context, record);
    try {
      const std::string state = machine_state(world.client(), record);
      if (!state.empty()) {
        throw Error(tpuctl::Kind::failure, "Job [" + record.name + "] has no log yet: queued resource [" + record.target.queued_resource + "] is " + state + ".",
                    "Wait for it: tpuctl jobs attach " + record.name);
      }
      return print_from_workers(context, world);
    } catch (const Error& error) {
      if (record.bucket.empty() || (error.kind != tpuctl::Kind::not_found && error.kind != tpuctl::Kind::no_connection)) throw;
      context.say("Its machines are gone; from " + record.bucket + ":");
      return print_from_bucket(context, record);
    }
  });
}

}  // namespace tpuctl::commands
