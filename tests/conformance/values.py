# SPDX-License-Identifier: Apache-2.0
"""Where two values or two texts differ first, as a sentence; None when they are equal."""
import json


def short(value):
    text = value if isinstance(value, str) and "\n" not in value else json.dumps(value, ensure_ascii=False)
    return text if len(text) < 140 else text[:137] + "..."


def difference(want, have, where):
    if isinstance(want, dict) and isinstance(have, dict):
        for name in sorted(want.keys() | have.keys()):
            if name not in want or name not in have:
                side = want if name in want else have
                return "%s.%s is %s: %s" % (where, name, "missing" if side is want else "too much", short(side[name]))
            found = difference(want[name], have[name], "%s.%s" % (where, name))
            if found:
                return found
        return None
    if isinstance(want, list) and isinstance(have, list):
        for i, pair in enumerate(zip(want, have)):
            found = difference(*pair, "%s[%d]" % (where, i))
            if found:
                return found
        if len(want) == len(have):
            return None
        rest = (want if len(want) > len(have) else have)[min(len(want), len(have))]
        return "%s has %d items instead of %d; %s is %s" % (where, len(have), len(want), "missing" if len(want) > len(have)
                                                            else "too much", short(rest))
    return None if type(want) is type(have) and want == have else "%s is %s instead of %s" % (where, short(have), short(want))


def text_difference(want, have, where):
    if want == have:
        return None
    wanted, got = want.split("\n"), have.split("\n")
    for i in range(max(len(wanted), len(got))):
        a, b = (lines[i] if i < len(lines) else None for lines in (wanted, got))
        if a != b:
            return "%s, line %d: %s instead of %s" % (where, i + 1, "nothing" if b is None else repr(b),
                                                      "nothing" if a is None else repr(a))
    return None
