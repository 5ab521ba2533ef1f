"""`inlinecall stats` beside what llvm-dwarfdump's DIEs add up to."""

import pytest

import builds
import sums
from test_distribution import fetched, has_dwarf_of_its_own


@pytest.mark.parametrize("build", builds.params())
def test_statistics_are_what_the_dies_add_up_to(build, built, inlinecall):
    lines, copies = sums.differences(built(build))
    assert copies > 1, "nothing was inlined: nothing was compared"
    assert not lines, "\n".join(lines[:10])


@pytest.mark.long
@pytest.mark.parametrize("package", ["libc6-dbg", "valgrind-dbg"])
def test_statistics_of_a_package_are_what_the_dies_add_up_to(package, inlinecall):
    paths = sorted(path for path in fetched(package).rglob("*")
                   if path.is_file() and not path.is_symlink() and has_dwarf_of_its_own(path))
    assert paths, f"{package} has no file with DWARF"
    for path in paths:
        lines, copies = sums.differences(path)
        print(path, copies)
        assert not lines, "\n".join(lines[:10])


@pytest.mark.long
def test_statistics_of_a_kernel_are_what_the_dies_add_up_to(kernel, inlinecall):
    vmlinux, = kernel.rglob("vmlinux-*")
    lines, copies = sums.differences(vmlinux)
    assert copies > 100000
    assert not lines, "\n".join(lines[:10])
