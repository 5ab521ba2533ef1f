#!/usr/bin/env python3
"""Whether all commands count the same copies and bytes of each function of a file.

    agreement.py FILE...

Each command is asked once for all functions, `why` for 64 at a time, as JSON and as text. A function
is what has one name and one place of declaration. These are no differences:

- rows of sites have what the file has, so that parts of functions are in them, with `part`: these no
  other command counts;
- calls from units that only declare a function are those of its definition for `--count` and `why`, so
  that calls are compared by name;
- what is one function is known by linkage names, by which `--count`, `stats` and `why` tell apart
  instances of templates. A row of sites may have no such name, or that of another symbol of a
  destructor, so that sites are compared by what all of these have in common, and bytes, which several
  functions may share, if that is one function;
- a copy has a line of `sites -e`, and a probe, for each of its entries, and one if it has none of its own;
- copies without code may be in functions without code, which have no tree;
- parts that were split off and not inlined are no copies, and have a tree, of what is inlined into them.
"""

import collections
import json
import posixpath
import re
import subprocess
import sys
from typing import NamedTuple

import compare

NAMES_AT_A_TIME = 64


class Key(NamedTuple):
    function: str
    file: str
    line: int
    linkage_name: str = None


class Copies:
    """What there is of one function, by one command."""

    def __init__(self):
        self.numbers = collections.Counter()
        self.ranges = set()

    def add_ranges(self, row):
        # A range in another section than the first one has its own.
        self.ranges.update((other[0] if other else row["section"], int(start, 16), int(end, 16))
                           for start, end, *other in row["ranges"])

    def bytes(self):
        size, last = 0, (None, 0)
        for section, start, end in sorted(self.ranges, key=lambda item: (item[0] or "", *item[1:])):
            start = max(start, last[1]) if section == last[0] else start
            if end > start:
                size, last = size + end - start, (section, end)
        return size


def output(*words):
    result = subprocess.run([compare.program(), *map(str, words)], text=True, errors="replace",
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    # In a file that is not linked there is nothing to probe: the rows say so.
    if result.returncode not in ((0, 1, 2) if words[0] == "probe" else (0, 1)):
        raise RuntimeError(f"{' '.join(map(str, words))[:200]}: {result.stderr[-2000:]}")
    return result.stdout


def rows(*words):
    return [json.loads(line) for line in output(*words, "--json").splitlines()]


def key_of(row):
    return Key(row["function"], row["decl_file"] and posixpath.normpath(row["decl_file"]),
               row["decl_line"], row["linkage_name"])


def called(row):
    """The name by which calls are compared: glibc declares read() as __read_alias() too, and
    link-time optimisation clones."""
    name = row["linkage_name"]
    return row["function"] if not name or name.startswith(("_Z", "_R")) \
        else name.partition(".")[0]


def loose(key):
    return key._replace(linkage_name=None)


class File:
    """What the commands say of a file: {Key: Copies} for each."""

    def __init__(self, path):
        self.path = path
        self.keys = {}  # of instances, by DIE
        self.sizes = {}  # likewise their bytes
        self.parts = set()  # likewise
        self.calls = collections.Counter()  # by name, those of sites
        self.site_rows = rows("-e", "-o", "-c", "-g", "*", path)
        self.counts = rows("--count", "-g", "*", path)
        self.sites = self.read_sites()

    def read_sites(self):
        found = collections.defaultdict(Copies)
        for row in self.site_rows:
            key, die = loose(key_of(row)), (row["die"], row["die_file"])
            self.keys[die] = key
            if row["part"]:
                self.parts.add(die)
            elif row["type"] == "call":
                self.calls[called(row)] += 1
            elif row["type"] == "copy":
                found[key].numbers["out_of_line"] += 1
            else:
                found[key].numbers["inlined" if row["ranges"] else "without_code"] += 1
                found[key].add_ranges(row)
                self.sizes[die] = one_row_bytes(row)
        for copies in found.values():
            copies.numbers["bytes"] = copies.bytes()
        return found

    def probed(self):
        found = collections.defaultdict(Copies)
        of_copies = {(row["die"], row["die_file"]): row
                     for row in rows("probe", "-g", "*", self.path)}
        for row in of_copies.values():
            name = "inlined" if row["inlined"] else "out_of_line"
            found[self.keys[row["die"], row["die_file"]]].numbers[name] += 1
        return found

    def in_trees(self):
        """The copies of functions, and the bytes of each by DIE."""
        found, sizes = collections.defaultdict(Copies), {}
        for row in rows("tree", "-g", "*", self.path):
            key, die = loose(key_of(row)), (row["die"], row["die_file"])
            if row["inlined"] and row["ranges"]:
                found[key].numbers["inlined"] += 1
                found[key].add_ranges(row)
                sizes[die] = row["bytes"]
            elif not row["inlined"] and die not in self.parts:
                found[key].numbers["out_of_line"] += 1
        for copies in found.values():
            copies.numbers["bytes"] = copies.bytes()
        return found, sizes

    def verdicts(self):
        """Those of every function, each once: the symbols of a constructor have different calls."""
        names = list({row["function"] for row in
                      sorted(self.counts, key=lambda row: row["decl_file"] or "")})
        found = {}
        for start in range(0, len(names), NAMES_AT_A_TIME):
            for row in rows("why", *(f"--function={name}" for name in
                                     names[start:start + NAMES_AT_A_TIME]), self.path):
                found[json.dumps({**row, "calls": 0})] = row
        return list(found.values())


def one_row_bytes(row):
    copies = Copies()
    copies.add_ranges(row)
    return copies.bytes()


def compared(title, left, right, names):
    """Lines for what differs of these numbers."""
    for key in sorted(set(left) | set(right), key=str):
        for name in names:
            pair = [side[key].numbers[name] if key in side else 0 for side in (left, right)]
            if pair[0] != pair[1]:
                yield f"{title}: {key}: {name} {pair[0]}, {pair[1]}"


def by_key(some_rows, names):
    """Of rows of functions, these numbers; {Key: Copies}"""
    found = collections.defaultdict(Copies)
    for row in some_rows:
        for name, other in names.items():
            found[key_of(row)].numbers[other] += row[name]
    return found


def loosely(found, names):
    """By what sites have: sums, and bytes of what is one function."""
    sums, ones = collections.defaultdict(Copies), collections.Counter(map(loose, found))
    for key, copies in found.items():
        for name in names:
            sums[loose(key)].numbers[name] += copies.numbers[name]
    return sums, {key for key, count in ones.items() if count == 1}


def differences(path):
    """(lines, how many functions were compared, and how many copies)"""
    file = File(path)
    lines = [*of_functions(file), *of_probes_and_trees(file), *of_texts(file)]
    return lines, len(file.counts), sum(row["inlined"] for row in file.counts)


def of_functions(file):
    """What is said of functions: by sites, --count, stats and why."""
    names = ("inlined", "without_code", "out_of_line")
    counted = by_key(file.counts, {name: name for name in (*names, "bytes")})
    sums, ones = loosely(counted, (*names, "bytes"))
    yield from compared("sites, --count", file.sites, sums, names)
    yield from compared("sites, --count", {key: file.sites[key] for key in ones if key in file.sites},
                        {key: sums[key] for key in ones}, ["bytes"])
    calls = collections.Counter()
    for row in file.counts:
        calls[called(row)] += row["calls"]
    for name in sorted(set(calls) | set(file.calls), key=str):
        if calls[name] != file.calls[name]:
            yield f"sites, --count: {name}: calls {file.calls[name]}, {calls[name]}"

    whole, *groups = rows("stats", file.path)
    statistics = by_key(groups, {"copies": "inlined", "without_code": "without_code", "bytes": "bytes",
                                 "out_of_line": "out_of_line", "callers": "callers"})
    inlined = {key: copies for key, copies in counted.items()
               if copies.numbers["inlined"] + copies.numbers["without_code"]}
    yield from compared("--count, stats", inlined, statistics, (*names, "bytes"))
    for name in names:
        total = sum(copies.numbers[name] for copies in counted.values())
        if total != whole["copies" if name == "inlined" else name]:
            yield f"--count, stats: all: {name} {total}, {whole}"

    sizes = by_key([row for row in rows("sizes", file.path)[1:] if row["kind"] == "function"],
                   {"copies": "inlined", "total_inlined": "bytes"})
    yield from compared("--count, sizes", {key: copies for key, copies in counted.items()
                                           if copies.numbers["inlined"]}, sizes, ("inlined", "bytes"))

    verdicts = file.verdicts()
    found = by_key(verdicts, {"copies": "inlined", "without_code": "without_code", "bytes": "bytes",
                              "callers": "callers"})
    yield from compared("--count, why", counted, found, ("inlined", "without_code", "bytes"))
    yield from compared("stats, why", statistics, {key: found[key] for key in statistics}, ["callers"])
    kinds = collections.Counter(row["inlined"] for row in verdicts)
    # Not "never": of a file as a whole, stats counts some functions more than it lists by name.
    for name in "partly", "fully":
        if kinds[name] != whole[name]:
            yield f"why, stats: all: {name} {kinds[name]}, {whole[name]}"


def of_probes_and_trees(file):
    yield from compared("sites, probe", file.sites, file.probed(), ("inlined", "out_of_line"))
    found, sizes = file.in_trees()
    yield from compared("sites, tree", file.sites, found, ("inlined", "out_of_line", "bytes"))
    for die, size in sizes.items():
        if size != file.sizes.get(die):
            yield f"sites, tree: {die} {file.keys.get(die)}: bytes {file.sizes.get(die)}, {size}"


def of_texts(file):
    """The texts have as many lines, with the same numbers, as JSON has rows."""
    path = file.path
    counts = collections.Counter(
        numbers for numbers in ((row["inlined"], row["out_of_line"], row["calls"], row["bytes"])
                                for row in file.counts) if any(numbers))
    text = collections.Counter(tuple(map(int, re.findall(r"\d+", line.split("\t", 4)[0] + " " +
                                                         " ".join(line.split("\t", 4)[1:4]))))
                               for line in output("--count", "-g", "*", path).splitlines()[1:])
    if counts != text:
        yield f"--count as JSON, text: {list((counts - text).items())[:5]}, " \
              f"{list((text - counts).items())[:5]}"

    groups = collections.Counter((row["copies"], row["self_bytes"], row["bytes"], row["callers"])
                                 for row in rows("stats", path)[1:]
                                 if row["copies"] or row["out_of_line"])
    text = collections.Counter(tuple(int(number) for number in line.split("\t", 4)[:4])
                               for line in output("stats", "--limit=all", path).splitlines()
                               if re.match(r" *\d+\t", line))
    if groups != text:
        yield f"stats as JSON, text: {list((groups - text).items())[:5]}, " \
              f"{list((text - groups).items())[:5]}"

    kinds = collections.Counter(
        row["type"] for row in file.site_rows
        if not row["part"] and (row["type"] != "site" or row["ranges"]))
    text = collections.Counter()
    for line in output("-e", "-o", "-c", "-g", "*", path).splitlines():
        if line.startswith("\t") and not line.endswith("same copy"):
            last = line.rsplit("\t", 1)[1]
            text["copy" if last.startswith("out of line") else
                 "call" if re.match("(tail )?call(,|$)", last) else "site"] += 1
    if kinds != text:
        yield f"sites as JSON, text: {kinds}, {text}"

    defined = [row["definition"] is not None for row in rows("probe", "-g", "*", path)]
    text = len(re.findall("(?m)^p:", output("probe", "-g", "*", path)))
    if sum(defined) != text:
        yield f"probe as JSON, text: {sum(defined)}, {text}"

    instances = sum(bool(row["bytes"]) for row in rows("tree", "-g", "*", path))
    text = len(output("tree", "-g", "*", path).splitlines()) - 1
    if instances != text:
        yield f"tree as JSON, text: {instances}, {text}"


def main():
    failed = False
    for path in sys.argv[1:]:
        lines, functions, copies = differences(path)
        print(f"{path}: {functions} functions, {copies} copies, {len(lines)} differences")
        for line in lines[:100]:
            print(f"  {line}")
        failed = failed or bool(lines)
    return failed


if __name__ == "__main__":
    sys.exit(main())
