#!/usr/bin/env python3
"""How often functions are called, by `inlinecall trace --count` and by counters in the program.

    counters.py [--into FOLDER] [-v] [PROGRAM[:BUILD]]...
    counters.py [-v] FOLDER...

The first form makes the programs (all of them, if none is named; those that are in FOLDER already are
kept), the second takes what it has made. A line for each has how many functions were called, how many
of them were counted right, for how many calls are missing, with and without a doubt that says so, and
for how many there are too many; and how much the counters changed: by which share the number of inlined
copies, and for which share of the functions whether they have code of their own. -v prints the last three, with the copies that were traced and the
addresses of the counters. INLINECALL names the program that is tried.
"""

import argparse
import collections
import json
import os
import posixpath
import re
import struct
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

import compare
import counted_programs
from source_packages import NotThere


class Called(NamedTuple):
    """A function that was called, or is thought to have been."""

    function: object  # a counter_source.Function
    number: int
    calls: int
    rows: list  # of `trace --count --json`, of its copies

    def traced(self):
        return sum(row["hits"] for row in self.rows)

    def doubts(self):
        """Why calls may be missing, as the same run says."""
        return [doubt for row in self.rows
                for doubt in (row["copy"]["doubts"] or []) + [row["why_not"]] if doubt]


class Result(NamedTuple):
    equal: list
    too_few: list  # that are doubted
    untold: list  # too few, without a word
    too_many: list
    rows: list  # all of them

    def called(self):
        return sum(1 for group in self[:4] for item in group if item.calls)

    def share(self):
        """Of the functions called, those that are counted right."""
        return len(self.equal) / max(1, self.called())


class Untraceable(Exception):
    """This machine does not let us trace."""


def base_name(name):
    """Of a function in debug information, what the source calls it: no scope, no arguments of
    templates, no blanks."""
    name = name or ""
    at = re.search(r"\boperator\b", name)
    if at:
        return re.sub(r"\s", "", re.sub(r"(?<=\w)\s*<[^<].*", "", name[at.start():]))
    return re.sub(r"<.*", "", name).rpartition("::")[2]


class Numbers:
    """The numbers of counters, by what debug information says of functions."""

    def __init__(self, functions):
        self.by_place = {(re.sub(r"\s", "", function.name), function.file, function.line): number
                         for number, function in enumerate(functions)}

    def find(self, name, file, line):
        return self.by_place.get((base_name(name), file and posixpath.normpath(file), line))


def printed(*words, **more):
    result = subprocess.run([str(word) for word in (compare.program(), *words)], text=True,
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False, **more)
    rows = [json.loads(line) for line in result.stdout.splitlines() if line.startswith('{"type":')]
    return rows, result


def declared(made):
    """{(function, linkage name): {(file, line)}}, of each function with code"""
    found = collections.defaultdict(set)
    for row in printed("--count", "--json", *made.functions, made.program)[0]:
        found[row["function"], row["linkage_name"]].add((row["decl_file"], row["decl_line"]))
    return found


def declared_at(made):
    """{(function, entry): (file, line)} of the copies of functions whose name is not unique"""
    rows, _ = printed("sites", "-e", "-o", "--json", *made.functions, made.program)
    return {(row["function"], row["entry"]): (row["decl_file"], row["decl_line"]) for row in rows}


def traced(made):
    """(rows of all copies, counts by number) of one run"""
    with tempfile.TemporaryDirectory() as folder:
        counts = Path(folder) / "counts"
        with open(Path(folder) / "output", "w+b") as output:
            _, errors = subprocess.Popen(
                [str(compare.program()), "trace", "--count", "--json", *made.functions,
                 str(made.program), "--", str(made.program), *made.arguments], cwd=folder,
                stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.PIPE, text=True,
                env={**os.environ, "COUNTED_CALLS": str(counts)}).communicate()
            output.seek(0)
            text = output.read().decode(errors="replace")
        counted = counts.read_bytes() if counts.exists() else b""
    if re.search("needs root|too old|without it", errors):
        raise Untraceable(errors.strip())
    # Where the program's last line does not end, a row begins in it.
    rows = [json.loads(line[line.index('{"type":"hits"'):]) for line in text.splitlines()
            if '{"type":"hits"' in line]
    if not rows:
        raise RuntimeError(f"nothing was traced: {errors}")
    return rows, struct.unpack(f"<{len(made.counters)}Q", counted[:8 * len(made.counters)])


def compared(made):
    rows, counts = traced(made)
    numbers, places, exact = Numbers(made.counters), declared(made), None
    by_number = collections.defaultdict(list)
    for row in rows:
        found = (places[row["function"], row["linkage_name"]] or
                 {place for (name, _), some in places.items() if name == row["function"]
                  for place in some})
        if len(found) > 1:
            exact = exact or declared_at(made)
            found = {exact.get((row["function"], row["copy"]["entry"]), (None, None))}
        for file, line in found:
            number = numbers.find(row["function"], file, line)
            if number is not None:
                by_number[number].append(row)
    result = Result([], [], [], [], rows)
    for number, function in enumerate(made.counters):
        item = Called(function, number, counts[number], by_number[number])
        if item.traced() > item.calls:
            result.too_many.append(item)
        elif item.traced() < item.calls:
            (result.too_few if item.doubts() or not item.rows else result.untold).append(item)
        elif item.calls:
            result.equal.append(item)
    return result


def counter_addresses(program):
    """{number: [where it is incremented]}"""
    text = subprocess.run(["objdump", "-d", "--no-show-raw-insn", str(program)], check=True,
                          stdout=subprocess.PIPE, text=True).stdout
    found = collections.defaultdict(list)
    for match in re.finditer(r"(?m)^ *([0-9a-f]+):\tinc\w* .*<counted_calls(?:\+0x([0-9a-f]+))?>",
                             text):
        found[int(match[2] or "0", 16) // 8].append(f"0x{match[1]}")
    return found


def print_details(made, result):
    addresses = counter_addresses(made.program)
    for title, group in (("too many", result.too_many), ("too few, untold", result.untold),
                         ("too few, doubted", result.too_few)):
        for item in group:
            function = item.function
            print(f"  {title}: {function.name} {posixpath.basename(function.file)}:{function.line}: "
                  f"{item.calls} calls, {item.traced()} seen")
            print(f"    counted at {', '.join(addresses[item.number])}")
            for row in item.rows:
                copy = row["copy"]
                kind = f"in {copy['host']}" if copy["inlined"] else "out of line"
                print(f"    {row['hits']} at {copy['entry']} {kind}"
                      f"{''.join(f' ({doubt})' for doubt in row.get('doubts') or [])}")


class Inlined(NamedTuple):
    """How functions with counters were inlined, in a program with or without them."""

    copies: int
    own_code: set  # the functions that have some


def inlined(made, path):
    numbers, copies, own_code = Numbers(made.counters), 0, set()
    for row in printed("--count", "--json", *made.functions, path)[0]:
        file = (row["decl_file"] or "").replace("/plain-crate/", "/counted-crate/")
        number = numbers.find(row["function"], file, row["decl_line"])
        if number is not None:
            copies += row["inlined"] + row["without_code"]
            own_code |= {number} if row["out_of_line"] else set()
    return Inlined(copies, own_code)


def difference_of_inlining(made):
    """What counters changed: the share of copies that there are more or fewer of, and of functions
    that have code of their own with them or without them only."""
    new, old = inlined(made, made.program), inlined(made, made.plain)
    return (abs(new.copies - old.copies) / max(1, old.copies),
            len(new.own_code ^ old.own_code) / max(1, len(old.own_code)))


def chosen(names):
    """(program, build) of PROGRAM[:BUILD]"""
    for name in names or counted_programs.ALL:
        name, _, build = name.partition(":")
        program = counted_programs.ALL[name]
        for each in program.builds():
            if build in ("", each, each.replace(" ", "")):
                yield program, each


def folder_of(into, program, build):
    return Path(into) / program.name / build.replace(" ", "")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--into", help="where programs are made, and kept")
    parser.add_argument("-v", action="store_true", help="print what is not equal")
    parser.add_argument("names", nargs="*", metavar="PROGRAM[:BUILD]|FOLDER")
    arguments = parser.parse_args()
    made = [counted_programs.opened(name) for name in arguments.names if "/" in name]
    names = [name for name in arguments.names if "/" not in name]
    with tempfile.TemporaryDirectory() as temporary:
        print(f"{'':34} called  equal         doubted untold too many    copies own code")
        for program, build in chosen(names) if names or not made else ():
            try:
                folder = folder_of(arguments.into or temporary, program, build)
                made.append(counted_programs.make(program, build, folder.absolute()))
            except NotThere as why:
                print(f"{program.name} {build}: {why}")
            report(made, arguments.v)
        report(made, arguments.v)
    return 0


def report(made, is_long):
    """Prints a line for each program, and takes it off the list."""
    while made:
        one = made.pop(0)
        result = compared(one)
        copies, own_code = difference_of_inlining(one)
        print(f"{'/'.join(one.folder.parts[-2:]):34} {result.called():6} {len(result.equal):6} "
              f"{100 * result.share():5.1f} % {len(result.too_few):8} {len(result.untold):6} "
              f"{len(result.too_many):8}  {100 * copies:6.1f} % {100 * own_code:6.1f} %", flush=True)
        if is_long:
            print_details(one, result)


if __name__ == "__main__":
    sys.exit(main())
