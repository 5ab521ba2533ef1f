"""`inlinecall backtrace`: the functions that have left a stack by tail calls."""

import csv
import json
import re
import subprocess
import time
from pathlib import Path

import pytest

import building

SOURCE = Path(__file__).resolve().parent / "programs" / "tail_calls.c"


@pytest.fixture(scope="module", params=("gcc", "clang"))
def built(request, tmp_path_factory):
    building.need(request.param)
    path = tmp_path_factory.mktemp("tail_calls") / "tail_calls"
    building.command(request.param, "-g", "-O2", "-w", SOURCE, "-o", path)
    return path


def wait_until_it_sleeps(pid):
    for _ in range(500):
        if Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "S":
            return
        time.sleep(0.01)


@pytest.fixture
def ask(run, built):
    """The answer for the program that waits on a way, and what it said of last()."""
    def answer(way, *options):
        process = subprocess.Popen([built, way], stdout=subprocess.PIPE, text=True)
        try:
            said = None
            while (line := process.stdout.readline()) not in ("here\n", ""):
                said = line.split()[1]
            wait_until_it_sleeps(process.pid)
            return run("backtrace", *options, "-p", str(process.pid)), said
        finally:
            process.kill()
            process.wait()
    return answer


def frames(result):
    """["function", ...] from main() on, with * of tail calls and > before what is called."""
    found = []
    for frame in json.loads(result.out)["frames"]:
        # Code of a C library may have no name.
        found.append((frame["function"] or "?") + "*" * (frame["found"] == "tail_call") +
                     " inlined" * frame["inlined"] + (f">{frame['callee']}" if frame["callee"] else ""))
    end = found.index(next(name for name in found if name.startswith("main")))
    start = max(number for number, name in enumerate(found) if name in ("last", "sleep", "__sleep"))
    return found[start + 1:end + 1]


@pytest.mark.parametrize("way, wanted", [
    ("first", ["second*", "within* inlined", "first*", "main"]),
    ("either", ["second*", "main>either"]),        # perhaps by first()
    ("passes", ["passes*", "main"]),
    ("indirect", ["main>indirect"]),
    ("odd", ["even*", "main"]),                    # a circle
    ("again", ["main>again"]),                     # last() may be called at once
    ("x", ["external*", "main"]),                  # sleep() is in another file
])
def test_the_functions_that_certainly_made_tail_calls_have_frames(way, wanted, ask):
    result, _ = ask(way, "--json")
    assert (result.status, result.err) == (0, "")
    assert frames(result) == wanted


def test_the_text_marks_tail_calls(ask):
    result, _ = ask("first")
    # Functions of the C library may make tail calls too.
    lines = [line for line in result.out.splitlines()
             if "(tail call)" in line and f"{SOURCE}:" in line]
    assert [re.fullmatch(rf"#\d +0x[0-9a-f]{{16}} (\w+\(\)) at {SOURCE}:\d+:\d+( \(.*\))", line)
            .groups() for line in lines] == [
        ("second()", " (tail call)"), ("within()", " (inlined) (tail call)"),
        ("first()", " (tail call)")]
    result, _ = ask("indirect")
    assert re.search(r"^#\d +0x[0-9a-f]{16} main\(\) at \S+ \(calls indirect\(\)\)$", result.out, re.M)


def test_a_table_has_rows_of_tail_calls(ask):
    result, _ = ask("either", "--csv")
    rows = [*csv.DictReader(result.out.splitlines())]
    assert [(row["function"], row["callee"]) for row in rows if row["found"] == "tail_call"] == [
        ("second", "")]
    assert [row["callee"] for row in rows if row["function"] == "main"] == ["either"]


def test_the_address_of_a_frame_is_that_of_the_jump_or_after_it(ask, built):
    result, _ = ask("passes", "--json")
    disassembly = subprocess.run(["objdump", "-d", "--no-show-raw-insn", built], check=True,
                                 capture_output=True, text=True).stdout
    body = disassembly.split("<passes>:\n")[1].split("\n\n")[0].splitlines()
    jump, = (number for number, line in enumerate(body) if "jmp" in line and "<last>" in line)
    frame = next(frame for frame in json.loads(result.out)["frames"] if frame["function"] == "passes")
    assert frame["line"] == next(number for number, line in enumerate(
        SOURCE.read_text().splitlines(), 1) if "return last(number);" in line)
    start = next(int(line.split()[0], 16) for line in disassembly.splitlines() if "<passes>:" in line)
    at = int(body[jump].split(":")[0], 16) - start
    assert frame["offset"] in (at, at + 2, at + 5)


@pytest.mark.parametrize("way", ("first", "passes", "either", "indirect", "odd", "again"))
def test_values_come_through_certain_tail_calls(way, ask):
    result, said = ask(way, "--json", "-v")
    last = next(frame for frame in json.loads(result.out)["frames"] if frame["function"] == "last")
    argument, = last["arguments"]
    assert argument["value"] in (None, said.split("=")[1])
    assert argument["how"] == (None if way in ("indirect", "again") else "entry_value")
    assert (argument["how"] is None) == (argument["value"] is None)
    assert all(frame["arguments"] is None for frame in json.loads(result.out)["frames"]
               if frame["found"] == "tail_call")


def test_what_a_caller_gave_is_not_believed_of_a_function_that_may_have_been_entered_again(ask):
    result, said = ask("turns", "--json", "-v")
    found = {frame["function"]: frame for frame in json.loads(result.out)["frames"]}
    for function in ("last", "turns"):
        for argument in found[function]["arguments"]:
            assert argument["value"] in (None, said.split("=")[1])
