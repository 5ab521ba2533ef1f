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
    lines = [line for line in result.err.splitlines() if line.startswith("thread=")]
    return [{key: value if key == "host" else int(value)
             for key, value in (pair.split("=") for pair in line.split())} for line in lines]


def rows_of(result):
    return [json.loads(line) for line in result.out.splitlines()]


def messages_of(result):
    return [line for line in result.err.splitlines() if line.startswith("inlinecall: ")]


def test_no_call_is_lost_that_is_counted_by_its_arguments(trace, grouped):
    """More calls than fit in the ring buffer, most of which the condition rejects."""
    result = trace("--count", "--json", "--where=n == -3", "leaf", grouped, "--", grouped, "150000")
    wanted = {host: sum(line["count"] for line in truth_of(result)
                        if line["n"] == -3 and line["host"] == host) for host in ("one", "two")}
    assert result.status == 0 and not messages_of(result)
    assert {row["copy"]["host"]: (row["hits"], row["lost"]) for row in rows_of(result)} == \
        {host: (count, 0) for host, count in wanted.items()}


def test_calls_that_a_condition_rejects_need_no_room(trace, grouped):
    result = trace("--json", "--where=n == 99", "leaf", grouped, "--", grouped, "150000")
    assert result.status == 1 and "not printed" not in result.err


CONDITIONS = {
    "n == 1 || n == -3": lambda line: line["n"] in (1, -3),
    "!(n < 0) && s ~ \"*d*\"": lambda line: line["n"] >= 0 and "d" in STRINGS[line["s"]],
    "n > 2 || s == \"a string of more than thirty-two bytes\"":
        lambda line: line["n"] > 2 or line["s"] == 2,
    "s !~ \"a *\" && (n & 1)": lambda line: line["s"] != 2 and line["n"] & 1,
    "s ~ \"?dd\" || s ~ \"[d-f]v*\"": lambda line: line["s"] < 2,
    "item->kind & 1": lambda line: line["kind"] & 1,
    "(item->kind & 3) == 2 && !n": lambda line: line["kind"] == 2 and line["n"] == 0,
    "item->kind > n": lambda line: line["kind"] > line["n"],
    "n >= item->kind || item->kind == 2":
        lambda line: line["n"] >= line["kind"] or line["kind"] == 2,
    "n > -1000000000000 && item->kind < 300 && item->kind != -1": lambda line: True,
    "n < -1000000000000 || item->kind == 256": lambda line: False,
    "n > 0.5 && n < 2.5": lambda line: line["n"] in (1, 2),
    "comm == \"grouped\" && pid != tid && cpu < 4096": lambda line: True,
    "comm ~ \"x*\" || @pid == tid": lambda line: False,
}


@pytest.mark.parametrize("where", CONDITIONS)
def test_conditions_choose_what_the_program_says(trace, grouped, where):
    fields = ["--fields=kind"] if "kind" not in where else []
    result = trace("--json", "--where", where, *fields, "leaf", grouped, "--", grouped, "600")
    truth = [line for line in truth_of(result) if CONDITIONS[where](line)]
    calls = sum(line["count"] for line in truth)
    assert result.status == (0 if calls else 1)
    assert not calls or not messages_of(result)
    assert len(rows_of(result)) == calls
    for host in ("one", "two"):
        assert sum(row["copy"]["host"] == host for row in rows_of(result)) == \
            sum(line["count"] for line in truth if line["host"] == host)
    counted = trace("--count", "--json", "--where", where, "leaf", grouped, "--", grouped, "600")
    assert sum(row["hits"] for row in rows_of(counted)) == calls
    assert counted.status == result.status and "left out" not in counted.err


@pytest.mark.parametrize("size", ["1", "40"])
def test_conditions_compare_more_than_is_printed(trace, grouped, size):
    where = f'--where=s == "{STRINGS[2]}"'
    result = trace("--json", f"--string-bytes={size}", where, "leaf", grouped, "--", grouped, "50")
    texts = {row["arguments"][1]["text"] for row in rows_of(result)}
    assert len(rows_of(result)) == sum(line["count"] for line in truth_of(result)
                                       if line["s"] == 2) > 0
    assert {text.split(" ", 1)[1] for text in texts} == {
        '"a"...' if size == "1" else f'"{STRINGS[2]}"'}


def test_what_cannot_be_compared_is_left_out_and_said(trace, tmp_path):
    program, source = tmp_path / "lost", tmp_path / "lost.c"
    source.write_text("""
        static volatile int sink;
        __attribute__((noinline, pure)) static int twice(int n) { return 2 * n + sink; }
        static inline __attribute__((always_inline)) void leaf(int n, int unused)
        { sink += n; sink += n; sink += n; }
        __attribute__((noinline)) void host(int n) { leaf(n, twice(n)); sink += n; }
        int main(void) { for (int i = 0; i < 9; i++) host(i); }
    """)
    building.command("gcc", "-O2", "-g", "-o", program, source)
    copy = json.loads(trace("--json", "--max=1", "leaf", program, "--", program).out)
    assert copy["arguments"][1]["why"], copy
    result = trace("--count", "--where=unused == 1", "leaf", program, "--", program)
    assert result.status == 2
    assert "9 calls left out: an argument of --where was unavailable" in result.err
    for where, calls in (("n == 1 || unused == 1", 1), ("n == 1 && unused == 1", 0)):
        result = trace("--count", "--json", "--where", where, "leaf", program, "--", program)
        assert sum(row["hits"] for row in rows_of(result)) == calls
        assert f"{8 if calls else 1} calls left out" in result.err
