"""The frames at every address that matters, of builds and cells of the matrix: the program's are
those of the DWARF, and those of other tools differ only as known_differences.txt says."""

import random

import pytest

import address_case
import address_peers
import address_rules
import builds
import compare
import compare_addresses
from addresses import Truth
from compare_addresses import READERS, Asked
from matrix import shop
from matrix.cell import every_cell
from packages import fetched

# Without --long: each container, and what differs most in the frames.
BUILDS = {"plain-O2", "object-sections", "merged", "gc-lld", "gc-low-bfd", "flto", "g1", "strict"}
CELLS = {"gcc-3-O2", "clang-5-O2", "gcc-mixed", "gcc-dwarf64-5", "g++-types-5", "gcc-lto-5",
         "clang-lto-thin-5", "g++-icf-gold-5", "clang-gc-tombstone-4", "gcc-clones-5", "g++-dwz-4",
         "gcc-dwz-multi-5", "gcc-dwo-5", "clang++-dwo-4", "clang-dwo-inlining-missing-5",
         "gcc-dwp-4", "gcc-debuglink", "gcc-zstd", "rustc-v0-4", "gfortran-5", "go-plain"}
SAMPLE = 1000  # of a Go program's 200,000 addresses, without --long
MATRIX = list(builds.matrix())
# Linked to address 0x10, where what linkers leave of discarded code is in the way of all.
LOW = "gc-low-"
# (package, the file in it, reader); python is optimised at link time
FILES = (("libc6-dbg", "*/93/ac61ec*.debug", "dwarfdump"),
         ("libstdc++6-12-dbg", "*/libstdc++.so.6.*", "readelf"),
         ("kernel", "*/xfs.ko", "dwarfdump"),
         ("python3.11-dbg", "*/.build-id/10/*.debug", "dwarfdump"))
MOST_FOR_OTHERS = 100000  # of up to a million: eu-addr2line takes half an hour for 600,000


def chosen(name, some):
    return [] if name in some else [pytest.mark.long]


@pytest.fixture(scope="session")
def truth():
    """What is true of a file, found out once."""
    known = {}

    def of(path, reader="dwarfdump"):
        if path not in known:
            known[path] = Truth(path, READERS[reader])
        return known[path]

    return of


def agrees(result, at_least=1):
    assert not result.counts["different"], "\n".join(result.differences)
    assert result.counts.total() >= at_least, "nothing was compared"


BUILD_PARAMS = [pytest.param(build, id=build.id(), marks=chosen(build.name, BUILDS))
                for build in MATRIX]


@pytest.mark.parametrize("build", BUILD_PARAMS)
def test_the_frames_are_those_of_the_dwarf(build, built, truth, inlinecall):
    asked = Asked(built(build), truth(built(build)))
    agrees(compare_addresses.compare_program(asked, asked.truth.addresses()), 100)


@pytest.mark.parametrize("build", [param for param in BUILD_PARAMS if LOW not in param.id])
def test_what_others_say_else_has_a_reason(build, built, truth):
    asked = Asked(built(build), truth(built(build)))
    agrees(compare_addresses.compare_peers(asked, asked.truth.addresses()), 100)


@pytest.fixture(scope="session")
def workshop(tmp_path_factory):
    return shop.Shop(tmp_path_factory.mktemp("addresses"))


@pytest.fixture
def subject(request, workshop, truth):
    """(Asked, its addresses)"""
    cell = request.param
    if shop.missing(cell.needs):
        pytest.skip(f"no {shop.missing(cell.needs)}")
    made = cell.make(workshop)
    asked = Asked(made.path, truth((made.twins or (made.path,))[0], made.reader), made.options,
                  made.peer_options, made.peer_tools)
    if asked.truth.sections.relocatable and made.reader == "readelf":
        pytest.skip("readelf does not say in which section an address is")
    addresses = asked.truth.addresses()
    if cell.id.startswith("go") and not request.config.getoption("--long"):
        addresses = sorted(random.Random(1).sample(addresses, SAMPLE))
    return asked, addresses


def cell_params():
    """Not archives, of which `addr` takes a member, nor what inlinecall cannot relocate."""
    for cell in every_cell():
        if "archive" not in cell.id and not cell.id.startswith(("avr-", "msp430-")):
            yield pytest.param(cell, id=cell.id, marks=chosen(cell.id, CELLS))


@pytest.mark.parametrize("subject", cell_params(), indirect=True)
def test_so_are_those_of_a_cell_of_the_matrix(subject, inlinecall):
    agrees(compare_addresses.compare_program(*subject), 20)


# Others do not relocate programs for CUDA, and so take what is wrong in them, and read no DWARF 6.
@pytest.mark.parametrize("subject", [param for param in cell_params()
                                     if param.id != "nvcc" and not param.id.endswith("-22-6")],
                         indirect=True)
def test_what_others_say_else_of_a_cell_has_a_reason(subject):
    agrees(compare_addresses.compare_peers(*subject), 20)


@pytest.fixture(scope="module")
def distributed(request):
    """(Asked, its addresses), of a file of a package or of a kernel module."""
    package, pattern, reader = request.param
    folder = (request.getfixturevalue("kernel") if package == "kernel" else fetched(package))
    path = next(path for path in sorted(folder.rglob("*")) if path.match(pattern))
    asked = Asked(path, Truth(path, READERS[reader]))
    return asked, asked.truth.addresses()


FILE_PARAMS = [pytest.param(file, id=file[0]) for file in FILES]


@pytest.mark.long
@pytest.mark.parametrize("distributed", FILE_PARAMS, indirect=True)
def test_so_are_those_of_a_distribution(distributed, inlinecall):
    agrees(compare_addresses.compare_program(*distributed), len(distributed[1]))


@pytest.mark.long
@pytest.mark.parametrize("distributed", FILE_PARAMS, indirect=True)
def test_what_others_say_else_of_a_distribution_has_a_reason(distributed):
    asked, addresses = distributed
    if len(addresses) > MOST_FOR_OTHERS:
        addresses = sorted(random.Random(1).sample(addresses, MOST_FOR_OTHERS))
    agrees(compare_addresses.compare_peers(asked, addresses), len(addresses))


# ---- The comparison itself

@pytest.fixture
def example(built, truth):
    path = built(next(build for build in MATRIX if build.id() == "gcc-c-dwarf5-plain-O2"))
    return Asked(path, truth(path))


def change(frames, key):
    frames[-1][key] = {"inlined": True}.get(key, "other" if key in TEXTS else 4711)


TEXTS = ("function", "linkage_name", "file")


@pytest.mark.parametrize("key", [*TEXTS, "line", "column", "discriminator", "inlined"])
def test_one_other_value_is_a_difference(key, example, inlinecall):
    addresses = example.truth.addresses()
    rows = list(compare_addresses.program_rows(example, addresses))
    change(next(row["frames"] for row in rows if row["frames"]), key)
    result = compare_addresses.compare_rows(example, addresses, rows)
    assert result.counts["different"] == 1


def test_a_frame_or_an_answer_too_few_is_a_difference(example, inlinecall):
    addresses = example.truth.addresses()
    rows = list(compare_addresses.program_rows(example, addresses))
    next(row["frames"] for row in rows if len(row["frames"]) > 1).pop()
    rows.pop()
    assert compare_addresses.compare_rows(example, addresses, rows).counts["different"] == 2


@pytest.mark.parametrize("build", ["gcc-c-dwarf5-plain-O2", "gcc-c-dwarf4-object-sections"])
@pytest.mark.parametrize("peer", address_peers.PEERS, ids=lambda peer: f"{peer.tool}-{peer.names}")
@pytest.mark.parametrize("key, value", [("name", "other"), ("file", "/other.c"), ("line", 4711)])
def test_no_rule_explains_an_invented_answer(peer, key, value, build, built, truth):
    path = built(next(one for one in MATRIX if one.id() == build))
    view = address_case.View(truth(path), path)
    for section, addrs in compare_addresses.by_section(truth(path).addresses()).items():
        for addr, got in zip(addrs, address_peers.ask(peer, path, section, addrs)):
            wrong = tuple(frame._replace(**{key: value}) for frame in got[:1]) + got[1:]
            case = address_case.Case(view, peer, section, addr, wrong)
            assert not got or address_rules.explain(case) is None


def test_each_rule_has_a_reason_and_each_reason_a_rule():
    assert compare.known_rules().keys() == address_rules.names()
