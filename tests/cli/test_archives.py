"""Archives: each member is a file of its own, named ARCHIVE(MEMBER)."""

import json
import re
import shutil

import pytest

import building


@pytest.fixture
def folder(elf, tmp_path):
    """A directory with objects: two with sites, one of C++, one with only data, one without -g."""
    shutil.copy(elf("object"), tmp_path / "first.o")
    shutil.copy(elf("sections"), tmp_path / "an_object_with_a_longer_name.o")
    shutil.copy(elf("templates"), tmp_path / "templates.o")
    (tmp_path / "data.c").write_text("int data = 3;\n")
    (tmp_path / "plain.c").write_text("int plain(int x) { return x + 1; }\n")
    (tmp_path / "notes.txt").write_text("text")
    for name in "data", "plain":
        building.command("gcc", "-O2", "-c", f"{name}.c", "-o", f"{name}.o", cwd=tmp_path)
    return tmp_path


FIRST, LONG = "first.o", "an_object_with_a_longer_name.o"
# Of a member: ar.h. What ends as one does may be in a member, too.
HEADER = re.compile(rb"[ -~]{16}[0-9 ]{42}`\n")


@pytest.fixture
def archive(folder):
    """Makes an archive; the name of the tool may be followed by options, as may its letters."""

    def make(name, *members, letters="qcS", tool="ar", options=()):
        building.need(tool)
        building.command(tool, letters, *options, name, *members, cwd=folder)
        return name

    return make


def named(folder, run, archive_name, *members):
    """What is printed of these members."""
    return "".join(f"{archive_name}({member}):\n{run('clamp', member, cwd=folder).out}"
                   for member in members)


@pytest.mark.parametrize("tool, letters, options", [
    ("ar", "qc", ()), ("ar", "qcS", ()), ("llvm-ar", "qc", ("--format=gnu",)),
    ("llvm-ar", "qc", ("--format=bsd",)), ("llvm-ar", "qc", ("--format=darwin",)),
    ("ar", "qcT", ()), ("llvm-ar", "qcT", ())])
def test_every_member_is_answered_for_in_the_order_of_the_archive(run, archive, folder, tool,
                                                                  letters, options):
    archive("lib.a", LONG, FIRST, "data.o", letters=letters, tool=tool, options=options)
    result = run("clamp", "lib.a", cwd=folder)
    assert (result.status, result.err) == (0, "")
    assert result.out == named(folder, run, "lib.a", LONG, FIRST)


def test_members_of_one_name_are_all_reported(run, archive, folder):
    (folder / "sub").mkdir()
    shutil.copy(folder / LONG, folder / "sub" / FIRST)
    archive("lib.a", FIRST, f"sub/{FIRST}")
    both = run("clamp", "lib.a", cwd=folder)
    assert both.headings.count("lib.a(first.o):") == 2
    assert run("clamp", "lib.a(first.o)", cwd=folder) == both
    one, other = (run("clamp", name, cwd=folder).out for name in (FIRST, LONG))
    assert both.out == f"lib.a(first.o):\n{one}lib.a(first.o):\n{other}" and one != other


def test_one_member_is_asked_for_by_its_name(run, archive, folder):
    archive("lib.a", FIRST, LONG)
    result = run("clamp", f"lib.a({LONG})", cwd=folder)
    assert result == run("clamp", LONG, cwd=folder)
    several = run("clamp", f"lib.a({LONG})", "lib.a(first.o)", cwd=folder)
    assert several.out == named(folder, run, "lib.a", LONG, FIRST)


def test_names_may_have_brackets(run, archive, folder):
    shutil.copy(folder / FIRST, folder / "x(1).o")
    archive("lib(2).a", "x(1).o")
    assert run("clamp", "lib(2).a(x(1).o)", cwd=folder) == run("clamp", FIRST, cwd=folder)
    shutil.copy(folder / FIRST, folder / "lib(2).a(y.o)")  # a file of its own
    assert run("clamp", "lib(2).a(y.o)", cwd=folder) == run("clamp", FIRST, cwd=folder)


@pytest.mark.parametrize("name, said", [
    ("lib.a(none.o)", "lib.a: no member 'none.o'"),
    ("gone.a(first.o)", "gone.a(first.o): cannot open: No such file or directory"),
    ("first.o(x)", "first.o: not an archive")])
def test_a_member_that_does_not_exist_is_named(run, archive, folder, name, said):
    archive("lib.a", FIRST)
    result = run("clamp", name, cwd=folder)
    assert (result.status, result.out, result.err) == (2, "", f"inlinecall: {said}\n")


def test_every_row_of_data_names_archive_and_member(run, archive, folder):
    archive("lib.a", FIRST, LONG)
    rows = run("--json", "clamp", "lib.a", cwd=folder).out.splitlines()
    assert {json.loads(row)["file"] for row in rows} == {"lib.a(first.o)", f"lib.a({LONG})"}
    table = run("--csv", "clamp", "lib.a", cwd=folder).out.splitlines()
    assert len(table) == len(rows) + 1
    assert {row.split(",")[1] for row in table[1:]} == {"lib.a(first.o)", f"lib.a({LONG})"}


def test_an_archive_may_stand_among_files(run, archive, folder):
    archive("lib.a", FIRST)
    result = run("clamp", LONG, "lib.a", cwd=folder)
    assert result.headings[0] == f"{LONG}:" and "lib.a(first.o):" in result.headings
    assert run("clamp", "-", stdin=f"{LONG}\nlib.a\n", cwd=folder) == result


def test_what_is_no_elf_file_is_left_out_and_said(run, archive, folder):
    (folder / "ir.o").write_bytes(b"BC\xc0\xde....")
    archive("inner.a", FIRST)
    archive("lib.a", "notes.txt", "ir.o", "inner.a", FIRST)
    result = run("clamp", "lib.a", cwd=folder)
    assert (result.status, result.out) == (2, named(folder, run, "lib.a", FIRST))
    assert result.err == ("inlinecall: lib.a(notes.txt): not an ELF file\n"
                          "inlinecall: lib.a(ir.o): is LLVM bitcode, not an ELF file\n"
                          "inlinecall: lib.a(inner.a): is an archive, not an ELF file\n")


def test_members_without_debug_information_get_one_line(run, archive, folder):
    shutil.copy(folder / "plain.o", folder / "other.o")
    archive("lib.a", "plain.o", FIRST, "other.o", "data.o")
    result = run("clamp", "lib.a", cwd=folder)
    assert (result.status, result.out) == (2, named(folder, run, "lib.a", FIRST))
    assert result.err == ("inlinecall: lib.a: 2 of its members have no debug information "
                          "(compiled without -g?): plain.o, other.o\n")
    archive("long.a", *["plain.o"] * 40, "other.o")
    said = run("clamp", "long.a", cwd=folder).err
    assert "41 of its members" in said and said.endswith("plain.o, ...\n") and len(said) < 400
    alone = run("clamp", "lib.a(plain.o)", cwd=folder)
    assert alone.status == 2 and "lib.a(plain.o): no .debug_info" in alone.err


def test_nested_thin_archives_are_read_where_ar_flattens_them(run, archive, folder):
    archive("inner.a", FIRST, LONG)
    (folder / "sub").mkdir()
    shutil.copy(folder / FIRST, folder / "sub")
    archive("sub/thin.a", "sub/first.o", letters="qcT")
    archive("outer.a", "inner.a", "sub/thin.a", letters="qcT")
    result = run("clamp", "outer.a", cwd=folder)
    assert (result.status, result.err) == (0, "")
    assert result.out == named(folder, run, "outer.a", FIRST, LONG, "sub/first.o")


def test_a_file_of_a_thin_archive_that_is_gone_is_named(run, archive, folder):
    archive("lib.a", FIRST, LONG, letters="qcT")
    (folder / FIRST).unlink()
    result = run("clamp", "lib.a", cwd=folder)
    assert (result.status, result.out) == (2, named(folder, run, "lib.a", LONG))
    assert result.err == ("inlinecall: lib.a(first.o): cannot open first.o: "
                          "No such file or directory\n")


def test_an_archive_that_is_cut_short_is_answered_for_as_far_as_it_goes(run, archive, folder):
    archive("lib.a", FIRST, LONG)
    whole = (folder / "lib.a").read_bytes()
    (folder / "lib.a").write_bytes(whole[:-100])
    result = run("clamp", "lib.a", cwd=folder)
    assert (result.status, result.out) == (2, named(folder, run, "lib.a", FIRST))
    off = whole.index((folder / LONG).read_bytes()) - 60
    assert result.err == (f"inlinecall: lib.a: invalid member header at {off:#x}: the member "
                          "extends beyond the end: truncated archive\n")


@pytest.mark.parametrize("tool, letters, options", [
    ("ar", "qc", ()), ("ar", "qcT", ()), ("llvm-ar", "qc", ("--format=bsd",)),
    ("llvm-ar", "qc", ("--format=darwin",))])
def test_an_archive_that_ends_before_a_member_is_known_to_be_cut_short(run, archive, folder, tool,
                                                                       letters, options):
    archive("lib.a", FIRST, LONG, letters=letters, tool=tool, options=options)
    whole = (folder / "lib.a").read_bytes()
    assert run("clmap", "lib.a", cwd=folder).status == 1
    off = [match.start() for match in HEADER.finditer(whole)][-1]
    (folder / "lib.a").write_bytes(whole[:off])
    for asked in "clamp", "clmap":
        result = run(asked, "lib.a", cwd=folder)
        assert result.status == 2
        assert result.err == (f"inlinecall: lib.a: invalid member header at {off:#x}: listed "
                              "in the symbol index, but beyond the end: truncated archive\n")


def test_a_member_of_which_the_end_is_zeros_is_reported(run, archive, folder):
    archive("lib.a", LONG, FIRST)
    whole = (folder / "lib.a").read_bytes()
    headers = 64 * int.from_bytes((folder / FIRST).read_bytes()[60:62], "little")
    for zeros in headers, headers + 500:
        (folder / "lib.a").write_bytes(whole[:-zeros] + bytes(zeros))
        for asked in "clamp", "clmap":
            result = run(asked, "lib.a", cwd=folder)
            assert result.status == 2
            assert result.err == ("inlinecall: lib.a(first.o): no readable .debug_info: "
                                  "section 1 () has no type: empty header\n")


def test_a_member_without_any_sections_is_reported(run, archive, folder):
    data = bytearray((folder / FIRST).read_bytes())
    data[0x28:0x30] = bytes(8)  # where they begin
    data[0x3c:0x40] = bytes(4)  # how many there are, and which has their names
    (folder / FIRST).write_bytes(data)
    archive("lib.a", LONG, FIRST)
    result = run("clmap", "lib.a", cwd=folder)
    assert result.status == 2
    assert result.err == ("inlinecall: lib.a(first.o): no readable .debug_info: the "
                          "ELF header has neither sections nor program headers\n")


def test_a_verdict_is_one_for_all_members(run, archive, folder):
    archive("lib.a", LONG, FIRST, "templates.o")
    unknown = run("clmap", "lib.a", cwd=folder)
    assert (unknown.status, unknown.out) == (1, "")
    assert unknown.err == ("inlinecall: lib.a: no function named 'clmap'; "
                           "similar name: clamp\n")
    pattern = run("cl*", "lib.a", cwd=folder)
    assert pattern.err == ("inlinecall: lib.a: no function named 'cl*'; "
                           "use 'inlinecall -g' for patterns\n")
    assert "patterns" not in run("-g", "nosuch*", "lib.a", cwd=folder).err
    assert "patterns" not in run("operator*", "lib.a", cwd=folder).err
    never = run("outside", "lib.a", cwd=folder)
    assert never.status == 1 and never.err.count("\n") == 1
    assert "lib.a: outside: never inlined" in never.err
    said = [run("-f", "none.c", "clamp", name, cwd=folder).err for name in ("lib.a", FIRST, LONG)]
    times = [int(re.search(r"inlined (\d+) times", text)[1]) for text in said]
    assert times[0] == times[1] + times[2] > 0


def test_a_nearer_name_of_a_later_member_comes_first(run, archive, folder):
    for name in "frobnicate", "frobnikator":
        (folder / f"{name}.c").write_text(f"int {name}(int x) {{ return x; }}\n")
        building.command("gcc", "-g", "-c", f"{name}.c", cwd=folder)
    archive("lib.a", "frobnikator.o", "frobnicate.o")
    said = run("frobnicat", "lib.a", cwd=folder).err
    assert said.endswith("similar names: frobnicate, frobnikator\n")


def test_an_archive_with_nothing_in_it_says_so(run, folder):
    (folder / "empty.a").write_bytes(b"!<arch>\n")
    for name in "empty.a", "thin.a":
        (folder / name).write_bytes(b"!<arch>\n" if name == "empty.a" else b"!<thin>\n")
        result = run("clamp", name, cwd=folder)
        assert (result.status, result.out) == (1, "")
        assert result.err == f"inlinecall: {name}: no ELF file with code\n"


def test_a_members_name_cannot_move_the_terminal(run, archive, folder):
    archive("lib.a", FIRST)
    bytes_of = (folder / "lib.a").read_bytes()
    (folder / "lib.a").write_bytes(bytes_of.replace(b"first.o/", b"\x1b[31m.o/", 1))
    result = run("clamp", "lib.a", cwd=folder)
    assert "\x1b" not in result.out and result.headings[0] == "lib.a(?[31m.o):"


def test_a_member_may_hold_its_own_split_units(run, folder):
    building.need("clang")
    building.command("clang", "-O2", "-gdwarf-5", "-gsplit-dwarf=single", "-c",
                     building.PROGRAMS / "first.c", "-o", "split.o", cwd=folder)
    building.command("ar", "qc", "lib.a", FIRST, "split.o", cwd=folder)
    wanted = run("clamp", "split.o", cwd=folder)
    assert (wanted.status, wanted.err) == (0, "")
    (folder / "split.o").unlink()
    assert run("clamp", "lib.a(split.o)", cwd=folder) == wanted
