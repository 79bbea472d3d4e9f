// SPDX-License-Identifier: Apache-2.0
#include "commands/files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/text.hpp"
#include "commands/remote.hpp"
#include "commands/storage.hpp"

namespace tpuctl::commands {

namespace {

std::string counted(std::size_t count, std::string_view noun) { return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s"); }

// How far a transfer is: on a terminal one line that is written over, elsewhere a line now and then.
class TransferLine {
 public:
  TransferLine(cli::Streams& io, const Clock& clock) : io_(io), clock_(clock), start_(clock.now()), told_(start_) {}
  ~TransferLine() {
    if (io_.err_tty) io_.status("");
  }
  TransferLine(const TransferLine&) = delete;
  TransferLine& operator=(const TransferLine&) = delete;

  void show(const launch::TransferState& state) {
    const TimePoint now = clock_.now();
    if (now - told_ < (io_.err_tty ? Duration(std::chrono::milliseconds(100)) : Duration(std::chrono::seconds(15)))) return;
    told_ = now;
    std::string line = fmt::format("{} of {} workers have it", state.settled, state.workers);
    if (state.to_send > 0) {
      line = fmt::format("{} of {} sent, {}/s; ", human_bytes(std::min(state.sent, state.to_send)), human_bytes(state.to_send), rate(state.sent)) + line;
    }
    if (io_.err_tty) {
      io_.status(cli::elide(line, io_.width - 1));
    } else {
      io_.say(line + "\n");
    }
  }
  std::string rate(std::int64_t bytes) const {
    const double passed = std::max(to_seconds(clock_.now() - start_), 0.001);
    return human_bytes(static_cast<std::int64_t>(static_cast<double>(bytes) / passed));
  }
  Duration passed() const { return clock_.now() - start_; }

 private:
  cli::Streams& io_;
  const Clock& clock_;
  TimePoint start_;
  TimePoint told_;
};

launch::Carriers carriers_of(const Context& context, api::Storage& storage) {
  launch::Carriers out;
  std::string bucket = context.frame.config.get_or("jobs/bucket", "");
  if (bucket.empty()) return out;
  if (!bucket.starts_with("gs://")) bucket.insert(0, "gs://");
  const api::StorageUrl url = api::parse_storage_url(bucket);
  out.storage = &storage;
  out.bucket = url.bucket;
  out.prefix = url.name + (url.name.empty() || url.name.ends_with('/') ? "" : "/") + "tpuctl/files/";
  return out;
}

// "1 from here, 3 from other workers"
std::string origins(const launch::TransferResult& result) {
  std::vector<std::string> parts;
  if (result.from_bucket > 0) parts.push_back(fmt::format("{} from the bucket", result.from_bucket));
  if (result.copied > 0) parts.push_back(fmt::format("{} from here", result.copied));
  if (result.relayed > 0) parts.push_back(fmt::format("{} from other workers", result.relayed));
  if (result.kept > 0) parts.push_back(fmt::format("{} had it already", result.kept));
  return text::join(parts, ", ");
}

launch::TransferResult send(Context& context, const launch::Crew& crew, const std::vector<launch::ArchiveEntry>& entries,
                            const launch::Delivery& delivery) {
  const launch::Archive archive(entries);
  context.say(fmt::format("Sending {}, {} packed, to {}...", counted(archive.files(), "file"), human_bytes(archive.size()),
                          counted(crew.workers.size(), "worker")));
  api::Storage storage = storage_of(context);
  launch::TransferResult result;
  std::string rate, time;
  try {
    TransferLine line(context.frame.io, context.frame.clock);
    const launch::TransferReport report{teller(context), warner(context), [&line](const launch::TransferState& state) { line.show(state); }};
    result = launch::send_files(crew, archive, delivery, carriers_of(context, storage), report);
    rate = line.rate(result.sent);
    time = human_duration(line.passed());
  } catch (Error& error) {
    const bool stopped = error.kind == tpuctl::Kind::interrupted || error.kind == tpuctl::Kind::terminated;
    if (stopped && error.hint.empty()) {
      error.hint = "Workers that had not got everything are as they were. The same command goes on where this one stopped.";
    }
    throw;
  }
  if (result.troubles.size() < crew.workers.size()) {
    context.say(fmt::format("Sent in {}, {}/s: {}. {} bytes left this machine for an archive of {}.", time, rate, origins(result),
                            result.sent, archive.size()));
  }
  return result;
}

// "\n  pod/1: why", a line for each.
std::string list_of(const launch::TransferResult& result, const launch::Crew& crew) {
  std::string out;
  for (const auto& trouble : result.troubles) out += "\n  " + crew.workers[trouble.worker].label() + ": " + trouble.why;
  return out;
}

bool all_connected(const launch::TransferResult& result) {
  return std::all_of(result.troubles.begin(), result.troubles.end(), [](const auto& trouble) { return trouble.connected; });
}

}  // namespace

void send_workdir(Context& context, const launch::Crew& crew, const std::string& folder, const std::string& place) {
  if (!file::is_dir(folder)) throw Error(tpuctl::Kind::failure, "There is no folder [" + folder + "] to send.");
  const auto result = send(context, crew, launch::entries_of_workdir(folder, warner(context)), {place, true});
  if (result.troubles.empty()) return;
  throw Error(all_connected(result) ? tpuctl::Kind::failure : tpuctl::Kind::no_connection,
              "The files did not reach every worker:" + list_of(result, crew), "The same command goes on where this one stopped.");
}

int send_sources(Context& context, const launch::Crew& crew, const std::vector<std::string>& sources, const std::string& place) {
  const auto result = send(context, crew, launch::entries_of_sources(sources, warner(context)), {place, false});
  if (result.troubles.empty()) return 0;
  context.say(fmt::format("{} of {} workers failed:{}", result.troubles.size(), crew.workers.size(), list_of(result, crew)));
  return all_connected(result) ? 1 : 255;
}

}  // namespace tpuctl::commands
