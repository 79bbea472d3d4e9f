#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Files to the workers of a pod, beside scp to each of them.

The emulator's workers are this machine too, so that the seconds are those of its processors, which do the work of all workers; what
counts is the bytes that leave the client, and what they take on a line of 100 Mbit/s. The bar: at most 1.1 times the archive, whatever
the number of workers. With --check a missed bar is exit code 1.

    tests/bench/files_bench.py --program=build/release/tpuctl [--megabytes=50] [--workers=32] [--check]
"""
import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

from measure import clean_environment

BYTES_BAR = 1.1
LINE = 100e6 / 8
SUMMARY = re.compile(r"(\d+) bytes left this machine for an archive of (\d+)")


def emulator(program, env):
    """The environment in which the emulator is the cloud."""
    subprocess.run([program, "emulator", "start", "--speed=1000", "--bucket=data"], env=env, check=True, capture_output=True)
    lines = subprocess.run([program, "emulator", "env"], env=env, check=True, capture_output=True, text=True).stdout
    return dict(env, **dict(re.findall(r"^export (\w+)='?(.*?)'?$", lines, re.M)))


def timed(argv, env, **more):
    began = time.monotonic()
    done = subprocess.run(argv, env=env, stdin=subprocess.DEVNULL, capture_output=True, text=True, **more)
    return time.monotonic() - began, done


def send(program, env, source, place, *flags):
    seconds, done = timed([program, "tpu-vm", "scp", str(source), f"pod:{place}", "--worker=all", *flags], env)
    found = SUMMARY.search(done.stderr)
    if done.returncode or not found:
        sys.exit(f"scp ended with {done.returncode}:\n{done.stderr}")
    return seconds, int(found[1]), int(found[2])


def copies(program, env, source, place):
    """scp to each worker, all at once, as a loop over the workers would."""
    lines = subprocess.run([program, "tpu-vm", "scp", str(source), f"pod:{place}", "--worker=all", "--dry-run"], env=env, check=True,
                           capture_output=True, text=True).stdout
    seconds, done = timed(["sh", "-c", "\n".join(line + " &" for line in lines.splitlines()) + "\nwait"], env)
    return seconds, len(lines.splitlines()) * source.stat().st_size


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default="build/release/tpuctl")
    parser.add_argument("--megabytes", type=int, default=50)
    parser.add_argument("--workers", type=int, default=32)
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    program = str(pathlib.Path(options.program).resolve())

    with tempfile.TemporaryDirectory() as folder:
        env = clean_environment(folder, TPUCTL_EMULATOR_DIR=f"{folder}/emulator")
        source = pathlib.Path(folder) / "payload"
        source.write_bytes(os.urandom(options.megabytes * 1000 * 1000))
        env = emulator(program, env)
        try:
            made = ["--version=tpu-ubuntu2204-base", f"--accelerator-type=v4-{options.workers * 8}", "--quiet"]
            subprocess.run([program, "tpu-vm", "create", "pod", *made], env=env, check=True, capture_output=True)
            subprocess.run([program, "tpu-vm", "ssh", "pod", "--worker=all", "--command=true"], env=env, check=True, capture_output=True,
                           stdin=subprocess.DEVNULL)
            rows = {"scp to each": copies(program, env, source, "by-scp"), "worker to worker": send(program, env, source, "relayed"),
                    "again, unchanged": send(program, env, source, "relayed"),
                    "through the bucket": send(program, env, source, "by-bucket", "--bucket=data")}
        finally:
            subprocess.run([program, "emulator", "stop"], env=env, capture_output=True)

    archive = rows["worker to worker"][2]
    print(f"{archive / 1e6:.1f} MB packed, to {options.workers} workers")
    print(f"{'':22}{'seconds':>9}{'MB left':>10}{'x archive':>11}{'s at 100 Mbit/s':>17}")
    missed = []
    for name, (seconds, left, *_) in rows.items():
        print(f"{name:22}{seconds:9.1f}{left / 1e6:10.1f}{left / archive:11.2f}{max(seconds, left / LINE):17.1f}")
        if name != "scp to each" and left > BYTES_BAR * archive:
            missed.append(name)
    print(f"bar: {BYTES_BAR}x the archive: " + ("missed by " + ", ".join(missed) if missed else "holds"))
    return 1 if missed and options.check else 0


if __name__ == "__main__":
    sys.exit(main())
