#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Records what gcloud itself prints for the cases in output_cases.json and output_differences.json.

Uses the modules of an installed Google Cloud CLI and the Python that comes with it; sends nothing anywhere:

    SDK/platform/bundledpythonunix/bin/python3 record_output.py SDK [--check]

With --check nothing is written; a case that gcloud answers otherwise than recorded is named, and is exit code 1.
"""
import copy
import io
import json
import os
import pathlib
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent


def gcloud(sdk):
    """The modules that decide what gcloud prints."""
    sys.path[:0] = [f"{sdk}/lib", f"{sdk}/lib/third_party"]
    os.environ.update(TZ="UTC", TERM="dumb", CLOUDSDK_CONFIG=tempfile.mkdtemp(), PYTHONHASHSEED="0")
    from googlecloudsdk.calliope import display, display_info
    from googlecloudsdk.core import log, properties
    from googlecloudsdk.core.console import console_attr
    return display, display_info, log, properties, console_attr


class Output(io.StringIO):
    def Print(self, *words):
        self.write(" ".join(words) + "\n")


class Flags:
    def __init__(self, **flags):
        self.__dict__.update(flags)

    def GetDisplayInfo(self):
        return None

    def IsSpecified(self, _):
        return True


class Command:
    def Epilog(self, _):
        pass


def run(modules, answer, tables, case):
    """What gcloud prints, or None when it refuses (or crashes)."""
    display, display_info, log, properties, console_attr = modules
    info = display_info.DisplayInfo()
    if case.get("table"):
        info.AddFormat(tables[case["table"]])
    flags = Flags(
        format=case.get("format", ""), filter=case.get("filter"), limit=case.get("limit"), page_size=None, uri=None, async_=None,
        sort_by=case["sort"].split(",") if case.get("sort") else None,
        flatten=case["flatten"].split(",") if case.get("flatten") else None, **case.get("flags", {}))
    console_attr.ConsoleAttr._CONSOLE_ATTR_STATE = None
    screen = console_attr.GetConsoleAttr(encoding="utf-8", term="xterm" if case.get("colour") else "dumb")
    screen._term_size = (case.get("width", 80), 24)
    properties.VALUES.accessibility.screen_reader.Set(bool(case.get("reader")))
    resources = copy.deepcopy(answer)
    log.out = out = Output()
    log.warning = lambda *_: None
    try:
        display.Displayer(Command(), flags, iter(resources) if isinstance(resources, list) else resources, info).Display()
    except Exception:
        return None
    return out.getvalue()


def with_cases(text, cases):
    """The text of a data file with its cases, one a line, replaced; the rest stays as it is, down to how numbers are written."""
    head = text[:text.index(' "cases": [')]
    return head + ' "cases": [\n' + ",\n".join("  " + json.dumps(one, ensure_ascii=False) for one in cases) + "\n ]\n}\n"


def main():
    modules = gcloud(sys.argv[1])
    check = "--check" in sys.argv
    cases = json.loads((HERE / "output_cases.json").read_text())
    wrong = 0
    for name, key in (("output_cases.json", "out"), ("output_differences.json", "gcloud")):
        text = (HERE / name).read_text()
        recorded = json.loads(text)["cases"]
        for case in recorded:
            out = run(modules, cases["answers"][case["answer"]], cases["tables"], case)
            if check and "now" not in case and out != case[key]:
                wrong += 1
                print(f"{name}: {json.dumps({k: v for k, v in case.items() if k != 'out'}, ensure_ascii=False)}")
            case[key] = out
        if not check:
            (HERE / name).write_text(with_cases(text, recorded))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
