# SPDX-License-Identifier: Apache-2.0
"""Is what came out what the table says? `judge` returns the differences as sentences, none when all is well.

Compared are the requests, the class of the exit code, stdout, the command lines of ssh and scp, and files where the case
names them. stderr is compared by the patterns of differences.json alone, for its words are each program's own.
Of a request: method, path, query, JSON body, what kind of authorization and of content, the project that is billed, and
the status that the answer had. The order of names in an update mask, the case of true and false, the service's alt and
prettyPrint, and a requestId (see "request_id") make no difference.
"""
import configparser
import copy
import json
import re
import uuid
from urllib.parse import parse_qs, unquote, urlsplit

from commandlines import judge_printed, judge_runs
from values import difference, short

FREE_QUERY = ("alt", "prettyPrint", "requestId")
SANITIZER = re.compile(r"(?:ERROR|SUMMARY): \w+Sanitizer|: runtime error: ")


# ---- requests
def canonical(method, path, query, body, answer, billed=None, kind=None, bearer=True):
    parameters = {}
    for name, values in query.items():
        values = [v.lower() if v.lower() in ("true", "false") else v for v in values]
        if name == "updateMask":
            values = [",".join(sorted(",".join(values).split(",")))]
        if name not in FREE_QUERY:
            parameters[name] = values
    return {"method": method, "path": unquote(path), "query": parameters, "body": body, "answer": answer, "billed": billed,
            "kind": kind, "bearer": bearer}


def recorded(item):
    """A request of a table: "METHOD TARGET", or an object with "send" and what else there is to say."""
    item = {"send": item} if isinstance(item, str) else item
    if "method" in item:  # seen in a run
        return copy.deepcopy(item)
    method, target = item["send"].split(" ", 1)
    parts = urlsplit(target)
    kind = "application/json" if item.get("body") is not None and parts.path != "/token" else None
    return canonical(method, parts.path, parse_qs(parts.query, keep_blank_values=True), item.get("body"),
                     item.get("answer", 200), item.get("billed"), kind, parts.path != "/token")


def seen(request):
    """A request of the proxy."""
    headers = {name.lower(): value for name, value in request["headers"].items()}
    kind = headers.get("content-type", "").split(";")[0].strip() if request["body"] is not None else None
    is_token = request["path"] == "/token"
    return canonical(request["method"], request["path"], request["query"], request["body"], request["answer"],
                     headers.get("x-goog-user-project"), None if is_token else kind,
                     headers.get("authorization", "").startswith("Bearer "))


def edit(body, pointer, value):
    *way, last = [int(p) if p.isdigit() else p for p in pointer.strip("/").split("/")]
    for part in way:
        body = body[part]
    if value is None:
        del body[last]
    else:
        body[last] = value


class Step:
    """An item of "requests" in differences.json: one expected request, or a number of them."""

    def __init__(self, spec, table):
        if "same" in spec:
            self.request = copy.deepcopy(table[spec["same"]])
        else:
            self.request = canonical(spec["method"], spec.get("path", ""), {}, None, 200)
        self.request["query"].update(spec.get("query", {}))
        self.path, self.free = spec.get("path_like"), spec.get("free_query", [])
        least, _, most = spec.get("times", "1").partition("-")
        self.least, self.most = int(least), int(most or least)

    def without_free(self, request):
        return dict(request, query={k: v for k, v in request["query"].items() if k not in self.free and "*" not in self.free})

    def mismatch(self, request, where):
        want = dict(self.without_free(self.request), answer=request["answer"])  # tries end as they may
        if self.path:
            if not re.search(self.path, request["path"]):
                return "%s.path is %s instead of one like %s" % (where, request["path"], self.path)
            want["path"] = request["path"]
        return difference(want, self.without_free(request), where)


def match_steps(steps, requests):
    """None when the steps can be spread over the requests; else what stopped the attempt that came furthest."""
    furthest = (-1, None)

    def attempt(step, at):
        nonlocal furthest
        if step == len(steps):
            if at == len(requests):
                return True
            reason = "there are requests too many, from %s %s on" % (requests[at]["method"], requests[at]["path"])
        else:
            count, reason = 0, None
            while count < steps[step].most and at + count < len(requests) and not reason:
                reason = steps[step].mismatch(requests[at + count], "requests[%d]" % (at + count))
                count += not reason
            for taken in range(count, steps[step].least - 1, -1):
                if attempt(step + 1, at + taken):
                    return True
            at += count
            reason = reason or "the requests end too early: %s %s is missing" % (
                steps[step].request["method"], steps[step].path or steps[step].request["path"])
        if at >= furthest[0]:
            furthest = (at, reason)
        return False
    return None if attempt(0, 0) else furthest[1]


def in_order(request):
    return json.dumps([request["path"], request["method"], request], sort_keys=True)


def judge_requests(case, out, other):
    have = [seen(r) for r in out["requests"]]
    table = [recorded(item) for item in case["requests"]]
    if not case.get("answers", True):
        for request in table + have:
            request["answer"] = 200
    if "requests" in other:
        yield match_steps([Step(spec, table) for spec in other["requests"]], have)
    else:
        for index, edits in other.get("body", {}).items():
            for pointer, value in edits.items():
                edit(table[int(index)]["body"], pointer, value)
        if case.get("requests_in_any_order"):
            table, have = sorted(table, key=in_order), sorted(have, key=in_order)
        yield difference(table, have, "requests")
    ids = [r["query"].get("requestId", [None])[0] for r in out["requests"] if r["method"] == "POST"]
    if other.get("request_id") == "absent" and any(ids):
        yield "a requestId was sent: %s" % ids
    if other.get("request_id") == "same":
        try:
            good = len(set(ids)) == 1 and str(uuid.UUID(ids[0])) == ids[0].lower()
        except (ValueError, TypeError, AttributeError):
            good = False
        if not good:
            yield "the requestIds are %s instead of one UUID" % ids
    for first, second, seconds in other.get("gap", []):
        times = [r["time"] for r in out["requests"]]
        if second < len(times) and times[second] - times[first] < seconds:
            yield "requests[%d] came sooner than %s s after requests[%d]" % (second, seconds, first)


# ---- all of it
def exit_class(code):
    return code if code in (0, 2) or not isinstance(code, int) else "signal" if code < 0 else "error"


def refused(case, out, wanted):
    """For a command that was refused where that is right: nothing went out that gcloud did not send as well."""
    left = [dict(recorded(item), answer=0) for item in case["requests"]]
    for request in [dict(seen(r), answer=0) for r in out["requests"]]:
        if request in left:
            left.remove(request)
        else:
            yield "it was refused, but %s %s was sent" % (request["method"], request["path"])
    if out["runs"] and not case.get("runs"):
        yield "it was refused, but %s was started" % out["runs"][0]["argv"][0]
    if out["stdout"] not in ("", wanted):
        yield "it was refused, but wrote to stdout: " + short(out["stdout"])


def ini(text):
    parser = configparser.ConfigParser(interpolation=None)
    parser.read_string(text or "")
    return {section: dict(parser[section]) for section in parser.sections()}


def judge(case, out, other, general):
    if "http" in case:
        want = other.get("answer", case["http"]["answer"])
        return [] if out["answer"] == want else ["the answer is %s instead of %s: %s" % (out["answer"], want, short(out["text"]))]
    found, skipped = [], case.get("not_compared", {})
    code = exit_class(out["exit"])
    allowed = other.get("exit", case["exit"])
    allowed = allowed if isinstance(allowed, list) else [allowed]
    if code not in allowed and out["exit"] not in allowed:
        found.append("the exit code is %s instead of %s" % (out["exit"], " or ".join(map(str, allowed))))
    if SANITIZER.search(out["stderr"]):
        found.append("a sanitizer reports: " + short(out["stderr"][SANITIZER.search(out["stderr"]).start():].split("\n")[0]))
    if not found and out["exit"] != 0 and case.get("refusal"):
        found += refused(case, out, case["stdout"])
    else:
        if "requests" not in skipped and not other.get("any_requests"):
            found += judge_requests(case, out, other)
        if "stdout" not in skipped and not other.get("any_stdout"):
            found.append(judge_printed(case, out, other, general))
        if "runs" not in skipped and not other.get("any_requests"):
            found += judge_runs(case, out, other, general)
        for what in ("files_after", "tree_after", "objects_after"):
            if what in case:
                found.append(difference(other.get(what, case[what]), out[what], what))
        if "config_after" in case:
            found.append(difference(ini(case["config_after"]), ini(out["config_after"]), "config"))
    for pattern in other.get("stderr", []):
        if not re.search(pattern, out["stderr"]):
            found.append("stderr has nothing like %s, but %s" % (pattern, short(out["stderr"])))
    for pattern in other.get("stderr_not", []):
        if re.search(pattern, out["stderr"]):
            found.append("stderr has something like " + pattern)
    return [sentence for sentence in found if sentence]
