"""Every row of every line table of every build, and of the program itself, beside llvm-dwarfdump."""

import subprocess
from pathlib import Path

import pytest

import builds
import compare
import linetable

# Beside INLINECALL, in the same build directory.
PRINT_ROWS = Path(compare.program()).resolve().parents[1] / "tests/oracle/print_rows"


def printed_rows(path):
    """{offset of the table: [Row, ...]}, as the library has them."""
    tables = {}
    text = subprocess.run([PRINT_ROWS, path], stdout=subprocess.PIPE, text=True, check=True).stdout
    for line in text.splitlines():
        if line.startswith("table "):
            rows = tables[int(line[6:], 16)] = []
            continue
        assert not line.startswith("problem"), line
        addr, *words = line.split()
        rows.append(linetable.Row(int(addr, 16), *map(int, words[:5]), tuple(words[5:])))
    return tables


def expected_rows(path):
    return {offset: [row for sequence in sequences for row in sequence.rows]
            for offset, (_, sequences) in linetable.read(path).items()}


def assert_same(path):
    if not PRINT_ROWS.exists():
        pytest.skip(f"no {PRINT_ROWS}")
    ours, expected = printed_rows(path), expected_rows(path)
    assert ours.keys() == expected.keys()
    for offset, rows in expected.items():
        # Flags have no order.
        assert ([row._replace(flags=sorted(row.flags)) for row in ours[offset]] ==
                [row._replace(flags=sorted(row.flags)) for row in rows]), hex(offset)
    return sum(map(len, expected.values()))


@pytest.mark.parametrize("build", builds.params())
def test_the_rows_are_those_of_llvm_dwarfdump(build, built):
    assert assert_same(built(build)) > 0


def test_so_are_those_of_the_program_itself(inlinecall):
    if assert_same(compare.program()) == 0:
        pytest.skip("built without debug information")
