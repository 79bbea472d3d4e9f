#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Replays what gcloud was seen to do, with tpuctl in its place and the emulator in the service's.

    replay.py --program TPUCTL [--table golden|commands] [--only REGEX] [--jobs N] [--verbose] [--side-by-side]

golden.json and commands.json hold the recordings, differences.json what tpuctl does otherwise on purpose, README.md the
meaning of both. Needs Python 3.11, ssh-keygen and sshd; reads nothing outside this folder; leaves no process behind.
With --side-by-side every case also runs through the gcloud on PATH, against the same emulator. Then gcloud has to do what
was recorded (else the emulator answers otherwise than the service did), and tpuctl has to do what gcloud just did.
Exit 0: all passed. 1: some failed. 2: wrong call. 77: --side-by-side, but no Google Cloud CLI is installed.
"""
import argparse
import collections
import concurrent.futures
import json
import os
import re
import shutil
import sys
import tempfile
import time

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import compare  # noqa: E402
import sandbox  # noqa: E402

AS_RECORDED = {"ssh_extra": "(?!)", "worker_prefix": None}  # for gcloud itself


def read(name):
    with open(os.path.join(HERE, name), encoding="utf-8") as file:
        return json.load(file)


def find_gcloud():
    """The Google Cloud CLI on PATH, not a link of that name to tpuctl; None when there is none."""
    for folder in os.environ.get("PATH", "").split(":"):
        path = os.path.realpath(os.path.join(folder, "gcloud"))
        if os.access(path, os.X_OK) and os.path.exists(os.path.join(os.path.dirname(path), "..", "lib", "gcloud.py")):
            return path
    return None


def as_case(case, out):
    """What a run did in the place of what was recorded."""
    code = compare.exit_class(out["exit"])
    code = out["exit"] if code == "error" and out["exit"] != 1 else code  # 7: the remote program's
    code = [2, "error"] if case.get("refusal") and code != 0 else code
    done = dict(case, exit=code, stdout=out["stdout"], answers=True,
                requests=[compare.seen(r) for r in out["requests"]], runs=[row["argv"] for row in out["runs"]])
    for what in ("files_after", "tree_after", "objects_after", "config_after"):
        if what in case:
            done[what] = out[what]
    return done


class Replay:
    def __init__(self, args, name, table, differences):
        self.args, self.name, self.table = args, name, table
        self.general, self.differences, self.open = differences["general"], differences[name], differences["open"][name]
        self.gcloud = find_gcloud() if args.side_by_side else None
        defaults = table.get("defaults", {})
        self.cases = {key: dict(defaults, **case) for key, case in table["cases"].items()
                      if re.search(args.only, key + " " + " ".join(case.get("argv", [])))}
        if self.gcloud:  # what is refused as retired, what needs no program, and what only an old version serves
            self.cases = {key: case for key, case in self.cases.items()
                          if not any(word in case for word in ("retired", "http", "not_beside_gcloud"))}
        for case in self.cases.values():
            if "stdout_of" in case:
                case["stdout"] = read("golden.json")["cases"][case["stdout_of"]]["stdout"]

    def run(self, key, case, program):
        with sandbox.Sandbox(self.table, case, program, self.args.emulator or self.args.program, self.args.key) as box:
            out = box.run(self.args.timeout)
        out["check_host_keys"] = program != self.gcloud and not case.get("server", {}).get("no_guest_attributes")
        return out

    def one(self, key):
        """(what came out, differences) of a case."""
        case, other, found = self.cases[key], self.differences.get(key, {}), []
        try:
            if self.gcloud:
                theirs = self.run(key, case, self.gcloud)
                if self.args.record and "stdout_by" in case:
                    self.table["cases"][key]["stdout"] = theirs["stdout"]
                else:
                    found += ["gcloud: " + text for text in compare.judge(case, theirs, {}, AS_RECORDED)]
                case = as_case(case, theirs)
            out = self.run(key, case, self.args.program)
            found += compare.judge(case, out, other, self.general)
            if key in self.open:
                found = [] if found else ["it passes now: take it out of the open cases in differences.json"]
            return out, found
        except Exception as error:  # the others go on
            if self.args.verbose:
                raise
            return {}, found + ["it could not be replayed: %r" % error]

    def slowness(self, key):
        """Repeated requests and connections mean waits between them: these cases begin first."""
        case = self.cases[key]
        rows = [json.dumps(item) for item in case.get("requests", []) + case.get("runs", [])]
        return max(collections.Counter(rows).values(), default=0)

    def all(self):
        started, failed, results = time.monotonic(), set(), {}
        with concurrent.futures.ThreadPoolExecutor(self.args.jobs) as pool:
            todo = {pool.submit(self.one, key): key for key in sorted(self.cases, key=lambda k: (-self.slowness(k), k))}
            for future in concurrent.futures.as_completed(todo):
                key = todo[future]
                out, found = results[key] = future.result()
                if found:
                    failed.add(key)
                    print("FAIL %s: %s" % (key, found[0]), flush=True)
                if found and self.args.verbose:
                    for text in found[1:]:
                        print("     also: " + text)
                    print("     argv: %s\n     exit: %s" % (" ".join(self.cases[key].get("argv", [])), out.get("exit")))
                    print("     stderr: " + "\n             ".join(out.get("stderr", "").splitlines()[:12]), flush=True)
                elif self.args.verbose:
                    print("ok   " + key, flush=True)
        self.summary(failed, time.monotonic() - started)
        return len(failed), {key: {"differences": found, "out": out} for key, (out, found) in results.items()}

    def summary(self, failed, seconds):
        partly = {key: case["not_compared"] for key, case in self.cases.items() if "not_compared" in case}
        for key, reasons in sorted(partly.items()):
            print("note %s: %s" % (key, "; ".join("%s is not compared: %s" % item for item in sorted(reasons.items()))))
        still_open = {key: reason for key, reason in self.open.items() if key in self.cases and key not in failed}
        for key, reason in sorted(still_open.items()):
            print("note %s is open: %s" % (key, reason))
        left = self.table.get("left_out", {})
        if not self.args.only:
            for key, reason in sorted(left.items()):
                print("note %s is left out: %s" % (key, reason))
        print("%s%s: %d passed (%d of them in part), %d open, %d failed, %d left out, %.0f s" % (
            self.name, " beside gcloud" if self.gcloud else "", len(self.cases) - len(failed) - len(still_open),
            len(partly), len(still_open), len(failed), len(left), seconds))


def write_table(name, table):
    """One case and one world a line, so that changes can be read."""
    parts = []
    for key, value in table.items():
        if key in ("worlds", "cases"):
            rows = ["  %s: %s" % (json.dumps(name), json.dumps(row, ensure_ascii=False)) for name, row in value.items()]
            parts.append(' "%s": {\n%s\n }' % (key, ",\n".join(rows)))
        else:
            parts.append(" %s: %s" % (json.dumps(key), json.dumps(value, ensure_ascii=False)))
    text = "{\n" + ",\n".join(parts) + "\n}\n"
    with open(os.path.join(HERE, name), "w", encoding="utf-8") as file:
        file.write(text)


def parse():
    parser = argparse.ArgumentParser(description="Replays recordings of gcloud with tpuctl and the emulator.")
    parser.add_argument("--program", required=True, help="tpuctl")
    parser.add_argument("--emulator", help="the tpuctl that serves the emulator; default: the same")
    parser.add_argument("--table", choices=("golden", "commands"), help="default: both")
    parser.add_argument("--only", default="", metavar="REGEX", help="cases by name or words")
    parser.add_argument("--jobs", type=int, default=4)
    parser.add_argument("--timeout", type=float, default=200, help="seconds for one case")
    parser.add_argument("--side-by-side", action="store_true", help="also run gcloud")
    parser.add_argument("--record", action="store_true", help="with --side-by-side: renew what was recorded from the emulator")
    parser.add_argument("--json", metavar="FILE", help="everything that came out")
    parser.add_argument("-v", "--verbose", action="store_true")
    args = parser.parse_args()
    args.program = os.path.realpath(shutil.which(args.program) or parser.error("no such program: " + args.program))
    return args


def main():
    args = parse()
    if args.side_by_side and not find_gcloud():
        print("Not run: the comparison side by side needs the Google Cloud CLI, and there is no gcloud of it on PATH.")
        return 77
    differences, failed, everything = read("differences.json"), 0, {}
    with tempfile.TemporaryDirectory(prefix="tpuctl-conf-key.") as folder:
        args.key = sandbox.make_keys(folder)
        for name in [args.table] if args.table else ["golden", "commands"]:
            table = read(name + ".json")
            replay = Replay(args, name, table, differences)
            count, results = replay.all()
            failed += count
            everything[name] = results
            if args.record:
                write_table(name + ".json", table)
    if args.json:
        with open(args.json, "w", encoding="utf-8") as file:
            json.dump(everything, file, indent=1, ensure_ascii=False)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
