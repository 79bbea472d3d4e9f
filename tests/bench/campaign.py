# SPDX-License-Identifier: Apache-2.0
"""What the campaigns share: an emulator of their own, jobs that train on it, moments drawn by chance, and sums at the end."""
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import threading
import time

REPOSITORY = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PATIENCE = 300  # seconds that one event may take


class Emulator:
    """`with Emulator(program, speed) as world:` and then world.run("tpu-vm", "list")."""

    def __init__(self, program, speed):
        self.program, self.speed = os.path.abspath(program), speed
        self.folder = tempfile.mkdtemp(prefix="tpuctl-campaign.")
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("CLOUDSDK_", "GOOGLE_", "GCE_"))}
        self.environment = dict(kept, TPUCTL_EMULATOR_DIR=self.folder + "/emulator", NO_COLOR="1")

    def __enter__(self):
        self.run("emulator", "start", "--speed=%s" % self.speed)
        for line in self.run("emulator", "env").splitlines():
            name, value = line.removeprefix("export ").split("=", 1)
            self.environment[name] = value.strip("'")
        return self

    def __exit__(self, *_):
        subprocess.run([self.program, "emulator", "stop"], env=self.environment, capture_output=True)
        shutil.rmtree(self.folder, ignore_errors=True)

    def run(self, *words, fine=(0,)):
        done = subprocess.run([self.program, *words], env=self.environment, capture_output=True, text=True, stdin=subprocess.DEVNULL)
        if done.returncode not in fine:
            raise RuntimeError("%s: exit %d\n%s" % (" ".join(words), done.returncode, done.stderr))
        return done.stdout

    def describe(self, *words):
        return json.loads(self.run(*words, "--format=json"))


class Run:
    """A job under --watch, and its log as it grows."""

    def __init__(self, world, name, target, *more):
        self.world, self.name = world, name
        checkpoints = os.path.join(world.folder, name)
        self.log = os.path.join(world.folder, name + ".log")
        command = [world.program, "jobs", "run", name, target, "--workdir=" + os.path.join(REPOSITORY, "examples"), "--watch",
                   "--checkpoint-dir=" + checkpoints, *more, "--", "python3", "trainer.py", "--steps=100000000", "--step-seconds=0.1",
                   "--checkpoint-every=20", "--checkpoint-dir=" + checkpoints]
        with open(self.log, "wb") as out, open(self.log + ".err", "wb") as err:
            self.watch = subprocess.Popen(command, env=world.environment, stdin=subprocess.DEVNULL, stdout=out, stderr=err)

    def lines(self):
        with open(self.log, encoding="utf-8", errors="replace") as log:
            return log.read().splitlines()

    def attempts(self):
        """How often training has begun, and how many steps have been made since."""
        begins = steps = 0
        for line in self.lines():
            if line.startswith(("resumed from", "starting from")):
                begins, steps = begins + 1, 0
            steps += line.startswith("step ")
        return begins, steps

    def await_training(self, begins):
        """Until attempt number `begins` has made a step."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            if self.watch.poll() is not None:
                with open(self.log + ".err", encoding="utf-8") as words:
                    raise RuntimeError("the watch of %s ended with %s:\n%s" % (self.name, self.watch.returncode, words.read()))
            now, steps = self.attempts()
            if now >= begins and steps > 0:
                return
            time.sleep(0.1)
        raise RuntimeError("%s: attempt %d never made a step" % (self.name, begins))

    def end(self):
        job = self.world.describe("jobs", "describe", self.name)
        self.world.run("jobs", "stop", self.name, "--grace=20s", fine=(0, 1))
        self.watch.wait(60)
        return job


def each_at_once(work, items):
    """Runs work(item) in a thread for each; the first error ends the program."""
    errors = []

    def guarded(item):
        try:
            work(item)
        except Exception as error:  # told below
            errors.append(error)

    threads = [threading.Thread(target=guarded, args=(item,)) for item in items]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if errors:
        sys.exit("campaign: %s" % errors[0])


def tell(title, rows):
    """One line about a list of interruptions."""
    lost = [row["stepsLost"] for row in rows if "stepsLost" in row]
    exits = [row["secondsToExit"] for row in rows if "secondsToExit" in row]
    print("%-28s events %4d   measured %4d   lost steps: %5d in all, %3d at most, in %d events   exit: %.1f s at most" % (
        title, len(rows), len(lost), sum(lost), max(lost, default=0), sum(1 for n in lost if n), max(exits, default=0)), flush=True)
    return lost


def moment(seconds):
    time.sleep(random.uniform(0, seconds))
