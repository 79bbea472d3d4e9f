#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""N spot preemptions at random moments under a multislice job: the queued resource is suspended, made anew by the watch, and the
job goes on from its newest checkpoint. Ends with 1 when one of them was not survived.
"""
import argparse
import random
import sys
import time

import campaign

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--program", default="build/release/tpuctl")
parser.add_argument("--events", type=int, default=20)
parser.add_argument("--speed", type=float, default=600)
parser.add_argument("--seed", type=int, default=1)
arguments = parser.parse_args()
random.seed(arguments.seed)

with campaign.Emulator(arguments.program, arguments.speed) as world:
    world.run("queued-resources", "create", "spot", "--node-count=2", "--node-prefix=spot", "--accelerator-type=v4-8",
              "--runtime-version=tpu-ubuntu2204-base", "--spot", "--quiet")
    world.run("queued-resources", "wait", "spot")
    run = campaign.Run(world, "spot", "--queued-resource=spot")
    times = []
    for event in range(arguments.events):
        run.await_training(event + 1)
        campaign.moment(4)
        start = time.monotonic()
        world.run("emulator", "fault", "preempt:spot-%d" % random.randrange(2))
        run.await_training(event + 2)
        times.append(time.monotonic() - start)
        print("preemption %2d: trains again after %.1f s" % (event + 1, times[-1]), flush=True)
    resumed = [int(line.rsplit(" ", 1)[1]) for line in run.lines() if line.startswith("resumed from")]
    orphans = world.describe("queued-resources", "list")
    run.end()
print("survived %d of %d; resumed at steps %s; queued resources at the end: %d" % (
    len(times), arguments.events, ", ".join(map(str, resumed)), len(orphans)))
sys.exit(0 if len(times) == arguments.events and resumed == sorted(resumed) and len(orphans) == 1 else 1)
