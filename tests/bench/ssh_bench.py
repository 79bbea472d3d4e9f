#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How fast one command runs on many workers, beside `xargs -P` of plain ssh to the same addresses with the same key.

The workers are the emulator's, each with an sshd of its own on loopback. Every round runs plain ssh, then tpuctl without and
then tpuctl with connections to share. Best times count. Bars: the first time at most 1.1 times xargs, the second at least 5
times faster than the first. With --check a missed bar is exit code 1.

    tests/bench/ssh_bench.py --program=build/release/tpuctl [--workers=32,128,512] [--parallel=32] [--rounds=3] [--check]

--emulator=DIR uses an emulator that runs already and has a node called big with enough workers.
"""
import argparse
import os
import pathlib
import resource
import shutil
import subprocess
import sys
import tempfile
import time

FIRST_BAR = 1.1
SECOND_BAR = 5.0
CHIPS_PER_WORKER = 8  # a v4 type's number counts cores: 8 to a host


def timed(command, env, stdin=None):
    before = os.times()
    start = time.monotonic()
    done = subprocess.run(command, env=env, stdin=stdin or subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    spent = time.monotonic() - start
    after = os.times()
    if done.returncode != 0:
        sys.exit(f"{command[0]} failed with {done.returncode}: {done.stderr[-500:]}")
    return spent, after.children_user + after.children_system - before.children_user - before.children_system, done.stdout


class Bench:
    def __init__(self, program, folder, emulator):
        self.program, self.folder, self.started = program, folder, not emulator
        self.env = {**{k: v for k, v in os.environ.items() if not k.startswith("CLOUDSDK_")}, "HOME": str(folder),
                    "TPUCTL_EMULATOR_DIR": emulator or str(folder / "emulator"), "XDG_RUNTIME_DIR": str(folder / "run")}
        (folder / "run").mkdir(mode=0o700)

    def tpuctl(self, *words):
        return timed([self.program, *words], self.env)

    def prepare(self, workers):
        if self.started:
            self.tpuctl("emulator", "start", "--speed=500")
        for line in self.tpuctl("emulator", "env")[2].splitlines():
            name, _, value = line.removeprefix("export ").partition("=")
            self.env[name] = value.strip("'")
        if self.started:
            self.tpuctl("tpu-vm", "create", "big", "--version=tpu-ubuntu2204-base", f"--accelerator-type=v4-{workers * CHIPS_PER_WORKER}", "--quiet")
        self.tpuctl("tpu-vm", "ssh", "big", "--worker=0", "--command=true")  # the key is made and spread
        addresses = self.tpuctl("tpu-vm", "describe", "big", "--format=value[delimiter=' '](networkEndpoints[].ipAddress)")[2].split()
        (self.folder / "addresses").write_text("\n".join(address.strip(",;") for address in addresses) + "\n")

    def forget_connections(self):
        for socket in (self.folder / "run" / "tpuctl").glob("*"):
            subprocess.run(["ssh", "-O", "exit", "-o", f"ControlPath={socket}", "nobody"], stderr=subprocess.DEVNULL)

    def plain(self, count, parallel):
        ssh = ["ssh", "-n", "-T", "-i", self.env["CLOUDSDK_SSH_KEY_FILE"], "-p", self.env["CLOUDSDK_SSH_PORT"], "-o", "IdentitiesOnly=yes",
               "-o", "BatchMode=yes", "-o", "StrictHostKeyChecking=no", "-o", f"UserKnownHostsFile={self.folder}/known"]
        with open(self.folder / "some", "w") as some:
            some.writelines((self.folder / "addresses").open().readlines()[:count])
        return timed(["xargs", "-P", str(parallel), "-I{}", *ssh, "{}", "true"], self.env, stdin=open(self.folder / "some"))

    def ours(self, count, parallel):
        return self.tpuctl("tpu-vm", "ssh", "big", f"--worker=0-{count - 1}", "--command=true", f"--batch-size={parallel}")

    def stop(self):
        self.forget_connections()
        if self.started:
            self.tpuctl("emulator", "stop")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True)
    parser.add_argument("--workers", default="32,128,512")
    parser.add_argument("--parallel", type=int, default=32)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--emulator")
    parser.add_argument("--check", action="store_true")
    args = parser.parse_args()
    counts = [int(n) for n in args.workers.split(",")]
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(1024, soft), hard))  # what a shell has by default
    folder = pathlib.Path(tempfile.mkdtemp(prefix="tpb.", dir="/tmp"))
    bench = Bench(str(pathlib.Path(args.program).resolve()), folder, args.emulator)
    missed = False
    try:
        bench.prepare(max(counts))
        for count in counts:
            plain, first, second = [], [], []
            bench.plain(count, args.parallel)  # host keys are known from now on
            for _ in range(args.rounds):
                plain.append(bench.plain(count, args.parallel)[:2])
                bench.forget_connections()
                first.append(bench.ours(count, args.parallel)[:2])
                second.append(bench.ours(count, args.parallel)[:2])
            x, a, b = (min(times)[0] for times in (plain, first, second))
            missed = missed or a > x * FIRST_BAR or b * SECOND_BAR > a
            print(f"{count:4} workers, {args.parallel} at once: xargs {x:6.2f} s, tpuctl {a:6.2f} s ({a / x:.2f}x, bar {FIRST_BAR}x), "
                  f"again {b:5.2f} s ({a / b:.1f}x faster, bar {SECOND_BAR:.0f}x; {x / b:.1f}x faster than xargs)", flush=True)
    finally:
        bench.stop()
        shutil.rmtree(folder, ignore_errors=True)
    sys.exit(1 if missed and args.check else 0)


if __name__ == "__main__":
    main()
