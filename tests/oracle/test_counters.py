"""`inlinecall trace --count` beside counters that are built into programs.

Other tracers, and debuggers, probe where we do, and miss the calls that we miss.
"""

import json
import subprocess

import pytest

import compare
import counted_programs
import counters
from source_packages import NotThere

# How many of the functions that were called must be counted right; and of how many others no doubt
# need say so. Small programs have everything inlined into one function, and few functions; random ones
# have many that call themselves, in a loop. Clang and rustc leave no trace of calls whose code they
# merge with that of others, and unroll loops so that only a doubt tells of it.
LIMITS = {"gcc": {"counted.c": (0.92, 0), "counted.cpp": (0.95, 0), "random": (0.94, 0),
                  "more random": (0.87, 0)},
          "clang": {"counted.c": (0.9, 0), "counted.cpp": (0.95, 0), "random": (0.86, 0),
                    "more random": (0.8, 0), "lua": (0.99, 1), "zstd": (0.95, 3), "sqlite": (0.98, 2)},
          "rustc": {"counted.rs": (0.95, 0), "regex-syntax": (0.97, 0)}}


def limits(program, build):
    return LIMITS[build.split()[0]].get(program.name, (0.99, 0))


def params():
    for program in counted_programs.ALL.values():
        for build in program.builds():
            yield pytest.param(program, build, id=f"{program.name} {build}",
                               marks=[pytest.mark.long] if program.is_long else [])


@pytest.fixture(name="made", scope="module")
def fixture_made(counted_folder, inlinecall):
    """Makes a program, and traces it, once."""
    into, found = counted_folder, {}

    def make(program, build):
        if (program, build) not in found:
            try:
                one = counted_programs.make(program, build,
                                            counters.folder_of(into, program, build))
                found[program, build] = one, counters.compared(one)
            except (NotThere, counters.Untraceable) as why:
                pytest.skip(str(why))
        return found[program, build]

    return make


@pytest.mark.parametrize("program, build", params())
def test_calls_are_as_many_as_were_counted(program, build, made):
    one, result = made(program, build)
    share, untold = limits(program, build)
    counters.print_details(one, result)
    assert result.called() > 20
    assert result.share() >= share
    assert len(result.untold) <= untold
    assert not result.too_many


@pytest.mark.parametrize("program, build", params())
def test_as_many_copies_are_traced_as_are_counted(program, build, made):
    one, result = made(program, build)
    traced = {True: 0, False: 0}
    for row in result.rows:
        traced[row["copy"]["inlined"]] += 1
    counts = counters.printed("--count", "--json", *one.functions, one.program)[0]
    assert traced[True] == sum(row["inlined"] for row in counts)
    assert traced[False] == sum(row["out_of_line"] for row in counts)
    text = subprocess.run([compare.program(), "stats", "--json", one.program], check=True,
                          stdout=subprocess.PIPE, text=True).stdout
    if one.functions == ["-g", "*"]:
        assert traced[True] == json.loads(text.splitlines()[0])["copies"]


@pytest.mark.parametrize("program, build", params())
def test_counters_leave_inlining_as_it_is(program, build, made):
    """A function of which nothing is left without a counter has copies with it; code of their own
    functions have with it and without it."""
    one, _ = made(program, build)
    with_counters, without = (counters.inlined(one, path) for path in (one.program, one.plain))
    different = with_counters.own_code ^ without.own_code
    assert len(different) <= max(4, 0.06 * len(without.own_code))
    if program.language == "c":
        # Functions of one expression have no code without a counter.
        share = 0.7 if program.name == "zstd" else 0.4
        assert abs(with_counters.copies - without.copies) <= share * without.copies
