#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""N maintenance events at random moments under jobs that train, with Autocheckpoint and without: what they cost in steps.

The numbers are those of `jobs describe`. Ends with 1 when a step was lost with Autocheckpoint, or not measured.
"""
import argparse
import random
import sys

import campaign

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--program", default="build/release/tpuctl")
parser.add_argument("--events", type=int, default=100, help="for each of the two")
parser.add_argument("--jobs", type=int, default=5, help="side by side")
parser.add_argument("--speed", type=float, default=600)
parser.add_argument("--seed", type=int, default=1)
arguments = parser.parse_args()
random.seed(arguments.seed)


def campaign_of(title, *create):
    rows = []
    with campaign.Emulator(arguments.program, arguments.speed) as world:
        names = ["n%d" % number for number in range(arguments.jobs)]
        for name in names:
            world.run("tpu-vm", "create", name, "--accelerator-type=v4-8", "--version=tpu-ubuntu2204-base", "--quiet", *create)
        world.run("tpu-vm", "ssh", names[0], "--command=true")  # makes the key

        def work(number):
            name = names[number]
            run = campaign.Run(world, name, "--tpu=" + name)
            events = arguments.events // arguments.jobs + (number < arguments.events % arguments.jobs)
            for event in range(events):
                run.await_training(event + 1)
                campaign.moment(4)  # two checkpoint intervals
                world.run("tpu-vm", "simulate-maintenance-event", name, "--quiet")
            run.await_training(events + 1)
            rows.extend(run.end()["interruptions"])

        campaign.each_at_once(work, range(arguments.jobs))
    return campaign.tell(title, rows), len(rows)


lost, events = campaign_of("with Autocheckpoint", "--autocheckpoint-enabled")
campaign_of("without")
sys.exit(0 if len(lost) == events == arguments.events and not any(lost) else 1)
