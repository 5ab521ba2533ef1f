"""What a trace adds up in the kernel, against the counts that a program keeps of itself."""

import json
import re
from pathlib import Path

import pytest

import building

PROGRAM = Path(__file__).resolve().parent / "programs/grouped.c"
STRINGS = ["even", "odd", "a string of more than thirty-two bytes"]


@pytest.fixture(name="grouped", scope="module", params=["gcc -fno-ipa-sra", "clang"])
def fixture_grouped(request, tmp_path_factory):
    path = tmp_path_factory.mktemp("grouped") / "grouped"
    building.command(*request.param.split(), "-O2", "-g", "-pthread", "-o", path, PROGRAM)
    return path


@pytest.fixture(name="trace", scope="module")
def fixture_trace(run, grouped):
    """Runs `inlinecall trace`, if this machine lets us."""
    result = run("trace", "--count", "leaf", grouped, "--", grouped, "1")
    if result.status == 2 and re.search("requires root|too old|without support", result.err):
        pytest.skip(f"tracing needs root and BPF: {result.err}")
    return lambda *args: run("trace", *args)


def truth_of(result):
    """What the program printed: a dictionary for each line."""
    lines = [line for line in result.out.splitlines() if line.startswith("thread=")]
    return [{key: value if key == "host" else int(value)
             for key, value in (pair.split("=") for pair in line.split())} for line in lines]


def rows_of(result):
    return [json.loads(line) for line in result.out.splitlines() if line.startswith("{")]


def test_no_call_is_lost_that_is_counted_by_its_arguments(trace, grouped):
    """More calls than fit in the ring buffer, most of which the condition rejects."""
    result = trace("--count", "--json", "--where=n == -3", "leaf", grouped, "--", grouped, "150000")
    wanted = {host: sum(line["count"] for line in truth_of(result)
                        if line["n"] == -3 and line["host"] == host) for host in ("one", "two")}
    assert result.status == 0 and result.err == ""
    assert {row["copy"]["host"]: (row["hits"], row["lost"]) for row in rows_of(result)} == \
        {host: (count, 0) for host, count in wanted.items()}


def test_calls_that_a_condition_rejects_need_no_room(trace, grouped):
    result = trace("--json", "--where=n == 99", "leaf", grouped, "--", grouped, "150000")
    assert result.status == 1 and "not printed" not in result.err
