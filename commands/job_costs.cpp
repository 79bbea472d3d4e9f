// SPDX-License-Identifier: Apache-2.0
#include "commands/job_costs.hpp"

#include "base/error.hpp"
#include "commands/storage.hpp"
#include "launch/checkpoint_bucket.hpp"

namespace tpuctl::commands {

namespace {
void set_known(Json& out, const char* name, const std::optional<long>& value) {
  if (value) out.member(name) = static_cast<std::int64_t>(*value);
}
}  // namespace

Json interruption_view(const launch::Interruption& row) {
  Json out{{"attempt", row.attempt}, {"source", row.source.empty() ? "none" : row.source}};
  set_known(out, "lastRegularCheckpoint", row.last_regular);
  set_known(out, "stepAtNotice", row.step_at_notice);
  set_known(out, "lastStep", row.last_step);
  set_known(out, "savedAt", row.saved_at);
  set_known(out, "resumedAt", row.resumed_at);
  set_known(out, "stepsLost", row.lost);
  if (row.seconds_to_exit) out.member("secondsToExit") = static_cast<double>(static_cast<long>(*row.seconds_to_exit * 10)) / 10;
  return out;
}

std::vector<launch::Checkpoint> bucket_checkpoints(Context& context, const JobRecord& record) {
  try {
    api::Storage storage = storage_of(context);
    return launch::list_checkpoints(storage, record.checkpoint_dir, framework_of(record));
  } catch (const Error& error) {
    if (error.kind == tpuctl::Kind::interrupted || error.kind == tpuctl::Kind::terminated) throw;
    context.warn("The checkpoints in [" + record.checkpoint_dir + "] could not be listed: " + error.what());
    return {};
  }
}

}  // namespace tpuctl::commands
