"""Which files are read: several, from a list, unreadable ones, and separate debug files."""

import os
import shutil

import pytest

import building


# Several files.

def test_each_of_several_files_has_its_name_above_its_sites(run, elf):
    result = run("clamp", elf("c"), elf("object"))
    single = {name: run("clamp", elf(name)).out for name in ("c", "object")}
    assert result.out == "".join(f"{elf(name)}:\n{single[name]}" for name in ("c", "object"))


def test_a_single_file_has_no_name_above_its_sites(run, elf):
    assert str(elf("c")) not in run("clamp", elf("c")).out


def test_every_row_of_data_says_its_file(run, elf):
    files = [str(elf("c")), str(elf("object"))]
    rows = run("--csv", "clamp", *files).out.splitlines()[1:]
    assert sorted({row.split(",")[1] for row in rows}) == sorted(files)


def test_files_that_cannot_be_read_do_not_hide_the_others(run, elf):
    result = run("-s", "clamp", "no-such-file", elf("c"))
    assert result.status == 2
    assert result.sites == run("-s", "clamp", elf("c")).sites
    assert "no-such-file" in result.err


def test_a_dash_reads_names_of_files_from_standard_input(run, elf):
    names = f"{elf('c')}\n\n{elf('object')}"  # an empty line, and no end of the last one
    assert run("clamp", "-", stdin=names) == run("clamp", elf("c"), elf("object"))


def test_a_list_of_one_file_looks_like_any_list(run, elf):
    assert run("clamp", "-", stdin=f"{elf('c')}\n").headings[0] == f"{elf('c')}:"


def test_a_dash_may_stand_among_files(run, elf):
    result = run("clamp", elf("c++"), "-", elf("object"), stdin=f"{elf('c')}\n")
    assert [line for line in result.headings if line.startswith(f"{elf('c').parent}/")] == [
        f"{elf('c')}:", f"{elf('object')}:"]


def test_a_dash_with_a_directory_is_a_file(run, elf, tmp_path):
    shutil.copy(elf("c"), tmp_path / "-")
    assert run("clamp", "./-", cwd=tmp_path).out == run("clamp", elf("c")).out


def test_a_missing_file_of_a_list_is_status_2(run, elf):
    result = run("clamp", "-", stdin=f"gone\n{elf('c')}\n")
    assert result.status == 2
    assert "gone" in result.err and result.sites


def test_an_empty_list_finds_nothing(run):
    assert run("clamp", "-").status == 1


# What cannot be read.

def complaint(result):
    """What is said of a file that gave no answer."""
    assert (result.status, result.out) == (2, "")
    assert result.err.startswith("inlinecall: ")
    return result.err


def test_a_missing_file_is_named_with_the_systems_reason(run):
    assert complaint(run("clamp", "gone")) == (
        "inlinecall: gone: cannot open: No such file or directory\n")


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads everything")
def test_a_forbidden_file_is_named_with_the_systems_reason(run, tmp_path):
    (tmp_path / "secret").touch(mode=0)
    assert "Permission denied" in complaint(run("clamp", tmp_path / "secret"))


def test_a_directory_is_not_a_file(run, tmp_path):
    assert f"{tmp_path}: " in complaint(run("clamp", tmp_path))


@pytest.mark.parametrize("content, reason", [
    (b"", "empty"), (b"#!/bin/sh\n", "not an ELF file"), (b"!<arch>\n.", "archive"),
    (b"\x7fELF", "ELF")])
def test_a_file_of_another_kind_is_named_with_what_it_is(run, tmp_path, content, reason):
    path = tmp_path / "file"
    path.write_bytes(content)
    said = complaint(run("clamp", path))
    assert f"{path}: " in said and reason in said


def test_a_truncated_file_is_complained_about(run, elf, tmp_path):
    path = tmp_path / "half"
    path.write_bytes(elf("c").read_bytes()[:4000])
    assert str(path) in complaint(run("clamp", path))


@pytest.mark.parametrize("args", [("-a",), ("-r", "x"), ("clamp",)])
def test_an_unreadable_file_is_status_2_whatever_is_asked(run, args):
    complaint(run(*args, "gone"))


# Separate debug files.

@pytest.fixture
def stripped(elf, tmp_path):
    """(a stripped program, its debug file): nothing says where this is."""

    def strip(name):
        program, debug = tmp_path / "bin" / "program", tmp_path / "program.debug"
        program.parent.mkdir()
        building.command("objcopy", "--only-keep-debug", elf(name), debug)
        building.command("objcopy", "--strip-all", elf(name), program)
        return program, debug

    return strip


def link_debug_file(program, debug):
    building.command("objcopy", f"--add-gnu-debuglink={debug}", program)


def put(debug, *parts):
    path = debug.parent.joinpath(*parts)
    path.parent.mkdir(parents=True, exist_ok=True)
    return shutil.copy(debug, path)


def test_a_stripped_file_without_a_trace_says_that_there_is_none(run, stripped):
    program, _ = stripped("c")
    said = complaint(run("clamp", program))
    assert f"{program}: " in said
    assert ".debug_info" in said and "build ID" in said and ".gnu_debuglink" in said


def test_what_was_searched_is_listed_with_what_was_found(run, stripped):
    program, debug = stripped("build-id")
    link_debug_file(program, debug)
    debug.unlink()
    one, two = program.parent / "one", program.parent / "two"
    said = complaint(run("--debug-dir", one, f"--debug-dir={two}", "clamp", program))
    for place in (one / ".build-id/ab/12cd34ef.debug", two / ".build-id/ab/12cd34ef.debug",
                  program.parent / "program.debug", program.parent / ".debug/program.debug",
                  f"{one}{program.parent}/program.debug", f"{two}{program.parent}/program.debug"):
        assert f"  {place}: No such file or directory\n" in said


@pytest.mark.parametrize("place", ["program.debug", ".debug/program.debug"])
def test_a_debug_file_beside_a_symbolic_link(run, elf, stripped, tmp_path, place):
    """Stores that are addressed by content are trees of links."""
    program, debug = stripped("build-id")
    link_debug_file(program, debug)
    put(debug, "store", "1234")
    links = tmp_path / "links"
    (links / place).parent.mkdir(parents=True)
    (links / place).symlink_to(tmp_path / "store/1234")
    (links / "program").symlink_to(program)
    debug.unlink()
    expected = run("-i", "clamp", elf("build-id")).out
    assert run("-i", "clamp", links / "program").out == expected != ""
    assert run("-i", "clamp", "program", cwd=links).out == expected


def test_the_usual_directory_is_searched_after_those_that_are_given(run, stripped):
    program, _ = stripped("build-id")
    usual = "/usr/lib/debug/.build-id/ab/12cd34ef.debug"
    assert usual in complaint(run("clamp", program))
    said = complaint(run("--debug-dir=/nowhere", "clamp", program))
    assert 0 < said.index("/nowhere/.build-id/ab/12cd34ef.debug") < said.index(usual)


def test_a_debug_file_is_found_by_its_build_id(run, elf, stripped):
    program, debug = stripped("build-id")
    put(debug, "store", ".build-id", "ab", "12cd34ef.debug")
    assert run("-i", "--debug-dir", debug.parent / "store", "clamp", program) == run(
        "-i", "clamp", elf("build-id"))


def test_a_debug_file_with_another_build_id_is_refused(run, elf, stripped):
    program, debug = stripped("build-id")
    other = put(debug, "store", ".build-id", "ab", "12cd34ef.debug")
    shutil.copy(elf("c"), other)
    said = complaint(run("--debug-dir", debug.parent / "store", "clamp", program))
    assert f"{other}: has no build ID" in said


@pytest.mark.parametrize("place", ["bin", "bin/.debug", "store"])
def test_a_debug_file_is_found_by_its_link(run, elf, stripped, place):
    program, debug = stripped("c")
    link_debug_file(program, debug)
    if place == "store":
        place = f"store/{program.parent}"
    put(debug, f"{debug.parent}/{place}", "program.debug")
    debug.unlink()
    assert run("--debug-dir", debug.parent / "store", "clamp", program) == run("clamp", elf("c"))


def test_a_debug_file_with_another_checksum_is_refused(run, stripped):
    program, debug = stripped("c")
    link_debug_file(program, debug)
    wrong = put(debug, "bin", "program.debug")
    with open(wrong, "ab") as file:
        file.write(b"\0")
    said = complaint(run("clamp", program))
    assert str(wrong) in said and "checksum" in said


def test_a_link_is_searched_beside_the_file_and_not_beside_a_symlink(run, elf, stripped, tmp_path):
    program, debug = stripped("c")
    link_debug_file(program, debug)
    put(debug, "bin", "program.debug")
    debug.unlink()
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere/link").symlink_to(program)
    assert run("clamp", tmp_path / "elsewhere/link") == run("clamp", elf("c"))


def test_the_name_in_the_output_is_that_of_the_file_asked_for(run, stripped):
    program, debug = stripped("build-id")
    put(debug, "store", ".build-id", "ab", "12cd34ef.debug")
    rows = run("--csv", f"--debug-dir={debug.parent}/store", "clamp", program).out.splitlines()
    assert {row.split(",")[1] for row in rows[1:]} == {str(program)}


# Compressed files.

@pytest.mark.parametrize("tool, suffix", [("xz", "xz"), ("zstd", "zst"), ("gzip", "gz"),
                                          ("lz4", "lz4")])
def test_a_compressed_file_is_what_it_holds(run, elf, tmp_path, tool, suffix):
    building.need(tool)
    plain = tmp_path / "object.o"
    shutil.copy(elf("object"), plain)
    building.command(tool, "-k", *["-m"] * (tool == "lz4"), plain)
    packed = tmp_path / f"object.o.{suffix}"
    for words in (("-a", "--csv"), ("tree", "-a", "--csv")):
        want = run(*words, plain)
        assert want.status == 0
        got = run(*words, packed)
        assert (got.status, got.err) == (0, "")
        assert got.out.replace(str(packed), str(plain)) == want.out
    assert run("addr", packed, ".text+0x4").out == run("addr", plain, ".text+0x4").out
    # What was cut short is an error that names the file, not an empty answer.
    packed.write_bytes(packed.read_bytes()[:-200])
    result = run("-a", packed)
    assert (result.status, result.out) == (2, "")
    assert result.err == (f"inlinecall: {packed}: compressed with {tool}, and cannot be "
                          "decompressed: damaged, or followed by other data\n")
@pytest.mark.parametrize("args, file, order", [
    (("{}", "clamp"), "clamp", "FUNCTION FILE..."),
    (("tree", "{}", "clamp"), "clamp", "FUNCTION FILE..."),
    (("addr", "0x1", "0x2", "{}"), "0x1", "FILE [ADDRESS...]"),
    (("lines", "first.c:3", "{}"), None, "FILE SOURCE:LINE..."),
])
def test_operands_the_wrong_way_round_are_recognized(run, elf, tmp_path, args, file, order):
    path = elf("c")
    result = run(*(arg.format(path) for arg in args), cwd=tmp_path)
    assert result.status == (2 if file else 64) and not result.out
    assert f"'{path}' is a file; the order of operands is {order}\n" in result.err
    if file:
        assert f"inlinecall: {file}: cannot open" in result.err


def test_nothing_is_said_of_the_order_if_no_operand_is_a_file(run, elf, tmp_path):
    (tmp_path / "clamp").mkdir()
    assert "order" not in run("clamp", "no-such-file", cwd=tmp_path).err
    (tmp_path / "loops").touch()
    assert run("loops", elf("c"), cwd=tmp_path) == run("loops", elf("c"))
