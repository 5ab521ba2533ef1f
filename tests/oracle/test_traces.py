"""Live tracing by execution, of programs made of random functions that call each other: `inlinecall
trace` sees the entries that gdb stops at, each of them, in their order and at the same copies; and
no argument has another value than the library evaluates at gdb's stop.
"""

import collections
import itertools
import json
import shutil
import subprocess

import pytest

import arguments
import compare

SHORT = [("gcc", "-O2"), ("clang", "-O2"), ("g++", "-O3"), ("rustc", "-O2")]
ADDRESSES = 1 << 32  # above are the stack and what else is elsewhere in each process


def trace(path, pattern):
    # Without a shell gdb hands the redirection on, and the programs depend on argc.
    result = subprocess.run([compare.program(), "trace", "--json", "-r", pattern, path, "--", path,
                             ">", "/dev/null"], capture_output=True,
                            text=True, check=False, timeout=60)
    if "tracing requires root" in result.stderr or "the kernel may be too old" in result.stderr:
        pytest.skip(result.stderr)
    # The kernel takes no probe on some padding, as `cs nopw`.
    refused = "the kernel cannot probe the instruction there" in result.stderr
    assert result.returncode == (2 if refused else 0), result.stderr
    return [json.loads(line) for line in result.stdout.splitlines()]


def refused_places(path, pattern):
    result = subprocess.run([compare.program(), "trace", "--json", "--count", "-r", pattern, path,
                             "--", path], capture_output=True, text=True, check=False, timeout=60)
    rows = map(json.loads, result.stdout.splitlines())
    return {int(row["copy"]["entry"], 16) for row in rows if row["why_not"]}


def functions_with_several_entries(path, pattern):
    """Which test_counters.py is about."""
    found = subprocess.run([compare.program(), "sites", "-e", "-o", "--json", "-r", pattern, path],
                           text=True, capture_output=True, check=True).stdout
    return {row["function"] for row in map(json.loads, found.splitlines())
            if [entry["address"] for entry in row["entries"]] != [row["entry"]]}


def number_of(argument, size):
    return int(argument["value"], 0) & (1 << 8 * size) - 1


def check_values(hit, evaluated, parameters, counts):
    """Compares the arguments of a call with what is evaluated at gdb's stop there."""
    for argument in hit["arguments"]:
        digits, _ = evaluated.get(argument["name"], (None, None))
        size = parameters.get(argument["name"], {"size": 0})["size"]
        counts["all"] += 1
        if argument["value"] is None or digits is None or "." in digits or not 0 < size <= 8:
            counts["only evaluated"] += bool(digits and "." not in digits and 0 < size <= 8)
            continue
        if parameters[argument["name"]]["location"]["register"] == "rsp":
            continue  # where the stack is depends on the environment
        wanted = int.from_bytes(bytes.fromhex(digits), "little") & (1 << 8 * size) - 1
        if wanted < ADDRESSES or wanted >> 32 == 0xffffffff:
            # GCC leaves other bits of a number in a register of which it tests the lowest.
            mask = 1 if parameters[argument["name"]]["encoding"] == "boolean" else -1
            assert number_of(argument, size) & mask == wanted & mask, (hit, argument, hex(wanted))
            counts["equal"] += 1


def compare_program(tmp_path, compiler, level, seed):
    for tool in (compiler, "gdb"):
        if not shutil.which(tool):
            pytest.skip(f"no {tool}")
    path, names = arguments.build(tmp_path, compiler, level, "inside", seed)
    pattern = rf"^({'|'.join(names)})$"
    found = subprocess.run([compare.program(), "sites", "-pp", "-o", "--json", "-r", pattern, path],
                           text=True, capture_output=True, check=False).stdout
    rows = [row for row in map(json.loads, found.splitlines()) if row["entry"] and row["ranges"]]
    several = functions_with_several_entries(path, pattern)
    rows = [row for row in rows if row["function"] not in several]
    hits = [hit for hit in trace(path, pattern) if hit["function"] not in several]
    constants, stops = arguments.stops(tmp_path, path, rows)
    by_entry = collections.defaultdict(list)
    for row in rows:
        by_entry[int(row["entry"], 16)].append(row)
    for entry in refused_places(path, pattern):
        del by_entry[entry]
    stops = [stop for stop in stops if stop["pc"] in by_entry]
    wanted = [sorted([stop["pc"]] * len(by_entry[stop["pc"]])) for stop in stops]
    assert [int(hit["copy"]["entry"], 16) for hit in hits] == list(itertools.chain(*wanted))
    assert len(hits) >= 10
    evaluator = arguments.Evaluator(path, arguments.Described(path), constants)
    counts, left = collections.Counter(), iter(hits)
    for stop in stops:
        evaluator.stop(stop, {})
        copies = {(row["function"], row["call_line"], row["call_column"]): row
                  for row in by_entry[stop["pc"]]}
        for _ in by_entry[stop["pc"]]:
            hit = next(left)
            row = copies[hit["function"], hit["copy"]["call_line"], hit["copy"]["call_column"]]
            check_values(hit, evaluator.copy(row["die"]),
                         {parameter["name"]: parameter for parameter in row["params"]}, counts)
    evaluator.close()
    return counts


@pytest.mark.parametrize("compiler, level", SHORT)
def test_calls_and_arguments_are_those_that_gdb_stops_at(compiler, level, tmp_path, inlinecall):
    counts = compare_program(tmp_path, compiler, level, 9)
    print(compiler, level, dict(counts))
    assert counts["equal"] >= 20, counts


@pytest.mark.long
@pytest.mark.parametrize("seed", range(10, 40))
def test_calls_of_more_programs(seed, tmp_path, inlinecall):
    compare_program(tmp_path, arguments.COMPILERS[seed % 5], arguments.LEVELS[seed % 3], seed)
