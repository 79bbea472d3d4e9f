// SPDX-License-Identifier: Apache-2.0
#include "launch/watch_warnings.hpp"

namespace tpuctl::launch {

std::string disk_command(const std::string& worker) {
  const auto slash = worker.rfind('/');
  return "tpuctl tpu-vm ssh " + worker.substr(0, slash) + " --worker=" + worker.substr(slash + 1) + " --command='df -h; du -xsh ~/* /tmp/*'";
}

void WatchWarnings::of_deaf_holders(const std::vector<WorkerReport>& reports) {
  for (const WorkerReport& report : reports) {
    if (report.holders == 0 || report.catches_sigterm) continue;
    warn_("the program on " + report.worker.label() + " does not catch SIGTERM: nothing will be saved when maintenance comes.");
    return;
  }
}

void WatchWarnings::of_full_disks(const std::vector<WorkerReport>& reports) {
  for (const WorkerReport& report : reports) {
    const Attempt* end = report.finished(report.attempt);
    const std::string who = report.worker.label();
    if (report.no_room.empty() || (end && end->code != 0) || !full_told_.insert(who).second) continue;
    warn_("the disk of " + who + " is full, so that its log" + (report.no_room.starts_with('/') ? " (in " + report.no_room + ")" : "") +
          " and its checkpoints have gaps. Make room: " + disk_command(who));
  }
}

}  // namespace tpuctl::launch
