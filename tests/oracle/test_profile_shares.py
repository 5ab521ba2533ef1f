"""The shares of a profile are those that the recorded program measures itself, by the time of its threads.

Each program spins in functions of known weights, most of them inlined, and prints how long it was in which
stack. perf's samples are many enough for a hundredth; two are allowed.
"""

import collections
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "cli"))

import building  # noqa: E402
from styles import find_tool  # noqa: E402

PROGRAM = os.environ.get("INLINECALL", str(HERE.parents[1] / "build/cli/inlinecall"))
SOURCES = HERE / "spinning"
FREQUENCY, ALLOWED = 9973, 0.02

C = ("gcc", "-g", "-O2", "-fno-omit-frame-pointer")
# name: (commands that build "program", with what perf gets the stacks)
PROGRAMS = {
    "nested": ([(*C, "nested.c")], "fp"),
    "loops": ([("gcc", "-g", "-O3", "-funroll-loops", "-fno-omit-frame-pointer", "loops.c")], "fp"),
    "templates": ([("g++", *C[1:], "templates.cpp")], "fp"),
    "nested-clang": ([("clang", *C[1:], "nested.c")], "fp"),
    "nested-split": ([(*C, "-gsplit-dwarf", "-no-pie", "nested.c")], "fp"),
    "nested-unwound": ([("gcc", "-g", "-O2", "nested.c")], "dwarf"),
    "loops-clang": ([("clang", "-g", "-O3", "-fno-omit-frame-pointer", "loops.c")], "fp"),
    "both": ([(*C, "both.c")], "fp"),
    "recursive": ([(*C, "recursive.c")], "fp"),
    "threads": ([(*C, "-pthread", "threads.c")], "fp"),
    "library": ([(*C, "-shared", "-fPIC", "library.c", "-o", "libspin.so"),
                 (*C, "uses_library.c", "-L.", "-lspin", "-Wl,-rpath,$ORIGIN")], "fp"),
    "lto": ([(*C, "-flto", "library.c", "uses_library.c")], "fp"),
    "templates-clang": ([("clang++", *C[1:], "templates.cpp")], "fp"),
    "rust": ([("rustc", "-O", "-g", "-C", "force-frame-pointers=yes", "spin.rs")], "fp"),
    "go": ([("go", "build", "spin.go")], "fp"),
}
# What is added up in functions that these call, which are inlined too.
WITHOUT_SELF = {"rust"}
SHORT = ["nested", "loops", "templates"]


def build(folder, commands):
    for words in commands:
        building.need(words[0])
        for source in SOURCES.iterdir():
            shutil.copy(source, folder)
        output = () if "-o" in words else ("-o", "program")
        if words[0] == "go":
            words = ("go", "build", "-o", "program", "spin.go")
            output = ()
        building.command(*words, *output, cwd=folder)


def truth(text):
    """({function: its share}, {function: its share with what it calls}, the outermost) by what a program prints."""
    own, total, roots = collections.Counter(), collections.Counter(), set()
    for stack, seconds in (line.rsplit(" ", 1) for line in text.splitlines()):
        names = stack.split(";")
        own[names[-1]] += float(seconds)
        roots.add(names[0])
        for name in set(names):
            total[name] += float(seconds)
    whole = sum(own.values())
    return {name: own[name] / whole for name in total}, {name: total[name] / whole for name in total}, roots


def measured(rows, names, key):
    """{name: its share}, of what all of the names have themselves."""
    sums = collections.Counter()
    for row in rows:
        for name in names:
            if row["function"] and (row["function"] == name or row["function"].endswith("::" + name) or
                                    row["function"].startswith(name + "<")):
                sums[name] += row[key]
    return sums


@pytest.mark.parametrize("name", [name if name in SHORT else pytest.param(name, marks=pytest.mark.long)
                                  for name in PROGRAMS])
def test_shares_are_those_that_the_program_measures(name, tmp_path):
    commands, chains = PROGRAMS[name]
    build(tmp_path, commands)
    result = subprocess.run([find_tool("perf"), "record", "-q", "-e", "cpu-clock:u", "-F", str(FREQUENCY if chains == "fp" else 3989),
                             "--call-graph", chains, "-o", "perf.data", "./program"],
                            cwd=tmp_path, capture_output=True, text=True, check=False)
    if result.returncode or not (tmp_path / "perf.data").exists():
        pytest.skip(f"perf may not record here: {result.stderr[:200]}")
    expected_own, expected_total, roots = truth(result.stdout)
    found = subprocess.run([PROGRAM, "profile", "--json", "perf.data"], cwd=tmp_path, capture_output=True,
                           check=False, timeout=60)
    assert found.returncode == 0 or b"perf lost" in found.stderr
    everything, *rows = map(json.loads, found.stdout.splitlines())
    assert sum(row["self"] for row in rows) == everything["self"]
    assert sum(row["self_samples"] for row in rows) == everything["self_samples"] > 3000
    own, total = (measured(rows, set(expected_total), key) for key in ("self", "total"))
    whole = sum(total[root] for root in roots)
    wrong = {function: (total[function] / whole, share) for function, share in expected_total.items()
             if abs(total[function] / whole - share) > ALLOWED}
    if name not in WITHOUT_SELF:
        whole = sum(own.values())
        wrong |= {f"{function} itself": (own[function] / whole, share) for function, share in expected_own.items()
                  if abs(own[function] / whole - share) > ALLOWED}
    assert not wrong, wrong
    if name == "both":
        (often,) = (row for row in rows if row["function"] == "often")
        inlined = often["total_inlined"] / often["total"]
        assert abs(inlined - expected_total["host"] / expected_total["often"]) < ALLOWED
