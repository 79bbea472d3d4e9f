# SPDX-License-Identifier: Apache-2.0
"""The command lines of ssh and scp: those that were started, and those that a dry run prints.

Not compared: further -o options that differences.json allows, the program in a ProxyCommand, and how the words for the
remote shell are split, for ssh joins them again. A worker whose host keys the service tells has to be connected to with
StrictHostKeyChecking=yes and those keys. A printed command is right when a shell that is given it starts the right thing.
"""
import re
import shlex

from values import difference, short, text_difference


def tunnel(word):
    """A ProxyCommand by what it asks for: which program asks, and its further flags, are free."""
    found = re.match(r"ProxyCommand[= ].* compute start-iap-tunnel (.*)$", word)
    if not found:
        return word
    named = [w for w in shlex.split(found.group(1)) if not w.startswith("--") or re.match("--(listen-on-stdin|project|zone)", w)]
    return "ProxyCommand=... start-iap-tunnel " + " ".join(named)


def tidy(argv, general, named=()):
    """A command line without further options that are allowed, the words for the remote shell as the one text they are."""
    out, i = [], 0
    while i < len(argv):
        value = argv[i + 1] if argv[i] == "-o" and i + 1 < len(argv) else None
        if value and value not in named and re.search(general["ssh_extra"], value):
            i += 2
            continue
        out.append(tunnel(argv[i]))
        i += 1
    if out and out[0].split("/")[-1] in ("ssh", "{SSH}") and "--" in out:
        i = out.index("--")
        out[i + 1:] = [" ".join(out[i + 1:])]
    return out


def keys_of(argv, out, case):
    """The host keys that the service told of the worker that a command line goes to."""
    if not out["check_host_keys"]:
        return None
    for word in argv:
        found = re.match(r"HostKeyAlias=tpu\.(\d+-\d+)", word)
        if found:
            return out["host_keys"].get(found.group(1))
    return None


def strictness(rows, word):
    return [[re.sub("^StrictHostKeyChecking=(yes|no|accept-new)$", "StrictHostKeyChecking=" + word, w) for w in argv] for argv in rows]


def judge_runs(case, out, other, general):
    table = other.get("runs", case.get("runs", []))
    named = {word for argv in table for word in argv}
    want = [tidy(argv, general, named) for argv in table]
    have = [tidy(row["argv"], general, named) for row in out["runs"]]
    # First connection: checked all the same when the keys are known. What the user said about checking stands.
    said = any("trict-host-key-checking" in w or "StrictHostKeyChecking" in w for w in case["argv"])
    if said:
        want, have = strictness(want, "SAID"), strictness(have, "SAID")
    else:
        want = [strictness([argv], "yes")[0] if keys_of(argv, out, case) else argv for argv in want]
    rows = list(zip(have, out["runs"]))
    if case.get("runs_in_any_order"):
        want, rows = sorted(want), sorted(rows, key=lambda row: row[0])
    if case.get("relay") and len(want) > 1:  # from worker to worker: the first copy is one of those recorded
        if not any(argv in want for argv, _ in rows):
            yield "none of the recorded copies was started, but %s" % short([argv for argv, _ in rows])
        return
    yield difference(want, [argv for argv, _ in rows], "runs")
    for argv, row in rows:
        keys = None if said else keys_of(argv, out, case)
        if keys:
            alias = next(w for w in argv if w.startswith("HostKeyAlias="))[len("HostKeyAlias="):]
            lines = [line.split() for line in row["known_hosts"].splitlines()]
            known = {tuple(line[1:3]) for line in lines if line and alias in line[0].split(",")}
            if not known or known - set(keys):
                yield "the known hosts have %s for %s instead of keys that the service told" % (sorted(known), alias)
    text = case.get("stdin")
    if text and case.get("stdin_reaches_ssh") and text not in [row["stdin"] for row in out["runs"]]:
        yield "standard input did not reach ssh whole"


# ---- stdout
def judge_printed(case, out, other, general):
    if "words" in other:
        want = [[w if isinstance(w, dict) else tunnel(w) for w in argv] for argv in other["words"]]
        have = [tidy(argv, general) for argv in out.get("pasted") or []]
        want = strictness_of_words(want, out, case)
        have = strictness_of_words(have, out, case)
        good = len(want) == len(have) and all(len(a) == len(b) for a, b in zip(want, have)) and all(
            re.search(x["like"], y) if isinstance(x, dict) else x == y for a, b in zip(want, have) for x, y in zip(a, b))
        return None if good else "a shell that is given stdout would start %s instead of %s" % (short(have), short(want))
    forms = [out["stdout"]]
    for pattern in [other.get("stdout_strip"), case.get("worker_prefix") and general["worker_prefix"]]:
        if pattern:
            forms.append("".join(re.sub("^(?:%s)" % pattern, "", line) for line in forms[0].splitlines(True)))
    want = other.get("stdout", case["stdout"])
    if want in forms:
        return None
    if out.get("pasted"):  # quoted otherwise, but the same to a shell
        split = [tidy(line.replace("{SSH}", "ssh", 1).replace("{SCP}", "scp", 1).split(" "), general)
                 for line in want.splitlines()]
        have = [tidy(argv, general) for argv in out["pasted"]]
        if strictness_of_words(split, out, case) == strictness_of_words(have, out, case):
            return None
    return text_difference(want, forms[-1], "stdout")


def strictness_of_words(rows, out, case):
    """A dry run need not say how strict the first connection will be."""
    done = []
    for argv in rows:
        words = [w for w in argv if isinstance(w, str)]
        if keys_of(words, out, case):
            argv = [w if isinstance(w, dict) else strictness([[w]], "ANY")[0][0] for w in argv]
        done.append(argv)
    return done
