#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""kill -9 of the client at random moments of `jobs run --watch`: the job must not notice.

For each round a job is started on two slices of two workers of an emulator of its own, the client is killed at a random moment, and
then: the job runs on all workers or on none; no process of the client is left; `jobs attach` from a second configuration follows it
to its end, with no step lost. Prints a line a round and a summary; exit 1 when anything was harmed.

    tests/bench/kill_client.py build/release/tpuctl --rounds=50
"""
import argparse
import collections
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import uuid

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def processes_with(mark):
    """Processes that have the mark in their environment: the client and what it started here."""
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open("/proc/%s/environ" % pid, "rb") as file:
                if mark.encode() not in file.read():
                    continue
            with open("/proc/%s/cmdline" % pid, "rb") as file:
                words = file.read().replace(b"\0", b" ").decode(errors="replace").strip()
        except OSError:
            continue
        if words and "[mux]" not in words:  # a shared connection outlives its client for a while, on purpose
            found.append(words[:100])
    return found


class Campaign:
    def __init__(self, program, folder):
        self.program, self.folder = program, folder
        self.env = {name: value for name, value in os.environ.items() if not name.startswith(("CLOUDSDK_", "GOOGLE_", "GCE_", "XDG_"))}
        self.env.update(HOME=os.path.join(folder, "home"), TPUCTL_EMULATOR_DIR=os.path.join(folder, "emulator"), NO_GCE_CHECK="true")
        os.makedirs(self.env["HOME"])

    def run(self, *words, env=None, timeout=240):
        return subprocess.run([self.program, *words], env=env or self.env, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=timeout)

    def start(self):
        self.run("emulator", "start", "--speed=200")
        for line in self.run("emulator", "env").stdout.splitlines():
            if line.startswith("export ") and "=" in line:
                name, value = line[len("export "):].split("=", 1)
                self.env[name] = value.strip("'\"")
        made = self.run("queued-resources", "create", "pair", "--node-count=2", "--node-prefix=s", "--accelerator-type=v4-16",
                        "--runtime-version=tpu-ubuntu2204-base", "--autocheckpoint-enabled", "--quiet")
        assert made.returncode == 0, made.stderr
        self.run("queued-resources", "wait", "pair")
        # The second machine: the same cloud, nothing remembered.
        self.elsewhere = dict(self.env, CLOUDSDK_CONFIG=os.path.join(self.folder, "elsewhere"))
        shutil.copytree(self.env["CLOUDSDK_CONFIG"], self.elsewhere["CLOUDSDK_CONFIG"])

    def round(self, number, moment, steps):
        job, mark = "k%d" % number, uuid.uuid4().hex
        checkpoints = os.path.join(self.folder, job)
        trainer = "python3 %s --steps=%d --step-seconds=0.2 --checkpoint-dir=%s" % (os.path.join(ROOT, "examples", "trainer.py"), steps, checkpoints)
        client = subprocess.Popen([self.program, "jobs", "run", job, "--queued-resource=pair", "--watch", "--", trainer],
                                  env=dict(self.env, TPUCTL_MARK=mark), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(moment)
        over = client.poll() is not None
        client.send_signal(signal.SIGKILL)
        client.wait()
        harm = []
        deadline = time.monotonic() + 20
        while processes_with(mark) and time.monotonic() < deadline:
            time.sleep(0.2)
        left = processes_with(mark)
        if left:
            harm.append("left behind: %s" % left)
        described = self.run("jobs", "describe", job, "--queued-resource=pair", "--format=json", env=self.elsewhere)
        try:
            view = json.loads(described.stdout)
        except ValueError:
            return "?", ["describe: " + described.stderr.strip()]
        states = collections.Counter(worker["state"] for worker in view["workers"])
        if "NOT_STARTED" in states:
            if len(states) > 1:
                harm.append("started on some workers only: %s" % dict(states))
            return "not started", harm
        ended = self.run("jobs", "attach", job, "--queued-resource=pair", "--watch", env=self.elsewhere)
        if ended.returncode != 0:
            harm.append("attach: exit %d, %s" % (ended.returncode, ended.stderr.strip()[-300:]))
        if "finished at step %d" % steps not in ended.stdout:
            harm.append("the log that attach shows has no end")
        if ended.stdout.count("starting from step 0") != 1:
            harm.append("the job began more than once")
        return "over before" if over else "running", harm


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--steps", type=int, default=20)
    parser.add_argument("--latest", type=float, default=8, help="the last moment of the kill, in seconds (%(default)s)")
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 30))
    options = parser.parse_args()
    chance = random.Random(options.seed)
    print("seed", options.seed, flush=True)
    folder = tempfile.mkdtemp(prefix="tpuctl-kill.")
    campaign = Campaign(os.path.abspath(options.program), folder)
    seen, harmed = collections.Counter(), 0
    try:
        campaign.start()
        for number in range(1, options.rounds + 1):
            moment = chance.uniform(0, options.latest)
            what, harm = campaign.round(number, moment, options.steps)
            seen[what] += 1
            harmed += bool(harm)
            print("%3d  killed after %.2f s  %s%s" % (number, moment, what, "  HARM: " + "; ".join(harm) if harm else ""), flush=True)
    finally:
        campaign.run("emulator", "stop")
        shutil.rmtree(folder, ignore_errors=True)
    print("rounds %d, harmed %d, at the kill: %s" % (options.rounds, harmed, dict(seen)))
    return 1 if harmed else 0


if __name__ == "__main__":
    sys.exit(main())
