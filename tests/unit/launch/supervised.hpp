// SPDX-License-Identifier: Apache-2.0
// The real supervisor.sh on this machine: each worker is a state folder, a device file and a metadata folder of its own.
#pragma once

#include <gmock/gmock.h>
#include <signal.h>
#include <unistd.h>

#include <string>
#include <vector>

#include "base/environment.hpp"
#include "base/process.hpp"
#include "base/signal.hpp"
#include "launch/job.hpp"
#include "launch/report.hpp"
#include "tests/support/temporary_folder.hpp"

namespace tpuctl::test {

/// Waits until `what` holds; how long that takes is nobody's business.
template <class What>
bool eventually(What&& what) {
  for (int i = 0; i < 3000; ++i) {
    if (what()) return true;
    usleep(10'000);
  }
  return what();
}

class Supervised : public ::testing::Test {
 protected:
  Supervised() {
    signals::install();
    env.set("PATH", folder / "bin" + ":/usr/local/bin:/usr/bin:/bin");
    env.set("HOME", folder / "home");
    env.set("TPUCTL_STATE_DIR", folder / "state");
    env.set("TPUCTL_ACCEL_DEVICE", folder.put("device", ""));
    file::make_dirs(folder / "home");
    file::make_dirs(folder / "metadata");
    // The machine's own, where there is one, would ask the real service.
    for (const char* tool : {"bin/gcloud", "bin/gsutil"}) folder.put_script(tool, "exit 1");
    // The metadata server: a file a value. Waiting for a change takes a moment, as there.
    folder.put_script("bin/curl", "for url; do :; done\ncase $url in *wait_for_change*) sleep 0.05 ;; esac\npath=${url%%\\?*}\nexec cat " + folder.path +
                                      "/metadata/\"${path##*/}\" 2>/dev/null");
  }
  ~Supervised() override {
    for (const std::string& job : jobs) verb({"stop", job, "0", "clearing"});
    // Whatever else has this folder in its environment.
    process::Spec spec;
    spec.argv = {"/bin/sh", "-c", "grep -lzs \"^TPUCTL_STATE_DIR=" + folder.path + "\" /proc/[0-9]*/environ | cut -d/ -f3 | while read -r pid; do [ \"$pid\" = $$ ] || kill -9 \"$pid\"; done; :"};
    process::run(spec);
  }

  /// The supervisor's text comes on stdin, then `input`, as over ssh.
  process::Result verb(const std::vector<std::string>& words, const std::string& input = {}) {
    process::Spec spec;
    spec.argv = {"/bin/sh", "-c", "S=$(head -c " + std::to_string(launch::supervisor_text().size()) + "); eval \"$S\"", "tpuctl"};
    spec.argv.insert(spec.argv.end(), words.begin(), words.end());
    spec.env = env.pairs();
    spec.directory = folder / "home";
    return process::run(spec, launch::supervisor_text() + input);
  }
  static std::string block(const std::string& name, const std::string& mode, const std::string& bytes) {
    return name + " " + mode + " " + std::to_string(bytes.size()) + "\n" + bytes;
  }
  static std::string files(const std::string& command, int number = 1, const std::string& variables = {}, const std::string& workdir = {}) {
    return block("number", "644", std::to_string(number) + "\n") + block("command", "644", command + "\n") + block("workdir", "644", workdir) +
           block("env", "600", variables) + "end\n";
  }
  std::string start(const std::string& job, const std::string& sent) {
    jobs.push_back(job);
    return verb({"start", job}, sent + "go\n").out;
  }
  launch::WorkerReport status(const std::string& job) {
    launch::WorkerReport out;
    for (const auto& line : text::split(verb({"status", job}).out, '\n')) launch::read_status_line(out, line);
    return out;
  }
  bool ended(const std::string& job) {
    return eventually([&] { return status(job).ended; });
  }
  std::string state(const std::string& job, const std::string& name) const { return folder / ("state/jobs/" + job + "/" + name); }
  std::string text_of(const std::string& job, const std::string& name) const { return file::read_if_exists(state(job, name)).value_or("(none)"); }
  void metadata(const std::string& name, const std::string& value) const { folder.put("metadata/" + name, value); }

  TemporaryFolder folder;
  Environment env;
  std::vector<std::string> jobs;
};

}  // namespace tpuctl::test
