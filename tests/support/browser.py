#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A user who says yes to an authorization page.

    browser.py URL                    follows it to its end, as a browser on this machine does
    browser.py --paste WHAT PROGRAM   starts PROGRAM, which prints the URL and asks; answers with WHAT the browser came to: address,
                                      code, other (an answer to another attempt), nothing. Prints what PROGRAM says then.
"""
import re
import subprocess
import sys
import urllib.parse
import urllib.request

ANSWERS = {
    "address": lambda back: back,
    "code": lambda back: urllib.parse.parse_qs(urllib.parse.urlsplit(back).query)["code"][0],
    "other": lambda back: re.sub("state=[^&]*", "state=other", back),
    "nothing": lambda back: "",
}


def end_of(url):
    query = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(url).query))
    return query["redirect_uri"] + "?" + urllib.parse.urlencode({"state": query["state"], "code": "CODE." + query["code_challenge"]})


def paste(what, program):
    child = subprocess.Popen(program, stdin=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    told = ""
    while not told.endswith(":  "):
        told += child.stderr.read(1)
    answer = child.communicate(ANSWERS[what](end_of(re.search(r"https://\S*", told).group(0))) + "\n")[1].strip()
    sys.stdout.write(answer + "\n")  # one write: a reader that takes a line only must not end this program
    return child.returncode


def visit(url):
    back = end_of(url)
    page = urllib.request.build_opener(urllib.request.ProxyHandler({})).open(back).read().decode()
    assert not any(value in page for value in urllib.parse.urlsplit(back).query.split("&")), "the page repeats the answer"
    return 0


sys.exit(paste(sys.argv[2], sys.argv[3:]) if sys.argv[1] == "--paste" else visit(sys.argv[1]))
