#!/usr/bin/env python3
"""Compares arguments as inlinecall finds them with what a program says that it received.

usage: arguments.py SEED COMPILER LEVEL inside|outside
       arguments.py SEED...

Prints how many arguments of each class could be read, and how many gdb reads at the same stops: as a
whole, in part, and with a wrong value. Without a compiler there are programs for each of gcc, clang,
g++, clang++ and rustc, at each level.
"""

import bisect
import collections
import itertools
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import argument_program
import argument_types
import argument_values
import compare

HERE = Path(__file__).resolve().parent
COMPILERS = ["gcc", "clang", "g++", "clang++", "rustc"]
LEVELS = ["-O1", "-O2", "-O3"]
TRACED = ["inside", "outside"]
C_OPTIONS = ["-g", "-w", "-no-pie", "-fno-pie", "-fwrapv"]
RUST_OPTIONS = ["--edition", "2021", "-g", "-C", "panic=abort", "-C", "codegen-units=1", "-C",
                "relocation-model=static", "-C", "link-arg=-lc"]
ENCODINGS = {"DW_ATE_address": 1, "DW_ATE_boolean": 2, "DW_ATE_float": 4, "DW_ATE_signed": 5,
             "DW_ATE_signed_char": 6, "DW_ATE_unsigned": 7, "DW_ATE_unsigned_char": 8,
             "DW_ATE_UTF": 16}


class Result:
    def __init__(self):
        self.wrong = []
        self.compilers = []  # copies whose location is wrong in the file
        self.classes = collections.defaultdict(collections.Counter)
        self.unknown = collections.Counter()  # why arguments could not be evaluated

    def count(self, what):
        return sum(counter[what] for counter in self.classes.values())

    def add(self, other):
        self.wrong += other.wrong
        self.compilers += other.compilers
        self.unknown += other.unknown
        for name, counter in other.classes.items():
            self.classes[name] += counter

    def __str__(self):
        lines = [f"{'CLASS':14}{'ARGUMENTS':>10}{'READ':>8}{'IN PART':>8}{'GDB':>8}{'IN PART':>8}"
                 f"{'WRONG':>8}"]
        for name, counter in sorted(self.classes.items()):
            shares = [f"{100 * counter[what] / counter['all']:7.1f}%"
                      for what in ("read", "part", "gdb", "gdb part", "gdb wrong")]
            lines.append(f"{name:14}{counter['all']:10}{''.join(shares)}")
        return "\n".join([*lines, f"{len(self.wrong)} wrong, {len(self.compilers)} wrong in the file",
                          f"not evaluated: {dict(self.unknown)}"])


def output_of(*command, **options):
    result = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False,
                            **options)
    if result.returncode:
        raise RuntimeError(f"{command}: {result.stderr}")
    return result.stdout


def sections(path, names):
    """Those with data: (address, size)."""
    for line in output_of("size", "-A", path).splitlines():
        fields = line.split()
        if fields and fields[0] in names:
            yield int(fields[2]), int(fields[1])


def symbols(path):
    """(name, address) of each function."""
    for line in output_of("nm", "-C", "--defined-only", path).splitlines():
        addr, kind, name = line.split(" ", 2)
        if kind in "tT":
            yield name, int(addr, 16)


def stops(directory, path, rows):
    """What is in memory throughout, and the stops."""
    names = list(symbols(path))
    entries = collections.defaultdict(list)
    for row in rows:
        if row["entry"]:
            addrs = [int(row["entry"], 16), *(int(start, 16) for start, _ in row["ranges"])]
            entries[addrs[0]].append((row["function"], addrs))
    plan = {"entries": entries,
            "hosts": sorted(addr for name, addr in names # clones too
                            if re.fullmatch(r"(\w+::)?(f\d+|main)\b.*", name)),
            "trace": dict(names)["trace"],
            "data": list(sections(path, (".data", ".bss"))),
            "constants": list(sections(path, (".rodata", ".data.rel.ro"))),
            "output": str(directory / "stops")}
    (directory / "plan").write_text(json.dumps(plan), encoding="ascii")
    output_of("gdb", "-nx", "-batch", "-x", HERE / "gdb_arguments.py", path,
              env={**os.environ, "ARGUMENTS_PLAN": str(directory / "plan")}, timeout=600)
    with open(plan["output"], encoding="ascii") as file:
        constants, *found, end = map(json.loads, file)
    if end != "end":
        raise RuntimeError("gdb did not come to the end of the program")
    return constants, found


class Described:
    """What llvm-dwarfdump prints of frame bases, and of the base types of the unit with the code."""

    def __init__(self, path):
        self.bases, self.types, unit = [], [], 0  # (start, end, operation), (offset, size, encoding)
        for block in output_of("llvm-dwarfdump", "--debug-info", path).split("\n\n"):
            if match := re.search(r"^0x([0-9a-f]+): \w+ Unit:", block, re.M):
                unit = int(match[1], 16)
            attrs = dict(re.findall(r"^ +DW_AT_(\w+)\t\((.*)\)$", block, re.M))
            if "DW_TAG_base_type" in block and attrs.get("encoding") in ENCODINGS:
                offset = int(re.search(r"0x([0-9a-f]+): +DW_TAG", block)[1], 16)
                self.types.append((offset - unit, int(attrs["byte_size"], 0),
                                   ENCODINGS[attrs["encoding"]]))
            if "DW_TAG_subprogram" in block and {"low_pc", "high_pc", "frame_base"} <= attrs.keys():
                self.bases.append((int(attrs["low_pc"], 16), int(attrs["high_pc"], 16),
                                   attrs["frame_base"]))
        self.bases.sort()

    def frame_base(self, stop):
        """Its value at a stop; None if it is not known."""
        place = bisect.bisect(self.bases, stop["pc"], key=lambda base: base[0]) - 1
        if place < 0 or stop["pc"] >= self.bases[place][1]:
            return None
        operation = self.bases[place][2]
        if operation == "DW_OP_call_frame_cfa":
            return stop["cfa"]
        match = re.fullmatch(r"DW_OP_reg\d+ (\w+)", operation)
        return stop["registers"].get(match[1].lower()) if match else None


class Evaluator:
    """evaluate_arguments, which evaluates with the library."""

    def __init__(self, path, described, constants):
        program = Path(compare.program()).parents[1] / "tests/oracle/evaluate_arguments"
        self.process = subprocess.Popen([program, path], text=True, stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE)
        self.described = described
        self.put(*(f"type {offset:x} {size:x} {encoding:x}"
                   for offset, size, encoding in described.types),
                 *(f"constant {addr:x} {data}" for addr, data in constants if data))

    def put(self, *lines):
        self.process.stdin.write("".join(f"{line}\n" for line in lines))

    def stop(self, stop, entered):
        """What is known at a stop, for the copies that are asked for after it."""
        self.put("next", f"cfa {stop['cfa']:x}", f"memory {stop['base']:x} {stop['stack']}",
                 *(f"memory {addr:x} {data}" for addr, data in stop["data"]),
                 *(f"register {number:x} {value.to_bytes(8, 'little').hex()}"
                   for number, value in enumerate(stop["registers"].values())),
                 *(f"register {17 + number:x} {value.to_bytes(16, 'little').hex()}"
                   for number, value in enumerate(stop["vectors"])))
        frame = self.described.frame_base(stop)
        if frame is not None:
            self.put(f"frame {frame:x}")
        for number, value in enumerate(entered.get(stop["cfa"], {}).values()):
            self.put(f"entry {number:x} {value:x}")

    def copy(self, die):
        """{name: (digits or None, the reason if there are none)}"""
        self.put(f"copy {die}")
        self.process.stdin.flush()
        found = {}
        while (line := self.process.stdout.readline()) not in ("\n", ""):
            name, sign, text = line.rstrip("\n").split(" ", 2)
            found[name] = (text, None) if sign == "=" else (None, text)
        if not line:
            raise RuntimeError("evaluate_arguments has ended")
        return found

    def close(self):
        self.process.stdin.close()
        if self.process.wait():
            raise RuntimeError("evaluate_arguments has failed")


def fields_of(digits, layout):
    """The fields of a value, as numbers; None for those that are not known."""
    for offset, size in layout:
        part = digits[2 * offset:2 * (offset + size)] if digits else "."
        yield None if "." in part else int.from_bytes(bytes.fromhex(part), "little")


def share_of(fields, wanted):
    """How much of an argument is known: "all", "part", "none", or "wrong"."""
    if any(field not in (None, right) for field, right in zip(fields, wanted)):
        return "wrong"
    known = sum(field is not None for field in fields)
    return "all" if known == len(wanted) else "part" if known else "none"


def lacks_load(parameter):
    """Whether an expression calculates with the address of a slot of the stack: Clang leaves out
    the load where it has spilled a register."""
    return any(re.search(r"DW_OP_breg7 rsp[+-]\d+, DW_OP_convert", entry["expression"])
               for entry in parameter["list"])


class Entry:
    """A copy when it is entered: its arguments as evaluated, as their text says, and as gdb has
    them."""

    def __init__(self, row, state, evaluated, of_gdb):
        self.row, self.state, self.evaluated, self.of_gdb = row, state, evaluated, of_gdb

    def text_differs(self, parameter, digits):
        """Whether the location as text has another value than the expression."""
        size = parameter["size"]
        if size > 8 or "." in digits:
            return False
        try:
            value = argument_values.value_of(parameter["location"]["text"],
                                             parameter["location"]["kind"], size, self.state)
        except argument_values.Unknown:
            return False
        return value & (1 << 8 * size) - 1 != int.from_bytes(bytes.fromhex(digits), "little")

    def judge(self, result, layouts, received, where):
        """Counts the arguments. A value is the compiler's fault if it is as wrong for gdb, or if
        its expression lacks a load, which gdb cannot evaluate."""
        parameters = {parameter["name"]: parameter for parameter in self.row["params"]}
        for number, (name, layout) in enumerate(layouts):
            parameter = parameters.get(f"p{number}") # Clang leaves out what nothing uses
            layout = layout or [(0, parameter["size"] if parameter else 0)]
            words, received = received[:len(layout)], received[len(layout):]
            wanted = [word & (1 << 8 * size) - 1 for word, (_, size) in zip(words, layout)]
            counter = result.classes[name or (parameter["encoding"] if parameter else "left out")]
            digits, reason = self.evaluated.get(f"p{number}", (None, None))
            fields = list(fields_of(digits, layout))
            share = share_of(fields, wanted)
            of_gdb = list(fields_of(self.of_gdb.get(f"p{number}"), layout))
            share_of_gdb = share_of(of_gdb, wanted)
            counter["all"] += 1
            counter["read"] += share == "all"
            counter["part"] += share == "part"
            counter["gdb"] += share_of_gdb == "all"
            counter["gdb part"] += share_of_gdb == "part"
            counter["gdb wrong"] += share_of_gdb == "wrong"
            if reason and reason != "unavailable":
                result.unknown[reason] += 1
            if share == "wrong" and (lacks_load(parameter) or
                                     all(mine in (None, other)
                                         for mine, other in zip(fields, of_gdb))):
                result.compilers.append(self.row["die"])
            elif share == "wrong" or (digits and self.text_differs(parameter, digits)):
                result.wrong.append(
                    f"{where}: {self.row['function']} at {self.row['entry']} (die "
                    f"{self.row['die']}): {parameter['name']}: {parameter['type']} = "
                    f"{parameter['location']['text']} is {digits}, but {wanted} was received")


def innermost(rows, addr):
    """The copy that an address is in: the deepest."""
    held = [row for row in rows
            if any(int(start, 16) <= addr < int(end, 16) for start, end in row["ranges"])]
    return max(held, key=lambda row: len(row["chain"]), default=None)


class Pairs:
    """What was received, and the entries that it belongs to: they take turns, or code was moved."""

    def __init__(self, result, layouts, first):
        self.result, self.layouts = result, layouts
        self.first = first  # "entry" or "trace": which comes first
        self.events = collections.defaultdict(list)

    def add(self, key, kind, what):
        self.events[key].append((kind, what))

    def finish(self):
        for key, events in self.events.items():
            second = "trace" if self.first == "entry" else "entry"
            kinds = [kind for kind, _ in events]
            if kinds != [self.first, second] * (len(kinds) // 2):
                self.result.unknown["entered at another time"] += kinds.count("entry")
                continue
            for one, two in zip(events[::2], events[1::2]):
                entry, trace = (one[1], two[1]) if self.first == "entry" else (two[1], one[1])
                entry.judge(self.result, self.layouts[entry.row["function"]], trace, key)


class Inside:
    """The called function says what it received."""

    def __init__(self, rows, result, layouts):
        self.rows, self.pairs = rows, Pairs(result, layouts, "entry")

    def entered(self, entry):
        self.pairs.add(entry.row["die"], "entry", entry)

    def traced(self, stop):
        row = innermost(self.rows, stop["returns"] - 1)
        if row and row["function"] == f"f{stop['arguments'][0]}":
            self.pairs.add(row["die"], "trace", stop["arguments"][1:])


class Outside:
    """The caller says what it passes, in which line."""

    def __init__(self, rows, result, layouts):
        self.lines = {row["call_line"] for row in rows}
        self.pairs = Pairs(result, layouts, "trace")

    def entered(self, entry):
        self.pairs.add(entry.row["call_line"], "entry", entry)

    def traced(self, stop):
        if stop["arguments"][0] in self.lines:
            self.pairs.add(stop["arguments"][0], "trace", stop["arguments"][1:])


def build(directory, compiler, level, traced, seed):
    """The program, and of each of its functions the parameters: (class, [(offset, size)]), which are
    None in C, where they are numbers."""
    path = directory / "program"
    if compiler in ("gcc", "clang"):
        program = argument_program.Program(seed, traced)
        layouts = {name: [(None, None)] * len(types) for name, types in program.functions}
    else:
        program = argument_types.Program(seed, traced, compiler == "rustc")
        layouts = {name: [(kind.name, [field[:2] for field in kind.fields]) for kind in kinds]
                   for name, kinds in program.functions}
    suffix = {"rustc": "rs", "g++": "cpp", "clang++": "cpp"}.get(compiler, "c")
    source = directory / f"program.{suffix}"
    source.write_text(program.text(), encoding="ascii")
    options = [*RUST_OPTIONS, "-C", f"opt-level={level[2:]}"] if suffix == "rs" else [*C_OPTIONS, level]
    output_of(compiler, *options, source, "-o", path)
    return path, layouts


def run(directory, compiler, level, traced, seed):
    path, layouts = build(directory, compiler, level, traced, seed)
    # Clang 14 writes expressions that cannot be evaluated; inlinecall ends with status 2 then.
    found = subprocess.run([compare.program(), "sites", "-pp", "-a", "--json", path], text=True,
                           capture_output=True, check=False).stdout
    rows = [row for row in map(json.loads, found.splitlines()) if row["function"] in layouts]
    result, entered = Result(), {}
    judge = (Inside if traced == "inside" else Outside)(rows, result, layouts)
    by_entry = collections.defaultdict(list)
    for row in rows:
        if row["entry"]:
            by_entry[int(row["entry"], 16)].append(row)
    constants, found = stops(directory, path, rows)
    evaluator = Evaluator(path, Described(path), constants)
    for stop in found:
        if "host" in stop:
            entered[stop["host"]] = stop["registers"]
        copies = by_entry.get(stop["pc"], ())
        if copies:
            evaluator.stop(stop, entered)
        for row in copies:
            judge.entered(Entry(row, argument_values.Stop(stop, entered, constants),
                                evaluator.copy(row["die"]), stop["gdb"].get(row["function"], {})))
        if "arguments" in stop:
            judge.traced(stop)
    evaluator.close()
    judge.pairs.finish()
    return result


def main():
    if len(sys.argv) == 5 and sys.argv[2] in COMPILERS:
        programs = [(int(sys.argv[1]), *sys.argv[2:])]
    else:
        programs = itertools.product(map(int, sys.argv[1:]), COMPILERS, LEVELS, TRACED)
    results = collections.defaultdict(Result)
    for seed, compiler, level, traced in programs:
        with tempfile.TemporaryDirectory() as directory:
            results[compiler].add(run(Path(directory), compiler, level, traced, seed))
    for compiler, result in results.items():
        print(f"{compiler}:", result, *result.wrong, "", sep="\n")
    return 1 if any(result.wrong for result in results.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
