"""Definitions of probes by execution, of programs made of random functions that call each other, in C,
C++ and Rust: uprobes that tracefs was given by `inlinecall probe` see the calls that `inlinecall
trace` sees, and read no other value.
"""

import collections
import json
import re
import shutil
import subprocess

import pytest

import arguments
import compare
import test_traces

def values_of(line):
    return {name: int(value, 0) for name, value in re.findall(r" (\w+)=(-?(?:0x)?[0-9a-f]+)\b", line)}


def check(row, line, hit):
    """Compares the arguments of an event with those of the call; returns how many are equal."""
    sizes = {parameter["name"]: parameter["size"] for parameter in row["params"]}
    seen, equal = values_of(line), 0
    for argument in hit["arguments"]:
        name, size = argument["name"], sizes[argument["name"]]
        if name not in seen or argument["value"] is None or not 0 < size <= 8:
            continue
        mask = (1 << 8 * size) - 1
        wanted = int(argument["value"], 0) & mask
        if wanted < test_traces.ADDRESSES or wanted >> 32 == 0xffffffff:  # else it is on the stack
            assert seen[name] & mask == wanted, (row["definition"], line, argument)
            equal += 1
    return equal


@pytest.mark.parametrize("compiler, level", [
    pytest.param(*build, marks=pytest.mark.long if build[0] in ("gcc", "clang") else ())
    for build in test_traces.SHORT])
def test_uprobes_see_the_calls_that_a_trace_sees(compiler, level, tmp_path, inlinecall, uprobes):
    if not shutil.which(compiler):
        pytest.skip(f"no {compiler}")
    path, names = arguments.build(tmp_path, compiler, level, "inside", 9)
    pattern = rf"^({'|'.join(names)})$"
    found = subprocess.run([compare.program(), "probe", "--json", "-r", pattern, path], text=True,
                           capture_output=True, check=False).stdout
    refused = test_traces.refused_places(path, pattern)
    rows = {row["event"]: row for row in map(json.loads, found.splitlines())
            if row["definition"] and int(row["address"], 16) not in refused}
    calls = collections.defaultdict(list)
    for hit in test_traces.trace(path, pattern):
        copy = hit["copy"]
        calls[copy["entry"], hit["function"], copy["call_line"], copy["call_column"]].append(hit)
    # The programs depend on argc, and so get what test_traces.trace() hands them.
    lines = uprobes("\n".join(row["definition"] for row in rows.values()),
                    lambda: subprocess.run([path, ">", "/dev/null"], capture_output=True,
                                           check=False, timeout=60))
    events = collections.defaultdict(list)
    for line in lines:
        event = re.search(r": (\w+): \(0x", line)
        if event:
            events[event[1]].append(line)
    equal = 0
    for name, row in rows.items():
        hits = calls.pop((row["address"], row["function"], row["call_line"], row["call_column"]), [])
        assert len(events[name]) == len(hits), row["definition"]
        equal += sum(check(row, line, hit) for line, hit in zip(events[name], hits))
    assert not calls
    print(compiler, level, len(rows), equal)
    assert equal >= 20
