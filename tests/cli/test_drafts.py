"""DWARF 6, of which there are only drafts: what compilers write so far has the layout of DWARF 5."""

import re
import struct

import pytest

import building

NOTE = "DWARF 6 is not final: it is read as DWARF 5, and may change"
TABLES = ("info", "line", "addr", "str_offsets", "rnglists", "loclists")
QUESTIONS = [("-a", "-p", "-e", "--json"), ("-a", "-p"), ("stats", "--json"), ("stats", "-p", "--json"),
             ("why", "--json", "leaf"), ("tree", "loops"), ("probe", "leaf"), ("lint", "--json")]


def sections_of(path):
    """{name: (offset, size)} in the file."""
    found = {}
    for line in building.command("readelf", "-SW", path).splitlines():
        match = re.match(r" *\[ *\d+\] (\S+) +\S+ +[0-9a-f]+ ([0-9a-f]+) ([0-9a-f]+)", line)
        if match:
            found[match[1]] = (int(match[2], 16), int(match[3], 16))
    return found


def make_draft(path):
    """Sets the version of each unit and table of DWARF 5 to 6; how many there were."""
    image, count = bytearray(path.read_bytes()), 0
    for name, (start, size) in sections_of(path).items():
        if name.removeprefix(".debug_").removesuffix(".dwo") not in TABLES:
            continue
        at = start
        while at + 6 <= start + size:
            length, version = struct.unpack_from("<IH", image, at)
            if version == 5:
                struct.pack_into("<H", image, at + 4, 6)
                count += 1
            at += 4 + length
    path.write_bytes(image)
    return count


def answers(run, path, is_draft):
    """What all questions are answered, and what else is said of the file than that it is a draft."""
    found = []
    for question in QUESTIONS:
        result = run(*question, path)
        said = [line for line in result.err.splitlines() if NOTE not in line]
        assert len(result.err.splitlines()) - len(said) == is_draft, question
        found.append((question, result.status, said, result.out))
    return found


BUILDS = [("gcc", "-O2"), ("gcc", "-O2", "-c"), ("clang", "-O2"), ("clang", "-O2", "-gsplit-dwarf")]


@pytest.mark.parametrize("words", BUILDS, ids=" ".join)
def test_headers_of_version_6_are_those_of_version_5(run, tmp_path, words):
    building.need(words[0])
    path = tmp_path / "a"
    building.command(*words, "-gdwarf-5", building.PROGRAMS / "first.c",
                     *([] if "-c" in words else [building.PROGRAMS / "second.c"]), "-o", "a", cwd=tmp_path)
    final = answers(run, path, False)
    assert sum(make_draft(path) for path in tmp_path.iterdir()) >= 2
    assert answers(run, path, True) == final


@pytest.mark.parametrize("options", [(), ("-gsplit-dwarf",), ("-flto", "-fuse-ld=lld-22")], ids=" ".join)
@pytest.mark.parametrize("language, sources", [("c", ("first.c", "second.c")),
                                               ("c++", ("third.cpp", "fourth.cpp"))])
def test_what_clang_writes_is_read(run, tmp_path, language, sources, options):
    """It has names of languages, and their versions apart: DIEs are elsewhere, and nothing else differs."""
    compiler = "clang-22" if language == "c" else "clang++-22"
    building.need(compiler)
    found = []
    for version in ("5", "6"):
        building.command(compiler, "-O2", f"-gdwarf-{version}", *options,
                         *(building.PROGRAMS / source for source in sources), "-o", "a", cwd=tmp_path)
        found.append([(*answer[:3], re.sub(r'"die(_off)?":"0x[0-9a-f]+"|DW_OP_convert [^,"]*', "", answer[3]))
                      for answer in answers(run, tmp_path / "a", version == "6")])
    assert found[0] == found[1]


def test_the_note_is_made_once_for_all_files(run, tmp_path):
    building.need("gcc")
    for name in ("a.o", "b.o"):
        building.command("gcc", "-O2", "-gdwarf-5", "-c", building.PROGRAMS / "first.c", "-o",
                         tmp_path / name)
        make_draft(tmp_path / name)
    result = run("--count", "-a", tmp_path / "a.o", tmp_path / "b.o")
    assert result.status == 0 and result.err.count(NOTE) == 1
    assert run("--strict", "-a", tmp_path / "a.o").out


def test_it_does_not_make_names_uncertain(run, tmp_path):
    building.need("gcc")
    path = tmp_path / "a"
    building.command("gcc", "-O2", "-gdwarf-5", building.PROGRAMS / "first.c",
                     building.PROGRAMS / "second.c", "-o", path)
    questions = [(path, "nosuch", "loops"), (path, *(f"{addr:#x}" for addr in range(0x1000, 0x1400, 7)))]
    final = [run("addr", *question) for question in questions]
    make_draft(path)
    for question, before in zip(questions, final):
        result = run("addr", *question)
        assert (result.status, result.out) == (before.status, before.out)
        assert result.err.replace(f"inlinecall: {path}: {NOTE}\n", "") == before.err


def test_one_address_is_enough_for_the_note(run, tmp_path):
    """Though for a few addresses only the units that .debug_aranges names are read."""
    building.need("gcc")
    path = tmp_path / "a"
    building.command("gcc", "-O2", "-gdwarf-5", building.PROGRAMS / "first.c",
                     building.PROGRAMS / "second.c", "-o", path)
    make_draft(path)
    result = run("addr", path, f"0x{building.symbol_addr(path, 'main')}")
    assert result.status == 0 and result.err.count(NOTE) == 1
