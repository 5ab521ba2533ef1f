"""The proof that old_lists.py reads relocatable files as they are meant: linking them.

An object alone is linked at 0x401000, where no address is 0 any more. Its DIEs and its range lists
keep their offsets, and llvm-dwarfdump reads the linked file without our help.
"""

import subprocess

import pytest

import builds
import dwarfdump
import instances
from old_lists import OldLists

OBJECTS = [build for build in builds.matrix() if build.kind == "object" and build.dwarf < 5]


def link(path, output, is_32):
    machine = "elf_i386" if is_32 else "elf_x86_64"
    subprocess.run(["ld", "-m", machine, "-e", "main", "-Ttext=0x401000", "-o", str(output),
                    "--unresolved-symbols=ignore-all", str(path)], check=True)
    return str(output)


def sizes(path):
    return {site.die: [end - start for start, end, _ in site.ranges]
            for site in instances.read(path, dwarfdump)}


@pytest.mark.parametrize("build", OBJECTS, ids=builds.Build.id)
def test_a_list_holds_what_it_holds_after_linking(build, built, tmp_path):
    path = built(build)
    linked = sizes(link(path, tmp_path / "linked", "m32" in build.name))
    assert sizes(str(path)) == linked


def lists_of(path):
    """Each list of a unit's DIEs: as llvm-dwarfdump prints it, and whole."""
    lists = OldLists(path)
    unit = {}
    with dwarfdump.lines_of(["llvm-dwarfdump", "-v", "--debug-info", path]) as lines:
        for die in dwarfdump.parse(lines):
            if die.tag in instances.UNITS:
                unit = die.attrs
            elif "ranges" in die.attrs:
                yield die.attrs["ranges"], lists.read(die.attrs["ranges_offset"],
                                                      unit["addr_size"],
                                                      unit.get("low_pc", (0, None)))


@pytest.mark.parametrize("build", OBJECTS, ids=builds.Build.id)
def test_llvm_dwarfdump_ends_a_list_only_at_the_start_of_a_section(build, built):
    for printed, whole in lists_of(str(built(build))):
        assert printed == whole[:len(printed)]
        if printed != whole:
            start, end, section = whole[len(printed)]
            assert (start, end) == (0, 0) and section
