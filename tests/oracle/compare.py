"""The sites that inlinecall lists beside those of an oracle."""

import json
import os
import re
import subprocess
import sys
from itertools import zip_longest
from pathlib import Path
from typing import NamedTuple

import instances
from matrix.shop import numbers

HERE = Path(__file__).resolve().parent
PLURALS = {"site": "sites", "copy": "copies", "call": "calls"}
# Not -a, which leaves out the copies and calls of functions that were never inlined.
RULE = "rule "  # begins a line of known_differences.txt about frames at addresses
EVERYTHING = ("-o", "-c", "-g", "*")
FIELDS = ("die", "type", "unit", "function", "linkage_name", "decl_file", "decl_line", "call_file",
          "call_line", "call_column", "ranges", "entry", "return", "host", "chain")


def program():
    return os.environ.get("INLINECALL", str(HERE.parents[1] / "build/cli/inlinecall"))


def one_slash(path):
    """The one place where paths are made alike.

    Both sides join and never normalise, but llvm-dwarfdump does not write a second slash where a
    directory's name already ends in one.
    """
    return sys.intern(re.sub("//+", "/", path)) if path else None


def interned(text):
    return sys.intern(text) if text is not None else None


def from_oracle(site):
    """One form for both sides: a tuple in the order of FIELDS."""
    chain = tuple((interned(call.function), one_slash(call.call_file), call.call_line,
                   call.call_column) for call in site.chain)
    return (site.die, site.type, site.unit, interned(site.function), interned(site.linkage_name),
            one_slash(site.decl_file), site.decl_line, one_slash(site.call_file), site.call_line,
            site.call_column, site.ranges, site.entry, site.return_pc, interned(site.host), chain)


def from_json(row):
    chain = tuple((interned(call["function"]), one_slash(call["call_file"]),
                   call["call_line"] or None, call["call_column"] or None)
                  for call in row["chain"])
    return (int(row["die"], 16), interned(row["type"]), interned(row["unit"]),
            interned(row["function"]), interned(row["linkage_name"]),
            one_slash(row["decl_file"]), row["decl_line"] or None, one_slash(row["call_file"]),
            row["call_line"] or None, row["call_column"] or None,
            ranges_from_json(row), int(row["entry"], 16) if row["entry"] is not None else None,
            return_from_json(row), interned(row["host"]), chain)


def ranges_from_json(row):
    """In relocatable files a range in another section than "section" names its own."""
    return tuple((int(part[0], 16), int(part[1], 16),
                  interned(part[2] if len(part) > 2 else row["section"]))
                 for part in row["ranges"])


def return_from_json(row):
    """Only calls have one."""
    back = row.get("return")
    return (int(back, 16), interned(row["section"])) if back is not None else None


class Program:
    """`inlinecall sites OPTION... --json FILE`, row by row."""

    def __init__(self, path, options=("-a",)):
        self.command = [program(), "sites", *options, "--json", str(path)]
        self.status = None

    def rows(self):
        process = subprocess.Popen(self.command, stdout=subprocess.PIPE, bufsize=1 << 20)
        with process.stdout:
            for line in process.stdout:
                yield json.loads(line)
        self.status = process.wait()


class Known(NamedTuple):
    pattern: re.Pattern
    reason: str
    right: str


def known_lines():
    """[what, the reason, who is right] of each line of known_differences.txt."""
    text = (HERE / "known_differences.txt").read_text()
    return [[part.strip() for part in line.split(" | ")]
            for line in re.sub(r"\n +", " ", text).splitlines() if line and line[0] != "#"]


def known_differences():
    return [Known(re.compile(what), reason, right) for what, reason, right in known_lines()
            if not what.startswith(RULE)]


class KnownRule(NamedTuple):
    reason: str
    right: str
    since: tuple = ()  # versions of the tool, from the first to the last for which it holds
    until: tuple = ()  # () if to the newest

    def holds(self, version):
        return self.since <= version and (not self.until or
                                          version[:len(self.until)] <= self.until)


def known_rules():
    """{name of a rule of address_rules.py: KnownRule}"""
    rules = {}
    for what, reason, right in known_lines():
        if what.startswith(RULE):
            name, *limits = what.removeprefix(RULE).split()
            versions = {word: numbers(version) for word, version in
                        zip(limits[::2], limits[1::2], strict=True)}
            rules[name] = KnownRule(reason, right, **versions)
    return rules


def shown(value):
    """Addresses as people read them."""
    if isinstance(value, tuple) and value and isinstance(value[0], tuple) and len(value[0]) == 3:
        return " ".join(f"{section or ''}[{start:#x}, {end:#x})" for start, end, section in value)
    return repr(value)


class Comparison:
    """Pairs the two sides by DIE as they come, so that no side need be held in memory whole."""

    def __init__(self, name, from_row=from_json):
        self.name = name
        self.from_row = from_row
        self.known = known_differences()
        self.waiting = ({}, {})  # die -> tuples: of the oracle, of the program
        self.counts = {"sites": 0, "copies": 0, "calls": 0, "ranges": 0, "without code": 0,
                       "known": 0, "different": 0}
        self.differences = []

    def run(self, oracle, rows):
        """`oracle` gives Sites, `rows` what the program printed."""
        for site, row in zip_longest(oracle, rows):
            if site is not None:
                self._count(site)
                self._meet(from_oracle(site), 0)
            if row is not None:
                self._meet(self.from_row(row), 1)
        for side, whose in enumerate(("oracle", "program")):
            for left in self.waiting[side].values():
                for one in left:
                    self._differ([f"{self._title(one)}: only in the {whose}: {one}"])
        return self

    def _count(self, site):
        self.counts[PLURALS[site.type]] += 1
        self.counts["ranges"] += len(site.ranges)
        self.counts["without code"] += site.type == "site" and not site.ranges

    def _meet(self, one, side):
        others = self.waiting[1 - side].get(one[0])
        if not others:
            self.waiting[side].setdefault(one[0], []).append(one)
            return
        other = others.pop()
        if not others:
            del self.waiting[1 - side][one[0]]
        if one != other:
            expected, actual = (one, other) if side == 0 else (other, one)
            self._differ([f"{self._title(expected)}: {field}: oracle {shown(left)}"
                          f" program {shown(right)}"
                          for field, left, right in zip(FIELDS, expected, actual)
                          if left != right])

    def _title(self, one):
        return f"{self.name}: die {one[0]:#x} {one[1]} {one[3]}"

    def _differ(self, lines):
        lines = [line for line in lines
                 if not any(known.pattern.search(line) for known in self.known)]
        if not lines:
            self.counts["known"] += 1
            return
        self.counts["different"] += 1
        if len(self.differences) < 200:
            self.differences.extend(lines)


def types(options):
    """The types of the rows that the options ask for."""
    return ["site"] + ["copy"] * ("-o" in options) + ["call"] * ("-c" in options)


def asked_for(records, options):
    """Those that the program prints: a glob matches no function without a name, not even `*`."""
    kinds = types(options)
    return (record for record in records
            if record.type in kinds and (record.function or "-g" not in options))


def compare(path, reader, name=None, options=EVERYTHING):
    """Returns the Comparison and the program's exit status."""
    run = Program(path, options)
    comparison = Comparison(name or Path(path).name)
    records = instances.sites(str(path), reader, types(options))
    comparison.run(asked_for(records, options), run.rows())
    return comparison, run.status
