#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A small JAX training loop with Orbax checkpoints that survives maintenance: run the same command on every worker.

What makes it survive is four lines: jax.distributed.initialize() starts JAX's preemption service, which catches SIGTERM;
save() is called at every step, and saves every --save-every of them or at the step on which all workers agree after a
SIGTERM; reached_preemption() says that this was the step; and then the program waits for the save and leaves.
"""
import argparse
import sys
import time

import jax
import jax.numpy as jnp
import numpy as np
import orbax.checkpoint as ocp
from jax.sharding import Mesh, NamedSharding, PartitionSpec

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--checkpoint-dir", required=True, help="shared by all workers: gs://BUCKET/FOLDER or a path")
parser.add_argument("--steps", type=int, default=200)
parser.add_argument("--save-every", type=int, default=10)
parser.add_argument("--step-seconds", type=float, default=0.0, help="pause after each step, for demonstrations")
arguments = parser.parse_args()

jax.distributed.initialize()


def say(text):
    print(text, flush=True)


# A line is fitted to points: the data are replicated, the parameters sharded over all devices of all workers.
mesh = Mesh(np.array(jax.devices()), ("all",))
sharded = NamedSharding(mesh, PartitionSpec("all"))
width = 4 * jax.device_count()
goal = np.arange(width, dtype=np.float32)


@jax.jit
def train_step(weights):
    return weights - 0.1 * (weights - jnp.asarray(goal))


def fresh():
    return {"weights": jax.make_array_from_callback((width,), sharded, lambda index: np.zeros(width, np.float32)[index])}


manager = ocp.CheckpointManager(
    arguments.checkpoint_dir, options=ocp.CheckpointManagerOptions(save_interval_steps=arguments.save_every, max_to_keep=3))
state, step = fresh(), manager.latest_step()
if step is None:
    step = 0
    say("starting from step 0")
else:
    state = manager.restore(step, args=ocp.args.StandardRestore(state))
    say("restored, resuming at step %d" % step)

while step < arguments.steps:
    step += 1
    state = {"weights": train_step(state["weights"])}
    jax.block_until_ready(state)
    say("step %d" % step)
    manager.save(step, args=ocp.args.StandardSave(state))
    if manager.reached_preemption(step):
        manager.wait_until_finished()
        say("saved checkpoint %d after a SIGTERM; leaving" % step)
        sys.exit(0)
    time.sleep(arguments.step_seconds)
manager.wait_until_finished()
say("finished at step %d" % step)
