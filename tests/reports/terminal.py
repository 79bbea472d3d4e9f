#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Troubles that people reported in CI systems, in pipes and at the shell's prompt: unseen questions, soiled output, a Tab that hangs."""
import json
import socket
import stat
import struct
import subprocess
import threading

from fake_api import PROGRAM, ZONE, Answer, Case, error, main, node, operation, queued

BUSY = Answer({"error": {"code": 503, "status": "UNAVAILABLE", "message": "busy"}}, 503, {"Retry-After": "0"})


class Questions(Case):
    def setUp(self):
        super().setUp()
        self.api.on("DELETE", "/nodes/n1", operation(done=True))

    def deletions(self):
        return len(self.api.sent("DELETE"))

    def test_without_input_nothing_is_deleted(self):
        self.expect(self.run_program("tpu-vm", "delete", "n1"), 1, "--quiet")
        closed = subprocess.run(f"exec '{PROGRAM}' tpu-vm delete n1 <&-", shell=True, env=self.env, capture_output=True, text=True, timeout=60)
        self.assertEqual(closed.returncode, 1, closed)
        self.assertIn("--quiet", closed.stderr)
        self.assertEqual(self.deletions(), 0)

    def test_who_says_so_beforehand_is_not_asked(self):
        self.expect(self.run_program("tpu-vm", "delete", "n1", "--quiet"), 0, absent=(r"\(Y/n\)",))
        self.env["CLOUDSDK_CORE_DISABLE_PROMPTS"] = "1"
        self.expect(self.run_program("tpu-vm", "delete", "n1"), 0, absent=(r"\(Y/n\)",))
        self.assertEqual(self.deletions(), 2)

    def test_answers_on_a_terminal(self):
        for typed, code, deletions in (("n\n", 1, 0), ("x\nn\n", 1, 0), ("\x04", 1, 0), ("\x03", 130, 0), ("y\n", 0, 1), ("\n", 0, 2)):
            with self.subTest(typed=typed):
                run = self.run_in_terminal("tpu-vm", "delete", "n1", answer=typed)
                self.assertEqual(run.code, code, run)
                self.assertEqual(self.deletions(), deletions)


class Output(Case):
    def json_of(self, *words, code=0):
        run = self.run_program(*words, "--format=json")
        self.assertEqual(run.code, code, run)
        return json.loads(run.out), run

    def test_notices_stay_out_of_the_document(self):
        unreachable = {"unreachable": ["projects/p/locations/z9"]}
        self.api.on("GET", "/nodes", BUSY, BUSY, Answer({"nodes": [node("n1"), node("n2")]} | unreachable))
        self.api.on("GET", "/queuedResources", BUSY, Answer({"queuedResources": [queued("q1", "ACTIVE")]} | unreachable))
        self.api.on("GET", "/nodes/n1", BUSY, Answer(node("n1")))
        self.api.on("GET", "/locations", BUSY, Answer({"locations": [{"name": ZONE, "locationId": "z1"}]}))
        self.api.on("POST", "/nodes", BUSY, operation())
        self.api.on("GET", "/operations/op1", BUSY, operation(done=True, response=node("n1")))
        rows, run = self.json_of("tpu-vm", "list", "--zone=-", "--verbosity=info", code=1)
        self.assertEqual(len(rows), 2)
        self.expect(run, 1, "z9", "trying again")
        self.assertEqual(len(self.json_of("queued-resources", "list", "--all-zones", code=1)[0]), 1)
        self.assertEqual(self.json_of("alpha", "compute", "tpus", "tpu-vm", "describe", "n1")[0]["state"], "READY")
        self.assertEqual(self.json_of("locations", "list")[0][0]["locationId"], "z1")
        words = ("tpu-vm", "create", "n1", "--version=v", "--accelerator-type=v4-8", "--log-http")
        self.assertEqual(self.json_of(*words)[0]["name"], f"{ZONE}/nodes/n1")

    def test_nothing_is_a_document_too(self):
        self.api.on("GET", "/nodes", Answer({}))
        self.assertEqual(self.run_program("tpu-vm", "list", "--format=json").out, "[]\n")

    def test_a_failure_prints_no_document(self):
        self.api.on("GET", "/nodes", error(403, "PERMISSION_DENIED", "no"))
        for words in (("tpu-vm", "list"), ("tpu-vm", "describe", "n1"), ("tpu-vm", "create", "n1", "--version=v"), ("tpu-vm", "list", "--limit=x")):
            run = self.run_program(*words, "--format=json")
            self.assertNotEqual(run.code, 0)
            self.assertEqual(run.out, "")
            self.assertEqual(json.loads(run.err)["error"]["code"], run.code)

    def slow_create(self):
        self.api.on("POST", "/nodes", operation())
        self.api.on("GET", "/operations/op1", operation(), operation(), operation(done=True))
        self.api.on("GET", "/nodes/n1", Answer(node("n1")))
        return ("tpu-vm", "create", "n1", "--version=v", "--accelerator-type=v4-8")

    def test_a_log_gets_plain_lines(self):
        run = self.run_program(*self.slow_create())
        self.expect(run, 0)
        for byte in "\x1b\r\b":
            self.assertNotIn(byte, run.err)
        self.assertTrue(run.err.endswith("\n"))
        self.assertLessEqual(len(run.err.splitlines()), 5, run)
        self.assertEqual(run.out, "")

    def test_a_dumb_terminal_gets_plain_lines_too(self):
        self.env["TERM"] = "dumb"
        run = self.run_in_terminal(*self.slow_create(), answer="")
        self.assertEqual(run.code, 0, run)
        self.assertNotIn("\x1b", run.out)
        self.assertEqual(run.out.count("\r"), run.out.count("\r\n"))

    def test_a_terminal_that_can_gets_one_line_that_moves(self):
        self.env["TERM"] = "xterm"
        run = self.run_in_terminal(*self.slow_create(), answer="")
        self.assertEqual(run.code, 0, run)
        self.assertIn("\x1b[K", run.out)


class Pipes(Case):
    def shell(self, line):
        return subprocess.run(["bash", "-c", line, "bash", PROGRAM], env=self.env, cwd=self.home, capture_output=True, text=True, timeout=60)

    def many(self, count):
        self.api.on("GET", "/nodes", Answer({"nodes": [node(f"n{i}") for i in range(count)]}))

    def test_a_reader_that_has_seen_enough(self):
        self.many(20000)
        for form in ("table(name)", "value(name)", "json", "yaml", "csv(name)", ""):
            with self.subTest(form=form):
                run = self.shell(f'"$1" tpu-vm list --format="{form}" | head -1; echo "${{PIPESTATUS[0]}}" >&2')
                self.assertIn(run.stderr.strip(), ("0", "141"), run.stderr[-300:])
                self.assertEqual(len(run.stdout.splitlines()), 1)

    def test_a_full_disk_is_told(self):
        for count in (1, 20000):
            self.api.routes.clear()
            self.many(count)
            run = self.shell('"$1" tpu-vm list >/dev/full')
            self.assertEqual(run.returncode, 1, run)
            self.assertRegex(run.stderr, "write to standard output.*No space left")
        for words in ("--help", "version", "help exit-codes", "completion bash"):
            self.assertEqual(self.shell(f'"$1" {words} >/dev/full').returncode, 1, words)

    def test_nothing_is_written_into_a_connection_when_stdout_is_closed(self):
        self.many(3000)
        for line in ('"$1" tpu-vm list >&-', '"$1" tpu-vm list --format=json >&- 2>&-', '"$1" tpu-vm list <&- >&-'):
            self.assertEqual(self.shell(line).returncode, 1, line)
        self.assertEqual([one.path for one in self.api.log], ["/v2alpha1/" + ZONE + "/nodes"] * 3)

    def test_errors_go_nowhere_when_stderr_is_closed(self):
        run = self.shell('"$1" tpu-vm describe n1 2>&-')
        self.assertEqual((run.returncode, run.stdout), (3, ""))
        self.many(2)
        run = self.shell('"$1" tpu-vm list --format="value(name)" --log-http 2>&-')
        self.assertEqual((run.returncode, run.stdout), (0, "n0\nn1\n"))

    def test_a_server_that_closes_while_we_write_is_an_error_like_any_other(self):
        with socket.create_server(("127.0.0.1", 0)) as server:
            def refuse():  # takes the connection and closes it with a reset
                while True:
                    try:
                        client, _ = server.accept()
                    except OSError:
                        return
                    client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                    client.close()
            threading.Thread(target=refuse, daemon=True).start()
            self.env["CLOUDSDK_API_ENDPOINT_OVERRIDES_TPU"] = f"http://127.0.0.1:{server.getsockname()[1]}/"
            run = self.run_program("tpu-vm", "create", "n1", "--version=v", "--metadata-from-file=a=" + self.file("big", "x" * 250000))
        self.expect(run, 7, "127.0.0.1")


class Tab(Case):
    def complete(self, *words):
        run = self.run_program("__complete", "--", *words)
        self.assertEqual((run.code, run.err), (0, ""), run)
        return run.out.splitlines()

    def names(self):
        self.api.on("GET", "/nodes", Answer({"nodes": [node("n1"), node("n2")]}))

    def test_a_silent_service_costs_nothing_but_the_names_and_only_once(self):
        self.api.on("GET", "/nodes", Answer({"nodes": [node("n1")]}, wait=3000))
        self.assertEqual(self.complete("tpu-vm", "describe", ""), [":4"])
        self.assertEqual(len(self.api.log), 1)
        self.assertEqual(self.complete("tpu-vm", "describe", ""), [":4"])
        self.assertEqual(self.complete("tpu-vm", "delete", "n"), [":4"])
        self.assertEqual(len(self.api.log), 1, "the failure is remembered for a while")

    def test_names_are_remembered_per_place(self):
        self.names()
        for _ in range(2):
            self.assertEqual(self.complete("tpu-vm", "describe", ""), ["n1", "n2", ":4"])
        self.assertEqual(self.complete("tpu-vm", "ssh", "n"), ["n1", "n2", ":4"])
        self.assertEqual(len(self.api.log), 1)
        self.complete("tpu-vm", "describe", "--zone=z2", "")
        self.complete("tpu-vm", "describe", "--project", "other", "")
        self.assertEqual([one.path.split("/")[3:6:2] for one in self.api.log], [["p", "z1"], ["p", "z2"], ["other", "z1"]])

    def test_what_is_remembered_is_private_and_holds_no_secret(self):
        self.names()
        self.complete("tpu-vm", "describe", "")
        files = [path for path in (self.home / ".cache/tpuctl").rglob("*") if path.is_file()]
        self.assertEqual(len(files), 1)
        self.assertEqual(stat.S_IMODE(files[0].stat().st_mode), 0o600)
        self.assertNotIn(self.env["CLOUDSDK_AUTH_ACCESS_TOKEN"], files[0].read_text())

    def test_without_a_place_to_remember_in_it_works(self):
        self.names()
        self.env["XDG_CACHE_HOME"] = "/dev/null/nowhere"
        self.assertEqual(self.complete("tpu-vm", "describe", ""), ["n1", "n2", ":4"])

    def test_rubbish_in_the_memory_is_passed_over(self):
        self.names()
        self.complete("tpu-vm", "describe", "")
        file = next(path for path in (self.home / ".cache/tpuctl").rglob("*") if path.is_file())
        for rubbish in (b"", b"\xff\xfe", b"[[", b'{"time":5,"names":{}}', b'{"time":"2999-01-01T00:00:00Z","names":["old"]}'):
            file.write_bytes(rubbish)
            self.assertEqual(self.complete("tpu-vm", "describe", ""), ["n1", "n2", ":4"], rubbish)

    def test_names_that_are_no_names_are_not_offered(self):
        rows = [node("n1"), {}, None, {"name": f"{ZONE}/nodes/a\x1b[2Jb"}, {"name": f"{ZONE}/nodes/a\tb"}, {"name": f"{ZONE}/nodes/--force"}]
        self.api.on("GET", "/nodes", Answer({"nodes": rows}))
        self.assertEqual(self.complete("tpu-vm", "describe", ""), ["n1", ":4"])

    def test_trouble_with_the_login_is_not_shown(self):
        del self.env["CLOUDSDK_AUTH_ACCESS_TOKEN"]
        self.names()
        self.assertEqual(self.complete("tpu-vm", "describe", ""), [":4"])
        self.api.on("POST", "/token", error(400, "INVALID", "no"))
        key = {"type": "authorized_user", "client_id": "c", "client_secret": "s", "refresh_token": "r", "token_uri": self.api.url + "token"}
        self.env["CLOUDSDK_AUTH_CREDENTIAL_FILE_OVERRIDE"] = self.file("key.json", json.dumps(key))
        self.env["CLOUDSDK_AUTH_TOKEN_HOST"] = self.api.url + "token"
        self.assertEqual(self.complete("queued-resources", "describe", ""), [":4"])
        self.assertEqual(len(self.api.sent("POST")), 1)
        self.assertEqual(self.complete("tpu-vm", "describe", "--zo")[0].split("\t")[0], "--zone=")

    def test_refusals_are_not_shown(self):
        for answer in (error(403, "PERMISSION_DENIED", "no"), error(401, "UNAUTHENTICATED", "no"), Answer(b"<html>"), Answer(drop=True)):
            self.api.routes.clear()
            self.api.on("GET", "/nodes", answer)
            (self.home / ".cache").rename(self.home / f".cache{len(self.api.log)}") if (self.home / ".cache").exists() else None
            self.assertEqual(self.complete("tpu-vm", "describe", ""), [":4"])
        self.assertGreaterEqual(len(self.api.log), 4)


class Many(Case):
    def test_several_names_are_refused_before_anything_is_sent(self):
        self.expect(self.run_program("tpu-vm", "delete", "n1", "n2", "n3", "--quiet"), 2, "n2")
        self.assertEqual(self.api.log, [])

    def test_zones_that_could_not_be_reached_are_one_line(self):
        lost = [f"projects/p/locations/y{i}" for i in (1, 2)]
        self.api.on("GET", "/locations/-/nodes", Answer({"nodes": [node(f"n{i}", zone=f"z{i}") for i in range(4)], "unreachable": lost, "nextPageToken": "t"}),
                    Answer({"nodes": [node(f"n{i}", zone=f"z{i}") for i in range(4, 8)], "unreachable": lost}))
        run = self.run_program("tpu-vm", "list", "--all-zones", "--format=value(name)", "--sort-by=name")
        self.expect(run, 1, "y1, y2")
        self.assertEqual(len(run.err.splitlines()), 1, run)
        self.assertEqual([line[-2:] for line in run.out.splitlines()], [f"n{i}" for i in range(8)])

    def test_all_zones_reached_is_a_success(self):
        self.api.on("GET", "/locations/-/nodes", Answer({"nodes": [node("n1")]}))
        self.expect(self.run_program("tpu-vm", "list", "--zone=-"), 0, "^$")


if __name__ == "__main__":
    main()
