"""perf with a debug file that emit has written: inlined frames and lines at each sample.

perf 6.1 shows inlined frames only of stacks that it unwinds by call frame information, and Debian
builds it without libbfd: it asks addr2line about the file that the symbols are from."""

import re
import shutil
import subprocess
from pathlib import Path

import compare
import pytest
from test_emitted import emitted, frames_of

BUSY = """package main

import "os"

type state struct{ a, b uint32 }

func mix(s *state, n uint32) uint32 {
	s.a = s.a*1664525 + n
	return s.a >> 7
}

func twice(s *state, n uint32) uint32 { return mix(s, n) ^ mix(s, n+1) }

func fold(s *state, n uint32) {
	s.b += twice(s, n)
	if s.b&1 == 0 {
		s.b ^= mix(s, s.b)
	}
}

//go:noinline
func work(s *state, rounds uint32) {
	for n := uint32(0); n < rounds; n++ {
		fold(s, n)
	}
}

func main() {
	s := &state{1, 2}
	for i := 0; i < 30; i++ {
		work(s, 2000000)
	}
	if s.b == 12345 {
		os.Exit(1)
	}
}
"""


def record(program):
    path = program.parent / "perf.data"
    result = subprocess.run(["perf", "record", "-q", "-N", "-e", "cpu-clock", "-F", "250",
                             "--call-graph", "dwarf,4096", "-o", path, program],
                            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                            check=False)
    if result.returncode or not path.exists():
        pytest.skip(f"perf may not record here: {' '.join(result.stderr.split())[:200]}")
    return path


def text_bias(program):
    """What is to be added to offsets in the file, for addresses."""
    listed = subprocess.run(["readelf", "-SW", program], capture_output=True, text=True,
                            check=True).stdout
    addr, off = re.search(r" \.text +PROGBITS +(\w+) (\w+) ", listed).groups()
    return int(addr, 16) - int(off, 16)


def innermost(recording, *options):
    """By offset in the file the frames that perf shows there: functions and lines, in the form of
    frames_of(). perf 6.1 prints these offsets, 6.12 addresses in the process."""
    out = subprocess.run(["perf", "script", "-i", recording, "-F", "ip,sym,srcline", "--inline",
                          "--show-mmap-events", *options], capture_output=True, text=True, check=True,
                         timeout=300).stdout
    mapped = [[int(number, 16) for number in line] for line in
              re.findall(r"\[0x(\w+)\(0x(\w+)\) @ (?:0x)?(\w+) .*r-xp .*/program$", out, re.M)]
    out = re.sub(r"^.*PERF_RECORD_MMAP.*\n", "", out, flags=re.M)
    found = {}

    def offset(addr):
        return next((addr - start + off for start, size, off in mapped if 0 <= addr - start < size),
                    addr)

    for sample in out.split("\n\n"):
        frames = re.findall(r"^\s+([0-9a-f]+) (.+)\n  (\S+:\d+)(?: \(inlined\))?$", sample, re.M)
        if frames and sample.lstrip("\n").split()[0] == frames[0][0]:
            found[offset(int(frames[0][0], 16))] = [text for ip, *frame in frames
                                            if ip == frames[0][0] for text in frame]
    return found


def check(program, tables, recording, functions, *options):
    """`tables` is what the debug file was made from."""
    bias = text_bias(program)
    shown = {place + bias: frames for place, frames in innermost(recording, *options).items()
             if frames[-2] in functions}
    wanted = frames_of(tables, shown)
    assert len(shown) > 3 and max(map(len, shown.values())) >= 6  # two functions inlined, or more
    for place, frames in shown.items():
        names, lines = wanted[place][::2], wanted[place][1::2]
        assert frames[::2] == names and frames[1::2] == [Path(line).name for line in lines]


def need(*tools):
    missing = [tool for tool in tools if not shutil.which(tool)]
    if missing:
        pytest.skip(f"no {' and no '.join(missing)}")


def test_perf_finds_the_file_by_its_link_and_shows_what_the_tables_of_go_say(tmp_path):
    need("perf", "addr2line", "go")
    (tmp_path / "main.go").write_text(BUSY)
    stripped, program = tmp_path / "stripped", tmp_path / "program"
    subprocess.run(["go", "build", "-ldflags=-s -w", "-o", stripped, "main.go"], cwd=tmp_path,
                   check=True, capture_output=True)
    subprocess.run([compare.program(), "emit", f"--output={tmp_path / 'program.debug'}",
                    f"--link={program}", stripped], check=True)
    check(program, stripped, record(program), {"main.work"})


def test_perf_finds_the_file_by_the_build_id(tmp_path):
    need("perf", "addr2line", "gcc")
    whole, program = tmp_path / "whole", tmp_path / "program"
    source = compare.HERE.parent / "cli" / "programs" / "busy.c"
    subprocess.run(["gcc", "-g", "-O2", "-Wl,--build-id", source, "-o", whole], check=True)
    subprocess.run(["strip", "-o", program, whole], check=True)
    notes = subprocess.run(["readelf", "-n", program], capture_output=True, text=True,
                           check=True).stdout
    build_id = re.search(r"Build ID: (\w+)", notes)[1]
    root = tmp_path / "root"
    under = root / "usr/lib/debug/.build-id" / build_id[:2]
    under.mkdir(parents=True)
    shutil.copy(emitted(whole, tmp_path), under / f"{build_id[2:]}.debug")
    (root / str(tmp_path)[1:]).mkdir(parents=True)
    shutil.copy(program, root / str(tmp_path)[1:])
    check(program, whole, record(program), {"work"}, "--symfs", root)
