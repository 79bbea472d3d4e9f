# SPDX-License-Identifier: Apache-2.0
"""The emulator of one case, and the world it finds when it starts.

A case names a world: short descriptions of nodes and queued resources. `state` makes of it what the emulator keeps in
DIR/state.json (emulator/store.hpp). The recordings show ids, host keys, addresses and times that the recording server
made up by rule; the same rules stand here, so that what the emulator answers can equal what was recorded.
"""
import base64
import copy
import ctypes
import hashlib
import json
import os
import random
import signal
import struct
import subprocess
import time

NUMBER = "123456789012"  # of the project
# Type and topology of the accelerators that the worlds name, and the workers that they have.
ACCELERATORS = {"v2-8": ("V2", "2x2", 1), "v3-8": ("V3", "2x2", 1), "v4-8": ("V4", "2x2x1", 1), "v4-16": ("V4", "2x2x2", 2),
                "v4-32": ("V4", "2x2x4", 4), "v5litepod-8": ("V5LITE_POD", "2x4", 1),
                "v5litepod-16": ("V5LITE_POD", "4x4", 4), "v5p-8": ("V5P", "2x2x1", 1), "v6e-8": ("V6E", "2x4", 1)}
SHORT_ONLY = ("zone", "id", "workers", "state", "node_count", "node_prefix", "node_id")
WITHOUT_HEALTH = ("STOPPED", "CREATING", "PREEMPTED")
STATE_DATA = {"ACCEPTED": "acceptedData", "PROVISIONING": "provisioningData", "ACTIVE": "activeData",
              "SUSPENDED": "suspendedData"}


def hexdigest(text, length):
    return hashlib.sha256(text.encode()).hexdigest()[:length]


def host_keys(seed):
    """Keys with the right shape whose private halves nobody has."""
    def field(data):
        return struct.pack(">I", len(data)) + data
    modulus = b"\0\xc0" + hashlib.shake_128(seed.encode()).digest(126) + b"\1"
    rsa = field(b"ssh-rsa") + field(b"\1\0\1") + field(modulus)
    ed25519 = field(b"ssh-ed25519") + struct.pack(">I", 32) + hashlib.sha256(seed.encode()).digest()[:20]
    return [{"type": "ssh-rsa", "data": base64.b64encode(rsa).decode()},
            {"type": "ssh-ed25519", "data": base64.b64encode(ed25519).decode() + hexdigest("ed" + seed, 16)}]


class World:
    """Documents made in the order in which the world names them: times and addresses count up."""

    def __init__(self, project, seed, running):
        self.project, self.running = project, running
        self.ticks = self.nodes_made = 0
        self.nodes, self.queued = {}, {}
        self.keys = {}  # "ID-INDEX" -> [(type, data)] of every worker
        self.loopback = "127.%d.%d." % (random.randint(64, 254), random.randint(0, 254))
        for short in seed.get("nodes", []):
            body = {k: copy.deepcopy(v) for k, v in short.items() if k not in SHORT_ONLY}
            self.add_node(short["zone"], short["id"], body, short.get("workers"), short.get("state", "READY"))
        for short in seed.get("queuedResources", []):
            self.add_queued(short)

    def stamp(self):
        self.ticks += 1
        return "2024-05-01T00:%02d:%02d.%06dZ" % (self.ticks // 60, self.ticks % 60, self.ticks)

    def add_node(self, zone, node_id, body, workers, state):
        self.nodes_made += 1
        name = "projects/%s/locations/%s/nodes/%s" % (self.project, zone, node_id)
        accelerator = body.setdefault("acceleratorType", "v2-8")
        kind, topology, usual = ACCELERATORS[accelerator]
        workers = workers or usual
        network = dict(body.get("networkConfig", {}))
        network.setdefault("network", "projects/%s/global/networks/default" % self.project)
        network.setdefault("subnetwork", "projects/%s/regions/%s/subnetworks/default" % (self.project, zone.rsplit("-", 1)[0]))
        number = str(10 ** 18 + int(hexdigest(name, 12), 16))
        doc = {"apiVersion": "V2", "runtimeVersion": "tpu-ubuntu2204-base", "cidrBlock": "10.128.0.0/20",
               "schedulingConfig": {}, "shieldedInstanceConfig": {},
               "serviceAccount": {"email": NUMBER + "-compute@developer.gserviceaccount.com",
                                  "scope": ["https://www.googleapis.com/auth/cloud-platform"]}}
        doc.update(body, name=name, id=number, createTime=self.stamp(), networkConfig=network, state=state,
                   acceleratorConfig={"type": kind, "topology": topology}, networkEndpoints=[])
        for i in range(workers):
            outside = {"externalIp": "203.0.%d.%d" % (self.nodes_made, i + 2)} if network.get("enableExternalIps") else {}
            doc["networkEndpoints"].append({"ipAddress": "10.128.%d.%d" % (self.nodes_made, i + 2), "port": 8470,
                                            "accessConfig": outside})
        if state not in WITHOUT_HEALTH:
            doc.setdefault("health", "HEALTHY")
        keys = [host_keys(name + str(i)) for i in range(workers)]
        for i, both in enumerate(keys):
            self.keys["%s-%d" % (number, i)] = [(key["type"], key["data"]) for key in both]
        hidden = {"hostname": "t1v-n-" + hexdigest(name, 8), "host_keys": keys, "up": self.running,
                  "addresses": [self.loopback + str(10 * self.nodes_made + i) for i in range(workers)]}
        self.nodes[name] = {"doc": doc, "hidden": hidden}
        return name

    def add_queued(self, short):
        zone, queued_id, state = short["zone"], short["id"], short.get("state", "ACTIVE")
        parent = "projects/%s/locations/%s" % (self.project, zone)
        node = {"acceleratorType": short["acceleratorType"], "runtimeVersion": "tpu-ubuntu2204-base",
                "networkConfig": {"enableExternalIps": True}}
        spec = {"parent": parent, "node": node}
        if "node_count" in short:
            prefix = short.get("node_prefix", queued_id)
            spec["multiNodeParams"] = {"nodeCount": short["node_count"], "nodeIdPrefix": prefix}
            ids = ["%s-%d" % (prefix, i) for i in range(short["node_count"])]
        else:
            ids = [short.get("node_id", queued_id + "-node")]
            spec["nodeId"] = ids[0]
        doc = {k: v for k, v in short.items() if k not in SHORT_ONLY and k != "acceleratorType"}
        doc.update(name=parent + "/queuedResources/" + queued_id, createTime=self.stamp(), tpu={"nodeSpec": [spec]},
                   state={"state": state, "stateInitiator": "SERVICE"})
        if state in STATE_DATA:
            doc["state"][STATE_DATA[state]] = {}
        if state == "FAILED":
            doc["state"]["failedData"] = {"error": {"code": 8, "message": (
                'There is no more capacity in the zone "%s"; you can try in another zone where Cloud TPU Nodes are '
                "offered." % zone)}}
        names = []
        for node_id in ids if state == "ACTIVE" else []:
            body = dict(copy.deepcopy(node), queuedResource=doc["name"])
            if "multiNodeParams" in spec:
                body["multisliceNode"] = True
            names.append(self.add_node(zone, node_id, body, None, "READY"))
        self.queued[doc["name"]] = {"doc": doc, "hidden": {"nodes": names, "specs": [{"id": i, "spec": 0} for i in ids]}}

    def state(self, metadata):
        project = {"id": self.project, "number": NUMBER, "metadata": metadata, "fingerprint": "fp-0"}
        return {"format": 1, "sequence": 1000, "addresses": 0, "nodes": list(self.nodes.values()),
                "queuedResources": list(self.queued.values()), "operations": [], "tasks": [], "requestIds": {},
                "projects": {self.project: project}, "users": {"tester@example.com": {"username": "tester_example_com"}}}


LIBC = ctypes.CDLL(None)


def die_with_parent():
    """On Linux: SIGTERM when the thread that started the process ends, however it ends."""
    if hasattr(LIBC, "prctl"):
        LIBC.prctl(1, signal.SIGTERM, 0, 0, 0)


class Emulator:
    """`tpuctl emulator serve` in a folder of its own, as a context manager. `objects` are files in buckets."""

    def __init__(self, program, folder, state, speed, faults=(), objects=None):
        self.program, self.folder, self.process = program, folder, None
        self.words = ["emulator", "serve", "--dir=" + folder, "--speed=%g" % speed] + ["--fault=" + f for f in faults]
        os.makedirs(folder)
        with open(os.path.join(folder, "state.json"), "w") as file:
            json.dump(state, file)
        for name, text in (objects or {}).items():
            path = os.path.join(folder, "buckets", name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w") as file:
                file.write(text)

    def __enter__(self):
        env = {"PATH": os.environ.get("PATH", "") + ":/usr/sbin:/sbin", "HOME": self.folder, "LANG": "C.UTF-8"}
        log = open(os.path.join(self.folder, "stderr"), "w")
        self.process = subprocess.Popen([self.program] + self.words, env=env, stdin=subprocess.DEVNULL, stdout=log,
                                        stderr=log, start_new_session=True, preexec_fn=die_with_parent)
        log.close()
        info, end = os.path.join(self.folder, "emulator.json"), time.monotonic() + 120
        while not os.path.exists(info):
            if self.process.poll() is not None or time.monotonic() > end:
                self.__exit__()
                with open(os.path.join(self.folder, "stderr")) as file:
                    raise RuntimeError("the emulator did not start: " + file.read())
            time.sleep(0.005)
        with open(info) as file:
            self.port = json.load(file)["port"]
        return self

    def __exit__(self, *_):
        self.process.terminate()
        try:
            self.process.wait(60)
        except subprocess.TimeoutExpired:
            self.process.kill()  # its workers notice and end
            self.process.wait()
