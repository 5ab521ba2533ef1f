"""Tables of inlined calls of every file of the matrix that can be read: what was encoded is what the
DWARF has, and another form and back loses only what was said."""

import subprocess
import sys
from pathlib import Path

import pytest

import compare
from matrix import document, shop
from matrix.cell import every_cell

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "cli"))

from btf_types import Types  # noqa: E402  (found only now)

CELLS = every_cell()
SAMPLE = {cell.family: cell.id for cell in reversed(CELLS) if not cell.long}.values()

NO_FAULTS = {"calls are in both", "calls are to functions that BTF lacks",
             "calls are at an address that the format cannot express", "parameters are the same",
             "parameters have a location that the format cannot express"}


@pytest.fixture(scope="session")
def place(tmp_path_factory):
    return shop.Shop(tmp_path_factory.mktemp("round-trip"))


def btf(action, *args):
    """(exit status, {what: count}, messages)"""
    result = subprocess.run([compare.program(), "btf", action, *map(str, args)],
                            capture_output=True, text=True, errors="replace", check=False)
    counts = {}
    for line in result.stdout.splitlines():
        count, what, *_ = line.split("\t")
        counts.setdefault(what, int(count))  # what calls come to, before parameters
    return result.returncode, counts, result.stderr


def total(lines, *beginnings):
    return sum(count for what, count in lines.items() if what.startswith(beginnings))


def files_of(subject):
    """The file, or the members of the archive that it is."""
    if subject.path.suffix != ".a":
        return [subject.path]
    members = subprocess.run(["ar", "t", subject.path], capture_output=True, text=True, check=True)
    return [f"{subject.path}({name})" for name in members.stdout.splitlines()]


def order_of(path):
    """The byte order of a file, or of a member of an archive, as struct has it."""
    archive, _, member = str(path).partition("(")
    data = Path(archive).read_bytes()
    if data.startswith(b"!<thin>"):
        data = (Path(archive).parent / member.removesuffix(")")).read_bytes()
    return "<" if data[data.index(b"\x7fELF") + 5] == 1 else ">"


class Made:
    """The tables of a file, with the types that were made for them."""

    def __init__(self, subject, path, folder, form):
        self.subject, self.path, self.folder, self.form = subject, path, folder, form
        (folder / "none").write_bytes(Types(order_of(path)).section())
        self.types, self.table = folder / f"types-{form}", folder / form

    def encode(self):
        status, lines, errors = btf(
            "encode", *self.subject.options, f"--format={self.form}", "--missing=extend", "--btf",
            self.folder / "none", "--btf-output", self.types, "-O", self.table, self.path)
        assert status in {0, 1, self.subject.status}, errors
        return lines

    def convert(self, table, form):
        """(the new table, what was said)"""
        after = self.folder / f"{table.name}-{form}"
        status, lines, errors = btf("convert", "--btf", self.types, "--symbols-of",
                                    self.path, f"--format={form}", "-O", after, table)
        assert status == (0 if lines.get("written") else 1), errors
        return after, lines

    def check(self, table):
        status, lines, errors = btf("check", *self.subject.options, "--btf", self.types,
                                    "--against", self.path, table)
        assert status in {0, 1, self.subject.status}, errors
        return lines


@pytest.mark.parametrize("form, other", [("rfc", "loc"), ("loc", "rfc")])
@pytest.mark.parametrize("cell", [
    pytest.param(cell, id=cell.id, marks=[] if cell.id in SAMPLE else [pytest.mark.long])
    for cell in CELLS])
def test_tables_say_what_the_dwarf_says(cell, form, other, place, tmp_path, inlinecall):
    if shop.missing(cell.needs):
        pytest.skip(f"no {shop.missing(cell.needs)}")
    if document.read()[0][cell.id].verdicts["inlinecall"] != "right":
        pytest.skip("cannot be read")
    subject = cell.make(place)
    for number, path in enumerate(files_of(subject)):
        folder = tmp_path / str(number)
        folder.mkdir()
        follow(Made(subject, path, folder, form), form, other)


def follow(made, form, other):
    encoded = made.encode()
    if not encoded.get("written"):
        assert not made.table.exists()
        return
    found = made.check(made.table)
    assert set(found) <= NO_FAULTS
    assert found["calls are in both"] == encoded["written"]
    there, said = made.convert(made.table, other)
    assert there.exists() == ("written" in said)
    if not there.exists():
        assert total(said, "left out") == encoded["written"]
        return
    back, said_again = made.convert(there, form)
    lost = total(said, "lost") + total(said_again, "lost")
    left_out = total(said, "left out") + total(said_again, "left out")
    if not back.exists():
        assert left_out == encoded["written"]
        return
    found = made.check(back)
    assert set(found) <= NO_FAULTS | {
        "calls are missing", "parameters are unavailable, but have a location in the DWARF"}
    assert total(found, "calls are missing") <= left_out
    assert total(found, "parameters are unavailable") <= lost
