"""SFrame: `inlinecall cfi` and `inlinecall backtrace` on programs whose assembler wrote .sframe."""

import json
import re
import subprocess
import time
from pathlib import Path

import pytest

import building

SOURCE = """\
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static volatile int depth = 3;

__attribute__((noinline)) static int wait_at(int count)
{
	volatile char room[count * 16 + 16];

	memset((void *)room, count, sizeof(room));
	if (count == depth)
		pause();
	return wait_at(count + 1) + room[count];
}

static int compare(const void *a, const void *b)
{
	return wait_at(0) + *(const char *)a - *(const char *)b;
}

int main(void)
{
	char text[] = "cab";

	puts("here");
	fflush(stdout);
	qsort(text, 3, 1, compare);
	return text[0];
}
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """prog with .eh_frame and .sframe, only without .eh_frame."""
    building.need("gcc")
    folder = tmp_path_factory.mktemp("sframe")
    (folder / "prog.c").write_text(SOURCE)
    (folder / "none.s").write_text("\n")
    if subprocess.run(["as", "--gsframe", "none.s", "-o", "none.o"], cwd=folder,
                      capture_output=True).returncode != 0:
        pytest.skip("the assembler does not write SFrame")
    building.command("gcc", "-g", "-O2", "-Wa,--gsframe", "-c", "prog.c", cwd=folder)
    building.command("gcc", "prog.o", "-o", "prog", cwd=folder)
    building.command("objcopy", "--remove-section=.eh_frame", "--remove-section=.eh_frame_hdr", "prog", "only",
                     cwd=folder)
    return folder


def rows_of(run, path, *operands):
    """{table: {(start, end): (CFA, {register: rule})}}"""
    result = run("cfi", "--json", path, *operands)
    assert (result.status, result.err) == (0, "")
    tables = {}
    for row in map(json.loads, result.out.splitlines()):
        rules = {rule["register"]: rule["text"] for rule in row["registers"]}
        tables.setdefault(row["table"], {})[row["start"], row["end"]] = (row["cfa"]["text"], rules)
    return tables


def section_of(path, folder, name):
    building.command("objcopy", f"--dump-section={name}={folder}/section.bin", path, folder / "unused")
    return bytearray((folder / "section.bin").read_bytes())


# ---- cfi


def test_rows_of_both_sections_agree(run, folder):
    tables = rows_of(run, folder / "prog", "wait_at", "main")
    kept = {addresses: (cfa, {name: rule for name, rule in rules.items() if name in ("rbp", "rip")})
            for addresses, (cfa, rules) in tables[".eh_frame"].items()}
    sframe = tables[".sframe"]
    # The assembler joins rows that differ in other registers only.
    for (start, end), row in kept.items():
        assert row in [other for (first, last), other in sframe.items()
                       if int(first, 16) <= int(start, 16) and int(end, 16) <= int(last, 16)]
    assert len(sframe) > 4


def test_sections_are_printed_one_after_the_other(run, folder):
    out = run("cfi", folder / "prog", "main").out
    headings = [line for line in out.splitlines() if not line.startswith(" ")]
    assert [re.sub(r"0x[0-9a-f]+", "OFF", line) for line in headings] == [
        "main\t.eh_frame+OFF", "main\t.sframe+OFF"]


def test_a_file_may_have_only_sframe(run, folder):
    assert rows_of(run, folder / "only")[".sframe"] == rows_of(run, folder / "prog")[".sframe"]


def test_an_object_has_the_rows_of_the_program(run, folder):
    """Starts of functions are relative to other places in objects."""
    def rules(path):
        return list(rows_of(run, path, "wait_at")[".sframe"].values())

    assert rules(folder / "prog.o") == rules(folder / "prog")


def test_raw_rows_are_those_of_the_file(run, folder):
    raw = run("cfi", "--raw", folder / "only", "wait_at").out.splitlines()
    rows = run("cfi", folder / "only", "wait_at").out.splitlines()
    assert re.fullmatch(r"\.sframe\+0x[0-9a-f]+\tFDE\t0x[0-9a-f]+-0x[0-9a-f]+ wait_at", raw[0])
    assert [line.replace("FRE: ", "") for line in raw[1:]] == [
        re.sub(r"-0x[0-9a-f]+\t", " ", line) for line in rows[1:]]
    entries = [json.loads(line) for line in run("cfi", "--raw", "--json", folder / "only", "wait_at").out.splitlines()]
    assert entries[0]["type"] == "fde" and entries[0]["cie"] is None
    assert [entry["text"] for entry in entries[1:]] == [line.strip() for line in raw[1:]]


# ---- Damage


def test_an_unknown_version_is_reported(run, folder, tmp_path):
    data = section_of(folder / "only", tmp_path, ".sframe")
    data[2] = 99
    path = building.with_section(folder / "only", ".sframe", data, tmp_path / "version")
    assert run("cfi", path) == (2, "", f"inlinecall: {path}: .sframe+0x2: unsupported SFrame version 99\n")
    assert run("cfi", "--raw", path) == run("cfi", path)


def test_relocations_must_exist(run, folder, tmp_path):
    path = tmp_path / "bare.o"
    building.command("objcopy", "--remove-section=.rela.sframe", folder / "prog.o", path)
    result = run("cfi", path)
    assert result.status == 2
    assert ".sframe: no relocations in a relocatable file" in result.err


# ---- Stacks


@pytest.fixture
def stack_of(run):
    """The frames of a program that waits, up to main()."""
    started = []

    def unwind(path):
        process = subprocess.Popen([path], stdout=subprocess.PIPE)
        started.append(process)
        assert process.stdout.readline() == b"here\n"
        for _ in range(1000):
            state = Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()[0]
            if state == "S":
                break
            time.sleep(0.01)
        result = run("backtrace", "--json", "-v", "-p", str(process.pid))
        frames = json.loads(result.out.splitlines()[0])["frames"]
        last = next(number for number, frame in enumerate(frames) if frame["function"] == "main")
        return frames[:last + 1]

    yield unwind
    for process in started:
        process.kill()
        process.wait()


def test_a_stack_is_unwound_with_sframe_only(folder, stack_of):
    def names(frames):
        return [(frame["function"], frame["line"], frame["found"]) for frame in frames]

    found, wanted = stack_of(folder / "only"), stack_of(folder / "prog")
    assert [frame["function"] for frame in found].count("wait_at") == 4
    assert names(found) == names(wanted)


def test_arguments_are_those_of_eh_frame_or_unknown(folder, stack_of):
    def values(frames):
        return [(frame["function"], argument["name"], argument["value"])
                for frame in frames for argument in frame.get("arguments") or []
                if argument["name"] == "count"]

    found, wanted = values(stack_of(folder / "only")), values(stack_of(folder / "prog"))
    assert len(found) == len(wanted) == 4
    for mine, true in zip(found, wanted):
        assert mine == true or mine[2] is None
