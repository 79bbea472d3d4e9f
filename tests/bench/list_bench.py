#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How fast `tpuctl tpu-vm list` reads 10,000 nodes, beside `curl | jq .` of the same nodes in one answer.

A server on loopback answers in pages of 500 nodes of about 1.5 kB. Every command runs in turn, several rounds; the best
time of each counts, as the noise of a machine only ever adds. Bars: at most 1.5 times the time of `curl | jq .`, and at
most 3 times the size of the answer in memory. With --check a missed bar is exit code 1.

    tests/bench/list_bench.py --program=build/release/tpuctl [--rounds=5] [--nodes=10000] [--check]
"""
import argparse
import json
import multiprocessing
import pathlib
import shutil
import sys
import tempfile

from measure import best_of, clean_environment, run

TIME_BAR = 1.5
MEMORY_BAR = 3.0


def node(i):
    """A v4-16 as the service sends it: members in the order of the API's definition, indented by two blanks."""
    host = f"10.{i // 65536 % 256}.{i // 256 % 256}.{i % 256}"
    return {
        "name": f"projects/bench/locations/us-central2-b/nodes/node-{i:05}",
        "description": f"trainer {i}, team {i % 7}",
        "acceleratorType": "v4-16",
        "state": "READY" if i % 10 else "PREEMPTED",
        "runtimeVersion": "tpu-ubuntu2204-base",
        "networkConfig": {
            "network": "projects/bench/global/networks/default",
            "subnetwork": "projects/bench/regions/us-central2/subnetworks/default",
            "enableExternalIps": True,
        },
        "cidrBlock": "10.128.0.0/20",
        "serviceAccount": {
            "email": "123456789012-compute@developer.gserviceaccount.com",
            "scope": ["https://www.googleapis.com/auth/cloud-platform"],
        },
        "createTime": f"2026-01-{i % 28 + 1:02}T08:{i % 60:02}:00.123456789Z",
        "schedulingConfig": {"provisioningModel": "STANDARD"},
        "networkEndpoints": [
            {"ipAddress": host, "port": 8470, "accessConfig": {"externalIp": f"34.1.{i // 256 % 256}.{i % 256}"}},
            {"ipAddress": host, "port": 8470, "accessConfig": {}},
        ],
        "health": "HEALTHY",
        "labels": {"team": f"team-{i % 7}", "cost-center": "research"},
        "metadata": {"startup-script": "#!/bin/bash\nset -e\necho ready >/tmp/ready\n"},
        "id": str(4000000000000000000 + i),
        "apiVersion": "V2",
        "acceleratorConfig": {"type": "V4", "topology": "2x2x2"},
        "shieldedInstanceConfig": {},
        "autocheckpointEnabled": i % 2 == 0,
    }


class Answers:
    """The collection in pages, and whole under another path: made once, so that the server costs little."""

    def __init__(self, count, page):
        nodes = [node(i) for i in range(count)]
        self.whole = json.dumps({"nodes": nodes}, indent=2).encode()
        self.pages = []
        for start in range(0, count, page):
            body = {"nodes": nodes[start:start + page]}
            if start + page < count:
                body["nextPageToken"] = str(start // page + 1)
            self.pages.append(json.dumps(body, indent=2).encode())


def serve(count, page, tell):
    """Answers until the parent ends; tells it the port and the size of the whole answer."""
    import http.server
    import urllib.parse

    answers = Answers(count, page)

    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        wbufsize = 1 << 16

        def do_GET(self):
            url = urllib.parse.urlsplit(self.path)
            token = urllib.parse.parse_qs(url.query).get("pageToken", ["0"])[0]
            body = answers.whole if url.path == "/whole" else answers.pages[int(token)]
            self.send_response(200)
            self.send_header("Content-Type", "application/json; charset=UTF-8")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    tell.send((server.server_address[1], len(answers.whole)))
    server.serve_forever()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default="build/release/tpuctl")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--nodes", type=int, default=10000)
    parser.add_argument("--page", type=int, default=500)
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    program = str(pathlib.Path(options.program).resolve())
    # In a process of its own: a child starts out with the peak memory of the process that forked it.
    ours, theirs = multiprocessing.Pipe()
    multiprocessing.Process(target=serve, args=(options.nodes, options.page, theirs), daemon=True).start()
    port, size = ours.recv()
    base = f"http://127.0.0.1:{port}/"

    with tempfile.TemporaryDirectory() as folder:
        (pathlib.Path(folder) / "token").write_text("bench-token")
        env = clean_environment(folder, CLOUDSDK_CORE_PROJECT="bench", CLOUDSDK_COMPUTE_ZONE="us-central2-b",
                                CLOUDSDK_AUTH_ACCESS_TOKEN_FILE=f"{folder}/token", CLOUDSDK_API_ENDPOINT_OVERRIDES_TPU=base)
        tools = [program, "tpu-vm", "list"]
        commands = {
            "curl | jq .": f"curl -sS {base}whole | jq .",
            "--format=json": tools + ["--format=json"],
            "the default table": tools,
            "--filter, json": tools + ["--format=json", "--filter=state=READY AND labels.team:team-3 AND createTime>2026-01-10"],
            "--filter, table": tools + ["--filter=state=READY AND name~node-0"],
            "--format=value(name)": tools + ["--format=value(name)"],
            "--format=yaml": tools + ["--format=yaml"],
        }
        best = best_of(options.rounds, commands, env)
        if shutil.which("gcloud"):  # minutes, and no bar: once is enough
            best["gcloud, json"] = list(run(["gcloud", "compute", "tpus", "tpu-vm", "list", "--format=json"], env))

    yard = best["curl | jq ."][0]
    print(f"{options.nodes} nodes, {size / 1e6:.1f} MB, pages of {options.page}, best of {options.rounds} rounds")
    print(f"{'':24}{'seconds':>9}{'x jq':>8}{'peak MB':>10}{'x answer':>10}")
    missed = []
    for name, (seconds, memory) in best.items():
        print(f"{name:24}{seconds:9.3f}{seconds / yard:8.2f}{memory / 1e6:10.1f}{memory / size:10.2f}")
        if name not in ("curl | jq .", "gcloud, json") and (seconds > TIME_BAR * yard or memory > MEMORY_BAR * size):
            missed.append(name)
    print(f"bars: time {TIME_BAR}x, memory {MEMORY_BAR}x: " + ("missed by " + ", ".join(missed) if missed else "all hold"))
    return 1 if missed and options.check else 0


if __name__ == "__main__":
    sys.exit(main())
