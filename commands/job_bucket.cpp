// SPDX-License-Identifier: Apache-2.0
#include "commands/job_bucket.hpp"

#include <algorithm>
#include <map>

#include "base/error.hpp"
#include "base/text.hpp"
#include "commands/storage.hpp"

namespace tpuctl::commands {

namespace {

std::string content_of(api::Storage& storage, const api::StoredObject& object) {
  std::string out;
  storage.download(object, [&out](std::string_view bytes) { out += bytes; });
  return out;
}

}  // namespace

std::vector<KeptWorker> kept_workers(Context& context, const JobRecord& record) {
  const std::string place = record.bucket.substr(5);
  const auto slash = place.find('/');
  const std::string bucket = place.substr(0, slash);
  const std::string prefix = (slash == std::string::npos ? "" : place.substr(slash + 1) + "/") + record.name + "/";
  api::Storage storage = storage_of(context);
  std::map<std::pair<std::string, int>, KeptWorker> workers;
  storage.list(
      {.bucket = bucket, .prefix = prefix},
      [&](api::StoredObject object) {
        const auto parts = text::split(object.name.substr(prefix.size()), '/');
        const auto index = parts.size() == 3 ? text::parse_int(parts[1]) : std::nullopt;
        if (!index) return true;
        KeptWorker& worker = workers[{parts[0], static_cast<int>(*index)}];
        worker.report.worker.node = parts[0];
        worker.report.worker.index = static_cast<int>(*index);
        if (parts[2] == "status") {
          for (const auto& line : text::split(content_of(storage, object), '\n')) launch::read_status_line(worker.report, line);
        } else if (parts[2].starts_with("log-")) {
          worker.pieces.push_back(std::move(object));
        }
        return true;
      },
      [](const std::string&) { return true; });
  if (workers.empty()) {
    throw Error(tpuctl::Kind::not_found, "There is nothing of job [" + record.name + "] in " + record.bucket + ".");
  }
  std::vector<KeptWorker> out;
  for (auto& [key, worker] : workers) out.push_back(std::move(worker));  // pieces came by name, and so in order
  return out;
}

std::string kept_log(Context& context, const KeptWorker& worker, std::optional<TimePoint> since) {
  api::Storage storage = storage_of(context);
  std::string out;
  for (const api::StoredObject& piece : worker.pieces) {
    const auto written = parse_rfc3339(piece.created);
    if (since && written && *written < *since) continue;
    out += content_of(storage, piece);
  }
  return out;
}

}  // namespace tpuctl::commands
