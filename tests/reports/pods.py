#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Troubles that people reported with ssh to the workers of pods."""
import os
import pathlib
import pwd
import shutil
import socket
import subprocess
import time

from fake_api import Answer, Case, main, node, operation

SHIM = """#!/bin/bash
printf '%s\\0' "$@" >>"$HOME/argv"; echo >>"$HOME/argv"
"""


class Pods(Case):
    def setUp(self):
        super().setUp()
        self.api.on("GET", "/projects/p", Answer({}))
        self.env["CLOUDSDK_API_ENDPOINT_OVERRIDES_COMPUTE"] = self.api.url

    def shim(self, script=""):
        path = self.file("bin/ssh", SHIM + script)
        os.chmod(path, 0o755)
        self.env["PATH"] = os.path.dirname(path) + ":" + os.environ["PATH"]

    def argv(self):
        """The words of each ssh that was run."""
        lines = (self.home / "argv").read_text().splitlines()
        (self.home / "argv").unlink()
        return [line.rstrip("\0").split("\0") for line in lines]

    def has(self, **more):
        self.api.routes = [route for route in self.api.routes if route[0] != "GET" or "n1" not in route[1].pattern]
        self.api.on("GET", "/nodes/n1", Answer(node("n1", **more)))

    def ssh(self, name="n1", *words):
        return self.run_program("tpu-vm", "ssh", name, "--plain", "--command=true", *words)


class Names(Pods):
    def user(self, name="n1", **env):
        self.env |= env
        run = self.ssh(name)
        self.assertEqual(run.code, 0, run)
        return self.argv()[0][-3].partition("@")[0]

    def test_whose_login_name_is_used(self):
        self.has()
        self.shim()
        self.assertEqual(self.user(LOGNAME="First.Last"), "First.Last")
        self.assertEqual(self.user(LOGNAME="DOM\\bob"), "DOM\\bob")  # as gcloud: plain ASCII stays as it is
        self.assertEqual(self.user(LOGNAME="\u00fcnal", CLOUDSDK_CORE_ACCOUNT="unal@example.com"), "unal")
        self.assertEqual(self.user(LOGNAME="two words"), "unal")
        self.assertEqual(self.user("alice@n1", LOGNAME="root"), "alice")
        for name in ("LOGNAME", "USER"):
            self.env.pop(name, None)
        self.assertEqual(self.user(), pwd.getpwuid(os.getuid()).pw_name)

    def test_a_user_who_is_not_let_in_is_told_of_others(self):
        self.has()
        self.api.on("PATCH", "/nodes/n1", operation(done=True))
        self.shim("echo 'root@10.0.0.1: Permission denied (publickey).' >&2; exit 255\n")
        self.env["LOGNAME"] = "root"
        self.has(metadata={"ssh-keys": "root:" + self.key()})
        run = self.run_program("tpu-vm", "ssh", "n1", "--command=true", "--ssh-key-file=k")
        self.expect(run, 255, "refuses the key .* for user root", "USER@n1")

    def key(self):
        subprocess.run(["ssh-keygen", "-q", "-t", "rsa", "-N", "", "-f", str(self.home / "k")], check=True)
        return " ".join((self.home / "k.pub").read_text().split()[:2])


class Keys(Pods):
    def test_a_new_key_reaches_a_node_that_was_made_without_it(self):
        self.api.on("POST", "/nodes", operation(done=True))
        self.api.on("PATCH", "/nodes/n1", operation(done=True))
        self.has(metadata={"ssh-keys": "bob:ssh-ed25519 AAA", "other": "1"})
        self.shim()
        self.expect(self.create("--ssh-key-file=k"), 2, "--ssh-key-file")
        self.assertEqual(self.api.log, [])
        self.assertEqual(self.create("--metadata=ssh-keys=bob:ssh-ed25519 AAA").code, 0)
        self.assertEqual(self.api.sent("POST")[0].body["metadata"], {"ssh-keys": "bob:ssh-ed25519 AAA"})
        self.env["LOGNAME"] = "me"
        self.run_program("tpu-vm", "ssh", "n1", "--command=true", "--ssh-key-file=k")
        key = " ".join((self.home / "k.pub").read_text().split()[:2])
        self.assertEqual(self.api.sent("PATCH")[0].body, {"metadata": {"ssh-keys": f"bob:ssh-ed25519 AAA\nme:{key} me", "other": "1"}})

    def test_half_a_key_pair_is_an_error(self):
        self.has()
        self.file("k", "private")
        self.expect(self.run_program("tpu-vm", "ssh", "n1", "--command=true", "--ssh-key-file=k"), 125, "k.pub", "ssh-keygen -y")
        self.assertEqual(self.api.sent("PATCH"), [])


class Routes(Pods):
    def address(self, *words):
        run = self.ssh("n1", *words)
        self.assertEqual(run.code, 0, run)
        return self.argv()[0][-3].partition("@")[2], run.err

    def test_external_and_internal_addresses(self):
        self.shim()
        self.has(networkEndpoints=[{"ipAddress": "10.0.0.5", "accessConfig": {"externalIp": "203.0.113.5"}}])
        self.assertEqual(self.address()[0], "203.0.113.5")
        self.assertEqual(self.address("--internal-ip"), ("10.0.0.5", "SSH: Attempting to connect to worker 0...\n"))
        self.has(networkEndpoints=[{"ipAddress": "10.0.0.5"}])
        address, words = self.address()
        self.assertEqual(address, "10.0.0.5")
        self.assertRegex(words, "no external address.*internal.*--tunnel-through-iap")
        self.has(networkEndpoints=[{}])
        self.expect(self.ssh(), 125, "no address")


class Questions(Pods):
    def test_nothing_asks_where_nobody_answers(self):
        self.has(workers=2)
        self.shim("read -r word </dev/tty 2>/dev/null; exit 0\n")
        self.api.on("PATCH", "/nodes/n1", operation(done=True))
        for words in ((), ("--worker=all",)):
            child = self.start("tpu-vm", "ssh", "n1", "--command=true", "--ssh-key-file=k", *words, start_new_session=True)
            _, err = child.communicate(timeout=60)
            self.assertEqual(child.returncode, 0, err)
            for argv in self.argv():
                self.assertIn("BatchMode=yes", argv)
                self.assertEqual(len([word for word in argv if word.startswith("StrictHostKeyChecking=")]), 1)
                self.assertIn("IdentitiesOnly=yes", argv)

    def test_the_users_own_flags_win_over_what_gcloud_does_not_set(self):
        self.has()
        self.shim()
        self.api.on("PATCH", "/nodes/n1", operation(done=True))
        self.run_program("tpu-vm", "ssh", "n1", "--command=true", "--ssh-key-file=k", "--ssh-flag=-o ConnectTimeout=7 -oBatchMode=no -o ControlMaster=no")
        argv = self.argv()[0]
        self.assertIn("ConnectTimeout=7", argv)
        self.assertIn("-oBatchMode=no", argv)
        for word in ("ConnectTimeout=30", "BatchMode=yes", "ControlMaster=auto"):
            self.assertNotIn(word, argv)


def account_is_locked(user):
    if os.getuid() != 0:
        return False
    lines = pathlib.Path("/etc/shadow").read_text().splitlines()
    return any(line.startswith(f"{user}:!") for line in lines)


class OneDoor(Pods):
    """32 workers behind one sshd that lets few knock at a time."""

    def serve(self):
        sshd = shutil.which("sshd", path=os.environ["PATH"] + ":/usr/sbin:/sbin")
        if not sshd:
            self.skipTest("no sshd is installed")
        if os.getuid() == 0:
            os.makedirs("/run/sshd", 0o755, exist_ok=True)
        user = pwd.getpwuid(os.getuid()).pw_name
        for name in ("host", "k"):
            subprocess.run(["ssh-keygen", "-q", "-t", "rsa", "-N", "", "-f", str(self.home / name)], check=True)
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        config = self.file("sshd_config", f"ListenAddress 127.0.0.1\nPort {port}\nHostKey {self.home}/host\nPidFile none\nStrictModes no\n"
                           f"UsePAM {'yes' if account_is_locked(user) else 'no'}\nPermitRootLogin yes\nAuthorizedKeysFile {self.home}/k.pub\n"
                           f"MaxStartups 3:100:3\nLogLevel VERBOSE\nForceCommand sleep 0.1; echo served\n")
        log = open(self.home / "sshd.log", "w")
        self.addCleanup(log.close)
        daemon = subprocess.Popen([sshd, "-D", "-e", "-f", config], stderr=log, stdin=subprocess.DEVNULL)
        self.addCleanup(daemon.wait)
        self.addCleanup(daemon.terminate)
        while "Server listening" not in (self.home / "sshd.log").read_text():
            self.assertIsNone(daemon.poll(), (self.home / "sshd.log").read_text())
            time.sleep(0.05)
        key = " ".join((self.home / "k.pub").read_text().split()[:2])
        self.has(id="77", networkEndpoints=[{"ipAddress": "127.0.0.1"} for _ in range(32)], metadata={"ssh-keys": f"{user}:{key}"})
        self.env |= {"CLOUDSDK_SSH_PORT": str(port), "LOGNAME": user, "XDG_RUNTIME_DIR": "/x" * 40}  # no connection is shared

    def served(self, *words):
        run = self.run_program("tpu-vm", "ssh", "n1", "--worker=all", "--command=true", "--ssh-key-file=k", "--internal-ip", *words)
        self.assertEqual(run.code, 0, run)
        self.assertEqual(len(set(run.out.splitlines())), 32)
        self.assertEqual(len(run.out.splitlines()), 32, "nobody was served twice")

    def test_those_who_are_turned_away_come_back(self):
        self.serve()
        self.served()

    def test_a_batch_is_never_turned_away(self):
        self.serve()
        self.served("--batch-size=3")
        self.assertNotIn("drop connection", (self.home / "sshd.log").read_text())
        for size in ("0", "-1"):
            self.expect(self.ssh("n1", "--batch-size=" + size), 2, "batch-size")


if __name__ == "__main__":
    main()
