"""Every instance of every build, beside llvm-dwarfdump; and the two oracles beside each other."""

import pytest

import builds
import compare
import compare_file
import dwarfdump
import instances
import readelf

MATRIX = list(builds.matrix())
# `ld -r` takes the relocations of discarded functions away: only their absence says that
# the code is gone, and readelf's text shows 0 as if it were an address.
NOT_FOR_READELF = {build.id() for build in MATRIX
                   if build.name == "merged" and build.language == "c++"}


def agrees(comparison):
    assert comparison.counts["sites"], "the build has no inlined function: nothing was compared"
    assert not comparison.counts["different"], "\n".join(comparison.differences[:20])


@pytest.mark.parametrize("build", MATRIX, ids=builds.Build.id)
def test_the_sites_are_those_of_llvm_dwarfdump(build, built, inlinecall):
    comparison, status = compare.compare(built(build), dwarfdump)
    agrees(comparison)
    assert status == 0


@pytest.mark.parametrize("build", MATRIX, ids=builds.Build.id)
def test_the_oracles_agree(build, built):
    if build.id() in NOT_FOR_READELF:
        pytest.skip("readelf does not show that a relocation is missing")
    comparison, _ = compare_file.compare_oracles(str(built(build)))
    agrees(comparison)


@pytest.mark.parametrize("build", MATRIX[::7], ids=builds.Build.id)
def test_the_oracles_agree_on_other_records(build, built):
    path = str(built(build))
    first, second = (instances.by_kind(path, reader) for reader in (dwarfdump, readelf))
    assert bare(first[instances.OutOfLine]) == bare(second[instances.OutOfLine])
    assert calls(first) == calls(second)


def bare(copies):
    return [compare_file.without_sections(copy) for copy in copies]


def calls(kinds):
    return [call._replace(return_pc=call.return_pc and call.return_pc[0])
            for call in kinds[instances.CallSite]]
