"""`--count --parts` beside what llvm-dwarfdump's DIEs add up to."""

import json
import posixpath
import subprocess

import pytest

import builds
import compare

# Versions of DWARF differ in how ranges are written, which test_sites.py looks at.
MATRIX = [build for build in builds.matrix() if build.dwarf == 5]


class Count:
    """What there is of one function, in the words of JSON."""

    def __init__(self):
        self.numbers = {"inlined": 0, "without_code": 0, "out_of_line": 0, "calls": 0}
        self.bytes = set()  # (section, address)

    def add(self, site):
        key = {"copy": "out_of_line", "call": "calls",
               "site": "inlined" if site.ranges else "without_code"}[site.type]
        self.numbers[key] += 1
        if site.type == "site":
            for start, end, section in site.ranges:
                self.bytes.update((section, addr) for addr in range(start, end))

    def only_calls(self):
        return not any(self.numbers[key] for key in self.numbers if key != "calls")


def expected(records):
    """{(symbol, file, line): {key: number}}"""
    counts, keys = {}, {}
    # The copies of one origin are those of one function, though those of a destructor that were not
    # inlined have symbols of their own.
    for site in sorted(records, key=lambda site: ["site", "copy", "call"].index(site.type)):
        if site.type == "copy" and not site.ranges:
            continue
        path = posixpath.normpath(compare.one_slash(site.decl_file)) if site.decl_file else None
        key = (site.linkage_name or site.function, path, site.decl_line)
        key = keys.setdefault(site.origin or site.die, key)
        counts.setdefault(key, Count()).add(site)
    for symbol in {key[0] for key in counts}:
        every = [key for key in counts if key[0] == symbol]
        copies = [key for key in every if not counts[key].only_calls()]
        if len(copies) == 1:
            for key in set(every) - set(copies):
                counts[copies[0]].numbers["calls"] += counts.pop(key).numbers["calls"]
    return {key: {**count.numbers, "bytes": len(count.bytes)} for key, count in counts.items()}


def printed(path, *options):
    result = subprocess.run([compare.program(), "--count", "--parts", "--json", *options, str(path)],
                            capture_output=True, text=True, check=True)
    rows = [json.loads(line) for line in result.stdout.splitlines()]
    keys = [(row["linkage_name"] or row["function"],
             posixpath.normpath(row["decl_file"]) if row["decl_file"] else None,
             row["decl_line"]) for row in rows]
    assert len(set(keys)) == len(keys), "a function is counted once"
    return {key: {name: row[name] for name in ("inlined", "without_code", "out_of_line", "calls",
                                               "bytes")} for key, row in zip(keys, rows)}


@pytest.mark.parametrize("build", MATRIX, ids=builds.Build.id)
def test_counts_are_what_the_records_add_up_to(build, built, recorded, inlinecall):
    wanted = expected(record for record in recorded(build) if record.function)
    assert any(count["inlined"] > 1 for count in wanted.values())
    assert printed(built(build), "-g", "*") == wanted
    inlined = {key: count for key, count in wanted.items()
               if count["inlined"] or count["without_code"]}
    assert {key: count for key, count in printed(built(build), "-a").items()
            if key[0]} == inlined
