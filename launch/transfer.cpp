// SPDX-License-Identifier: Apache-2.0
#include "launch/transfer.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/process.hpp"
#include "base/text.hpp"

namespace tpuctl::launch {

namespace {

constexpr int kParallelCopies = 8;  // each holds the archive in memory while it is sent

// Says "have" or "need"; then unpacks stdin beside the old content and takes its place.
constexpr std::string_view kReceiver = R"sh(d=$HOME/$1 sum=$2
if [ "$(cat "$d/.tpuctl-sum" 2>/dev/null)" = "$sum" ]; then echo 'tpuctl: have'; exit 0; fi
echo 'tpuctl: need'
rm -rf "$d.new" && mkdir -p "$d.new" && tar -xzf - -C "$d.new" && echo "$sum" >"$d.new/.tpuctl-sum" &&
  rm -rf "$d" && mv "$d.new" "$d" && echo 'tpuctl: done')sh";

std::string pack(const std::string& dir) {
  process::Spec spec;
  spec.argv = {"tar", "--exclude=./.git", "-czf", "-", "-C", dir, "."};
  process::Result result = process::run(spec, {}, std::chrono::minutes(30));
  if (result.status != 0) {
    throw Error(Kind::failure, "The folder [" + dir + "] could not be packed: " + text::printable(text::trim(result.err)));
  }
  return std::move(result.out);
}

}  // namespace

void upload_workdir(const Crew& crew, const std::string& local_dir, const std::string& remote_dir, const Say& say) {
  if (!file::is_dir(local_dir)) throw Error(Kind::failure, "There is no folder [" + local_dir + "] to upload.");
  const std::string archive = pack(local_dir);
  const std::string sum = text::sha256_hex(archive);
  const std::string command =
      "exec sh -c " + text::shell_quote(kReceiver) + " tpuctl " + text::shell_quote(remote_dir) + " " + sum;
  std::vector<Task> tasks;
  for (const Worker& worker : crew.workers) {
    tasks.push_back({ssh_argv(crew.ssh, worker, command, {}, !worker.host_keys.empty()), "", true});
  }
  std::size_t sent = 0, kept = 0;
  std::vector<bool> good(crew.workers.size(), false);
  Fanout* fanout = nullptr;
  FanoutOptions options = crew.fanout;
  options.parallel = std::min(parallel_limit(options.parallel), kParallelCopies);
  Fanout round(std::move(tasks), options, [&](std::size_t i, Channel, std::string_view line) {
    if (line == "tpuctl: need") {
      ++sent;
      fanout->say(i, archive);
      fanout->close_input(i);
    } else if (line == "tpuctl: have" || line == "tpuctl: done") {
      if (line == "tpuctl: have") ++kept;
      good[i] = true;
      fanout->close_input(i);
    }
  });
  fanout = &round;
  const auto endings = round.run();
  std::string problems;
  for (std::size_t i = 0; i < endings.size(); ++i) {
    if (good[i]) continue;
    problems += "\n  " + crew.workers[i].label() + ": " +
                (endings[i].complaint.empty() ? fmt::format("ended with {}", endings[i].code) : endings[i].complaint);
  }
  if (!problems.empty()) throw Error(Kind::failure, "The files did not reach every worker:" + problems);
  if (say) {
    say(fmt::format("Uploaded [{}] to {} workers ({} KiB each); {} had it already.", local_dir, sent, (archive.size() + 1023) / 1024,
                    kept));
  }
}

}  // namespace tpuctl::launch
