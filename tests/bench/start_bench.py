#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How fast the program starts, beside curl: --version, help and completion beside `curl --version`; `describe` beside curl of
the same address on loopback. Bars: 1.2 times curl, and 1.5 times for describe. With --check a missed bar is exit code 1.

    tests/bench/start_bench.py --program=build/release/tpuctl [--rounds=50] [--check]
"""
import argparse
import http.server
import json
import multiprocessing
import pathlib
import shutil
import sys
import tempfile

from measure import best_of, clean_environment, run

NODE = {"name": "projects/bench/locations/us-central2-b/nodes/one", "acceleratorType": "v4-8", "state": "READY", "health": "HEALTHY",
        "networkEndpoints": [{"ipAddress": "10.0.0.1", "port": 8470}], "runtimeVersion": "tpu-ubuntu2204-base"}


def serve(tell):
    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            body = json.dumps(NODE).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            pass

    server = http.server.HTTPServer(("127.0.0.1", 0), Handler)
    tell.send(server.server_address[1])
    server.serve_forever()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default="build/release/tpuctl")
    parser.add_argument("--rounds", type=int, default=50)
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    program = str(pathlib.Path(options.program).resolve())
    ours, theirs = multiprocessing.Pipe()
    multiprocessing.Process(target=serve, args=(theirs,), daemon=True).start()
    base = f"http://127.0.0.1:{ours.recv()}/"
    with tempfile.TemporaryDirectory() as folder:
        (pathlib.Path(folder) / "token").write_text("bench-token")
        env = clean_environment(folder, CLOUDSDK_CORE_PROJECT="bench", CLOUDSDK_COMPUTE_ZONE="us-central2-b",
                                CLOUDSDK_AUTH_ACCESS_TOKEN_FILE=f"{folder}/token", CLOUDSDK_API_ENDPOINT_OVERRIDES_TPU=base)
        yards = {"curl --version": ["curl", "--version"], "curl of a node": ["curl", "-s", base + "v2/" + NODE["name"]]}
        measured = {
            "--version": ([program, "--version"], "curl --version", 1.2),
            "create --help": ([program, "tpu-vm", "create", "--help"], "curl --version", 1.2),
            "__complete": ([program, "__complete", "--", "tpu-vm", "create", "--"], "curl --version", 1.2),
            "describe": ([program, "tpu-vm", "describe", "one"], "curl of a node", 1.5),
        }
        best = best_of(options.rounds, yards | {name: command for name, (command, _, _) in measured.items()}, env)
        if shutil.which("gcloud"):  # a second and more, and no bar: once is enough
            best["gcloud --version"] = list(run(["gcloud", "--version"], env))
            measured["gcloud --version"] = (None, "curl --version", float("inf"))
    print(f"best of {options.rounds} rounds")
    print(f"{'':20}{'ms':>9}{'x curl':>9}{'bar':>7}")
    missed = []
    for name, (_, yard, bar) in measured.items():
        ratio = best[name][0] / best[yard][0]
        print(f"{name:20}{best[name][0] * 1e3:9.2f}{ratio:9.2f}{bar:7.1f}")
        if ratio > bar:
            missed.append(name)
    print("missed by " + ", ".join(missed) if missed else "all bars hold")
    return 1 if missed and options.check else 0


if __name__ == "__main__":
    sys.exit(main())
