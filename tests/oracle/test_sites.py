"""Every instance of every build, beside llvm-dwarfdump; and the two oracles beside each other."""

import pytest

import builds
import compare
import compare_file

MATRIX = list(builds.matrix())
# `ld -r` takes the relocations of discarded functions away: only their absence says that
# the code is gone, and readelf's text shows 0 as if it were an address.
NOT_FOR_READELF = {build.id() for build in MATRIX
                   if build.name == "merged" and build.language == "c++"}


def agrees(comparison):
    assert comparison.counts["sites"], "the build has no inlined function: nothing was compared"
    assert not comparison.counts["different"], "\n".join(comparison.differences[:20])


@pytest.mark.parametrize("build", builds.params(MATRIX))
def test_the_sites_are_those_of_llvm_dwarfdump(build, built, recorded, inlinecall):
    path = built(build)
    # Each asks for another walk.
    for options in (("-a",), compare.EVERYTHING):
        run = compare.Program(path, options)
        comparison = compare.Comparison(path.name)
        comparison.run(wanted(recorded(build), options), run.rows())
        agrees(comparison)
        assert run.status == 0


def wanted(records, options):
    return list(compare.asked_for(records, options))


@pytest.mark.parametrize("build", builds.params(MATRIX))
def test_the_oracles_agree(build, built, recorded):
    if build.id() in NOT_FOR_READELF:
        pytest.skip("readelf does not show that a relocation is missing")
    comparison, _ = compare_file.compare_oracles(str(built(build)), recorded(build))
    agrees(comparison)
