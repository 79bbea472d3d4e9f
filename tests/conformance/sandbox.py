# SPDX-License-Identifier: Apache-2.0
"""One run of one program: a home of its own, stubs for ssh and scp, the emulator behind the proxy, and what came out.

In the tables {HOME}, {TMP}, {CONFIG}, {ENDPOINT}, {HOST}, {SSH}, {SCP}, {PROGRAM} and {SSH_PUBLIC_KEY} stand for what
differs from run to run; the same words are put into what comes out. So are {OPERATION}, {NODE_ID}, {ADDRESS} and
{TIMESTAMP}: names, ids and addresses that the emulator makes up, and times near now.
"""
import datetime
import http.client
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile

import proxy
import world

STUB = r'''#!%s -SE
import fcntl, json, os, stat, sys
me = os.path.basename(sys.argv[0])
if sys.argv[1:] == ["-V"]:
    sys.exit(0)  # a question for the version is no connection
kind = os.fstat(0).st_mode
text = sys.stdin.buffer.read().decode("utf-8", "replace") if not stat.S_ISCHR(kind) else ""
known = [word.split("=", 1)[1] for word in sys.argv if word.startswith("UserKnownHostsFile=")]
known = open(known[0]).read() if known and os.path.isfile(known[0]) else ""
with open(os.environ["STUB_LOG"], "a") as log:
    fcntl.flock(log, fcntl.LOCK_EX)
    log.write(json.dumps({"argv": [me] + sys.argv[1:], "known_hosts": known, "stdin": text}) + "\n")
print("stub %%s output" %% me, flush=True)
sys.exit(json.loads(os.environ["STUB_EXIT"]).get(me, 0))
''' % sys.executable

TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:?\d\d)?")
OWN_NAMES = (  # what the emulator makes up
    (re.compile(r"\boperation-\d{13}-[0-9a-f]{13}-[0-9a-f]+(?:-[0-9a-f]+)?"), "{OPERATION}"),
    (re.compile(r"\b4\d{18}\b"), "{NODE_ID}"),
    (re.compile(r"\b127\.(?!0\.0\.1\b)\d+\.\d+\.\d+\b"), "{ADDRESS}"),
    # and what gcloud says of itself and of a new key
    (re.compile(r"\S*/python3(?:\.\d+)?(?= (?:-S )?\S*/gcloud\.py )"), "{PYTHON}"),
    (re.compile(r"\S*/lib/gcloud\.py"), "{GCLOUD_PY}"),
    (re.compile(r"SHA256:[\w+/=]+ \S+"), "SHA256:{FINGERPRINT} {KEY_COMMENT}"),
    (re.compile(r"\+-+\[[A-Z]+ \d+\]-+\+\n(?:\|.*\|\n)+\+-+\[SHA256\]-+\+"), "{RANDOMART}"))


def make_keys(folder):
    """One key pair for all runs, in the form that also serves as a service account's."""
    path = os.path.join(folder, "key")
    subprocess.run(["ssh-keygen", "-q", "-t", "rsa", "-b", "2048", "-m", "PKCS8", "-N", "", "-C", "tester@client", "-f", path],
                   check=True, stdin=subprocess.DEVNULL)
    return path


def near_now(match):
    try:
        moment = datetime.datetime.strptime(match.group(0)[:19], "%Y-%m-%dT%H:%M:%S")
    except ValueError:
        return match.group(0)
    now = datetime.datetime.now(datetime.timezone.utc).replace(tzinfo=None)
    return "{TIMESTAMP}" if abs(moment - now) < datetime.timedelta(days=45) else match.group(0)


class Sandbox:
    """Context manager over a scratch folder. `run` may be called once."""

    def __init__(self, table, case, program, emulator, key):
        self.table, self.case, self.program, self.emulator_program, self.key = table, case, program, emulator, key

    def __enter__(self):
        self.top = os.path.realpath(tempfile.mkdtemp(prefix="tpuctl-conf."))
        self.home = os.path.join(self.top, "home")
        return self

    def __exit__(self, *_):
        shutil.rmtree(self.top, ignore_errors=True)

    # ---- names
    def real(self, text):
        """The text of a table with the places of this run."""
        for word, place in (("{HOME}", self.home), ("{TMP}", self.top), ("{CONFIG}", self.top + "/config"),
                            ("{SSH_PUBLIC_KEY}", self.blob), ("{ENDPOINT}", getattr(self, "url", ""))):
            text = text.replace(word, place)
        return text

    def plain(self, text):
        """The text that came out with the table's words."""
        words = [(self.url, "{ENDPOINT}"), (self.url[len("http://"):], "{HOST}"), (self.top + "/bin/ssh", "{SSH}"),
                 (self.top + "/bin/scp", "{SCP}"), (self.top + "/config", "{CONFIG}"), (self.home, "{HOME}"),
                 (self.top, "{TMP}"), (self.blob, "{SSH_PUBLIC_KEY}"), (self.program, "{PROGRAM}")]
        for place, word in words:
            text = text.replace(place, word) if place else text
        for pattern, word in OWN_NAMES:
            text = pattern.sub(word, text)
        return TIME.sub(near_now, text)

    def plain_all(self, value):
        if isinstance(value, str):
            return "{TIMESTAMP}" if re.fullmatch(r"1[789]\d{14}", value) else self.plain(value)
        if isinstance(value, list):
            return [self.plain_all(item) for item in value]
        if isinstance(value, dict):
            return {self.plain(name): self.plain_all(item) for name, item in value.items()}
        return value

    # ---- before the run
    def write(self, path, text, mode=0o644):
        os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(path, mode)

    def set_up(self):
        os.makedirs(self.home + "/.ssh", mode=0o700)
        os.makedirs(self.real(self.table["folder"]), exist_ok=True)
        os.makedirs(self.top + "/config")
        for name in self.table["keys"] if self.case.get("key", True) else []:
            for end in ("", ".pub"):
                shutil.copy(self.key + end, self.home + "/.ssh/" + name + end)
        self.write(self.top + "/token", "fake-token")
        with open(self.key) as private, open(self.key + ".pub") as public:
            contents = {"{PRIVATE_KEY}": private.read(), "{PUBLIC_KEY}": public.read()}
        files = dict(self.table.get("files", {}), **self.case.get("files", {}))
        for name, text in files.items():
            path = self.real(name)
            if name.endswith("/"):
                os.makedirs(path, exist_ok=True)
                continue
            text = contents.get(text, text).replace("{PEM}", contents["{PRIVATE_KEY}"].replace("\n", "\\n"))
            is_private_key = os.path.basename(name).startswith("id_") and not name.endswith(".pub")
            self.write(path, self.real(text), 0o600 if is_private_key else 0o644)
        for name in ("ssh", "scp"):
            self.write(self.top + "/bin/" + name, STUB, 0o755)

    def environment(self):
        env = {"PATH": self.top + "/bin:" + os.environ.get("PATH", "/usr/bin:/bin"), "LANG": "C.UTF-8", "HOME": self.home,
               "STUB_LOG": self.top + "/stubs.log", "STUB_EXIT": json.dumps(self.case.get("stubs", {}))}
        for name, value in dict(self.table["env"], **self.case.get("env", {})).items():
            env.pop(name, None)
            if value is not None:
                env[name] = self.real(value)
        return env

    # ---- the run
    def run(self, timeout):
        """What came out, in the table's words: exit, stdout, stderr, requests, runs of ssh and scp, files."""
        case, self.blob = self.case, ""
        if case.get("key", True):
            with open(self.key + ".pub") as file:
                self.blob = file.read().split()[1]
        server = case.get("server", {})
        project = self.table["project"]
        self.world = world.World(project, self.table["worlds"].get(case.get("world"), {}), server.get("workers", False))
        metadata = {name: self.real(value) for name, value in server.get("metadata", {}).items()}
        faults = ["unreachable:" + zone for zone in server.get("unreachable", [])] + server.get("emulator_faults", [])
        objects = case.get("objects", self.table["objects"]) if "objects_after" in case else {}
        with world.Emulator(self.emulator_program, self.top + "/emulator", self.world.state(metadata),
                            server.get("speed", 1000), faults, objects) as emulator, \
                proxy.Proxy(emulator.port, server.get("page_size"), server.get("faults", [])) as front:
            self.url = front.url
            self.set_up()
            if "http" in case:
                return self.send(case["http"])
            out = self.start(timeout)
            if "objects_after" in case:
                out["objects_after"] = self.objects(emulator.port)
            out["requests"] = [dict(r, path=self.plain(r["path"]), query=self.plain_all(r["query"]),
                                    body=self.plain_all(r["body"])) for r in front.requests]
        self.collect(out)
        return out

    def start(self, timeout):
        case, text = self.case, self.case.get("stdin")
        if text == "{YES}":  # yes(1), as long as anybody reads
            text = "y\n" * 100
        words = [self.program] + [self.real(word) for word in case["argv"]]
        process = subprocess.Popen(words, env=self.environment(), cwd=self.real(self.table["folder"]),
                                   stdin=subprocess.DEVNULL if text is None else subprocess.PIPE, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True, errors="replace", start_new_session=True,
                                   preexec_fn=world.die_with_parent)
        try:
            stdout, stderr = process.communicate(text, timeout)
            code = process.returncode
        except subprocess.TimeoutExpired:
            code = "time-out"
            stdout = stderr = ""
        finally:
            try:
                os.killpg(process.pid, signal.SIGKILL)  # whatever it left behind
            except ProcessLookupError:
                pass
        if code == "time-out":
            stdout, stderr = process.communicate()
        return {"exit": code, "raw_stdout": stdout, "stderr": stderr}

    def send(self, exchange):
        """A request without a program, as curl users send it; only the status counts."""
        connection = http.client.HTTPConnection(self.url[len("http://"):], timeout=120)
        headers = {"Authorization": "Bearer fake-token"}
        if exchange.get("type"):
            headers["Content-Type"] = exchange["type"]
        method, target = exchange["send"].split(" ", 1)
        connection.request(method, target, exchange.get("body", "").encode() or None, headers)
        answer = connection.getresponse()
        out = {"answer": answer.status, "text": answer.read().decode("utf-8", "replace")}
        connection.close()
        return out

    def objects(self, port):
        def get(path):
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
            connection.request("GET", path, headers={"Authorization": "Bearer fake-token", "Connection": "close"})
            return connection.getresponse().read().decode("utf-8", "replace")
        out = {}
        for bucket in sorted({name.split("/")[0] for name in self.table["objects"]}):
            for item in json.loads(get("/storage/v1/b/%s/o" % bucket)).get("items", []):
                quoted = item["name"].replace("%", "%25").replace("/", "%2F")
                out[bucket + "/" + item["name"]] = get("/storage/v1/b/%s/o/%s?alt=media" % (bucket, quoted))
        return out

    # ---- after the run
    def stub_log(self, path):
        if not os.path.exists(path):
            return []
        with open(path) as file:
            rows = [json.loads(line) for line in file]
        return [dict(row, argv=self.plain_all(row["argv"])) for row in rows]

    def collect(self, out):
        if not self.blob and os.path.exists(self.home + "/.ssh/google_compute_engine.pub"):
            with open(self.home + "/.ssh/google_compute_engine.pub") as file:
                self.blob = file.read().split()[1]
        out["stdout"], out["stderr"] = self.plain(out["raw_stdout"]), self.plain(out["stderr"])
        out["runs"] = self.stub_log(self.top + "/stubs.log")
        out["host_keys"] = self.world.keys
        if "--dry-run" in self.case["argv"]:
            out["pasted"] = self.paste(out["raw_stdout"])
        if "files_after" in self.case:
            out["files_after"] = {name: self.read(self.real(name)) for name in self.case["files_after"]}
        if "tree_after" in self.case:
            out["tree_after"] = self.tree(self.real(self.table["folder"]))
        if "config_after" in self.case:
            out["config_after"] = self.read(self.top + "/config/configurations/config_default")

    def read(self, path):
        if not os.path.isfile(path):
            return None
        with open(path, errors="replace") as file:
            return self.plain(file.read())

    def tree(self, top):
        return {os.path.relpath(os.path.join(folder, name), top): self.read(os.path.join(folder, name))
                for folder, _, names in os.walk(top) for name in names}

    def paste(self, text):
        """What a shell starts that is given the printed commands; None when these are no ssh or scp of the sandbox."""
        if not re.match(re.escape(self.top) + "/bin/(ssh|scp) ", text):
            return None
        env = dict(self.environment(), STUB_LOG=self.top + "/pasted.log", PATH="/nowhere")
        done = subprocess.run(["/bin/sh", "-c", text], env=env, cwd=self.top, stdin=subprocess.DEVNULL, text=True,
                              capture_output=True, timeout=60)
        return None if done.stderr else [row["argv"] for row in self.stub_log(self.top + "/pasted.log")]
