"""Small files that ask for much memory: it is bounded, and what that leaves out is reported.

What each costs is in docs/hostile-files.md.
"""

import os
import re
import resource
import subprocess

import pytest

import hostile

SECONDS = 20
MOST = 400 << 20  # bytes: the limit of 256 MiB, the program, and half as much again


@pytest.fixture(scope="module", params=hostile.FILES, ids=lambda make: make.__name__)
def path(request, tmp_path_factory):
    made = hostile.write(request.param, tmp_path_factory.mktemp("hostile"))
    yield made
    made.unlink()


def run_bounded(directory, *command):
    """(status, peak memory, messages)"""
    def limit():
        resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

    with open(directory / "messages", "w+b") as messages:
        with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                              stderr=messages, preexec_fn=limit) as process:
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
        messages.seek(0)
        return process.returncode, usage.ru_maxrss << 10, messages.read().decode()


@pytest.mark.sampled(20)
@pytest.mark.parametrize("command", [
    ("-a", "-c"), ("tree", "-a"), ("stats", "--by=file"), ("stats", "-p"), ("sizes", "--by=template"), ("diff",), ("affected",), ("check",), ("export",), ("addr",),
    ("lines",)], ids=lambda command: command[0])
def test_memory_is_bounded_and_what_is_left_out_is_reported(program, path, tmp_path, command):
    operands = {"addr": [f"{hostile.FIRST:#x}"], "lines": ["a.c:1"], "diff": [path], "affected": ["--function=f"], "check": ["--init"]}.get(command[0], [])
    status, peak, messages = run_bounded(tmp_path, program, *command, "-j2", path, *operands)
    assert status in (0, 1, 2)
    assert peak < MOST
    assert "out of memory" not in messages
    if re.search("limit|gave up|left out|decompressed", messages):
        assert status == 2


def test_strings_that_nobody_reads_cost_nothing(program, tmp_path):
    path = hostile.write(hostile.strings_that_nobody_reads, tmp_path)
    for command in (["small"], ["-a"], ["tree", "host"], ["addr"]):
        operands = ["0x1000"] if command == ["addr"] else []
        for limit in [], ["--max-memory=4G"]:
            status, peak, messages = run_bounded(tmp_path, program, *command, *limit, path,
                                                 *operands)
            assert (status, messages) == (0, "")
            assert peak < 100 << 20


def test_strings_that_are_read_are_left_out_with_a_word(run, tmp_path):
    path = hostile.write(hostile.strings_that_are_read, tmp_path)
    for command in (["small", path], ["-a", path], ["addr", path, "0x1000"]):
        result = run(*command)
        assert result.status == 2
        assert result.err == (
            f"inlinecall: {path}: .debug_str takes 3 GiB of memory when decompressed, which "
            "exceeds the memory limit of 256 MiB; its contents are left out\n")


@pytest.mark.parametrize("size, ok", [("2M", True), ("1T", True), ("900K", False), ("64k", False)])
def test_the_limit_is_what_the_option_says(run, tmp_path, size, ok):
    path = tmp_path / "file"
    made = [*hostile.program(0x0e, b"\1\0\0\0"),
            hostile.zstd_section(".debug_str", b"\0small\0", b"\0", 1 << 20)]
    path.write_bytes(hostile.elf_file([hostile.TEXT, *made]))
    result = run(f"--max-memory={size}", "small", path)
    assert result.status == (0 if ok else 2)
    assert ("memory limit" in result.err) == (not ok)


@pytest.mark.parametrize("size", ["", "0", "-1", "1X", "1KB", "K", "99999999999999999999",
                                  "17592186044416T"])
def test_a_limit_that_is_no_size_is_refused(run, elf, size):
    result = run(f"--max-memory={size}", "clamp", elf("c"))
    assert result.status == 64
    assert f"not '{size}'" in result.err


def test_nothing_is_decompressed_for_what_is_no_code(run, tmp_path):
    """A symbolizer reads the DWARF at the first look-up that needs it, and reports it then."""
    path = hostile.write(hostile.entries_of_3_gb, tmp_path)
    beyond = run("addr", path, "0x1")
    assert (beyond.status, beyond.err) == (1, "")
    within = run("addr", path, f"{hostile.FIRST:#x}")
    assert within.status == 2 and "memory limit" in within.err
