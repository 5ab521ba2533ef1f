"""In large files only the units that have the name are read."""

import pytest

import building

FILLER = 16 << 20  # bytes: from there on units are chosen by names


@pytest.fixture(scope="module", params=["gcc", "clang"])
def small(request, tmp_path_factory):
    """A program whose names are strings by offset, or by index."""
    path = tmp_path_factory.mktemp("small") / "small"
    building.need(request.param)
    building.command(request.param, "-gdwarf-5", "-O2", building.PROGRAMS / "first.c",
                     building.PROGRAMS / "second.c", "-o", path)
    return path


def enlarged(small, folder):
    """The file with a unit of many types in front of its others: its path, and how long that is."""
    abbrev = building.section_bytes(small, ".debug_abbrev", folder)
    info = building.section_bytes(small, ".debug_info", folder)
    table = len(abbrev)
    # DW_TAG_compile_unit with children, and DW_TAG_base_type with a DW_AT_byte_size.
    abbrev += b"\1\x11\1\0\0" + b"\2\x24\0\x0b\x0b\0\0" + b"\0"
    dies = b"\1" + b"\2\4" * (FILLER // 2) + b"\0"
    unit = (4).to_bytes(2, "little") + table.to_bytes(4, "little") + b"\x08" + dies
    unit = len(unit).to_bytes(4, "little") + unit
    path = building.with_section(small, ".debug_abbrev", abbrev, folder / "abbrev")
    return building.with_section(path, ".debug_info", unit + info, folder / "large"), len(unit)


@pytest.fixture(scope="module")
def large(small, tmp_path_factory):
    return enlarged(small, tmp_path_factory.mktemp("large"))


def changed(path, at, data, scratch):
    info = building.section_bytes(path, ".debug_info", scratch)
    info[at:at + len(data)] = data
    return building.with_section(path, ".debug_info", info, scratch / "changed")


def test_the_answer_is_that_of_reading_everything(large, run):
    for options in (), ("-i",), ("-o",), ("-c",), ("--count",), ("--csv",):
        for name in "clamp", "scale", "leaf":
            result, whole = (run(*options, *more, name, large[0]) for more in ((), ("--strict",)))
            assert result == whole
            assert result.out


CLASSES = """\
volatile int sink;
namespace ns { static __attribute__((noinline)) int local(int x) { return x * sink; } }
int main(int argc, char **) { return ns::local(argc); }
"""


def test_symbols_are_found_as_by_reading_everything(run, tmp_path):
    building.need("g++")
    (tmp_path / "a.cpp").write_text(CLASSES)
    building.command("g++", "-gdwarf-5", "-O2", "a.cpp", "-o", "a", cwd=tmp_path)
    path, _ = enlarged(tmp_path / "a", tmp_path)
    for name in "local", "ns::local", "main", "_ZN2nsL5localEi":
        result, whole = (run("why", *more, name, path) for more in ((), ("--strict",)))
        assert result == whole
        assert ": never inlined\n" in result.out


def test_damage_in_a_unit_that_has_not_the_name_is_only_found_by_reading_it(large, run, tmp_path):
    path = changed(large[0], 1002, b"\x7e", tmp_path)  # an abbreviation that does not exist
    sound = run("clamp", large[0])
    assert run("clamp", path) == sound
    for words in ("--strict", "clamp"), ("-a",), ("-g", "clam?"), ("nowhere",), ("--count", "nowhere"):
        result = run(*words, path)
        assert result.status == 2
        assert ".debug_info+" in result.err
        assert "is called" not in result.err and "never inlined" not in result.err


@pytest.mark.parametrize("byte", [0, 0xff])
def test_units_that_were_overwritten_are_read(large, run, tmp_path, byte):
    path = changed(large[0], large[1] + 0x200, bytes([byte]) * 512, tmp_path)
    result = run("clamp", path)
    assert result.status == 2
    assert ".debug_info+" in result.err


def test_what_is_not_there_is_explained_as_ever(large, small, run):
    for words in ("clampp",), ("main",), ("clamp", "--in", "nowhere"):
        result, expected = run(*words, large[0]), run(*words, small)
        assert result.status == expected.status == 1
        assert result.err.replace(str(large[0]), str(small)) == expected.err
