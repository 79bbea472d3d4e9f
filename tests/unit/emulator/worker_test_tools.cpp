// SPDX-License-Identifier: Apache-2.0
// The programs of a worker: those that stand in for the system's, the Python hook, and the example trainer.
#include <gmock/gmock.h>
#include <signal.h>

#include <filesystem>

#include "base/file.hpp"
#include "base/text.hpp"
#include "tests/unit/emulator/worker_test.hpp"

namespace tpuctl::emulator {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

/// The repository's examples/trainer.py, found from this file's own place.
std::string trainer() {
  return std::filesystem::weakly_canonical(std::filesystem::path(__FILE__).parent_path() / "../../../examples/trainer.py").string();
}

class WorkerToolsTest : public WorkerTest {};

TEST_F(WorkerToolsTest, SudoRunsTheCommandAsItStands) {
  start(1);
  struct {
    const char* command;
    int status;
    const char* out;
  } const rows[] = {
      {"sudo sh -c 'exit 4'", 4, ""},
      {"sudo -n -E -u root id -un", 0, nullptr},
      {"A=1 sudo -nE B=2 sh -c 'echo $A$B'", 0, "12\n"},
      {"sudo --preserve-env=X -H -- echo -n x", 0, "x"},
      {"echo 'echo $0 in' | sudo -S bash -s", 0, "bash in\n"},
      {"sudo -u nobody-here true", 1, ""},
      {"sudo -Z true", 1, ""},
      {"sudo -v", 0, ""},
      {"sudo", 1, ""},
  };
  for (const auto& row : rows) {
    const auto result = ssh(0, row.command);
    EXPECT_EQ(result.status, row.status) << row.command << result.err;
    EXPECT_EQ(result.out, row.out ? row.out : user_ + "\n") << row.command;
  }
}

TEST_F(WorkerToolsTest, LsofKnowsTheDevice) {
  start(2);
  auto holder = ssh_started(0, "exec 7<>$TPUCTL_ACCEL_DEVICE; echo $$; exec sleep 60");
  std::string pid;
  ASSERT_TRUE(eventually([&] { return !process::Child::drain(holder.out(), pid) || text::trim(pid).size() < pid.size(); }));
  for (const char* name : {"/dev/accel*", "/dev/accel0", "/dev/vfio/*", "$TPUCTL_ACCEL_DEVICE"}) {
    EXPECT_EQ(ssh(0, std::string("sudo lsof -w -t ") + name).out, pid) << name;
  }
  EXPECT_THAT(ssh(0, "lsof /dev/accel0").out, ContainsRegex("sleep +" + std::string(text::trim(pid)) + " .* 7u .*dev/accel0\n"));
  const auto none = ssh(1, "lsof -t /dev/accel0");
  EXPECT_EQ(none.status, 1);
  EXPECT_EQ(none.out, "");
}

TEST_F(WorkerToolsTest, ServiceManagersRefuse) {
  start(1);
  for (const char* command : {"sudo systemctl restart docker", "service ssh status", "sudo shutdown now"}) {
    const auto result = ssh(0, command);
    EXPECT_EQ(result.status, 1) << command;
    EXPECT_THAT(result.err, HasSubstr("emulated worker")) << command;
  }
  EXPECT_EQ(ssh(0, "true").status, 0);
}

TEST_F(WorkerToolsTest, RebootEndsAllAndBootsAgain) {
  pool_ = make_worker_pool(options());
  auto data = metadata(0);
  data.set("/instance/attributes/startup-script", "#!/bin/sh\necho boot >> boots\n");
  pool_->create(spec(0), data);
  ASSERT_TRUE(eventually([&] { return file::read_if_exists(home(0) + "/boots") == "boot\n"; }));
  auto session = ssh_started(0, "exec sleep 60");
  EXPECT_EQ(ssh(0, "sudo reboot").status, 255);
  EXPECT_EQ(session.wait(), 255);
  EXPECT_TRUE(eventually([&] { return file::read(home(0) + "/boots") == "boot\nboot\n"; }));
  EXPECT_TRUE(eventually([&] { return ssh(0, "true").status == 0; }));
}

TEST_F(WorkerToolsTest, WorkersReachEachOther) {
  start(2);
  file::append(home(0) + "/.ssh/id_ed25519", file::read(key_));
  const std::string far = spec(1).address;
  const auto result = ssh(0, "ssh -o StrictHostKeyChecking=accept-new " + far + " 'hostname; echo ${SSH_CLIENT%% *}' && echo hi > f && "
                             "scp -q f " + far + ":g && ls -a .ssh");
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_EQ(result.out, spec(1).hostname + "\n" + spec(0).address + "\n.\n..\nid_ed25519\nknown_hosts\n");
  EXPECT_EQ(file::read(home(1) + "/g"), "hi\n");
}

TEST_F(WorkerToolsTest, PythonHoldsTheDeviceWhenJaxIsImported) {
  start(1);
  const auto python = [&](const std::string& code) {
    return ssh(0, "python3 -c " + text::shell_quote(code + "; import subprocess; subprocess.call('lsof -t /dev/accel0 | wc -l', shell=True)"));
  };
  EXPECT_EQ(text::trim(python("import json").out), "0");
  EXPECT_EQ(python("import jax").status, 1) << "an absent module stays absent";
  file::make_dirs(home(0) + "/lib/jax/_src");
  file::append(home(0) + "/lib/jax/__init__.py", "from jax._src.cloud_tpu_init import cloud_tpu_init\ncloud_tpu_init()\n");
  file::append(home(0) + "/lib/jax/_src/__init__.py", "");
  file::append(home(0) + "/lib/jax/_src/cloud_tpu_init.py", "import os\nrunning_in_cloud_tpu_vm = False\n"
                                                                    "def cloud_tpu_init(): os.environ['TPU_SKIP_MDS_QUERY'] = '1'\n");
  file::append(home(0) + "/lib/sitecustomize.py", "import os; os.environ['MINE'] = 'kept'\n");
  const std::string path = "import sys; sys.path.insert(0, 'lib'); ";
  EXPECT_EQ(text::trim(python(path + "import importlib.util; importlib.util.find_spec('jax')").out), "0");
  EXPECT_EQ(text::trim(python(path + "import jax, os; print(jax._src.cloud_tpu_init.running_in_cloud_tpu_vm, "
                                     "'TPU_SKIP_MDS_QUERY' in os.environ, flush=True)").out), "True False\n1");
  const auto chained = ssh(0, "PYTHONPATH=$PYTHONPATH:$HOME/lib python3 -c 'import os, jax; print(os.environ[\"MINE\"])'");
  EXPECT_EQ(chained.out, "kept\n") << chained.err;
}

TEST_F(WorkerToolsTest, TrainerSavesTheSameStepEverywhereAndResumes) {
  start(2);
  const std::string run = trainer() + " --checkpoint-dir " + dir_ + "/bucket --steps 100000 --step-seconds 0.02";
  process::Child workers[] = {ssh_started(0, run), ssh_started(1, run)};
  std::string said[2];
  const auto listen = [&](int i) { return process::Child::drain(workers[i].out(), said[i]); };
  ASSERT_TRUE(eventually([&] { return !listen(0) || said[0].find("\nstep 13 ") != std::string::npos; }));
  EXPECT_THAT(said[0], HasSubstr("starting from step 0\nstep 1 loss "));
  EXPECT_THAT(said[0], HasSubstr("saved checkpoint at step 10 (regular)\n"));
  EXPECT_EQ(pool_->signal_holders(spec(1).id, SIGTERM), 1);
  for (int i = 0; i < 2; ++i) {
    EXPECT_TRUE(eventually([&] { return !listen(i); }));
    EXPECT_EQ(workers[i].wait(), 0);
  }
  EXPECT_THAT(said[1], HasSubstr("SIGTERM received at step "));
  EXPECT_THAT(said[0], Not(HasSubstr("SIGTERM received at step ")));
  const auto last = [](const std::string& text) { return text.substr(text.rfind("saved checkpoint")); };
  EXPECT_THAT(last(said[0]), HasSubstr("(unscheduled)"));
  EXPECT_EQ(last(said[0]), last(said[1]));
  const std::string step = text::split(last(said[0]), ' ')[4];
  EXPECT_TRUE(file::exists(dir_ + "/bucket/" + step + "/commit_success.txt"));

  const int more = static_cast<int>(text::parse_int(step).value_or(0)) + 3;
  const std::string again = trainer() + " --checkpoint-dir " + dir_ + "/bucket --step-seconds 0.02 --steps " + std::to_string(more);
  auto other = ssh_started(1, again);
  const auto result = ssh(0, again);
  EXPECT_EQ(result.status, 0);
  EXPECT_THAT(result.out, HasSubstr("resumed from checkpoint at step " + step + "\nstep " + std::to_string(more - 2) + " "));
  EXPECT_THAT(result.out, HasSubstr("finished at step " + std::to_string(more) + "\n"));
  EXPECT_EQ(other.wait(), 0);
}

TEST_F(WorkerToolsTest, TrainerNoticesALostWorker) {
  start(2);
  const std::string run = trainer() + " --checkpoint-dir " + dir_ + "/bucket --step-seconds 0.02 --peer-timeout 3";
  auto lost = ssh_started(1, run);
  auto left = ssh_started(0, run);
  std::string said;
  ASSERT_TRUE(eventually([&] { return !process::Child::drain(left.out(), said) || said.find("step 3 ") != std::string::npos; }));
  pool_->halt(spec(1).id);
  EXPECT_TRUE(eventually([&] { return !process::Child::drain(left.out(), said); }));
  EXPECT_EQ(left.wait(), 1);
  EXPECT_THAT(said, testing::EndsWith("lost contact with worker 1\n"));
}

}  // namespace
}  // namespace tpuctl::emulator
