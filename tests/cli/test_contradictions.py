"""Damage that leaves everything readable, but parts of the file that contradict each other."""

import json
import os
import shutil
import sys

import pytest

import building

sys.path.insert(0, str(building.HERE.parent / "damage"))
import elf_edit  # noqa: E402

CAUSES = ("optimised away", "no function is called", "never inlined", "no code")


def open_elf(path):
    """An ELF file to change, and its sections by their names."""
    data = elf_edit.Elf(path.read_bytes())
    return data, {section.name: section for section in data.sections}


def written(path, data):
    path.write_bytes(data)
    return path


def assert_reported(result, message):
    assert result.status == 2
    assert message in result.err
    assert not any(cause in result.err for cause in CAUSES)


def compiled(directory, *options, sources=("first.c", "second.c")):
    path = directory / "program"
    building.need(options[0])
    building.command(options[0], "-g", "-O2", *options[1:],
                     *(building.PROGRAMS / source for source in sources), "-o", path)
    return path


@pytest.mark.parametrize("name", [".debug_info", ".debug_rnglists", ".debug_line", ".symtab"])
def test_a_section_of_which_the_header_was_lost_is_not_taken_for_missing(run, elf, tmp_path, name):
    data, sections = open_elf(elf("c"))
    for field in data.fields:
        data.put(sections[name], field, 0)
    result = run("clamp", written(tmp_path / "file", data.data))
    assert_reported(result, f"section {sections[name].number} () has no type")


def test_several_lost_headers_are_reported(run, elf, tmp_path):
    data, sections = open_elf(elf("c"))
    for name in (".debug_info", ".debug_abbrev", ".debug_aranges", ".comment"):
        for field in data.fields:
            data.put(sections[name], field, 0)
    assert_reported(run("clamp", written(tmp_path / "file", data.data)), "has no type")


def test_a_section_without_a_name_is_reported(run, elf, tmp_path):
    data, sections = open_elf(elf("c"))
    data.put(sections[".debug_rnglists"], "name", 0)
    assert_reported(run("clamp", written(tmp_path / "file", data.data)), "has no name")


@pytest.mark.parametrize("words", [("clamp",), ("addr", "0x1040")])
def test_symbols_under_another_name_are_not_taken_for_missing(run, elf, tmp_path, words):
    data, sections = open_elf(elf("c"))
    data.put(sections[".symtab"], "name", sections[".comment"].fields["name"])
    path = written(tmp_path / "file", data.data)
    asked = (words[0], path, *words[1:]) if words[0] == "addr" else (*words, path)
    assert_reported(run(*asked), "(.comment) has symbols, but is not named .symtab")


def test_call_frames_that_their_index_has_elsewhere_are_reported(run, elf, tmp_path):
    """Where FDEs count from themselves, all of their addresses are wrong then."""
    data, sections = open_elf(elf("c"))
    data.put(sections[".eh_frame"], "addr", 0x10)
    path = written(tmp_path / "file", data.data)
    assert_reported(run("cfi", path, "main"), ".eh_frame+0x0: section is at 0x10 according to its header")


@pytest.mark.parametrize("name", [".debug_str", ".debug_line_str"])
def test_strings_without_an_end_are_reported(run, elf, tmp_path, name):
    data = building.section_bytes(elf("c"), name, tmp_path)
    path = building.with_section(elf("c"), name, b"x" + data[:-1], tmp_path / "moved")
    assert_reported(run("clamp", path), f"{name}: unterminated string table")


@pytest.mark.parametrize("name", [".debug_str", ".debug_line_str"])
def test_the_last_string_may_be_empty(run, elf, tmp_path, name):
    data = building.section_bytes(elf("c"), name, tmp_path)
    path = building.with_section(elf("c"), name, data + b"\0", tmp_path / "longer")
    result = run("clamp", path)
    assert (result.status, result.err) == (0, "")


def test_ranges_that_were_moved_by_a_byte_are_not_taken_for_dropped_code(run, tmp_path):
    path = compiled(tmp_path, "clang", "-gdwarf-4")
    data = building.section_bytes(path, ".debug_ranges", tmp_path)
    path = building.with_section(path, ".debug_ranges", b"\0" + data[:-1], tmp_path / "moved")
    assert_reported(run("clamp", path), "beyond all code sections")


def copies(run, path, *asked):
    return [json.loads(line) for line in run("--json", *asked, path).out.splitlines()]


def first_address(run, path):
    return int(copies(run, path, "clamp")[0]["ranges"][0][0], 16)


def with_start(run, path, start, scratch):
    """The file in which an inlined copy in one part begins elsewhere, and the offset of its DIE."""
    info = building.section_bytes(path, ".debug_info", scratch)
    for row in copies(run, path, "-a"):
        if len(row["ranges"]) != 1:
            continue
        before, die = int(row["ranges"][0][0], 16).to_bytes(8, "little"), int(row["die"], 16)
        rest = bytes(info[die:die + 24])  # with DW_AT_low_pc and, in front of it, DW_AT_entry_pc
        if rest.count(before) == 2:
            info[die:die + 24] = rest.replace(before, start.to_bytes(8, "little"))
            return building.with_section(path, ".debug_info", info,
                                         scratch / "elsewhere"), row["die"]
    raise AssertionError("no copy has a DW_AT_low_pc")


def test_inlined_code_that_is_not_in_its_function_is_reported(run, elf, tmp_path):
    path = elf("c")
    start = open_elf(path)[1][".text"].fields["addr"] + 1
    damaged, die = with_start(run, path, start, tmp_path)
    assert_reported(run("-a", damaged), f".debug_info+{die}: code at {start:#x} is outside the function it")


def test_code_that_ends_beyond_its_section_is_reported(run, elf, tmp_path):
    path = elf("c")
    fields = open_elf(path)[1][".fini"].fields
    end = fields["addr"] + fields["size"]
    damaged, _ = with_start(run, path, end - 1, tmp_path)
    assert_reported(run("-a", damaged), f"range from {end - 1:#x} to")


LAST = """
static inline int inlined(const int *p) { return *p * 3; }
int main(void) { return 0; }
__attribute__((noinline)) int last(const int *p) { return inlined(p); }
"""


def test_code_in_a_small_hole_before_a_section_is_reported(run, tmp_path):
    """Too small to be a gap that no alignment explains, if it were not for that of the next section."""
    building.need("gcc")
    (tmp_path / "last.c").write_text(LAST)
    path = tmp_path / "program"
    building.command("gcc", "-g", "-O2", tmp_path / "last.c", "-o", path)
    assert len(copies(run, path, "-a")) == 1
    data, sections = open_elf(path)
    data.put(sections[".text"], "size", sections[".text"].fields["size"] - 16)
    assert_reported(run("-a", written(tmp_path / "file", data.data)), "but not in any section")


def test_a_set_of_addresses_that_is_too_small_hides_no_unit(run, elf, tmp_path):
    """.debug_aranges gives a unit fewer addresses than the unit itself says."""
    path = elf("c")
    aranges = bytearray(building.section_bytes(path, ".debug_aranges", tmp_path))
    for start in range(16, len(aranges) - 16, 16):
        if any(aranges[start:start + 8]) and any(aranges[start + 8:start + 16]):
            aranges[start + 8:start + 16] = (1).to_bytes(8, "little")
    damaged = building.with_section(path, ".debug_aranges", bytes(aranges), tmp_path / "small")
    address = f"{first_address(run, path) + 1:#x}"
    assert run("addr", damaged, address).out == run("addr", path, address).out
    assert run("addr", damaged, address).out.count("inlined") > 0


def test_a_unit_that_does_not_say_where_it_is_is_found(run, tmp_path):
    """The root DIEs have attributes of no meaning in place of DW_AT_low_pc, _high_pc, _ranges."""
    path = compiled(tmp_path, "clang", "-gdwarf-4")
    address = f"{first_address(run, path):#x}"
    abbreviations = bytearray(building.section_bytes(path, ".debug_abbrev", tmp_path))
    at = abbreviations.index(b"\x01\x11\x01")  # the first DW_TAG_compile_unit
    while at >= 0:
        place = at + 3
        while abbreviations[place:place + 2] != b"\0\0":
            if abbreviations[place] in (0x11, 0x12, 0x55):
                abbreviations[place] = 0x04
            place += 2
        at = abbreviations.find(b"\0\0\0\x01\x11\x01", place)
        at += 3 if at >= 0 else 0
    damaged = building.with_section(path, ".debug_abbrev", bytes(abbreviations),
                                    tmp_path / "placeless")
    for answer in (run("addr", damaged, address), run("addr", damaged, address, "0x0", "0x1")):
        assert "first.c" in answer.out and "??" not in answer.out.splitlines()[0]


def test_room_for_the_alignment_of_bss_is_no_gap(run, tmp_path):
    """Clang aligns .bss of 32-bit MIPS to 16 bytes in the file, too."""
    building.need("clang")
    source = tmp_path / "with_bss.c"
    source.write_text("static int sink;\n"
                      "static inline int twice(int x) { return sink += x; }\n"
                      "int main(int count) { while (count-- > twice(count)); return sink; }\n")
    path = tmp_path / "with_bss.o"
    building.command("clang", "--target=mips-linux-gnu", "-g", "-O2", "-c", source, "-o", path)
    result = run("twice", path)
    assert (result.status, result.err) == (0, "")


@pytest.mark.parametrize("name", [".debug_info", ".debug_line"])
@pytest.mark.parametrize("words", [("clamp",), ("addr", ".text+0x10"), ("lines", "shapes.h:16")])
def test_an_object_without_relocations_for_a_section_is_reported(run, elf, tmp_path, name, words):
    path = tmp_path / "without.o"
    building.command("objcopy", "-R", f".rela{name}", elf("object"), path)
    command = (*words, path) if len(words) == 1 else (words[0], path, *words[1:])
    assert_reported(run(*command), f"{name}: no relocations in a relocatable file")


def test_an_object_without_relocations_for_its_table_of_addresses_is_reported(run, tmp_path):
    path = compiled(tmp_path, "clang", "-gdwarf-5", "-c", sources=("first.c",))
    assert run("clamp", path).status == 0
    building.command("objcopy", "-R", ".rela.debug_addr", path)
    assert_reported(run("clamp", path), ".debug_addr: no relocations")


@pytest.mark.parametrize("name", [".debug_addr", ".debug_info", ".debug_line"])
def test_first_relocations_that_were_lost_are_reported(run, tmp_path, name):
    """The section has a header, so that nothing at its start is relocated."""
    path = compiled(tmp_path, "clang", "-gdwarf-5", "-c", sources=("first.c",))
    data, sections = open_elf(path)
    data.fill(sections[f".rela{name}"], 0, 0, 16)  # the addend stays
    assert_reported(run("clamp", written(path, data.data)), f".rela{name}: relocation 0 is empty")


@pytest.mark.parametrize("target, linker", [("x86_64", "ld.lld"), ("riscv64", "ld.lld"),
                                            ("x86_64", "ld")])
@pytest.mark.parametrize("version", [4, 5])
def test_relocations_of_discarded_code_are_no_damage(run, tmp_path, target, linker, version):
    """With -r linkers keep those of sections that they discard, emptied."""
    building.need("clang++")
    building.need(linker)
    objects = []
    for number in range(2):
        source = tmp_path / f"{number}.cpp"
        source.write_text(
            "extern int sink;\n"
            "static inline int twice(int x) { if (x > sink) sink += x; return sink * 2; }\n"
            "template <class T> __attribute__((noinline)) T shared(T x)\n"
            "{ for (T i = 0; i < x; i++) if (i != sink) sink += twice(i); return twice(x); }\n"
            f"int use{number}(int x) {{ return shared(x) + twice(x); }}\n")
        objects.append(source.with_suffix(".o"))
        building.command("clang++", f"--target={target}-linux-gnu", f"-gdwarf-{version}", "-O2",
                         "-c", source, "-o", objects[-1])
    path = tmp_path / "linked.o"
    building.command(linker, "-r", *objects, "-o", path)
    result = run("twice", path)
    assert (result.status, result.err) == (0, "")
    assert "shared" in result.out


def test_a_name_that_zeros_were_written_over_is_reported(run, elf, tmp_path):
    data, sections = open_elf(elf("c"))
    names = sections[".strtab"].fields
    at = data.data.index(b"\0main\0", names["offset"], names["offset"] + names["size"]) + 1
    data.data[at:at + 4] = bytes(4)
    path = written(tmp_path / "nameless", data.data)
    said = f"has no name in .strtab, at {at - names['offset']:#x}"
    assert_reported(run("-a", "-o", path), said)
    named = run("addr", path, "nowhere")
    assert_reported(named, said)
    assert "cannot tell whether a symbol or section is called nowhere" in named.err
    assert "no symbol or section" not in named.err


@pytest.mark.parametrize("asked", ["shapes.h:16", "nothing.c:1", "first.c:99999"])
def test_of_lines_of_a_damaged_file_no_cause_is_stated(run, elf, tmp_path, asked):
    lines = building.section_bytes(elf("c"), ".debug_line", tmp_path)
    path = building.with_section(elf("c"), ".debug_line", bytes(len(lines)), tmp_path / "zeros")
    result = run("lines", path, asked)
    assert result.out == ""
    assert_reported(result, ".debug_line")


def line_program(path, scratch):
    """.debug_line, and where the program of its first table begins and ends (DWARF 5, 6.2.4)."""
    lines = building.section_bytes(path, ".debug_line", scratch)
    end = 4 + int.from_bytes(lines[:4], "little")
    return lines, 12 + int.from_bytes(lines[8:12], "little"), end


def test_zeros_among_the_rows_of_lines_are_reported(run, elf, tmp_path):
    lines, start, end = line_program(elf("c"), tmp_path)
    lines[start + 40:start + 60] = bytes(20)
    path = building.with_section(elf("c"), ".debug_line", lines, tmp_path / "zeros")
    assert_reported(run("lines", path, "first.c:1-9999"), "zeros instead of rows")


def test_rows_of_a_table_that_lost_its_files_are_reported(run, elf, tmp_path):
    lines, start, _ = line_program(elf("c"), tmp_path)
    lines[18 + lines[17] - 1:start] = bytes(start - (18 + lines[17] - 1))
    path = building.with_section(elf("c"), ".debug_line", lines, tmp_path / "fileless")
    assert_reported(run("lines", path, "first.c:1"), "line table without files")


def test_lines_below_zero_are_reported(run, elf, tmp_path):
    lines, start, _ = line_program(elf("c"), tmp_path)
    # After DW_LNS_set_column and DW_LNE_set_address there is DW_LNS_advance_line, or a row.
    place = start + 2 + 11
    lines[place:place + 4] = b"\x03\x80\x7f\x01"  # by -128, and a row
    path = building.with_section(elf("c"), ".debug_line", lines, tmp_path / "negative")
    assert_reported(run("lines", path, "first.c:99999"), "impossible line rows")


def many_functions(directory):
    """More of them than symbols are looked at in every file."""
    source, path = directory / "many.s", directory / "many.o"
    source.write_text(".text\n" + "".join(
        f".type number{i},@function\nnumber{i}: nop\n.size number{i},1\n" for i in range(4000)))
    building.need("as")
    building.command("as", source, "-o", path)
    return path


@pytest.mark.parametrize("byte", [0, 0xff])
def test_each_name_that_was_lost_is_reported_when_it_is_asked_for(run, tmp_path, byte):
    data, sections = open_elf(many_functions(tmp_path))
    names = sections[".strtab"].fields
    for number in (3001, 3002, 3003):
        at = data.data.index(b"\0number%d\0" % number, names["offset"]) + 1
        data.data[at:at + 10] = bytes([byte]) * 10
        path = written(tmp_path / "lost", data.data)
        assert "has no name" in run("addr", path, f"number{number}").err
        if not byte:
            assert "has no name" in run("addr", path, f".text+{number:#x}").err


@pytest.mark.parametrize("name, asked", [(".debug_str", ("-a",)), (".debug_line_str", ("-a",))])
def test_what_cannot_be_text_is_no_name(run, elf, tmp_path, name, asked):
    size = len(building.section_bytes(elf("c"), name, tmp_path))
    path = building.with_section(elf("c"), name, b"\xff" * (size - 1) + b"\0", tmp_path / "ones")
    assert_reported(run(*asked, path), "string begins with invalid byte 0xff")


def test_copies_that_lost_their_lists_of_ranges_were_not_dropped(run, tmp_path):
    path = compiled(tmp_path, "gcc", "-gdwarf-4")
    size = len(building.section_bytes(path, ".debug_ranges", tmp_path))
    zeros = building.with_section(path, ".debug_ranges", bytes(size), tmp_path / "zeros")
    assert_reported(run("addr", zeros, "main"), ".debug_ranges: contains only zeros")
    most = building.with_section(path, ".debug_ranges", bytes(size - 1) + b"\1", tmp_path / "most")
    assert_reported(run("-a", most), ".debug_ranges: empty range list of code inlined into")


def without(path, output, *names):
    building.command("objcopy", *(f"--remove-section={name}" for name in names), path, output)
    return output


@pytest.mark.parametrize("version", [4, 5])
def test_a_table_of_addresses_that_was_removed_is_missed(run, tmp_path, version):
    building.need("gcc")
    building.command("gcc", "-O2", f"-gdwarf-{version}", "-gsplit-dwarf",
                     building.PROGRAMS / "first.c", building.PROGRAMS / "second.c", "-o", "program",
                     cwd=tmp_path)
    path = without(tmp_path / "program", tmp_path / "less", ".debug_addr")
    assert_reported(run("clamp", path), ".debug_addr")


def test_what_only_debug_info_needs_is_not_without_it(run, tmp_path):
    path = without(compiled(tmp_path, "clang", "-gdwarf-5"), tmp_path / "less", ".debug_info",
                   ".debug_abbrev")
    for words in ("clamp",), ("-a",), ("lines",):
        result = run(*words, path, *(["first.c:1"] if words == ("lines",) else []))
        assert_reported(result, "no .debug_info that it could belong to")


def test_two_sections_of_one_name_are_reported(run, tmp_path):
    path = tmp_path / "two"
    building.command("objcopy", "--rename-section", ".debug_str=.debug_line_str",
                     compiled(tmp_path, "gcc"), path)
    assert_reported(run("lines", path, "first.c:12"), "two sections with this name")


@pytest.mark.parametrize("base", [0, 4])
def test_a_table_of_strings_that_begins_in_its_header_is_reported(run, tmp_path, base):
    path = compiled(tmp_path, "clang", "-gdwarf-5", "-fuse-ld=lld")
    info = building.section_bytes(path, ".debug_info", tmp_path)
    at = info.index((8).to_bytes(4, "little"), 12, 40)  # DW_AT_str_offsets_base of the first unit
    info[at] = base
    result = run("-a", building.with_section(path, ".debug_info", info, tmp_path / "base"))
    assert_reported(result, f".debug_str_offsets+{base:#x}: not a version 5 table")


def test_lists_of_ranges_need_relocations(run, tmp_path):
    building.command("gcc", "-g", "-O2", "-ffunction-sections", "-c",
                     building.PROGRAMS / "second.c", "-o", tmp_path / "object.o")
    path = without(tmp_path / "object.o", tmp_path / "less.o", ".rela.debug_rnglists")
    assert_reported(run("-a", path), ".debug_rnglists")


def test_entries_that_lost_their_parent_are_reported(run, elf, tmp_path):
    abbrev = building.section_bytes(elf("c"), ".debug_abbrev", tmp_path)
    sound, reported = run("-a", elf("c")), 0
    # DW_TAG_subprogram with children, or what looks like it.
    for at in [at for at in range(len(abbrev) - 2) if abbrev[at:at + 2] == b"\x2e\1"]:
        abbrev[at + 1] = 0
        path = building.with_section(elf("c"), ".debug_abbrev", abbrev, tmp_path / "flat")
        abbrev[at + 1] = 1
        result = run("-a", path)
        reported += "DIE without a parent" in result.err
        assert result.status == 2 or result == sound
    assert reported


@pytest.mark.parametrize("at, added, message", [
    (8, 0x20, "rows begin before the end of the header"),  # header_length
    (12, -1, "minimum_instruction_length is 0"),          # minimum_instruction_length
])
def test_line_tables_that_begin_elsewhere_are_reported(run, elf, tmp_path, at, added, message):
    lines = building.section_bytes(elf("c"), ".debug_line", tmp_path)
    lines[at] += added
    path = building.with_section(elf("c"), ".debug_line", lines, tmp_path / "moved")
    assert_reported(run("addr", path, "main"), message)


@pytest.mark.parametrize("options", [("--reloc-debug-sections", "-f"), ("--reloc-debug-sections-only", "-o")])
@pytest.mark.parametrize("compiler", ["gcc", "clang"])
def test_relocations_that_eu_strip_has_applied_are_not_missed(run, tmp_path, compiler, options):
    building.need("eu-strip")
    building.need(compiler)
    building.command(compiler, "-gdwarf-5", "-O2", "-ffunction-sections", "-c",
                     building.PROGRAMS / "second.c", "-o", tmp_path / "object.o")
    sound = run("-a", "object.o", cwd=tmp_path)
    building.command("eu-strip", *options, "debug", "object.o", *(
        ["-o", "stripped"] if "-f" in options else []), cwd=tmp_path)
    assert run("-a", "debug", cwd=tmp_path) == sound


def test_that_a_line_has_no_code_is_said_only_of_a_file_that_was_read(run, elf, tmp_path):
    info = building.section_bytes(elf("c"), ".debug_info", tmp_path)
    info[len(info) * 3 // 4:] = b"\x7f" * (len(info) - len(info) * 3 // 4)
    path = building.with_section(elf("c"), ".debug_info", info, tmp_path / "damaged")
    assert run("lines", path, "shapes.h:16").out
    for line in "nowhere.c:1", "first.c:99999":
        assert_reported(run("lines", path, line), ".debug_info+")


EMPTY_SECTION = """
	.globl _start
	.text
_start:	.cfi_startproc
	nop
	ret
	.cfi_endproc
	.size _start,.-_start
	.section .debug_info,"",@progbits
	.4byte end-.-4
	.2byte 4
	.4byte 0
	.byte 8
	.uleb128 1
	.asciz "a.c"
end:
	.section .debug_abbrev,"",@progbits
	.byte 1,0x11,0,3,8,0,0,0,0,0,0,0
	.section .debug_loc,"",@progbits
	.p2align 3
	.section .last,"",@progbits
	.asciz "xyz"
"""


@pytest.mark.parametrize("linker", ["bfd", "gold", "lld"])
def test_a_gap_before_an_empty_section_is_its_alignment(run, tmp_path, linker):
    """As nasm writes .debug_frame."""
    if os.uname().machine != "x86_64" or not shutil.which(f"ld.{linker}"):
        pytest.skip(f"no ld.{linker}, or another assembler")
    (tmp_path / "gap.s").write_text(EMPTY_SECTION)
    building.command("gcc", "-c", tmp_path / "gap.s", "-o", tmp_path / "gap.o")
    building.command(f"ld.{linker}", tmp_path / "gap.o", "-e", "_start", "-o", tmp_path / "gap")
    result = run("addr", tmp_path / "gap", "_start")
    assert (result.status, result.err) == (0, "")
