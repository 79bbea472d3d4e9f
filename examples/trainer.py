#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A trainer without a model: what a multi-host training job does as seen from outside, with nothing but Python.

All workers move in lock step through a folder they share (it stands for a bucket). Every tenth step, and when any worker
has got a SIGTERM, all save a checkpoint of the same step; after a SIGTERM they leave. Started again, they go on from the
newest complete checkpoint. Used by the demo and the tests of the emulator; see --help.
"""
import argparse
import contextlib
import json
import os
import re
import shutil
import signal
import sys
import time
import urllib.error
import urllib.request

COMMIT = "commit_success.txt"  # as Orbax marks a complete checkpoint on Cloud Storage
POLL = 0.01  # seconds between two looks at the shared folder
FRESH = 5  # seconds after which a greeting is taken for one of a worker that has gone


def metadata(key):
    """An attribute of this VM, or None where there is no metadata server."""
    host = os.environ.get("GCE_METADATA_HOST", "metadata.google.internal")
    request = urllib.request.Request(
        "http://%s/computeMetadata/v1/instance/attributes/%s" % (host, key), headers={"Metadata-Flavor": "Google"})
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        with opener.open(request, timeout=5) as answer:
            return answer.read().decode()
    except (urllib.error.URLError, OSError):
        return None


def place_in_job():
    """(rank, world) as JAX finds them: the worker in its slice, and the slice in its multislice."""
    worker, endpoints = metadata("agent-worker-number"), metadata("worker-network-endpoints")
    if worker is None or not endpoints:
        return 0, 1
    workers = len(endpoints.split(","))
    variables = dict(re.findall(r"^(\w+): '(.*)'$", metadata("tpu-env") or "", re.M))

    def megascale(name, default):
        return int(os.environ.get(name) or variables.get(name) or default)

    rank = megascale("MEGASCALE_SLICE_ID", 0) * workers + int(worker)
    return rank, workers * megascale("MEGASCALE_NUM_SLICES", 1)


def say(text):
    print(text, flush=True)


def write(path, text):
    """Whole or not at all, as an object in a bucket."""
    temporary = "%s.%d.part" % (path, os.getpid())
    with open(temporary, "w") as file:
        file.write(text)
    os.replace(temporary, path)


def read(path):
    try:
        with open(path) as file:
            return file.read()
    except FileNotFoundError:
        return None


class LostContact(Exception):
    """A peer is silent; the text says which."""


class Peers:
    """The workers of one attempt. A worker says something by writing a file; its heartbeat is one, too."""

    def __init__(self, root, rank, world, timeout):
        self.root, self.rank, self.world, self.timeout = root, rank, world, timeout
        self.folder = None
        self.beaten = 0.0
        self.heard = {}  # rank -> (what its heartbeat said, when we saw that)

    def meet(self, attempt, start_timeout):
        """Waits until all are there. Who they are is agreed on afresh, so files of an earlier attempt mean nothing.

        Each worker brings a random word. Rank 0 writes down the words it sees; the others believe a list only when it has
        their own word, which no earlier attempt can know.
        """
        hello = os.path.join(self.root, "hello" + ("-" + attempt if attempt else ""))
        os.makedirs(hello, exist_ok=True)
        word = os.urandom(8).hex()
        roll = os.path.join(hello, "roll")
        deadline = time.monotonic() + start_timeout
        while time.monotonic() < deadline:
            write(os.path.join(hello, str(self.rank)), json.dumps({"word": word, "at": time.time()}))
            if self.rank == 0:
                words = [self._hello(hello, rank) for rank in range(self.world)]
                words[0] = word
                if all(words):
                    write(roll, json.dumps(words))
            listed = json.loads(read(roll) or "[]")
            if len(listed) == self.world and listed[self.rank] == word and self._all_enter(listed):
                return
            time.sleep(0.05)
        raise LostContact("not all of %d workers came" % self.world)

    def _hello(self, hello, rank):
        text = read(os.path.join(hello, str(rank)))
        greeting = json.loads(text) if text else {"at": 0, "word": None}
        # Who waits repeats its greeting, so an old one is from somebody who has gone.
        return greeting["word"] if time.time() - greeting["at"] < FRESH else None

    def _all_enter(self, words):
        """True when all have seen this very roll. A stale greeting among the words never enters; then a new roll comes."""
        folder = os.path.join(self.root, "-".join(word[:4] for word in words)[:80] + "-" + words[0])
        os.makedirs(folder, exist_ok=True)
        write(os.path.join(folder, "in-%d" % self.rank), "")
        if not all(os.path.exists(os.path.join(folder, "in-%d" % rank)) for rank in range(self.world)):
            return False
        self.folder = folder
        self.heard = {rank: ("", time.monotonic()) for rank in range(self.world)}
        return True

    def tell(self, name, text=""):
        write(os.path.join(self.folder, "%s-%d" % (name, self.rank)), text)

    def beat(self):
        now = time.monotonic()
        if now - self.beaten > min(0.5, self.timeout / 4):
            self.beaten = now
            self.tell("alive", str(time.time()))

    def gather(self, name):
        """What each worker has told under this name, once all have. Silence of a worker raises LostContact."""
        answers = [None] * self.world
        while True:
            self.beat()
            for rank in range(self.world):
                if answers[rank] is None:
                    answers[rank] = read(os.path.join(self.folder, "%s-%d" % (name, rank)))
            if None not in answers:
                return answers
            for rank in range(self.world):
                if answers[rank] is None:
                    self._check(rank)
            time.sleep(POLL)

    def _check(self, rank):
        beat = read(os.path.join(self.folder, "alive-%d" % rank)) or ""
        now = time.monotonic()
        if beat != self.heard[rank][0]:
            self.heard[rank] = (beat, now)
        elif now - self.heard[rank][1] > self.timeout:
            raise LostContact("lost contact with worker %d" % rank)

    def forget(self, name):
        """Removes our word under this name, which nobody asks for any more."""
        with contextlib.suppress(FileNotFoundError):
            os.remove(os.path.join(self.folder, "%s-%d" % (name, self.rank)))


def newest_checkpoint(folder):
    steps = [int(name) for name in os.listdir(folder)
             if name.isdigit() and os.path.exists(os.path.join(folder, name, COMMIT))]
    return max(steps, default=None)


def save(folder, step, state, peers):
    """Every worker writes its shard; rank 0 makes the whole visible. Returns when the checkpoint is complete."""
    final = os.path.join(folder, str(step))
    temporary = final + ".tmp"
    os.makedirs(temporary, exist_ok=True)
    write(os.path.join(temporary, "shard-%d.json" % peers.rank), json.dumps(state))
    peers.tell("shard%d" % step)
    if peers.rank == 0:
        peers.gather("shard%d" % step)
        shutil.rmtree(final, ignore_errors=True)  # an earlier attempt may have died before its commit
        os.rename(temporary, final)
        write(os.path.join(final, COMMIT), "Checkpoint of %d shards.\n" % peers.world)
    peers.tell("saved%d" % step)
    peers.gather("saved%d" % step)


class Trainer:
    def __init__(self, options, peers):
        self.options, self.peers = options, peers
        self.step = 0  # steps done
        self.noticed = None  # the step at which this worker got SIGTERM

    def on_sigterm(self, _signal, _frame):
        if self.noticed is None:
            self.noticed = self.step
            os.write(1, b"SIGTERM received at step %d\n" % self.step)  # print() must not be interrupted by itself

    def restore(self):
        """Rank 0 looks, all follow: a checkpoint that appears meanwhile must not part them."""
        newest = newest_checkpoint(self.options.checkpoint_dir) if self.peers.rank == 0 else None
        self.peers.tell("start", json.dumps(newest))
        step = json.loads(self.peers.gather("start")[0])
        if step is None:
            say("starting from step 0")
            return
        shard = read(os.path.join(self.options.checkpoint_dir, str(step), "shard-%d.json" % self.peers.rank))
        self.step = json.loads(shard)["step"] if shard else step
        say("resumed from checkpoint at step %d" % self.step)

    def sync(self):
        """After a step: has any worker been told to leave? All give the same answer at the same step."""
        name = "step%d" % self.step
        self.peers.tell(name, "" if self.noticed is None else str(self.noticed))
        notices = [int(text) for text in self.peers.gather(name) if text]
        self.peers.forget("step%d" % (self.step - 2))
        return max(notices, default=None)

    def work(self):
        end = time.monotonic() + self.options.step_seconds
        while (left := end - time.monotonic()) > 0:
            self.peers.beat()
            time.sleep(min(left, 0.2))

    def save(self, kind):
        save(self.options.checkpoint_dir, self.step, {"step": self.step, "rank": self.peers.rank}, self.peers)
        say("saved checkpoint at step %d (%s)" % (self.step, kind))

    def chosen(self):
        """Whether --fail-at and --hang-at mean this worker and this attempt."""
        attempt = self.options.fail_attempt
        return self.peers.rank == self.options.fail_rank and attempt in (None, self.options.attempt)

    def hang(self):
        """Alive but silent, as a deadlock is; the peers wait for us."""
        while True:
            self.peers.beat()
            time.sleep(0.2)

    def run(self):
        options = self.options
        self.restore()
        saved = self.step
        leave_at = None
        while self.step < options.steps:
            self.work()
            self.step += 1
            say("step %d loss %.4f" % (self.step, 2.0 / (1 + 0.1 * self.step)))
            if self.step == options.fail_at and self.chosen():
                say("failing at step %d as asked" % self.step)
                return options.fail_code
            if self.step == options.hang_at and self.chosen():
                self.hang()
            notice = self.sync()
            if notice is not None and leave_at is None:
                leave_at = max(self.step, notice) + 1  # the sync point: a step nobody has passed
            if self.step == leave_at:
                if options.on_sigterm == "save":
                    self.save("unscheduled")
                else:
                    say("leaving at step %d without a checkpoint" % self.step)
                return options.exit_code_after_save
            if options.checkpoint_every and self.step % options.checkpoint_every == 0:
                self.save("regular")
                saved = self.step
        if options.checkpoint_every and saved != self.step:
            self.save("regular")
        say("finished at step %d" % self.step)
        return 0


def parse(arguments):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add("--steps", type=int, default=100, help="the last step (%(default)s)")
    add("--step-seconds", type=float, default=0.5, help="how long a step takes (%(default)s)")
    add("--checkpoint-dir", required=True, help="the folder that all workers share")
    add("--checkpoint-every", type=int, default=10, help="steps between regular checkpoints; 0: none (%(default)s)")
    add("--on-sigterm", choices=["save", "leave", "ignore", "die"], default="save",
        help="save a checkpoint and leave; leave without one; go on; or have no handler (%(default)s)")
    add("--ignore-sigterm", dest="on_sigterm", action="store_const", const="ignore", help="= --on-sigterm=ignore")
    add("--exit-code-after-save", type=int, default=0, help="exit code when it leaves after a SIGTERM (%(default)s)")
    add("--fail-at", type=int, metavar="STEP", help="fail after this step")
    add("--fail-code", type=int, default=1, help="... with this exit code (%(default)s)")
    add("--fail-rank", type=int, default=0, metavar="RANK", help="... on this worker only (%(default)s)")
    add("--fail-attempt", metavar="ID", help="... in this attempt only")
    add("--hang-at", type=int, metavar="STEP", help="stand still after this step (worker and attempt as for --fail-at)")
    add("--device", default=os.environ.get("TPUCTL_ACCEL_DEVICE", "/dev/accel0"), help="device file to hold open (%(default)s)")
    add("--rank", type=int, help="number of this worker in the job (default: from the metadata server)")
    add("--world", type=int, help="number of workers in the job (default: from the metadata server)")
    add("--attempt", default=os.environ.get("TPUCTL_ATTEMPT"), help="name of this start of the job ($TPUCTL_ATTEMPT)")
    add("--peer-timeout", type=float, default=10, metavar="SECONDS", help="silence after which a peer is lost (%(default)s)")
    add("--start-timeout", type=float, default=300, metavar="SECONDS", help="how long to wait for all to start (%(default)s)")
    return parser.parse_args(arguments)


def hold_device(path):
    """As libtpu does: open from now to the end. Cloud TPU's notice goes to those who hold the device."""
    try:
        return os.open(path, os.O_RDWR)
    except OSError as error:
        print("no device: %s" % error, file=sys.stderr, flush=True)
        return None


def main(arguments):
    options = parse(arguments)
    found = place_in_job() if None in (options.rank, options.world) else (None, None)
    rank = found[0] if options.rank is None else options.rank
    world = found[1] if options.world is None else options.world
    peers = Peers(os.path.join(options.checkpoint_dir, ".sync"), rank, world, options.peer_timeout)
    trainer = Trainer(options, peers)
    if options.on_sigterm in ("save", "leave"):
        signal.signal(signal.SIGTERM, trainer.on_sigterm)
    elif options.on_sigterm == "ignore":
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    device = hold_device(options.device)
    try:
        peers.meet(options.attempt, options.start_timeout)
        return trainer.run()
    except LostContact as error:
        say(str(error))
        return 1
    finally:
        if device is not None:
            os.close(device)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
