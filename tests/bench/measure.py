# SPDX-License-Identifier: Apache-2.0
"""What the benches share: a run with its time and memory, an environment without anybody's settings, a table of ratios."""
import os
import subprocess
import sys
import time


def clean_environment(folder, **more):
    """The caller's environment without settings of tpuctl and gcloud; home, configuration and cache are `folder`."""
    env = {name: value for name, value in os.environ.items() if not name.startswith(("CLOUDSDK_", "GOOGLE_", "TPUCTL_"))}
    return env | {"HOME": folder, "CLOUDSDK_CONFIG": folder, "XDG_CACHE_HOME": folder} | more


def run(command, env):
    """Seconds, and peak memory in bytes of the largest process of the command. A failure of the command ends the bench."""
    before = time.perf_counter()
    child = subprocess.Popen(command, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, shell=isinstance(command, str))
    complaint = child.stderr.read()
    _, status, usage = os.wait4(child.pid, 0)
    seconds = time.perf_counter() - before
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode != 0:
        sys.exit(f"{command}: exit {child.returncode}: {complaint.decode()}")
    unit = 1 if sys.platform == "darwin" else 1024
    return seconds, usage.ru_maxrss * unit


def best_of(rounds, commands, env):
    """{name: command} in turn, several rounds: {name: [best seconds, largest memory]}. Noise of a machine only ever adds."""
    best = {name: [float("inf"), 0] for name in commands}
    for _ in range(rounds):
        for name, command in commands.items():
            seconds, memory = run(command, env)
            best[name] = [min(best[name][0], seconds), max(best[name][1], memory)]
    return best
