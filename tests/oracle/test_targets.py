"""Objects of every machine, and what they are linked to, beside the oracles.

In an object the relocations are applied by us. Where no oracle knows a machine's relocations, the
linker does: it applies them to the same DIEs at the same offsets.
"""

import platform
import shutil
import subprocess

import pytest

import compare
import compare_file
import dwarfdump
import instances
import machines
from builds import PROGRAMS, SOURCES, run
from rnglists import section_bytes

VERSIONS = (pytest.param(4, marks=pytest.mark.long), 5)
READABLE = [target for target in machines.TARGETS if target.readers]
LINKED = [target for target in machines.TARGETS if target.linker]


def names(targets):
    return [target.name for target in targets]


def skip_missing(make, *arguments):
    try:
        return make(*arguments)
    except machines.Missing as missing:
        pytest.skip(str(missing))


def agrees(comparison, status):
    assert comparison.counts["sites"], "the file has no inlined function: nothing was compared"
    assert not comparison.counts["different"], "\n".join(comparison.differences[:20])
    assert status == 0


def compare_with(reader, path):
    if reader == "readelf":
        return compare_file.compare_with_readelf(str(path))
    return compare.compare(path, dwarfdump)


@pytest.fixture(name="linked")
def link(tmp_path):
    """Both sources for a target, linked."""
    def make(target, dwarf):
        objects = skip_missing(target.make_objects, tmp_path, dwarf)
        return skip_missing(target.link, objects, tmp_path / "linked")

    return make


@pytest.mark.parametrize("source", SOURCES["c"])
@pytest.mark.parametrize("dwarf", (2, *VERSIONS))
@pytest.mark.parametrize("target", READABLE, ids=names(READABLE))
def test_an_object_is_what_the_oracles_say(target, dwarf, source, tmp_path, inlinecall):
    path = skip_missing(target.make_object, tmp_path, dwarf, source)
    for reader in target.readers:
        agrees(*compare_with(reader, path))


@pytest.mark.parametrize("dwarf", VERSIONS)
@pytest.mark.parametrize("target", LINKED, ids=names(LINKED))
def test_a_linked_file_is_what_the_oracles_say(target, dwarf, linked, inlinecall):
    path = linked(target, dwarf)
    for reader in machines.BOTH:
        agrees(*compare_with(reader, path))


def within(symbols, start, end, section):
    """A range by the function that it is in, wherever that was put."""
    holder = next(symbol for symbol in symbols
                  if symbol.start <= start < symbol.end and symbol.section == section)
    return holder.name, start - holder.start, end - holder.start


def rows(path):
    """What is said of each DIE."""
    symbols = instances.function_symbols(str(path), instances.Sections(str(path)))
    said = {}
    for row in compare.Program(path, compare.EVERYTHING).rows():
        one = compare.from_json(row)
        ranges = [within(symbols, *part) for part in one[compare.FIELDS.index("ranges")]]
        said.setdefault(one[0], []).append((one[1:10], ranges, one[-2:], row["symbol"]))
    return said


ALONE = [target for target in LINKED if not target.descriptors]


@pytest.mark.parametrize("dwarf", VERSIONS)
@pytest.mark.parametrize("target", ALONE, ids=names(ALONE))
def test_an_object_says_what_it_says_when_linked(target, dwarf, tmp_path, inlinecall):
    path = skip_missing(target.make_object, tmp_path, dwarf, "first.c")
    linked = skip_missing(target.link, [path], tmp_path / "linked",
                          "--unresolved-symbols=ignore-all")
    assert rows(path) == rows(linked)


def code_of_descriptors(path):
    """{address of a descriptor: address of its code}, of a linked file."""
    section = next(line for line in instances.run_readelf("-SW", path).splitlines()
                   if " .opd " in line)
    start = int(section.split("PROGBITS")[1].split()[0], 16)
    content = section_bytes(str(path), ".opd")
    return {start + at: int.from_bytes(content[at:at + 8], "big")
            for at in range(0, len(content), 8)}


@pytest.mark.parametrize("target", LINKED, ids=names(LINKED))
def test_the_symbol_of_a_row_holds_its_first_range(target, linked, inlinecall):
    path = linked(target, 4)
    code = code_of_descriptors(path) if target.descriptors else {}
    symbols = {}
    for symbol in instances.function_symbols(str(path), instances.Sections(str(path))):
        start = code.get(symbol.start, symbol.start)
        symbols[symbol.name] = start, start + symbol.end - symbol.start
    for row in compare.Program(path, ("-o", "-g", "*")).rows():
        if row["ranges"]:
            start, end = (int(part, 16) for part in row["ranges"][0][:2])
            assert symbols[row["symbol"]][0] <= start < end <= symbols[row["symbol"]][1], row


@pytest.mark.parametrize("dwarf", VERSIONS)
def test_a_kernel_put_in_a_file_of_32_bits_keeps_the_low_half_of_its_addresses(
        dwarf, tmp_path, inlinecall):
    if not shutil.which("objcopy") or platform.machine() != "x86_64":
        pytest.skip("no objcopy for x86-64")
    sources = [PROGRAMS / source for source in SOURCES["c"]]
    kernel = run(["gcc", "-O2", f"-gdwarf-{dwarf}", "-mcmodel=kernel", "-ffreestanding", "-fno-pic",
                  "-no-pie", "-static", "-nostdlib", "-Wl,-e,main,-Ttext=0xffffffff80100000",
                  *sources], tmp_path / "vmlinux")
    subprocess.run(["objcopy", "-O", "elf32-i386", kernel, tmp_path / "vmlinux.32"], check=True)
    whole, half = rows(kernel), rows(tmp_path / "vmlinux.32")
    assert whole and whole == half
