"""--source: what says which copies a file has."""

import json
import os
import struct
import subprocess
import time

import pytest

import building


@pytest.fixture(scope="module")
def go_program(tmp_path_factory):
    building.need("go")
    folder = tmp_path_factory.mktemp("source")
    (folder / "a.go").write_text("package main\n\nimport \"os\"\n\n"
                                 "func small(x int) int { return x * 3 }\n\n"
                                 "func main() {\n\tprintln(small(len(os.Args)))\n"
                                 "\tos.Stdin.Read(make([]byte, 1))\n}\n")
    building.command("go", "build", "-o", folder / "a", folder / "a.go")
    return folder / "a"


def columns(run, path, *options):
    result = run("sites", "-a", "--json", *options, path)
    assert result.status == 0
    rows = map(json.loads, result.out.splitlines())
    return {row["call_column"] for row in rows if row["type"] == "site"}, result.out


def test_go_programs_have_both(run, go_program):
    _, by_dwarf = columns(run, go_program, "--source=dwarf")
    without, by_tables = columns(run, go_program, "--source=go")
    assert without == {None}
    assert by_tables != by_dwarf
    assert columns(run, go_program)[1] == by_dwarf
    assert columns(run, go_program, "--source=auto")[1] == by_dwarf


def test_all_commands_read_the_same(run, go_program, tmp_path):
    for words in (["addr", go_program, "main.main"], ["tree", "main.main", go_program],
                  ["stats", go_program], ["lines", go_program, "a.go:5"],
                  ["why", "runtime.main", go_program]):
        by_dwarf = run(*words, "--source=dwarf")
        by_tables = run(*words, "--source=go")
        assert by_tables.status == by_dwarf.status == 0 and by_tables.out and by_dwarf.out
        assert run(*words) == by_dwarf
    for source in ("dwarf", "go"):
        result = run("probe", f"--source={source}", "--for=tracefs", "main.main", go_program)
        assert result.status == 0 and ":0x" in result.out
    assert run("emit", "--source=go", f"--output={tmp_path / 'go'}", go_program) == (0, "", "")
    assert ".debug_frame" in building.command("readelf", "-SW", tmp_path / "go")


def test_what_is_not_there_is_said(run, elf, go_program, tmp_path):
    stripped = tmp_path / "stripped"
    building.command("strip", "-o", stripped, go_program)
    assert run("stats", stripped).status == 0
    result = run("stats", "--source=dwarf", stripped)
    assert result.status == 2 and "no .debug_info" in result.err
    result = run("stats", "--source=go", elf("c"))
    assert result.status == 2 and "no function table of Go's runtime" in result.err
    result = run("stats", "--source=btf", elf("c"))
    assert result.status == 64 and "--source must be auto, dwarf or go, not 'btf'" in result.err


@pytest.mark.skipif(os.geteuid() != 0, reason="not root")
def test_stacks_of_processes_are_read_the_same(run, go_program):
    with subprocess.Popen([go_program], stdin=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        process.stderr.readline()  # it has begun, and will soon wait for its input
        shown = {}
        for source in ("dwarf", "go"):
            deadline = time.monotonic() + 10
            while time.monotonic() < deadline:
                shown[source] = run("backtrace", "-v", "--json", f"--source={source}", "-p",
                                    str(process.pid))
                if '"os.(*File).Read"' in shown[source].out:
                    break
        process.communicate(b"x")
    for source, result in shown.items():
        frames = [frame for line in result.out.splitlines() for frame in json.loads(line)["frames"]]
        assert [frame["line"] for frame in frames if frame["function"] == "main.main"] == [9]
        assert any(frame["arguments"] for frame in frames) == (source == "dwarf")


@pytest.mark.parametrize("part", [0, 0.5])
def test_code_in_no_section_is_reported(run, go_program, tmp_path, part):
    """Functions are in the tables all the same, and what runs has their code."""
    path = tmp_path / "stripped"
    building.command("strip", "-o", path, go_program)
    data = bytearray(path.read_bytes())
    table, = struct.unpack_from("<Q", data, 40)
    size_at = table + 64 + 32  # of the first section, .text
    size, = struct.unpack_from("<Q", data, size_at)
    struct.pack_into("<Q", data, size_at, int(size * part))
    path.write_bytes(data)
    for words in (["why", "main.small", path], ["stats", path], ["sites", "main.small", path],
                  ["lines", path, "a.go:5"], ["probe", "main.small", path]):
        result = run(*words)
        assert result.status == 2 and "in an executable segment, but not in any section" in result.err
