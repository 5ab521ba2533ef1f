"""What instructions of AArch64 do to registers and memory, compared with libcapstone: all of a C library for that
machine, which comes with its cross compiler, and words made at random, which hold what no compiler writes."""

import random
import re
import subprocess
from pathlib import Path

import pytest

import compare

LIBRARY = Path("/usr/aarch64-linux-gnu/lib/libc.so.6")
COMPARE_EFFECTS = Path(compare.program()).resolve().parents[1] / "tests/oracle/compare_effects"


def compared(path, off, size):
    """Compares a part of a file, and returns how many instructions and places in memory were equal."""
    if not COMPARE_EFFECTS.exists():
        pytest.skip("no compare_effects: the tests are not built, or libcapstone cannot be linked with")
    result = subprocess.run([COMPARE_EFFECTS, path, str(off), str(size)], capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stdout
    return map(int, re.fullmatch(r"(\d+) instructions, (\d+) places, 0 differences\n", result.stdout).groups())


def test_effects_in_a_library():
    if not LIBRARY.exists():
        pytest.skip(f"no {LIBRARY}")
    sections = subprocess.run(["readelf", "-SW", LIBRARY], capture_output=True, text=True, check=True).stdout
    off, size = (int(text, 16) for text in re.search(r" \.text +PROGBITS +\w+ +(\w+) +(\w+)", sections).groups())
    count, places = compared(LIBRARY, off, size)
    assert count > 150000 and places > 50000


def test_effects_of_words_made_at_random(tmp_path):
    size = 8 << 20
    (tmp_path / "words").write_bytes(random.Random(1).randbytes(size))
    count, places = compared(tmp_path / "words", 0, size)
    assert count > 400000 and places > 150000
