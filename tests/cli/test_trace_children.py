"""Tracing a process with those that it starts, and theirs: each program counts its own calls."""

import json
import os
import re
import subprocess
import time
from collections import Counter
from pathlib import Path

import pytest

import building

PROGRAM = Path(__file__).resolve().parent / "programs/probed.c"
CALLS = 9  # of leaf() in each process that executes it


@pytest.fixture(name="probed", scope="module")
def fixture_probed(run, tmp_path_factory):
    path = tmp_path_factory.mktemp("children") / "probed"
    building.command("gcc", "-O2", "-g", "-o", path, PROGRAM)
    result = run("trace", "--children", "--count", "leaf", path, "--", path)
    if result.status == 2 and re.search("requires root|too old|without support|cannot be read|container", result.err):
        pytest.skip(f"cannot be traced here: {result.err}")
    return path


def rows_of(result):
    return [json.loads(line) for line in result.out.splitlines() if line.startswith("{")]


def shell(text):
    return ["--", "sh", "-c", text]


@pytest.mark.parametrize("script, processes", [
    ("{0}", 1), ("{0}; {0}", 2), ("{0} & {0} & wait", 2),
    ("sh -c '{0}; sh -c \"{0}; :\"; :'; {0}; :", 3),
    ("for i in $(seq 40); do {0} & done; wait", 40),
    ("(({0}; {0}) &); sleep 1", 2),  # it has another parent when it runs
], ids=str)
def test_all_that_is_started_is_traced(run, probed, script, processes):
    script = script.format(f"{probed} >/dev/null")
    result = run("trace", "--json", "--children", "leaf", probed, *shell(script))
    assert result.status == 0
    by_process = Counter(row["pid"] for row in rows_of(result))
    assert list(by_process.values()) == [CALLS] * processes
    assert {row["command"] for row in rows_of(result)} == {"probed"}
    counted = run("trace", "--json", "--children", "--count", "leaf", probed, *shell(script))
    assert sum(row["hits"] for row in rows_of(counted)) == CALLS * processes
    grouped = run("trace", "--json", "--children", "--by=pid", "leaf", probed, *shell(script))
    assert [row["count"] for row in rows_of(grouped) if row["type"] == "group"] == [CALLS] * processes


def test_other_processes_are_not_traced(run, probed):
    script = f"i=0; while [ $i -lt 30 ]; do {probed} >/dev/null; i=$((i + 1)); done"
    with subprocess.Popen(["sh", "-c", script]) as other:
        result = run("trace", "--json", "--children", "leaf", probed, *shell(f"{probed} >/dev/null; sleep 0.2"))
        other.wait()
    assert len(rows_of(result)) == CALLS


def test_a_process_is_traced_with_those_it_has_started_and_will_start(program, probed, tmp_path):
    """One child waits already, another is started later."""
    first, second = tmp_path / "first", tmp_path / "second"
    for fifo in (first, second):
        os.mkfifo(fifo)
    script = f"sh -c 'read x < {first}; {probed}; :' & read x < {second}; {probed}; wait"
    with subprocess.Popen(["sh", "-c", script], stdout=subprocess.DEVNULL) as process:
        tracer = subprocess.Popen([program, "trace", "--json", "--children", "--pid", str(process.pid), "leaf", probed],
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        assert "traced until" in tracer.stderr.readline()
        for fifo in (first, second):
            fifo.write_text("go\n")
            time.sleep(0.3)
        process.wait()
        out, _ = tracer.communicate(timeout=20)
    assert tracer.returncode == 0
    hits = [json.loads(line) for line in out.splitlines()]
    assert sorted(Counter(hit["pid"] for hit in hits).values()) == [CALLS, CALLS]


def test_in_a_container_nothing_can_be_followed(program, probed):
    result = subprocess.run(["unshare", "--pid", "--fork", "--mount-proc", program, "trace", "--children", "leaf",
                             probed, "--", probed], capture_output=True, text=True, check=False)
    if "unshare" in result.stderr.split(":")[0]:
        pytest.skip(f"no namespaces: {result.stderr}")
    assert result.returncode == 2 and not result.stdout
    assert "cannot be followed in a container" in result.stderr


@pytest.mark.parametrize("options", [[], ["--kernel", "--", "true"]])
def test_there_must_be_a_process(run, probed, options):
    result = run("trace", "--children", "leaf", probed, *options)
    assert result.status == 64 and "--children requires --pid or COMMAND" in result.err
    assert "not traced without --children" in run("trace", "leaf", probed, *shell(f"{probed}; :")).err
