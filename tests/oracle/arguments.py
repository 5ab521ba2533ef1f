#!/usr/bin/env python3
"""Compares arguments as inlinecall finds them with what a program says that it received.

usage: arguments.py SEED [COMPILER LEVEL inside|outside]
"""

import collections
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import argument_program
import argument_values
import compare

HERE = Path(__file__).resolve().parent


class Result:
    def __init__(self):
        self.right, self.wrong, self.unavailable = 0, [], 0
        self.compilers = []  # copies whose location is wrong in the file
        self.only_gdb = 0  # that gdb has right and inlinecall does not have
        self.kinds = collections.Counter()  # of those that are right
        self.unknown = collections.Counter()  # why they could not be evaluated

    def __str__(self):
        return (f"{self.right} right {dict(self.kinds)}, {len(self.wrong)} wrong, "
                f"{self.unavailable} unavailable, {dict(self.unknown)} not evaluated, "
                f"{len(self.compilers)} wrong in the file, {self.only_gdb} known to gdb only")


def output_of(*command, **options):
    result = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False,
                            **options)
    if result.returncode:
        raise RuntimeError(f"{command}: {result.stderr}")
    return result.stdout


def sections(path):
    """Those with data: (address, size)."""
    for line in output_of("size", "-A", path).splitlines():
        fields = line.split()
        if fields and fields[0] in (".rodata", ".data", ".bss", ".data.rel.ro"):
            yield int(fields[2]), int(fields[1])


def symbols(path):
    return {name: int(addr, 16) for addr, kind, name in
            (line.split() for line in output_of("nm", "--defined-only", path).splitlines())
            if kind in "tT"}


def stops(directory, path, rows):
    names = symbols(path)
    plan = {"entries": sorted({int(row["entry"], 16) for row in rows if row["entry"]}),
            "hosts": sorted(addr for name, addr in names.items()
                            if re.fullmatch(r"(f\d+|main)(\..*)?", name)), # clones too
            "trace": names["trace"], "data": list(sections(path)),
            "output": str(directory / "stops")}
    (directory / "plan").write_text(json.dumps(plan), encoding="ascii")
    output_of("gdb", "-nx", "-batch", "-x", HERE / "gdb_arguments.py", path,
              env={**os.environ, "ARGUMENTS_PLAN": str(directory / "plan")}, timeout=300)
    with open(plan["output"], encoding="ascii") as file:
        *found, end = map(json.loads, file)
    if end != "end":
        raise RuntimeError("gdb did not come to the end of the program")
    return found


def evaluate(row, state):
    """What the arguments of a copy are worth: (value or why there is none, parameter)."""
    for parameter in row["params"]:
        location, size = parameter["location"], parameter["size"]
        try:
            value = argument_values.value_of(location["text"], location["kind"], size, state)
        except argument_values.Unknown as reason:
            yield f"{reason}", parameter
            continue
        if value is not None:
            value &= (1 << 8 * size) - 1
            if parameter["signed"]:
                value = argument_values.signed(value, size) & argument_values.WORD
        yield value, parameter


def judge(result, row, entry, received, where):
    """Counts the arguments of one entry; a value that is wrong for gdb too is the compiler's."""
    values, of_gdb = entry
    for (value, parameter), wanted in zip(values, received):
        if value is None:
            result.unavailable += 1
        elif isinstance(value, str):
            result.unknown[value.partition(" at ")[0]] += 1
        elif value == wanted:
            result.right += 1
            result.kinds[parameter["location"]["kind"]] += 1
        elif of_gdb.get(parameter["name"]) == value:
            result.compilers.append(row["die"])
        else:
            result.wrong.append(
                f"{where}: {row['function']} at {row['entry']} (die {row['die']}): "
                f"{parameter['name']}: {parameter['type']} = {parameter['location']['text']} is "
                f"{value:#x}, but {wanted:#x} was received")
        if value != wanted and of_gdb.get(parameter["name"]) == wanted:
            result.only_gdb += 1


def innermost(rows, addr):
    """The copy that an address is in: the deepest."""
    held = [row for row in rows
            if any(int(start, 16) <= addr < int(end, 16) for start, end in row["ranges"])]
    return max(held, key=lambda row: len(row["chain"]), default=None)


class Pairs:
    """What was received, and the entries that it belongs to: they take turns, or code was moved."""

    def __init__(self, result, first):
        self.result, self.first = result, first  # "entry" or "trace": which comes first
        self.events = collections.defaultdict(list)

    def add(self, key, kind, *what):
        self.events[key].append((kind, what))

    def finish(self):
        for key, events in self.events.items():
            second = "trace" if self.first == "entry" else "entry"
            kinds = [kind for kind, _ in events]
            if kinds != [self.first, second] * (len(kinds) // 2):
                self.result.unknown["entered at another time"] += kinds.count("entry")
                continue
            for one, two in zip(events[::2], events[1::2]):
                entry, trace = (one, two) if self.first == "entry" else (two, one)
                judge(self.result, *entry[1], *trace[1], key)


class Inside:
    """The called function says what it received."""

    def __init__(self, rows, result):
        self.rows, self.pairs = rows, Pairs(result, "entry")

    def entered(self, row, entry):
        self.pairs.add(row["die"], "entry", row, entry)

    def traced(self, stop):
        row = innermost(self.rows, stop["returns"] - 1)
        if row and row["function"] == f"f{stop['arguments'][0]}":
            self.pairs.add(row["die"], "trace", stop["arguments"][1:])


class Outside:
    """The caller says what it passes, in which line."""

    def __init__(self, rows, result):
        self.lines, self.pairs = {row["call_line"] for row in rows}, Pairs(result, "trace")

    def entered(self, row, entry):
        self.pairs.add(row["call_line"], "entry", row, entry)

    def traced(self, stop):
        if stop["arguments"][0] in self.lines:
            self.pairs.add(stop["arguments"][0], "trace", stop["arguments"][1:])


def build(directory, compiler, level, traced, seed):
    source, path = directory / "program.c", directory / "program"
    source.write_text(argument_program.Program(seed, traced).text(), encoding="ascii")
    output_of(compiler, "-g", level, "-w", "-no-pie", "-fno-pie", source, "-o", path)
    return path


def run(directory, compiler, level, traced, seed):
    path = build(directory, compiler, level, traced, seed)
    rows = [json.loads(line) for line in
            output_of(compare.program(), "sites", "-p", "-a", "--json", path).splitlines()]
    result, entered = Result(), {}
    judges = (Inside if traced == "inside" else Outside)(rows, result)
    by_entry = collections.defaultdict(list)
    for row in rows:
        if row["entry"]:
            by_entry[int(row["entry"], 16)].append(row)
    for stop in stops(directory, path, rows):
        if "host" in stop:
            entered[stop["host"]] = stop["registers"]
        for row in by_entry[stop["pc"]]:
            state = argument_values.Stop(stop, entered, compiler == "gcc")
            judges.entered(row, (list(evaluate(row, state)),
                                 stop["gdb"].get(row["function"], {})))
        if "arguments" in stop:
            judges.traced(stop)
    judges.pairs.finish()
    return result


def main():
    seed = sys.argv[1] if len(sys.argv) > 1 else "1"
    compiler, level, traced = sys.argv[2:5] if len(sys.argv) > 4 else ("gcc", "-O2", "inside")
    with tempfile.TemporaryDirectory() as directory:
        result = run(Path(directory), compiler, level, traced, int(seed))
    print(result)
    print(*result.wrong, sep="\n")
    return 1 if result.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
