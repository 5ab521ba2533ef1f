"""Probes where copies are left: each entry is followed by one exit, where the program says so."""

import json
import os
import re
import struct
import subprocess
from pathlib import Path

import pytest

import building
import commands

PROGRAM = Path(__file__).resolve().parent / "programs/left.c"
FUNCTIONS = ["plain", "pick", "deep", "rare", "third"]
BUILDS = [("gcc", "-O2"), ("clang", "-O2"),
          *(pytest.param((compiler, level), marks=pytest.mark.long)
            for compiler in ("gcc", "clang") for level in ("-O1", "-O3", "-Os"))]


@pytest.fixture(name="left", scope="module", params=BUILDS, ids="".join)
def fixture_left(request, tmp_path_factory):
    compiler, level = request.param
    path = tmp_path_factory.mktemp("left") / f"left_{os.getpid()}"
    building.command(compiler, level, "-g", "-w", "-o", path, PROGRAM)
    return path


def rows_of(run, tracer, path):
    names = [f"--function={name}" for name in FUNCTIONS]
    result = run("probe", "--exit", "--json", f"--for={tracer}", *names, path)
    return [json.loads(line) for line in result.out.splitlines()]


def seen_by_gdb(rows, path, tmp_path):
    """What the program and the probes print, in one order."""
    script = tmp_path / "probes.gdb"
    # One copy may be left where the next one is entered: GDB goes by the order of the definitions.
    ordered = sorted(rows, key=lambda row: row["at"] == "entry")
    script.write_text("set language c\n" + "\n".join(row["definition"] for row in ordered
                                                     if row["definition"]))
    result = subprocess.run(["gdb", "-q", "-nx", "-batch", "-x", script, "-ex", "run", path],
                            capture_output=True, text=True, timeout=120, check=True,
                            env={**os.environ, "DEBUGINFOD_URLS": ""})
    return [line.split()[0] for line in result.stdout.splitlines()
            if re.match(r"[+-]\w+$|\w+_\d+(_exit\w*)?( |$)", line)]


def first_of(event):
    """The event of the first entry of a copy."""
    return event.split("_entry_")[0]


def check(events, rows):
    """Follows the events: copies that are under way are a stack, of what the probes say."""
    entries = {first_of(row["event"]): row for row in rows if row["at"] == "entry"}
    whole = {name for name in entries
             if all(row["at"] != "perhaps" and row["definition"] and not row["doubt"]
                    for row in rows if row["event"] == name or
                    row["event"].startswith(name + "_e"))}
    stack, counts = [], {name: 0 for name in whole}
    for event in events:
        if event[0] in "+-":  # the copy that says so is under way
            named = [name for name in stack if entries[name]["function"] == event[1:]]
            skipped = any(row["function"] == event[1:] and name not in whole
                          for name, row in entries.items())
            assert named or skipped, (event, stack)
            continue
        name = first_of(event.split("_exit")[0])
        if name not in whole:
            continue
        if "_exit" not in event:
            stack.append(name)
            counts[name] += 1
        else:
            assert stack and stack[-1] == name, (event, stack)
            stack.pop()
    assert not stack
    return counts


def test_each_entry_is_followed_by_one_exit(run, left, tmp_path):
    building.need("gdb")
    rows = rows_of(run, "gdb", left)
    events = seen_by_gdb(rows, left, tmp_path)
    counts = check(events, rows)
    copies = len({first_of(row["event"]) for row in rows if row["at"] == "entry"})
    print(f"{len(counts)} of {copies} copies are certain, {sum(counts.values())} calls")
    assert len(counts) >= copies / 2 and sum(counts.values()) >= 20
    for function in FUNCTIONS:  # as often as the program says, if all copies are certain
        mine = {first_of(row["event"]) for row in rows
                if row["at"] == "entry" and row["function"] == function}
        if all(name in counts for name in mine):  # GCC -O3 begins one before it is certain to go on
            assert sum(counts[name] for name in mine) >= events.count("+" + function)


@pytest.mark.parametrize("tracer", commands.words("for"))
def test_exits_follow_each_copy(run, left, tracer):
    rows = rows_of(run, tracer, left)
    entry, kinds = None, set()
    assert len({row["event"] for row in rows}) == len(rows)
    for row in rows:
        if row["at"] == "entry":
            entry = first_of(row["event"])
            continue
        kinds.add(row["at"])
        assert re.fullmatch(entry + r"_exit(_\d+)?(_perhaps)?", row["event"])
        assert row["event"].endswith("_perhaps") == (row["at"] == "perhaps")
        assert row["definition"] and row["params"] is None
    has_returns = tracer in ("tracefs", "bpftrace", "libbpf")
    assert ("returned" in kinds) == has_returns and ("return" in kinds) == (not has_returns)
    assert "no return" in kinds  # abort(), of a library
    assert kinds <= {"end", "jump", "return", "tail call", "no return", "after", "perhaps",
                     "returned"}


def why_none(run, path):
    """Why exits are not known, of all copies of a function that was inlined: each has an entry."""
    result = run("probe", "--exit", "--json", "plain", path)
    rows = [json.loads(line) for line in result.out.splitlines()]
    exits = [row for row in rows if row["at"] == "exit"]
    assert result.status == 2 and "entries and exits not probed" in result.err
    entries = {first_of(row["event"]) for row in rows if row["at"] == "entry"}
    assert len(exits) == len(entries) > 0
    assert all(row["definition"] is None and row["address"] is None for row in exits)
    return {row["why_not"] for row in exits}


def test_code_that_is_not_what_is_run_has_no_exits(run, left, tmp_path):
    building.command("gcc", "-O2", "-g", "-w", "-c", "-o", tmp_path / "left.o", PROGRAM)
    result = run("probe", "--exit", "plain", tmp_path / "left.o")
    assert result.status == 2 and "the file is not linked, so the targets of jumps are unknown" in result.out
    kernel = tmp_path / "kernel"
    (tmp_path / "table").write_bytes(bytes(16))
    building.command("objcopy", "--add-section", f"__jump_table={tmp_path / 'table'}", left, kernel)
    assert why_none(run, kernel) == {"the kernel patches its jumps at run time"}


def test_machines_whose_instructions_are_not_read_have_no_exits(run, left, tmp_path):
    bytes_of = bytearray(left.read_bytes())
    struct.pack_into("<H", bytes_of, 18, 243)  # RISC-V
    other = tmp_path / "other"
    other.write_bytes(bytes_of)
    assert why_none(run, other) == {"disassembly is not supported for this machine"}


def test_a_debug_file_alone_has_no_exits(run, left, tmp_path):
    debug = tmp_path / "left.debug"
    building.command("objcopy", "--only-keep-debug", left, debug)
    result = run("probe", "--exit", "plain", debug)
    assert result.status == 2 and "not probed: its code is not in the file" in result.out
