#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every word that tpuctl said in all tests of this run, searched for every secret that the tests use.

    secrets_told.py begin FOLDER        empties the folder in which witness.cpp keeps what is said
    secrets_told.py search FOLDER LOG   searches it, and the log of the tests themselves

Secrets are those of SHAPES, and whatever stands in the tests' sources as the value of a member or variable of NAMES.
A command whose product is a secret may print it, and nothing else may.
"""
import json
import pathlib
import re
import shutil
import sys

TESTS = pathlib.Path(__file__).resolve().parent.parent

NAMES = ("client_secret|refresh_token|access_token|accessToken|id_token|SecretAccessKey|secret_access_key|AWS_SECRET_ACCESS_KEY|"
         "AWS_SESSION_TOKEN|session_token|CLOUDSDK_AUTH_ACCESS_TOKEN|GOOGLE_OAUTH_ACCESS_TOKEN|CLOUDSDK_PROXY_PASSWORD|"
         "CLOUDSDK_CORE_TRACE_TOKEN|ACTIONS_ID_TOKEN_REQUEST_TOKEN|API_KEY|WANDB_API_KEY|HF_TOKEN|PASSWORD|[A-Z_]*SECRET")
VALUE = re.compile(r"""\\?["']?\b(?:%s)\b\\?["']?\s*[=:,]\s*\\?["']?([A-Za-z0-9_./+~-]{6,})""" % NAMES)
# What the values of such members can be besides secrets: names of other members, addresses, words of the protocol.
NO_SECRET = re.compile(r"^(https?:.*|/.*|.*_(token|secret|file)|urn:.*|authorized_user|service_account|answer\b.*|[a-z_.]+\.[a-z_.]+|self|secret|"
                       r"(live|wishes|json|std|text|file|folder|test)\b.*|.*\.json|.*\.env|[A-Z_]+|Json|return|true|false|null|None|string)$")
SHAPES = (r"eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}", r"-----BEGIN (?:RSA |EC )?PRIVATE KEY", r"\bya29\.[A-Za-z0-9_-]+",
          r"\b(?:user|federated|impersonated|machine|service|self|delegated)-token-\d{4}\b", r"\bsubject-\d{4}\b",
          r"\btoken-in-(?:variable|file)\b", r"\brequest-token-of-the-workflow\b")
MAY_TELL = re.compile(r"print-access-token|emulator env|emulator start|config-helper| config (?:get|get-value|list|set)\b| storage cat | cat gs:")


def harvest():
    found = {}
    for path in sorted(TESTS.rglob("*")):
        if path.suffix not in (".t", ".py", ".sh", ".json", ".cpp", ".hpp") or path.name == pathlib.Path(__file__).name:
            continue
        if "fuzz" in path.parts or path.suffix == ".json" and "auth" not in path.parts:
            continue
        for value in VALUE.findall(path.read_text(errors="replace")):
            if re.search("[-0-9/+]", value) and not NO_SECRET.match(value):
                found.setdefault(value, path.relative_to(TESTS))
    return found


def search(folder, log):
    secrets = harvest()
    shapes = re.compile("|".join(SHAPES))

    def secrets_in(text):
        whole = [value for value in secrets if value in text and re.search(r"(?<![\w-])%s(?![\w-])" % re.escape(value), text)]
        return sorted({*whole, *shapes.findall(text)})

    files = sorted(pathlib.Path(folder).iterdir())
    told, commands, size = [], 0, 0
    for path in files:
        text = path.read_text(errors="replace")
        command, _, said = text.partition("\n")
        commands += 1
        size += len(text)
        for place, part in (("arguments", command), ("output", said)):
            if place == "output" and MAY_TELL.search(command):
                continue
            told += [f"{place} of [{command[:150].strip()}]: {hit}" for hit in secrets_in(part)]
    if log.is_file():
        told += [f"log of the tests: {hit}" for hit in secrets_in(log.read_text(errors="replace"))]
    print(f"{len(secrets)} secrets and {len(SHAPES)} shapes looked for in {size} bytes said by {commands} commands.")
    if "-v" in sys.argv:
        print(json.dumps({value: str(path) for value, path in secrets.items()}, indent=1))
    if commands < 100:  # nothing was kept: that proves nothing
        sys.exit("Too little was kept. Run the sessions first: ctest")
    for line in told:
        print("TOLD", line)
    sys.exit(1 if told else 0)


def main():
    what, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    if what == "begin":
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        folder.chmod(0o777)
    else:
        search(folder, pathlib.Path(sys.argv[3]))


if __name__ == "__main__":
    main()
