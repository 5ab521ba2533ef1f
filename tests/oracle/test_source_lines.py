"""The code of every line of every source file, beside the rows that llvm-dwarfdump prints."""

import json
import subprocess
from collections import Counter

import pytest

import builds
import compare
import linefiles
from matrix import shop
from matrix.cell import every_cell

# The rows themselves are compared for all builds in test_line_rows.py.
MATRIX = [build for build in builds.matrix() if build.dwarf == 5 or build.name == "plain-O2"]
# Other compilers, and what is in several files or was moved by a linker or dwz.
CELLS = ("gfortran-5", "gnat-5", "gdc-5", "rustc-v0-5", "gcc-dwo-4", "clang-dwo-5",
         "g++-dwo-types-5", "clang-llvm-dwp-5", "gcc-lto-5", "clang-lto-thin-5", "gcc-dwz-4",
         "g++-dwz-5", "g++-types-4", "gcc-mixed", pytest.param("go", marks=pytest.mark.long))
AT_ONCE = 3000  # operands of one process


def from_json(row):
    first = row["frames"][0]
    return linefiles.Place(row["section"], int(row["address"], 16), int(row["end"], 16),
                           compare.one_slash(first["file"]), first["line"], first["column"],
                           first["discriminator"], row["is_stmt"])


def asked(path, *arguments, text=None):
    command = [compare.program(), *arguments[:1], "--json", str(path), *arguments[1:]]
    result = subprocess.run(command, input=text, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr
    return [json.loads(line) for line in result.stdout.splitlines()]


def address_of(row):
    return f"{row['section']}+{row['address']}" if row["section"] else row["address"]


def last_of(row):
    """The address of the last byte, or of an empty range."""
    start, end = int(row["address"], 16), int(row["end"], 16)
    return address_of({**row, "address": hex(max(start, end - 1))})


def only_the_place_of_the_first_differs(frames, others):
    first = {**frames[0], "file": None, "line": None, "column": None, "discriminator": None}
    other = {**others[0], "file": None, "line": None, "column": None, "discriminator": None}
    return first == other and frames[1:] == others[1:]


def is_stack_of(row, answer):
    """Whether the frames are those at the address. Those of an empty range begin with the function
    that has the line: the one that calls what is there on that line, if any does; if none is known
    to have it, with a frame that has no name."""
    frames = row["frames"]
    if not answer:
        return len(frames) == 1 and frames[0]["function"] is None
    if row["address"] != row["end"]:
        return only_the_place_of_the_first_differs(frames, answer)
    callers = [number for number, frame in enumerate(answer)
               if (frame["file"], frame["line"]) == (frames[0]["file"], frames[0]["line"])]
    if callers:
        return only_the_place_of_the_first_differs(frames, answer[callers[0]:])
    if frames[0]["function"] is None and frames[0]["inlined"] and frames[1:] == answer:
        return True
    return (len(frames) <= len(answer) and
            only_the_place_of_the_first_differs(frames, answer[len(answer) - len(frames):]))


def assert_same(path):
    """Returns how many places there were."""
    expected = linefiles.Expected(path)
    operands = list(expected.operands())
    rows = []
    for i in range(0, len(operands), AT_ONCE):
        rows += asked(path, "lines", "--empty", *(f"{source}:{line}"
                                       for source, line in operands[i:i + AT_ONCE]))
    wanted = [place for operand in operands for place in expected.named(*operand)]
    # Cut where the functions change, which the line tables do not say.
    found = linefiles.joined([from_json(row) for row in rows])
    if any(place.section for place in wanted):
        # In the order of the sections, which llvm-dwarfdump does not tell.
        different = Counter(wanted) - Counter(found) or Counter(found) - Counter(wanted)
        assert not different, list(different)[:5]
    else:
        assert len(found) == len(wanted)
        different = [pair for pair in zip(wanted, found) if pair[0] != pair[1]]
        assert not different, different[:5]
    addrs = sorted({at for row in rows for at in (address_of(row), last_of(row))})
    stacks = dict(zip(addrs, asked(path, "addr", text="".join(f"{addr}\n" for addr in addrs))))
    for row in rows:
        answer = stacks[address_of(row)]["frames"]
        assert is_stack_of(row, answer), (row, answer)
        answer = stacks[last_of(row)]["frames"]
        assert is_stack_of(row, answer), (row, answer)
    return len(rows)


@pytest.mark.parametrize("build", MATRIX, ids=builds.Build.id)
def test_the_code_of_every_line_is_that_of_its_rows(build, built, inlinecall):
    assert assert_same(built(build)) > 0


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """Makes a cell of the matrix; skips, saying so, if a tool is missing."""
    cells = {cell.id: cell for cell in every_cell()}
    place = shop.Shop(tmp_path_factory.mktemp("lines"))

    def make(name):
        missing = shop.missing(cells[name].needs)
        if missing:
            pytest.skip(f"no {missing}")
        return cells[name].make(place)

    return make


@pytest.mark.parametrize("name", CELLS)
def test_so_it_is_of_other_compilers_and_linkers(name, made, inlinecall):
    assert assert_same(made(name).path) > 0


@pytest.mark.long
def test_so_it_is_of_a_kernel_module(kernel, inlinecall):  # noqa: F811
    path, = kernel.rglob("xfs.ko")
    print(path, assert_same(path))
