# SPDX-License-Identifier: Apache-2.0
"""A Cloud TPU API that answers by a script, and the program that talks to it.

    class T(Case):
        def test(self):
            self.api.on("POST", "/nodes", error(400, "INVALID_ARGUMENT", "no"))
            run = self.run_program("tpu-vm", "create", "n1", ...)

Answers of one route are given one after the other; the last one stays. What nobody scripted is a 404. `api.log` has every
request in order.
"""
import http.server
import json
import os
import pathlib
import pty
import re
import select
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import urllib.parse

PROGRAM = os.path.abspath(os.environ.get("TPUCTL", "build/release/tpuctl"))
ZONE = "projects/p/locations/z1"


class Answer:
    def __init__(self, body=None, status=200, headers=None, drop=False, wait=0.0):
        self.body, self.status, self.headers, self.drop, self.wait = body, status, headers or {}, drop, wait


def error(code, status, message, details=None):
    inner = {"code": code, "status": status, "message": message}
    if details:
        inner["details"] = details
    return Answer({"error": inner}, code)


def operation(done=False, failure=None, response=None, name="op1"):
    out = {"name": f"{ZONE}/operations/{name}", "done": done}
    if failure:
        out["error"] = failure
    elif done:
        out["response"] = response or {}
    return Answer(out)


def node(name, zone="z1", state="READY", workers=1, **more):
    return {"name": f"projects/p/locations/{zone}/nodes/{name}", "acceleratorType": "v4-8", "state": state, "apiVersion": "V2",
            "networkEndpoints": [{"ipAddress": f"10.0.0.{i + 1}", "port": 8470} for i in range(workers)]} | more


def queued(name, state, **more):
    return {"name": f"{ZONE}/queuedResources/{name}", "state": {"state": state} | more,
            "tpu": {"nodeSpec": [{"parent": ZONE, "nodeId": f"s-{i}", "node": {"acceleratorType": "v4-8"}} for i in range(2)]}}


class Seen:
    def __init__(self, method, target, body):
        url = urllib.parse.urlsplit(target)
        self.method, self.path, self.raw = method, url.path, body
        self.query = {key: values[-1] for key, values in urllib.parse.parse_qs(url.query, keep_blank_values=True).items()}
        self.body = json.loads(body) if body[:1] == b"{" else None

    def __repr__(self):
        return f"{self.method} {self.path} {self.query}"


class FakeApi:
    def __init__(self):
        self.log, self.routes, self.lock = [], [], threading.Lock()
        api = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def handle_any(self):
                body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                seen = Seen(self.command, self.path, body)
                answer = api.answer(seen)
                time.sleep(answer.wait)
                if answer.drop:
                    self.close_connection = True
                    self.connection.close()
                    return
                payload = answer.body if isinstance(answer.body, bytes) else json.dumps(answer.body or {}).encode()
                self.send_response(answer.status)
                for key, value in ({"Content-Type": "application/json"} | answer.headers).items():
                    self.send_header(key, value)
                self.send_header("Content-Length", str(len(payload)))
                self.end_headers()
                self.wfile.write(payload)

            do_GET = do_POST = do_PATCH = do_DELETE = handle_any

            def log_message(self, *_):
                pass

        class Server(http.server.ThreadingHTTPServer):
            daemon_threads = True

            def handle_error(self, *_):  # a client that went away is a client that went away
                pass

        self.server = Server(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}/"
        threading.Thread(target=self.server.serve_forever, args=(0.02,), daemon=True).start()

    def on(self, method, path, *answers):
        """Answers for requests whose path ends with `path` (a regular expression)."""
        self.routes.append((method, re.compile(path + "$"), list(answers)))

    def answer(self, seen):
        with self.lock:
            self.log.append(seen)
            for method, path, answers in self.routes:
                if method == seen.method and path.search(seen.path):
                    one = answers.pop(0) if len(answers) > 1 else answers[0]
                    return one(seen) if callable(one) else one
        return error(404, "NOT_FOUND", f"Resource '{seen.path}' was not found")

    def sent(self, method):
        return [one for one in self.log if one.method == method]

    def close(self):
        self.server.shutdown()
        self.server.server_close()


class Run:
    def __init__(self, code, out, err):
        self.code, self.out, self.err = code, out, err

    def __repr__(self):
        return f"exit {self.code}\nstdout:\n{self.out}\nstderr:\n{self.err}"


class Case(unittest.TestCase):
    def setUp(self):
        self.api = FakeApi()
        self.folder = tempfile.TemporaryDirectory(prefix="tpuctl-report.")
        self.home = pathlib.Path(self.folder.name)
        keep = ("CLOUDSDK_", "GOOGLE_", "GCE_", "TPUCTL_", "XDG_")
        self.env = {name: value for name, value in os.environ.items() if not name.startswith(keep) and not name.lower().endswith("_proxy")}
        self.env |= {"HOME": str(self.home), "CLOUDSDK_CONFIG": str(self.home / "gcloud"), "NO_GCE_CHECK": "true", "NO_COLOR": "1",
                     "CLOUDSDK_CORE_PROJECT": "p", "CLOUDSDK_COMPUTE_ZONE": "z1", "CLOUDSDK_AUTH_ACCESS_TOKEN": "token-of-a-test",
                     "CLOUDSDK_API_ENDPOINT_OVERRIDES_TPU": self.api.url}

    def tearDown(self):
        self.api.close()
        self.folder.cleanup()

    def start(self, *words, **more):
        return subprocess.Popen([PROGRAM, *words], env=self.env, cwd=self.home, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, text=True, **more)

    def run_program(self, *words, stdin=None, after=None, send=signal.SIGINT):
        """With `after`, the signal `send` comes so many seconds later."""
        child = subprocess.Popen([PROGRAM, *words], env=self.env, cwd=self.home, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                 stdin=subprocess.DEVNULL if stdin is None else subprocess.PIPE)
        if after is not None:
            time.sleep(after)
            child.send_signal(send)
        out, err = child.communicate(stdin, timeout=120)
        return Run(child.returncode, out, err)

    def run_in_terminal(self, *words, answer):
        """In a pseudo-terminal; types `answer` when the program waits for it."""
        pid, terminal = pty.fork()
        if pid == 0:
            os.chdir(self.home)
            os.execve(PROGRAM, [PROGRAM, *words], self.env)
        shown, typed = b"", False
        while True:
            ready, _, _ = select.select([terminal], [], [], 60)
            try:
                piece = os.read(terminal, 4096) if ready else b""
            except OSError:
                piece = b""
            if not piece:
                break
            shown += piece
            if not typed and b"(Y/n)?" in shown:
                os.write(terminal, answer.encode())
                typed = True
        _, status = os.waitpid(pid, 0)
        os.close(terminal)
        return Run(os.waitstatus_to_exitcode(status), shown.decode(errors="replace"), "")

    def file(self, name, content):
        path = self.home / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return str(path)

    def create(self, *more, name="n1"):
        return self.run_program("tpu-vm", "create", name, "--version=tpu-ubuntu2204-base", "--accelerator-type=v4-8", *more)

    def expect(self, run, code, *words, absent=()):
        """The exit code, and each of the words (regular expressions) on stderr."""
        self.assertEqual(run.code, code, run)
        for word in words:
            self.assertRegex(run.err, word)
        for word in absent:
            self.assertNotRegex(run.err, word)


def main():
    unittest.main(argv=[sys.argv[0], *sys.argv[1:]])
