"""Every location of every attribute, beside llvm-dwarfdump and readelf: the ranges and views of
lists, and the expressions."""

import itertools
import re
import shutil

import pytest

import builds
import locations
from matrix import shop
from matrix.cell import every_cell
from packages import fetched
from test_distribution import has_dwarf_of_its_own

# Without --long: each kind of list, of file and of discarded code.
BUILDS = {"plain-O2", "m32", "object-sections", "merged", "gc-lld", "gc-low-bfd", "dwarf64"}
# Programs in other languages, whose expressions differ most.
CELLS = {"rustc-v0-4", "gfortran-5", "go-plain", "gnat-5"}
SPLIT = {"gcc-dwo-4", "gcc-dwo-5", "clang-dwo-4", "clang-dwo-5", "gcc-dwp-4", "clang-llvm-dwp-4",
         "clang-llvm-dwp-5", "g++-llvm-dwp-5"}
# (package, the files in it); python is optimised at link time
FILES = (("libc6-dbg", "*/93/ac61ec*.debug"), ("valgrind-dbg", "*/.build-id/*/*.debug"),
         ("python3.11-dbg", "*/.build-id/10/*.debug"), ("kernel", "*/vmlinux-*"),
         ("kernel", "*/xfs.ko"), ("kernel", "*/i915.ko"))


@pytest.fixture(scope="module", autouse=True)
def printer(inlinecall):
    if not locations.PRINT_LOCATIONS.exists():
        pytest.skip(f"no {locations.PRINT_LOCATIONS}")


@pytest.fixture(scope="module")
def workshop(tmp_path_factory):
    return shop.Shop(tmp_path_factory.mktemp("locations"))


@pytest.fixture
def subject(request, workshop):
    if shop.missing(request.param.needs):
        pytest.skip(f"no {shop.missing(request.param.needs)}")
    return request.param.make(workshop)


def assert_same(path, tool):
    count, differences = locations.differences(path, tool)
    print(f"{path}: {count} locations as {tool} has them")
    assert not differences, "\n".join(differences)
    return count


def build_params():
    for build in builds.matrix():
        marks = [] if build.name in BUILDS else [pytest.mark.long]
        yield pytest.param(build, id=build.id(), marks=marks)


def cells(chosen):
    return [cell for cell in every_cell() if cell.id in chosen]


def cell_params(chosen):
    return [pytest.param(cell, id=cell.id) for cell in cells(chosen)]


def split_params():
    return [pytest.param(cell, cell.id.startswith("gcc-") and cell.id.endswith("-4"), id=cell.id)
            for cell in cells(SPLIT)]


@pytest.mark.parametrize("tool", locations.TOOLS)
@pytest.mark.parametrize("build", build_params())
def test_the_locations_are_those_of_another_tool(build, tool, built):
    assert assert_same(built(build), tool) > 0 or build.name == "g1"


@pytest.mark.parametrize("tool", locations.TOOLS)
@pytest.mark.parametrize("subject", cell_params(CELLS), indirect=True)
def test_so_are_those_of_other_languages(subject, tool):
    assert assert_same(subject.path, tool) > 0


@pytest.mark.parametrize("tool", locations.TOOLS)
@pytest.mark.parametrize("dwarf", (2, 3, 4, 5))
@pytest.mark.parametrize("compiler, level", (("gcc", "-O2"), ("gcc", "-Og"), ("clang", "-O2")))
def test_so_are_those_of_values_that_are_computed(compiler, level, dwarf, tool, tmp_path):
    if not shutil.which(compiler):
        pytest.skip(f"no {compiler}")
    path = builds.run([compiler, level, f"-gdwarf-{dwarf}", "-c", builds.PROGRAMS / "values.c"],
                      tmp_path / "values.o")
    assert assert_same(path, tool) > 0


def without_offsets(text):
    """What is the same in a split unit and in one that is not: addresses are there by an index, and
    DIEs have other offsets."""
    text = re.sub(r"DW_OP_(?:GNU_addr_index|addrx) 0x[0-9a-f]+ \((0x[0-9a-f]+)\)",
                  r"DW_OP_addr \1", text)
    return re.sub(r"\(0x[0-9a-f]{8,}\)", "()", text)


def same_range(split, whole, is_short):
    """If `is_short`, lengths may lack 2: docs/dwarf-notes.md. Linkers leave offsets of discarded
    functions in the code."""
    lowest = 0x100
    return (split == whole or split[0] == whole[0] < lowest or max(split[0], whole[0]) < lowest or
            (is_short and split == (whole[0], whole[1] - 2)))


def same_entry(split, whole, is_short):
    return (without_offsets(split.text) == without_offsets(whole.text) and
            split.views == whole.views and split.is_default == whole.is_default and
            same_range(split.range, whole.range, is_short))


@pytest.mark.parametrize("subject, is_short", split_params(), indirect=["subject"])
def test_those_of_split_units_are_those_of_the_program_in_one_file(subject, is_short):
    count = 0
    for split, whole in itertools.zip_longest(locations.ours(subject.path, is_split=True),
                                              locations.ours(subject.twins[0])):
        assert split.attr == whole.attr and len(split.entries) == len(whole.entries)
        for left, right in zip(split.entries, whole.entries):
            assert same_entry(left, right, is_short), f"{split}\n{whole}"
        count += 1
    assert count > 100


@pytest.mark.long
@pytest.mark.parametrize("tool", locations.TOOLS)
@pytest.mark.parametrize("package, pattern", FILES, ids=[" ".join(file) for file in FILES])
def test_so_are_those_of_a_distribution(package, pattern, tool, request):
    folder = request.getfixturevalue("kernel") if package == "kernel" else fetched(package)
    paths = [path for path in sorted(folder.rglob("*"))
             if path.is_file() and path.match(pattern) and has_dwarf_of_its_own(path)]
    assert paths, f"no {pattern} in {package}"
    for path in paths:
        assert_same(path, tool)
