#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Troubles that people reported with programs like this one: answers of another shape, bytes that are no text, words on the command
line that were taken for others, connections and homes that are not there."""
import http.server
import json
import os
import resource
import shlex
import shutil
import signal
import socket
import subprocess
import threading
import time
import unittest

from fake_api import PROGRAM, ZONE, Answer, Case, Run, error, main, node, operation

CREATE = ("tpu-vm", "create", "n1", "--version=v", "--accelerator-type=v4-8")


class Hostile(Case):
    def describe(self, body, status=200, *more):
        self.api.routes.clear()
        self.api.on("GET", "/nodes/n1", Answer(body, status))
        return self.run_program("tpu-vm", "describe", "n1", *more)

    def list(self, body, *more):
        self.api.routes.clear()
        self.api.on("GET", "/nodes", Answer(body))
        return self.run_program("tpu-vm", "list", *more)

    def small_stack(self, *words):
        run = subprocess.run(["bash", "-c", 'ulimit -s 512; exec "$@"', "bash", PROGRAM, *words], env=self.env, capture_output=True, text=True, timeout=60)
        return Run(run.returncode, run.stdout, run.stderr)


class Shapes(Hostile):
    DEEP = (b"[" * 200000, b'{"a":' * 500000 + b"1" + b"}" * 500000, b'{"nodes":' + b"[" * 100000 + b"]" * 100000 + b"}",
            b'{"name":"x","metadata":' + b'{"a":' * 5000 + b"1" + b"}" * 5000 + b"}")

    def test_answers_nested_too_deeply(self):
        for body in self.DEEP:
            self.api.routes.clear()
            self.api.on("GET", "/nodes(/n1)?", Answer(body))
            for words in (("tpu-vm", "describe", "n1"), ("tpu-vm", "list"), ("tpu-vm", "list", "--format=json")):
                with self.subTest(body=body[:20], words=words):
                    self.expect(self.small_stack(*words), 1, "nested (deeper|too deep)")

    def test_details_of_an_error_nested_too_deeply(self):
        details = b"[" * 5000 + b"]" * 5000
        self.api.on("GET", "/nodes/n1", Answer(b'{"error":{"code":403,"message":"no","status":"PERMISSION_DENIED","details":' + details + b"}}", 403))
        self.expect(self.small_stack("tpu-vm", "describe", "n1"), 4)

    def test_credentials_nested_too_deeply(self):
        del self.env["CLOUDSDK_AUTH_ACCESS_TOKEN"]
        for body in self.DEEP[:2]:
            self.env["CLOUDSDK_AUTH_CREDENTIAL_FILE_OVERRIDE"] = self.file("key.json", body)
            self.expect(self.small_stack("tpu-vm", "list"), 4, "key.json")
        self.assertEqual(self.api.log, [])

    def test_a_deep_but_allowed_answer_is_printed(self):
        deep = 1
        for _ in range(150):
            deep = {"a": deep}
        for form in ("json", "yaml", "text", "table(name,metadata)", "config"):
            run = self.describe({"name": f"{ZONE}/nodes/n1", "metadata": deep}, 200, "--format=" + form)
            self.expect(run, 0)

    def test_answers_that_are_no_object(self):
        for body in (b"[]", b"null", b"3", b'"x"', b"true", b"[{}]", b"nonsense", b"<html>", b"{} {}", b"{", b'{"name":', b"\0", b"\xff\xfe"):
            for run in (self.describe(body), self.list(body)):
                with self.subTest(body=body):
                    self.expect(run, 1, "ERROR: .*answer")
                    self.assertEqual(run.out, "")

    def test_lists_that_are_no_lists(self):
        for body in ({"nodes": {}}, {"nodes": "x"}, {"nodes": 1}, {"nodes": [None]}, {"nodes": [1, {}]}, {"nodes": ["x"]}, {"nodes": [[]]}):
            for form in ("", "json", "value(name)"):
                with self.subTest(body=body, form=form):
                    self.expect(self.list(body, "--format=" + form), 1, "list of nodes")

    def test_rows_of_another_shape_are_shown_as_they_are(self):
        odd = [{"name": 5}, {}, {"name": None, "state": {"state": "X"}}, {"name": [1], "networkConfig": "x", "acceleratorConfig": [], "state": True}]
        for form in ("", "yaml", "csv(name,state)", "table[box](name,state)"):
            self.expect(self.list({"nodes": odd}, "--format=" + form, "--filter=state:* OR name:* OR -state:x", "--sort-by=state"), 0)
        run = self.list({"nodes": odd}, "--format=json")
        self.assertEqual(json.loads(run.out), odd)
        self.expect(self.list({"nodes": odd}, "--uri"), 0)
        self.expect(self.list({"nodes": [], "unreachable": [1, None, {}], "nextPageToken": ""}), 1)
        self.expect(self.list({"nodes": [], "unreachable": "x", "nextPageToken": {}}), 0)

    def test_operations_of_another_shape(self):
        for body in ({"name": f"{ZONE}/operations/op1", "done": "yes"}, {}, {"done": False}, {"name": 5}, [], None, {"name": {}, "done": []}):
            with self.subTest(body=body):
                self.api.routes.clear()
                self.api.on("POST", "/nodes", Answer(json.dumps(body).encode()))
                self.api.on("POST", ":start", Answer(json.dumps(body).encode()))
                self.api.on("DELETE", "/nodes/n1", Answer(json.dumps(body).encode()))
                self.api.on("GET", ".*/operations/.*", Answer(json.dumps(body).encode()))
                for words in (CREATE, ("tpu-vm", "start", "n1"), ("tpu-vm", "delete", "n1", "-q")):
                    self.expect(self.run_program(*words, "--timeout=20s"), 1, "ERROR: .*answer", absent=("Created", "Deleted"))

    def test_errors_of_operations_of_another_shape(self):
        for inner, code in ({"code": "8", "message": "quota exceeded"}, 9), ("x", 1), ({"code": {}}, 1), ([], 1), ({"code": 5, "message": [1]}, 3):
            with self.subTest(inner=inner):
                self.api.routes.clear()
                self.api.on("POST", "/nodes", Answer({"name": f"{ZONE}/operations/op1", "done": True, "error": inner}))
                self.expect(self.run_program(*CREATE), code, "ERROR")

    def test_error_answers_of_another_shape(self):
        for inner in ("x", [], None, 5, {"message": {}}, {"code": "x", "message": "m", "status": 5, "details": "d"},
                      {"message": "m", "details": [None, 1, {"@type": 5}, {"@type": "google.rpc.Help", "links": "x"}]}):
            with self.subTest(inner=inner):
                self.expect(self.describe({"error": inner}, 400), 1, "ERROR")
                self.expect(self.describe({"error": inner}, 400, "--format=json"), 1, '"error"')

    def test_a_member_that_comes_twice(self):
        run = self.describe(b'{"name":"a","name":"b","state":"READY"}', 200, "--format=value(state)")
        self.assertEqual((run.code, run.out), (0, "READY\n"))

    def test_fields_of_credentials_of_another_type(self):
        del self.env["CLOUDSDK_AUTH_ACCESS_TOKEN"]
        good = {"type": "authorized_user", "client_id": "c", "client_secret": "s", "refresh_token": "r"}
        for name in good:
            for bad in (None, [], {}, True):
                with self.subTest(name=name, bad=bad):
                    self.env["CLOUDSDK_AUTH_CREDENTIAL_FILE_OVERRIDE"] = self.file("key.json", json.dumps(good | {name: bad}))
                    self.expect(self.run_program("tpu-vm", "list"), 4, "key.json")
        self.assertEqual(self.api.log, [])

    def test_ids_keep_all_their_digits(self):
        for raw in ('"9280805980001101"', '"18446744073709551615"', "18446744073709551615", "9280805980001101", "1e3"):
            body = ('{"name":"%s/nodes/n1","id":%s}' % (ZONE, raw)).encode()
            self.assertIn(raw, self.describe(body, 200, "--format=json").out)
            if raw != "1e3":  # a floating-point number elsewhere, as with gcloud
                self.assertEqual(self.describe(body, 200, "--format=value(id)").out, raw.strip('"') + "\n")
                self.assertIn(raw.strip('"'), self.describe(body).out)


class Bytes(Hostile):
    def test_bytes_that_are_no_text_become_text(self):
        rows = b'{"nodes":[{"name":"%s/nodes/n0"},{"name":"%s/nodes/n1","labels":{"k":"a\xc1\xffb","l":"\\udc4d","m":"\\ud83d","n":"\\ud83dx","o":"\\ud83d\\ude00","p":"\\\\udc4d"}},{"name":"%s/nodes/n2"}]}'
        body = rows.replace(b"%s", ZONE.encode())
        run = self.list(body, "--format=json")
        self.expect(run, 0)
        told = json.loads(run.out)
        self.assertEqual([one["name"][-2:] for one in told], ["n0", "n1", "n2"])
        labels = told[1]["labels"]
        self.assertEqual({key: labels[key] for key in "lmnop"}, {"l": "\ufffd", "m": "\ufffd", "n": "\ufffdx", "o": "\U0001f600", "p": "\\udc4d"})
        self.assertRegex(labels["k"], "^a\ufffd+b$")
        for form in ("table(labels.k,labels.l)", "yaml", "value(labels.k)", "csv(labels.k)", "text"):
            run = self.list(body, "--format=" + form)
            self.expect(run, 0)
            self.assertIn("\ufffd", run.out)

    def test_one_resource_and_one_error_with_such_bytes(self):
        run = self.describe(b'{"name":"n1","description":"a\xe2\x82"}', 200, "--format=value(description)")
        self.expect(run, 0)
        self.assertRegex(run.out, "^a\ufffd+\n$")
        self.expect(self.describe(b'{"error":{"code":403,"status":"PERMISSION_DENIED","message":"no \xff \\ud800 way"}}', 403), 4, "no \ufffd \ufffd way")

    def test_values_that_are_no_text_are_refused_before_anything_is_sent(self):
        bad = os.fsdecode(b"\xff")
        binary = self.file("binary", b"a\xff\x00b")
        for flag in ("--labels=k=" + bad, "--labels=" + bad + "=v", "--metadata=k=" + bad, "--metadata-from-file=k=" + binary, "--description=" + bad,
                     "--tags=" + bad, "--network=" + bad):
            with self.subTest(flag=flag):
                self.expect(self.run_program(*CREATE, flag), 2, "UTF-8")
                self.expect(self.run_program(*CREATE, flag, "--dry-run"), 2, "UTF-8")
        self.assertEqual(self.api.log, [])
        self.api.on("GET", "/nodes/n1", Answer(node("n1")))
        self.expect(self.run_program("tpu-vm", "update", "n1", "--update-labels=k=" + bad), 2, "UTF-8")
        self.assertEqual(self.api.sent("PATCH"), [])

    def test_no_text_of_the_service_commands_the_terminal(self):
        evil = "\x1b]0;owned\x07\x9b2J\r\x08\x7f"
        rows = {"nodes": [node("n1", description=evil, labels={evil: evil}, state=evil)]}
        self.env["TERM"] = "dumb"
        for form in ("", "yaml", "json", "value(description)", "csv(description,labels)", "text", "table[box](description,state)", "config"):
            self.api.routes.clear()
            self.api.on("GET", "/nodes", Answer(rows))
            run = self.run_in_terminal("tpu-vm", "list", "--format=" + form, answer="")
            self.assertEqual(run.code, 0, run)
            for byte in "\x1b\x07\x9b\x08\x7f":
                self.assertNotIn(byte, run.out, form)
            self.assertEqual(run.out.count("\r"), run.out.count("\r\n"))
        run = self.describe({"error": {"code": 403, "status": evil, "message": evil, "details": [{"@type": evil, evil: evil}]}}, 403)
        for byte in "\x1b\x07\x9b\x08\x7f\r":
            self.assertNotIn(byte, run.err)


class Words(Case):
    def setUp(self):
        super().setUp()
        self.api.on("POST", "/nodes", operation(done=True))
        self.api.on("GET", "/nodes/n1", Answer(node("n1", workers=2)))
        self.api.on("GET", "/projects/p", Answer({}))
        self.env["CLOUDSDK_API_ENDPOINT_OVERRIDES_COMPUTE"] = self.api.url

    def created(self, *words):
        run = self.run_program("tpu-vm", "create", *words, "--version=v")
        self.expect(run, 0)
        return self.api.sent("POST")[-1]

    def test_flags_take_one_word_each(self):
        for words in (("--labels", "a=1", "n1"), ("--labels=a=1", "n1"), ("n1", "--labels", "a=1")):
            sent = self.created(*words)
            self.assertEqual((sent.query["nodeId"], sent.body["labels"]), ("n1", {"a": "1"}))
        sent = self.created("--metadata", "k=v", "n1", "--tags", "t1", "--data-disk", "source=projects/p/zones/z/disks/d")
        self.assertEqual((sent.query["nodeId"], sent.body["metadata"], sent.body["tags"]), ("n1", {"k": "v"}, ["t1"]))
        count = len(self.api.log)
        self.expect(self.run_program("tpu-vm", "create", "--tags", "t1", "t2", "n1", "--version=v"), 2, "n1")
        self.assertEqual(len(self.api.log), count)

    def test_maps_that_are_given_twice(self):
        sent = self.created("n1", "--labels", "a=1", "--labels", "b=2")
        self.assertIn(sent.body["labels"], ({"b": "2"}, {"a": "1", "b": "2"}))
        self.assertEqual(sent.query["nodeId"], "n1")

    def ssh_words(self, *words):
        run = self.run_program("tpu-vm", "ssh", "n1", "--dry-run", "--plain", *words)
        self.expect(run, 0)
        return shlex.split(run.out)

    def test_what_follows_the_dashes_is_not_read(self):
        foreign = ["ls", "-la", "--zone", "y", "--", "x", "", "-5", "--help"]
        self.assertEqual(self.ssh_words("--zone", "z1", "--", *foreign)[-len(foreign):], foreign)
        self.assertIn("/z1/", self.api.log[0].path)
        run = self.run_program("jobs", "run", "train", "--tpu=n2", "--", "python", "t.py", "--help", "--version")
        self.assertEqual((run.code, run.out), (125, ""), run)

    def test_dashes_where_nothing_may_follow(self):
        self.expect(self.run_program("tpu-vm", "describe", "n1", "--"), 0)
        self.expect(self.run_program("tpu-vm", "list", "--", "--foo"), 2, "--foo")
        self.expect(self.run_program("tpu-vm", "describe", "--", "n1", "--format=json"), 2)

    def test_flags_that_are_none_are_named(self):
        count = len(self.api.log)
        self.expect(self.run_program("tpu-vm", "create", "n1", "--version=v", "--nope"), 2, "--nope")
        self.expect(self.run_program("tpu-vm", "create", "n1", "--version=v", "--zon=z1"), 2, "--zon", "--zone")
        self.expect(self.run_program("tpu-vm", "create", "n1", "--version=v", "--labls=a=1"), 2, "--labls", "--labels")
        self.assertEqual(len(self.api.log), count)

    def test_values_that_begin_with_a_minus(self):
        for words in (("--worker=-1",), ("--worker", "-1")):
            run = self.run_program("tpu-vm", "ssh", "n1", *words, "--command=true")
            self.expect(run, 2, "--worker", absent=("nrecognized", "nknown"))
        self.assertEqual(self.ssh_words("--command=-c")[-1], "-c")
        self.assertEqual(self.created("n1", "--labels=k=-v").body["labels"], {"k": "-v"})
        self.assertEqual(self.created("n1", "--description=-d").body["description"], "-d")
        self.assertEqual(self.created("n1", "--description=").body.get("description", ""), "")
        self.file("-f", "x")
        run = self.run_program("tpu-vm", "scp", "./-f", "n1:/x", "--dry-run", "--plain")
        self.expect(run, 0)
        self.assertIn("./-f", shlex.split(run.out))


class Server(Case):
    """Connections, one function a connection: serve(connection, number)."""

    def serve(self, *behaviours):
        server = socket.create_server(("127.0.0.1", 0))
        self.addCleanup(server.close)
        self.env["CLOUDSDK_API_ENDPOINT_OVERRIDES_TPU"] = f"http://127.0.0.1:{server.getsockname()[1]}/"
        self.requests = []

        def accept():
            for number in range(100):
                try:
                    connection, _ = server.accept()
                except OSError:
                    return
                with connection:
                    behaviours[min(number, len(behaviours) - 1)](connection, number)

        threading.Thread(target=accept, daemon=True).start()

    def request(self, connection, number):
        """Reads one request and notes on which connection it came; false when there is none."""
        text = b""
        while b"\r\n\r\n" not in text:
            piece = connection.recv(65536)
            if not piece:
                return False
            text += piece
        self.requests.append((number, text.split(b"\r\n")[0].decode()))
        return True

    def answer(self, connection, body, promise=None):
        payload = json.dumps(body).encode()
        connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n" % (promise or len(payload)) + payload)

    def page(self, name, token=""):
        return {"nodes": [node(name)], "nextPageToken": token}

    def test_a_connection_that_failed_is_not_used_again(self):
        def first(connection, number):
            self.request(connection, number)
            self.answer(connection, self.page("n1", "t"))
            self.request(connection, number)
            self.answer(connection, self.page("n2"), promise=5000)  # cut short

        def second(connection, number):
            self.request(connection, number)
            self.answer(connection, self.page("n2"))
            self.request(connection, number)

        self.serve(first, second)
        run = self.run_program("tpu-vm", "list", "--format=value(name)")
        self.expect(run, 0)
        self.assertEqual(run.out, "n1\nn2\n")
        self.assertEqual([number for number, _ in self.requests], [0, 0, 1])

    def test_an_idle_connection_that_was_closed_is_no_failure(self):
        def one_answer(connection, number):
            if self.request(connection, number):
                self.answer(connection, operation(done=number == 2).body)

        self.serve(one_answer)
        run = self.run_program("tpu-vm", "start", "n1", "--verbosity=info")
        self.expect(run, 0, absent=("trying again",))
        self.assertEqual(len(self.requests), 3)

    def silence(self, family, host, port):
        """Listens, and takes no connection: its queue is full, so that whoever comes hears nothing at all."""
        server = socket.socket(family)
        self.addCleanup(server.close)
        server.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        server.bind((host, port))
        server.listen(0)
        for _ in range(4):
            visitor = socket.socket(family)
            self.addCleanup(visitor.close)
            visitor.setblocking(False)
            visitor.connect_ex((host, port))

    def test_a_family_of_addresses_that_is_silent(self):
        families = {socket.AF_INET: "127.0.0.1", socket.AF_INET6: "::1"}
        for family, host in families.items():
            other = socket.AF_INET6 if family == socket.AF_INET else socket.AF_INET
            with self.subTest(silent=families[other]):
                server = http.server.HTTPServer if family == socket.AF_INET else type("Six", (http.server.HTTPServer,), {"address_family": family})
                page = json.dumps(self.page("n1")).encode()

                class Api(http.server.BaseHTTPRequestHandler):
                    def do_GET(self):
                        self.send_response(200)
                        self.send_header("Content-Length", str(len(page)))
                        self.end_headers()
                        self.wfile.write(page)

                    def log_message(self, *_):
                        pass

                api = server((host, 0), Api)
                self.addCleanup(api.server_close)
                self.addCleanup(api.shutdown)
                threading.Thread(target=api.serve_forever, daemon=True).start()
                self.silence(other, families[other], api.server_port)
                self.env["CLOUDSDK_API_ENDPOINT_OVERRIDES_TPU"] = f"http://localhost:{api.server_port}/"
                run = self.run_program("tpu-vm", "list", "--format=value(name)", "--verbosity=info")
                self.expect(run, 0, absent=("trying again",))
                self.assertEqual(run.out, "n1\n")

    def test_an_answer_that_is_no_http(self):
        for garbage in (b"SSH-2.0-OpenSSH_9.2\r\n", b"\0\0\0", b"HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n", b"HTTP/9.9 999 X\r\n\r\n", b""):
            with self.subTest(garbage=garbage):
                def speak(connection, number, garbage=garbage):
                    self.request(connection, number)
                    connection.sendall(garbage)

                self.serve(speak)
                self.env["CLOUDSDK_AUTH_ACCESS_TOKEN"] = "t"
                run = self.run_program("__complete", "--", "tpu-vm", "describe", "")  # one try and no retries
                self.assertEqual((run.code, run.out, run.err), (0, ":4\n", ""))
                self.assertEqual(len(self.requests), 1)


class Home(Case):
    def check(self, **more):
        self.api.on("GET", "/nodes", Answer({"nodes": [node("n1")]}))
        for words, wanted in ((("--version",), "tpuctl"), (("tpu-vm", "list", "--format=value(name)"), "n1\n"), (("__complete", "--", "tpu-vm", "describe", ""), "n1\n"),
                              (("config", "list"), "")):
            run = subprocess.run([self.program(), *words], env=self.env, capture_output=True, text=True, timeout=60, cwd=self.place, **more)
            self.assertEqual(run.returncode, 0, (words, run))
            self.assertIn(wanted, run.stdout)
        run = subprocess.run([self.program(), "tpu-vm", "ssh", "n1", "--command=true"], env=self.env, capture_output=True, text=True, timeout=60, cwd=self.place, **more)
        self.assertGreater(run.returncode, 0, run)
        self.assertRegex(run.stderr, "ERROR: ")

    place = "/"  # where nothing can be left behind by somebody else

    def program(self):
        return PROGRAM

    def bare(self, **more):
        self.env = {name: value for name, value in self.env.items() if name.startswith("CLOUDSDK_") and name != "CLOUDSDK_CONFIG"}
        self.env |= {"PATH": os.environ["PATH"], "NO_GCE_CHECK": "true", "XDG_CACHE_HOME": str(self.home / "cache")} | more

    def test_homes_that_are_not_there(self):
        self.place = self.home
        for home in (str(self.home / "nobody"), "/dev/null", "/proc", "relative", ""):
            with self.subTest(home=home):
                self.bare(HOME=home)
                self.check()

    def test_no_home_at_all(self):
        self.bare()
        self.check()

    @unittest.skipUnless(os.geteuid() == 0, "only root can be somebody else")
    def test_a_user_whom_nobody_knows(self):
        self.bare()
        self.home.chmod(0o711)
        copy = self.home / "tpuctl"
        shutil.copyfile(PROGRAM, copy)
        copy.chmod(0o755)
        self.program = lambda: str(copy)
        self.check(user=54321, group=54321, extra_groups=[])


class Children(Case):
    def setUp(self):
        super().setUp()
        self.api.on("GET", "/nodes/n1", Answer(node("n1", workers=2)))
        self.api.on("GET", "/projects/p", Answer({}))
        self.env["CLOUDSDK_API_ENDPOINT_OVERRIDES_COMPUTE"] = self.api.url

    def ssh(self, script):
        path = self.file("bin/ssh", "#!/bin/bash\n" + script)
        os.chmod(path, 0o755)
        self.env["PATH"] = os.path.dirname(path) + ":" + os.environ["PATH"]

    def run_ssh(self, *words):
        return self.run_program("tpu-vm", "ssh", "n1", "--plain", "--command=true", *words)

    def test_how_a_child_ended_is_told_apart(self):
        for script, code in (("exit 5", 5), ("kill -TERM $$; sleep 60", 143), ("kill -KILL $$", 137), ("(sleep 0.2; kill -CONT $$) & kill -STOP $$; wait; exit 6", 6)):
            with self.subTest(script=script):
                self.ssh(script)
                self.assertEqual(self.run_ssh().code, code)

    def test_signals_that_mean_nothing_change_nothing(self):
        self.ssh(f"touch {self.home}/started; sleep 1; exit 7")
        child = self.start("tpu-vm", "ssh", "n1", "--plain", "--command=true")
        while child.poll() is None and not (self.home / "started").exists():
            time.sleep(0.01)
        for _ in range(200):
            for one in (signal.SIGWINCH, signal.SIGCHLD, signal.SIGCONT, signal.SIGURG):
                child.send_signal(one)
        child.communicate(timeout=60)
        self.assertEqual(child.returncode, 7)

    @unittest.skipUnless(os.path.isdir("/proc/self/fd"), "descriptors are seen in /proc")
    def test_children_get_three_descriptors_and_fresh_signals(self):
        self.ssh("ls /proc/self/fd | tr '\\n' ' '; kill -PIPE $BASHPID & wait -n; echo $?; yes | head -1")
        for words in ((), ("--worker=all",)):
            run = self.run_ssh(*words)
            self.assertEqual(run.code, 0, run)
            for line in run.out.splitlines():
                self.assertRegex(line, r"^(\[n1/\d\] )?(0 1 2 3 141|y)$")  # 3 is the folder that ls reads

    def test_floods_without_lines(self):
        self.ssh("head -c 5242880 /dev/zero | tr '\\0' x; printf 'x\\r%.0s' {1..100000}; head -c 1000 /dev/zero; printf '\\nend\\n'")
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
        run = self.run_ssh("--worker=all")
        self.assertEqual(run.code, 0, run.err)
        self.assertLess(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss, max(before, 200 * 1024))
        self.assertEqual(run.out.count("x"), 2 * (5242880 + 100000))
        (self.home / "logs").mkdir()
        self.assertEqual(self.run_ssh("--worker=all", "--output-directory=logs").code, 0)
        for worker in (0, 1):
            self.assertEqual((self.home / "logs" / f"{worker}.log").read_bytes(), b"x" * 5242880 + b"x\r" * 100000 + b"\0" * 1000 + b"\nend\n")
        for worker in (0, 1):
            self.assertIn(f"[n1/{worker}] end\n", run.out)


if __name__ == "__main__":
    main()
