"""The tree of every function with code, beside that of llvm-dwarfdump's DIEs."""

import pytest

import builds
import dwarfdump
import trees
from test_distribution import fetched, has_dwarf_of_its_own

# Versions of DWARF differ in how ranges are written, which test_sites.py looks at.
MATRIX = [build for build in builds.matrix() if build.dwarf == 5]


@pytest.mark.parametrize("build", MATRIX, ids=builds.Build.id)
def test_the_trees_are_those_of_llvm_dwarfdump(build, built, inlinecall):
    lines, count = trees.differences(built(build), dwarfdump)
    assert count > 1, "nothing was inlined: nothing was compared"
    assert not lines, "\n".join(lines[:10])


@pytest.mark.long
@pytest.mark.parametrize("package", ["libc6-dbg", "valgrind-dbg"])
def test_the_trees_of_a_package_are_those_of_llvm_dwarfdump(package, inlinecall):
    paths = sorted(path for path in fetched(package).rglob("*")
                   if path.is_file() and not path.is_symlink() and has_dwarf_of_its_own(path))
    assert paths, f"{package} has no file with DWARF"
    for path in paths:
        lines, count = trees.differences(path, dwarfdump)
        print(path, count)
        assert not lines, "\n".join(lines[:10])
