"""A fault in a file costs what it is about and is never silent: the rest is answered, status 2."""

import json
import shutil
import sys

import pytest

import building

sys.path.insert(0, str(building.HERE.parent / "damage"))
import elf_edit  # noqa: E402


@pytest.fixture
def broken(elf, tmp_path):
    """The C program with a second unit that cannot be read."""
    return building.with_broken_unit(elf("c"), tmp_path)


def test_the_problem_is_named_with_its_place(run, elf, broken, tmp_path):
    info = building.section_bytes(elf("c"), ".debug_info", tmp_path)
    result = run("clamp", broken)
    assert result.status == 2
    assert f"inlinecall: {broken}: .debug_info+{building.second_unit(info):#x}: " in result.err
    assert "version" in result.err


@pytest.mark.parametrize("form", [(), ("--csv",), ("--json",), ("-i", "-o", "-c")])
def test_what_is_sound_is_answered(run, elf, broken, form):
    whole, rest = run(*form, "clamp", elf("c")).out, run(*form, "clamp", broken).out
    expected = whole.replace(str(elf("c")), str(broken))
    assert rest and rest != expected and expected.startswith(rest)


@pytest.mark.parametrize("form", [(), ("--csv",), ("--json",)])
def test_strict_prints_nothing_of_a_damaged_file(run, broken, form):
    result = run("--strict", *form, "clamp", broken)
    assert (result.status, result.out) == (2, "")
    assert "--strict" in result.err and ".debug_info" in result.err


def test_strict_is_about_each_file_by_itself(run, elf, broken):
    result = run("--strict", "clamp", broken, elf("c"))
    assert result.status == 2
    assert result.out == f"{elf('c')}:\n{run('clamp', elf('c')).out}"


def test_strict_changes_nothing_for_sound_files(run, elf):
    assert run("--strict", "clamp", elf("c")) == run("clamp", elf("c"))


def test_a_damaged_file_without_an_answer_is_not_said_to_lack_the_function(run, broken):
    """The function may be in what could not be read."""
    result = run("dies_too", broken)
    assert (result.status, result.out) == (2, "")
    assert "no function is called" not in result.err and "never inlined" not in result.err


def test_missing_abbreviations_are_a_problem_of_the_file(run, elf, tmp_path):
    path = building.with_section(elf("c"), ".debug_abbrev", b"\0", tmp_path / "no-abbreviations")
    result = run("clamp", path)
    assert (result.status, result.out) == (2, "")
    assert str(path) in result.err


@pytest.mark.parametrize("section", [".debug_abbrev", ".debug_info", ".debug_str",
                                     ".debug_rnglists", ".debug_line", ".debug_line_str"])
def test_random_damage_never_ends_in_a_signal(run, elf, tmp_path, section):
    data = building.section_bytes(elf("c"), section, tmp_path)
    for start in (0, 5, len(data) // 3, len(data) // 2):
        damaged = data[:start] + bytes(byte ^ 0xa5 for byte in data[start:start + 40])
        damaged += data[len(damaged):]
        path = building.with_section(elf("c"), section, damaged, tmp_path / f"damaged{start}")
        result = run("-a", "-o", "-c", "-i", "--json", path)
        assert result.status in (0, 1, 2), result.err
        assert all(json.loads(line) for line in result.out.splitlines())


@pytest.mark.parametrize("section", [".debug_str", ".debug_line", ".debug_line_str"])
@pytest.mark.parametrize("name", ["c", "lto"])
def test_a_shortened_section_never_ends_in_a_signal(run, elf, tmp_path, name, section):
    """With -flto the names of most functions are looked up from other units."""
    data = building.section_bytes(elf(name), section, tmp_path)
    for size in (1, 100, len(data) - 1):
        path = building.with_section(elf(name), section, data[:size], tmp_path / f"short{size}")
        for jobs in ("-j1", "-j4"):
            result = run("-a", "-o", "-c", "-i", jobs, path)
            assert result.status in (0, 1, 2), result.err
            assert (result.status == 2) == (result.err != "")


def test_a_supplementary_file_that_is_missing_is_one_problem(run, elf, tmp_path):
    copy, common = building.shared_by_dwz(elf("lto"), tmp_path)
    whole = run("clamp", copy)
    assert (whole.status, whole.err) == (0, "")
    plain = run("clamp", elf("lto")).out  # where the function is declared twice
    assert set(whole.out.splitlines()) == set(plain.splitlines())
    common.rename(tmp_path / "elsewhere")
    result = run("clamp", copy)
    assert result.status == 2
    assert result.err.count("supplementary file") == 1
    assert f"{common}: No such file or directory" in result.err
    assert run("--debug-dir", tmp_path, "clamp", copy).status == 2
    (tmp_path / ".dwz").mkdir()
    (tmp_path / "elsewhere").rename(tmp_path / ".dwz" / common.name)
    assert run("clamp", copy) == whole


def test_a_supplementary_file_of_a_package_is_found_in_a_debug_directory(run, elf, tmp_path):
    """The link says /usr/lib/debug/.dwz/MACHINE/NAME, as Debian's do."""
    copy, common = building.shared_by_dwz(elf("lto"), tmp_path, "-M",
                                          "/usr/lib/debug/.dwz/machine/pack.debug")
    assert run("clamp", copy).status == 2
    place = tmp_path / "unpacked" / ".dwz" / "machine"
    place.mkdir(parents=True)
    common.rename(place / "pack.debug")
    assert run("--debug-dir", tmp_path / "unpacked", "clamp", copy).status == 0


@pytest.mark.parametrize("fill", [b"\0", b"\xff"])
def test_addresses_in_units_whose_root_cannot_be_read_are_not_answered_in_silence(
        run, elf, tmp_path, fill):
    """Clang writes no .debug_aranges: only the root DIE says which unit has an address."""
    path = elf("clang")
    damaged = fill * len(building.section_bytes(path, ".debug_abbrev", tmp_path))
    path = building.with_section(path, ".debug_abbrev", damaged, tmp_path / "no-roots")
    for address in ("main", building.symbol_addr(path, "main")):
        result = run("addr", path, address)
        assert result.status == 2
        assert ".debug_abbrev" in result.err


def other_addresses(path, scratch):
    """A program whose debug information is that of another one, which is linked elsewhere."""
    strange = scratch / "elsewhere"
    building.command("gcc", "-g", "-O2", "-no-pie", "-Wl,-Ttext-segment=0x70000000",
                     *(building.PROGRAMS / name for name in ("first.c", "second.c")),
                     "-o", strange)
    output = scratch / "mixed"
    shutil.copy(path, output)
    for name in ("info", "abbrev", "line", "str", "line_str", "rnglists", "aranges"):
        section = f".debug_{name}"
        building.with_section(output, section, building.section_bytes(strange, section, scratch),
                              output)
    return output


@pytest.mark.parametrize("words", [("clamp",), ("-a",), ("--json", "-a"), ("no_such_function",),
                                   ("tree", "main")])
def test_of_debug_information_that_fits_nowhere_no_cause_is_stated(run, elf, tmp_path, words):
    result = run(*words, other_addresses(elf("c"), tmp_path))
    assert result.status == 2
    assert "is it for another file?" in result.err
    for cause in ("optimised away", "never inlined", "nothing was inlined", "no function is"):
        assert cause not in result.err


def test_an_address_of_such_a_program_is_not_answered_in_silence(run, elf, tmp_path):
    result = run("addr", other_addresses(elf("c"), tmp_path), "main")
    assert result.status == 2
    assert "is it for another file?" in result.err


def test_code_in_a_segment_that_is_in_no_section_is_reported(run, elf, tmp_path):
    """A section of code that lost its size: its code is not taken for what a linker dropped."""
    path = tmp_path / "no-text"
    data = elf_edit.Elf(elf("c").read_bytes())
    text = next(section for section in data.sections if section.name == ".text")
    data.put(text, "size", 0)
    path.write_bytes(data.data)
    for words in (("clamp", path), ("addr", path, f"{text.fields['addr'] + 0x40:#x}")):
        result = run(*words)
        assert result.status == 2
        assert "not in any section" in result.err and "optimised away" not in result.err


def test_a_core_file_is_refused_as_such(run, elf, tmp_path):
    data = elf_edit.Elf(elf("c").read_bytes())
    data.put_file("type", elf_edit.ELF_TYPES["core"])
    path = tmp_path / "core"
    path.write_bytes(data.data)
    for words in (("-a", path), ("addr", path, "0x1000"), ("lines", path, "first.c:12")):
        result = run(*words)
        assert (result.status, result.out) == (2, "")
        assert "core file" in result.err


# Zeros stand for other things nearly everywhere: for the end of a list, an empty string, the first
# one, code that was thrown away, padding.
@pytest.mark.parametrize("name, section, kind", [
    ("c", ".debug_info", "zero-half"), ("c", ".debug_str", "zeros"),
    ("c", ".debug_str", "zero-half"), ("c", ".debug_line", "zero-half"),
    ("c", ".debug_line_str", "zeros"), ("c", ".debug_line_str", "zero-half"),
    ("c", ".debug_rnglists", "zeros"), ("c", ".symtab", "zeros"), ("c", ".symtab", "zero-half"),
    ("c", ".strtab", "zeros"), ("c", ".strtab", "zero-half"), ("clang", ".debug_addr", "zeros"),
    ("clang", ".debug_addr", "ones"), ("clang", ".debug_str_offsets", "zeros"),
    ("clang", ".debug_str_offsets", "zero-half"), ("object", ".rela.debug_line", "zeros"),
    ("object", ".rela.debug_line", "zero-half")])
def test_zeros_are_not_taken_for_content(run, elf, tmp_path, name, section, kind):
    elf_file = elf_edit.Elf(elf(name).read_bytes())
    number = next(i.number for i in elf_file.sections if i.name == section)
    path = tmp_path / "damaged"
    path.write_bytes(elf_edit.damaged(elf_file.data, 0, number, kind))
    result = run("lines" if section == ".debug_line" else "-a", path,
                 *(["shapes.h:16"] if section == ".debug_line" else []))
    assert result.status == 2
    assert section in result.err
    assert "no function is called" not in result.err and "optimised away" not in result.err


def test_a_line_table_whose_names_were_lost_with_its_rows_is_missed(run, elf, tmp_path):
    """Zeros from the last file name of the second unit on: it is then named as a directory is, and
    the unit would seem not to have the file that is asked for."""
    elf_file = elf_edit.Elf(elf("c").read_bytes())
    section = next(i for i in elf_file.sections if i.name == ".debug_line")
    start = section.fields["offset"]
    table = int.from_bytes(elf_file.data[start:start + 4], "little") + 4
    names = table + 12 + int.from_bytes(
        elf_file.data[start + table + 8:start + table + 12], "little") - 5
    elf_file.fill(section, 0, names)
    path = tmp_path / "damaged"
    path.write_bytes(elf_file.data)
    for words in ("lines", path, "shapes.h:16"), ("addr", path, "second_entry"):
        result = run(*words)
        assert result.status == 2
        assert ".debug_line" in result.err and "zeros instead of rows" in result.err


def test_addresses_that_a_damaged_list_leaves_out_are_found_by_the_root(run, elf, tmp_path):
    """Zeros end a set of .debug_aranges; more of them stand where addresses were lost."""
    elf_file = elf_edit.Elf(elf("object").read_bytes())
    number = next(i.number for i in elf_file.sections if i.name == ".debug_aranges")
    path = tmp_path / "damaged"
    path.write_bytes(elf_edit.damaged(elf_file.data, 0, number, "zero-half"))
    assert run("addr", path, ".text.startup+0x10").out == \
        run("addr", elf("object"), ".text.startup+0x10").out


def test_addresses_that_a_damaged_list_moves_out_of_the_code_are_found_by_the_root(run, elf,
                                                                                    tmp_path):
    """The other ranges of the unit are sound, but the list is no longer all of them."""
    elf_file = elf_edit.Elf(elf("c").read_bytes())
    listed = next(i for i in elf_file.sections if i.name == ".debug_aranges").fields["offset"]
    elf_file.data[listed + 16 + 6] ^= 0x40  # the first address, behind a header of 16 bytes
    path = tmp_path / "damaged"
    path.write_bytes(elf_file.data)
    sound = run("addr", elf("c"), "loops", "main")
    assert sound.status == 0 and "??" not in sound.out
    assert run("addr", path, "loops", "main") == sound


@pytest.mark.parametrize("command", [("clamp",), ("-a",), ("tree", "-a")])
def test_debug_information_whose_section_lost_its_name_is_missed(run, elf, tmp_path, command):
    """No function is known then, which is no reason to say that there is none."""
    elf_file = elf_edit.Elf(elf("c").read_bytes())
    section = next(i for i in elf_file.sections if i.name == ".debug_info")
    elf_file.put(section, "name", section.fields["name"] + 1)
    path = tmp_path / "damaged"
    path.write_bytes(elf_file.data)
    result = run(*command, path)
    assert (result.status, result.out) == (2, "")
    assert ".debug_info" in result.err
    assert "no function is called" not in result.err and "nothing was inlined" not in result.err


@pytest.mark.parametrize("section", [".rela.debug_info", ".rela.debug_rnglists"])
@pytest.mark.parametrize("command", [("clamp",), ("-a",), ("--count", "-a")])
def test_relocations_lost_from_the_middle_are_missed(run, elf, tmp_path, section, command):
    """Without them addresses are those of other code, or of none."""
    elf_file = elf_edit.Elf(elf("object").read_bytes())
    damaged = next(i for i in elf_file.sections if i.name == section)
    middle = damaged.fields["size"] // 2
    elf_file.fill(damaged, 0, middle - 64, middle)
    path = tmp_path / "damaged"
    path.write_bytes(elf_file.data)
    result = run(*command, path)
    assert result.status == 2
    assert f"{section}: relocation " in result.err
    assert "never inlined" not in result.err and "optimised away" not in result.err


@pytest.mark.parametrize("command", [("clamp",), ("-a",), ("tree", "-a")])
def test_symbols_lost_from_the_middle_are_missed(run, elf, tmp_path, command):
    """Code would be reported in the function before."""
    elf_file = elf_edit.Elf(elf("c").read_bytes())
    symtab = next(i for i in elf_file.sections if i.name == ".symtab")
    middle = symtab.fields["size"] // 2
    elf_file.fill(symtab, 0, middle - 64, middle)
    path = tmp_path / "damaged"
    path.write_bytes(elf_file.data)
    result = run(*command, path)
    assert result.status == 2
    assert ".symtab: symbol " in result.err
