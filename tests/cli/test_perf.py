"""perf with inlinecall as its addr2line says what it says with GNU's, inlined frames and all."""

import os
import re
import subprocess

import pytest

import building
from styles import find_tool, linked

INLINED = ["mix", "twice", "fold", "store"]  # innermost first


@pytest.fixture(scope="module")
def recording(tmp_path_factory):
    """A folder with perf.data of a program that is busy in inlined functions."""
    folder = tmp_path_factory.mktemp("perf")
    perf = find_tool("perf")
    building.need("gcc")
    building.command("gcc", "-g", "-O2", building.OURS / "busy.c", "-o", folder / "busy")
    record = [perf, "record", "-q", "-B", "-N", "-e", "cpu-clock", "-F", "250", "--call-graph",
              "dwarf,4096", "-o", folder / "perf.data", folder / "busy"]
    result = subprocess.run(record, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                            check=False)
    if result.returncode or not (folder / "perf.data").exists():
        pytest.skip(f"perf may not record here: {' '.join(result.stderr.split())[:200]}")
    return folder


@pytest.fixture(scope="module")
def perf_with(recording, program):
    """Runs perf on the recording, with an addr2line of that name in front of all others."""
    gnu = find_tool("addr2line")

    def run(who, *arguments):
        folder = recording / who
        if not folder.exists():
            folder.mkdir()
            linked(program if who == "ours" else gnu, folder, "addr2line")
        environment = {**os.environ, "PATH": f"{folder}:{os.environ['PATH']}"}
        result = subprocess.run(["perf", *arguments, "-i", recording / "perf.data"],
                                env=environment, capture_output=True, text=True, timeout=300,
                                check=True)
        return result.stdout

    return run


def stacks(text):
    """[[frame, ...], ...] of `perf script`: of each sample the functions, innermost first."""
    return [re.findall(r"^\s+[0-9a-f]+ (\S+?)(?:\+0x[0-9a-f]+)? \((.*)\)$", sample, re.MULTILINE)
            for sample in text.split("\n\n") if sample]


def test_perf_script_has_the_same_stacks(perf_with):
    found, expected = (stacks(perf_with(who, "script")) for who in ("ours", "gnu"))
    assert len(found) > 20
    busy = set(INLINED) | {"work", "outer", "main"}
    for ours, gnu in zip(found, expected, strict=True):
        assert [frame for frame in ours if frame[0] in busy] == [
            frame for frame in gnu if frame[0] in busy]
    assert any([frame for frame in stack if frame[1] == "inlined"][:4] == [
        (name, "inlined") for name in INLINED] for stack in found)


def test_perf_report_has_the_same_tree(perf_with):
    found, expected = (
        [line for line in perf_with(who, "report", "--stdio", "--no-children").splitlines()
         if not line.startswith("#")] for who in ("ours", "gnu"))
    assert any("mix (inlined)" in line for line in found)
    assert found == expected


def test_lines_are_the_same(perf_with):
    """-F +srcline has perf ask for every line."""
    found, expected = (
        re.findall(r"busy\.c:\d+", perf_with(who, "script", "-F", "+srcline"))
        for who in ("ours", "gnu"))
    assert len(found) > 20 and found == expected


def test_it_is_this_addr2line_that_perf_asks(recording, perf_with):
    real = perf_with("ours", "script")
    folder = recording / "listening"
    folder.mkdir()
    (folder / "addr2line").write_text(f"#!/bin/sh\necho \"$@\" >> {folder}/asked\n"
                                      f"exec {recording}/ours/addr2line \"$@\"\n")
    (folder / "addr2line").chmod(0o755)
    assert perf_with("listening", "script") == real
    # Versions of perf before 6.3 ask without -a, some without -e.
    assert re.search(r"^(-e )?\S+/busy (-a )?-i -f$", (folder / "asked").read_text(), re.MULTILINE)
